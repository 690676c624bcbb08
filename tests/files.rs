//! Files that hold rollouts, or something else: what opening each of them must give.
//!
//! Walks `tests/cases/files/*.json` by itself; a file added there is a test added. The format is
//! told in that folder's README.

#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it did not expect"
)]

use quayside::rollout::{Found, Opened, Source, Spot, Trouble, open, open_at};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// Fewer cases than this means the folder was not found whole.
const AT_LEAST: usize = 25;

fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let value = serde_json::from_str(&fs::read_to_string(path).unwrap()).expect(&name);
        (name, value)
    };
    paths.iter().map(read).collect()
}

fn bytes(file: &Value) -> Vec<u8> {
    if let Some(hex) = file.get("hex") {
        let hex = hex.as_str().unwrap().replace(' ', "");
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        return (0..hex.len()).step_by(2).map(byte).collect();
    }
    let one = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match (&file["lines"], &file["json"]) {
        (Value::Array(lines), _) => lines.iter().map(|line| one(line) + "\n").collect(),
        (_, Value::Null) => file["text"]
            .as_str()
            .expect("text, lines, json or hex")
            .into(),
        (_, json) => json.to_string(),
    }
    .into_bytes()
}

fn found(found: &Found) -> Value {
    let mut all = found.rollout.to_json();
    let map = all.as_object_mut().unwrap();
    map.insert("file".into(), json!(found.file));
    match found.spot {
        Spot::Whole => None,
        Spot::Line(number) => map.insert("line".into(), json!(number)),
        Spot::Entry(number) => map.insert("entry".into(), json!(number)),
    };
    all
}

fn opened(case: &Value) -> Value {
    let files: Vec<(String, Vec<u8>)> = case["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| (file["name"].as_str().unwrap().to_owned(), bytes(file)))
        .collect();
    let sources: Vec<Source<'_>> = files
        .iter()
        .map(|(name, bytes)| Source { name, bytes })
        .collect();
    let opened = match case["at"].as_u64() {
        None => open(&sources),
        Some(number) => match open_at(&sources[0], number as usize) {
            Ok(found) => Opened {
                found: vec![found],
                ..Opened::default()
            },
            Err(trouble) => Opened {
                troubles: vec![trouble],
                ..Opened::default()
            },
        },
    };
    let run = |run: &quayside::rollout::Run| json!({"file": run.file, "facts": run.facts, "listed": run.listed, "present": run.present});
    json!({
        "found": opened.found.iter().map(found).collect::<Vec<_>>(),
        "runs": opened.runs.iter().map(run).collect::<Vec<_>>(),
        "troubles": opened.troubles.iter().map(Trouble::to_string).collect::<Vec<_>>(),
    })
}

/// What of `expected` is not in `given`: lists item by item, of objects the fields that are named.
fn differences(path: &str, given: &Value, expected: &Value, out: &mut Vec<String>) {
    match (given, expected) {
        (Value::Object(given), Value::Object(expected)) => {
            for (name, expected) in expected {
                let given = given.get(name).unwrap_or(&Value::Null);
                differences(&format!("{path}/{name}"), given, expected, out);
            }
        }
        (Value::Array(given), Value::Array(expected)) if given.len() == expected.len() => {
            for (at, (given, expected)) in given.iter().zip(expected).enumerate() {
                differences(&format!("{path}/{at}"), given, expected, out);
            }
        }
        _ if given == expected => {}
        _ => out.push(format!("{path}: {given}, and {expected} was expected")),
    }
}

#[test]
fn every_case_opens_as_it_says() {
    let cases = cases();
    assert!(cases.len() >= AT_LEAST, "{} cases", cases.len());
    let mut out = Vec::new();
    for (name, case) in &cases {
        assert!(case["why"].is_string(), "{name} does not say why");
        let mut expected = Map::new();
        for part in ["found", "runs", "troubles"] {
            let given = case.get(part).cloned().unwrap_or_else(|| json!([]));
            expected.insert(part.into(), given);
        }
        differences(name, &opened(case), &Value::Object(expected), &mut out);
    }
    assert!(out.is_empty(), "\n{}\n", out.join("\n"));
}
