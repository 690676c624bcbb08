//! The tasks built into the page: a pack is JSON, `{"version": 1, "tasks": [...]}`, in which a
//! task leaves out what is default and its reference plans are `[hour, section, cranes]` a ship.
//!
//! In: that JSON (the pack itself is a file beside the page, loaded on demand). Out: [`Task`]s as
//! from anywhere else. One task is compiled in, so that the demonstration needs no request.

use super::Task;
use serde_json::Value;

/// The demonstration task, as JSON.
const FIRST: &str = include_str!("../../data/tasks/first.json");

/// Why a pack cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// Not JSON, or not of this shape.
    #[error("the task pack is not in the expected form: {0}")]
    Shape(String),
    /// A version this page does not know.
    #[error("the task pack has version {0}; this page reads version 1")]
    Version(u32),
    /// A task whose ids are not the positions, or whose plans have another number of ships.
    #[error("the task pack's task {0:?} contradicts itself")]
    Task(String),
}

/// Reads a pack.
pub fn read(json: &str) -> Result<Vec<Task>, PackError> {
    let pack = parsed(json)?;
    let version = pack.get("version").and_then(Value::as_u64);
    let version = version.ok_or_else(|| PackError::Shape("it has no version".to_owned()))?;
    if version != 1 {
        return Err(PackError::Version(
            u32::try_from(version).unwrap_or(u32::MAX),
        ));
    }
    let tasks = pack.get("tasks").and_then(Value::as_array);
    tasks.into_iter().flatten().map(sound).collect()
}

/// Reads a single task object of that form.
pub fn read_task(json: &str) -> Result<Task, PackError> {
    sound(&parsed(json)?)
}

/// The demonstration task.
pub fn first() -> Task {
    // A test reads the file, so the default never shows.
    read_task(FIRST).unwrap_or_default()
}

fn parsed(json: &str) -> Result<Value, PackError> {
    serde_json::from_str(json).map_err(|error| PackError::Shape(error.to_string()))
}

fn sound(value: &Value) -> Result<Task, PackError> {
    let task = Task::from_json(value)
        .map_err(|field| PackError::Shape(format!("{field} is of the wrong kind")))?;
    let ids = task
        .ships
        .iter()
        .map(|ship| ship.id)
        .eq(0..task.ships.len());
    let plans = task.reference.as_ref().is_none_or(|reference| {
        let lengths = [reference.optimal_plan.len(), reference.naive_plan.len()];
        lengths
            .iter()
            .all(|length| [0, task.ships.len()].contains(length))
    });
    if ids && plans {
        Ok(task)
    } else {
        Err(PackError::Task(task.task_id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::Slot;

    #[test]
    fn the_first_task_is_whole() {
        let task = first();
        let reference = task.reference.as_ref().unwrap();
        assert_eq!(task.task_id, "first");
        assert_eq!(reference.optimal_plan.len(), task.ships.len());
        assert_eq!(read_task(FIRST), Ok(task));
    }

    #[test]
    fn reference_plans_are_expanded() {
        let json = r#"{"version": 1, "tasks": [{"task_id": "a", "ships": [{"id": 0}],
            "reference": {"naive_cost": 5, "optimal_cost": 3, "optimal_plan": [[4, 2, 3]]}}]}"#;
        let tasks = read(json).unwrap();
        let slot = Slot {
            hour: 4,
            section: 2,
            cranes: 3,
        };
        assert_eq!(tasks[0].reference.as_ref().unwrap().optimal_plan, [slot]);
    }

    #[test]
    fn what_cannot_be_a_pack_is_an_error() {
        assert_eq!(read(r#"{"version": 2}"#), Err(PackError::Version(2)));
        assert!(matches!(read("[]"), Err(PackError::Shape(_))));
        let odd = r#"{"version": 1, "tasks": [{"task_id": "a", "ships": [{"id": 1}]}]}"#;
        assert_eq!(read(odd), Err(PackError::Task("a".to_owned())));
    }
}
