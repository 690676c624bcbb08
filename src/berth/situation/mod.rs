//! The situation text: a task in words, as an environment server tells it, and the way back.
//!
//! In: a [`Task`], out: Markdown ([`write()`]); in: such Markdown from any server, out: a
//! [`Situation`] ([`read()`]). A server speaks only in text, while the chart, the local check and
//! the demonstration planner need data, so the text is an interface: its fixed fragments
//! (`sections 2-12`, `until hour 6`, `The terminal has 5 quay cranes.`, the table's headings) are
//! what both directions hold to. The prose between them is free, and reading skips it.
//!
//! ```text
//! # Stenhaven North Terminal, berth planning - quay N1, week 9 of 2031
//! Hour 0 is Monday 24 February 2031 00:00 UTC. …
//! The quay is sections 2-12 (about 40 m each). …
//!
//! ## Already alongside at hour 0 (cannot move)
//! - TALE OF ROWAN: sections 9-12 until hour 6
//!
//! ## Ships to berth
//! | id | ship | length m | sections | arrives (hour) | hours alongside | planned berth (hour @ section) | planned departure (hour) |
//! ```
//!
//! **What the text carries** is defined by a function, [`carried`]: for every task,
//! `read(&write(&task))` gives `carried(&task)`, and nothing that decides a rule or a cost is
//! lost on the way except the standard crane count of unscheduled calls (their default, when a
//! plan names no count). Servers of others round lengths to whole metres; this one writes the
//! decimals wherever rounding would change which wind windows bind the ship.
//!
//! Two things are ours beyond the common shape, in places where readers skip what they do not
//! know: alongside ships with *different* crane numbers get a line each
//! (`- LABEL on sections 9-12 keeps 3 cranes until it leaves.`), and a ship that comes alongside
//! after hour 0 says so (`… until hour 30 (from hour 12)`).

mod carried;
mod date;
mod instructions;
mod line;
mod read;
mod rows;
mod write;

pub use carried::carried;
pub use instructions::instructions;
pub use read::read;
pub use write::write;

use super::{Ship, Task};

/// A situation text as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Situation {
    /// The task, with defaults where the text says nothing.
    pub task: Task,
    /// Lines that were not understood, the first [`MOST_UNREAD`] of them; then facts the text lacks.
    pub unread: Vec<String>,
    /// What was filled in, such as the standard cranes of unscheduled calls.
    pub assumed: Vec<String>,
}

/// Why a situation text gives no task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SituationError {
    /// Longer than a mebibyte.
    #[error("the situation text is too long to be read: {bytes} bytes")]
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// Nothing says which sections the quay has.
    #[error("the situation text does not say which sections the quay has")]
    NoQuay,
    /// No table of ships with a readable row.
    #[error("the situation text has no readable table of ships")]
    NoShips,
    /// Ids are 0 … n−1; this one has no readable row.
    #[error("the situation text has no readable row for ship {id}")]
    MissingShip {
        /// The id.
        id: usize,
    },
    /// Two rows bear the same id.
    #[error("the situation text lists ship {id} twice")]
    DuplicateShip {
        /// The id.
        id: usize,
    },
}

/// How many lines that were not understood are kept; one more says how many others there were.
pub const MOST_UNREAD: usize = 40;

/// Crane count assumed for a ship of which only the length (metres) and range are known.
pub(crate) fn standard_cranes(ship: &Ship) -> i32 {
    let by_length = match ship.length_m {
        metres if metres < 180.0 => 1,
        metres if metres < 260.0 => 2,
        metres if metres < 330.0 => 3,
        _ => 4,
    };
    let least = ship.min_cranes.unwrap_or(1);
    by_length.clamp(least, ship.max_cranes.unwrap_or(least).max(least))
}

/// Hours of work for `workload` crane-hours at `cranes` cranes; at least one hour.
pub(crate) fn hours_of_work(workload: i32, cranes: i32) -> i32 {
    let cranes = cranes.max(1);
    (workload / cranes + i32::from(workload % cranes > 0)).max(1)
}
