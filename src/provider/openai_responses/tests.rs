//! What the recorded cases do not reach. The cases are walked by `tests/providers.rs`.

use super::*;
use crate::provider::format::{Abilities, Setting};
use crate::settings::{Effort, Service};

fn setting() -> Setting {
    let service = Service::find("openai").unwrap();
    Setting {
        service,
        base: service.base.into(),
        routes: vec!["gpt-5.6".into()],
        effort: Effort::Default,
        max_tokens: 4096,
        caches: true,
        abilities: Abilities::default(),
        system: "You plan quays.".into(),
        tools: vec![ToolSpec {
            name: "check_plan".into(),
            description: "Tests a draft.".into(),
            input_schema: json!({"type": "object", "properties": {"plan": {"type": "array"}}}),
        }],
        conversation: "c0ffee".into(),
    }
}

fn asked(setting: &Setting, history: &[Value]) -> HttpRequest {
    OpenAiResponses.request(&Ask {
        setting,
        model: "gpt-5.6",
        history,
    })
}

fn events(events: &[Value]) -> (Decoder, Vec<Delta>) {
    let (mut decoder, mut deltas) = (Decoder::default(), Vec::new());
    for event in events {
        decoder.event(&event.to_string(), &mut deltas).unwrap();
    }
    (decoder, deltas)
}

fn whole(body: Value) -> Answer {
    let mut decoder = Decoder::default();
    decoder.whole(body).unwrap();
    decoder.finish().unwrap()
}

fn reasoning() -> Value {
    json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA",
        "summary": [{"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}]})
}

fn call(status: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "check_plan",
        "status": status, "arguments": arguments})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "phase": "commentary",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn done(index: u64, item: &Value) -> Value {
    json!({"type": "response.output_item.done", "output_index": index, "item": item})
}

fn added(index: u64, item: &Value) -> Value {
    json!({"type": "response.output_item.added", "output_index": index, "item": item})
}

fn delta(kind: &str, index: u64, part: u64, text: &str) -> Value {
    json!({"type": format!("response.{kind}.delta"), "output_index": index,
        "summary_index": part, "delta": text})
}

fn completed() -> Value {
    json!({"type": "response.completed", "response": {"status": "completed", "output": []}})
}

#[test]
fn a_request_with_two_turns_behind_it() {
    let mut history = Vec::new();
    OpenAiResponses.append(&mut history, &[], &["The situation.".into()]);
    let first = whole(json!({"output": [reasoning(), call("completed", "{\"plan\": []}")]}));
    history.extend(first.history);
    let result = ToolResult {
        call: first.turn.calls[0].clone(),
        text: "{\"ok\": true}".into(),
    };
    OpenAiResponses.append(&mut history, &[result], &["This is the last turn.".into()]);
    history.extend(whole(json!({"output": [message("Done.")]})).history);
    OpenAiResponses.append(&mut history, &[], &["Go on.".into(), "Now.".into()]);
    let setting = Setting {
        effort: Effort::High,
        ..setting()
    };
    let request = asked(&setting, &history);
    let body = json::indented(request.body.as_ref().unwrap());
    insta::assert_snapshot!(
        format!(
            "{request:#?}",
            request = HttpRequest {
                body: None,
                ..request
            }
        ) + "\n"
            + &body
    );
}

#[test]
fn a_cache_key_goes_to_the_service_itself_only() {
    let body = asked(&setting(), &[]).body.unwrap();
    assert_eq!(body["prompt_cache_key"], "c0ffee");
    assert_eq!(body["reasoning"]["effort"], "medium");
    let elsewhere = Setting {
        base: "https://proxy.example/v1".into(),
        ..setting()
    };
    let request = asked(&elsewhere, &[]);
    assert_eq!(request.url, "https://proxy.example/v1/responses");
    assert_eq!(request.body.unwrap().get("prompt_cache_key"), None);
}

#[test]
fn pieces_are_shown_as_they_arrive_and_summaries_one_under_the_other() {
    let (decoder, deltas) = events(&[
        added(0, &json!({"type": "reasoning"})),
        delta("reasoning_summary_text", 0, 0, "One"),
        delta("reasoning_summary_text", 0, 0, "."),
        delta("reasoning_summary_text", 0, 1, "Two."),
        delta("reasoning_text", 0, 0, "raw"),
        done(0, &reasoning()),
        added(1, &call("in_progress", "")),
        delta("function_call_arguments", 1, 0, "{}"),
        done(1, &call("completed", "{}")),
        added(2, &json!({"type": "message", "content": []})),
        delta("output_text", 2, 0, "A"),
        delta("refusal", 2, 0, "B"),
        completed(),
    ]);
    let call = |name: Option<&str>, arguments: &str| Delta::Call {
        index: 0,
        name: name.map(str::to_owned),
        arguments: arguments.into(),
    };
    assert_eq!(
        deltas,
        [
            Delta::Reasoning("One".into()),
            Delta::Reasoning(".".into()),
            Delta::Reasoning("\n".into()),
            Delta::Reasoning("Two.".into()),
            call(Some("check_plan"), ""),
            call(None, "{}"),
            Delta::Text("A".into()),
            Delta::Text("B".into()),
        ]
    );
    assert_eq!(decoder.partial(), ("AB".into(), "One.\nTwo.".into()));
    assert!(decoder.is_full());
}

#[test]
fn finished_items_without_a_piece_are_shown_and_are_the_turn() {
    let (mut decoder, deltas) = events(&[
        done(1, &call("completed", "{}")),
        done(0, &reasoning()),
        done(2, &message("A")),
        completed(),
    ]);
    assert_eq!(deltas.len(), 3);
    let answer = decoder.finish().unwrap();
    assert_eq!(
        answer.history,
        [reasoning(), call("completed", "{}"), message("A")]
    );
    assert_eq!(
        (answer.turn.text.as_str(), answer.turn.calls.len()),
        ("A", 1)
    );
    assert_eq!(answer.turn.reasoning, "One.\nTwo.");
}

#[test]
fn items_that_only_the_last_response_has_are_not_lost() {
    let response = json!({"output": [reasoning(), message("A")]});
    let (mut decoder, _) = events(&[
        done(0, &reasoning()),
        json!({"type": "response.completed", "response": response}),
    ]);
    let answer = decoder.finish().unwrap();
    assert_eq!(answer.history.len(), 2);
    assert_eq!(answer.turn.stop, "completed");
}

#[test]
fn what_was_shown_of_items_that_never_ended_is_the_turn_without_them() {
    let (mut decoder, _) = events(&[
        delta("reasoning_summary_text", 0, 0, "One."),
        added(1, &call("in_progress", "")),
        delta("function_call_arguments", 1, 0, "{}"),
        json!({"type": "response.incomplete", "response": {
            "incomplete_details": {"reason": "max_output_tokens"}}}),
    ]);
    let answer = decoder.finish().unwrap();
    assert_eq!(answer.turn.stop, "incomplete");
    assert_eq!(answer.turn.reasoning, "One.");
    assert_eq!((answer.turn.calls.len(), answer.history.len()), (0, 0));
}

#[test]
fn a_refusal_is_text_and_raw_thoughts_stand_in_for_a_summary() {
    let answer = whole(json!({"output": [
        {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Raw."}]},
        {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]},
    ]}));
    assert_eq!(
        (answer.turn.text.as_str(), answer.turn.reasoning.as_str()),
        ("No.", "Raw.")
    );
}

#[test]
fn a_half_written_call_never_runs() {
    let cut = |item: Value| {
        whole(
            json!({"status": "incomplete", "output": [call("completed", ""), item],
            "incomplete_details": {"reason": "max_output_tokens"}}),
        )
    };
    for item in [
        call("incomplete", "{}"),
        call("completed", ""),
        call("completed", "{\"plan\""),
    ] {
        let answer = cut(item.clone());
        assert!(answer.turn.cut_off);
        assert_eq!(answer.turn.stop, "incomplete");
        assert!(answer.turn.calls[0].arguments.is_ok());
        assert!(answer.turn.calls[1].arguments.is_err(), "{item}");
        assert_eq!(answer.history[1], item);
    }
}

#[test]
fn only_the_output_limit_cuts_off() {
    let details = json!({"reason": "content_filter"});
    let answer =
        whole(json!({"status": "incomplete", "incomplete_details": details, "output": []}));
    assert!(!answer.turn.cut_off);
    assert_eq!(answer.turn.stop, "incomplete");
}

#[test]
fn thoughts_that_lead_to_nothing_are_kept_only_when_they_were_cut_off() {
    let empty = json!({"type": "message", "content": []});
    let answer = whole(json!({"output": [reasoning(), empty]}));
    assert_eq!(answer.history, [] as [Value; 0]);
    assert_eq!(answer.turn.reasoning, "One.\nTwo.");
    let cut = whole(json!({"status": "incomplete", "output": [reasoning()],
        "incomplete_details": {"reason": "max_output_tokens"}}));
    assert_eq!(cut.history, [reasoning()]);
}

#[test]
fn cached_tokens_are_part_of_the_input() {
    let answer = whole(
        json!({"output": [], "usage": {"input_tokens": 905, "output_tokens": 120,
        "input_tokens_details": {"cached_tokens": 768, "cache_write_tokens": 5}}}),
    );
    let usage = Usage {
        input: 905,
        output: 120,
        cache_read: 768,
        cache_write: 5,
    };
    assert_eq!(answer.turn.usage, usage);
}

#[test]
fn an_answer_that_is_still_being_made_is_not_complete() {
    let (mut decoder, _) = events(&[done(0, &call("completed", "{}"))]);
    assert_eq!(decoder.finish().unwrap_err().class, Class::Truncated);
    let mut queued = Decoder::default();
    queued
        .whole(json!({"status": "in_progress", "output": []}))
        .unwrap();
    assert_eq!(queued.finish().unwrap_err().class, Class::Truncated);
}

#[test]
fn an_error_says_what_the_service_said_in_whichever_shell() {
    let error = json!({"code": "server_is_overloaded", "message": "Later."});
    for event in [
        json!({"type": "error", "code": "server_is_overloaded", "message": "Later."}),
        json!({"type": "error", "error": error}),
        json!({"type": "response.failed", "response": {"status": "failed", "error": error}}),
    ] {
        let mut decoder = Decoder::default();
        let failure = decoder
            .event(&event.to_string(), &mut Vec::new())
            .unwrap_err();
        assert_eq!(
            (failure.class, failure.retryable),
            (Class::Overloaded, true)
        );
        assert_eq!((failure.kind, failure.message.as_str()), (None, "Later."));
        assert_eq!(failure.status, 200);
    }
    let failed = json!({"status": "failed", "output": [], "error": null});
    let failure = Decoder::default().whole(failed).unwrap_err();
    assert_eq!(failure.class, Class::Stream);
    let nothing = Decoder::default().whole(json!([])).unwrap_err();
    assert_eq!(nothing.class, Class::BadStream);
}

#[test]
fn nonsense_is_skipped() {
    let mut decoder = Decoder::default();
    for data in [
        "[DONE]",
        "7",
        "{",
        "{}",
        "{\"type\": 1}",
        "{\"type\": \"keepalive\"}",
        "{\"type\": \"response.output_item.added\"}",
        "{\"type\": \"response.output_text.delta\"}",
        "{\"type\": \"response.function_call_arguments.delta\", \"output_index\": 9, \"delta\": 1}",
        "{\"type\": \"response.audio.delta\", \"delta\": \"UklG\"}",
    ] {
        let mut deltas = Vec::new();
        assert_eq!(decoder.event(data, &mut deltas), Ok(()), "{data}");
        assert_eq!(deltas, [], "{data}");
    }
}
