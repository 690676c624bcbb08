//! `before_arrival`: the ship berths before it is there.
//!
//! Boundary: berthing in the hour of arrival is fine.

use super::{Hour, Placed, Rule, Violation};

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let (hour, arrival) = (case.slot.hour, case.ship.arrival);
    if hour < arrival {
        out.push(Violation {
            ship: case.id,
            rule: Rule::BeforeArrival { hour, arrival },
        });
    }
}

pub(super) fn text(name: &str, hour: Hour, arrival: Hour) -> String {
    format!("{name} is put alongside at hour {hour} but only arrives at hour {arrival}.")
}
