//! Exported trajectories, read and checked by the Python packages that use them.
//!
//! `tests/atif_check.py` says what is checked. It needs the environments that `scripts/setup check` makes.

#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it did not expect"
)]

use quayside::rollout::{Record, atif};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A folder of trials that is gone when the test is over.
struct Trials(PathBuf);

impl Trials {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Puts a trajectory where Harbor leaves one, and its record beside it.
    fn add(&self, name: &str, trajectory: &str, record: &Value) {
        let folder = self.0.join(name);
        fs::create_dir_all(folder.join("agent")).unwrap();
        fs::write(folder.join("agent/trajectory.json"), trajectory).unwrap();
        fs::write(folder.join("record.json"), record.to_string()).unwrap();
    }

    /// Has all of them checked: name and faults, by name.
    fn check(&self) -> Vec<(String, Vec<String>)> {
        let python = Path::new(ROOT).join("target/venv/current/bin/python");
        assert!(
            python.exists(),
            "there is no {}, which has openenv: run `scripts/setup check`",
            python.display()
        );
        let mut folders: Vec<PathBuf> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        folders.sort();
        let output = Command::new(python)
            .arg(Path::new(ROOT).join("tests/atif_check.py"))
            .args(&folders)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "the checker itself failed (is openenv the one that scripts/setup installs?):\n{errors}"
        );
        let text = String::from_utf8(output.stdout).unwrap();
        let line = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            let faults = line["faults"].as_array().unwrap().iter();
            let faults = faults
                .map(|fault| fault.as_str().unwrap().to_owned())
                .collect();
            (line["folder"].as_str().unwrap().to_owned(), faults)
        };
        let lines: Vec<_> = text.lines().map(line).collect();
        assert_eq!(lines.len(), folders.len(), "{text}");
        lines
    }
}

impl Drop for Trials {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The recorded episodes, by name.
fn recorded() -> Vec<(String, Value)> {
    let folder = Path::new(ROOT).join("tests/cases/episodes");
    let mut all: Vec<(String, Value)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .map(|path| {
            let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, file["record"].clone())
        })
        .collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(all.len() >= 6);
    all
}

/// Records that no loop of ours writes.
fn strange() -> Vec<(String, Value)> {
    let call =
        |id: &str, arguments: &str| json!({"id": id, "name": "check_plan", "arguments": arguments});
    let answer = |id: &str| json!({"role": "tool", "tool_call_id": id, "name": "check_plan", "content": "{}"});
    let all = [
        ("empty", json!([])),
        (
            "ids-twice",
            json!([
                {"role": "assistant", "tool_calls": [call("x", "{}"), call("x", "[1"), call("", ""), call("call_1", "7")]},
                answer("x"), answer("x"), answer("call_1"), answer("nobody's"),
                {"role": "assistant", "tool_calls": [call("x", "{}")]}, {"role": "user", "content": "?"}, answer("x"),
            ]),
        ),
        (
            "answers-first",
            json!([answer("a"), {"role": "developer", "content": [1]}, 7, answer("b")]),
        ),
        (
            "signs",
            json!([{"role": "user", "content": "\u{0}\u{feff}\u{2028}\u{fffd}🚢 </script>"}, {"role": "assistant", "content": "", "reasoning": " "}]),
        ),
    ];
    let mut all: Vec<(String, Value)> = all
        .into_iter()
        .map(|(name, messages)| {
            (
                name.to_owned(),
                json!({"messages": messages, "steps": [], "started": "2024-02-30T00:00:00Z"}),
            )
        })
        .collect();
    all.push((
        "plans-only".into(),
        json!({"messages": [], "steps": [{"tool": "check_plan", "plan": "[]", "result": {}}]}),
    ));
    all
}

/// A record with each of its values, one at a time, replaced by something else.
fn spoilt(record: &Value) -> Vec<Value> {
    let mut paths = Vec::new();
    paths_of(record, String::new(), &mut paths);
    let others = [
        json!(null),
        json!(-1.5),
        json!("x\u{0}"),
        json!([{}]),
        json!({"plan": {"id": []}}),
    ];
    let all = paths
        .iter()
        .filter(|path| !path.is_empty())
        .flat_map(|path| {
            others.iter().map(move |other| {
                let mut record = record.clone();
                *record.pointer_mut(path).unwrap() = other.clone();
                record
            })
        });
    all.filter(|record| Record::from_json(record).is_ok())
        .collect()
}

fn paths_of(value: &Value, here: String, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                paths_of(item, format!("{here}/{at}"), out);
            }
        }
        Value::Object(map) => {
            for (name, item) in map {
                paths_of(
                    item,
                    format!("{here}/{}", name.replace('~', "~0").replace('/', "~1")),
                    out,
                );
            }
        }
        _ => {}
    }
    out.push(here);
}

#[test]
fn openenv_reads_and_reconciles_what_is_exported() {
    let trials = Trials::new("atif-good");
    let mut records = recorded();
    records.extend(strange());
    for (number, record) in spoilt(&records[2].1).into_iter().enumerate() {
        records.push((format!("spoilt-{number:03}"), record));
    }
    assert!(records.len() > 300, "{} records", records.len());
    for (name, record) in &records {
        // The check counts turns, so it gets the record as it was read.
        let record = Record::from_json(record).expect(name);
        trials.add(name, &atif::atif(&record).to_string(), &record.to_json());
    }
    for (name, faults) in trials.check() {
        assert_eq!(faults, [""; 0], "{name}");
    }
}

/// Something that breaks a trajectory.
type Damage = fn(&mut Value);

/// What is done to a good trajectory, and what the check says to it.
const DAMAGES: [(&str, Damage, &str); 17] = [
    (
        "a-version",
        |t| t["schema_version"] = json!("ATIF-v0.9"),
        "schema_version is not",
    ),
    (
        "b-field",
        |t| t["reward"] = json!(1),
        "trajectory.reward is not in the format",
    ),
    (
        "c-agent",
        |t| t["agent"] = json!({"name": "x"}),
        "agent.version is missing",
    ),
    ("d-no-steps", |t| t["steps"] = json!([]), "steps is empty"),
    (
        "e-order",
        |t| t["steps"][1]["step_id"] = json!(3),
        "steps[1].step_id is not 2",
    ),
    (
        "f-source",
        |t| t["steps"][0]["source"] = json!("tool"),
        "source is none of the three",
    ),
    (
        "g-reasoning",
        |t| t["steps"][1]["reasoning_content"] = json!("x"),
        "only for steps of the agent",
    ),
    (
        "h-arguments",
        |t| t["steps"][2]["tool_calls"][0]["arguments"] = json!("{}"),
        "arguments is no object",
    ),
    (
        "i-reference",
        |t| t["steps"][2]["observation"]["results"][0]["source_call_id"] = json!("x"),
        "names no call of this step",
    ),
    (
        "j-time",
        |t| t["steps"][0]["timestamp"] = json!("yesterday"),
        "timestamp is no ISO 8601",
    ),
    (
        "k-total",
        |t| t["final_metrics"]["total_steps"] = json!(99),
        "is not the number of steps",
    ),
    (
        "l-tokens",
        |t| t["final_metrics"]["total_prompt_tokens"] = json!("many"),
        "is no whole number",
    ),
    (
        "m-message",
        |t| t["steps"][0]["message"] = json!(null),
        "message is no text",
    ),
    (
        "n-same-id",
        |t| {
            let id = t["steps"][2]["tool_calls"][0]["tool_call_id"].clone();
            t["steps"][3]["tool_calls"][0]["tool_call_id"] = id;
        },
        "was used before",
    ),
    (
        "o-call-lost",
        |t| {
            t["steps"].as_array_mut().unwrap().pop();
        },
        "openenv: [INFO] atif_extra_calls",
    ),
    (
        "p-call-invented",
        |t| {
            let step = t["steps"][3].clone();
            t["steps"].as_array_mut().unwrap().push(step);
        },
        "openenv: [WARN] atif_calls_missing",
    ),
    (
        "q-tokens",
        |t| t["steps"][2]["metrics"] = json!({"completion_tokens": 99}),
        "[FATAL] turn_mismatch",
    ),
];

#[test]
fn the_check_finds_what_is_wrong() {
    let trials = Trials::new("atif-broken");
    let record = recorded().remove(1).1;
    let good = atif::atif(&Record::from_json(&record).unwrap());
    let mut expected = Vec::new();
    for (name, damage, fault) in DAMAGES {
        let mut broken = good.clone();
        damage(&mut broken);
        assert_ne!(broken, good, "{name}");
        trials.add(name, &broken.to_string(), &record);
        expected.push((name, fault));
    }
    let cut = good.to_string();
    trials.add("r-cut", &cut[..cut.len() / 2], &record);
    expected.push(("r-cut", "openenv finds no trajectory"));
    trials.add("s-list", "[1]", &record);
    expected.push(("s-list", "the check stopped"));
    for ((name, faults), (expected, fault)) in trials.check().iter().zip(&expected) {
        assert_eq!(name, expected);
        assert!(
            faults.iter().any(|found| found.contains(fault)),
            "{name}: {faults:?}"
        );
    }
}
