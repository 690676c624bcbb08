//! The hour line and the slider that moves it. Neither draws anything again.

use super::stage::Stage;
use crate::ui::element::view;
use crate::ui::signal::Memo;
use crate::view::chart::summary;
use leptos::prelude::*;

/// The line through chart and strips. It lies over the drawing rather than in it, so that moving it
/// is the compositor's work and nothing is painted again.
#[component]
pub(super) fn HourLine(stage: Stage) -> impl IntoView {
    let x = move || {
        let hour = stage.hour.get().map_or(0.0, f64::from);
        stage.layout.with(|layout| layout.scale.x(hour)).to_string()
    };
    view! {
        <div
            class="pc-hour"
            aria-hidden="true"
            hidden=move || stage.hour.get().is_none()
            style=("--x", x)
        ></div>
    }
}

/// The slider, as wide as the plot.
#[component]
pub(super) fn HourSlider(stage: Stage) -> impl IntoView {
    let extent = Memo::new(move |_| stage.chart.with(|chart| chart.extent));
    let value = move || stage.hour.get().unwrap_or(extent.get().first_hour);
    let words = Memo::new(move |_| stage.chart.with(|chart| summary::at_hour(chart, value())));
    let set = move |event| stage.hour.set(event_target_value(&event).parse().ok());
    view! {
        <input
            class="pc-slider"
            type="range"
            aria-label="Hour of the week"
            min=move || extent.get().first_hour
            max=move || extent.get().last_hour
            step="1"
            prop:value=move || value().to_string()
            aria-valuetext=words
            style=("--w", move || stage.layout.with(|layout| layout.width).to_string())
            on:input=set
        />
    }
}

/// The hour in words, with a way to put the line away.
#[component]
pub(super) fn HourWords(stage: Stage) -> impl IntoView {
    let words = Memo::new(move |_| {
        let hour = stage.hour.get()?;
        Some(stage.chart.with(|chart| summary::at_hour(chart, hour)))
    });
    let shown = Memo::new(move |_| stage.hour.get().is_some());
    view! {
        <p class="pc-hour-words">
            <span>
                {move || words.get().unwrap_or_else(|| "Move the slider to see who is where.".to_owned())}
            </span>
            <button
                type="button"
                hidden=move || !shown.get()
                on:click=move |_| stage.hour.set(None)
            >
                "Hide the hour line"
            </button>
        </p>
    }
}
