//! What the recorded cases do not reach. The cases are walked by `tests/providers.rs`.

use super::*;
use crate::provider::failure::Class;
use crate::provider::format::{Abilities, Setting};
use crate::settings::{Effort, Service};

fn setting() -> Setting {
    let service = Service::find("anthropic").unwrap();
    Setting {
        service,
        base: service.base.into(),
        routes: vec!["claude-sonnet-5-5".into()],
        effort: Effort::Default,
        max_tokens: 4096,
        caches: false,
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
    Anthropic.request(&Ask {
        setting,
        model: "claude-sonnet-5-5",
        history,
    })
}

/// The decoder after a message with these blocks, each streamed as its start and its deltas.
fn streamed(blocks: &[(Value, &[Value])], stop: &str) -> (Decoder, Vec<Delta>) {
    let (mut decoder, mut deltas) = (Decoder::default(), Vec::new());
    let mut say = |event: Value| decoder.event(&event.to_string(), &mut deltas).unwrap();
    for (index, (start, pieces)) in blocks.iter().enumerate() {
        say(json!({"type": "content_block_start", "index": index, "content_block": start}));
        for piece in *pieces {
            say(json!({"type": "content_block_delta", "index": index, "delta": piece}));
        }
        say(json!({"type": "content_block_stop", "index": index}));
    }
    say(json!({"type": "message_delta", "delta": {"stop_reason": stop}}));
    (decoder, deltas)
}

fn answer(blocks: &[(Value, &[Value])], stop: &str) -> Answer {
    streamed(blocks, stop).0.finish().unwrap()
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "check_plan", "input": {}})
}

fn input(text: &str) -> Value {
    json!({"type": "input_json_delta", "partial_json": text})
}

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"})
}

#[test]
fn a_request_with_two_turns_behind_it() {
    let mut history = Vec::new();
    Anthropic.append(&mut history, &[], &["The situation.".into()]);
    let first = answer(
        &[(thinking(), &[]), (call("t1"), &[input("{\"plan\": []}")])],
        "tool_use",
    );
    history.extend(first.history);
    let result = ToolResult {
        call: first.turn.calls[0].clone(),
        text: "{\"ok\": true}".into(),
    };
    Anthropic.append(&mut history, &[result], &["This is the last turn.".into()]);
    history.extend(answer(&[(text("Done."), &[])], "end_turn").history);
    Anthropic.append(&mut history, &[], &["Go on.".into()]);
    let setting = Setting {
        effort: Effort::High,
        caches: true,
        abilities: Abilities {
            adaptive_thinking: true,
        },
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
fn what_is_not_chosen_is_not_asked_for() {
    let body = asked(&setting(), &[]).body.unwrap();
    for name in ["output_config", "thinking", "cache_control"] {
        assert_eq!(body.get(name), None, "{name}");
    }
    let bare = Setting {
        system: String::new(),
        tools: Vec::new(),
        ..setting()
    };
    let body = asked(&bare, &[]).body.unwrap();
    assert_eq!((body.get("system"), body.get("tools")), (None, None));
}

#[test]
fn nothing_to_say_is_no_message() {
    let mut history = Vec::new();
    Anthropic.append(&mut history, &[], &[]);
    Anthropic.append(&mut history, &[], &[String::new()]);
    assert_eq!(history, [] as [Value; 0]);
    let result = ToolResult {
        call: ToolCall::from_raw("t1", "look", ""),
        text: String::new(),
    };
    Anthropic.append(&mut history, &[result], &[]);
    assert_eq!(history[0]["content"][0]["content"], json!([]));
}

#[test]
fn pieces_are_shown_as_they_arrive_and_calls_by_their_place() {
    let server_tool = json!({"type": "server_tool_use", "id": "s", "name": "web", "input": {}});
    let (decoder, deltas) = streamed(
        &[
            (
                thinking(),
                &[json!({"type": "thinking_delta", "thinking": " Yes."})],
            ),
            (server_tool, &[input("{\"query\": 1}")]),
            (call("t1"), &[input(""), input("{}")]),
            (call("t2"), &[]),
        ],
        "tool_use",
    );
    let call = |index, name: Option<&str>, arguments: &str| Delta::Call {
        index,
        name: name.map(str::to_owned),
        arguments: arguments.into(),
    };
    assert_eq!(
        deltas,
        [
            Delta::Reasoning("Hm.".into()),
            Delta::Reasoning(" Yes.".into()),
            call(0, Some("check_plan"), ""),
            call(0, None, "{}"),
            call(1, Some("check_plan"), ""),
        ]
    );
    assert_eq!(decoder.partial(), (String::new(), "Hm. Yes.".into()));
}

#[test]
fn texts_without_a_character_stay_out_of_the_history() {
    let kept = answer(&[(text(""), &[]), (call("t1"), &[])], "tool_use");
    assert_eq!(kept.history[0]["content"].as_array().unwrap().len(), 1);
    let empty = answer(&[(text(""), &[])], "end_turn");
    assert_eq!(empty.history, [] as [Value; 0]);
    assert_eq!(answer(&[], "end_turn").history, [] as [Value; 0]);
}

#[test]
fn thoughts_that_lead_to_nothing_are_kept_only_when_they_were_cut_off() {
    let blocks: &[(Value, &[Value])] = &[(thinking(), &[]), (text(""), &[])];
    assert_eq!(answer(blocks, "end_turn").history, [] as [Value; 0]);
    let cut = answer(blocks, "model_context_window_exceeded");
    assert_eq!(
        cut.history,
        [json!({"role": "assistant", "content": [thinking()]})]
    );
    assert!(cut.turn.cut_off);
    assert_eq!(cut.turn.stop, "model_context_window_exceeded");
}

#[test]
fn a_half_written_call_never_runs() {
    for half in ["", " ", "{\"plan\": [", "{\"plan\": [{\"berth\": 1}"] {
        let cut = answer(
            &[(call("t1"), &[input("{}")]), (call("t2"), &[input(half)])],
            "max_tokens",
        );
        assert!(cut.turn.calls[0].arguments.is_ok());
        assert!(cut.turn.calls[1].arguments.is_err(), "{half}");
        assert_eq!(cut.history[0]["content"][1]["input"], json!({}));
    }
}

#[test]
fn a_call_whose_block_never_ended_never_runs() {
    let mut decoder = Decoder::default();
    for event in [
        json!({"type": "content_block_start", "index": 0, "content_block": call("t1")}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
    ] {
        decoder.event(&event.to_string(), &mut Vec::new()).unwrap();
    }
    assert!(decoder.finish().unwrap().turn.calls[0].arguments.is_err());
}

#[test]
fn broken_input_is_an_empty_object_in_the_history_and_an_error_in_the_call() {
    let broken = answer(&[(call("t1"), &[input("[1]")])], "tool_use");
    assert_eq!(broken.history[0]["content"][0]["input"], json!({}));
    assert_eq!(broken.turn.calls[0].raw, "[1]");
    assert!(broken.turn.calls[0].arguments.is_err());
}

#[test]
fn input_that_came_whole_with_its_block_is_the_input() {
    let mut whole = call("t1");
    whole["input"] = json!({"plan": [1]});
    let turn = answer(&[(whole.clone(), &[])], "tool_use");
    assert_eq!(turn.turn.calls[0].raw, "{\"plan\":[1]}");
    assert_eq!(turn.history[0]["content"][0], whole);
}

#[test]
fn citations_and_blocks_that_nobody_knows_are_kept() {
    let citation = json!({"type": "citations_delta", "citation": {"cited_text": "x"}});
    let unknown = json!({"type": "shimmer", "of": [1, null]});
    let kept = answer(
        &[
            (text("A"), &[citation.clone(), citation]),
            (unknown.clone(), &[]),
        ],
        "end_turn",
    );
    let content = &kept.history[0]["content"];
    assert_eq!(content[0]["citations"].as_array().unwrap().len(), 2);
    assert_eq!(content[1], unknown);
}

#[test]
fn a_pause_with_calls_of_the_clients_does_not_go_on_by_itself() {
    assert!(answer(&[(text("A"), &[])], "pause_turn").goes_on);
    assert!(!answer(&[(call("t1"), &[])], "pause_turn").goes_on);
    assert!(!answer(&[], "pause_turn").goes_on);
}

#[test]
fn a_refused_turn_joins_no_history_and_its_calls_do_not_run() {
    let refused = answer(&[(text("I can"), &[]), (call("t1"), &[])], "refusal");
    assert_eq!(refused.turn.calls, []);
    assert_eq!(refused.turn.text, "I can");
    assert_eq!(refused.history, [] as [Value; 0]);
}

#[test]
fn an_error_says_what_the_service_said() {
    let mut decoder = Decoder::default();
    let error = json!({"type": "rate_limit_error", "message": "Spent.",
        "details": {"error_code": "enforced_spend_limit_reached"}});
    let event = json!({"type": "error", "error": error});
    let failure = decoder
        .event(&event.to_string(), &mut Vec::new())
        .unwrap_err();
    assert_eq!((failure.class, failure.retryable), (Class::Quota, false));
    assert_eq!(failure.kind.as_deref(), Some("rate_limit_error"));
    assert_eq!(failure.message, "Spent.");
    assert_eq!(decoder.whole(event).unwrap_err(), failure);
    assert_eq!(
        decoder.whole(json!({})).unwrap_err().class,
        Class::BadStream
    );
}

#[test]
fn running_totals_replace_each_other() {
    let mut decoder = Decoder::default();
    for event in [
        json!({"type": "message_start", "message": {"usage": {
            "input_tokens": 10, "cache_read_input_tokens": 100,
            "cache_creation_input_tokens": 1000, "output_tokens": 1}}}),
        json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 7, "input_tokens": null}}),
    ] {
        decoder.event(&event.to_string(), &mut Vec::new()).unwrap();
    }
    let usage = Usage {
        input: 1110,
        output: 7,
        cache_read: 100,
        cache_write: 1000,
    };
    assert_eq!(decoder.finish().unwrap().turn.usage, usage);
}

#[test]
fn an_answer_without_a_stop_reason_is_not_complete() {
    let mut decoder = Decoder::default();
    let start = json!({"type": "content_block_start", "index": 0, "content_block": text("A")});
    decoder.event(&start.to_string(), &mut Vec::new()).unwrap();
    assert_eq!(decoder.finish().unwrap_err().class, Class::Truncated);
    assert_eq!(decoder.partial().0, "A");
}

#[test]
fn an_answer_in_one_piece_is_the_same_turn() {
    let blocks = [
        (thinking(), &[] as &[Value]),
        (text("A"), &[]),
        (call("t1"), &[]),
    ];
    let streamed = answer(&blocks, "tool_use");
    let content: Vec<&Value> = blocks.iter().map(|(block, _)| block).collect();
    let mut decoder = Decoder::default();
    let body = json!({"type": "message", "content": content, "stop_reason": "tool_use"});
    decoder.whole(body).unwrap();
    assert_eq!(decoder.finish().unwrap(), streamed);
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
        "{\"type\": \"content_block_start\"}",
        "{\"type\": \"content_block_delta\", \"index\": 4, \"delta\": {\"type\": \"text_delta\"}}",
        "{\"type\": \"content_block_stop\", \"index\": -1}",
        "{\"type\": \"message_delta\", \"delta\": 1}",
    ] {
        assert_eq!(decoder.event(data, &mut Vec::new()), Ok(()), "{data}");
    }
}
