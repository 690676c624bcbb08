//! The optimiser behind the demonstration planner: a good plan in a second, in slices.
//!
//! In: a [`Task`] (no reference, no grade: it plays by the same rules as a model). Out: a [`Plan`]
//! that gets better with every [`Planner::step`]. A step does a bounded amount of work and
//! returns, so a page that calls it between two frames never freezes; there is no clock, and
//! randomness is a seed, so the same task and seed give the same plan everywhere.
//!
//! How it works, in three phases over one occupancy of hours × sections (`quay`):
//! 1. each ship alone on the quay: the sum of their least costs is a *bound* no plan can beat;
//! 2. ships one after another, by arrival, each in the cheapest slot left;
//! 3. *ruin and recreate* (`search`): take a few neighbouring ships off, put them back in another
//!    order, each in the cheapest of all (hour, section, crane) slots; keep the result if it costs
//!    little more than before, where "little" shrinks as the round goes on. Six rounds, each from
//!    an empty quay, because a round can settle in a plan that no small change betters.
//!
//! It ends when the budget is spent or the bound is reached. [`repaired`] is the modest plan to
//! start a conversation with.
//!
//! Work is counted in *units*, one for each (hour, crane count) looked at: some 40,000 a millisecond
//! natively (`benches/texts.rs`), a fraction of that in a page.
//!
//! Limits: quays up to 128 sections (beyond, the first 128 are used) and, for tasks as they should
//! be, every plan is feasible. What a server objects to all the same goes in as a [`Ban`].

mod problem;
mod quay;
mod random;
mod repair;
mod search;

pub use problem::Ban;
pub use repair::repaired;

use super::{Plan, Slot, Task};
use problem::Problem;
use quay::{Berth, Taste};
use search::{Search, UNPLACED};

/// How often the search starts afresh.
const ROUNDS: u64 = 6;
/// Cost a change may add on average at the beginning of a round …
const WARM: f64 = 20.0;
/// … and at its end.
const COLD: f64 = 0.3;

/// A search for a good plan, in slices.
#[derive(Clone, Debug)]
pub struct Planner {
    search: Search,
    phase: Phase,
    best: Vec<Option<Berth>>,
    best_cost: i64,
    bound: i64,
    budget: u64,
    /// Units at the end of this round.
    round_ends: u64,
    progress: Progress,
    has_cranes: bool,
}

/// What a step goes on with.
#[derive(Clone, Debug)]
enum Phase {
    /// Price each ship alone; the next one.
    Alone(usize),
    /// Place these ships, the last one first.
    Fill(Vec<usize>),
    /// Change what there is.
    Change,
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Units spent.
    pub spent: u64,
    /// Units it may spend in all.
    pub budget: u64,
    /// Cost of the best plan, once there is one that places every ship.
    pub cost: Option<i64>,
    /// Changes tried.
    pub changes: u64,
    /// How often a better plan was found.
    pub improvements: u32,
    /// Nothing more will come: the budget is spent, or the plan cannot be bettered.
    pub done: bool,
}

impl Planner {
    /// A planner for `task` with the default budget, which grows with the number of ships.
    ///
    /// ```
    /// use quayside::berth::{Ship, Task, planner::Planner};
    /// let ship = Ship { sections: 3, arrival: 5, handling: 8, due: 13, ..Ship::default() };
    /// let task = Task { first_section: 1, last_section: 9, ships: vec![ship], ..Task::default() };
    /// let mut planner = Planner::new(&task);
    /// while !planner.step(10_000).done {}
    /// assert_eq!(planner.cost(), Some(0));
    /// ```
    pub fn new(task: &Task) -> Self {
        Self::with(task, &[], 1)
    }

    /// A planner that keeps clear of `bans`; another `seed` searches elsewhere.
    pub fn with(task: &Task, bans: &[Ban], seed: u64) -> Self {
        let ships = task.ships.len();
        let mut planner = Self {
            search: Search::new(Problem::new(task, bans), seed),
            phase: Phase::Alone(0),
            best: vec![None; ships],
            best_cost: i64::MAX,
            bound: 0,
            budget: 0,
            round_ends: 0,
            progress: Progress::default(),
            has_cranes: task.has_cranes(),
        };
        planner.set_budget(default_budget(ships as u64));
        planner
    }

    /// Sets the units to spend in all, before the first step.
    pub fn set_budget(&mut self, units: u64) {
        self.budget = units;
        self.progress.budget = units;
    }

    /// Spends `units`, or a little more: a step ends with a ship placed.
    pub fn step(&mut self, units: u64) -> Progress {
        let until = self.search.units.saturating_add(units);
        while self.search.units < until && !self.done() {
            self.search.units += 1;
            match &mut self.phase {
                Phase::Alone(ship) if *ship < self.best.len() => {
                    let ship = std::mem::replace(ship, *ship + 1);
                    self.alone(ship);
                }
                Phase::Alone(_) => {
                    self.round_ends = self.round();
                    self.phase = Phase::Fill(self.search.by_arrival());
                }
                Phase::Fill(waiting) => {
                    let taste = Taste {
                        blink: 0,
                        stray: 0,
                        patience: 8,
                        thrift: 1,
                    };
                    if let Some(ship) = waiting.pop() {
                        self.search.insert(ship, taste, UNPLACED);
                    }
                    if waiting.is_empty() {
                        self.keep_if_better();
                        self.phase = Phase::Change;
                    }
                }
                Phase::Change if self.search.units > self.round_ends => {
                    self.round_ends += self.round();
                    self.phase = Phase::Fill(self.search.cleared());
                }
                Phase::Change => {
                    self.search.change(self.heat());
                    self.progress.changes += 1;
                    self.keep_if_better();
                }
            }
        }
        self.progress.spent = self.search.units;
        self.progress.cost = self.cost();
        self.progress.done = self.done();
        self.progress
    }

    /// Where the search stands.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Cost of the best plan, once there is one that places every ship.
    pub fn cost(&self) -> Option<i64> {
        (self.best_cost < UNPLACED).then_some(self.best_cost)
    }

    /// A cost that no plan is below; complete once there is a first plan.
    pub fn bound(&self) -> i64 {
        self.bound
    }

    /// The best plan so far. Empty before the first; a ship that fits nowhere has no slot.
    pub fn best(&self) -> Plan {
        plan(&self.search.problem, &self.best, self.has_cranes)
    }

    fn done(&self) -> bool {
        self.search.units >= self.budget && matches!(self.phase, Phase::Change)
            || self.best_cost <= self.bound
    }

    fn alone(&mut self, ship: usize) {
        let taste = Taste {
            blink: 0,
            stray: 0,
            patience: usize::MAX,
            thrift: 0,
        };
        if self.search.insert(ship, taste, UNPLACED) {
            self.bound += self.search.cost_of(ship);
            self.search.put(ship, None);
        }
    }

    /// Units of a round.
    fn round(&self) -> u64 {
        self.budget / ROUNDS + 1
    }

    fn heat(&self) -> f64 {
        let left = self.round_ends.saturating_sub(self.search.units);
        let left = (left as f64 / self.round() as f64).min(1.0);
        WARM * left * left + COLD
    }

    fn keep_if_better(&mut self) {
        if self.search.cost < self.best_cost {
            self.progress.improvements += 1;
            self.best_cost = self.search.cost;
            self.best.clone_from(&self.search.berths);
        }
    }
}

/// Units worth spending on a task: more ships need more each, up to a limit. Four million for 17
/// ships, thirteen million (half a second) for 60.
fn default_budget(ships: u64) -> u64 {
    let each = (50_000 + 10_000 * ships).min(300_000);
    (each * (ships + 3)).min(13_000_000)
}

/// Berths as a plan.
fn plan(problem: &Problem, berths: &[Option<Berth>], has_cranes: bool) -> Plan {
    let slots = berths.iter().map(|berth| {
        berth.map(|berth| Slot {
            hour: problem.origin + berth.start as i32,
            section: problem.first_section + berth.section.trailing_zeros() as i32,
            cranes: if has_cranes { berth.cranes } else { 0 },
        })
    });
    Plan {
        slots: slots.collect(),
    }
}

#[cfg(test)]
mod tests;
