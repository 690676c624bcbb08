//! `no_move_window`: the ship berths while wind keeps ships of its length where they are.
//!
//! Boundary: `start ≤ hour < end` of one of its joined windows; berthing at `end` is fine. Crane
//! tasks only.

use super::{Hour, Placed, Rule, Violation};

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    if let Some(window) = case.prepared.window_at(case.ship, case.slot.hour) {
        out.push(Violation {
            ship: case.id,
            rule: Rule::NoMoveWindow {
                start: window.start,
                end: window.end,
            },
        });
    }
}

pub(super) fn text(name: &str, start: Hour, end: Hour) -> String {
    format!(
        "{name} cannot berth from hour {start} on because of wind; hour {end} is the first free one."
    )
}
