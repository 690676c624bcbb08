//! The published plan, repaired in haste: what still holds stays, the rest goes where there is
//! room. What a person would write down first.

use super::problem::{Ban, Problem, Vessel};
use super::quay::Taste;
use super::search::{Search, UNPLACED};
use crate::berth::{Plan, Task};
use crate::order;

/// A plan that keeps every published slot that is still possible, ships in published order, and
/// gives the others the cheapest slot left.
pub fn repaired(task: &Task, bans: &[Ban]) -> Plan {
    let problem = Problem::new(task, bans);
    let mut ships: Vec<usize> = (0..problem.vessels.len()).collect();
    order::by_key(&mut ships, |ship| {
        problem
            .vessels
            .get(*ship)
            .map_or(0, |vessel| vessel.published)
    });
    let mut search = Search::new(problem, 1);
    let taste = Taste {
        blink: 0,
        stray: 0,
        patience: usize::MAX,
        thrift: 0,
    };
    let mut others = Vec::new();
    for ship in ships {
        if !as_published(&mut search, ship) {
            others.push(ship);
        }
    }
    for ship in others {
        search.insert(ship, taste, UNPLACED);
    }
    super::plan(&search.problem, &search.berths, task.has_cranes())
}

/// Puts a ship in its published slot, if that is possible.
fn as_published(search: &mut Search, ship: usize) -> bool {
    let published = search.problem.vessels.get(ship).and_then(Vessel::published);
    let Some(start) = published else {
        return false;
    };
    let slot = search.at_home(ship, start);
    let found = slot.is_some();
    if found {
        search.put(ship, slot);
    }
    found
}
