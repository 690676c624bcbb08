//! `outside_quay`: some of the ship lies beyond an end of the quay.
//!
//! Boundary: the quay's first and last sections may both be used.

use super::{Placed, Rule, Section, Task, Violation};

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let (first, last) = case.sections();
    if first < case.prepared.first_section || last > case.prepared.last_section {
        out.push(Violation {
            ship: case.id,
            rule: Rule::OutsideQuay { first, last },
        });
    }
}

pub(super) fn text(name: &str, first: Section, last: Section, task: &Task) -> String {
    format!(
        "{name} would lie on sections {first} to {last}, and the quay runs from {} to {}.",
        task.first_section, task.last_section
    )
}
