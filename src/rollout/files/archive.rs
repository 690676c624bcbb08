//! Several rollouts as one file of ours, and as JSON Lines.
//!
//! ```text
//! {"quayside": 1, "rollouts": [
//! {"id": "0123456789ab", "name": "Before lunch", "server": "builtin", "saved": 1900000000123, "record": {…}},
//! …
//! ]}
//! ```
//!
//! `id` names the entry where it is kept and is the episode's id where nothing else is said; `name`
//! is there when a person gave one; `server` is `builtin` or the server's address without user,
//! query and fragment; `saved` is in milliseconds since the Unix epoch; `record` is the rollout as
//! a file of its own has it. What else an entry holds is kept.

use super::LIMIT;
use crate::rollout::Record;
use crate::wire::Millis;
use crate::wire::json::compact;
use serde_json::{Map, Value, json};

/// A rollout with what is known of it beyond its record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// Under which it is kept; the episode's id unless the file says otherwise, and may be empty.
    pub id: String,
    /// A person's name for it, or empty.
    pub name: String,
    /// Where it ran: `builtin`, an address, or empty when not known.
    pub server: String,
    /// Moment of the last change since the Unix epoch; 0 when not known.
    pub saved: Millis,
    /// The record.
    pub record: Record,
    /// Other fields of the entry.
    pub extra: Map<String, Value>,
}

impl From<Record> for Saved {
    /// A record from a file of its own.
    fn from(record: Record) -> Self {
        Self {
            id: record.episode_id.clone(),
            record,
            ..Self::default()
        }
    }
}

impl Saved {
    /// The entry as a file has it.
    pub fn to_json(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("id".into(), json!(self.id));
        if !self.name.is_empty() {
            entry.insert("name".into(), json!(self.name));
        }
        entry.insert("server".into(), json!(self.server));
        entry.insert("saved".into(), json!(self.saved.0));
        entry.insert("record".into(), self.record.to_json());
        for (name, value) in &self.extra {
            if !entry.contains_key(name) {
                entry.insert(name.clone(), value.clone());
            }
        }
        Value::Object(entry)
    }

    /// An entry from a file; none where it holds no record.
    pub(super) fn from_json(value: Value) -> Option<Self> {
        let Value::Object(mut fields) = value else {
            return None;
        };
        let record = Record::from_value(fields.shift_remove("record")?).ok()?;
        let mut text = |name: &str| match fields.shift_remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let id = text("id");
        let name = text("name").unwrap_or_default();
        let server = text("server").unwrap_or_default();
        let saved = fields.shift_remove("saved").unwrap_or_default();
        let saved = saved.as_u64().or_else(|| Some(saved.as_f64()? as u64));
        Some(Self {
            id: id.unwrap_or_else(|| record.episode_id.clone()),
            name,
            server,
            saved: Millis(saved.unwrap_or_default()),
            record,
            extra: fields,
        })
    }
}

/// The format's number, if the value is one of our files.
pub(super) fn version(value: &Value) -> Option<u64> {
    let is_list = value.get("rollouts").is_some_and(Value::is_array);
    let version = value.get("quayside")?;
    let version = version.as_u64()?;
    (is_list || version > 1).then_some(version)
}

/// All of them as one file, or as few as possible: none is larger than [`LIMIT`], so that each can
/// be opened again. No file for no rollouts.
pub fn archives(rollouts: &[Saved]) -> Vec<String> {
    within(rollouts, LIMIT)
}

const HEAD: &str = "{\"quayside\": 1, \"rollouts\": [\n";
const TAIL: &str = "\n]}\n";

pub(super) fn within(rollouts: &[Saved], limit: usize) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for rollout in rollouts {
        let entry = compact(&rollout.to_json());
        match files.last_mut() {
            Some(file) if file.len() + entry.len() + 2 + TAIL.len() <= limit => {
                file.push_str(",\n");
                file.push_str(&entry);
            }
            _ => files.push(HEAD.to_owned() + &entry),
        }
    }
    for file in &mut files {
        file.push_str(TAIL);
    }
    files
}

/// A record a line, for other programs; names and servers stay behind.
pub fn jsonl<'a>(records: impl IntoIterator<Item = &'a Record>) -> String {
    let mut out = String::new();
    for record in records {
        out.push_str(&compact(&record.to_json()));
        out.push('\n');
    }
    out
}
