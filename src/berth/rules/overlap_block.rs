//! `overlap_alongside` and `overlap_closed`: the ship shares quay and time with a ship that was
//! already there, or with sections out of use. One violation for each block, in task order.
//!
//! Boundary: sections are inclusive, hours half-open. Berthing in the hour the block ends, or
//! leaving in the hour it starts, is fine. The stay includes waiting for wind.

use super::{Placed, Rule, Task, Violation};
use crate::berth::{Block, BlockKind};

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let (first, last) = case.sections();
    let (start, end) = (case.slot.hour, case.result.departure);
    for (block, taken) in case.prepared.blocks.iter().enumerate() {
        let together = start < taken.end && taken.start < end;
        if together && first <= taken.last && taken.first <= last {
            let rule = match taken.kind {
                BlockKind::Alongside => Rule::OverlapAlongside { block },
                BlockKind::Closed => Rule::OverlapClosed { block },
            };
            let ship = case.id;
            out.push(Violation { ship, rule });
        }
    }
}

pub(super) fn text(name: &str, block: usize, task: &Task) -> String {
    let Some(Block {
        first,
        last,
        start,
        end,
        kind,
        label,
        ..
    }) = task.blocks.get(block)
    else {
        return format!("{name} lies where the quay is taken.");
    };
    match kind {
        BlockKind::Alongside => format!(
            "{name} lies where {} still is, on sections {first} to {last} until hour {end}.",
            if label.is_empty() { "a ship" } else { label }
        ),
        BlockKind::Closed if label.is_empty() => format!(
            "{name} lies on closed quay: sections {first} to {last}, hours {start} to {end}."
        ),
        BlockKind::Closed => format!(
            "{name} lies on closed quay: sections {first} to {last}, hours {start} to {end} ({label})."
        ),
    }
}
