//! What a JSON value is.

use super::archive::Saved;
use super::index::Index;
use super::{FileError, Spot, archive, index, lines, text};
use crate::rollout::depth::{DEEPEST, is_deeper};
use crate::rollout::{Record, atif};
use serde_json::Value;

/// Rollouts and what is none, each with its place.
pub(super) type Rollouts = Vec<(Spot, Result<Saved, FileError>)>;

/// What a file holds.
pub(super) enum Content {
    /// One rollout, or several.
    Rollouts(Rollouts),
    /// A list of files.
    Index(Index),
}

/// What the text of a file holds.
pub(super) fn content(name: &str, text: &str) -> Result<Content, FileError> {
    let of_lines = || lines::all(text).map(Content::Rollouts);
    if lines::is_named(name)
        && let Some(content) = of_lines()
    {
        return Ok(content);
    }
    match text::value(text) {
        Ok(value) => of_value(value),
        Err(fault) => of_lines().ok_or(fault),
    }
}

fn of_value(mut value: Value) -> Result<Content, FileError> {
    if let Some(version) = archive::version(&value) {
        if version != 1 {
            return Err(FileError::Newer { version });
        }
        return list(value.get_mut("rollouts").map(Value::take));
    }
    if let Some(index) = index::index(&mut value) {
        return if index.is_empty() {
            Err(FileError::NoRollouts)
        } else {
            Ok(Content::Index(index))
        };
    }
    if value.is_array() {
        return list(Some(value));
    }
    if let Some(inside) = index::records(&mut value) {
        return list(Some(inside));
    }
    let rollout = judge(value)?;
    Ok(Content::Rollouts(vec![(Spot::Whole, Ok(rollout))]))
}

fn list(items: Option<Value>) -> Result<Content, FileError> {
    let Some(Value::Array(items)) = items else {
        return Err(FileError::NotRollout);
    };
    if items.is_empty() {
        return Err(FileError::NoRollouts);
    }
    let all: Rollouts = items
        .into_iter()
        .zip(1..)
        .map(|(item, number)| (Spot::Entry(number), judge(item)))
        .collect();
    // A list of something else is told once.
    if all
        .iter()
        .all(|(_, one)| matches!(one, Err(FileError::NotRollout)))
    {
        return Err(FileError::NotRollout);
    }
    Ok(Content::Rollouts(all))
}

/// Whether a value has the lists of a record.
pub(super) fn is_record(value: &Value) -> bool {
    ["messages", "steps"]
        .iter()
        .any(|name| value.get(name).is_some_and(Value::is_array))
}

/// One rollout: a record, an entry of our own export, or a trajectory of Harbor's.
pub(super) fn judge(value: Value) -> Result<Saved, FileError> {
    let is_entry = !is_record(&value) && value.get("record").is_some();
    if is_deeper(&value, DEEPEST + usize::from(is_entry)) {
        return Err(FileError::TooDeep);
    }
    if atif::is_trajectory(&value) {
        return Ok(Saved::from(atif::read(&value)));
    }
    if is_record(&value) {
        let record = Record::from_value(value).map_err(|_| FileError::NotRollout)?;
        return Ok(Saved::from(record));
    }
    if value.get("trajectory").is_some()
        && (value.get("question").is_some() || value.get("answer").is_some())
    {
        return Err(FileError::Questions);
    }
    Saved::from_json(value).ok_or(FileError::NotRollout)
}
