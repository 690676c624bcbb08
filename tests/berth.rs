//! Recorded berth plans: what reading, checking and grading each of them must give.
//!
//! Walks `tests/cases/berth/*.json` by itself; a file added there is a test added. The format is
//! told in that folder's README.

#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "a test stops at what it did not expect"
)]

#[path = "berth/grid.rs"]
mod grid;

use quayside::berth::{Checker, ParseError, Plan, Reading, Task, baseline, grade, plan};
use serde_json::{Value, json};
use std::fmt::Debug;
use std::fs;
use std::path::Path;

/// Fewer cases than this means the folder was not found whole.
const AT_LEAST: usize = 500;

/// Cases in which this reader differs from the recording program; `plan/reader.rs` says why.
const DIFFERENT: [(&str, &str); 9] = [
    ("form-quirk-overflowing-float", "invalid_json"),
    ("form-quirk-infinity", "invalid_json"),
    ("form-quirk-nan", "invalid_json"),
    ("form-quirk-400-digit-ship", "invalid_json"),
    ("form-quirk-thirty-digit-integer", "out_of_range"),
    ("form-quirk-fullwidth-ship", "unknown_ship"),
    ("form-quirk-fullwidth-digits", "bad_number"),
    ("form-quirk-underscore-digits", "bad_number"),
    ("form-quirk-plus-digits", "bad_number"),
];

/// One file of cases.
struct File {
    name: String,
    task: Task,
    reference: Value,
    cases: Vec<Value>,
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/berth");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let mut file: Value = serde_json::from_str(&text).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let reference = file["reference"].take();
        file["task"]["reference"] = reference.clone();
        let task: Task = serde_json::from_value(file["task"].take()).expect(&name);
        assert!(task.reference.is_some(), "{name}");
        File {
            name,
            task,
            reference,
            cases: file["cases"].as_array().unwrap().clone(),
        }
    };
    paths.iter().map(read).collect()
}

/// What differs from what was expected, gathered over all cases.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn expect<T: PartialEq + Debug>(&mut self, place: &str, what: &str, given: T, expected: T) {
        if given != expected {
            let line = format!("{place}: {what} is {given:?}, expected {expected:?}");
            self.0.push(line);
        }
    }

    fn expect_near(&mut self, place: &str, what: &str, given: f64, expected: &Value, within: f64) {
        let expected = expected.as_f64().unwrap();
        if (given - expected).abs() > within {
            let line = format!("{place}: {what} is {given}, expected {expected}");
            self.0.push(line);
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}

fn kinds(reading: &Reading) -> Value {
    reading.problems.iter().map(|p| p.kind).collect()
}

#[test]
fn every_recorded_plan_reads_checks_and_grades_as_recorded() {
    let mut differences = Differences::default();
    let mut count = 0;
    for file in files() {
        let checker = Checker::new(&file.task);
        for case in &file.cases {
            let place = format!("{} / {}", file.name, case["name"].as_str().unwrap());
            compare(&mut differences, &place, (&file.task, &checker), case);
            count += 1;
        }
    }
    differences.none();
    assert!(count >= AT_LEAST, "only {count} cases were found");
}

fn compare(
    differences: &mut Differences,
    place: &str,
    (task, checker): (&Task, &Checker),
    case: &Value,
) {
    let reading = plan::read(&case["raw_plan"], task);
    let error = reading.as_ref().err().map(ParseError::kind);
    if let Some((_, kind)) = DIFFERENT.iter().find(|known| case["name"] == known.0) {
        assert!(case.get("quirk").is_some(), "{place} is no quirk");
        let problem = reading.iter().find_map(|reading| reading.problems.first());
        let given = error.or(problem.map(|problem| problem.kind));
        differences.expect(place, "documented difference", given, Some(*kind));
        return;
    }
    let expected = &case["expect"];
    let parse = &expected["parse"];
    differences.expect(place, "parse error", json!(error), parse["error"].clone());
    let given = reading.as_ref().map_or(json!([]), kinds);
    differences.expect(place, "problems", given, parse["problems"].clone());
    let written = reading
        .as_ref()
        .ok()
        .map(|reading| reading.plan.to_json(task));
    differences.expect(place, "plan", json!(written), expected["plan"].clone());
    if let Ok(reading) = &reading {
        compare_check(
            differences,
            place,
            (task, checker),
            reading,
            &expected["check"],
        );
    }
    let graded = match reading {
        Ok(reading) => (reading.plan, reading.problems.len()),
        Err(_) => (Plan::empty(task.ships.len()), 1),
    };
    compare_grade(
        differences,
        place,
        (task, checker),
        graded,
        &expected["grade"],
    );
}

fn compare_check(
    differences: &mut Differences,
    place: &str,
    (task, checker): (&Task, &Checker),
    reading: &Reading,
    expected: &Value,
) {
    let check = checker.check(&reading.plan);
    let feasible = check.feasible && reading.problems.is_empty();
    let given = json!({
        "feasible": feasible, "cost": check.cost, "delay_cost": check.delay_cost,
        "moves": check.moves, "violations": check.violations.len(),
    });
    let mut totals = expected.clone();
    let ships = totals.as_object_mut().unwrap().remove("ships").unwrap();
    differences.expect(place, "check", given, totals);
    for (id, expected) in ships.as_array().unwrap().iter().enumerate() {
        let result = check.ships[id];
        let slot = reading.plan.slot(id);
        let cranes = slot.filter(|_| task.has_cranes()).map(|slot| slot.cranes);
        let mut given = json!({
            "ship": id, "departure": result.placed.then_some(result.departure),
            "delay_h": result.delay, "moved": result.moved, "cost": result.cost,
            "cranes": cranes,
        });
        let mut expected = expected.clone();
        let mut problems: Vec<String> =
            serde_json::from_value(expected["problems"].take()).unwrap();
        problems.sort_unstable();
        let mut kinds: Vec<&str> = check.of(id).map(|v| v.rule.kind().as_str()).collect();
        kinds.sort_unstable();
        given["problems"] = Value::Null;
        differences.expect(place, "ship", given, expected);
        differences.expect(place, &format!("ship {id}"), json!(kinds), json!(problems));
        for violation in check.of(id) {
            let text = violation.text(task);
            assert!(text.contains(&task.ships[id].name), "{place}: {text}");
        }
    }
}

fn compare_grade(
    differences: &mut Differences,
    place: &str,
    (task, checker): (&Task, &Checker),
    (plan, problems): (Plan, usize),
    expected: &Value,
) {
    let check = checker.check(&plan);
    let own = grade(task, &check, problems);
    let given = json!([own.feasible, own.cost, own.delay_cost, own.moves]);
    let keys = ["feasible", "cost", "delay_cost", "moves"];
    let wanted = keys.iter().map(|key| expected[*key].clone()).collect();
    differences.expect(place, "grade", given, wanted);
    let clean = &expected["clean_fraction"];
    differences.expect_near(place, "clean_fraction", own.clean_fraction, clean, 1e-4);
    differences.expect_near(place, "reward", own.reward, &expected["own_reward"], 1e-6);
    for version in [1, 2, 3] {
        let mut task = task.clone();
        task.rules.reward = Some(version);
        let given = grade(&task, &check, problems);
        let key = version.to_string();
        let what = format!("quality of version {version}");
        differences.expect_near(
            place,
            &what,
            given.quality,
            &expected["quality"][&key],
            1e-6,
        );
        let what = format!("reward of version {version}");
        differences.expect_near(place, &what, given.reward, &expected["reward"][&key], 1e-6);
    }
}

#[test]
fn the_floor_is_the_recorded_one() {
    let mut differences = Differences::default();
    for file in files() {
        let floor = Checker::new(&file.task).floor();
        differences.expect(
            &file.name,
            "floor",
            json!(floor),
            file.reference["floor"].clone(),
        );
    }
    differences.none();
}

#[test]
fn simple_plans_are_the_recorded_ones() {
    let mut differences = Differences::default();
    for file in files() {
        let checker = Checker::new(&file.task);
        let recorded = |name: &str| {
            let case = file.cases.iter().find(|case| case["name"] == name);
            case.map_or(Value::Null, |case| case["expect"]["plan"].clone())
        };
        let written = |plan: Option<Plan>| json!(plan.map(|plan| plan.to_json(&file.task)));
        let naive = baseline::naive(&file.task, &checker);
        let cost = naive.as_ref().and_then(|plan| checker.check(plan).cost);
        let expected = &file.reference;
        differences.expect(
            &file.name,
            "naive cost",
            json!(cost),
            expected["naive_cost"].clone(),
        );
        let given = written(naive);
        differences.expect(&file.name, "naive", given, expected["naive_plan"].clone());
        let given = written(baseline::greedy(&file.task, &checker));
        differences.expect(&file.name, "greedy", given, recorded("greedy"));
        let given = written(baseline::one_after_another(&file.task, &checker));
        differences.expect(
            &file.name,
            "one by one",
            given,
            recorded("one-after-another"),
        );
        let given = baseline::published(&file.task).to_json(&file.task);
        differences.expect(&file.name, "published", given, recorded("published"));
    }
    differences.none();
}

#[test]
fn the_optimal_plan_costs_what_is_recorded() {
    let mut differences = Differences::default();
    for file in files() {
        let reading = plan::read(&file.reference["optimal_plan"], &file.task).unwrap();
        let check = Checker::new(&file.task).check(&reading.plan);
        let expected = file.reference["optimal_cost"].as_i64();
        if file.name.starts_with("stale") {
            let beaten = check.cost < expected;
            differences.expect(&file.name, "stored optimum beaten", beaten, true);
        } else {
            differences.expect(&file.name, "optimal cost", check.cost, expected);
        }
        let naive: Vec<_> = file.task.reference.unwrap().naive_plan;
        assert_eq!(naive.len(), file.task.ships.len(), "{}", file.name);
    }
    differences.none();
}

#[test]
fn every_recorded_task_is_sound() {
    for file in files() {
        assert_eq!(file.task.problems(), [], "{}", file.name);
    }
}
