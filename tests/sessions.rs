//! Sessions with OpenEnv servers as dialogues: each file in `tests/cases/sessions` is one, and
//! adding a file adds a test.
//!
//! A step is `in` (what the page reports, or what is asked of the session), `out` (the orders that
//! follow, but for forgotten waits) and `says` (the events); the last two are left out when there
//! are none. A wait is known by its length: `{"in": {"timer": 25000}}` is the end of the one that
//! is open. After the last step nothing may be left open but what the session says it uses.

#![allow(clippy::unwrap_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::expect_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::indexing_slicing, reason = "a test stops where it goes wrong")]

use quayside::env::openenv::OpenEnvSession;
use quayside::env::{Awaited, Reset, Session, SessionEvent, TaskRef, address};
use quayside::settings::Limits;
use quayside::wire::{Effect, Input, Io, Millis, SocketEvent, SocketId, TimerId};
use serde_json::{Map, Value, json};
use std::fs;

struct Run {
    session: OpenEnvSession,
    reset: Reset,
    io: Io,
    socket: SocketId,
    waits: Vec<(TimerId, u64)>,
}

impl Run {
    fn new(case: &Value) -> Self {
        let address = address::parse(case["address"].as_str().unwrap()).unwrap();
        let mut limits = Limits::default();
        if let Some(call) = case["call_limit"].as_u64() {
            limits.call = Millis(call);
        }
        let task = match case["task"].clone() {
            Value::String(id) => TaskRef::Id(id),
            Value::Array(pair) => TaskRef::Index {
                split: pair[0].as_str().unwrap().into(),
                index: pair[1].as_u64().unwrap().try_into().unwrap(),
            },
            _ => TaskRef::Unnamed,
        };
        let episode_id = case["episode_id"].as_str().unwrap_or_default().into();
        Self {
            session: OpenEnvSession::new(address, limits),
            reset: Reset { task, episode_id },
            io: Io::new(Millis(0)),
            socket: SocketId(0),
            waits: Vec::new(),
        }
    }

    /// Takes one step; gives what was ordered and what was said.
    fn step(&mut self, input: &Value) -> (Vec<Value>, Vec<Value>) {
        let mut events = Vec::new();
        let (verb, with) = match input {
            Value::Object(map) => map
                .iter()
                .next()
                .map(|(k, v)| (k.as_str(), v.clone()))
                .unwrap(),
            word => (word.as_str().unwrap(), Value::Null),
        };
        let text = || with.as_str().unwrap_or_default().to_owned();
        let event = match verb {
            "begin" => {
                self.session.begin(&mut self.io, &self.reset);
                None
            }
            "call" => {
                let arguments = with[1].as_object().cloned().unwrap_or_default();
                self.session
                    .call(&mut self.io, with[0].as_str().unwrap(), &arguments);
                None
            }
            "close" => {
                self.session.close(&mut self.io);
                None
            }
            "timer" => {
                let length = with.as_u64().unwrap();
                let at = self.waits.iter().position(|wait| wait.1 == length);
                let (timer, _) = self.waits.remove(at.expect("no such wait is open"));
                self.session
                    .handle(&mut self.io, &Input::Timer(timer), &mut events);
                None
            }
            "opened" => Some(SocketEvent::Opened),
            "frame" => Some(SocketEvent::Text(with.to_string())),
            "text" => Some(SocketEvent::Text(text())),
            "binary" => Some(SocketEvent::Binary(
                with.as_u64().unwrap().try_into().unwrap(),
            )),
            "closed" => Some(SocketEvent::Closed {
                code: with[0].as_u64().unwrap().try_into().unwrap(),
                reason: with[1].as_str().unwrap_or_default().into(),
            }),
            "refused" => Some(SocketEvent::Refused(text())),
            other => panic!("no input is called {other}"),
        };
        if let Some(event) = event {
            let input = Input::Socket(self.socket, event);
            self.session.handle(&mut self.io, &input, &mut events);
        }
        let out = self
            .io
            .take()
            .into_iter()
            .filter_map(|effect| self.order(effect))
            .collect();
        (out, events.into_iter().map(said).collect())
    }

    fn order(&mut self, effect: Effect) -> Option<Value> {
        match effect {
            Effect::Open(socket, url) => {
                self.socket = socket;
                Some(json!({"open": url}))
            }
            Effect::Send(_, text) => {
                Some(json!({"send": serde_json::from_str::<Value>(&text).unwrap()}))
            }
            Effect::Close(_) => Some(json!("close")),
            Effect::Wait(timer, length) => {
                self.waits.push((timer, length.0));
                Some(json!({"wait": length.0}))
            }
            Effect::CancelWait(timer) => {
                self.waits.retain(|wait| wait.0 != timer);
                None
            }
            other => panic!("a session over a socket orders {other:?}"),
        }
    }
}

fn said(event: SessionEvent) -> Value {
    match event {
        SessionEvent::Waiting(what) => json!({"waiting": match what {
            Awaited::Connection => "connection",
            Awaited::Reset => "reset",
            Awaited::Tools => "tools",
            Awaited::Call => "call",
        }}),
        SessionEvent::Ready {
            metadata,
            observation,
            tools,
        } => {
            let mut ready = Map::new();
            ready.insert("metadata".into(), Value::Object(metadata));
            if !observation.is_empty() {
                ready.insert("observation".into(), Value::Object(observation));
            }
            ready.insert("tools".into(), json!(tools));
            json!({ "ready": ready })
        }
        SessionEvent::Answer(answer) => {
            let mut said = Map::new();
            said.insert("text".into(), json!(answer.text));
            if answer.done {
                said.insert("done".into(), json!(true));
            }
            if let Some(reward) = answer.reward {
                said.insert("reward".into(), json!(reward));
            }
            if !answer.metadata.is_empty() {
                said.insert("metadata".into(), Value::Object(answer.metadata));
            }
            json!({ "answer": said })
        }
        SessionEvent::Failed(error) => json!({"failed": error.to_string()}),
    }
}

#[test]
fn every_dialogue_goes_as_written() {
    let mut files: Vec<_> = fs::read_dir("tests/cases/sessions")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "the dialogues are missing");
    for path in files {
        let name = path.display();
        let text = fs::read_to_string(&path).unwrap();
        let case: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(
            case["why"].is_string(),
            "{name} does not say why it is there"
        );
        let mut run = Run::new(&case);
        let mut over = false;
        for (at, step) in case["dialogue"].as_array().unwrap().iter().enumerate() {
            let (out, says) = run.step(&step["in"]);
            let place = format!("{name}, step {at}: {}", step["in"]);
            let expected = |key: &str| step[key].as_array().cloned().unwrap_or_default();
            assert_eq!(json!(out), json!(expected("out")), "orders of {place}");
            assert_eq!(json!(says), json!(expected("says")), "events of {place}");
            over |= step["in"] == "close" || says.iter().any(|event| event["failed"].is_string());
        }
        assert_eq!(
            run.waits.is_empty(),
            over,
            "{name}: waits at the end {:?}",
            run.waits
        );
    }
}
