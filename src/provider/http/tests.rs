//! What the recorded cases do not reach: silence, Stop, notes, pauses, answers in one piece.

use super::*;
use crate::chat::{Delta, ToolCall, Usage};
use crate::provider::format;
use crate::provider::format::Abilities;
use crate::settings::service::Speaks;
use crate::settings::{Effort, ModelSpec};
use crate::wire::{Effect, FetchFailure, HttpRequest};
use serde_json::json;

fn setting(spec: &str) -> Setting {
    let spec: ModelSpec = spec.parse().unwrap();
    Setting {
        service: spec.service,
        base: "https://models.example/v1".into(),
        routes: spec.routes(),
        effort: Effort::Default,
        max_tokens: 100,
        caches: false,
        abilities: Abilities::default(),
        system: "You plan quays.".into(),
        tools: Vec::new(),
        conversation: "c".into(),
    }
}

/// A model, the pad it writes on, and what it said.
struct Bench {
    model: HttpModel,
    io: Io,
    said: Vec<ModelEvent>,
}

impl Bench {
    fn of(format: &'static dyn Format, spec: &str) -> Self {
        Self {
            model: HttpModel::new(format, setting(spec), 1),
            io: Io::new(Millis(1_000_000)),
            said: Vec::new(),
        }
    }

    fn chat() -> Self {
        Self::of(format(Speaks::Chat).unwrap(), "hf:org/m")
    }

    fn step(&mut self, text: &str) -> CallId {
        self.model.user(text);
        self.model.step(&mut self.io);
        self.asked().0
    }

    /// The request that was just ordered.
    fn asked(&mut self) -> (CallId, HttpRequest) {
        let orders = self.io.take();
        let fetch = orders.into_iter().find_map(|order| match order {
            Effect::Fetch(call, request) => Some((call, request)),
            _ => None,
        });
        fetch.expect("a request")
    }

    fn http(&mut self, call: CallId, event: HttpEvent) {
        let input = Input::Http(call, event);
        self.model.handle(&mut self.io, &input, &mut self.said);
    }

    fn head(&mut self, call: CallId, status: u16) {
        let headers = Headers(vec![("content-type".into(), "text/tram".into())]);
        self.http(call, HttpEvent::Head { status, headers });
    }

    fn bytes(&mut self, call: CallId, text: &str) {
        self.http(call, HttpEvent::Bytes(text.into()));
    }

    fn answer(&mut self, call: CallId, status: u16, text: &str) {
        self.head(call, status);
        self.bytes(call, text);
        self.http(call, HttpEvent::End);
    }

    fn ring(&mut self, timer: TimerId) {
        let input = Input::Timer(timer);
        self.model.handle(&mut self.io, &input, &mut self.said);
    }

    fn failure(&self) -> &Failure {
        self.model.failure().expect("it failed").0
    }

    fn messages(request: &HttpRequest) -> Value {
        request.body.as_ref().unwrap()["messages"].clone()
    }
}

fn wait(orders: &[Effect]) -> (TimerId, u64) {
    let wait = orders.iter().find_map(|order| match order {
        Effect::Wait(timer, length) => Some((*timer, length.0)),
        _ => None,
    });
    wait.expect("a wait")
}

const HELLO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";
const STOP: &str =
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

#[test]
fn late_bytes_after_a_stop_change_nothing() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.head(call, 200);
    bench.bytes(call, HELLO);
    bench.said.clear();
    bench.model.cancel(&mut bench.io);
    let orders = bench.io.take();
    assert!(matches!(orders[..], [Effect::Abort(c), Effect::CancelWait(_)] if c == call));
    bench.bytes(call, STOP);
    bench.http(call, HttpEvent::End);
    assert_eq!((bench.said.len(), bench.io.take().len()), (0, 0));
    // What was said still waits.
    bench.step("Now.");
    bench.model.cancel(&mut bench.io);
    bench.model.step(&mut bench.io);
    let messages = Bench::messages(
        &bench
            .io
            .take()
            .into_iter()
            .find_map(|order| match order {
                Effect::Fetch(_, request) => Some(request),
                _ => None,
            })
            .unwrap(),
    );
    assert_eq!(
        messages[1],
        json!({"role": "user", "content": "Plan.\n\nNow."})
    );
    assert_eq!(messages.as_array().unwrap().len(), 2);
}

#[test]
fn a_stop_during_a_wait_ends_the_wait() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.answer(call, 500, "");
    let orders = bench.io.take();
    let (timer, length) = wait(&orders);
    assert!((375..=500).contains(&length), "{length}");
    assert!(
        matches!(&bench.said[..], [ModelEvent::Retry { attempt: 2, of: 4, reason, .. }]
        if reason.starts_with("models.example answered 500: "))
    );
    bench.model.cancel(&mut bench.io);
    assert_eq!(bench.io.take(), [Effect::CancelWait(timer)]);
    bench.ring(timer);
    assert_eq!(bench.io.take(), []);
}

#[test]
fn waits_double_up_to_eight_seconds_and_tries_have_an_end() {
    let mut bench = Bench::of(format(Speaks::Messages).unwrap(), "anthropic:m");
    let mut call = bench.step("Plan.");
    for least in [375, 750, 1500, 3000] {
        bench.http(call, HttpEvent::Failed(FetchFailure::Unreachable));
        let (timer, length) = wait(&bench.io.take());
        assert!((least..=least * 4 / 3).contains(&length), "{length}");
        bench.ring(timer);
        call = bench.asked().0;
    }
    bench.http(call, HttpEvent::Failed(FetchFailure::Unreachable));
    assert!(
        matches!(bench.said.last(), Some(ModelEvent::Failed(error)) if error.kind == "network")
    );
    bench.model.draft.tries = 9;
    assert!((6000..=8000).contains(&bench.model.back_off().0));
}

#[test]
fn a_service_that_asks_for_more_than_two_minutes_is_given_up() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    let headers = Headers(vec![("retry-after".into(), "121".into())]);
    bench.http(
        call,
        HttpEvent::Head {
            status: 429,
            headers,
        },
    );
    bench.http(call, HttpEvent::End);
    assert!(matches!(&bench.said[..], [ModelEvent::Failed(_)]));
    assert_eq!(bench.failure().retry_after, Some(Millis(121_000)));
}

#[test]
fn a_silence_of_fifteen_minutes_ends_the_turn_and_each_byte_begins_it_anew() {
    let mut bench = Bench::chat();
    bench.model.user("Plan.");
    bench.model.step(&mut bench.io);
    let orders = bench.io.take();
    let (timer, length) = wait(&orders);
    assert_eq!(length, 900_000);
    let call = orders
        .into_iter()
        .find_map(|order| match order {
            Effect::Fetch(call, _) => Some(call),
            _ => None,
        })
        .unwrap();
    bench.io.now.0 += 600_000;
    bench.head(call, 200);
    bench.bytes(call, ": ping\n");
    bench.io.now.0 += 300_000;
    bench.ring(timer);
    let (next, length) = wait(&bench.io.take());
    assert_eq!(length, 600_000);
    bench.io.now.0 += 600_000;
    bench.ring(next);
    assert_eq!(bench.io.take(), [Effect::Abort(call)]);
    assert_eq!(bench.failure().class, Class::Timeout);
    assert!(matches!(&bench.said[..], [ModelEvent::Failed(error)]
        if error.message.starts_with("models.example gave no sign of life for 15 minutes.")));
}

#[test]
fn a_broken_stream_is_not_asked_for_again_and_shows_what_came() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.head(call, 200);
    bench.bytes(call, HELLO);
    bench.http(call, HttpEvent::Failed(FetchFailure::Broken));
    let (failure, text, _) = bench.model.failure().unwrap();
    assert_eq!(
        (failure.class, failure.status, text),
        (Class::Network, 200, "Hello")
    );
    let call = bench.step("Again.");
    bench.answer(call, 200, HELLO);
    assert_eq!(bench.failure().class, Class::Truncated);
}

#[test]
fn an_answer_without_events_is_a_whole_one_an_error_or_none() {
    let whole = r#"{"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2}}"#;
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.answer(call, 200, whole);
    assert!(matches!(&bench.said[..], [ModelEvent::Turn(turn)]
        if turn.text == "Hello" && turn.usage.input == 3 && turn.stop == "stop"));
    for (body, class, part) in [
        (r#"{"error": "no tram"}"#, Class::Stream, "no tram"),
        (r#"{"tram": 7}"#, Class::BadStream, "tram"),
        ("<html>Sign in</html>", Class::BadStream, "text/tram"),
        ("", Class::BadStream, "empty"),
        (": ping\n\n", Class::BadStream, "text/tram"),
    ] {
        let call = bench.step("Again.");
        bench.answer(call, 200, body);
        assert_eq!(bench.failure().class, class, "{body}");
        assert!(
            bench.failure().message.contains(part),
            "{}",
            bench.failure().message
        );
        assert!(matches!(bench.said.last(), Some(ModelEvent::Failed(_))));
    }
}

#[test]
fn an_endless_error_is_read_up_to_a_megabyte() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.head(call, 400);
    bench.bytes(call, &"tram ".repeat(150_000));
    assert_eq!(bench.said, []);
    bench.bytes(call, &"tram ".repeat(150_000));
    assert_eq!(bench.failure().class, Class::BadRequest);
    assert!(bench.io.take().contains(&Effect::Abort(call)));
}

#[test]
fn a_status_counts_though_its_body_breaks_off() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.head(call, 401);
    bench.http(call, HttpEvent::Failed(FetchFailure::Broken));
    assert_eq!(bench.failure().class, Class::Auth);
}

#[test]
fn without_a_key_nothing_is_tried_again() {
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.http(call, HttpEvent::Failed(FetchFailure::NoKey));
    assert!(matches!(&bench.said[..], [ModelEvent::Failed(error)]
        if error.kind == "key" && error.message.contains("under Models")));
}

#[test]
fn a_route_that_fails_is_left_for_the_rest_of_the_conversation() {
    let mut bench = Bench::of(format(Speaks::Chat).unwrap(), "hf:org/m:a|b");
    let call = bench.step("Plan.");
    bench.answer(call, 422, r#"{"error": "no tools here"}"#);
    let report = "org/m:a -> org/m:b (422: no tools here)".to_owned();
    assert_eq!(bench.said, [ModelEvent::Switched(report)]);
    let (call, request) = bench.asked();
    assert_eq!(request.body.unwrap()["model"], "org/m:b");
    bench.answer(call, 200, &format!("{HELLO}{STOP}"));
    bench.model.user("Go on.");
    bench.model.step(&mut bench.io);
    let (call, request) = bench.asked();
    assert_eq!(request.body.unwrap()["model"], "org/m:b");
    // There is no third one.
    bench.answer(call, 404, "");
    assert!(matches!(bench.said.last(), Some(ModelEvent::Failed(_))));
}

#[test]
fn a_rate_limit_and_a_missing_answer_do_not_change_the_route() {
    let mut bench = Bench::of(format(Speaks::Chat).unwrap(), "hf:org/m:a|b");
    let call = bench.step("Plan.");
    let headers = Headers(vec![("x-should-retry".into(), "false".into())]);
    bench.http(
        call,
        HttpEvent::Head {
            status: 429,
            headers,
        },
    );
    bench.http(call, HttpEvent::End);
    assert!(matches!(&bench.said[..], [ModelEvent::Failed(error)] if error.kind == "rate_limit"));
}

#[test]
fn results_wait_like_texts_until_a_turn_succeeds() {
    let mut bench = Bench::chat();
    let result = ToolResult {
        call: ToolCall::from_raw("call_1", "check", "{}"),
        text: "fine".into(),
    };
    bench.model.results(&[result]);
    let call = bench.step("Go on.");
    bench.answer(call, 400, "");
    bench.model.step(&mut bench.io);
    let (call, request) = bench.asked();
    let expected = json!([
        {"role": "system", "content": "You plan quays."},
        {"role": "tool", "tool_call_id": "call_1", "content": "fine"},
        {"role": "user", "content": "Go on."},
    ]);
    assert_eq!(Bench::messages(&request), expected);
    bench.answer(call, 200, &format!("{HELLO}{STOP}"));
    let call = bench.step("And?");
    bench.model.cancel(&mut bench.io);
    bench.bytes(call, HELLO);
    bench.model.step(&mut bench.io);
    let messages = Bench::messages(&bench.asked().1);
    assert_eq!(messages.as_array().unwrap().len(), 5);
    assert_eq!(
        messages[3],
        json!({"role": "assistant", "content": "Hello"})
    );
}

#[test]
fn notes_take_the_place_of_an_empty_message_or_wait_as_a_text() {
    let cut = "data: {\"choices\":[{\"delta\":{\"reasoning\":\"Hm\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";
    let mut bench = Bench::chat();
    let call = bench.step("Plan.");
    bench.answer(call, 200, cut);
    bench.model.notes("Hm");
    bench.model.user("Go on.");
    bench.model.step(&mut bench.io);
    let (call, request) = bench.asked();
    let messages = Bench::messages(&request);
    assert_eq!(messages[2]["role"], "assistant");
    assert_eq!(messages[2]["content"], notes::as_own_words("Hm"));
    bench.answer(call, 200, &format!("{HELLO}{STOP}"));
    bench.model.notes("Hm");
    bench.model.step(&mut bench.io);
    let messages = Bench::messages(&bench.asked().1);
    assert_eq!(messages[5]["content"], notes::as_user_text("Hm"));
}

/// A service that pauses until its history is long enough.
struct Pausing;

impl Format for Pausing {
    fn request(&self, ask: &Ask<'_>) -> HttpRequest {
        HttpRequest::post("https://models.example", json!({"messages": ask.history}))
    }
    fn append(&self, history: &mut Vec<Value>, _: &[ToolResult], texts: &[String]) {
        history.extend(texts.iter().map(|text| json!(text)));
    }
    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn TurnDecoder> {
        Box::new(Part(ask.history.len()))
    }
}

struct Part(usize);

impl TurnDecoder for Part {
    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<(), Failure> {
        deltas.push(Delta::Text(data.into()));
        Ok(())
    }
    fn whole(&mut self, _: Value) -> Result<(), Failure> {
        Ok(())
    }
    fn finish(&mut self) -> Result<Answer, Failure> {
        Ok(Answer {
            turn: Turn {
                text: format!("part {}. ", self.0),
                usage: Usage {
                    input: 10,
                    output: 1,
                    ..Usage::default()
                },
                ..Turn::default()
            },
            history: vec![json!(self.0)],
            goes_on: self.0 != 3,
        })
    }
    fn partial(&self) -> (String, String) {
        Default::default()
    }
}

#[test]
fn a_paused_turn_goes_on_and_is_one_turn() {
    let mut bench = Bench::of(&Pausing, "hf:m");
    let mut call = bench.step("Plan.");
    for _ in 0..2 {
        bench.answer(call, 200, "data: x\n\n");
        call = bench.asked().0;
    }
    bench.answer(call, 200, "data: x\n\n");
    let Some(ModelEvent::Turn(turn)) = bench.said.last() else {
        panic!("{:?}", bench.said)
    };
    assert_eq!(turn.text, "part 1. part 2. part 3. ");
    assert_eq!((turn.usage.input, turn.usage.output), (30, 3));
    assert_eq!(
        bench.model.history,
        [json!("Plan."), json!(1), json!(2), json!(3)]
    );
}

#[test]
fn a_paused_turn_that_then_fails_leaves_nothing_behind() {
    let mut bench = Bench::of(&Pausing, "hf:m");
    let call = bench.step("Plan.");
    bench.answer(call, 200, "data: x\n\n");
    let call = bench.asked().0;
    bench.answer(call, 400, "");
    assert!(matches!(bench.said.last(), Some(ModelEvent::Failed(_))));
    assert_eq!(bench.model.history, [] as [Value; 0]);
}

#[test]
fn a_service_that_pauses_for_ever_is_not_followed_for_ever() {
    let mut bench = Bench::of(&Pausing, "hf:m");
    bench.model.history = vec![json!(0); 10];
    let mut call = bench.step("Plan.");
    for _ in 0..MOST_CONTINUED {
        bench.answer(call, 200, "data: x\n\n");
        call = bench.asked().0;
    }
    bench.answer(call, 200, "data: x\n\n");
    assert!(matches!(bench.said.last(), Some(ModelEvent::Turn(_))));
}
