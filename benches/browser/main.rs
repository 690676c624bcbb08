//! What the page's hot work costs in Chromium, compiled as the page is:
//!
//! ```text
//! cargo test --release --target wasm32-unknown-unknown --bench browser -- --nocapture
//! ```
//!
//! Each line is the mean of many rounds; ratios between two builds say more than the times.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a measurement that cannot go on says so by stopping"
)]
#![allow(
    clippy::disallowed_methods,
    clippy::similar_names,
    reason = "it stands in the page and measures it from outside"
)]

mod stream;
#[path = "../streams/mod.rs"]
mod streams;

use quayside::berth::{Check, Checker, Plan, Task, plan, rules::Scratch, situation};
use serde_json::Value;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const CASES: [(&str, &str); 2] = [
    (
        "24 ships",
        include_str!("../../tests/cases/berth-bench/bench-24.json"),
    ),
    (
        "59 ships",
        include_str!("../../tests/cases/berth-bench/bench-59.json"),
    ),
];

/// Microseconds a round, over at least half a second.
fn measure(mut round: impl FnMut()) -> f64 {
    let begin = js_sys::Date::now();
    let mut rounds = 0_u32;
    while js_sys::Date::now() - begin < 500.0 {
        for _ in 0..20 {
            round();
        }
        rounds += 20;
    }
    (js_sys::Date::now() - begin) * 1000.0 / f64::from(rounds)
}

fn case(text: &str) -> (Task, Value, Plan) {
    let case: Value = serde_json::from_str(text).unwrap();
    let task: Task = serde_json::from_value(case["task"].clone()).unwrap();
    let raw = case["plans"]["naive"].clone();
    let plan = plan::read(&raw, &task).unwrap().plan;
    (task, raw, plan)
}

#[wasm_bindgen_test]
fn hot_work_in_the_page() {
    for (name, text) in CASES {
        let (task, raw, plan) = case(text);
        let checker = Checker::new(&task);
        let (mut scratch, mut check) = (Scratch::default(), Check::default());
        let full = measure(|| checker.check_into(&plan, &mut scratch, &mut check));
        assert!(check.feasible, "the plan that is measured is a sound one");
        let text = Value::String(raw.to_string());
        let reading = measure(|| assert!(plan::read(&text, &task).is_ok()));
        let words = situation::write(&task);
        let task_text = measure(|| assert!(situation::read(&words).is_ok()));
        console_log!(
            "{name}: full check {full:.1} µs, plan text {reading:.0} µs, situation text {task_text:.0} µs"
        );
    }
}

/// Answers of model APIs, from bytes to the turn: megabytes a second, and times that must grow no
/// faster than what is read.
#[wasm_bindgen_test]
fn answers_in_the_page() {
    for service in streams::SERVICES {
        let chunk = 16 << 10;
        let bytes = streams::events(service, 12_000).concat().into_bytes();
        let time = slow(|| {
            streams::decode(service, bytes.chunks(chunk));
        });
        let rate = bytes.len() as f64 / time / 1000.0;
        let pieces = [10_000, 100_000].map(|events| {
            let events = streams::events(service, events);
            slow(|| {
                streams::decode(service, events.iter().map(String::as_bytes));
            })
        });
        let lines = [1, 10].map(|megabytes| {
            let bytes = streams::long_line(service, megabytes).into_bytes();
            slow(|| {
                streams::decode(service, bytes.chunks(chunk));
            })
        });
        let ([few, many], [short, long]) = (pieces, lines);
        console_log!(
            "{service}: {rate:.0} MB/s; 10,000 pieces {few:.0} ms, 100,000 {many:.0} ms; \
             a line of 1 MB {short:.1} ms, of 10 MB {long:.0} ms"
        );
    }
}

/// Milliseconds a round, over at least half a second.
fn slow(mut round: impl FnMut()) -> f64 {
    let begin = js_sys::Date::now();
    let mut rounds = 0_u32;
    while js_sys::Date::now() - begin < 500.0 {
        round();
        rounds += 1;
    }
    (js_sys::Date::now() - begin) / f64::from(rounds)
}
