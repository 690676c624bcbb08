//! Cranes and movements by hour, for the strips under the chart.

use super::{Prepared, clamped};
use crate::berth::{Hour, Plan};
use std::ops::Range;

/// The longest range that is drawn, in hours (100 weeks); a longer one is cut at its end.
const LONGEST: i64 = 16_800;

/// Series over the hours `start`, `start + 1`, …, all equally long; empty without crane rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strips {
    /// The hour of the first value.
    pub start: Hour,
    /// Cranes in use, those of ships already alongside included.
    pub cranes: Vec<i32>,
    /// Cranes there are.
    pub available: Vec<i32>,
    /// Berthings and departures, those of ships already alongside included.
    pub moves: Vec<i32>,
    /// Movements allowed per hour; `None` without a limit.
    pub limit: Option<i32>,
}

pub(super) fn strips(prepared: &Prepared, plan: &Plan, hours: Range<Hour>) -> Strips {
    let Some(limits) = &prepared.limits else {
        return Strips {
            start: hours.start,
            ..Strips::default()
        };
    };
    let start = i64::from(hours.start);
    let length = (i64::from(hours.end) - start).clamp(0, LONGEST);
    let at = |hour: Hour| (i64::from(hour) - start).clamp(0, length) as usize;
    let inside = |hour: Hour| (0..length).contains(&(i64::from(hour) - start));
    let hour = |index: i64| (start + index) as Hour;
    let steps = || (0..length).map(|index| limits.step(hour(index)));
    let mut cranes: Vec<i64> = steps().map(|step| step.fixed).collect();
    let mut moves: Vec<i32> = (0..length)
        .map(|index| limits.leaving(hour(index)))
        .collect();
    for (ship, slot) in plan.placed() {
        let Some(ship) = prepared.ships.get(ship) else {
            continue;
        };
        let (finish, departure) = prepared.departure(ship, slot);
        for used in cranes
            .get_mut(at(slot.hour)..at(finish))
            .into_iter()
            .flatten()
        {
            *used += i64::from(slot.cranes);
        }
        for hour in [slot.hour, departure]
            .into_iter()
            .filter(|hour| inside(*hour))
        {
            if let Some(count) = moves.get_mut(at(hour)) {
                *count += 1;
            }
        }
    }
    Strips {
        start: hours.start,
        cranes: cranes.into_iter().map(clamped).collect(),
        available: steps().map(|step| clamped(step.available)).collect(),
        moves,
        limit: limits.moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::{Rules, Ship, Slot, Task};

    #[test]
    fn an_endless_range_is_cut_and_what_lies_outside_is_left_out() {
        let task = Task {
            ships: vec![Ship {
                workload: Some(i32::MAX),
                ..Ship::default()
            }],
            rules: Rules {
                crane_pool: Some(4),
                ..Rules::default()
            },
            ..Task::default()
        };
        let slot = Slot {
            hour: -5,
            section: 1,
            cranes: 1,
        };
        let plan = Plan {
            slots: vec![Some(slot), Some(slot)],
        };
        let prepared = Prepared::new(&task);
        let long = strips(&prepared, &plan, 0..Hour::MAX);
        assert_eq!(long.cranes, vec![1; LONGEST as usize]);
        assert_eq!(long.moves.iter().sum::<i32>(), 0);
        assert!(strips(&prepared, &plan, 9..9).cranes.is_empty());
        let far = strips(&prepared, &plan, Hour::MIN..Hour::MIN + 3);
        assert_eq!((far.cranes, far.available), (vec![0; 3], vec![4; 3]));
    }
}
