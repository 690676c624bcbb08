//! Reading what comes in as text, and how fast the planner works: a plan and a situation of 24 and
//! 59 ships, and slices of search. Run with `cargo bench --bench texts`.
#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark that cannot start says where; criterion's macros write undocumented items"
)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use quayside::berth::planner::{Planner, repaired};
use quayside::berth::{Task, plan, situation};
use serde_json::Value;
use std::hint::black_box;

/// Units of one slice, as the demonstration planner takes them.
const SLICE: u64 = 60_000;

fn task(ships: u32) -> Task {
    let path = format!("tests/cases/berth-bench/bench-{ships}.json");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let case: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    serde_json::from_value(case.get("task").unwrap().clone()).unwrap()
}

fn texts(criterion: &mut Criterion) {
    for ships in [24, 59] {
        let task = task(ships);
        let text = situation::write(&task);
        let plan_text = Value::String(repaired(&task, &[]).to_json(&task).to_string());

        let mut group = criterion.benchmark_group(format!("{ships} ships"));
        group.bench_function("plan text", |bench| {
            bench.iter(|| plan::read(black_box(&plan_text), &task));
        });
        group.bench_function("situation text read", |bench| {
            bench.iter(|| situation::read(black_box(&text)));
        });
        group.bench_function("situation text written", |bench| {
            bench.iter(|| situation::write(black_box(&task)));
        });
        group.bench_function("first draft", |bench| {
            bench.iter(|| repaired(black_box(&task), &[]));
        });
        group.throughput(Throughput::Elements(SLICE));
        group.bench_function("planner slice", |bench| {
            let mut warm = Planner::new(&task);
            warm.step(SLICE);
            bench.iter_batched_ref(
                || warm.clone(),
                |planner| planner.step(SLICE),
                BatchSize::SmallInput,
            );
        });
        group.finish();
    }
}

criterion_group!(benches, texts);
criterion_main!(benches);
