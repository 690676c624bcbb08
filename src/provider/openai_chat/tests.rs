//! Deviations that the recorded cases do not hold.

use super::*;
use crate::provider::failure::Class;
use crate::provider::format::{Abilities, Setting};
use crate::settings::{Effort, Service};
use proptest::prelude::*;

fn setting(service: &str, effort: Effort) -> Setting {
    let service = Service::find(service).unwrap();
    Setting {
        service,
        base: "https://models.example/v1".into(),
        routes: vec!["m".into()],
        effort,
        max_tokens: 100,
        caches: true,
        abilities: Abilities::default(),
        system: "You plan quays.".into(),
        tools: vec![ToolSpec {
            name: "check_plan".into(),
            description: "Tests a draft.".into(),
            input_schema: json!({"type": "object"}),
        }],
        conversation: "c0ffee".into(),
    }
}

fn decoder() -> Box<dyn TurnDecoder> {
    let setting = setting("hf", Effort::Default);
    OpenAiChat.decoder(&Ask {
        setting: &setting,
        model: "m",
        history: &[],
    })
}

fn chunk(delta: &Value) -> String {
    json!({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]}).to_string()
}

/// The turn out of these deltas, and what was shown of it: reasoning, text.
fn turn_of(pieces: &[Value]) -> (Answer, (String, String)) {
    let (mut decoder, mut deltas) = (decoder(), Vec::new());
    for piece in pieces {
        decoder.event(&chunk(piece), &mut deltas).unwrap();
    }
    decoder.event("[DONE]", &mut deltas).unwrap();
    let (mut reasoning, mut text) = (String::new(), String::new());
    for delta in deltas {
        match delta {
            Delta::Text(more) => text.push_str(&more),
            Delta::Reasoning(more) => reasoning.push_str(&more),
            Delta::Call { .. } => {}
        }
    }
    (decoder.finish().unwrap(), (reasoning, text))
}

fn texts(pieces: &[&str]) -> (Answer, (String, String)) {
    let pieces: Vec<Value> = pieces.iter().map(|text| json!({"content": text})).collect();
    turn_of(&pieces)
}

fn calls(pieces: &[Value]) -> Vec<(String, String, String)> {
    let pieces: Vec<Value> = pieces
        .iter()
        .map(|call| json!({"tool_calls": [call]}))
        .collect();
    let calls = turn_of(&pieces).0.turn.calls.into_iter();
    calls.map(|call| (call.id, call.name, call.raw)).collect()
}

fn call(id: &str, name: &str, raw: &str) -> (String, String, String) {
    (id.into(), name.into(), raw.into())
}

#[test]
fn a_request_says_what_was_chosen_and_no_more() {
    let setting = setting("hf", Effort::High);
    let history = [json!({"role": "user", "content": "Plan."})];
    let request = OpenAiChat.request(&Ask {
        setting: &setting,
        model: "org/m:a",
        history: &history,
    });
    assert_eq!(request.url, "https://models.example/v1/chat/completions");
    let expected = json!({
        "model": "org/m:a",
        "messages": [{"role": "system", "content": "You plan quays."}, {"role": "user", "content": "Plan."}],
        "tools": [{"type": "function", "function": {"name": "check_plan", "description": "Tests a draft.",
            "parameters": {"type": "object"}}}],
        "max_tokens": 100, "stream": true, "stream_options": {"include_usage": true},
        "reasoning_effort": "high",
    });
    assert_eq!(request.body, Some(expected));
    let key = request.key.unwrap();
    assert_eq!(
        (key.slot, key.header, key.prefix, key.needed),
        ("hf", "authorization", "Bearer ", true)
    );
    assert_eq!(
        request.headers.len(),
        1,
        "each header has to be allowed by the server"
    );
}

#[test]
fn a_service_without_keys_is_sent_none_and_its_effort_is_its_own() {
    let setting = setting("ollama", Effort::Default);
    let request = OpenAiChat.request(&Ask {
        setting: &setting,
        model: "m",
        history: &[],
    });
    assert_eq!(request.key, None);
    assert!(request.body.unwrap().get("reasoning_effort").is_none());
}

#[test]
fn thoughts_inside_text_are_shown_as_thoughts() {
    let (answer, shown) = texts(&["<", "think>So", " it", " <b", "></", "think", ">Yes", "."]);
    assert_eq!(
        (answer.turn.reasoning.as_str(), answer.turn.text.as_str()),
        ("So it <b>", "Yes.")
    );
    assert_eq!(shown, ("So it <b>".into(), "Yes.".into()));
}

#[test]
fn thoughts_that_never_end_are_no_text() {
    let (answer, shown) = texts(&["\n<think>So", " it"]);
    assert_eq!(
        (answer.turn.reasoning.as_str(), answer.turn.text.as_str()),
        ("\nSo it", "")
    );
    assert_eq!(shown, ("So it".into(), String::new()));
    assert_eq!(answer.history, [] as [Value; 0]);
}

#[test]
fn tags_in_the_middle_of_a_text_or_beside_real_reasoning_are_text() {
    let (answer, shown) = texts(&["Write <think> here", " <"]);
    assert_eq!(answer.turn.text, "Write <think> here <");
    assert_eq!(shown.1, "Write <think> here ");
    let (answer, shown) = turn_of(&[json!({"reasoning": "Hm"}), json!({"content": "a</think>b"})]);
    assert_eq!(
        (answer.turn.reasoning.as_str(), answer.turn.text.as_str()),
        ("Hm", "a</think>b")
    );
    assert_eq!(shown.1, "a</think>b");
}

#[test]
fn content_may_be_a_list_of_parts() {
    let (answer, _) = turn_of(&[
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "So "}]}]}),
        json!({"content": [{"type": "thinking", "thinking": "it is."}, {"type": "text", "text": "Yes"}]}),
        json!({"content": "."}),
    ]);
    assert_eq!(
        (answer.turn.reasoning.as_str(), answer.turn.text.as_str()),
        ("So it is.", "Yes.")
    );
}

#[test]
fn a_new_id_on_a_used_number_is_another_call() {
    let got = calls(&[
        json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": "{}"}}),
        json!({"index": 0, "id": "b", "function": {"name": "y", "arguments": "{\"n\":"}}),
        json!({"index": 0, "id": "", "function": {"arguments": "1}"}}),
    ]);
    assert_eq!(got, [call("a", "x", "{}"), call("b", "y", "{\"n\":1}")]);
}

#[test]
fn without_number_and_id_a_name_after_whole_arguments_is_another_call() {
    for index in [json!(null), json!(0)] {
        let got = calls(&[
            json!({"index": index, "function": {"name": "x", "arguments": "{}"}}),
            json!({"index": index, "function": {"name": "y", "arguments": {"n": 1}}}),
        ]);
        let got: Vec<_> = got
            .iter()
            .map(|(_, name, raw)| (name.as_str(), raw.as_str()))
            .collect();
        assert_eq!(got, [("x", "{}"), ("y", "{\"n\":1}")]);
    }
}

#[test]
fn a_name_in_pieces_is_joined_until_it_is_that_of_a_tool() {
    let piece = |name: &str| json!({"index": 0, "id": "a", "function": {"name": name}});
    let got = calls(&[
        piece("check"),
        piece("_plan"),
        piece("_plan"),
        piece("check_plan"),
    ]);
    assert_eq!(got, [call("a", "check_plan", "")]);
    let late = calls(&[
        json!({"index": 0, "id": "a", "function": {"arguments": "{}"}}),
        json!({"index": 0, "function": {"name": "x"}}),
    ]);
    assert_eq!(late, [call("a", "x", "{}")]);
}

#[test]
fn two_calls_with_one_id_get_two() {
    let got = calls(&[
        json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": "{}"}}),
        json!({"index": 1, "id": "a", "function": {"name": "y", "arguments": null}}),
    ]);
    assert_eq!(got[0].0, "a");
    assert!(
        got[1].0.starts_with("call_") && got[1].0.len() == 13,
        "{}",
        got[1].0
    );
}

#[test]
fn a_call_in_the_old_form_is_a_call() {
    let (answer, _) = turn_of(&[
        json!({"function_call": {"name": "check_plan", "arguments": "{\"n\""}}),
        json!({"function_call": {"arguments": ":1}"}}),
    ]);
    assert_eq!(answer.turn.calls[0].raw, "{\"n\":1}");
}

#[test]
fn a_call_that_the_limit_cut_off_before_its_arguments_never_runs() {
    let (mut decoder, mut deltas) = (decoder(), Vec::new());
    let piece = json!({"choices": [{"finish_reason": "length", "delta": {"tool_calls": [
        {"index": 0, "id": "a", "function": {"name": "check_plan", "arguments": ""}}]}}]});
    decoder.event(&piece.to_string(), &mut deltas).unwrap();
    let answer = decoder.finish().unwrap();
    assert!(answer.turn.cut_off && answer.turn.calls[0].arguments.is_err());
    let whole = calls(&[json!({"index": 0, "id": "a", "function": {"name": "check_plan"}})]);
    assert_eq!(whole.len(), 1);
}

#[test]
fn the_stream_is_over_with_done_or_a_stop_word_and_not_without() {
    let mut cut = decoder();
    cut.event(&chunk(&json!({"content": "a"})), &mut Vec::new())
        .unwrap();
    assert_eq!(cut.finish().unwrap_err().class, Class::Truncated);
    let (answer, _) = texts(&["a"]);
    assert_eq!(answer.turn.stop, "");
}

#[test]
fn the_cap_counts_characters_of_text_and_reasoning_and_forgets_the_usage() {
    let (mut decoder, mut deltas) = (decoder(), Vec::new());
    let usage = json!({"usage": {"prompt_tokens": 3, "completion_tokens": 5}});
    decoder.event(&usage.to_string(), &mut deltas).unwrap();
    decoder
        .event(&chunk(&json!({"reasoning": "ä".repeat(500)})), &mut deltas)
        .unwrap();
    assert!(!decoder.is_full());
    decoder
        .event(&chunk(&json!({"content": "b"})), &mut deltas)
        .unwrap();
    assert!(decoder.is_full());
    let turn = decoder.finish().unwrap().turn;
    assert_eq!(
        (turn.stop.as_str(), turn.cut_off),
        ("length (harness cap)", true)
    );
    assert!(turn.usage.is_unknown());
}

#[test]
fn the_last_usage_counts_and_cached_tokens_are_part_of_it() {
    let (mut decoder, mut deltas) = (decoder(), Vec::new());
    for input in [1, 9] {
        let usage = json!({"choices": [], "usage": {"prompt_tokens": input, "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 4}}});
        decoder.event(&usage.to_string(), &mut deltas).unwrap();
    }
    decoder.event("[DONE]", &mut deltas).unwrap();
    let usage = decoder.finish().unwrap().turn.usage;
    assert_eq!((usage.input, usage.output, usage.cache_read), (9, 2, 4));
}

#[test]
fn errors_inside_the_stream_end_it_in_every_shape() {
    for event in [
        json!({"error": {"message": "m"}}),
        json!({"error": "m"}),
        json!({"object": "error", "message": "m", "code": 500}),
        json!({"choices": [{"delta": {"content": ""}, "error": {"message": "m", "code": 502}}]}),
    ] {
        let failed = decoder().event(&event.to_string(), &mut Vec::new());
        assert_eq!(failed.unwrap_err().message, "m", "{event}");
    }
    // Not one of its chunks, and no error.
    for event in ["{\"fallback\": 1}", "7", "[]", "{", "{\"choices\": null}"] {
        assert_eq!(decoder().event(event, &mut Vec::new()), Ok(()), "{event}");
    }
}

#[test]
fn an_empty_turn_leaves_nothing_in_the_history() {
    assert_eq!(texts(&[]).0.history, [] as [Value; 0]);
}

/// Deltas that are read in passing, or nearly are.
fn delta() -> impl Strategy<Value = Value> {
    let text = "[a<é\"\\\\\n🚢]{0,3}|<think>|</think>";
    prop_oneof![
        text.prop_map(|t| json!({"content": t})),
        text.prop_map(|t| json!({"role": "assistant", "content": t, "refusal": null})),
        text.prop_map(|t| json!({"reasoning_content": t, "content": null})),
        (text, text).prop_map(|(r, t)| json!({"reasoning": r, "reasoning_content": t})),
        (text, text).prop_map(|(r, t)| json!({"reasoning": r, "content": t})),
        (0_u64..2, text, "x?").prop_map(|(i, t, name)| json!({"tool_calls": [
            {"index": i, "type": "function", "function": {"name": name, "arguments": t}}]})),
        (0_u64..2, text).prop_map(|(i, t)| json!({"tool_calls": [
            {"index": i, "function": {"arguments": t}}]})),
        text.prop_map(|t| json!({"content": [t]})),
        Just(json!({})),
        Just(json!({"tool_calls": []})),
        Just(json!({"tool_calls": [{"index": 0}]})),
    ]
}

proptest! {
    #[test]
    fn a_piece_read_in_passing_is_the_piece_that_a_full_reader_finds(
        pieces in prop::collection::vec(delta(), 0..12)
    ) {
        let fresh = || Decoder { most: 1000, tools: vec!["x".into()], ..Decoder::default() };
        let (mut quick, mut full) = (fresh(), fresh());
        let (mut seen, mut expected) = (Vec::new(), Vec::new());
        for piece in &pieces {
            let text = chunk(piece);
            quick.event(&text, &mut seen).unwrap();
            full.chunk(&json::read(&text).unwrap(), &mut expected).unwrap();
        }
        prop_assert_eq!(seen, expected);
        (quick.complete, full.complete) = (true, true);
        prop_assert_eq!(quick.finish(), full.finish());
    }
}
