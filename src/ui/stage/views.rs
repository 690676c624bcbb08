//! What a stage is seen through: the chart, the table, the problems, the small picture.

use super::Stage;
use crate::app::Intent;
use crate::ui::chart::{ChangeList, ExportKind, MiniChart, PlanChart, PlanTable, ProblemsPanel};
use crate::ui::element::view;
use crate::ui::signal::{Effect, Memo, RwSignal, Signal};
use crate::ui::state::use_dispatch;
use crate::view::chart::{Palette, export};
use crate::view::{Drafts, plan_view};
use leptos::ev::resize;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Width that is drawn before the page has been measured, in pixels.
const UNMEASURED: f64 = 960.0;
/// Width of an exported picture, in pixels.
const EXPORTED: f64 = 1400.0;

/// The chart of the plan on show, as wide as its place.
#[component]
pub(crate) fn StageChart(
    stage: Stage,
    /// Without tools and hour slider.
    #[prop(optional)]
    plain: bool,
) -> impl IntoView {
    let dispatch = use_dispatch();
    let place = NodeRef::<Div>::new();
    let width = RwSignal::new(UNMEASURED);
    let measure = move || {
        let wide = place
            .get_untracked()
            .map_or(0, |place| place.client_width());
        if wide > 0 && (width.get_untracked() - f64::from(wide)).abs() > 0.5 {
            width.set(f64::from(wide));
        }
    };
    Effect::new(move || {
        place.track();
        measure();
        let handle = window_event_listener(resize, move |_| measure());
        on_cleanup(move || handle.remove());
    });
    let save = Callback::new(move |kind| {
        let svg = stage
            .chart
            .with_untracked(|chart| export::svg(chart, &Palette::LIGHT, EXPORTED));
        dispatch.send(match kind {
            ExportKind::Png => Intent::DownloadPng {
                name: stage.file_name("png"),
                svg,
            },
            ExportKind::Svg => Intent::Download {
                name: stage.file_name("svg"),
                mime: "image/svg+xml".into(),
                text: svg,
            },
        });
    });
    let differs = Memo::new(move |_| stage.chart.with(|chart| chart.difference.is_some()));
    let chart = view! {
        <PlanChart
            chart=stage.chart
            width
            selected=stage.ship
            hour=stage.hour
            plain
            on_export=save
        />
    }
    .into_any();
    view! {
        <div class="chart-place" node_ref=place>
            {chart}
        </div>
        {move || {
            differs.get().then(|| view! { <ChangeList chart=stage.chart selected=stage.ship/> })
        }}
    }
    .into_any()
}

/// The ships of the plan on show, as a table.
#[component]
pub(crate) fn StageShips(stage: Stage) -> impl IntoView {
    view! { <PlanTable chart=stage.chart selected=stage.ship hour=stage.hour/> }.into_any()
}

/// The problems of the plan on show.
#[component]
pub(crate) fn StageProblems(stage: Stage) -> impl IntoView {
    view! { <ProblemsPanel chart=stage.chart selected=stage.ship hour=stage.hour/> }.into_any()
}

/// A small picture of one plan.
#[component]
pub(crate) fn DraftMini(
    /// Task and plans.
    drafts: Signal<Arc<Drafts>>,
    /// Which: 0 is the published one.
    number: usize,
) -> impl IntoView {
    let mini = Memo::new(move |_| drafts.with(|drafts| plan_view::thumbnail(drafts, number)));
    view! { <MiniChart mini/> }.into_any()
}
