//! Dialogues about services and keys: wishes in, orders looked at, answers given by hand.

use super::*;
use crate::wire::{CallId, Effect, FetchFailure, Headers, HttpEvent, HttpRequest, TimerId};
use serde_json::json;

struct Desk {
    io: Io,
    models: Models,
    orders: Vec<Order>,
}

impl Desk {
    fn new() -> Self {
        Self {
            io: Io::new(Millis(1_000)),
            models: Models::default(),
            orders: Vec::new(),
        }
    }

    fn wish(&mut self, wish: Wish) {
        let orders = self.models.obey(&mut self.io, wish);
        self.orders.extend(orders);
    }

    fn card(&self, word: &str) -> Card {
        self.models.view.card(word).unwrap().clone()
    }

    /// What the browser would say after a key was typed.
    fn hold(&mut self, slot: &'static str, origin: &str) {
        let state = KeyState {
            slot,
            held: true,
            origin: origin.into(),
            ..KeyState::default()
        };
        self.models.keys_are(&[state]);
    }

    /// The only request and wait since the last look.
    fn asked(&mut self) -> (CallId, HttpRequest, TimerId) {
        match &self.io.take()[..] {
            [Effect::Fetch(call, request), Effect::Wait(timer, _)] => {
                (*call, request.clone(), *timer)
            }
            other => panic!("{other:?}"),
        }
    }

    fn tell(&mut self, call: CallId, event: HttpEvent) {
        self.models.handle(&mut self.io, &Input::Http(call, event));
    }

    fn answer(&mut self, call: CallId, status: u16, body: &str) {
        let headers = Headers::default();
        self.tell(call, HttpEvent::Head { status, headers });
        self.tell(call, HttpEvent::Bytes(body.into()));
        self.tell(call, HttpEvent::End);
    }

    fn text(&self, word: &str) -> String {
        self.card(word)
            .finding
            .map(|found| found.said.text)
            .unwrap_or_default()
    }
}

fn spec(text: &str) -> ModelSpec {
    text.parse().unwrap()
}

#[test]
fn a_key_is_read_from_its_field_and_bound_to_the_origin_of_the_address() {
    let mut desk = Desk::new();
    desk.wish(Wish::Address(
        "openai",
        "https://proxy.example/llm/v1".into(),
    ));
    desk.orders.clear();
    desk.wish(Wish::TakeKey {
        slot: "openai",
        field: "key-openai".into(),
        clear: true,
    });
    let order = KeyOrder::Take {
        slot: "openai",
        field: "key-openai".into(),
        origin: "https://proxy.example".into(),
        clear: true,
    };
    assert_eq!(desk.orders, [Order::Keys(order)]);
}

#[test]
fn a_good_key_is_told_and_the_models_come_with_it() {
    let mut desk = Desk::new();
    desk.hold("anthropic", "https://api.anthropic.com");
    desk.wish(Wish::Test("anthropic", String::new()));
    assert!(desk.card("anthropic").busy);
    let (call, request, timer) = desk.asked();
    assert_eq!(request.key.map(|key| key.slot), Some("anthropic"));
    desk.answer(
        call,
        200,
        &json!({"data": [{"id": "one"}, {"id": "two"}]}).to_string(),
    );
    assert_eq!(
        desk.text("anthropic"),
        "api.anthropic.com took the key. It lists 2 models."
    );
    assert_eq!(desk.card("anthropic").listed.len(), 2);
    assert!(!desk.card("anthropic").busy);
    assert_eq!(desk.io.take(), [Effect::CancelWait(timer)]);
}

#[test]
fn a_refused_key_and_silence_are_told_with_the_next_step() {
    let mut desk = Desk::new();
    desk.hold("openai", "https://api.openai.com");
    desk.wish(Wish::Test("openai", String::new()));
    let (call, ..) = desk.asked();
    desk.answer(call, 401, "{}");
    assert!(
        desk.text("openai")
            .starts_with("api.openai.com answered 401: the key was refused")
    );
    desk.wish(Wish::Test("openai", String::new()));
    let timer = match desk.io.take()[..] {
        [.., Effect::Wait(timer, _)] => timer,
        ref other => panic!("{other:?}"),
    };
    desk.models.handle(&mut desk.io, &Input::Timer(timer));
    assert!(desk.text("openai").contains("did not answer in time"));
    desk.wish(Wish::Test("openai", String::new()));
    let call = match desk.io.take()[..] {
        [.., Effect::Fetch(call, _), Effect::Wait(..)] => call,
        ref other => panic!("{other:?}"),
    };
    desk.tell(call, HttpEvent::Failed(FetchFailure::Unreachable));
    assert!(desk.card("openai").finding.unwrap().causes.len() > 1);
}

#[test]
fn a_cancelled_test_is_aborted_and_its_late_answer_changes_nothing() {
    let mut desk = Desk::new();
    desk.hold("openai", "https://api.openai.com");
    desk.wish(Wish::Test("openai", String::new()));
    let (call, _, timer) = desk.asked();
    desk.wish(Wish::Cancel("openai"));
    assert_eq!(
        desk.io.take(),
        [Effect::Abort(call), Effect::CancelWait(timer)]
    );
    let before = desk.card("openai");
    assert!(!before.busy);
    desk.answer(call, 200, r#"{"data": []}"#);
    assert_eq!(desk.card("openai"), before);
}

#[test]
fn another_key_or_address_makes_what_was_found_out_untrue() {
    let mut desk = Desk::new();
    desk.hold("openai", "https://api.openai.com");
    desk.wish(Wish::Test("openai", String::new()));
    let (call, ..) = desk.asked();
    desk.answer(call, 200, r#"{"data": [{"id": "m"}]}"#);
    desk.wish(Wish::ForgetKey("openai"));
    assert_eq!(desk.text("openai"), "");
    assert_eq!(desk.card("openai").listed.len(), 1);
    desk.wish(Wish::Address("openai", "https://proxy.example/v1".into()));
    assert_eq!(desk.card("openai").listed.len(), 0);
}

#[test]
fn an_address_of_another_origin_asks_before_the_key_goes_there() {
    let mut desk = Desk::new();
    desk.hold("openai", "https://api.openai.com");
    assert!(desk.models.setting_for(&spec("openai:m")).is_ok());
    desk.wish(Wish::Address("openai", "proxy.example".into()));
    let card = desk.card("openai");
    assert_eq!(card.elsewhere(), Some(("api.openai.com", "proxy.example")));
    assert!(matches!(
        desk.models.setting_for(&spec("openai:m")),
        Err(NotReady::KeyElsewhere { .. })
    ));
    desk.orders.clear();
    desk.wish(Wish::BindKey("openai"));
    let origin = "https://proxy.example".to_owned();
    let order = KeyOrder::Bind {
        slot: "openai",
        origin,
    };
    assert_eq!(desk.orders, [Order::Keys(order)]);
    desk.hold("openai", "https://proxy.example");
    assert_eq!(desk.card("openai").elsewhere(), None);
    // A path is no other origin.
    desk.wish(Wish::Address(
        "openai",
        "https://proxy.example/other".into(),
    ));
    assert_eq!(desk.card("openai").elsewhere(), None);
}

#[test]
fn a_key_typed_before_the_address_is_for_the_first_address() {
    let mut desk = Desk::new();
    desk.hold("vllm", "");
    assert_eq!(desk.card("vllm").elsewhere(), None);
    desk.wish(Wish::Address("vllm", "localhost:8000".into()));
    let origin = "http://localhost:8000".to_owned();
    let order = KeyOrder::Bind {
        slot: "vllm",
        origin,
    };
    assert_eq!(desk.orders.last(), Some(&Order::Keys(order)));
}

#[test]
fn an_address_that_is_none_leaves_the_old_one_and_says_why() {
    let mut desk = Desk::new();
    desk.wish(Wish::Address("vllm", "localhost:8000".into()));
    desk.orders.clear();
    desk.wish(Wish::Address("vllm", "ftp://x".into()));
    let card = desk.card("vllm");
    assert_eq!(card.base, "http://localhost:8000/v1");
    assert!(card.problem.contains("http://"), "{}", card.problem);
    assert_eq!(desk.orders, []);
}

#[test]
fn a_model_is_ready_with_an_address_and_the_key_that_it_needs() {
    let mut desk = Desk::new();
    let setting = |desk: &Desk, text: &str| desk.models.setting_for(&spec(text));
    assert_eq!(setting(&desk, "demo:planner"), Ok(Default::default()));
    assert_eq!(setting(&desk, "vllm:m"), Err(NotReady::NoAddress("vLLM")));
    assert_eq!(
        setting(&desk, "anthropic:m"),
        Err(NotReady::NoKey("Anthropic"))
    );
    let (base, ..) = setting(&desk, "ollama:m").unwrap();
    assert_eq!(base, "http://localhost:11434/v1");
    desk.wish(Wish::Address("vllm", "localhost:8000".into()));
    assert_eq!(
        setting(&desk, "vllm:m").unwrap().0,
        "http://localhost:8000/v1"
    );
}

#[test]
fn the_price_of_a_listed_model_goes_with_its_setting() {
    let mut desk = Desk::new();
    desk.hold("hf", "https://router.huggingface.co");
    desk.wish(Wish::List("hf"));
    let (call, request, _) = desk.asked();
    assert_eq!(
        request.key.map(|key| key.needed),
        Some(false),
        "the list is open"
    );
    let list = json!({"data": [{"id": "org/m", "providers": [
        {"provider": "a", "pricing": {"input": 0.5, "output": 2.0}, "supports_tools": true}]}]});
    desk.answer(call, 200, &list.to_string());
    let answered = "router.huggingface.co answered. It lists ";
    assert!(desk.text("hf").starts_with(answered));
    let (_, _, price) = desk.models.setting_for(&spec("hf:org/m")).unwrap();
    assert_eq!(price.map(|price| price.output), Some(2.0));
}

#[test]
fn a_test_that_takes_a_turn_wants_a_model() {
    let mut desk = Desk::new();
    desk.hold("hf", "https://router.huggingface.co");
    desk.wish(Wish::Test("hf", " ".into()));
    assert_eq!(desk.io.take(), []);
    assert!(desk.text("hf").starts_with("Which model?"));
    desk.wish(Wish::Test("hf", "org/m".into()));
    let (_, request, _) = desk.asked();
    assert_eq!(request.body.unwrap()["model"], "org/m");
}

#[test]
fn choices_are_remembered_and_come_back() {
    let mut desk = Desk::new();
    desk.wish(Wish::Choose("vllm:m@low".into()));
    desk.wish(Wish::Choose("nonsense".into()));
    desk.wish(Wish::Address("vllm", "localhost:8000".into()));
    let Some(Order::Remember(choices)) = desk.orders.last() else {
        panic!("{:?}", desk.orders);
    };
    let mut choices = choices.clone();
    choices
        .addresses
        .push(("openai".into(), "javascript:alert(1)".into()));
    let mut next = Desk::new();
    next.models.set_page(&PageFacts {
        choices,
        ..PageFacts::default()
    });
    assert_eq!(next.models.spec().to_string(), "vllm:m@low");
    assert_eq!(next.card("vllm").base, "http://localhost:8000/v1");
    assert_eq!(next.card("openai").base, "https://api.openai.com/v1");
}
