//! Turns, the wall clock, pauses.

use super::*;
use crate::settings::Limits;
use crate::wire::Millis;

fn with_limits(limits: Limits, turns: Vec<Turn>) -> Bench {
    Bench::new(Cast {
        setup: Setup {
            limits,
            ..Cast::default().setup
        },
        turns,
        ..Cast::default()
    })
}

fn turns(most: u32) -> Limits {
    Limits {
        turns: most,
        ..Limits::default()
    }
}

#[test]
fn the_last_turn_is_announced_and_then_the_turns_are_used_up() {
    let mut bench = with_limits(turns(2), vec![check(), check()]);
    bench.open();
    bench.turn();
    bench.answer();
    assert_eq!(bench.said().last().unwrap(), Words::Plans.last_turn());
    bench.turn();
    bench.answer();
    bench.assert_over(&EndReason::TurnLimit);
    let told = bench.log.borrow().told.clone();
    assert!(told[1].ends_with(&turns_left(1)));
    assert!(told.last().unwrap().ends_with(&turns_left(0)));
}

#[test]
fn a_run_of_one_turn_begins_with_its_last() {
    let mut bench = with_limits(turns(1), vec![talk()]);
    bench.open();
    assert_eq!(bench.said().len(), 2);
    bench.turn();
    bench.assert_over(&EndReason::NoToolCall);
    assert_eq!(bench.said().len(), 2);
}

#[test]
fn a_run_without_turns_ends_before_the_model_is_asked() {
    let mut bench = with_limits(turns(0), Vec::new());
    bench.open();
    bench.assert_over(&EndReason::TurnLimit);
}

#[test]
fn no_turn_begins_after_the_wall_clock() {
    let mut bench = with_limits(Limits::default(), vec![check()]);
    bench.open();
    bench.pass(1_800_001);
    bench.turn();
    bench.answer();
    bench.assert_over(&EndReason::WallClock);
    assert_eq!(bench.rollout().record.turns, 1);
    assert_eq!(bench.rollout().record.errors, [""; 0]);
}

#[test]
fn a_turn_that_hangs_is_given_up_one_answer_time_after_the_wall_clock() {
    let mut bench = with_limits(Limits::default(), Vec::new());
    bench.open();
    let began = bench.io.now;
    bench.http(HttpEvent::Bytes(b"Well".to_vec()));
    bench.ring();
    assert_eq!(bench.io.now.since(began), Millis(2_100_000));
    bench.assert_over(&EndReason::WallClock);
    bench.assert_deaf();
}

#[test]
fn a_wall_clock_that_rings_early_is_wound_again() {
    let mut bench = with_limits(Limits::default(), Vec::new());
    bench.open();
    let clock = *bench.timers.keys().next().unwrap();
    bench.report(&Input::Timer(clock));
    assert_eq!(bench.endings(), 0);
    assert_eq!(bench.timers.len(), 1);
}

#[test]
fn a_pause_holds_before_the_next_turn_and_takes_no_time_from_the_run() {
    let mut bench = with_limits(Limits::default(), vec![check(), check()]);
    bench.open();
    bench.command(Command::Pause);
    assert!(bench.episode.will_pause() && !bench.episode.is_paused());
    bench.turn();
    assert!(
        !bench.episode.is_paused(),
        "a call of the turn is answered first"
    );
    bench.answer();
    assert!(bench.episode.is_paused());
    assert_eq!(bench.rollout().waiting, Some(Waiting::Person));
    assert!(bench.fetches.is_empty() && bench.timers.is_empty());
    bench.pass(10_000_000);
    bench.command(Command::Resume);
    bench.command(Command::Resume);
    assert_eq!(bench.fetches.len(), 1);
    bench.turn();
    bench.answer();
    assert_eq!(bench.endings(), 0);
    assert_eq!(bench.rollout().turn, 3);
}

#[test]
fn a_pause_taken_back_in_time_holds_nothing() {
    let mut bench = with_limits(Limits::default(), vec![talk()]);
    bench.open();
    bench.command(Command::Pause);
    bench.command(Command::Resume);
    bench.turn();
    assert!(!bench.episode.is_paused());
    assert_eq!(bench.rollout().turn, 2);
}

#[test]
fn a_session_that_drops_during_a_pause_ends_the_run() {
    let mut bench = with_limits(Limits::default(), Vec::new());
    bench.command(Command::Pause);
    bench.open();
    assert!(bench.episode.is_paused());
    bench.socket(SocketEvent::Closed {
        code: 1001,
        reason: "idle".into(),
    });
    bench.assert_over(&EndReason::Error);
    bench.assert_deaf();
}
