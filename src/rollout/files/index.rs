//! An index of a run, and the episode files that go with it.
//!
//! ```text
//! {"model": "anthropic:m@high", "run": {"max_turns": 12}, "episodes": [
//!   {"file": "quay-1.json", "task_id": "quay-1", "reward": 0.9}, "quay-2.json", {"episode_id": "0123456789ab"}
//! ]}
//! ```
//!
//! The list goes by one of a few names or is the whole file; an episode is named by its file or by
//! its id. What a record lacks (model, task, run, provider, …) it gets from its line of the list,
//! else from the index.

use super::kind::is_record;
use super::pile::Pile;
use super::{FileError, Found, Opened, Run, Spot, Trouble};
use serde_json::{Map, Value};

/// Names under which the list is found.
const LISTS: [&str; 6] = ["episodes", "rollouts", "runs", "files", "items", "records"];

/// Names told of those that are missing.
const TOLD: usize = 3;

/// An index as read.
pub(super) struct Index {
    facts: Map<String, Value>,
    lines: Vec<Line>,
}

/// One episode of it.
pub(super) struct Line {
    /// File, without `./`, query and fragment; may be empty.
    path: String,
    /// Episode id; may be empty.
    pub(super) episode: String,
    facts: Map<String, Value>,
}

impl Index {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// The index that `value` is, taken out of it; none where it is something else.
pub(super) fn index(value: &mut Value) -> Option<Index> {
    if is_record(value) {
        return None;
    }
    if let Value::Array(items) = value {
        // An empty list says nothing; neither does a list of plain names that are no files.
        let is_index = !items.is_empty() && items.iter().all(is_line);
        return is_index.then(|| Index {
            facts: Map::new(),
            lines: std::mem::take(items).into_iter().map(line).collect(),
        });
    }
    let map = value.as_object_mut()?;
    let name = LISTS.into_iter().find(|name| {
        let list = map.get(*name).and_then(Value::as_array);
        list.is_some_and(|items| items.iter().all(is_line))
    })?;
    let Some(Value::Array(items)) = map.shift_remove(name) else {
        return None;
    };
    Some(Index {
        facts: std::mem::take(map),
        lines: items.into_iter().map(line).collect(),
    })
}

/// The list of whole records in an object that is like an index, taken out of it.
pub(super) fn records(value: &mut Value) -> Option<Value> {
    if is_record(value) {
        return None;
    }
    let name = LISTS.into_iter().find(|name| {
        let list = value.get(*name).and_then(Value::as_array);
        list.is_some_and(|items| items.iter().any(is_record))
    })?;
    value.get_mut(name).map(Value::take)
}

fn is_line(item: &Value) -> bool {
    match item {
        Value::String(text) => text.contains(".json"),
        Value::Object(map) => {
            !is_record(item)
                && map.get("record").is_none()
                && (file_of(item).is_some() || episode_of(item).is_some())
        }
        _ => false,
    }
}

fn file_of(item: &Value) -> Option<&str> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let named = ["file", "path", "filename", "href", "url"]
        .into_iter()
        .find_map(text);
    named.or_else(|| {
        let labels = ["rollout", "name"].into_iter().filter_map(text);
        labels.into_iter().find(|label| label.contains(".json"))
    })
}

fn episode_of(item: &Value) -> Option<&str> {
    item.get("episode_id").and_then(Value::as_str)
}

fn line(item: Value) -> Line {
    let file = item.as_str().or_else(|| file_of(&item)).unwrap_or_default();
    Line {
        path: plain(file),
        episode: episode_of(&item).unwrap_or_default().to_owned(),
        facts: match item {
            Value::Object(map) => map,
            _ => Map::new(),
        },
    }
}

/// A path without `./`, query and fragment, with `/` between folders.
pub(super) fn plain(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a file without folder, `.gz` and `.json`.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let mut endings = [".json", ".jsonl", ".ndjson"].into_iter();
    endings
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name)
}

/// Puts the episodes of each index in its order, with its facts, and before all others; reports
/// those that are not there.
pub(super) fn join(indices: Vec<(String, Index)>, opened: &mut Opened) {
    if indices.is_empty() {
        return;
    }
    let mut pile = Pile::new(std::mem::take(&mut opened.found), &opened.troubles);
    for (file, index) in indices {
        let home = plain(&file);
        let home = folder(&home);
        let (mut present, mut missing) = (0, 0);
        let mut told = Vec::new();
        for line in &index.lines {
            let Some(places) = pile.chosen(line, home) else {
                missing += 1;
                if told.len() < TOLD {
                    let has_path = !line.path.is_empty();
                    told.push(if has_path { &line.path } else { &line.episode }.clone());
                }
                continue;
            };
            present += 1;
            for mut found in pile.take(places) {
                complete(&mut found, &line.facts);
                complete(&mut found, &index.facts);
                opened.found.push(found);
            }
        }
        if missing > 0 {
            let more = missing - told.len();
            let fault = FileError::Missing { names: told, more };
            opened
                .troubles
                .push(Trouble::new(&file, Spot::Whole, fault));
        }
        opened.runs.push(Run {
            file,
            listed: index.lines.len(),
            facts: index.facts,
            present,
        });
    }
    opened.found.extend(pile.rest());
}

impl Line {
    /// The very path, seen from the folder of the index.
    pub(super) fn is_exactly(&self, home: &str, name: &str) -> bool {
        let inside = match name.strip_prefix(home) {
            Some(inside) if !home.is_empty() => inside.strip_prefix('/'),
            inside => inside,
        };
        !self.path.is_empty() && inside == Some(self.path.as_str())
    }

    /// The same name in another folder, below that of the index or not known.
    pub(super) fn is_likely(&self, home: &str, name: &str) -> bool {
        let has_path = !self.path.is_empty();
        let meant = if has_path {
            stem(&self.path)
        } else {
            &self.episode
        };
        let folder = folder(name);
        let below = folder.strip_prefix(home);
        let is_below = below.is_some_and(|path| path.is_empty() || path.starts_with('/'));
        !meant.is_empty()
            && stem(name) == meant
            && (folder.is_empty() || home.is_empty() || is_below)
    }
}

/// Gives a record what it lacks and `facts` have.
fn complete(found: &mut Found, facts: &Map<String, Value>) {
    let record = &mut found.rollout.record;
    for (name, field) in [
        ("model", &mut record.model),
        ("task_id", &mut record.task_id),
        ("episode_id", &mut record.episode_id),
        ("started", &mut record.started),
    ] {
        if let (true, Some(Value::String(fact))) = (field.is_empty(), facts.get(name)) {
            field.clone_from(fact);
        }
    }
    for name in ["run", "provider"] {
        if let (false, Some(fact)) = (record.extra.contains_key(name), facts.get(name)) {
            record.extra.insert(name.to_owned(), fact.clone());
        }
    }
    if found.rollout.id.is_empty() {
        found.rollout.id.clone_from(&record.episode_id);
    }
}
