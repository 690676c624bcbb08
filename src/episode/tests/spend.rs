//! The spend limit: money where a price is known, tokens where none is.

use super::*;
use crate::chat::Usage;
use crate::provider::price::Price;
use crate::settings::{Limits, SpendLimit};

/// A dollar for a million tokens read, ten for as many written.
const PRICE: Price = Price {
    input: 1.0,
    output: 10.0,
    cache_read: 1.0,
    cache_write: 1.0,
    long: None,
};

fn bench(price: Option<Price>, spend: SpendLimit, turns: Vec<Turn>) -> Bench {
    Bench::new(Cast {
        setup: Setup {
            price,
            limits: Limits {
                tokens: 1_000,
                spend,
                ..Limits::default()
            },
            ..Cast::default().setup
        },
        turns,
        ..Cast::default()
    })
}

fn money(micros: u64) -> SpendLimit {
    SpendLimit {
        micros: Some(micros),
        tokens: Some(1),
    }
}

fn tokens(tokens: u64) -> SpendLimit {
    SpendLimit {
        micros: Some(1),
        tokens: Some(tokens),
    }
}

fn using(turn: Turn, input: u64, output: u64) -> Turn {
    Turn {
        usage: Usage {
            input,
            output,
            ..Usage::default()
        },
        ..turn
    }
}

/// Drives it until it is over, or `most` turns were made; the turns made.
fn drive(bench: &mut Bench, most: u32) -> u32 {
    bench.open();
    while bench.endings() == 0 && bench.rollout().record.turns < most {
        bench.turn();
        if bench.endings() == 0 {
            bench.answer();
        }
    }
    bench.rollout().record.turns
}

#[test]
fn a_limit_below_one_request_ends_the_run_before_the_first() {
    let mut bench = bench(Some(PRICE), money(10_000), Vec::new());
    bench.open();
    bench.assert_over(&EndReason::SpendLimit);
    assert!(bench.fetches.is_empty());
    bench.assert_deaf();
    let record = bench.rollout().record;
    assert_eq!(record.turns, 0);
    let error = error_text(&record);
    assert!(error.starts_with("spend_limit: the next request could take up to $0.010. With $0.00 spent so far, that could pass the spend limit of $0.010. "), "{error}");
}

#[test]
fn after_two_turns_the_third_could_pass_the_limit() {
    let turn = || using(check(), 5_000, 500);
    let mut bench = bench(Some(PRICE), money(35_000), vec![turn(), turn(), turn()]);
    assert_eq!(drive(&mut bench, 3), 2);
    bench.assert_over(&EndReason::SpendLimit);
    let record = bench.rollout().record;
    let error = error_text(&record);
    assert!(
        error.contains("With $0.020 spent so far") && error.contains("up to $0.016"),
        "{error}"
    );
    assert_eq!(record.end_reason.as_deref(), Some("spend_limit"));
}

#[test]
fn a_limit_that_just_fits_is_no_reason_to_stop() {
    let mut bench = bench(
        Some(PRICE),
        money(35_600),
        vec![using(check(), 5_000, 500); 3],
    );
    assert_eq!(drive(&mut bench, 3), 3);
}

#[test]
fn without_a_price_tokens_count() {
    let turn = || using(check(), 5_000, 500);
    let mut bench = bench(None, tokens(17_000), vec![turn(), turn(), turn()]);
    assert_eq!(drive(&mut bench, 3), 2);
    bench.assert_over(&EndReason::SpendLimit);
    let record = bench.rollout().record;
    let error = error_text(&record);
    assert!(error.contains("With 11,000 tokens spent so far"), "{error}");
    assert!(
        error.ends_with(
            "A price is not known for this model; the spend limit counts tokens instead"
        ),
        "{error}"
    );
}

#[test]
fn turns_without_a_token_count_are_estimated_and_that_is_said() {
    let long = Turn {
        reasoning: "x".repeat(3_000),
        ..check()
    };
    let mut bench = bench(None, tokens(4_000), vec![long.clone(), long.clone(), long]);
    assert_eq!(drive(&mut bench, 3), 2);
    bench.assert_over(&EndReason::SpendLimit);
    let record = bench.rollout().record;
    assert!(
        error_text(&record).contains("told no tokens"),
        "{}",
        error_text(&record)
    );
    assert_eq!(
        record.usage,
        Usage::default(),
        "the record holds what was told"
    );
}

#[test]
fn without_a_limit_nothing_is_counted() {
    let mut bench = bench(
        Some(PRICE),
        SpendLimit::default(),
        vec![using(check(), u64::MAX, u64::MAX); 3],
    );
    assert_eq!(drive(&mut bench, 3), 3);
}

#[test]
fn the_note_before_the_last_turn_is_not_said_when_that_turn_is_not_made() {
    let mut bench = bench(Some(PRICE), money(17_000), vec![using(check(), 5_000, 500)]);
    bench.episode.setup.limits.turns = 2;
    assert_eq!(drive(&mut bench, 2), 1);
    bench.assert_over(&EndReason::SpendLimit);
    assert_ne!(bench.said().last().unwrap(), Words::Plans.last_turn());
}
