//! Buttons above the chart.

use super::ExportKind;
use super::keys::STEP;
use super::stage::Stage;
use crate::ui::element::view;
use crate::ui::signal::Memo;
use leptos::prelude::*;

/// Zoom, fit and export.
#[component]
pub(super) fn Tools(stage: Stage, on_export: Option<Callback<ExportKind>>) -> impl IntoView {
    let button = |label: &'static str, act: Box<dyn Fn() + Send>| {
        view! {
            <button type="button" on:click=move |_| act()>
                {label}
            </button>
        }
        .into_any()
    };
    let calm = Memo::new(move |_| stage.chart.with(|chart| chart.problems.is_empty()));
    let export = on_export.map(|export| {
        let ask = |label, kind| button(label, Box::new(move || export.run(kind)));
        vec![
            ask("Save as PNG", ExportKind::Png),
            ask("Save as SVG", ExportKind::Svg),
        ]
    });
    view! {
        <div class="pc-tools" role="toolbar" aria-label="Chart tools">
            {button("Zoom in", Box::new(move || stage.zoom_by(STEP, None)))}
            {button("Zoom out", Box::new(move || stage.zoom_by(1.0 / STEP, None)))}
            {button("Fit the week", Box::new(move || stage.fit_week()))}
            <button
                type="button"
                disabled=move || calm.get()
                on:click=move |_| stage.fit_problems()
            >
                "Fit problems"
            </button>
            <button
                type="button"
                disabled=move || calm.get()
                on:click=move |_| stage.next_problem(false)
            >
                "Next problem"
            </button>
            {export}
        </div>
    }
}
