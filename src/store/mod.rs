//! What is kept on the device: names, versions and shapes. No storage calls; `platform::storage`
//! carries [`StoreOrder`]s out and answers with [`StoreAnswer`]s.
//!
//! One IndexedDB database, [`DATABASE`], laid out as [`schema`] says: the rollouts themselves, and
//! beside them a short line for each, so that a list of a thousand long ones reads none of them.
//! The files of [`archive`] carry all of it elsewhere; what open pages say to each other about it
//! is in [`tabs`].

pub mod schema;
pub mod tabs;

use crate::order;
use crate::rollout::{Record, Saved};
use crate::wire::Millis;
use crate::wire::json::{compact, read};
pub use schema::{DATABASE, ROLLOUTS, ROWS, VERSION};
use serde_json::{Value, json};

/// A rollout as it is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Episode id, the key.
    pub id: String,
    /// What the person calls it; empty when it has no name.
    pub name: String,
    /// Where it ran: `builtin`, or the server's address without user, query and fragment.
    pub server: String,
    /// Moment of the last change, milliseconds since the Unix epoch.
    pub saved: u64,
    /// The record as it stands; `end_reason` is null while the run goes on.
    pub record: Record,
}

/// A line of the list of rollouts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptRow {
    /// Episode id.
    pub id: String,
    /// What the person calls it; empty when it has no name.
    pub name: String,
    /// Model spec.
    pub model: String,
    /// Task.
    pub task_id: String,
    /// Where it ran.
    pub server: String,
    /// When it began, as in the record.
    pub started: String,
    /// Moment of the last change, milliseconds since the Unix epoch.
    pub saved: u64,
    /// How it ended, in the record's word.
    pub end_reason: String,
    /// Reward.
    pub reward: f64,
    /// Model turns.
    pub turns: u32,
}

impl From<Saved> for Kept {
    /// A rollout out of a file.
    fn from(saved: Saved) -> Self {
        Self {
            id: saved.id,
            name: saved.name,
            server: saved.server,
            saved: saved.saved.0,
            record: saved.record,
        }
    }
}

impl From<Kept> for Saved {
    /// For a file.
    fn from(kept: Kept) -> Self {
        Self {
            id: kept.id,
            name: kept.name,
            server: kept.server,
            saved: Millis(kept.saved),
            record: kept.record,
            ..Self::default()
        }
    }
}

impl Kept {
    /// The entry as the database holds it: the record is a text, so that it comes back as it was
    /// written, to the last digit and in its order. The name is not in it, but in the line.
    pub fn entry(&self) -> Value {
        json!({
            "id": self.id, "server": self.server, "saved": self.saved,
            "record": compact(&self.record.to_json()),
        })
    }

    /// The rollout as a file holds it.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "server": self.server, "saved": self.saved,
            "record": self.record.to_json(),
        })
    }

    /// An entry of the database or of a file, if it is one. Version 1 of the database held records
    /// as objects.
    pub fn from_json(value: &Value) -> Option<Self> {
        let record = value.get("record")?;
        let record = match record.as_str() {
            Some(text) => Record::from_json(&read(text)?),
            None => Record::from_json(record),
        };
        Some(Self {
            id: text(value, "id").filter(|id| !id.is_empty())?,
            name: text(value, "name").unwrap_or_default(),
            server: text(value, "server")?,
            saved: whole(value, "saved"),
            record: record.ok()?,
        })
    }

    /// Whether it tells of the same run to the same point; names and moments aside.
    pub fn same(&self, other: &Self) -> bool {
        self.server == other.server
            && compact(&self.record.to_json()) == compact(&other.record.to_json())
    }

    /// The line that lists it. A run without an end is one that the page left.
    pub fn row(&self) -> KeptRow {
        KeptRow {
            id: self.id.clone(),
            name: self.name.clone(),
            model: self.record.model.clone(),
            task_id: self.record.task_id.clone(),
            server: self.server.clone(),
            started: self.record.started.clone(),
            saved: self.saved,
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

impl KeptRow {
    /// The line as the database holds it.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "model": self.model, "task_id": self.task_id,
            "server": self.server, "started": self.started, "saved": self.saved,
            "end_reason": self.end_reason, "reward": self.reward, "turns": self.turns,
        })
    }

    /// A line of the database, if it is one.
    pub fn from_json(value: &Value) -> Option<Self> {
        let or_empty = |name| text(value, name).unwrap_or_default();
        Some(Self {
            id: text(value, "id")?,
            name: or_empty("name"),
            model: or_empty("model"),
            task_id: or_empty("task_id"),
            server: or_empty("server"),
            started: or_empty("started"),
            saved: whole(value, "saved"),
            end_reason: or_empty("end_reason"),
            reward: value
                .get("reward")
                .and_then(Value::as_f64)
                .unwrap_or_default(),
            turns: u32::try_from(whole(value, "turns")).unwrap_or(u32::MAX),
        })
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    Some(value.get(name)?.as_str()?.to_owned())
}

fn whole(value: &Value, name: &str) -> u64 {
    value
        .get(name)
        .and_then(Value::as_f64)
        .map_or(0, |number| number as u64)
}

/// Puts lines in the order of the list: the newest first.
pub fn newest_first(rows: &mut [KeptRow]) {
    order::by(rows, |a, b| {
        (&b.started, b.saved).cmp(&(&a.started, a.saved))
    });
}

/// The ids that an imported rollout can have, in turn: its own, and others for where that is taken
/// by something else.
pub fn ids_for(id: &str) -> impl Iterator<Item = String> {
    let others = (2_u32..).map({
        let id = id.to_owned();
        move |number| format!("{id}-{number}")
    });
    std::iter::once(id.to_owned()).chain(others)
}

/// An order to the device's storage.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreOrder {
    /// Keep this, in place of what has the same id. A name that it was given stays.
    Put(Box<Kept>),
    /// Keep all of these beside what is there; nothing that is there changes.
    PutMany(Vec<Kept>),
    /// List everything, newest first.
    List,
    /// Fetch one.
    Get(String),
    /// Fetch everything.
    GetAll,
    /// Take these out of the store. They can be put back until they are forgotten or the page
    /// closes.
    Delete(Vec<String>),
    /// Put back what was deleted.
    PutBack(Vec<String>),
    /// These are not put back any more.
    Forget(Vec<String>),
    /// Give one a name.
    Rename(String, String),
    /// How much room there is, and whether the browser may take it back.
    Room,
    /// Ask the browser not to clear this store by itself.
    Persist,
}

/// What the device's storage answers.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreAnswer {
    /// Lines, newest first.
    Listed(Vec<KeptRow>),
    /// The one asked for, if it is there.
    Got(String, Option<Box<Kept>>),
    /// Everything.
    All(Vec<Kept>),
    /// Something was kept, or has a name now.
    Changed,
    /// These were there and are deleted.
    Deleted(Vec<String>),
    /// These are there again.
    Returned(Vec<String>),
    /// What came of a file's rollouts.
    Imported(Imported),
    /// How much room there is.
    Room(Room),
    /// It does not work here: why, and what to do.
    Failed(StoreFailure),
}

/// What came of a file's rollouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Kept under their own id.
    pub added: usize,
    /// Were here already, with the same content.
    pub same: usize,
    /// Kept under a new id: another rollout has theirs.
    pub beside: usize,
    /// The id of the last of them.
    pub last: String,
}

/// How much room there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Bytes in use.
    pub used: u64,
    /// Bytes that the browser gives, about.
    pub quota: u64,
    /// The browser keeps it until the person clears it; none where it does not say.
    pub persistent: Option<bool>,
}

/// Why nothing is kept. What follows "Runs are not kept on this device: ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailure {
    /// There is no storage.
    #[error(
        "this browser gives the page no storage (a private window, or site data is switched off). \
         Open the page in an ordinary window, or download what you want to keep"
    )]
    Absent,
    /// The disk, or the page's share of it, is full.
    #[error(
        "the room that this browser gives the page is used up. Delete rollouts that you no longer \
         need (export them first), or download what you want to keep"
    )]
    Full,
    /// The database was made by a newer version of the page.
    #[error(
        "they were last kept by a newer version of this page, and this older one leaves them as \
         they are. Load the page anew to get the newer version"
    )]
    Newer,
    /// An older page in another tab holds the database.
    #[error(
        "another tab with an older version of this page holds them. Close that tab or load it \
         anew; then this one goes on by itself"
    )]
    Blocked,
    /// Anything else, in the browser's words.
    #[error(
        "the browser's storage failed ({0}). Load the page anew, or download what you want to keep"
    )]
    Other(String),
}

#[cfg(test)]
mod tests;
