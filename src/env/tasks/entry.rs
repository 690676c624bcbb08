//! A line of a task list.

use crate::berth::Task;
use crate::env::TaskRef;
use serde_json::Value;

/// A task as a list shows it; what is not known is empty or absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskEntry {
    /// How to ask for it.
    pub task: TaskRef,
    /// What to call it.
    pub name: String,
    /// The set it belongs to.
    pub split: String,
    /// Its position there, from 0.
    pub index: Option<u32>,
    /// Quay or terminal.
    pub quay: String,
    /// ISO week.
    pub week: Option<i32>,
    /// Tier of difficulty.
    pub tier: String,
    /// Number of ships.
    pub ships: Option<usize>,
    /// Kinds of disruption, each once, in order of appearance.
    pub disruptions: Vec<String>,
}

impl TaskEntry {
    /// A task known only by its place.
    pub fn at(split: &str, index: u32) -> Self {
        Self {
            task: TaskRef::Index {
                split: split.to_owned(),
                index,
            },
            name: format!("{split} {index}"),
            split: split.to_owned(),
            index: Some(index),
            ..Self::default()
        }
    }

    /// A task in whatever form a server lists it, at its place.
    pub fn read(value: &Value, split: &str, index: u32) -> Self {
        let text = |names: &[&str]| {
            let found = names
                .iter()
                .find_map(|name| value.get(*name).and_then(Value::as_str));
            found.unwrap_or_default().trim().to_owned()
        };
        let index = value
            .get("index")
            .and_then(Value::as_u64)
            .and_then(|index| index.try_into().ok())
            .unwrap_or(index);
        let mut entry = Self::at(split, index);
        let id = match value {
            Value::String(id) => id.clone(),
            _ => text(&["task_id", "id"]),
        };
        if !id.is_empty() {
            entry.task = TaskRef::Id(id.clone());
            entry.name = id;
        }
        entry.quay = text(&["quay", "terminal"]);
        entry.tier = text(&["difficulty", "tier"]);
        entry.week = value
            .get("week")
            .and_then(Value::as_i64)
            .and_then(|week| week.try_into().ok());
        entry.ships = match value.get("ships") {
            Some(Value::Array(ships)) => Some(ships.len()),
            Some(number) => number.as_u64().and_then(|ships| ships.try_into().ok()),
            None => None,
        };
        if let Some(Value::Array(list)) = value.get("disruptions") {
            entry.disruptions = kinds(list);
        }
        entry
    }
}

/// Entries of the tasks that come with the page, each with its position in its split.
pub fn built_in<'a>(tasks: impl IntoIterator<Item = &'a Task>) -> Vec<TaskEntry> {
    let mut entries: Vec<TaskEntry> = Vec::new();
    for task in tasks {
        let index = entries
            .iter()
            .filter(|entry| entry.split == task.split)
            .count();
        entries.push(TaskEntry {
            task: TaskRef::Id(task.task_id.clone()),
            name: task.task_id.clone(),
            split: task.split.clone(),
            index: index.try_into().ok(),
            quay: task.quay.clone(),
            week: Some(task.week),
            tier: task.difficulty.clone(),
            ships: Some(task.ships.len()),
            disruptions: kinds(&task.disruptions),
        });
    }
    entries
}

fn kinds(disruptions: &[Value]) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    for disruption in disruptions {
        let kind = disruption.get("type").unwrap_or(disruption).as_str();
        if let Some(kind) = kind
            && !kinds.iter().any(|known| known == kind)
        {
            kinds.push(kind.to_owned());
        }
    }
    kinds
}
