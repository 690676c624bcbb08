//! What only a browser can show: timers, sockets, streamed bodies; in `browser/follow.rs` a
//! transcript that scrolls, in `browser/storage.rs` what is kept on the device. No server: bodies come from `data:` addresses, and refused connections
//! are what is looked at.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on says so by stopping, and its clock is the browser's"
)]

#[path = "browser/follow.rs"]
mod follow;
#[path = "browser/storage.rs"]
mod storage;

use quayside::app::intent::{KeyOrder, KeyProblem, KeyState};
use quayside::platform::{fetch::Fetches, keys::Keys, socket::Sockets, timer};
use quayside::wire::{
    CallId, FetchFailure, HttpEvent, HttpRequest, KeyUse, Millis, SocketEvent, SocketId, TimerId,
};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// What was reported, in order.
type Log<T> = Rc<RefCell<Vec<T>>>;

/// Lets the event loop run for a while.
async fn pause(millis: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        web_sys::window()
            .unwrap()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis)
            .unwrap();
    });
    wasm_bindgen_futures::JsFuture::from(promise).await.unwrap();
}

/// Waits until `done`, for at most ten seconds.
async fn until(done: impl Fn() -> bool) {
    for _ in 0..500 {
        if done() {
            return;
        }
        pause(20).await;
    }
    panic!("nothing happened in ten seconds");
}

#[wasm_bindgen_test]
async fn a_wait_of_zero_comes_back_later_and_in_order() {
    let timers = timer::Timers::default();
    let log: Log<u32> = Log::default();
    for number in 0..5 {
        let log = log.clone();
        timers.wait(TimerId(number), Millis(0), move || {
            log.borrow_mut().push(number);
        });
    }
    assert!(log.borrow().is_empty(), "never from inside the order");
    until(|| log.borrow().len() == 5).await;
    assert_eq!(*log.borrow(), [0, 1, 2, 3, 4]);
}

#[wasm_bindgen_test]
async fn a_cancelled_wait_is_never_reported() {
    let timers = timer::Timers::default();
    let log: Log<u32> = Log::default();
    for (number, length) in [(1, 0), (2, 5), (3, 30)] {
        let log = log.clone();
        timers.wait(TimerId(number), Millis(length), move || {
            log.borrow_mut().push(number);
        });
    }
    timers.cancel(TimerId(1));
    timers.cancel(TimerId(2));
    until(|| !log.borrow().is_empty()).await;
    assert_eq!(*log.borrow(), [3]);
}

#[wasm_bindgen_test]
async fn a_body_arrives_as_head_bytes_and_end() {
    let fetches = Fetches::default();
    let log: Log<HttpEvent> = Log::default();
    let told = log.clone();
    fetches.start(
        CallId(1),
        HttpRequest::get("data:text/plain,h%C3%A4fen"),
        move |event| {
            told.borrow_mut().push(event);
        },
    );
    until(|| {
        matches!(
            log.borrow().last(),
            Some(HttpEvent::End | HttpEvent::Failed(_))
        )
    })
    .await;
    let log = log.borrow();
    assert!(
        matches!(log.first(), Some(HttpEvent::Head { status: 200, .. })),
        "{log:?}"
    );
    let body: Vec<u8> = log
        .iter()
        .filter_map(|event| match event {
            HttpEvent::Bytes(bytes) => Some(bytes.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(String::from_utf8(body).unwrap(), "häfen");
    assert_eq!(log.last(), Some(&HttpEvent::End));
}

#[wasm_bindgen_test]
async fn an_aborted_request_says_nothing_more() {
    let fetches = Fetches::default();
    let log: Log<HttpEvent> = Log::default();
    let told = log.clone();
    fetches.start(
        CallId(1),
        HttpRequest::get("data:text/plain,x"),
        move |event| {
            told.borrow_mut().push(event);
        },
    );
    fetches.abort(CallId(1));
    pause(100).await;
    assert_eq!(*log.borrow(), []);
}

#[wasm_bindgen_test]
async fn a_server_that_is_not_there_is_unreachable_by_request_and_by_socket() {
    let fetches = Fetches::default();
    let log: Log<HttpEvent> = Log::default();
    let told = log.clone();
    fetches.start(
        CallId(1),
        HttpRequest::get("http://127.0.0.1:9/"),
        move |event| {
            told.borrow_mut().push(event);
        },
    );
    let sockets = Sockets::default();
    let heard: Log<SocketEvent> = Log::default();
    let told = heard.clone();
    sockets.open(SocketId(2), "ws://127.0.0.1:9/ws", move |event| {
        told.borrow_mut().push(event);
    });
    until(|| !log.borrow().is_empty() && !heard.borrow().is_empty()).await;
    assert_eq!(
        *log.borrow(),
        [HttpEvent::Failed(FetchFailure::Unreachable)]
    );
    assert_eq!(
        *heard.borrow(),
        [SocketEvent::Closed {
            code: 1006,
            reason: String::new()
        }]
    );
}

#[wasm_bindgen_test]
async fn an_address_that_no_socket_opens_is_refused_in_words() {
    let sockets = Sockets::default();
    let heard: Log<SocketEvent> = Log::default();
    let told = heard.clone();
    sockets.open(SocketId(1), "ws://host:bad port/", move |event| {
        told.borrow_mut().push(event);
    });
    until(|| !heard.borrow().is_empty()).await;
    assert!(
        matches!(&heard.borrow()[..], [SocketEvent::Refused(reason)] if !reason.is_empty()),
        "{heard:?}"
    );
}

#[wasm_bindgen_test]
async fn a_closed_socket_reports_nothing_more() {
    let sockets = Sockets::default();
    let heard: Log<SocketEvent> = Log::default();
    let told = heard.clone();
    sockets.open(SocketId(1), "ws://127.0.0.1:9/ws", move |event| {
        told.borrow_mut().push(event);
    });
    sockets.close(SocketId(1));
    pause(200).await;
    assert_eq!(*heard.borrow(), []);
}

/// A field of the page with something typed into it.
fn typed(id: &str, text: &str) -> web_sys::HtmlInputElement {
    use wasm_bindgen::JsCast;
    let document = web_sys::window().unwrap().document().unwrap();
    let field: web_sys::HtmlInputElement =
        document.create_element("input").unwrap().unchecked_into();
    field.set_id(id);
    field.set_value(text);
    document.body().unwrap().append_child(&field).unwrap();
    field
}

fn take(slot: &'static str, origin: &str, clear: bool) -> KeyOrder {
    KeyOrder::Take {
        slot,
        field: format!("field-{slot}"),
        origin: origin.into(),
        clear,
    }
}

fn state(keys: &Keys, slot: &str) -> KeyState {
    let states = keys.states();
    states.into_iter().find(|state| state.slot == slot).unwrap()
}

/// What lies in the device's storage under any name.
fn on_device() -> String {
    let storage = web_sys::window().unwrap().local_storage().unwrap().unwrap();
    let mut all = String::new();
    for at in 0..storage.length().unwrap() {
        let name = storage.key(at).unwrap().unwrap();
        let text = storage.get_item(&name).unwrap().unwrap();
        all.push_str(&[name.as_str(), "=", text.as_str(), "\n"].concat());
    }
    all
}

#[wasm_bindgen_test]
fn a_key_is_taken_from_its_field_and_the_left_field_is_empty() {
    let keys = Keys::open();
    let field = typed("field-openai", " sk-planted-1\n");
    keys.order(&take("openai", "https://api.openai.com", false));
    assert_eq!(field.value(), " sk-planted-1", "it is still being typed");
    keys.order(&take("openai", "https://api.openai.com", true));
    assert_eq!(field.value(), "");
    let held = state(&keys, "openai");
    assert!(held.held && !held.kept);
    assert_eq!(held.origin, "https://api.openai.com");
    assert!(!on_device().contains("sk-planted-1"));
    assert!(
        !format!("{keys:?}").contains("sk-planted-1"),
        "it prints as dots"
    );
    field.set_value("two words");
    keys.order(&take("openai", "https://api.openai.com", true));
    let refused = state(&keys, "openai");
    assert_eq!(refused.problem, Some(KeyProblem::Unusable));
    assert!(!refused.held);
    field.remove();
}

#[wasm_bindgen_test]
fn a_key_is_on_the_device_only_while_it_is_to_be_kept() {
    let keys = Keys::open();
    let field = typed("field-anthropic", "sk-planted-2");
    let keep = |on| {
        keys.order(&KeyOrder::Keep {
            slot: "anthropic",
            on,
        });
    };
    keep(true);
    keys.order(&take("anthropic", "https://api.anthropic.com", true));
    let kept = "key-anthropic=https://api.anthropic.com sk-planted-2\n";
    assert!(on_device().contains(kept), "{}", on_device());
    // Another visit finds it, with its origin.
    let found = state(&Keys::open(), "anthropic");
    assert!(found.held && found.kept);
    assert_eq!(found.origin, "https://api.anthropic.com");
    keep(false);
    assert!(!on_device().contains("planted"));
    assert!(state(&keys, "anthropic").held, "it is held for this visit");
    keep(true);
    keys.order(&KeyOrder::Forget("anthropic"));
    assert!(!on_device().contains("planted"));
    let gone = state(&keys, "anthropic");
    assert!(!gone.held && !gone.kept);
    field.set_value("sk-planted-3");
    keys.order(&take("anthropic", "https://api.anthropic.com", true));
    keep(true);
    keys.order(&KeyOrder::ForgetAll);
    assert!(!on_device().contains("planted"));
    assert!(keys.states().iter().all(|state| !state.held && !state.kept));
    field.remove();
}

#[wasm_bindgen_test]
async fn a_key_leaves_only_towards_the_origin_that_it_is_bound_to() {
    let keys = Rc::new(Keys::open());
    let field = typed("field-vllm", "sk-planted-4");
    keys.order(&take("vllm", "http://127.0.0.1:9", true));
    let fetches = Fetches::new(keys.clone());
    let ask = async |url: &str, slot: &'static str, needed: bool| {
        let log: Log<HttpEvent> = Log::default();
        let told = log.clone();
        let request = HttpRequest::get(url).with_key(Some(KeyUse {
            slot,
            header: "authorization",
            prefix: "Bearer ",
            needed,
        }));
        fetches.start(CallId(1), request, move |event| {
            told.borrow_mut().push(event);
        });
        assert!(log.borrow().is_empty(), "never from inside the order");
        until(|| !log.borrow().is_empty()).await;
        log.borrow()[0].clone()
    };
    let elsewhere = HttpEvent::Failed(FetchFailure::KeyElsewhere("http://127.0.0.1:9".into()));
    for url in [
        "http://127.0.0.1:10/v1/models",
        "https://127.0.0.1:9/v1/models",
        "http://localhost:9/v1/models",
        "http://127.0.0.1:9@evil.example/v1/models",
        "data:text/plain,x",
        "/relative",
        "no address",
    ] {
        assert_eq!(ask(url, "vllm", true).await, elsewhere, "{url}");
        assert_eq!(ask(url, "vllm", false).await, elsewhere, "{url}");
    }
    // Sent: nobody answers there.
    let silent = HttpEvent::Failed(FetchFailure::Unreachable);
    assert_eq!(
        ask("http://127.0.0.1:9/v1/models", "vllm", true).await,
        silent
    );
    let no_key = HttpEvent::Failed(FetchFailure::NoKey);
    assert_eq!(ask("data:text/plain,x", "openai", true).await, no_key);
    let answered = ask("data:text/plain,x", "openai", false).await;
    assert!(matches!(answered, HttpEvent::Head { status: 200, .. }));
    keys.order(&KeyOrder::Bind {
        slot: "vllm",
        origin: "http://127.0.0.1:10".into(),
    });
    assert_eq!(
        ask("http://127.0.0.1:10/v1/models", "vllm", true).await,
        silent
    );
    field.remove();
}

#[wasm_bindgen_test]
fn an_answer_that_repeats_the_key_is_seen_without_it_wherever_it_is_cut() {
    let keys = Keys::open();
    let field = typed("field-vllm", "sk-sk-planted-5");
    keys.order(&take("vllm", "http://127.0.0.1:9", true));
    field.remove();
    let used = KeyUse {
        slot: "vllm",
        header: "authorization",
        prefix: "Bearer ",
        needed: true,
    };
    let answer = "Incorrect key: sk-sk-sk-planted-5, sk-sk-planted-5. häfen sk-sk-plant";
    let seen = "Incorrect key: sk-•••, •••. häfen sk-sk-plant";
    for at in 0..answer.len() {
        let (first, second) = answer.as_bytes().split_at(at);
        let mut veil = keys.veil(&used);
        let mut shown = veil.push(first.to_vec());
        shown.extend(veil.push(second.to_vec()));
        shown.extend(veil.end());
        assert_eq!(String::from_utf8(shown).unwrap(), seen, "cut at {at}");
    }
    // Another service's key is none of this answer's business.
    let mut veil = keys.veil(&KeyUse {
        slot: "openai",
        ..used
    });
    assert_eq!(veil.push(answer.into()), answer.as_bytes());
}
