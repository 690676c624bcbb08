//! Plans: a slot for each ship, and the lenient reader of what models send.
//!
//! In: any JSON value. Out: a [`Reading`], or why there is none. The reader itself, with the list
//! of the shapes it takes, is in `plan/reader.rs`.

mod reader;

pub use reader::read;

use super::{Hour, Section, ShipId, Task};
use serde_json::{Map, Value};

/// Where and when a ship berths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Slot {
    /// Berthing hour.
    pub hour: Hour,
    /// First section.
    pub section: Section,
    /// Cranes as given (or the ship's standard count); 0 on tasks without crane rules.
    pub cranes: i32,
}

/// A plan as read: one optional slot per ship of the task, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Slot of ship `i`, or `None` when the plan does not place it.
    pub slots: Vec<Option<Slot>>,
}

/// Why a whole plan cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Text that is not JSON.
    #[error("the plan is not valid JSON")]
    InvalidJson,
    /// JSON that is no list and no object.
    #[error("a plan is a list of entries, or an object with one entry a ship")]
    NotAPlan,
    /// A list with something in it that is no object.
    #[error("every entry of a plan is an object with ship, berth_hour and section")]
    EntryNotObject,
    /// More than 4 × ships + 10 entries.
    #[error("the plan has too many entries: {given}, where {most} is the most")]
    TooManyEntries {
        /// Entries given.
        given: usize,
        /// The most there may be.
        most: usize,
    },
}

/// Why one entry is dropped. The text is ours; `kind` is the machine's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProblem {
    /// `unknown_ship`, `duplicate_ship`, `bad_number`, `out_of_range` or `bad_cranes`.
    pub kind: &'static str,
    /// Which entry (from 0).
    pub entry: usize,
    /// In words.
    pub text: String,
}

/// A plan as read, with the entries that could not be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What was read.
    pub plan: Plan,
    /// Entries dropped, in order.
    pub problems: Vec<PlanProblem>,
}

impl ParseError {
    /// The machine's word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid_json",
            Self::NotAPlan => "not_a_plan",
            Self::EntryNotObject => "entry_not_object",
            Self::TooManyEntries { .. } => "too_many_entries",
        }
    }
}

impl Plan {
    /// A plan that places no ship.
    pub fn empty(ships: usize) -> Self {
        Self {
            slots: vec![None; ships],
        }
    }

    /// The plan as the reference writes it: `[{"ship", "berth_hour", "section", "cranes"?}]` by id.
    pub fn to_json(&self, task: &Task) -> Value {
        let cranes = task.has_cranes();
        let entry = |(ship, slot): (ShipId, Slot)| {
            let mut entry = Map::new();
            entry.insert("ship".into(), ship.into());
            entry.insert("berth_hour".into(), slot.hour.into());
            entry.insert("section".into(), slot.section.into());
            if cranes {
                entry.insert("cranes".into(), slot.cranes.into());
            }
            Value::Object(entry)
        };
        self.placed().map(entry).collect()
    }

    /// Slot of a ship.
    pub fn slot(&self, ship: ShipId) -> Option<Slot> {
        self.slots.get(ship).copied().flatten()
    }

    /// The ships the plan places, by id, each with its slot.
    pub fn placed(&self) -> impl Iterator<Item = (ShipId, Slot)> + '_ {
        let all = self.slots.iter().enumerate();
        all.filter_map(|(ship, slot)| slot.map(|slot| (ship, slot)))
    }
}
