//! How long a chart takes to make: `cargo bench --bench chart`.
//!
//! While a draft is dragged or replayed, shapes, layout and marks of 59 ships on 16 days are made
//! once a frame, so all of it together is meant to stay far below 8 ms.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a measurement stops at what it did not expect; criterion's macro documents nothing"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use quayside::berth::{Checker, Plan, Task, plan};
use quayside::view::chart::{Chart, ChartInput, Layer, Layout, export, picture, summary, table};
use serde_json::Value;
use std::hint::black_box;

fn week() -> (Task, Plan, Plan) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/cases/berth-bench/bench-59.json"
    );
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let task: Task = serde_json::from_value(file["task"].take()).unwrap();
    let read = |value: &Value| plan::read(value, &task).unwrap().plan;
    let plans = (
        read(&file["plans"]["naive"]),
        read(&file["plans"]["shaken"]),
    );
    (task, plans.0, plans.1)
}

fn chart(criterion: &mut Criterion) {
    let (task, naive, shaken) = week();
    let checker = Checker::new(&task);
    let (check, older) = (checker.check(&shaken), checker.check(&naive));
    let input = ChartInput::plan(&task, &shaken, Some(&check), Layer::Draft(2));
    criterion.bench_function("chart 59 ships", |bencher| {
        bencher.iter(|| Chart::new(black_box(&input)));
    });
    let since = input.since(&naive, Some(&older));
    criterion.bench_function("chart 59 ships, difference", |bencher| {
        bencher.iter(|| Chart::new(black_box(&since)));
    });
    let chart = Chart::new(&since);
    criterion.bench_function("picture 59 ships", |bencher| {
        bencher.iter(|| picture(black_box(&chart), &Layout::new(&chart, 6.0)));
    });
    criterion.bench_function("hour line 59 ships", |bencher| {
        bencher.iter(|| {
            (
                table::states(black_box(&chart), 110),
                summary::at_hour(&chart, 110),
            )
        });
    });
    criterion.bench_function("first picture 59 ships", |bencher| {
        bencher.iter(|| export::static_svg(black_box(&chart)));
    });
}

criterion_group!(benches, chart);
criterion_main!(benches);
