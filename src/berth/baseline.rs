//! Simple plans to measure others by: naive, greedy, one after another, as published.
//!
//! The naive re-plan matters for rewards, so it is exact: which ship comes next, which hour and
//! which section are tried first is part of its definition. The others show what little thought
//! gives. Searches end: an hour after which nothing changes any more is the last one tried, and no
//! slot lies beyond the hours a plan may name; without room there is no plan.
//! Meant for tasks without [`problems`](super::Task::problems): on a quay of a billion sections
//! they would try each of them.

mod harbour;

use super::{Checker, Hour, Plan, Ship, ShipId, Slot, Task};
use crate::order;
use harbour::Harbour;

/// The naive re-plan: in the published order, each ship at its published count of cranes, in the
/// first hour from its published one on (or its arrival) in which it fits, as near as can be to
/// its published section. `None` when some ship finds no room.
pub fn naive(task: &Task, checker: &Checker) -> Option<Plan> {
    let mut harbour = Harbour::new(checker);
    let mut plan = Plan::empty(task.ships.len());
    for id in in_order(task, published_hour) {
        let ship = task.ships.get(id)?;
        let from = ship.arrival.max(published_hour(ship));
        let near = ship.planned_section.unwrap_or(task.first_section);
        let slot = harbour.first(id, from, &[counted(task, ship)], |harbour, slot| {
            harbour.nearest(id, slot, near)
        })?;
        put(&mut harbour, &mut plan, id, slot);
    }
    Some(plan)
}

/// Greedy: in order of arrival, each ship in the first hour in which it fits with any number of
/// cranes, the most tried first, as near as can be to its published section. `None` when some
/// ship finds no room.
pub fn greedy(task: &Task, checker: &Checker) -> Option<Plan> {
    let mut harbour = Harbour::new(checker);
    let mut plan = Plan::empty(task.ships.len());
    for id in in_order(task, |ship| ship.arrival) {
        let ship = task.ships.get(id)?;
        let near = ship.planned_section.unwrap_or(task.first_section);
        let counts: Vec<i32> = checker.crane_range(id).rev().take(1_000).collect();
        let slot = harbour.first(id, ship.arrival, &counts, |harbour, slot| {
            harbour.nearest(id, slot, near)
        })?;
        put(&mut harbour, &mut plan, id, slot);
    }
    Some(plan)
}

/// One after another: in order of arrival, all on the first section with their published count of
/// cranes, each at least an hour after the one before it berthed. `None` when some ship finds no
/// room there.
pub fn one_after_another(task: &Task, checker: &Checker) -> Option<Plan> {
    let mut harbour = Harbour::new(checker);
    let mut plan = Plan::empty(task.ships.len());
    let mut next = Hour::MIN;
    for id in in_order(task, |ship| ship.arrival) {
        let ship = task.ships.get(id)?;
        let from = ship.arrival.max(next);
        let slot = harbour.first(id, from, &[counted(task, ship)], |harbour, slot| {
            harbour.fits(id, slot).then_some(slot.section)
        })?;
        next = slot.hour.saturating_add(1);
        put(&mut harbour, &mut plan, id, slot);
    }
    Some(plan)
}

/// The published plan as it stands, unscheduled ships at their arrival on the first section.
/// After what happened it usually breaks rules.
pub fn published(task: &Task) -> Plan {
    let slot = |ship: &Ship| Slot {
        hour: published_hour(ship),
        section: ship.planned_section.unwrap_or(task.first_section),
        cranes: counted(task, ship),
    };
    Plan {
        slots: task.ships.iter().map(|ship| Some(slot(ship))).collect(),
    }
}

/// When a ship was to berth; an unscheduled one when it arrives.
fn published_hour(ship: &Ship) -> Hour {
    ship.planned_hour.unwrap_or(ship.arrival)
}

/// Cranes of the published plan; none on tasks without crane rules.
fn counted(task: &Task, ship: &Ship) -> i32 {
    if task.has_cranes() {
        ship.standard_cranes()
    } else {
        0
    }
}

/// Ship ids by `hour`, ties by id.
pub(in crate::berth) fn in_order(task: &Task, hour: fn(&Ship) -> Hour) -> Vec<ShipId> {
    let mut ids: Vec<ShipId> = (0..task.ships.len()).collect();
    order::by_key(&mut ids, |id| task.ships.get(*id).map(hour));
    ids
}

fn put(harbour: &mut Harbour<'_>, plan: &mut Plan, id: ShipId, slot: Slot) {
    harbour.put(id, slot);
    if let Some(place) = plan.slots.get_mut(id) {
        *place = Some(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::{Block, Rules};

    fn ship(arrival: Hour, planned: Option<(Hour, i32)>) -> Ship {
        Ship {
            sections: 3,
            arrival,
            handling: 4,
            planned_hour: planned.map(|plan| plan.0),
            planned_section: planned.map(|plan| plan.1),
            ..Ship::default()
        }
    }

    fn task(ships: Vec<Ship>) -> Task {
        Task {
            first_section: 1,
            last_section: 8,
            ships,
            ..Task::default()
        }
    }

    fn slots(plan: Option<Plan>) -> Option<Vec<(Hour, i32)>> {
        let plan = plan?;
        let slots = plan.placed();
        Some(slots.map(|(_, slot)| (slot.hour, slot.section)).collect())
    }

    #[test]
    fn naive_takes_the_nearest_section_and_the_lower_of_two() {
        let mut task = task(vec![ship(0, Some((0, 3))), ship(2, Some((0, 3)))]);
        task.last_section = 9;
        let naive = naive(&task, &Checker::new(&task));
        assert_eq!(slots(naive), Some(vec![(0, 3), (2, 6)]));
        task.last_section = 8;
        task.ships[0].sections = 4;
        let again = super::naive(&task, &Checker::new(&task));
        assert_eq!(slots(again), Some(vec![(0, 3), (4, 3)]));
    }

    #[test]
    fn an_unscheduled_ship_starts_from_the_first_section() {
        let task = task(vec![ship(5, None), ship(5, None)]);
        let naive = naive(&task, &Checker::new(&task));
        assert_eq!(slots(naive), Some(vec![(5, 1), (5, 4)]));
    }

    #[test]
    fn a_ship_longer_than_the_quay_ends_the_search() {
        let mut task = task(vec![ship(0, None)]);
        task.ships[0].sections = 9;
        let checker = Checker::new(&task);
        assert_eq!(naive(&task, &checker), None);
        assert_eq!(greedy(&task, &checker), None);
        assert_eq!(one_after_another(&task, &checker), None);
    }

    #[test]
    fn a_quay_closed_for_ever_ends_the_search() {
        let mut task = task(vec![ship(Hour::MIN, None)]);
        task.blocks = vec![Block {
            first: 1,
            last: 8,
            start: Hour::MIN,
            end: Hour::MAX,
            ..Block::default()
        }];
        assert_eq!(naive(&task, &Checker::new(&task)), None);
    }

    #[test]
    fn more_cranes_than_there_are_end_the_search() {
        let mut task = task(vec![ship(0, None)]);
        task.rules = Rules {
            crane_pool: Some(2),
            ..Rules::default()
        };
        task.ships[0].std_cranes = Some(3);
        task.ships[0].max_cranes = Some(3);
        let checker = Checker::new(&task);
        assert_eq!(naive(&task, &checker), None);
        let greedy = greedy(&task, &checker).unwrap();
        assert_eq!(greedy.slots[0].unwrap().cranes, 2);
    }
}
