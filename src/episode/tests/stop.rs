//! Stop at every moment: everything open is given up, and nothing follows.

use super::*;

fn bench() -> Bench {
    Bench::new(Cast {
        turns: vec![calls(vec![
            call("a", "check_plan", "{\"plan\": []}"),
            call("b", "check_plan", "{\"plan\": []}"),
        ])],
        answers: vec![answer("{\"ok\":true}")],
        ..Cast::default()
    })
}

fn stops(mut bench: Bench) -> Bench {
    bench.command(Command::Stop);
    bench.assert_over(&EndReason::Stopped);
    assert_eq!(bench.rollout().record.errors, [""; 0]);
    bench.assert_deaf();
    bench
}

#[test]
fn stop_before_the_start() {
    let stopped = stops(bench());
    assert_eq!(stopped.rollout().record.model, "demo:planner");
}

#[test]
fn stop_while_connecting() {
    let mut bench = bench();
    bench.start();
    stops(bench);
}

#[test]
fn stop_while_resetting() {
    let mut bench = bench();
    bench.start();
    bench.socket(SocketEvent::Opened);
    stops(bench);
}

#[test]
fn stop_while_listing_tools() {
    let mut bench = bench();
    bench.start();
    bench.socket(SocketEvent::Opened);
    bench.answer();
    stops(bench);
}

#[test]
fn stop_before_the_models_first_word() {
    let mut bench = bench();
    bench.open();
    stops(bench);
}

#[test]
fn stop_while_the_model_streams() {
    let mut bench = bench();
    bench.open();
    bench.http(HttpEvent::Bytes(b"The lo".to_vec()));
    let stopped = stops(bench);
    assert_eq!(stopped.rollout().unfinished.unwrap().text, "The lo");
}

#[test]
fn stop_while_the_model_backs_off() {
    let mut bench = bench();
    bench.open();
    bench.http(HttpEvent::Failed(FetchFailure::Unreachable));
    assert!(matches!(
        bench.rollout().waiting,
        Some(Waiting::Retry { .. })
    ));
    stops(bench);
}

#[test]
fn stop_during_a_tool_call() {
    let mut bench = bench();
    bench.open();
    bench.turn();
    let stopped = stops(bench);
    assert_eq!(stopped.rollout().record.open_calls().len(), 2);
}

#[test]
fn stop_between_two_tool_calls_of_a_turn() {
    let mut bench = bench();
    bench.open();
    bench.turn();
    bench.answer();
    let stopped = stops(bench);
    let record = stopped.rollout().record;
    assert_eq!(record.open_calls().len(), 1);
    assert_eq!(record.steps.len(), 1);
}

#[test]
fn stop_during_a_pause() {
    let mut bench = bench();
    bench.command(Command::Pause);
    bench.open();
    assert!(bench.episode.is_paused());
    stops(bench);
}

#[test]
fn stop_after_the_end_changes_nothing() {
    let mut bench = bench();
    bench.start();
    bench.socket(SocketEvent::Refused("mixed content".into()));
    bench.assert_over(&EndReason::Error);
    bench.command(Command::Stop);
    bench.assert_over(&EndReason::Error);
}
