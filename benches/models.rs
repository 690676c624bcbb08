//! How fast the answers of model APIs are read, from bytes to the turn, and that the time grows no
//! faster than they do. Run with `cargo bench --bench models`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark that cannot start says where; criterion's macros write undocumented items"
)]

mod streams;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// Bytes a chunk, as a network brings them.
const CHUNK: usize = 16 << 10;

fn decoders(criterion: &mut Criterion) {
    for service in streams::SERVICES {
        let mut group = criterion.benchmark_group(service);
        group.sample_size(20);

        let bytes = streams::events(service, 12_000).concat().into_bytes();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("a turn in small pieces", |bench| {
            bench.iter(|| streams::decode(service, black_box(&bytes).chunks(CHUNK)));
        });

        for events in [10_000, 100_000] {
            let events_alone = streams::events(service, events);
            let size: usize = events_alone.iter().map(String::len).sum();
            group.throughput(Throughput::Bytes(size as u64));
            group.bench_function(format!("{events} pieces, a chunk each"), |bench| {
                bench.iter(|| streams::decode(service, events_alone.iter().map(String::as_bytes)));
            });
        }

        for megabytes in [1, 10] {
            let bytes = streams::long_line(service, megabytes).into_bytes();
            assert!(bytes.len() > megabytes << 20);
            group.throughput(Throughput::Bytes(bytes.len() as u64));
            group.bench_function(format!("one line of {megabytes} MB"), |bench| {
                bench.iter(|| streams::decode(service, black_box(&bytes).chunks(CHUNK)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, decoders);
criterion_main!(benches);
