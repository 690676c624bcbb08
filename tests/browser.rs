//! What only a browser can show: timers, sockets, streamed bodies, storage. No server: bodies come
//! from `data:` addresses, and refused connections are what is looked at.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on says so by stopping, and its clock is the browser's"
)]

use quayside::platform::{fetch::Fetches, socket::Sockets, storage::Storage, timer};
use quayside::rollout::Record;
use quayside::store::{Kept, StoreAnswer, StoreOrder};
use quayside::wire::{
    CallId, FetchFailure, HttpEvent, HttpRequest, Millis, SocketEvent, SocketId, TimerId,
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

fn kept(id: &str, started: &str, turns: u32) -> StoreOrder {
    let record = Record {
        started: started.into(),
        turns,
        ..Record::default()
    };
    StoreOrder::Put(Box::new(Kept {
        id: id.into(),
        server: "builtin".into(),
        saved: 1,
        record,
    }))
}

#[wasm_bindgen_test]
async fn rollouts_are_kept_listed_newest_first_and_forgotten() {
    let storage = Storage::default();
    let log: Log<StoreAnswer> = Log::default();
    let order = |order| {
        let told = log.clone();
        storage.order(order, move |answer| told.borrow_mut().push(answer));
    };
    order(kept("old", "2031-01-01T00:00:00Z", 1));
    order(kept("new", "2031-01-02T00:00:00Z", 1));
    order(kept("new", "2031-01-02T00:00:00Z", 2));
    order(StoreOrder::List);
    order(StoreOrder::Get("new".into()));
    order(StoreOrder::Delete("old".into()));
    order(StoreOrder::Delete("new".into()));
    order(StoreOrder::Get("old".into()));
    until(|| log.borrow().len() == 3).await;
    let log = log.borrow();
    let StoreAnswer::Listed(rows) = &log[0] else {
        panic!("{log:?}")
    };
    let ids: Vec<_> = rows
        .iter()
        .map(|row| (row.id.as_str(), row.turns))
        .collect();
    assert_eq!(ids, [("new", 2), ("old", 1)]);
    assert!(
        matches!(&log[1], StoreAnswer::Got(id, Some(kept)) if id == "new" && kept.record.turns == 2)
    );
    assert_eq!(log[2], StoreAnswer::Got("old".into(), None));
}
