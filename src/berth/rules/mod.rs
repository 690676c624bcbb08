//! The rules of the domain, one file each.
//!
//! A file holds when its rule is broken (with the exact boundary), and the sentence a player
//! reads. A rule that looks at the plan as a whole also has a part that runs once per check and
//! leaves its findings in the [`Scratch`]; all of them then look at one ship at a time, in the
//! order of `ALL`. A rule is one file here and one entry in that list.

mod before_arrival;
mod crane_count;
mod crane_pool;
mod missing;
mod movement_limit;
mod no_move_window;
mod outside_quay;
mod overlap_block;
mod overlap_ship;
mod scratch;

pub use scratch::Scratch;

use super::check::{Berthing, Prepared, ShipResult};
use super::{Hour, Section, Ship, ShipId, Slot, Task};

/// Machine-readable kind of a violation; its `as_str` is what tool results carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The plan does not place the ship.
    Missing,
    /// It berths inside one of its wind windows.
    NoMoveWindow,
    /// Cranes outside its own range.
    CraneCount,
    /// It berths before it arrives.
    BeforeArrival,
    /// It lies beyond an end of the quay.
    OutsideQuay,
    /// It meets a ship that was already alongside.
    OverlapAlongside,
    /// It meets closed sections.
    OverlapClosed,
    /// It meets another ship of the plan.
    OverlapShip,
    /// It works in an hour with too few cranes.
    CranePool,
    /// It berths or leaves in an hour with too many movements.
    MovementLimit,
}

/// A broken rule with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// See [`Kind::Missing`].
    Missing,
    /// The joined window it berths in.
    NoMoveWindow {
        /// First hour.
        start: Hour,
        /// The hour it is over.
        end: Hour,
    },
    /// The count given, and what the ship takes.
    CraneCount {
        /// As given.
        given: i32,
        /// Fewest.
        min: i32,
        /// Most.
        max: i32,
    },
    /// The hours in question.
    BeforeArrival {
        /// Berthing hour.
        hour: Hour,
        /// Arrival.
        arrival: Hour,
    },
    /// The sections it would take.
    OutsideQuay {
        /// First.
        first: i32,
        /// Last.
        last: i32,
    },
    /// Index of the block in `Task::blocks`.
    OverlapAlongside {
        /// Index.
        block: usize,
    },
    /// Index of the block in `Task::blocks`.
    OverlapClosed {
        /// Index.
        block: usize,
    },
    /// The other ship.
    OverlapShip {
        /// Its id.
        other: ShipId,
    },
    /// The first hour with too few cranes.
    CranePool {
        /// Hour.
        hour: Hour,
        /// In use then.
        used: i32,
        /// Available then.
        available: i32,
    },
    /// An hour with too many movements.
    MovementLimit {
        /// Hour.
        hour: Hour,
        /// Movements then.
        moves: i32,
        /// The limit.
        limit: i32,
    },
}

/// One ship's breach of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The ship at fault.
    pub ship: ShipId,
    /// The rule, with its numbers.
    pub rule: Rule,
}

/// One ship of a plan under check, and all a rule may look at.
pub(super) struct Case<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) scratch: &'a Scratch,
    pub(super) id: ShipId,
    pub(super) ship: &'a Berthing,
    /// Its slot and what follows from it, if the plan places it.
    pub(super) placed: Option<(Slot, ShipResult)>,
}

/// A ship in its place: the rules on placed ships look at this.
#[derive(Clone, Copy)]
struct Placed<'a> {
    prepared: &'a Prepared,
    scratch: &'a Scratch,
    id: ShipId,
    ship: &'a Berthing,
    slot: Slot,
    result: ShipResult,
}

impl Placed<'_> {
    /// The sections it lies on, both inclusive.
    fn sections(&self) -> (Section, Section) {
        span(self.slot.section, self.ship.sections)
    }

    /// Whether crane, movement and wind rules are in force.
    fn has_cranes(&self) -> bool {
        self.prepared.limits.is_some()
    }
}

type Find = fn(&Placed<'_>, &mut Vec<Violation>);

/// Every rule on placed ships, in the order in which a ship's violations are listed.
const ALL: [Find; 8] = [
    no_move_window::find,
    crane_count::find,
    before_arrival::find,
    outside_quay::find,
    overlap_block::find,
    overlap_ship::find,
    crane_pool::find,
    movement_limit::find,
];

/// Adds the violations of one ship.
pub(super) fn find(case: &Case<'_>, out: &mut Vec<Violation>) {
    let Some((slot, result)) = case.placed else {
        return missing::find(case.id, out);
    };
    let placed = Placed {
        prepared: case.prepared,
        scratch: case.scratch,
        id: case.id,
        ship: case.ship,
        slot,
        result,
    };
    for rule in ALL {
        rule(&placed, out);
    }
}

/// The sections taken by `sections` of them from `first` on, both inclusive.
fn span(first: Section, sections: Section) -> (Section, Section) {
    (first, first.saturating_add(sections).saturating_sub(1))
}

impl Rule {
    /// Its machine-readable kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Missing => Kind::Missing,
            Self::NoMoveWindow { .. } => Kind::NoMoveWindow,
            Self::CraneCount { .. } => Kind::CraneCount,
            Self::BeforeArrival { .. } => Kind::BeforeArrival,
            Self::OutsideQuay { .. } => Kind::OutsideQuay,
            Self::OverlapAlongside { .. } => Kind::OverlapAlongside,
            Self::OverlapClosed { .. } => Kind::OverlapClosed,
            Self::OverlapShip { .. } => Kind::OverlapShip,
            Self::CranePool { .. } => Kind::CranePool,
            Self::MovementLimit { .. } => Kind::MovementLimit,
        }
    }
}

impl Kind {
    /// The word tool results carry.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::NoMoveWindow => "no_move_window",
            Self::CraneCount => "crane_count",
            Self::BeforeArrival => "before_arrival",
            Self::OutsideQuay => "outside_quay",
            Self::OverlapAlongside => "overlap_alongside",
            Self::OverlapClosed => "overlap_closed",
            Self::OverlapShip => "overlap_ship",
            Self::CranePool => "crane_pool",
            Self::MovementLimit => "movement_limit",
        }
    }
}

impl Violation {
    /// The violation in a sentence, with the ship's name, hours, sections and numbers.
    pub fn text(&self, task: &Task) -> String {
        let name = named(task, self.ship);
        match self.rule {
            Rule::Missing => missing::text(&name),
            Rule::NoMoveWindow { start, end } => no_move_window::text(&name, start, end),
            Rule::CraneCount { given, min, max } => crane_count::text(&name, given, min, max),
            Rule::BeforeArrival { hour, arrival } => before_arrival::text(&name, hour, arrival),
            Rule::OutsideQuay { first, last } => outside_quay::text(&name, first, last, task),
            Rule::OverlapAlongside { block } | Rule::OverlapClosed { block } => {
                overlap_block::text(&name, block, task)
            }
            Rule::OverlapShip { other } => overlap_ship::text(&name, &named(task, other)),
            Rule::CranePool {
                hour,
                used,
                available,
            } => crane_pool::text(&name, hour, used, available),
            Rule::MovementLimit { hour, moves, limit } => {
                movement_limit::text(&name, hour, moves, limit)
            }
        }
    }
}

/// A ship as sentences name it: names need not be unique, so the id stands beside.
fn named(task: &Task, id: ShipId) -> String {
    match task.ships.get(id) {
        Some(Ship { name, .. }) if !name.is_empty() => format!("{name} (ship {id})"),
        _ => format!("Ship {id}"),
    }
}
