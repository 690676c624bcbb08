//! Answers of model APIs: each file in `tests/cases/providers` is one case, and adding a file adds
//! a test. What the fields mean stands in the README there.
//!
//! A case runs through the whole model, from the request to the turn, against a clock of its own:
//! with its chunks as they are, with all of them joined, and cut after every byte.

#![allow(clippy::unwrap_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::expect_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::indexing_slicing, reason = "a test stops where it goes wrong")]

use proptest::prelude::*;
use quayside::chat::{Delta, ToolCall, ToolSpec, Turn};
use quayside::provider::format::{Abilities, Setting};
use quayside::provider::http::HttpModel;
use quayside::provider::{Model, ModelError, ModelEvent, ToolResult, format};
use quayside::settings::{Effort, ModelSpec, Service};
use quayside::wire::{
    CallId, Effect, FetchFailure, Headers, HttpEvent, HttpRequest, Input, Io, Millis, TimerId,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fs;

/// How the bytes of an answer are cut.
#[derive(Clone, Copy, Debug)]
enum Cut<'a> {
    AsTheyAre,
    Joined,
    EveryByte,
    /// After these many bytes, over and over.
    At(&'a [usize]),
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn base64(text: &str) -> Vec<u8> {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut out) = (0_u32, 0, Vec::new());
    for sign in text.bytes().filter(|sign| *sign != b'=') {
        let value = SIGNS.iter().position(|s| *s == sign).expect("base64");
        bits = bits << 6 | u32::try_from(value).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 0xff) as u8);
        }
    }
    out
}

/// The chunks of an answer's body.
fn chunks(exchange: &Value, cut: Cut<'_>) -> Vec<Vec<u8>> {
    let given = list(&exchange["body"]).iter().map(|chunk| match chunk {
        Value::String(text) => text.clone().into_bytes(),
        chunk => base64(chunk["b64"].as_str().expect("a chunk is text or base64")),
    });
    let given: Vec<Vec<u8>> = given.collect();
    let all = given.concat();
    match cut {
        Cut::AsTheyAre => given,
        Cut::Joined => vec![all],
        Cut::EveryByte => all.chunks(1).map(<[u8]>::to_vec).collect(),
        Cut::At(sizes) => {
            let (mut rest, mut out) = (all.as_slice(), Vec::new());
            for size in sizes.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (chunk, after) = rest.split_at((*size).clamp(1, rest.len()));
                out.push(chunk.to_vec());
                rest = after;
            }
            out
        }
    }
}

/// What came of a turn.
#[derive(Default)]
struct Played {
    requests: Vec<HttpRequest>,
    waits: Vec<u64>,
    deltas: Vec<Delta>,
    switches: usize,
    end: Option<Result<Turn, ModelError>>,
}

/// A page with a clock of its own.
struct Page {
    io: Io,
    timers: Vec<(TimerId, Millis)>,
    fetches: VecDeque<(CallId, HttpRequest)>,
    aborted: Vec<CallId>,
}

impl Page {
    fn new() -> Self {
        Self {
            io: Io::new(Millis(1_795_000_000_000)),
            timers: Vec::new(),
            fetches: VecDeque::new(),
            aborted: Vec::new(),
        }
    }

    fn carry_out(&mut self) {
        for effect in self.io.take() {
            match effect {
                Effect::Fetch(call, request) => self.fetches.push_back((call, request)),
                Effect::Abort(call) => self.aborted.push(call),
                Effect::Wait(timer, length) => {
                    self.timers.push((timer, Millis(self.io.now.0 + length.0)));
                }
                Effect::CancelWait(timer) => self.timers.retain(|(other, _)| *other != timer),
                other => panic!("no order for a model: {other:?}"),
            }
        }
    }

    /// Lets the model make its turn out of the answers.
    fn play(&mut self, model: &mut dyn Model, exchanges: &[Value], cut: Cut<'_>) -> Played {
        let mut played = Played::default();
        let mut answers = exchanges.iter();
        let mut ended: Option<Millis> = None;
        model.step(&mut self.io);
        self.carry_out();
        while played.end.is_none() {
            if let Some((call, request)) = self.fetches.pop_front() {
                if let Some(ended) = ended {
                    let waited = self.io.now.since(ended).0;
                    played.waits.extend((waited > 0).then_some(waited));
                }
                played.requests.push(request);
                let exchange = answers
                    .next()
                    .expect("the case has an answer to each request");
                for event in answer(exchange, cut) {
                    if self.aborted.contains(&call) || played.end.is_some() {
                        break;
                    }
                    self.io.now.0 += 1;
                    self.report(model, &Input::Http(call, event), &mut played);
                }
                ended = Some(self.io.now);
            } else {
                let first = self.timers.iter().min_by_key(|(_, due)| *due).copied();
                let (timer, due) = first.expect("something is under way");
                self.timers.retain(|(other, _)| *other != timer);
                self.io.now = due;
                self.report(model, &Input::Timer(timer), &mut played);
            }
        }
        assert_eq!(self.timers, [], "no wait outlives the turn");
        assert!(self.fetches.is_empty(), "no request outlives the turn");
        played
    }

    fn report(&mut self, model: &mut dyn Model, input: &Input, played: &mut Played) {
        let mut events = Vec::new();
        model.handle(&mut self.io, input, &mut events);
        self.carry_out();
        for event in events {
            assert!(played.end.is_none(), "nothing follows the end: {event:?}");
            match event {
                ModelEvent::Delta(delta) => played.deltas.push(delta),
                ModelEvent::Retry { after, .. } => {
                    let due = self.timers.last().map(|(_, due)| due.since(self.io.now));
                    assert_eq!(due, Some(after), "the wait that is told is the wait");
                }
                ModelEvent::Switched(_) => played.switches += 1,
                ModelEvent::Turn(turn) => played.end = Some(Ok(turn)),
                ModelEvent::Failed(error) => played.end = Some(Err(error)),
            }
        }
    }
}

fn answer(exchange: &Value, cut: Cut<'_>) -> Vec<HttpEvent> {
    let headers = exchange["headers"].as_object().into_iter().flatten();
    let headers = headers.map(|(name, value)| (name.clone(), text(value)));
    let mut events = vec![HttpEvent::Head {
        status: u16::try_from(exchange["status"].as_u64().unwrap()).unwrap(),
        headers: Headers(headers.collect()),
    }];
    events.extend(chunks(exchange, cut).into_iter().map(HttpEvent::Bytes));
    events.push(match exchange["end"].as_str() {
        Some("cut") => HttpEvent::Failed(FetchFailure::Broken),
        _ => HttpEvent::End,
    });
    events
}

/// The service that stands for a kind of cases.
fn service_of(kind: &str) -> &'static Service {
    let word = match kind {
        "anthropic" => "anthropic",
        "openai_responses" => "openai",
        "openai_chat" => "hf",
        kind => panic!("there is no kind {kind}"),
    };
    Service::find(word).unwrap()
}

fn model_of(case: &Value) -> HttpModel {
    let (kind, request) = (text(&case["kind"]), &case["request"]);
    let service = service_of(&kind);
    let format = format(service.speaks).expect("each kind has its format");
    let spec = ModelSpec {
        service,
        model: text(&request["model"]),
        effort_word: None,
    };
    let tools = list(&request["tools"]).iter();
    let setting = Setting {
        service,
        base: service.base.into(),
        routes: spec.routes(),
        effort: Effort::Default,
        max_tokens: u32::try_from(request["max_tokens"].as_u64().unwrap()).unwrap(),
        caches: true,
        abilities: Abilities::default(),
        system: text(&request["system"]),
        tools: tools
            .map(|tool| serde_json::from_value::<ToolSpec>(tool.clone()).unwrap())
            .collect(),
        conversation: "harbour-1".into(),
    };
    let retries = request["max_retries"].as_u64();
    assert_eq!(Some(u64::from(format.retries())), retries, "retries");
    HttpModel::new(format, setting, 7)
}

/// What a request carries of the conversation.
fn conversation(request: &HttpRequest) -> Vec<Value> {
    let body = request.body.as_ref().expect("a POST");
    list(body.get("messages").unwrap_or(&body["input"])).to_vec()
}

/// Without members that are `null`, except inside a tool's input.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| {
                let is_input = name == "input";
                (
                    name.clone(),
                    if is_input {
                        value.clone()
                    } else {
                        without_nulls(value)
                    },
                )
            })
            .collect(),
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

/// Reads the argument texts of a history, so that white space in them does not count.
fn with_arguments_read(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| match value {
                Value::String(text) if name == "arguments" => {
                    let read = serde_json::from_str::<Value>(text);
                    (name.clone(), read.unwrap_or_else(|_| value.clone()))
                }
                value => (name.clone(), with_arguments_read(value)),
            })
            .collect(),
        Value::Array(items) => items.iter().map(with_arguments_read).collect(),
        value => value.clone(),
    }
}

fn call_value(call: &ToolCall) -> Value {
    let raw = serde_json::from_str::<Value>(&call.raw).unwrap_or_else(|_| json!(call.raw));
    json!({
        "id": call.id, "name": call.name, "arguments": call.arguments.clone().unwrap_or_default(),
        "error": call.arguments.as_ref().err().map(ToString::to_string),
        "raw": if call.raw.is_empty() { json!({}) } else { raw },
    })
}

/// Compares a turn; gives the ids that the client made, with the names that stand for them.
fn check_turn(turn: &Turn, expected: &Value) -> Vec<(String, String)> {
    let mut made = Vec::new();
    let mut expected = expected.clone();
    for (index, call) in expected["calls"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        let raw = call["raw"].as_str().unwrap_or_default();
        if let Ok(raw) = serde_json::from_str::<Value>(if raw.is_empty() { "{}" } else { raw }) {
            call["raw"] = raw;
        }
        let error = call["error"]
            .as_str()
            .map(|error| error.split(':').next().unwrap());
        call["error"] = json!(error);
        let id = text(&call["id"]);
        if id.starts_with("$gen") {
            let own = turn
                .calls
                .get(index)
                .map(|call| call.id.clone())
                .unwrap_or_default();
            assert!(!own.is_empty());
            call["id"] = json!(own);
            made.push((id, own));
        }
    }
    let ids: Vec<_> = turn.calls.iter().map(|call| &call.id).collect();
    assert!(
        (1..ids.len()).all(|at| !ids[..at].contains(&ids[at])),
        "ids are unique: {ids:?}"
    );
    let usage = json!({"input": turn.usage.input, "output": turn.usage.output});
    let got = json!({
        "text": turn.text, "reasoning": turn.reasoning, "stop": turn.stop, "usage": usage,
        "calls": turn.calls.iter().map(call_value).collect::<Vec<_>>(),
    });
    assert_eq!(got, expected);
    made
}

fn check_failure(model: &HttpModel, error: &ModelError, expected: &Value) {
    let (failure, text, reasoning) = model.failure().expect("the model knows why");
    assert_eq!(json!(failure.class.word()), expected["class"]);
    assert_eq!(json!(error.kind), expected["class"]);
    assert_eq!(json!(failure.status), expected["status"]);
    assert_eq!(json!(failure.kind), expected["type"]);
    assert_eq!(json!(failure.code), expected["code"]);
    assert_eq!(json!(failure.retryable), expected["retryable"]);
    for part in list(&expected["message_contains"]) {
        let part = part.as_str().unwrap();
        assert!(error.message.contains(part), "{part}: {}", error.message);
    }
    if let Some(wait) = expected.get("retry_after_ms") {
        assert_eq!(json!(failure.retry_after.map(|wait| wait.0)), *wait);
    }
    if let Some(partial) = expected.get("partial") {
        assert_eq!(json!({"text": text, "reasoning": reasoning}), *partial);
    }
}

/// What was shown piece by piece is what the turn holds. Reasoning inside text may have been shown
/// as text before its end told what it was.
fn check_deltas(deltas: &[Delta], turn: &Turn) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut calls: Vec<(String, String)> = Vec::new();
    for delta in deltas {
        match delta {
            Delta::Text(more) => text.push_str(more),
            Delta::Reasoning(more) => reasoning.push_str(more),
            Delta::Call {
                index,
                name,
                arguments,
            } => {
                calls.resize(calls.len().max(index + 1), Default::default());
                if let Some(name) = name {
                    calls[*index].0.clone_from(name);
                }
                calls[*index].1.push_str(arguments);
            }
        }
    }
    let said = format!("{}{}", turn.reasoning, turn.text);
    assert!(text == turn.text && reasoning == turn.reasoning || reasoning + &text == said);
    assert_eq!(calls.len(), turn.calls.len());
    for ((name, arguments), call) in calls.iter().zip(&turn.calls) {
        let raw = call.raw.trim();
        assert_eq!(name, &call.name);
        // No arguments at all become `{}` once the call is complete.
        assert!(arguments.trim() == raw || arguments.is_empty() && raw == "{}");
    }
}

/// Runs a case.
fn run(case: &Value, cut: Cut<'_>) {
    let expect = &case["expect"];
    let mut model = model_of(case);
    // A paused turn is continued by itself. The case is about its first part.
    if expect["turn"]["stop"] == "pause_turn" {
        model = model.without_going_on();
    }
    let exchanges = list(&case["exchanges"]);
    let mut page = Page::new();
    model.user(&text(&case["request"]["user"]));
    let played = page.play(&mut model, exchanges, cut);
    let made = match played.end.as_ref().unwrap() {
        Ok(turn) => {
            assert!(expect["error"].is_null(), "it should have failed: {turn:?}");
            // An answer in one piece is not shown before its end.
            if !played.deltas.is_empty() {
                check_deltas(&played.deltas, turn);
            }
            check_turn(turn, &expect["turn"])
        }
        Err(error) => {
            assert!(
                expect["turn"].is_null(),
                "it should not have failed: {error}"
            );
            check_failure(&model, error, &expect["error"]);
            Vec::new()
        }
    };
    assert_eq!(json!(played.requests.len()), expect["requests"]);
    let waits = list(&expect["waits_ms"]);
    assert_eq!(played.waits.len(), waits.len(), "waits: {:?}", played.waits);
    for (wait, expected) in played.waits.iter().zip(waits) {
        let (least, most) = (
            expected["min"].as_f64().unwrap(),
            expected["max"].as_f64().unwrap(),
        );
        assert!(
            (least..=most).contains(&(*wait as f64)),
            "{wait} is not in {least} to {most}"
        );
    }
    if let Some(models) = expect.get("models") {
        let asked = played
            .requests
            .iter()
            .map(|r| r.body.as_ref().unwrap()["model"].clone());
        assert_eq!(json!(asked.collect::<Vec<_>>()), *models);
        assert_eq!(played.switches + 1, list(models).len());
    }
    check_history(&mut page, &mut model, case, &played, &made);
}

/// Compares what the turn adds to the next request.
fn check_history(
    page: &mut Page,
    model: &mut HttpModel,
    case: &Value,
    played: &Played,
    made: &[(String, String)],
) {
    let first = conversation(&played.requests[0]);
    if let Some(Ok(turn)) = &played.end {
        let results = turn.calls.iter().map(|call| ToolResult {
            call: call.clone(),
            text: "done".into(),
        });
        model.results(&results.collect::<Vec<_>>());
    }
    model.user("Go on.");
    model.step(&mut page.io);
    page.carry_out();
    let (_, request) = page.fetches.pop_front().expect("a request");
    let next = conversation(&request);
    let mut expected = case["expect"]["history"].to_string();
    for (name, id) in made {
        expected = expected.replace(name.as_str(), id);
    }
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let mut expected = list(&expected);
    if case["expect"]["turn"]["stop"] == "refusal" {
        // A recorded loop may have kept it. Here it never joins: with a refused turn in its history the
        // service refuses every later request too.
        expected = &[];
    }
    if let Some(Err(_)) = &played.end {
        // The text that failed still waits, and goes out together with the new one.
        assert_eq!(expected, [] as [Value; 0]);
        assert_eq!(next.len(), first.len());
        let (last, user) = (
            next.last().unwrap().to_string(),
            text(&case["request"]["user"]),
        );
        assert!(last.contains(&user) && last.contains("Go on."), "{last}");
        return;
    }
    assert_eq!(next[..first.len()], first, "what was said stays as it is");
    let added = &next[first.len()..];
    assert!(added.len() > expected.len(), "{added:?}");
    let comparable = |items: &[Value]| {
        let items: Value = items.iter().map(without_nulls).collect();
        with_arguments_read(&items)
    };
    assert_eq!(comparable(&added[..expected.len()]), comparable(expected));
    assert!(added.last().unwrap().to_string().contains("Go on."));
    model.cancel(&mut page.io);
}

/// The cases, by file name.
fn cases() -> Vec<(String, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/providers");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let case: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(json!(name), case["id"]);
        (name, case)
    };
    paths.iter().map(read).collect()
}

/// Runs every case with `cut`; a panic tells which of them went wrong.
fn run_all(cut: Cut<'_>) {
    let cases = cases();
    assert!(cases.len() > 40, "the cases are there");
    let failed = cases.iter().filter(|(_, case)| {
        let run = std::panic::catch_unwind(|| run(case, cut));
        run.is_err()
    });
    let failed: Vec<_> = failed.map(|(name, _)| name.as_str()).collect();
    assert_eq!(failed, [""; 0], "cut {cut:?}");
}

#[test]
fn every_answer_gives_its_turn_with_the_chunks_as_they_came() {
    run_all(Cut::AsTheyAre);
}

#[test]
fn every_answer_gives_its_turn_in_one_chunk() {
    run_all(Cut::Joined);
}

#[test]
fn every_answer_gives_its_turn_byte_by_byte() {
    run_all(Cut::EveryByte);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]
    #[test]
    fn no_cut_changes_a_turn(sizes in prop::collection::vec(1_usize..400, 1..12)) {
        run_all(Cut::At(&sizes));
    }
}
