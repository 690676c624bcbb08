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
use super::{FileError, Found, Opened, Run, Spot, Trouble};
use crate::order;
use serde_json::{Map, Value};
use std::ops::Range;

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
struct Line {
    /// File, without `./`, query and fragment; may be empty.
    path: String,
    /// Episode id; may be empty.
    episode: String,
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
fn plain(path: &str) -> String {
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
    opened.found.extend(pile.rest.into_iter().flatten());
}

/// The rollouts that wait for an index to name them. A pile may have a hundred thousand lines of
/// one file in it, so nothing here looks at each of them for each line of an index.
struct Pile {
    rest: Vec<Option<Found>>,
    /// Files, each with the places of its rollouts; a file that could not be read has none.
    files: Vec<(String, Range<usize>)>,
    /// Episode ids in order, each with its place.
    ids: Vec<(String, usize)>,
}

/// Most rollouts of one id that are looked at.
const ALIKE: usize = 64;

impl Pile {
    fn new(found: Vec<Found>, troubles: &[Trouble]) -> Self {
        let mut files: Vec<(String, Range<usize>)> = Vec::new();
        let mut ids = Vec::new();
        let mut last = None;
        for (place, found) in found.iter().enumerate() {
            match files.last_mut() {
                Some((_, places)) if last == Some(&found.file) => places.end = place + 1,
                _ => files.push((plain(&found.file), place..place + 1)),
            }
            last = Some(&found.file);
            ids.push((found.rollout.record.episode_id.clone(), place));
        }
        let broken = troubles
            .iter()
            .filter(|trouble| trouble.spot == Spot::Whole);
        files.extend(broken.map(|trouble| (plain(&trouble.file), 0..0)));
        order::by(&mut ids, |one, other| one.0.cmp(&other.0));
        Self {
            rest: found.into_iter().map(Some).collect(),
            files,
            ids,
        }
    }

    /// Where the rollouts are that a line names: the one of its id, else all of its file. Nowhere
    /// (but not none) if they were taken before, or the file is there and can not be read.
    fn chosen(&mut self, line: &Line, home: &str) -> Option<Range<usize>> {
        let place = self
            .files
            .iter()
            .position(|(name, _)| line.is_exactly(home, name));
        let place = place.or_else(|| {
            self.files
                .iter()
                .position(|(name, _)| line.is_likely(home, name))
        });
        let file = place.and_then(|place| self.files.get_mut(place));
        if !line.episode.is_empty() {
            let inside = file.as_ref().map(|(_, places)| places.clone());
            let first = self.ids.partition_point(|(id, _)| *id < line.episode);
            let alike = self.ids.iter().skip(first).take(ALIKE);
            let mut alike = alike.take_while(|(id, _)| *id == line.episode);
            let one = alike.find(|(_, place)| {
                inside.as_ref().is_none_or(|inside| inside.contains(place))
                    && self.rest.get(*place).is_some_and(Option::is_some)
            });
            if let Some((_, place)) = one {
                return Some(*place..place + 1);
            }
        }
        // What is taken as a whole is not looked through a second time.
        file.map(|(_, places)| std::mem::replace(places, 0..0))
    }

    fn take(&mut self, places: Range<usize>) -> impl Iterator<Item = Found> + '_ {
        let places = self.rest.get_mut(places).unwrap_or_default();
        places.iter_mut().filter_map(Option::take)
    }
}

impl Line {
    /// The very path, seen from the folder of the index.
    fn is_exactly(&self, home: &str, name: &str) -> bool {
        let inside = match name.strip_prefix(home) {
            Some(inside) if !home.is_empty() => inside.strip_prefix('/'),
            inside => inside,
        };
        !self.path.is_empty() && inside == Some(self.path.as_str())
    }

    /// The same name in another folder, below that of the index or not known.
    fn is_likely(&self, home: &str, name: &str) -> bool {
        let has_path = !self.path.is_empty();
        let meant = if has_path {
            stem(&self.path)
        } else {
            &self.episode
        };
        let folder = folder(name);
        !meant.is_empty()
            && stem(name) == meant
            && (folder.is_empty() || home.is_empty() || folder.starts_with(home))
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
