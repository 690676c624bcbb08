use super::*;
use crate::wire::{Effect, FetchFailure, Headers, HttpEvent, HttpRequest, Millis, SocketEvent};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};

const LOCAL: Page = Page {
    https: false,
    local: true,
    permission: None,
};
const HOSTED: Page = Page {
    https: true,
    local: false,
    permission: None,
};

fn doctor(typed: &str, page: Page) -> Doctor {
    let mut doctor = Doctor::new(typed, page.https, page.local);
    if let Some(state) = page.permission {
        doctor.permission_is(state);
    }
    doctor
}

/// What stands at the other end. Where it has nothing to say, the oldest wait runs out.
#[derive(Default)]
struct World {
    /// The answer to a request that may be read; `None`: it may not.
    health: Option<(u16, Value)>,
    /// Whether an opaque request is answered; `None`: never.
    answers: Option<bool>,
    /// What huggingface.co says.
    space: Option<(u16, Value)>,
    /// What the socket does at once; nothing at all when empty.
    handshake: Vec<SocketEvent>,
    /// What it answers to each type of frame (`state`, `reset`, `mcp`, `step`).
    frames: Vec<(&'static str, SocketEvent)>,
}

impl World {
    fn requested(&self, request: &HttpRequest) -> Vec<HttpEvent> {
        let whole = |(status, body): &(u16, Value)| {
            let headers = Headers::default();
            vec![
                HttpEvent::Head {
                    status: *status,
                    headers,
                },
                HttpEvent::Bytes(body.to_string().into_bytes()),
                HttpEvent::End,
            ]
        };
        let refused = || vec![HttpEvent::Failed(FetchFailure::Unreachable)];
        if request.url.starts_with("https://huggingface.co/") {
            return self.space.as_ref().map_or_else(refused, whole);
        }
        assert!(request.url.ends_with("/health"));
        match (request.opaque, self.answers) {
            (_, None) => Vec::new(),
            (_, Some(false)) => refused(),
            (true, _) => vec![HttpEvent::Head {
                status: 0,
                headers: Headers::default(),
            }],
            (false, _) => self.health.as_ref().map_or_else(refused, whole),
        }
    }

    fn sent(&self, text: &str) -> Vec<SocketEvent> {
        let frame: Value = serde_json::from_str(text).unwrap();
        let kind = frame["type"].as_str().unwrap();
        let answers = self.frames.iter().filter(|(to, _)| *to == kind);
        answers.map(|(_, event)| event.clone()).collect()
    }
}

/// Plays it through; checks that nothing is left open.
fn examine(mut doctor: Doctor, world: &World) -> (Verdict, Vec<Finding>) {
    let mut io = Io::new(Millis(0));
    let mut inputs = VecDeque::new();
    let (mut waits, mut open) = (BTreeSet::new(), BTreeSet::new());
    doctor.begin(&mut io);
    for _ in 0..100 {
        for effect in io.take() {
            match effect {
                Effect::Wait(timer, length) => {
                    assert!(length.0 > 0);
                    waits.insert(timer.0);
                }
                Effect::CancelWait(timer) => {
                    waits.remove(&timer.0);
                }
                Effect::Fetch(call, request) => {
                    let events = world.requested(&request).into_iter();
                    inputs.extend(events.map(|event| Input::Http(call, event)));
                }
                Effect::Open(socket, _) => {
                    open.insert(socket);
                    let events = world.handshake.iter().cloned();
                    inputs.extend(events.map(|event| Input::Socket(socket, event)));
                }
                Effect::Send(socket, text) => {
                    let events = world.sent(&text).into_iter();
                    inputs.extend(events.map(|event| Input::Socket(socket, event)));
                }
                Effect::Close(socket) => {
                    open.remove(&socket);
                }
                Effect::Abort(_) => {}
            }
        }
        if let Some(verdict) = doctor.verdict() {
            assert!(waits.is_empty() && open.is_empty(), "{waits:?} {open:?}");
            let running = |finding: &Finding| finding.outcome == Outcome::Running;
            assert!(
                !doctor.findings().iter().any(running),
                "{:?}",
                doctor.findings()
            );
            assert!(doctor.findings().is_sorted_by_key(|finding| finding.id));
            return (verdict, doctor.findings().to_vec());
        }
        let input = inputs
            .pop_front()
            .or_else(|| waits.pop_first().map(|id| Input::Timer(TimerId(id))));
        let input = input.expect("the doctor waits for nothing");
        if let Input::Socket(socket, SocketEvent::Closed { .. } | SocketEvent::Refused(_)) = &input
        {
            open.remove(socket);
        }
        doctor.handle(&mut io, &input);
    }
    panic!("no end: {:?}", doctor.findings());
}

fn test(typed: &str, page: Page, world: &World) -> (Verdict, Vec<Finding>) {
    examine(doctor(typed, page), world)
}

fn outcome(findings: &[Finding], id: CheckId) -> Outcome {
    findings
        .iter()
        .find(|finding| finding.id == id)
        .unwrap_or_else(|| panic!("no {id:?}"))
        .outcome
}

fn text(frame: &Value) -> SocketEvent {
    SocketEvent::Text(frame.to_string())
}

fn error(code: &str) -> SocketEvent {
    text(&json!({"type": "error", "data": {"code": code, "message": "Server at capacity: 2/2"}}))
}

fn mcp(result: &Value) -> SocketEvent {
    text(&json!({"type": "mcp", "data": {"jsonrpc": "2.0", "id": 1, "result": result}}))
}

fn observation(data: &Value) -> SocketEvent {
    text(&json!({"type": "observation", "data": {"observation": data}}))
}

fn closed(code: u16) -> SocketEvent {
    SocketEvent::Closed {
        code,
        reason: String::new(),
    }
}

/// A sound server, with one thing said differently.
fn server(kind: &'static str, instead: Option<SocketEvent>) -> World {
    let tools = json!({"tools": [{"name": "check_plan"}, {"name": "submit_plan"}]});
    let sound = [
        (
            "state",
            text(&json!({"type": "state", "data": {"step_count": 0}})),
        ),
        (
            "reset",
            observation(&json!({"metadata": {"instructions": "i", "situation": "s"}})),
        ),
        ("mcp", mcp(&tools)),
        ("step", observation(&tools)),
    ];
    let mut frames: Vec<_> = sound.into_iter().filter(|(to, _)| *to != kind).collect();
    frames.extend(instead.map(|event| (kind, event)));
    World {
        answers: Some(true),
        handshake: vec![SocketEvent::Opened],
        frames,
        ..World::default()
    }
}

#[test]
fn a_sound_server_passes() {
    let (verdict, findings) = test("localhost:8000", LOCAL, &server("", None));
    assert_eq!(verdict, Verdict::Fine);
    for id in [
        CheckId::Answers,
        CheckId::Socket,
        CheckId::Room,
        CheckId::Speaks,
        CheckId::Tools,
        CheckId::Steps,
    ] {
        assert_eq!(outcome(&findings, id), Outcome::Passed, "{id:?}");
    }
    assert_eq!(outcome(&findings, CheckId::Readable), Outcome::Unknown);
    assert!(
        findings
            .iter()
            .all(|finding| !matches!(finding.id, CheckId::Space | CheckId::Instructions))
    );
}

#[test]
fn a_readable_server_can_list_its_tasks() {
    let world = World {
        health: Some((200, json!({"status": "healthy"}))),
        ..server("", None)
    };
    let (_, findings) = test("localhost:8000", LOCAL, &world);
    assert_eq!(outcome(&findings, CheckId::Readable), Outcome::Passed);
}

/// Each trouble with its verdict and the check that shows it.
fn troubles() -> Vec<(&'static str, World, Verdict, CheckId)> {
    let refused = |answers, health| World {
        answers,
        health,
        handshake: vec![closed(1006)],
        ..World::default()
    };
    let validation = || Some(error("VALIDATION_ERROR"));
    let without_mcp = |world: World| World {
        frames: world
            .frames
            .into_iter()
            .filter(|(to, _)| *to != "mcp")
            .collect(),
        ..world
    };
    vec![
        (
            "nothing there",
            refused(Some(false), None),
            Verdict::NotThere,
            CheckId::Socket,
        ),
        (
            "wrong path",
            refused(Some(true), None),
            Verdict::WrongPath,
            CheckId::Socket,
        ),
        (
            "wrong path, readable",
            refused(Some(true), Some((404, json!({})))),
            Verdict::WrongPath,
            CheckId::Socket,
        ),
        ("silent", World::default(), Verdict::Slow, CheckId::Socket),
        (
            "echo",
            server("state", Some(text(&json!("hello")))),
            Verdict::NotOpenEnv,
            CheckId::Speaks,
        ),
        (
            "binary",
            server("state", Some(SocketEvent::Binary(9))),
            Verdict::NotOpenEnv,
            CheckId::Speaks,
        ),
        (
            "hangs up",
            server("state", Some(closed(1000))),
            Verdict::NotOpenEnv,
            CheckId::Speaks,
        ),
        (
            "says nothing",
            server("state", None),
            Verdict::Slow,
            CheckId::Speaks,
        ),
        (
            "full",
            server("state", Some(error("CAPACITY_REACHED"))),
            Verdict::Full,
            CheckId::Room,
        ),
        (
            "broken",
            server("state", Some(error("FACTORY_ERROR"))),
            Verdict::Refused,
            CheckId::Room,
        ),
        (
            "no tools",
            without_mcp(server("step", validation())),
            Verdict::NoTools,
            CheckId::Tools,
        ),
        (
            "empty list",
            without_mcp(server("step", Some(observation(&json!({"tools": []}))))),
            Verdict::NoTools,
            CheckId::Tools,
        ),
        (
            "0.2.2",
            server("step", None),
            Verdict::OldVersion,
            CheckId::Steps,
        ),
        (
            "dies",
            server("step", Some(closed(1011))),
            Verdict::Refused,
            CheckId::Steps,
        ),
    ]
}

#[test]
fn troubles_that_look_alike_are_told_apart() {
    for (name, world, verdict, failed) in troubles() {
        let (found, findings) = test("localhost:8000", LOCAL, &world);
        assert_eq!(found, verdict, "{name}: {findings:#?}");
        assert_eq!(outcome(&findings, failed), Outcome::Failed, "{name}");
        for finding in &findings {
            assert_eq!(
                finding.outcome == Outcome::Failed,
                finding.fix.is_some(),
                "{finding:?}"
            );
        }
    }
}

#[test]
fn what_the_server_needs_not_do_is_no_failure() {
    // A state it cannot give, a list of tools refused by step (0.2.1), no `mcp` (0.2.0).
    for (kind, code) in [
        ("state", "EXECUTION_ERROR"),
        ("step", "VALIDATION_ERROR"),
        ("mcp", "UNKNOWN_TYPE"),
    ] {
        let (verdict, findings) = test("localhost:8000", LOCAL, &server(kind, Some(error(code))));
        assert_eq!(verdict, Verdict::Fine, "{kind}: {findings:#?}");
    }
}

#[test]
fn the_border_is_found_before_anything_is_opened() {
    let denied = Page {
        permission: Some(PermissionState::Denied),
        ..HOSTED
    };
    for (typed, page, verdict) in [
        ("not an address", HOSTED, Verdict::BadAddress),
        ("owner/name", HOSTED, Verdict::BadAddress),
        ("ws://play.example.org", HOSTED, Verdict::MixedContent),
        ("localhost:8000", denied, Verdict::LocalPermission),
        (
            "localhost:8000",
            Page {
                https: false,
                ..HOSTED
            },
            Verdict::LocalPermission,
        ),
    ] {
        let mut doctor = doctor(typed, page);
        let mut io = Io::new(Millis(0));
        doctor.begin(&mut io);
        assert_eq!(doctor.verdict(), Some(verdict), "{typed}");
        assert_eq!(io.take(), []);
    }
}

#[test]
fn a_permission_refused_meanwhile_explains_the_close() {
    let page = Page {
        permission: Some(PermissionState::Prompt),
        ..HOSTED
    };
    let mut doctor = doctor("localhost:8000", page);
    assert_eq!(doctor.patience(), LONG);
    let mut io = Io::new(Millis(0));
    doctor.begin(&mut io);
    let Some(Effect::Fetch(call, _)) = io.take().into_iter().next() else {
        panic!()
    };
    doctor.handle(
        &mut io,
        &Input::Http(call, HttpEvent::Failed(FetchFailure::Unreachable)),
    );
    let Some(Effect::Open(socket, _)) = io
        .take()
        .into_iter()
        .find(|e| matches!(e, Effect::Open(..)))
    else {
        panic!()
    };
    doctor.permission_is(PermissionState::Denied);
    assert!(doctor.handle(&mut io, &Input::Socket(socket, closed(1006))));
    assert_eq!(doctor.verdict(), Some(Verdict::LocalPermission));
}

#[test]
fn a_space_is_asked_after_only_when_nothing_opened() {
    let space = "owner-name.hf.space";
    let (verdict, findings) = test(space, HOSTED, &server("", None));
    assert_eq!(verdict, Verdict::Fine);
    assert_eq!(outcome(&findings, CheckId::Space), Outcome::Skipped);

    let stage = |stage: &str| Some((200, json!({"runtime": {"stage": stage}})));
    for (answer, verdict) in [
        (stage("SLEEPING"), Verdict::Asleep),
        (stage("PAUSED"), Verdict::Asleep),
        (stage("BUILDING"), Verdict::Asleep),
        (stage("RUNTIME_ERROR"), Verdict::Asleep),
        (stage("RUNNING"), Verdict::WrongPath),
        (Some((401, json!({}))), Verdict::NotThere),
        (None, Verdict::WrongPath),
    ] {
        let world = World {
            answers: Some(true),
            space: answer,
            handshake: vec![closed(1006)],
            ..World::default()
        };
        assert_eq!(test(space, HOSTED, &world).0, verdict, "{:?}", world.space);
    }
    let silent = World {
        space: stage("SLEEPING"),
        ..World::default()
    };
    assert_eq!(test(space, HOSTED, &silent).0, Verdict::Asleep);
}

#[test]
fn with_a_task_its_texts_are_looked_at() {
    let examined = |world: &World| {
        examine(
            doctor("localhost:8000", LOCAL).with_task(Reset::default()),
            world,
        )
    };
    let (verdict, findings) = examined(&server("", None));
    assert_eq!(verdict, Verdict::Fine);
    assert_eq!(outcome(&findings, CheckId::Instructions), Outcome::Passed);
    let bare = server("reset", Some(observation(&json!({}))));
    let (verdict, findings) = examined(&bare);
    assert_eq!(verdict, Verdict::Fine);
    assert_eq!(outcome(&findings, CheckId::Instructions), Outcome::Unknown);
    let unknown = server("reset", Some(error("EXECUTION_ERROR")));
    assert_eq!(examined(&unknown).0, Verdict::Refused);
    assert_eq!(examined(&server("reset", None)).0, Verdict::Slow);
}

#[test]
fn cancelling_stops_and_says_so() {
    let mut doctor = doctor("localhost:8000", LOCAL);
    let mut io = Io::new(Millis(0));
    doctor.begin(&mut io);
    io.take();
    doctor.cancel(&mut io);
    assert_eq!(doctor.verdict(), Some(Verdict::Cancelled));
    assert_eq!(
        outcome(doctor.findings(), CheckId::Answers),
        Outcome::Skipped
    );
    assert!(matches!(
        io.take().as_slice(),
        [Effect::Abort(_), Effect::CancelWait(_)]
    ));
    doctor.cancel(&mut io);
    doctor.begin(&mut io);
    assert_eq!(io.take(), []);
}

fn event() -> impl Strategy<Value = SocketEvent> {
    let events = vec![
        SocketEvent::Opened,
        SocketEvent::Binary(1),
        SocketEvent::Text("noise".into()),
        text(&json!({"type": "state"})),
        text(&json!({"type": "news"})),
        mcp(&json!({"tools": [{"name": "t"}]})),
        observation(&json!({"tools": []})),
        error("SESSION_ERROR"),
        error("VALIDATION_ERROR"),
    ];
    prop::sample::select(events)
}

proptest! {
    #[test]
    fn any_world_leads_to_a_verdict(
        answers in prop::option::of(any::<bool>()),
        handshake in prop::collection::vec(event(), 0..3),
        frames in prop::collection::vec((prop::sample::select(vec!["state", "reset", "mcp", "step"]), event()), 0..8),
        space in any::<bool>(),
        task in any::<bool>(),
    ) {
        let world = World { answers, handshake, frames, ..World::default() };
        let mut patient = doctor(if space { "a-b.hf.space" } else { "localhost:1" }, LOCAL);
        if task {
            patient = patient.with_task(Reset::default());
        }
        examine(patient, &world);
    }
}
