//! The ships: each a button that keeps its element while its plan changes, so that it can move.

use super::marks::elements;
use super::stage::Stage;
use crate::berth::ShipId;
use crate::ui::element::{list, view};
use crate::ui::signal::Memo;
use crate::view::chart::{ShipMarks, walk};
use leptos::prelude::*;

/// All ships; `top` draws outlines, badges and glyphs, which lie above every bar.
#[component]
pub(super) fn Vessels(stage: Stage, #[prop(optional)] top: bool) -> impl IntoView {
    let ships = Memo::new(move |_| {
        stage
            .picture
            .with(|picture| picture.ships.iter().map(|one| one.ship).collect::<Vec<_>>())
    });
    let first = Memo::new(move |_| {
        stage
            .chart
            .with(|chart| walk::tab_order(chart).first().copied())
    });
    let each = move |ship| {
        if top {
            view! { <Glyphs stage ship /> }.into_any()
        } else {
            view! { <Vessel stage ship first /> }.into_any()
        }
    };
    list(move || ships.get(), usize::to_string, each)
}

/// The marks of one ship; default while it is being taken out.
fn marks(stage: Stage, ship: ShipId) -> Memo<Option<ShipMarks>> {
    Memo::new(move |_| {
        stage
            .picture
            .with(|picture| picture.ships.iter().find(|one| one.ship == ship).cloned())
    })
}

fn offset(marks: Memo<Option<ShipMarks>>, of: fn(&ShipMarks) -> f64) -> impl Fn() -> String {
    move || marks.with(|marks| marks.as_ref().map_or(0.0, of).to_string())
}

#[component]
fn Vessel(stage: Stage, ship: ShipId, first: Memo<Option<ShipId>>) -> impl IntoView {
    let marks = marks(stage, ship);
    let with = move |of: fn(&ShipMarks) -> bool| marks.with(|marks| marks.as_ref().is_some_and(of));
    let selected = move || stage.selected.get() == Some(ship);
    let stop = move || stage.selected.get().or(first.get()) == Some(ship);
    let inside = move || {
        let Some(marks) = marks.get() else {
            return ().into_any();
        };
        let (x, y, w, h) = marks.hit();
        view! {
            // For a pointer at rest: the whole of a name that did not fit.
            <title>{marks.name}</title>
            <rect class="pc-hit" x=x y=y width=w height=h />
            {elements(marks.marks)}
            <rect class="pc-ring" x="-2" y="-2" width=marks.w + 4.0 height=marks.h + 4.0 rx="5" />
        }
        .into_any()
    };
    view! {
        <g
            class="pc-vessel"
            role="button"
            tabindex=move || if stop() { "0" } else { "-1" }
            aria-label=move || marks.with(|marks| marks.as_ref().map(|one| one.name.clone()))
            aria-pressed=move || selected().to_string()
            data-ship=ship
            data-faded=move || with(|one| one.faded).then_some("")
            data-broken=move || with(|one| one.broken).then_some("")
            style=("--x", offset(marks, |one| one.x))
            style=("--y", offset(marks, |one| one.y))
            on:click=move |_| stage.selected.set(Some(ship))
            on:focus=move |_| stage.selected.set(Some(ship))
        >
            {inside}
        </g>
    }
}

#[component]
fn Glyphs(stage: Stage, ship: ShipId) -> impl IntoView {
    let marks = marks(stage, ship);
    view! {
        <g
            class="pc-glyphs"
            aria-hidden="true"
            data-faded=move || {
                marks.with(|marks| marks.as_ref().is_some_and(|one| one.faded)).then_some("")
            }
            style=("--x", offset(marks, |one| one.x))
            style=("--y", offset(marks, |one| one.y))
        >
            {move || marks.get().map(|marks| elements(marks.top))}
        </g>
    }
}
