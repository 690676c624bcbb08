//! A full check of a plan: every rule, every cost.
//!
//! In: a task, prepared once by [`Checker::new`], and any number of plans. Out: a [`Check`] each.
//! Planners call this thousands of times, so [`Checker::check_into`] reuses what it is lent and
//! allocates nothing once warm; the time it takes is measured by `benches/berth.rs`.
//! The rules themselves are in `rules/`, one file each.

mod prepared;
mod strips;

pub use prepared::Span;
pub(in crate::berth) use prepared::{Berthing, Limits, Prepared, clamped};
pub use strips::Strips;

use super::rules::{self, Case, Scratch};
use super::{Hour, Plan, Section, ShipId, Slot, Task, Violation};
use std::ops::RangeInclusive;

/// What moving a ship to another section than published costs.
pub const MOVE_COST: i64 = 5;

/// What a check finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// No ship breaks a rule (entry problems are the caller's affair).
    pub feasible: bool,
    /// Violations, ship by ship in id order.
    pub violations: Vec<Violation>,
    /// Total cost; `None` with any violation, as are the next two.
    pub cost: Option<i64>,
    /// Sum of delay costs, emergency penalties included.
    pub delay_cost: Option<i64>,
    /// Number of ships moved from their published section.
    pub moves: Option<u32>,
    /// Every ship of the task, by id.
    pub ships: Vec<ShipResult>,
}

/// One ship's part of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShipResult {
    /// Whether the plan places it; if not, everything below is zero.
    pub placed: bool,
    /// The hour its work ends (cranes are free again).
    pub finish: Hour,
    /// The hour it leaves: `finish`, or the end of the wind window that holds it.
    pub departure: Hour,
    /// Hours after `due`.
    pub delay: Hour,
    /// Berths at another section than published.
    pub moved: bool,
    /// Its cost, violations or not.
    pub cost: i64,
}

impl Check {
    /// The violations of one ship.
    pub fn of(&self, ship: ShipId) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |v| v.ship == ship)
    }

    /// How many ships break no rule.
    pub fn clean_ships(&self) -> usize {
        // Violations come ship by ship, so every change of ship is one more unclean ship.
        let mut unclean = 0;
        let mut last = None;
        for violation in &self.violations {
            if last != Some(violation.ship) {
                unclean += 1;
                last = Some(violation.ship);
            }
        }
        self.ships.len().saturating_sub(unclean)
    }
}

/// A task prepared for many checks.
#[derive(Clone, Debug)]
pub struct Checker {
    prepared: Prepared,
}

impl Checker {
    /// Prepares `task`: joined wind windows, cranes available by hour, fixed movements.
    pub fn new(task: &Task) -> Self {
        Self {
            prepared: Prepared::new(task),
        }
    }

    /// Checks one plan in full.
    pub fn check(&self, plan: &Plan) -> Check {
        let mut check = Check::default();
        self.check_into(plan, &mut Scratch::default(), &mut check);
        check
    }

    /// Checks one plan in full, into a `check` and with a `scratch` from earlier ones: whatever
    /// they held is replaced, their memory is used again.
    pub fn check_into(&self, plan: &Plan, scratch: &mut Scratch, check: &mut Check) {
        let prepared = &self.prepared;
        check.violations.clear();
        check.ships.clear();
        scratch.clear();
        let (mut delay_cost, mut moves) = (0_i64, 0_u32);
        for (id, ship) in prepared.ships.iter().enumerate() {
            let Some(slot) = plan.slot(id) else {
                check.ships.push(ShipResult::default());
                continue;
            };
            let (result, priced) = price(prepared, ship, slot);
            delay_cost = delay_cost.saturating_add(priced);
            moves += u32::from(result.moved);
            scratch.add(id, ship, slot, &result);
            check.ships.push(result);
        }
        scratch.settle(prepared);
        for (id, ship) in prepared.ships.iter().enumerate() {
            let placed = plan.slot(id).zip(check.ships.get(id).copied());
            let case = Case {
                prepared,
                scratch,
                id,
                ship,
                placed,
            };
            rules::find(&case, &mut check.violations);
        }
        check.feasible = check.violations.is_empty();
        let moving = i64::from(moves).saturating_mul(MOVE_COST);
        check.cost = check.feasible.then(|| delay_cost.saturating_add(moving));
        check.delay_cost = check.feasible.then_some(delay_cost);
        check.moves = check.feasible.then_some(moves);
    }

    /// When a ship in this slot finishes work and when it departs. For an id the task does not
    /// have, both are the slot's hour.
    pub fn departure(&self, ship: ShipId, slot: Slot) -> (Hour, Hour) {
        let ship = self.prepared.ships.get(ship);
        ship.map_or((slot.hour, slot.hour), |ship| {
            self.prepared.departure(ship, slot)
        })
    }

    /// What a ship in this slot costs, the move included, whether or not it breaks a rule.
    pub fn ship_cost(&self, ship: ShipId, slot: Slot) -> i64 {
        let ship = self.prepared.ships.get(ship);
        ship.map_or(0, |ship| price(&self.prepared, ship, slot).0.cost)
    }

    /// Cranes of the pool not out of order at `hour`; 0 without crane rules.
    pub fn available(&self, hour: Hour) -> i32 {
        let limits = self.prepared.limits.as_ref();
        limits.map_or(0, |limits| clamped(limits.step(hour).available))
    }

    /// Cranes held at `hour` by ships already alongside; 0 without crane rules.
    pub fn fixed_cranes(&self, hour: Hour) -> i32 {
        let limits = self.prepared.limits.as_ref();
        limits.map_or(0, |limits| clamped(limits.step(hour).fixed))
    }

    /// Ships already alongside that leave at `hour`; 0 without crane rules.
    pub fn fixed_moves(&self, hour: Hour) -> i32 {
        let limits = self.prepared.limits.as_ref();
        limits.map_or(0, |limits| limits.leaving(hour))
    }

    /// Movements allowed per hour; `None` without such a limit.
    pub fn move_limit(&self) -> Option<i32> {
        self.prepared
            .limits
            .as_ref()
            .and_then(|limits| limits.moves)
    }

    /// The wind windows that bind a ship, joined and ascending.
    pub fn windows(&self, ship: ShipId) -> &[Span] {
        let ship = self.prepared.ships.get(ship);
        ship.map_or(&[], |ship| self.prepared.windows(ship))
    }

    /// The crane counts a ship takes; `0..=0` without crane rules.
    pub fn crane_range(&self, ship: ShipId) -> RangeInclusive<i32> {
        let ship = self.prepared.ships.get(ship);
        match ship.filter(|_| self.prepared.limits.is_some()) {
            Some(ship) => ship.min_cranes..=ship.max_cranes,
            None => 0..=0,
        }
    }

    /// The first sections that keep a ship on the quay; empty for one longer than the quay.
    pub fn berths(&self, ship: ShipId) -> RangeInclusive<Section> {
        let first = self.prepared.first_section;
        let sections = self
            .prepared
            .ships
            .get(ship)
            .map_or(1, |ship| ship.sections);
        let last = self.prepared.last_section.saturating_sub(sections);
        first..=last.saturating_add(1)
    }

    /// The cost no plan can go below: each ship alone, at its arrival (or when its window then is
    /// over), worked by as many cranes as it takes, never moved.
    pub fn floor(&self) -> i64 {
        let prepared = &self.prepared;
        let ships = prepared.ships.iter().map(|ship| {
            let window = prepared.window_at(ship, ship.arrival);
            let slot = Slot {
                hour: window.map_or(ship.arrival, |window| window.end),
                section: 0,
                cranes: ship.max_cranes,
            };
            let (_, departure) = prepared.departure(ship, slot);
            ship.delay_cost(slot.hour, departure)
        });
        ships.fold(0, i64::saturating_add)
    }

    /// Cranes and movements by hour, for drawing.
    pub fn strips(&self, plan: &Plan, hours: std::ops::Range<Hour>) -> Strips {
        strips::strips(&self.prepared, plan, hours)
    }

    pub(in crate::berth) fn prepared(&self) -> &Prepared {
        &self.prepared
    }
}

/// A ship's result, and its delay cost alone.
fn price(prepared: &Prepared, ship: &Berthing, slot: Slot) -> (ShipResult, i64) {
    let (finish, departure) = prepared.departure(ship, slot);
    let delay_cost = ship.delay_cost(slot.hour, departure);
    let moved = ship.moved(slot.section);
    let result = ShipResult {
        placed: true,
        finish,
        departure,
        delay: departure.saturating_sub(ship.due).max(0),
        moved,
        cost: delay_cost.saturating_add(if moved { MOVE_COST } else { 0 }),
    };
    (result, delay_cost)
}
