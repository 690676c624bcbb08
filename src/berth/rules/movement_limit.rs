//! `movement_limit`: the ship berths or leaves in an hour with too many movements. One violation
//! for each such hour, so at most two.
//!
//! Boundary: as many movements as the limit says are fine. Berthings and departures of the plan
//! count, and ships already alongside when they leave; every ship of the plan that moves in a
//! crowded hour is at fault. A ship that waits for wind leaves when its window ends. Crane tasks
//! with a limit only.

use super::scratch::Scratch;
use super::{Hour, Placed, Rule, Violation};
use crate::berth::check::Limits;
use crate::order;

/// Finds the hours with too many movements, ascending, and how many there are.
pub(super) fn settle(limits: &Limits, limit: i32, scratch: &mut Scratch) {
    let Scratch {
        moves,
        crowded_hours,
        ..
    } = scratch;
    order::in_place(moves, |hour| hour);
    let mut leaving = limits.leaving.iter().peekable();
    for same in moves.chunk_by(|one, next| one == next) {
        let Some(hour) = same.first().copied() else {
            continue;
        };
        while leaving.next_if(|leave| leave.0 < hour).is_some() {}
        let fixed = leaving.next_if(|leave| leave.0 == hour);
        let count = i32::try_from(same.len()).unwrap_or(i32::MAX);
        let all = count.saturating_add(fixed.map_or(0, |leave| leave.1));
        if all > limit {
            crowded_hours.push((hour, all));
        }
    }
}

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let crowded = &case.scratch.crowded_hours;
    let limit = case
        .prepared
        .limits
        .as_ref()
        .and_then(|limits| limits.moves);
    let Some(limit) = limit.filter(|_| !crowded.is_empty()) else {
        return;
    };
    let (start, end) = (case.slot.hour, case.result.departure);
    let hours = [Some(start), (end != start).then_some(end)];
    for hour in hours.into_iter().flatten() {
        let found = crowded.binary_search_by_key(&hour, |crowd| crowd.0);
        if let Some((_, moves)) = found.ok().and_then(|at| crowded.get(at)).copied() {
            out.push(Violation {
                ship: case.id,
                rule: Rule::MovementLimit { hour, moves, limit },
            });
        }
    }
}

pub(super) fn text(name: &str, hour: Hour, moves: i32, limit: i32) -> String {
    format!("{name} moves at hour {hour}, one of {moves} movements where {limit} are allowed.")
}
