//! `crane_pool`: the ship works in an hour in which more cranes are in use than there are. At
//! most one violation per ship, for the first such hour.
//!
//! Boundary: using exactly what is available is fine. A ship uses its cranes, as given, from
//! berthing to the end of work and not while it waits for wind. Whoever works in an over-full hour
//! is at fault; loads of ships already alongside alone harm nobody. Crane tasks only.

use super::scratch::Scratch;
use super::{Hour, Placed, Rule, Violation};
use crate::berth::check::{Limits, clamped};

/// Hours `[start, end)` in which more cranes are in use than there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowd {
    start: Hour,
    end: Hour,
    used: i64,
    available: i64,
}

/// Finds the over-full hours between the first berthing and the last end of work.
pub(super) fn settle(limits: &Limits, scratch: &mut Scratch) {
    let Scratch {
        stays,
        finishes,
        crowds,
        ..
    } = scratch;
    let Some(first) = stays.first() else {
        return;
    };
    let mut berthing = stays.iter().peekable();
    let mut finishing = finishes.iter().peekable();
    let mut steps = limits.steps.iter().peekable();
    let mut step = limits.step(first.start);
    let mut used = 0_i64;
    let mut now = first.start;
    // From one change to the next: ships that berth, ships that finish, steps of the fixed part.
    loop {
        while let Some(stay) = berthing.next_if(|stay| stay.start <= now) {
            used += i64::from(stay.cranes);
        }
        while let Some((_, cranes)) = finishing.next_if(|finish| finish.0 <= now) {
            used -= i64::from(*cranes);
        }
        while let Some(next) = steps.next_if(|step| step.hour <= now) {
            step = *next;
        }
        let Some((finish, _)) = finishing.peek() else {
            return;
        };
        let mut end = *finish;
        if let Some(stay) = berthing.peek() {
            end = end.min(stay.start);
        }
        if let Some(step) = steps.peek() {
            end = end.min(step.hour);
        }
        let all = used + step.fixed;
        if all > step.available {
            crowds.push(Crowd {
                start: now,
                end,
                used: all,
                available: step.available,
            });
        }
        now = end;
    }
}

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let crowds = &case.scratch.crowds;
    let (start, finish) = (case.slot.hour, case.result.finish);
    let first = crowds.partition_point(|crowd| crowd.end <= start);
    if let Some(crowd) = crowds.get(first).filter(|crowd| crowd.start < finish) {
        out.push(Violation {
            ship: case.id,
            rule: Rule::CranePool {
                hour: start.max(crowd.start),
                used: clamped(crowd.used),
                available: clamped(crowd.available),
            },
        });
    }
}

pub(super) fn text(name: &str, hour: Hour, used: i32, available: i32) -> String {
    format!("{name} works at hour {hour}, when {used} cranes are in use and {available} available.")
}
