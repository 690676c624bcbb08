//! Whole episodes: each file in `tests/cases/episodes` is one, and adding a file adds a test.
//!
//! The environment is the real OpenEnv session, fed with the frames of the file. The model stands
//! at the level of neutral turns: they are taken from the file's record, their usage from the raw
//! answers. Compared are the record, and what the model was asked at each turn.

#![allow(clippy::unwrap_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::expect_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::indexing_slicing, reason = "a test stops where it goes wrong")]

use quayside::chat::{ArgumentsError, ToolCall, Turn, Usage};
use quayside::env::openenv::OpenEnvSession;
use quayside::env::{Reset, TaskRef, address};
use quayside::episode::{EPISODE_OVER, Episode, Setup, Words, turns_left};
use quayside::provider::scripted::{Heard, NotesGo, Scripted, streamed};
use quayside::provider::{Model, ModelEvent, ToolResult, notes};
use quayside::rollout::{Event, Place, Rollout};
use quayside::settings::service::Speaks;
use quayside::settings::{Limits, ModelSpec};
use quayside::wire::{Effect, Input, Io, Millis, SocketEvent};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs;
use std::rc::Rc;

/// What the model was made with and asked.
#[derive(Default)]
struct Seen {
    system: String,
    tools: Vec<String>,
    asked: Vec<Vec<Heard>>,
}

/// The scripted model, with a window for the test.
struct Watched {
    model: Scripted,
    seen: Rc<RefCell<Seen>>,
}

impl Model for Watched {
    fn user(&mut self, text: &str) {
        self.model.user(text);
    }
    fn notes(&mut self, text: &str) {
        self.model.notes(text);
    }
    fn results(&mut self, results: &[ToolResult]) {
        self.model.results(results);
    }
    fn step(&mut self, io: &mut Io) {
        self.model.step(io);
        self.seen.borrow_mut().asked = self.model.asked().to_vec();
    }
    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<ModelEvent>) {
        self.model.handle(io, input, events);
    }
    fn cancel(&mut self, io: &mut Io) {
        self.model.cancel(io);
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The last usage that a raw answer reports, under either API's names.
fn usage_of(body: &str) -> Usage {
    let whole = serde_json::from_str::<Value>(body).into_iter();
    let lines = body.lines().filter_map(|line| line.strip_prefix("data: "));
    let frames = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut usage = whole.chain(frames).filter_map(|frame| {
        let usage = frame.get("usage").filter(|usage| usage.is_object())?;
        let count = |names: [&str; 2]| names.iter().find_map(|name| usage[name].as_u64());
        Some(Usage {
            input: count(["input_tokens", "prompt_tokens"])?,
            output: count(["output_tokens", "completion_tokens"])?,
            ..Usage::default()
        })
    });
    usage.next_back().expect("the answer reports no usage")
}

/// The turns of the file, as a script.
fn script_of(case: &Value) -> Vec<Vec<ModelEvent>> {
    let messages = case["record"]["messages"].as_array().unwrap().iter();
    let turns = messages.filter(|message| message["role"] == "assistant");
    let mut turns = turns.map(|message| Turn {
        text: text(&message["content"]),
        reasoning: text(&message["reasoning"]),
        stop: text(&message["stop"]),
        calls: message["tool_calls"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| ToolCall::from_raw(text(&c["id"]), text(&c["name"]), text(&c["arguments"])))
            .collect(),
        ..Turn::default()
    });
    let switches = case["record"]["provider_switches"].as_array();
    let mut switches = switches.into_iter().flatten();
    let (mut script, mut lines) = (Vec::new(), Vec::new());
    for answer in case["model"].as_array().unwrap() {
        if answer["status"] == 200 {
            let mut turn = turns.next().expect("more answers than turns");
            turn.usage = usage_of(answer["body"].as_str().unwrap());
            lines.extend(streamed(turn));
            script.push(std::mem::take(&mut lines));
        } else {
            let how = switches.next().expect("a refusal without a switch");
            lines.push(ModelEvent::Switched(text(how)));
        }
    }
    assert_eq!(turns.next(), None, "more turns than answers");
    script
}

/// Runs the episode of a file.
fn run(case: &Value) -> (Vec<Event>, Seen) {
    let spec: ModelSpec = case["spec"].as_str().unwrap().parse().unwrap();
    let notes_go = match spec.service.speaks {
        Speaks::Chat => NotesGo::ToOwnMessage,
        _ => NotesGo::ToUserText,
    };
    let number = |name: &str| case["run"][name].as_u64().unwrap();
    let limits = Limits {
        turns: number("max_turns").try_into().unwrap(),
        tokens: number("max_tokens").try_into().unwrap(),
        time: Millis(number("wall_clock_s") * 1000),
        ..Limits::default()
    };
    let setup = Setup {
        model_spec: spec.to_string(),
        reset: Reset {
            task: TaskRef::Id(text(&case["task_id"])),
            episode_id: "EPISODE".into(),
        },
        limits,
        price: None,
        fallback_instructions: None,
        place: Place::default(),
    };
    let session = OpenEnvSession::new(address::parse("https://quay.test").unwrap(), limits);
    let seen = Rc::new(RefCell::new(Seen::default()));
    let watch = seen.clone();
    let model = Scripted::new(script_of(case)).with_notes(notes_go);
    let make_model = move |system: &str, tools: &[quayside::chat::ToolSpec]| {
        system.clone_into(&mut watch.borrow_mut().system);
        watch.borrow_mut().tools = tools.iter().map(|tool| tool.name.clone()).collect();
        Box::new(Watched { model, seen: watch }) as Box<dyn Model>
    };
    let mut episode = Episode::new(setup, Box::new(session), Box::new(make_model));

    let (mut io, mut events) = (Io::new(Millis(1_709_210_096_000)), Vec::new());
    let mut frames = case["env"].as_array().unwrap().iter();
    let mut inputs = VecDeque::new();
    episode.start(&mut io, &mut events);
    loop {
        for effect in io.take() {
            match effect {
                Effect::Open(socket, _) => {
                    inputs.push_back(Input::Socket(socket, SocketEvent::Opened));
                }
                Effect::Send(socket, sent) => {
                    let sent: Value = serde_json::from_str(&sent).unwrap();
                    if sent["type"] == "close" {
                        continue;
                    }
                    let frame = frames.next().expect("the file has no such frame");
                    assert_eq!(sent, frame["send"]);
                    let answer = SocketEvent::Text(frame["answer"].to_string());
                    inputs.push_back(Input::Socket(socket, answer));
                }
                Effect::Wait(timer, Millis(0)) => inputs.push_back(Input::Timer(timer)),
                Effect::Wait(..) | Effect::CancelWait(_) | Effect::Close(_) => {}
                other => panic!("nobody answers {other:?}"),
            }
        }
        let Some(input) = inputs.pop_front() else {
            break;
        };
        episode.handle(&mut io, &input, &mut events);
    }
    assert!(episode.is_over(), "the episode waits for something");
    assert_eq!(frames.next(), None, "a frame was never sent");
    drop(episode);
    let seen = Rc::into_inner(seen).unwrap().into_inner();
    (events, seen)
}

/// Puts the markers of the files in place of our sentences.
fn marked(text: &str) -> String {
    let words = Words::Plans;
    let error = quayside::wire::json::error_text;
    let mut text = text.to_owned();
    for (sentence, marker) in [
        (words.opening().to_owned(), "@opening"),
        (words.last_turn().to_owned(), "@last_turn"),
        (words.no_tool_call().to_owned(), "@nudge_no_tool"),
        (words.cut_off().to_owned(), "@nudge_cut_off"),
        (notes::IN_USER_TEXT.to_owned(), "@notes"),
        (notes::IN_OWN_WORDS.to_owned(), "@notes_kept"),
        (error(EPISODE_OVER), "@episode_over"),
        (
            error(&ArgumentsError::NotJson.to_string()),
            "@args_not_json",
        ),
        (
            error(&ArgumentsError::NotObject.to_string()),
            "@args_not_object",
        ),
    ] {
        text = text.replace(&sentence, marker);
    }
    for left in 0..20 {
        let line = format!("\n{}", turns_left(left));
        if let Some(before) = text.strip_suffix(&line) {
            text = format!("{before}\n@turns_left({left})");
            break;
        }
    }
    text
}

/// A value in which numbers compare by value.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(map) => map.iter().map(|(k, v)| (k.clone(), plain(v))).collect(),
        other => other.clone(),
    }
}

fn json_or_text(text: &Value) -> Value {
    serde_json::from_str(text.as_str().unwrap()).unwrap_or_else(|_| text.clone())
}

/// A record in the form in which two are compared.
fn comparable(record: &Value) -> Value {
    let mut record = record.clone();
    record["started"] = json!("STARTED");
    record["errors"] = json!(record["errors"].as_array().unwrap().len());
    for message in record["messages"].as_array_mut().unwrap() {
        message["content"] = json!(marked(message["content"].as_str().unwrap()));
        if let Some(calls) = message.get_mut("tool_calls") {
            for call in calls.as_array_mut().unwrap() {
                call["arguments"] = json_or_text(&call["arguments"]);
            }
        }
    }
    if let Some(switches) = record.get_mut("provider_switches") {
        for switch in switches.as_array_mut().unwrap() {
            *switch = json!(
                switch
                    .as_str()
                    .unwrap()
                    .split(':')
                    .take(3)
                    .collect::<String>()
            );
        }
    }
    plain(&record)
}

/// A conversation as a list of `[who, what, …]`; texts of the user that follow each other are one.
#[derive(Default)]
struct Conversation(Vec<Value>);

impl Conversation {
    fn user(&mut self, text: &str) {
        let text = marked(text);
        match self.0.last_mut() {
            Some(last) if last[0] == "user" => {
                last[1] = json!(format!("{}\n\n{text}", last[1].as_str().unwrap()));
            }
            _ => self.0.push(json!(["user", text])),
        }
    }
    /// The model's message; one that follows another goes on with it.
    fn model(&mut self, text: &str, calls: Vec<Value>) {
        if self.0.last().is_none_or(|last| last[0] != "model") {
            self.0.push(json!(["model", "", []]));
        }
        let last = self.0.last_mut().unwrap();
        last[1] = json!(format!("{}{}", last[1].as_str().unwrap(), marked(text)));
        last[2].as_array_mut().unwrap().extend(calls);
    }
    fn tool(&mut self, id: &Value, text: &str) {
        self.0.push(json!(["tool", id, marked(text)]));
    }
    fn call(id: &Value, name: &Value, arguments: &Value) -> Value {
        json!([id, name, plain(arguments)])
    }
}

fn heard(history: &[Heard]) -> Vec<Value> {
    let mut said = Conversation::default();
    for message in history {
        match message {
            Heard::User(text) => said.user(text),
            Heard::Model { text, calls } => {
                let call = |c: &ToolCall| {
                    let arguments = json_or_text(&json!(c.raw));
                    Conversation::call(&json!(c.id), &json!(c.name), &arguments)
                };
                said.model(text, calls.iter().map(call).collect());
            }
            Heard::Tool(result) => said.tool(&json!(result.call.id), &result.text),
        }
    }
    said.0
}

/// The same from a file; the shapes of the three APIs are told apart by what they hold.
fn asked(history: &Value) -> Vec<Value> {
    let mut said = Conversation::default();
    for message in history.as_array().unwrap() {
        let content = &message["content"];
        let blocks = content.as_array().into_iter().flatten();
        match (message["type"].as_str(), message["role"].as_str()) {
            (Some("function_call"), _) => {
                let arguments = json_or_text(&message["arguments"]);
                let call = Conversation::call(&message["call_id"], &message["name"], &arguments);
                said.model("", vec![call]);
            }
            (Some("function_call_output"), _) => {
                said.tool(&message["call_id"], message["output"].as_str().unwrap());
            }
            (Some("reasoning"), _) | (_, Some("system")) => {}
            (_, Some("tool")) => said.tool(&message["tool_call_id"], content.as_str().unwrap()),
            (_, Some("user")) if content.is_string() => said.user(content.as_str().unwrap()),
            (_, Some("user")) => {
                for block in blocks {
                    match block["type"].as_str().unwrap() {
                        "tool_result" => {
                            let text = block["content"][0]["text"].as_str().unwrap();
                            said.tool(&block["tool_use_id"], text);
                        }
                        _ => said.user(block["text"].as_str().unwrap()),
                    }
                }
            }
            (_, Some("assistant")) => {
                said.model(content.as_str().unwrap_or_default(), Vec::new());
                for block in blocks {
                    match block["type"].as_str().unwrap() {
                        "tool_use" => {
                            let input = &block["input"];
                            let call = Conversation::call(&block["id"], &block["name"], input);
                            said.model("", vec![call]);
                        }
                        "text" | "output_text" => {
                            said.model(block["text"].as_str().unwrap(), Vec::new());
                        }
                        _ => {}
                    }
                }
                for call in message["tool_calls"].as_array().into_iter().flatten() {
                    let function = &call["function"];
                    let arguments = json_or_text(&function["arguments"]);
                    let call = Conversation::call(&call["id"], &function["name"], &arguments);
                    said.model("", vec![call]);
                }
            }
            other => panic!("no API has a message like {other:?}"),
        }
    }
    said.0
}

fn compare(name: &str, case: &Value) {
    let (events, seen) = run(case);
    let endings = events.iter().filter(|e| matches!(e, Event::Ended { .. }));
    assert_eq!(endings.count(), 1, "{name}");

    let record = comparable(&Rollout::fold(&events).record.to_json());
    let expected = comparable(&case["record"]);
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(record.get(field), Some(value), "{name}: {field}");
    }
    assert_eq!(
        record.as_object().unwrap().len(),
        expected.as_object().unwrap().len()
    );

    let tools = case["env"][1]["answer"]["data"]["observation"]["tools"].as_array();
    let tools: Vec<_> = tools
        .unwrap()
        .iter()
        .map(|tool| text(&tool["name"]))
        .collect();
    assert_eq!(seen.tools, tools, "{name}");

    let requests = case["asked"].as_array().unwrap().iter();
    let answers = case["model"].as_array().unwrap().iter();
    let answered = requests
        .zip(answers)
        .filter(|(_, answer)| answer["status"] == 200);
    let answered: Vec<_> = answered.map(|(request, _)| request).collect();
    assert_eq!(seen.asked.len(), answered.len(), "{name}: requests");
    for (at, (ours, request)) in seen.asked.iter().zip(answered).enumerate() {
        let system = match request["system"].as_str() {
            Some(system) => system,
            None => request["history"][0]["content"].as_str().unwrap(),
        };
        assert_eq!(seen.system, system, "{name}: system prompt");
        assert_eq!(
            heard(ours),
            asked(&request["history"]),
            "{name}: request {at}"
        );
    }
}

#[test]
fn every_episode_gives_the_record_of_its_file() {
    let mut files: Vec<_> = fs::read_dir("tests/cases/episodes")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    assert!(files.len() >= 6, "the episodes are missing");
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        compare(&name, &case);
    }
}
