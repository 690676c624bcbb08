//! `missing`: the plan has no slot for the ship. It is then the ship's only violation.

use super::{Rule, ShipId, Violation};

pub(super) fn find(ship: ShipId, out: &mut Vec<Violation>) {
    let rule = Rule::Missing;
    out.push(Violation { ship, rule });
}

pub(super) fn text(name: &str) -> String {
    format!("{name} has no berth in this plan; every ship needs one.")
}
