//! What is kept on the device: names, versions and shapes. No storage calls; `platform::storage`
//! carries [`StoreOrder`]s out and answers with [`StoreAnswer`]s.
//!
//! One IndexedDB database, [`DATABASE`], with one object store, [`ROLLOUTS`], keyed by `id`.
//! An entry is a [`Kept`] as JSON. Version 1 is the first.

use crate::rollout::Record;
use serde_json::{Value, json};

/// Name of the database.
pub const DATABASE: &str = "quayside";
/// Version of its layout.
pub const VERSION: u32 = 1;
/// The object store of rollouts.
pub const ROLLOUTS: &str = "rollouts";

/// A rollout as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Episode id, the key.
    pub id: String,
    /// Where it ran: `builtin`, or the server's address without user, query and fragment.
    pub server: String,
    /// Moment of the last change, milliseconds since the Unix epoch.
    pub saved: u64,
    /// The record as it stands; `end_reason` is null while the run goes on.
    pub record: Record,
}

/// A line of the list of rollouts.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptRow {
    /// Episode id.
    pub id: String,
    /// Model spec.
    pub model: String,
    /// Task.
    pub task_id: String,
    /// Where it ran.
    pub server: String,
    /// When it began, as in the record.
    pub started: String,
    /// How it ended, in the record's word.
    pub end_reason: String,
    /// Reward.
    pub reward: f64,
    /// Model turns.
    pub turns: u32,
}

impl Kept {
    /// The entry as the database holds it.
    pub fn to_json(&self) -> Value {
        json!({"id": self.id, "server": self.server, "saved": self.saved, "record": self.record.to_json()})
    }

    /// An entry of the database, if it is one.
    pub fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            id: value.get("id")?.as_str()?.to_owned(),
            server: value.get("server")?.as_str()?.to_owned(),
            saved: value.get("saved")?.as_f64()? as u64,
            record: Record::from_json(value.get("record")?).ok()?,
        })
    }

    /// The line that lists it. A run without an end is one that the page left.
    pub fn row(&self) -> KeptRow {
        KeptRow {
            id: self.id.clone(),
            model: self.record.model.clone(),
            task_id: self.record.task_id.clone(),
            server: self.server.clone(),
            started: self.record.started.clone(),
            end_reason: self
                .record
                .end_reason
                .clone()
                .unwrap_or_else(|| "interrupted".into()),
            reward: self.record.reward,
            turns: self.record.turns,
        }
    }
}

/// An order to the device's storage.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreOrder {
    /// Keep this, in place of what has the same id.
    Put(Box<Kept>),
    /// List everything, newest first.
    List,
    /// Fetch one.
    Get(String),
    /// Forget one.
    Delete(String),
}

/// What the device's storage answers.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreAnswer {
    /// Lines, newest first.
    Listed(Vec<KeptRow>),
    /// The one asked for, if it is there.
    Got(String, Option<Box<Kept>>),
    /// It does not work here (private mode, full disk): the reason.
    Failed(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_survives_the_database() {
        let record = Record {
            task_id: "t".into(),
            turns: 3,
            ..Record::default()
        };
        let kept = Kept {
            id: "a".into(),
            server: "builtin".into(),
            saved: 1_900_000_000_123,
            record,
        };
        assert_eq!(Kept::from_json(&kept.to_json()), Some(kept));
        assert_eq!(Kept::from_json(&json!({"id": 1})), None);
    }

    #[test]
    fn a_kept_run_without_an_end_lists_as_interrupted() {
        let kept = Kept {
            id: "a".into(),
            server: "builtin".into(),
            saved: 0,
            record: Record::default(),
        };
        assert_eq!(kept.row().end_reason, "interrupted");
    }
}
