//! The layout of the database and how it came to be: a table of steps, each of which leads from one
//! version to the next. A browser that opens an older database takes those that it has not taken.
//!
//! A step is data; `platform::storage` takes it, all steps in one transaction. Steps only add: what
//! a released version has kept is never dropped. A new layout is a new line at the end of [`STEPS`].

use super::Kept;
use serde_json::Value;

/// Name of the database.
pub const DATABASE: &str = "quayside";

/// Version of its layout: that of the last step.
pub const VERSION: u32 = 2;

/// The object store of rollouts.
pub const ROLLOUTS: &str = "rollouts";

/// The object store of their lines in the list.
pub const ROWS: &str = "rows";

/// What leads to a version.
pub struct Step {
    /// The version that it leads to.
    pub version: u32,
    /// The object store that it makes, keyed by `id`.
    pub makes: &'static str,
    /// What it puts in.
    pub fill: Option<Fill>,
}

/// How a new store is filled from one that is there.
#[derive(Clone, Copy)]
pub struct Fill {
    /// The store to read.
    pub from: &'static str,
    /// What an entry of it becomes; none where it does not read: it stays where it is, unlisted.
    pub make: fn(&Value) -> Option<Value>,
}

/// All steps, in order.
pub const STEPS: &[Step] = &[
    Step {
        version: 1,
        makes: ROLLOUTS,
        fill: None,
    },
    Step {
        version: 2,
        makes: ROWS,
        fill: Some(Fill {
            from: ROLLOUTS,
            make: row_of,
        }),
    },
];

fn row_of(entry: &Value) -> Option<Value> {
    Some(Kept::from_json(entry)?.row().to_json())
}

/// The steps that a database of this version has not taken; 0 is one that was just made.
pub fn due(version: u32) -> impl Iterator<Item = &'static Step> {
    STEPS.iter().filter(move |step| step.version > version)
}
