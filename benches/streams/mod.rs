//! Answers as services stream them, made up: a long turn of reasoning, text and the arguments of a
//! call, in small pieces. And how a page reads them.

use quayside::chat::ToolSpec;
use quayside::provider::format;
use quayside::provider::format::{Abilities, Answer, Ask, Setting};
use quayside::settings::{Effort, Service};
use quayside::wire::sse::EventStream;
use serde_json::{Value, json};

/// A piece of text of a few characters, as models make them; now and then one that is escaped.
fn piece(at: usize) -> &'static str {
    const PIECES: [&str; 8] = [
        " berth",
        " the",
        " ship",
        ",\n",
        " at",
        " \"quay\"",
        " 12",
        " früh",
    ];
    PIECES[at % PIECES.len()]
}

/// What kind of piece the event at `at` of `events` carries: 0 reasoning, 1 text, 2 arguments.
fn part(at: usize, events: usize) -> usize {
    at * 3 / events
}

fn data(event: &Value) -> String {
    format!("data: {event}\n\n")
}

fn chat(events: usize) -> Vec<String> {
    let chunk = |delta: Value, stop: Value| {
        data(
            &json!({"id": "chatcmpl-8f2b7c01d5", "object": "chat.completion.chunk",
            "created": 1_795_000_001, "model": "org/some-model-32b", "choices": [
                {"index": 0, "delta": delta, "logprobs": null, "finish_reason": stop}]}),
        )
    };
    let mut out = vec![chunk(
        json!({"role": "assistant", "content": ""}),
        Value::Null,
    )];
    let call = json!({"index": 0, "id": "call_77", "type": "function",
        "function": {"name": "check_plan", "arguments": ""}});
    let mut called = false;
    for at in 0..events {
        let (part, text) = (part(at, events), piece(at));
        if part == 2 && !std::mem::replace(&mut called, true) {
            out.push(chunk(json!({"tool_calls": [call]}), Value::Null));
        }
        let delta = match part {
            0 => json!({"reasoning_content": text}),
            1 => json!({"content": text}),
            _ => json!({"tool_calls": [{"index": 0, "function": {"arguments": text}}]}),
        };
        out.push(chunk(delta, Value::Null));
    }
    out.push(chunk(json!({}), json!("tool_calls")));
    out.push(data(
        &json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 9}}),
    ));
    out.push("data: [DONE]\n\n".into());
    out
}

fn named(event: &Value) -> String {
    format!(
        "event: {}\ndata: {event}\n\n",
        event["type"].as_str().unwrap_or_default()
    )
}

fn anthropic(events: usize) -> Vec<String> {
    let starts = [
        json!({"type": "thinking", "thinking": "", "signature": ""}),
        json!({"type": "text", "text": ""}),
        json!({"type": "tool_use", "id": "toolu_1", "name": "check_plan", "input": {}}),
    ];
    let usage = json!({"input_tokens": 9, "output_tokens": 1});
    let mut out = vec![named(
        &json!({"type": "message_start", "message": {"usage": usage}}),
    )];
    let mut open = None;
    for at in 0..events {
        let (index, text) = (part(at, events), piece(at));
        if open != Some(index) {
            if let Some(open) = open {
                out.push(named(&json!({"type": "content_block_stop", "index": open})));
            }
            out.push(named(
                &json!({"type": "content_block_start", "index": index,
                "content_block": starts[index]}),
            ));
            open = Some(index);
        }
        let delta = match index {
            0 => json!({"type": "thinking_delta", "thinking": text}),
            1 => json!({"type": "text_delta", "text": text}),
            _ => json!({"type": "input_json_delta", "partial_json": text}),
        };
        out.push(named(
            &json!({"type": "content_block_delta", "index": index, "delta": delta}),
        ));
    }
    out.push(named(&json!({"type": "content_block_stop", "index": 2})));
    out.push(named(
        &json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": 9}}),
    ));
    out.push(named(&json!({"type": "message_stop"})));
    out
}

fn responses(events: usize) -> Vec<String> {
    let item = |index: usize, text: &str| match index {
        0 => {
            json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": text}]})
        }
        1 => {
            json!({"type": "message", "id": "msg_1", "content": [{"type": "output_text", "text": text}]})
        }
        _ => json!({"type": "function_call", "id": "fc_1", "call_id": "call_1",
            "name": "check_plan", "arguments": text}),
    };
    let mut out = vec![named(
        &json!({"type": "response.created", "response": {"status": "in_progress"}}),
    )];
    let (mut open, mut number) = (None, 0);
    let mut texts = [String::new(), String::new(), String::new()];
    for at in 0..events {
        let (index, text) = (part(at, events), piece(at));
        if open != Some(index) {
            if let Some(open) = open {
                out.push(named(
                    &json!({"type": "response.output_item.done", "output_index": open,
                    "item": item(open, &texts[open])}),
                ));
            }
            out.push(named(
                &json!({"type": "response.output_item.added", "output_index": index,
                "item": item(index, "")}),
            ));
            open = Some(index);
        }
        texts[index].push_str(text);
        number += 1;
        out.push(named(&match index {
            0 => json!({"type": "response.reasoning_summary_text.delta", "item_id": "rs_1", "output_index": 0,
                "summary_index": 0, "delta": text, "sequence_number": number, "obfuscation": "k2Jx9qPz"}),
            1 => json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 1,
                "content_index": 0, "delta": text, "logprobs": [], "sequence_number": number,
                "obfuscation": "k2Jx9q"}),
            _ => json!({"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 2,
                "delta": text, "sequence_number": number, "obfuscation": "k2Jx9qPz01"}),
        }));
    }
    out.push(named(&json!({"type": "response.output_item.done", "output_index": 2, "item": item(2, &texts[2])})));
    let output: Vec<Value> = (0..3).map(|index| item(index, &texts[index])).collect();
    out.push(named(
        &json!({"type": "response.completed", "response": {"status": "completed", "output": output,
        "usage": {"input_tokens": 9, "output_tokens": 9}}}),
    ));
    out
}

/// The services whose formats are measured.
pub(crate) const SERVICES: [&str; 3] = ["anthropic", "openai", "vllm"];

/// The events of a turn in `events` pieces, as `service` streams it.
pub(crate) fn events(service: &str, events: usize) -> Vec<String> {
    match service {
        "anthropic" => anthropic(events),
        "openai" => responses(events),
        _ => chat(events),
    }
}

/// Reads an answer as the page does, and gives what came of it.
pub(crate) fn decode<'a>(service: &str, chunks: impl Iterator<Item = &'a [u8]>) -> Answer {
    let service = Service::find(service).unwrap();
    let setting = Setting {
        service,
        base: service.base.into(),
        routes: vec!["m".into()],
        effort: Effort::Default,
        max_tokens: 100_000_000,
        caches: true,
        abilities: Abilities::default(),
        system: String::new(),
        tools: vec![ToolSpec {
            name: "check_plan".into(),
            description: String::new(),
            input_schema: json!({}),
        }],
        conversation: "c".into(),
    };
    let ask = Ask {
        setting: &setting,
        model: "m",
        history: &[],
    };
    let mut decoder = format(service.speaks).unwrap().decoder(&ask);
    let (mut stream, mut deltas) = (EventStream::default(), Vec::new());
    for chunk in chunks {
        deltas.clear();
        stream.push(chunk, &mut |data| {
            decoder.event(data, &mut deltas).unwrap();
            !decoder.is_full()
        });
    }
    decoder.finish().unwrap()
}

/// One line that is an event of `megabytes`, as `service` would send it.
pub(crate) fn long_line(service: &str, megabytes: usize) -> String {
    let whole = events(service, 3).concat();
    // The text of the answer, which stands once in a small piece, grown.
    let long = " the".repeat(megabytes << 18);
    whole.replacen("\" the\"", &format!("\"{long}\""), 1)
}
