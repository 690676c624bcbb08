//! Plans as models send them: any text, any JSON. Each is read for three built-in tasks and checked.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quayside::berth::plan;
use quayside::berth::{Checker, Task, grade, pack};
use quayside::wire::json::compact;
use quayside_fuzz::Bytes;
use serde_json::Value;
use std::sync::LazyLock;

static TASKS: LazyLock<Vec<(Task, Checker)>> = LazyLock::new(|| {
    let all = pack::read(include_str!("../../data/tasks/pack.json")).expect("the pack is whole");
    let mut tasks = vec![pack::first()];
    // One without cranes, and a large one.
    let named = |id: &str| all.iter().find(|task| task.task_id == id).cloned();
    tasks.extend(["standard-02", "extreme-06"].map(|id| named(id).expect("it is in the pack")));
    let prepared = tasks.into_iter().map(|task| {
        let checker = Checker::new(&task);
        (task, checker)
    });
    prepared.collect()
});

const WORDS: [&str; 16] = [
    "ship",
    "berth_hour",
    "hour",
    "section",
    "cranes",
    "plan",
    "name",
    "id",
    "berth",
    "start",
    "0",
    "7",
    "4.0",
    "-0",
    "1e3",
    "DOVANE ARC",
];

fuzz_target!(|bytes: &[u8]| {
    let value = Bytes(bytes).value(&WORDS, 6);
    for (task, checker) in TASKS.iter() {
        look(&value, task, checker);
        let text = compact(&value);
        // As in the reference, backticks are taken for a fence even inside a JSON text.
        if !value.is_string() && !text.contains("```") {
            assert_eq!(
                plan::read(&text.into(), task),
                plan::read(&value, task),
                "as text it is another"
            );
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            look(&text.into(), task, checker);
        }
    }
    if let Ok(value) = serde_json::from_slice(bytes) {
        let (task, checker) = &TASKS[0];
        look(&value, task, checker);
    }
});

fn look(value: &Value, task: &Task, checker: &Checker) {
    let reading = match plan::read(value, task) {
        Ok(reading) => reading,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.kind().is_empty());
            return;
        }
    };
    assert_eq!(reading.plan.slots.len(), task.ships.len());
    assert!(reading.problems.len() <= task.ships.len() * 4 + 10);

    let written = reading.plan.to_json(task);
    let again = plan::read(&written, task).expect("a plan of ours");
    assert_eq!(again.plan, reading.plan, "written it is another plan");
    assert_eq!(again.problems, []);

    let check = checker.check(&reading.plan);
    assert_eq!(check.ships.len(), task.ships.len());
    assert_eq!(check.feasible, check.violations.is_empty());
    assert_eq!(check.feasible, check.cost.is_some());
    assert!(check.clean_ships() <= task.ships.len());
    let grade = grade::grade(task, &check, reading.problems.len());
    assert!((0.0..=1.0).contains(&grade.reward), "{grade:?}");
    assert!((0.0..=1.0).contains(&grade.clean_fraction), "{grade:?}");
    assert!(!grade.feasible || reading.problems.is_empty());
    if !grade.feasible {
        assert!(grade.reward <= 0.2, "{grade:?}");
    }
}
