//! Dialogues that are about more than frames; those about frames are data, in `tests/cases/sessions`.

use super::*;
use crate::env::{TaskRef, address};
use crate::wire::{Effect, SocketEvent};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;

fn session() -> (OpenEnvSession, Io) {
    let address = address::parse("localhost:8000").unwrap();
    (
        OpenEnvSession::new(address, Limits::default()),
        Io::new(Millis(0)),
    )
}

fn reset() -> Reset {
    Reset {
        task: TaskRef::Id("quay-1".into()),
        episode_id: "3f2e73f0c592".into(),
    }
}

fn feed(session: &mut OpenEnvSession, io: &mut Io, event: SocketEvent) -> Vec<SessionEvent> {
    let mut events = Vec::new();
    session.handle(io, &Input::Socket(SocketId(1), event), &mut events);
    events
}

fn text(frame: &Value) -> SocketEvent {
    SocketEvent::Text(frame.to_string())
}

fn observation(data: &Value) -> SocketEvent {
    text(
        &json!({"type": "observation", "data": {"observation": data, "reward": null, "done": false}}),
    )
}

fn ready() -> (OpenEnvSession, Io) {
    let (mut session, mut io) = session();
    session.begin(&mut io, &reset());
    feed(&mut session, &mut io, SocketEvent::Opened);
    feed(
        &mut session,
        &mut io,
        observation(&json!({"metadata": {"situation": "s"}})),
    );
    let events = feed(
        &mut session,
        &mut io,
        observation(&json!({"tools": [{"name": "t"}]})),
    );
    assert!(matches!(events.as_slice(), [SessionEvent::Ready { .. }]));
    io.take();
    (session, io)
}

#[test]
fn a_huge_answer_is_kept_once() {
    let (mut session, mut io) = ready();
    session.call(&mut io, "t", &Map::new());
    let big = "x".repeat(3_000_000);
    let result = json!({"content": [{"type": "text", "text": big}],
        "structured_content": {"result": big}, "data": big});
    let events = feed(
        &mut session,
        &mut io,
        observation(&json!({"result": result})),
    );
    let [SessionEvent::Answer(answer)] = events.as_slice() else {
        panic!("{}", events.len())
    };
    assert_eq!(answer.text.len(), big.len());
    assert!(answer.metadata.is_empty());
}

#[test]
fn after_close_the_late_answer_changes_nothing() {
    let (mut session, mut io) = ready();
    session.call(&mut io, "t", &Map::new());
    session.close(&mut io);
    io.take();
    let late = observation(&json!({"result": "late"}));
    assert_eq!(feed(&mut session, &mut io, late), []);
    session.close(&mut io);
    session.call(&mut io, "t", &Map::new());
    session.begin(&mut io, &reset());
    assert_eq!(io.take(), []);
}

#[test]
fn closing_before_the_handshake_sends_no_frame() {
    let (mut session, mut io) = session();
    session.begin(&mut io, &reset());
    session.close(&mut io);
    let sent = io
        .take()
        .into_iter()
        .any(|effect| matches!(effect, Effect::Send(..)));
    assert!(!sent);
}

#[derive(Clone, Debug)]
enum Act {
    Begin,
    Call,
    Close,
    Socket(SocketEvent),
    /// Fires the wait with this id.
    Timer(u32),
}

fn act() -> impl Strategy<Value = Act> {
    let frames = [
        json!({"type": "observation", "data": {"observation": {"tools": [{"name": "t"}]}}}),
        json!({"type": "observation", "data": {"observation": {"result": "r"}, "done": true}}),
        json!({"type": "observation"}),
        json!({"type": "mcp", "data": {"id": 1, "result": {"tools": []}}}),
        json!({"type": "mcp", "data": {"error": {"message": "no MCP"}}}),
        json!({"type": "error", "data": {"code": "VALIDATION_ERROR", "message": "m"}}),
        json!({"type": "error", "data": {"code": "SESSION_ERROR"}}),
        json!({"type": "error", "data": {"code": "CAPACITY_REACHED"}}),
        json!({"type": "news"}),
        json!([1]),
    ];
    prop_oneof![
        2 => Just(Act::Begin),
        4 => Just(Act::Call),
        1 => Just(Act::Close),
        4 => Just(Act::Socket(SocketEvent::Opened)),
        20 => prop::sample::select(frames.to_vec()).prop_map(|frame| Act::Socket(text(&frame))),
        1 => "\\PC{0,20}".prop_map(|text| Act::Socket(SocketEvent::Text(text))),
        1 => Just(Act::Socket(SocketEvent::Binary(3))),
        1 => Just(Act::Socket(SocketEvent::Closed { code: 1006, reason: String::new() })),
        8 => (1_u32..30).prop_map(Act::Timer),
    ]
}

proptest! {
    /// One ending, nothing after it, and nothing left open: neither a wait nor the socket.
    #[test]
    fn any_dialogue_ends_once_and_leaves_nothing_open(acts in prop::collection::vec(act(), 0..40)) {
        let (mut session, mut io) = session();
        let (mut waits, mut sockets) = (BTreeSet::new(), BTreeSet::new());
        let mut over = false;
        for act in acts.into_iter().chain([Act::Close, Act::Call, Act::Begin]) {
            let mut events = Vec::new();
            match act.clone() {
                Act::Begin => session.begin(&mut io, &reset()),
                Act::Call => session.call(&mut io, "t", &Map::new()),
                Act::Close => session.close(&mut io),
                Act::Socket(event) => {
                    if matches!(event, SocketEvent::Closed { .. }) {
                        sockets.remove(&1);
                    }
                    session.handle(&mut io, &Input::Socket(SocketId(1), event), &mut events);
                }
                Act::Timer(id) => {
                    if waits.remove(&id) {
                        session.handle(&mut io, &Input::Timer(TimerId(id)), &mut events);
                    }
                }
            }
            let effects = io.take();
            if over {
                prop_assert!(events.is_empty() && effects.is_empty(), "{:?} {:?}", events, effects);
            }
            for effect in effects {
                match effect {
                    Effect::Open(id, _) => prop_assert!(sockets.insert(id.0)),
                    Effect::Close(id) => { sockets.remove(&id.0); }
                    Effect::Send(id, _) => prop_assert!(sockets.contains(&id.0)),
                    Effect::Wait(id, _) => prop_assert!(waits.insert(id.0)),
                    Effect::CancelWait(id) => { waits.remove(&id.0); }
                    Effect::Fetch(..) | Effect::Abort(_) => prop_assert!(false),
                }
            }
            prop_assert!(waits.len() <= 1);
            over |= matches!(act, Act::Close);
            let failed = events.iter().filter(|e| matches!(e, SessionEvent::Failed(_))).count();
            prop_assert!(failed <= 1);
            over |= failed == 1;
        }
        prop_assert!(waits.is_empty() && sockets.is_empty());
    }
}
