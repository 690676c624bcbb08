//! A bench for dialogues with an episode: a session that speaks over a socket, a model that is
//! asked over HTTP, and a page that keeps account of what is open.

use crate::chat::{Delta, ToolSpec, Turn, empty_schema};
use crate::env::{Awaited, Reset, Session, SessionError, SessionEvent, TaskRef, ToolAnswer};
use crate::episode::{Command, Episode, Setup};
use crate::provider::{Model, ModelError, ModelEvent, ToolResult};
use crate::rollout::{EndReason, Event, Message, Place, Rollout};
use crate::settings::Limits;
use crate::wire::{
    CallId, Effect, FetchFailure, Headers, HttpEvent, HttpRequest, Input, Io, Millis, SocketEvent,
    SocketId, TimerId,
};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// What the parties were told, for the tests to read.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) calls: Vec<String>,
    pub(super) told: Vec<String>,
    pub(super) closed: u32,
}

type Shared = Rc<RefCell<Log>>;

/// Any text frame is the answer to what is awaited; answers to calls come from a list.
struct FakeSession {
    log: Shared,
    ready: SessionEvent,
    answers: VecDeque<ToolAnswer>,
    socket: Option<SocketId>,
    awaited: Option<Awaited>,
    timer: Option<TimerId>,
}

impl FakeSession {
    fn await_answer(&mut self, io: &mut Io, awaited: Awaited) {
        self.awaited = Some(awaited);
        self.timer = Some(io.wait(Millis(300_000)));
        if let Some(socket) = self.socket {
            io.send(socket, "?");
        }
    }

    fn fail(&mut self, io: &mut Io, error: SessionError, events: &mut Vec<SessionEvent>) {
        self.close(io);
        events.push(SessionEvent::Failed(error));
    }
}

pub(super) fn dropped() -> SessionError {
    SessionError::Dropped {
        host: "quay.test".into(),
        code: 1006,
        reason: String::new(),
    }
}

impl Session for FakeSession {
    fn begin(&mut self, io: &mut Io, _reset: &Reset) {
        self.socket = Some(io.open("wss://quay.test/ws"));
        self.awaited = Some(Awaited::Connection);
        self.timer = Some(io.wait(Millis(60_000)));
    }

    fn call(&mut self, io: &mut Io, tool: &str, _arguments: &Map<String, Value>) {
        self.log.borrow_mut().calls.push(tool.to_owned());
        self.await_answer(io, Awaited::Call);
    }

    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<SessionEvent>) {
        match input {
            Input::Timer(timer) if self.timer == Some(*timer) => {
                self.timer = None;
                let error = SessionError::TimedOut {
                    host: "quay.test".into(),
                    what: "an answer",
                    limit: Millis(300_000),
                };
                self.fail(io, error, events);
            }
            Input::Socket(socket, event) if self.socket == Some(*socket) => match event {
                SocketEvent::Opened | SocketEvent::Text(_) => {
                    let Some(awaited) = self.awaited.take() else {
                        return;
                    };
                    if let Some(timer) = self.timer.take() {
                        io.cancel_wait(timer);
                    }
                    match awaited {
                        Awaited::Connection => {
                            self.await_answer(io, Awaited::Reset);
                            events.push(SessionEvent::Waiting(Awaited::Reset));
                        }
                        Awaited::Reset => {
                            self.await_answer(io, Awaited::Tools);
                            events.push(SessionEvent::Waiting(Awaited::Tools));
                        }
                        Awaited::Tools => events.push(self.ready.clone()),
                        Awaited::Call => {
                            let answer = self.answers.pop_front().unwrap_or_default();
                            events.push(SessionEvent::Answer(answer));
                        }
                    }
                }
                SocketEvent::Closed { .. } | SocketEvent::Refused(_) => {
                    self.socket = None;
                    self.fail(io, dropped(), events);
                }
                SocketEvent::Binary(_) => {}
            },
            _ => {}
        }
    }

    fn close(&mut self, io: &mut Io) {
        self.log.borrow_mut().closed += 1;
        self.awaited = None;
        if let Some(timer) = self.timer.take() {
            io.cancel_wait(timer);
        }
        if let Some(socket) = self.socket.take() {
            io.close(socket);
        }
    }
}

/// Bytes are a piece of text, the end of the body is the next turn of a list, a failure is tried
/// again once.
struct FakeModel {
    log: Shared,
    turns: VecDeque<Turn>,
    call: Option<CallId>,
    timer: Option<TimerId>,
    tries: u32,
}

impl FakeModel {
    fn ask(&mut self, io: &mut Io) {
        let request = HttpRequest::post("https://model.test/turn", json!({}));
        self.call = Some(io.fetch(request));
    }
}

impl Model for FakeModel {
    fn user(&mut self, text: &str) {
        self.log.borrow_mut().told.push(format!("user: {text}"));
    }
    fn notes(&mut self, text: &str) {
        self.log.borrow_mut().told.push(format!("notes: {text}"));
    }
    fn results(&mut self, results: &[ToolResult]) {
        for result in results {
            let line = format!("{}: {}", result.call.name, result.text);
            self.log.borrow_mut().told.push(line);
        }
    }
    fn step(&mut self, io: &mut Io) {
        self.tries = 0;
        self.ask(io);
    }
    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<ModelEvent>) {
        match input {
            Input::Timer(timer) if self.timer == Some(*timer) => {
                self.timer = None;
                self.ask(io);
            }
            Input::Http(call, event) if self.call == Some(*call) => match event {
                HttpEvent::Head { .. } => {}
                HttpEvent::Bytes(bytes) => {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    events.push(ModelEvent::Delta(Delta::Text(text)));
                }
                HttpEvent::End => {
                    self.call = None;
                    events.push(ModelEvent::Turn(self.turns.pop_front().unwrap_or_default()));
                }
                HttpEvent::Failed(failure) => {
                    self.call = None;
                    self.tries += 1;
                    if self.tries > 1 {
                        events.push(ModelEvent::Failed(ModelError {
                            kind: "network".into(),
                            message: format!("model.test: {failure}. Try again later"),
                        }));
                    } else {
                        self.timer = Some(io.wait(Millis(500)));
                        events.push(ModelEvent::Retry {
                            after: Millis(500),
                            attempt: 2,
                            of: 2,
                            reason: failure.to_string(),
                        });
                    }
                }
            },
            _ => {}
        }
    }
    fn cancel(&mut self, io: &mut Io) {
        if let Some(call) = self.call.take() {
            io.abort(call);
        }
        if let Some(timer) = self.timer.take() {
            io.cancel_wait(timer);
        }
    }
}

/// What the environment, the model and the person of a dialogue are like.
pub(super) struct Cast {
    pub(super) setup: Setup,
    pub(super) metadata: Value,
    pub(super) tools: Vec<&'static str>,
    pub(super) answers: Vec<ToolAnswer>,
    pub(super) turns: Vec<Turn>,
}

impl Default for Cast {
    fn default() -> Self {
        Self {
            setup: Setup {
                model_spec: "demo:planner".into(),
                reset: Reset {
                    task: TaskRef::Id("quay-1".into()),
                    episode_id: "0123456789ab".into(),
                },
                limits: Limits::default(),
                price: None,
                fallback_instructions: None,
                place: Place {
                    server: "wss://quay.test".into(),
                    task: "quay-1".into(),
                },
            },
            metadata: json!({"instructions": "Rules.", "situation": "Ships."}),
            tools: vec!["check_plan", "submit_plan"],
            answers: Vec::new(),
            turns: Vec::new(),
        }
    }
}

/// The page of a dialogue. It keeps account of everything that is open.
pub(super) struct Bench {
    pub(super) episode: Episode,
    pub(super) io: Io,
    pub(super) events: Vec<Event>,
    pub(super) log: Shared,
    pub(super) sockets: BTreeSet<SocketId>,
    pub(super) fetches: BTreeSet<CallId>,
    pub(super) timers: BTreeMap<TimerId, Millis>,
    /// Orders given in all.
    pub(super) orders: usize,
}

impl Bench {
    pub(super) fn new(cast: Cast) -> Self {
        let log = Shared::default();
        let tool = |name: &&str| ToolSpec {
            name: (*name).into(),
            description: String::new(),
            input_schema: empty_schema(),
        };
        let session = FakeSession {
            log: log.clone(),
            ready: SessionEvent::Ready {
                metadata: cast.metadata.as_object().cloned().unwrap_or_default(),
                observation: Map::new(),
                tools: cast.tools.iter().map(tool).collect(),
            },
            answers: cast.answers.into(),
            socket: None,
            awaited: None,
            timer: None,
        };
        let model = FakeModel {
            log: log.clone(),
            turns: cast.turns.into(),
            call: None,
            timer: None,
            tries: 0,
        };
        Self {
            episode: Episode::new(
                cast.setup,
                Box::new(session),
                Box::new(|_, _| Box::new(model)),
            ),
            io: Io::new(Millis(1_709_210_096_000)),
            events: Vec::new(),
            log,
            sockets: BTreeSet::new(),
            fetches: BTreeSet::new(),
            timers: BTreeMap::new(),
            orders: 0,
        }
    }

    fn keep_account(&mut self) {
        for effect in self.io.take() {
            self.orders += 1;
            match effect {
                Effect::Open(socket, _) => assert!(self.sockets.insert(socket)),
                Effect::Send(..) => {}
                Effect::Close(socket) => assert!(self.sockets.remove(&socket)),
                Effect::Fetch(call, _) => assert!(self.fetches.insert(call)),
                Effect::Abort(call) => assert!(self.fetches.remove(&call)),
                Effect::Wait(timer, length) => {
                    let due = Millis(self.io.now.0 + length.0);
                    assert_eq!(self.timers.insert(timer, due), None);
                }
                Effect::CancelWait(timer) => assert!(self.timers.remove(&timer).is_some()),
            }
        }
    }

    pub(super) fn start(&mut self) {
        self.episode.start(&mut self.io, &mut self.events);
        self.keep_account();
    }

    pub(super) fn command(&mut self, command: Command) {
        self.episode
            .command(&mut self.io, command, &mut self.events);
        self.keep_account();
    }

    /// Reports a fact, whether or not anything is open that could say it.
    pub(super) fn report(&mut self, input: &Input) {
        match input {
            Input::Socket(socket, SocketEvent::Closed { .. } | SocketEvent::Refused(_)) => {
                self.sockets.remove(socket);
            }
            Input::Http(call, HttpEvent::End | HttpEvent::Failed(_)) => {
                self.fetches.remove(call);
            }
            Input::Timer(timer) => {
                self.timers.remove(timer);
            }
            _ => {}
        }
        self.episode.handle(&mut self.io, input, &mut self.events);
        self.keep_account();
    }

    pub(super) fn socket(&mut self, event: SocketEvent) {
        let socket = *self.sockets.first().expect("a socket is open");
        self.report(&Input::Socket(socket, event));
    }

    pub(super) fn http(&mut self, event: HttpEvent) {
        let call = *self.fetches.first().expect("a request is under way");
        self.report(&Input::Http(call, event));
    }

    /// Lets time pass until the next wait is over.
    pub(super) fn ring(&mut self) {
        let next = self.timers.iter().min_by_key(|(_, due)| **due);
        let (timer, due) = next
            .map(|(t, d)| (*t, *d))
            .expect("something is waited for");
        self.io.now = self.io.now.max(due);
        self.report(&Input::Timer(timer));
    }

    pub(super) fn pass(&mut self, length: u64) {
        self.io.now.0 += length;
    }

    /// Starts, connects, resets, lists tools: the model is asked for its first turn.
    pub(super) fn open(&mut self) {
        self.start();
        self.socket(SocketEvent::Opened);
        self.answer();
        self.answer();
    }

    /// The environment answers.
    pub(super) fn answer(&mut self) {
        self.socket(SocketEvent::Text("{}".into()));
    }

    /// The model finishes its turn.
    pub(super) fn turn(&mut self) {
        self.http(HttpEvent::Head {
            status: 200,
            headers: Headers::default(),
        });
        self.http(HttpEvent::End);
    }

    pub(super) fn rollout(&self) -> Rollout {
        Rollout::fold(&self.events)
    }

    pub(super) fn endings(&self) -> usize {
        let is_ending = |event: &&Event| matches!(event, Event::Ended { .. });
        self.events.iter().filter(is_ending).count()
    }

    /// One ending, said last; nothing is open.
    pub(super) fn assert_over(&self, reason: &EndReason) {
        assert!(self.episode.is_over());
        assert_eq!(self.endings(), 1);
        assert!(matches!(self.events.last(), Some(Event::Ended { .. })));
        assert_eq!(self.rollout().ended.as_ref(), Some(reason));
        assert_eq!(self.log.borrow().closed.min(1), 1);
        assert!(self.sockets.is_empty(), "open sockets: {:?}", self.sockets);
        assert!(self.fetches.is_empty(), "open requests: {:?}", self.fetches);
        assert!(self.timers.is_empty(), "open waits: {:?}", self.timers);
    }

    /// Every kind of late fact under every id so far, and every command: nothing may follow.
    pub(super) fn assert_deaf(&mut self) {
        let before = (self.events.len(), self.orders);
        for id in 1..40 {
            for input in facts(id) {
                self.report(&input);
            }
        }
        for command in [Command::Resume, Command::Pause, Command::Stop] {
            self.command(command);
        }
        self.start();
        assert_eq!((self.events.len(), self.orders), before);
    }

    /// The texts of the loop and of tools in the record.
    pub(super) fn said(&self) -> Vec<String> {
        let record = self.rollout().record;
        let text = |message: &Message| match message {
            Message::User { content, .. } | Message::Tool { content, .. } => Some(content.clone()),
            _ => None,
        };
        record.messages.iter().filter_map(text).collect()
    }
}

/// Every kind of fact under one id.
pub(super) fn facts(id: u32) -> Vec<Input> {
    let socket = |event| Input::Socket(SocketId(id), event);
    let http = |event| Input::Http(CallId(id), event);
    vec![
        Input::Timer(TimerId(id)),
        socket(SocketEvent::Opened),
        socket(SocketEvent::Text("{}".into())),
        socket(SocketEvent::Binary(3)),
        socket(SocketEvent::Closed {
            code: 1006,
            reason: String::new(),
        }),
        socket(SocketEvent::Refused("mixed content".into())),
        http(HttpEvent::Head {
            status: 200,
            headers: Headers::default(),
        }),
        http(HttpEvent::Bytes(b"more".to_vec())),
        http(HttpEvent::End),
        http(HttpEvent::Failed(FetchFailure::Broken)),
    ]
}
