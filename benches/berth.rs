//! How long a check takes, and reading a plan: `cargo bench --bench berth`.
//!
//! Planners check thousands of plans, so a check of the 59-ship week is meant to stay below 10 µs.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a measurement stops at what it did not expect; criterion's macro documents nothing"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use quayside::berth::{Check, Checker, Plan, Scratch, Task, baseline, plan};
use serde_json::Value;
use std::hint::black_box;

fn week(name: &str) -> (Task, Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/berth-bench");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    let task = serde_json::from_value(file["task"].take()).unwrap();
    (task, file["plans"].take())
}

fn check(criterion: &mut Criterion) {
    for name in ["bench-24", "bench-59"] {
        let (task, plans) = week(name);
        let checker = Checker::new(&task);
        let (mut scratch, mut result) = (Scratch::default(), Check::default());
        for kind in ["naive", "shaken"] {
            let plan: Plan = plan::read(&plans[kind], &task).unwrap().plan;
            criterion.bench_function(&format!("check {name} {kind}"), |bencher| {
                bencher.iter(|| {
                    checker.check_into(black_box(&plan), &mut scratch, &mut result);
                    black_box(result.cost)
                });
            });
        }
    }
    let (task, plans) = week("bench-59");
    let checker = Checker::new(&task);
    let plan = plan::read(&plans["naive"], &task).unwrap().plan;
    criterion.bench_function("check bench-59 naive, nothing reused", |bencher| {
        bencher.iter(|| checker.check(black_box(&plan)));
    });
}

fn read(criterion: &mut Criterion) {
    let (task, plans) = week("bench-59");
    let text = Value::String(plans["naive"].to_string());
    criterion.bench_function("read bench-59 from text", |bencher| {
        bencher.iter(|| plan::read(black_box(&text), &task).unwrap());
    });
    criterion.bench_function("read bench-59 from a value", |bencher| {
        bencher.iter(|| plan::read(black_box(&plans["naive"]), &task).unwrap());
    });
}

fn prepare(criterion: &mut Criterion) {
    let (task, _) = week("bench-59");
    criterion.bench_function("prepare bench-59", |bencher| {
        bencher.iter(|| Checker::new(black_box(&task)));
    });
    let checker = Checker::new(&task);
    criterion.bench_function("naive re-plan bench-59", |bencher| {
        bencher.iter(|| baseline::naive(black_box(&task), &checker));
    });
}

criterion_group!(benches, check, read, prepare);
criterion_main!(benches);
