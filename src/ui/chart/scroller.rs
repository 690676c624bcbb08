//! What scrolls sideways: gutter, layers back to front, hour line, slider.

use super::hour::{HourLine, HourSlider};
use super::keys::{self, STEP};
use super::marks::{Layer, elements};
use super::stage::Stage;
use super::vessels::Vessels;
use crate::berth::ShipId;
use crate::ui::element::view;
use crate::ui::signal::Memo;
use crate::view::chart::{Mark, OverHit, Picture, summary};
use leptos::ev::WheelEvent;
use leptos::prelude::*;

/// Everything that scrolls sideways together.
#[component]
pub(super) fn Scroller(
    stage: Stage,
    plain: bool,
    on_details: Option<Callback<ShipId>>,
) -> impl IntoView {
    let size = move || {
        stage
            .layout
            .with(|layout| (layout.gutter, layout.width, layout.height))
    };
    let view_box = move |gutter: bool| {
        let (left, width, height) = size();
        format!("0 0 {} {height}", if gutter { left } else { width })
    };
    let wheel = move |event: WheelEvent| {
        if event.ctrl_key() {
            event.prevent_default();
            let factor = if event.delta_y() < 0.0 {
                STEP
            } else {
                1.0 / STEP
            };
            let at = f64::from(event.offset_x()) - stage.view().scroll;
            stage.zoom_by(factor, Some(at.clamp(0.0, stage.viewport.get_untracked())));
        }
    };
    // A new plan moves the ships; a new zoom only redraws them.
    let moving = Memo::new(move |old: Option<&(f64, bool)>| {
        stage.chart.track();
        let now = stage.layout.with(|layout| layout.scale.px_per_hour);
        (
            now,
            old.is_some_and(|(before, _)| (before - now).abs() < 1e-9),
        )
    });
    let details = move |_| {
        if let Some((ship, details)) = stage.selected.get_untracked().zip(on_details) {
            details.run(ship);
        }
    };
    view! {
        <div class="pc-scroller" node_ref=stage.scroller>
            <svg
                class="pc-gutter"
                aria-hidden="true"
                width=move || size().0
                height=move || size().2
                viewBox=move || view_box(true)
            >
                {move || elements(stage.picture.with(|picture| picture.gutter.clone()))}
            </svg>
            <svg
                class="pc-plot"
                role="group"
                aria-label=move || stage.chart.with(|chart| chart.title.clone())
                data-moving=move || moving.get().1.then_some("")
                width=move || size().1
                height=move || size().2
                viewBox=move || view_box(false)
                node_ref=stage.plot
                on:keydown=move |event| keys::press(stage, on_details, &event)
                on:dblclick=details
                on:wheel=wheel
            >
                <Layer name="days" marks=layer(stage, |picture| &picture.back) />
                <Layer name="wind" marks=layer(stage, |picture| &picture.wind) />
                <Layer name="blocks" marks=layer(stage, |picture| &picture.blocks) />
                <Layer name="published" marks=layer(stage, |picture| &picture.outlines) />
                <Layer name="waiting" marks=layer(stage, |picture| &picture.waits) />
                <Vessels stage />
                <Vessels stage top=true />
                <Layer name="events" marks=layer(stage, |picture| &picture.lane) />
                <Layer name="strips" marks=layer(stage, |picture| &picture.strips) />
                <OverHits stage />
                <Layer name="changes" marks=layer(stage, |picture| &picture.changes) />
            </svg>
            <HourLine stage />
            {(!plain).then(|| view! { <HourSlider stage /> }.into_any())}
        </div>
        <ul class="visually-hidden" aria-label="What is in the way">
            {move || {
                let lines = stage.chart.with(summary::in_the_way);
                lines.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()
            }}
        </ul>
    }
}

/// One layer of the picture, which changes only when its own marks do.
fn layer(stage: Stage, of: fn(&Picture) -> &Vec<Mark>) -> Memo<Vec<Mark>> {
    Memo::new(move |_| stage.picture.with(|picture| of(picture).clone()))
}

/// Hours over a limit: a click selects the ships that cause it, one after the other.
#[component]
fn OverHits(stage: Stage) -> impl IntoView {
    let hits = Memo::new(move |_| stage.picture.with(|picture| picture.over.clone()));
    let draw = move |hit: OverHit| {
        let ships = hit.ships;
        let next = move |_| {
            let at = ships
                .iter()
                .position(|ship| Some(*ship) == stage.selected.get_untracked());
            let ship = ships
                .get(at.map_or(0, |at| at + 1))
                .or(ships.first())
                .copied();
            stage.selected.set(ship.or(stage.selected.get_untracked()));
        };
        view! {
            <rect
                class="pc-over-hit"
                role="button"
                tabindex="-1"
                aria-label=hit.name
                x=hit.x
                y=hit.y
                width=hit.w
                height=hit.h
                on:click=next
            />
        }
        .into_any()
    };
    view! { <g class="pc-layer">{move || hits.get().into_iter().map(draw).collect_view()}</g> }
}
