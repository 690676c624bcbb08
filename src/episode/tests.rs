//! Dialogues with an episode: a fact goes in, its events and orders are looked at, the next goes in.

mod bench;
mod inside;
mod limits;
mod random;
mod spend;
mod stop;

use super::words::{EPISODE_OVER, Words, turns_left};
use super::*;
use crate::chat::{ToolCall, Turn};
use crate::env::ToolAnswer;
use crate::rollout::{Message, Record, Rollout};
use crate::wire::{FetchFailure, HttpEvent, SocketEvent};
use bench::{Bench, Cast, dropped};
use serde_json::json;

fn call(id: &str, name: &str, raw: &str) -> ToolCall {
    ToolCall::from_raw(id, name, raw)
}

fn calls(calls: Vec<ToolCall>) -> Turn {
    Turn {
        calls,
        stop: "tool_calls".into(),
        ..Turn::default()
    }
}

fn check() -> Turn {
    calls(vec![call("c", "check_plan", "{\"plan\": []}")])
}

fn submit() -> Turn {
    calls(vec![call("s", "submit_plan", "{\"plan\": \"[1]\"}")])
}

fn talk() -> Turn {
    Turn {
        text: "Hm.".into(),
        stop: "stop".into(),
        ..Turn::default()
    }
}

fn answer(text: &str) -> ToolAnswer {
    ToolAnswer {
        text: text.into(),
        ..ToolAnswer::default()
    }
}

fn accepted() -> ToolAnswer {
    ToolAnswer {
        text: "{\"accepted\":true}".into(),
        done: true,
        reward: Some(0.9),
        metadata:
            json!({"grade": {"score": 0.9}, "rubric": {"feasible": 1.0}, "end_reason": "submitted"})
                .as_object()
                .unwrap()
                .clone(),
    }
}

fn error_text(record: &Record) -> &str {
    &record.errors[0]
}

#[test]
fn a_draft_and_a_submitted_plan_make_a_whole_record() {
    let mut bench = Bench::new(Cast {
        turns: vec![check(), submit()],
        answers: vec![answer("{\"ok\":true}"), accepted()],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    bench.answer();
    bench.pass(1_240);
    bench.turn();
    bench.answer();
    bench.assert_over(&EndReason::Submitted);
    bench.assert_deaf();
    insta::assert_snapshot!(bench.rollout().record.to_json_string());
    insta::assert_debug_snapshot!(bench.log.borrow().told);
}

#[test]
fn what_is_waited_for_is_said_at_each_step() {
    let mut bench = Bench::new(Cast {
        turns: vec![check()],
        ..Cast::default()
    });
    let mut waits = Vec::new();
    bench.start();
    waits.push(bench.rollout().waiting);
    bench.socket(SocketEvent::Opened);
    waits.push(bench.rollout().waiting);
    bench.answer();
    waits.push(bench.rollout().waiting);
    bench.answer();
    waits.push(bench.rollout().waiting);
    bench.http(HttpEvent::Failed(FetchFailure::Unreachable));
    waits.push(bench.rollout().waiting);
    bench.ring();
    bench.http(HttpEvent::Bytes(b"Hm".to_vec()));
    waits.push(bench.rollout().waiting);
    bench.turn();
    waits.push(bench.rollout().waiting);
    insta::assert_debug_snapshot!(waits);
}

#[test]
fn a_turn_without_a_call_is_nudged_and_the_second_in_a_row_ends_the_run() {
    let mut bench = Bench::new(Cast {
        turns: vec![talk(), check(), talk(), talk()],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    bench.turn();
    bench.answer();
    bench.turn();
    assert_eq!(bench.endings(), 0);
    bench.turn();
    bench.assert_over(&EndReason::NoToolCall);
    let nudges = bench.said();
    let nudges = nudges.iter().filter(|t| *t == Words::Plans.no_tool_call());
    assert_eq!(nudges.count(), 2);
    assert_eq!(bench.rollout().record.turns, 4);
}

#[test]
fn a_turn_cut_off_while_thinking_gets_the_end_of_its_thoughts_back() {
    let cut = Turn {
        reasoning: format!("start{}", "ü".repeat(8000)),
        stop: "length (harness cap)".into(),
        ..Turn::default()
    };
    let mut bench = Bench::new(Cast {
        turns: vec![cut],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    let told = bench.log.borrow().told.clone();
    assert_eq!(told[1], format!("notes: {}", "ü".repeat(8000)));
    assert_eq!(told[2], format!("user: {}", Words::Plans.cut_off()));
    // The notes are the model's own; the record holds them as that turn's reasoning already.
    assert_eq!(bench.said().len(), 2);
}

#[test]
fn the_output_limit_has_other_words_than_length() {
    let cut = Turn {
        reasoning: "Half a thought".into(),
        stop: "max_tokens".into(),
        cut_off: true,
        ..Turn::default()
    };
    let mut bench = Bench::new(Cast {
        turns: vec![cut],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    assert_eq!(bench.log.borrow().told[1], "notes: Half a thought");
    assert_eq!(bench.said()[1], Words::Plans.cut_off());
    let record = bench.rollout().record.to_json_string();
    assert!(record.contains("max_tokens") && !record.contains("cut_off"));
}

#[test]
fn a_cut_off_turn_without_reasoning_is_nudged_like_any_other() {
    let cut = Turn {
        stop: "length".into(),
        ..Turn::default()
    };
    let mut bench = Bench::new(Cast {
        turns: vec![cut],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    assert_eq!(bench.said()[1], Words::Plans.no_tool_call());
}

#[test]
fn arguments_that_cannot_be_used_do_not_reach_the_environment() {
    let turn = calls(vec![
        call("a", "check_plan", "{\"plan\": [}"),
        call("b", "check_plan", "[1]"),
        call("c", "look", ""),
    ]);
    let mut bench = Bench::new(Cast {
        turns: vec![turn, talk()],
        answers: vec![answer("seen")],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    bench.answer();
    assert_eq!(bench.log.borrow().calls, ["look"]);
    let said = bench.said();
    assert_eq!(said[1], "{\"error\": \"arguments are not valid JSON\"}");
    assert_eq!(said[2], "{\"error\": \"arguments must be a JSON object\"}");
    let told = bench.log.borrow().told.clone();
    assert!(told[1].ends_with(&turns_left(11)), "{}", told[1]);
    assert_eq!(told[3], format!("look: seen\n{}", turns_left(11)));
    assert_eq!(bench.rollout().record.steps, []);
}

#[test]
fn calls_after_the_end_are_answered_without_the_environment() {
    let turn = calls(vec![
        call("a", "check_plan", "{\"plan\": {\"plan\": [1]}}"),
        call("b", "submit_plan", "not JSON"),
    ]);
    let over = ToolAnswer {
        done: true,
        metadata: json!({"end_reason": "tool_call_limit"})
            .as_object()
            .unwrap()
            .clone(),
        ..answer("no JSON either")
    };
    let mut bench = Bench::new(Cast {
        turns: vec![turn],
        answers: vec![over],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    bench.answer();
    bench.assert_over(&EndReason::ToolCallLimit);
    let record = bench.rollout().record;
    assert_eq!(bench.log.borrow().calls, ["check_plan"]);
    assert_eq!(bench.said()[2], crate::wire::json::error_text(EPISODE_OVER));
    assert_eq!(record.steps[0].plan, json!([1]));
    assert_eq!(record.steps[0].result, json!({"text": "no JSON either"}));
    assert!(!record.last.submitted);
    assert!(!bench.log.borrow().told.last().unwrap().contains("left"));
}

#[test]
fn an_environment_that_ends_without_a_reason_has_ended() {
    for metadata in [
        json!({}),
        json!({"end_reason": null}),
        json!({"end_reason": ""}),
    ] {
        let over = ToolAnswer {
            done: true,
            metadata: metadata.as_object().unwrap().clone(),
            reward: Some(f64::NAN),
            ..answer("")
        };
        let mut bench = Bench::new(Cast {
            turns: vec![check()],
            answers: vec![over],
            ..Cast::default()
        });
        bench.open();
        bench.turn();
        bench.answer();
        bench.assert_over(&EndReason::ServerEnded);
        assert!(bench.rollout().record.reward.abs() < f64::EPSILON);
    }
}

#[test]
fn without_instructions_the_run_asks_for_a_prompt_before_the_model_is_asked() {
    let cast = || Cast {
        metadata: json!({"situation": "Ships."}),
        ..Cast::default()
    };
    let mut bench = Bench::new(cast());
    bench.open();
    bench.assert_over(&EndReason::Error);
    assert_eq!(bench.episode.failure(), Some(&Failure::NoInstructions));
    assert!(error_text(&bench.rollout().record).starts_with("no_instructions: "));

    let mut bench = Bench::new(Cast {
        setup: Setup {
            fallback_instructions: Some("Mine.".into()),
            ..cast().setup
        },
        ..cast()
    });
    bench.open();
    assert_eq!(bench.rollout().record.messages[0], Message::system("Mine."));
    assert_eq!(bench.fetches.len(), 1);
}

#[test]
fn an_environment_without_tools_says_so_before_the_model_is_asked() {
    let mut bench = Bench::new(Cast {
        tools: Vec::new(),
        ..Cast::default()
    });
    bench.open();
    bench.assert_over(&EndReason::Error);
    assert_eq!(bench.episode.failure(), Some(&Failure::NoTools));
}

#[test]
fn a_session_that_drops_keeps_what_there_was() {
    let mut bench = Bench::new(Cast {
        turns: vec![check(), check()],
        answers: vec![answer("{\"ok\":true}")],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    bench.answer();
    bench.http(HttpEvent::Bytes(b"And now".to_vec()));
    bench.socket(SocketEvent::Closed {
        code: 1006,
        reason: String::new(),
    });
    bench.assert_over(&EndReason::Error);
    bench.assert_deaf();
    let rollout = bench.rollout();
    assert_eq!(
        error_text(&rollout.record),
        format!("dropped: {}", dropped())
    );
    assert_eq!(rollout.record.steps.len(), 1);
    assert_eq!(rollout.record.messages.len(), 4);
    assert_eq!(rollout.unfinished.unwrap().text, "And now");
}

#[test]
fn a_model_that_fails_ends_the_run_with_its_own_words() {
    let mut bench = Bench::new(Cast::default());
    bench.open();
    bench.http(HttpEvent::Failed(FetchFailure::Unreachable));
    bench.ring();
    bench.http(HttpEvent::Failed(FetchFailure::Unreachable));
    bench.assert_over(&EndReason::Error);
    let record = bench.rollout().record;
    assert!(error_text(&record).starts_with("network: model.test: "));
}

#[test]
fn an_error_is_cut_after_800_characters() {
    let failure = Failure::Model(crate::provider::ModelError {
        kind: "server".into(),
        message: "é".repeat(900),
    });
    assert_eq!(failure.line(), format!("server: {}", "é".repeat(800)));
}

#[test]
fn other_environments_are_not_told_of_plans() {
    let mut bench = Bench::new(Cast {
        tools: vec!["guess"],
        turns: vec![talk()],
        ..Cast::default()
    });
    bench.open();
    bench.turn();
    for text in bench.said() {
        assert!(!text.contains("plan"), "{text}");
    }
}
