//! `crane_count`: more or fewer cranes than may work the ship.
//!
//! Boundary: the fewest and the most are both fine. Crane tasks only. Such a ship is timed with
//! its standard count, yet charged to the pool as given.

use super::{Placed, Rule, Violation};

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let (given, min, max) = (case.slot.cranes, case.ship.min_cranes, case.ship.max_cranes);
    if case.has_cranes() && (given < min || max < given) {
        out.push(Violation {
            ship: case.id,
            rule: Rule::CraneCount { given, min, max },
        });
    }
}

pub(super) fn text(name: &str, given: i32, min: i32, max: i32) -> String {
    format!("{name} is given {given} cranes where {min} to {max} may work it.")
}
