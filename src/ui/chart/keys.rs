//! The chart's keys while nothing is edited.

use super::stage::Stage;
use crate::berth::ShipId;
use crate::view::chart::walk::Way;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// How much one step of zoom is.
pub(super) const STEP: f64 = 1.5;

/// Carries out a key; keys with Ctrl, Alt or Meta belong to others.
pub(super) fn press(stage: Stage, on_details: Option<Callback<ShipId>>, event: &KeyboardEvent) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    match event.key().as_str() {
        "ArrowLeft" => stage.walk(Way::Left),
        "ArrowRight" => stage.walk(Way::Right),
        "ArrowUp" => stage.walk(Way::Up),
        "ArrowDown" => stage.walk(Way::Down),
        "Home" => stage.walk(Way::First),
        "End" => stage.walk(Way::Last),
        "n" => stage.next_problem(false),
        "N" => stage.next_problem(true),
        "z" => stage.zoom_by(STEP, None),
        "Z" => stage.zoom_by(1.0 / STEP, None),
        "0" => stage.fit_week(),
        "Enter" => {
            let Some((ship, details)) = stage.selected.get_untracked().zip(on_details) else {
                return;
            };
            details.run(ship);
        }
        _ => return,
    }
    event.prevent_default();
}
