//! What is kept on the device, in the browser's own database. All tests share that one database, and
//! may run side by side: each takes its turn.

use super::{Log, until};
use quayside::platform::{storage::Storage, tabs::Tabs};
use quayside::rollout::Record;
use quayside::store::{
    DATABASE, Imported, Kept, KeptRow, StoreAnswer, StoreFailure, StoreOrder, VERSION,
};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{IdbDatabase, IdbObjectStoreParameters, IdbOpenDbRequest, IdbTransactionMode};

thread_local! {
    static TAKEN: Cell<bool> = const { Cell::new(false) };
}

/// The one who has the database to itself, which is empty at first.
struct Turn;

impl Turn {
    async fn take() -> Self {
        until(|| !TAKEN.get()).await;
        TAKEN.set(true);
        let request = factory().delete_database(DATABASE).unwrap();
        ended(&request).await;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        TAKEN.set(false);
    }
}

fn factory() -> web_sys::IdbFactory {
    web_sys::window().unwrap().indexed_db().unwrap().unwrap()
}

async fn ended(request: &IdbOpenDbRequest) {
    let state = || request.ready_state() == web_sys::IdbRequestReadyState::Done;
    until(state).await;
}

/// Opens the database as another page does, which makes the stores named where they are missing.
async fn open(version: u32, stores: &'static [&'static str]) -> IdbDatabase {
    let request = factory().open_with_u32(DATABASE, version).unwrap();
    let opening = request.clone();
    let upgrade = Closure::<dyn FnMut()>::new(move || {
        let database: IdbDatabase = opening.result().unwrap().unchecked_into();
        for store in stores {
            let parameters = IdbObjectStoreParameters::new();
            parameters.set_key_path_opt_str(Some("id"));
            database
                .create_object_store_with_optional_parameters(store, &parameters)
                .unwrap();
        }
    });
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    ended(&request).await;
    request.result().unwrap().unchecked_into()
}

/// A page's storage, whose answers are asked for one by one.
#[derive(Clone, Default)]
struct Device(Rc<Storage>);

impl Device {
    async fn ask(&self, order: StoreOrder) -> StoreAnswer {
        let log: Log<StoreAnswer> = Log::default();
        let told = log.clone();
        self.0
            .order(order, move |answer| told.borrow_mut().push(answer));
        until(|| !log.borrow().is_empty()).await;
        log.borrow()[0].clone()
    }

    async fn put(&self, kept: &Kept) {
        let answer = self.ask(StoreOrder::Put(Box::new(kept.clone()))).await;
        assert_eq!(answer, StoreAnswer::Changed);
    }

    async fn rows(&self) -> Vec<KeptRow> {
        match self.ask(StoreOrder::List).await {
            StoreAnswer::Listed(rows) => rows,
            other => panic!("{other:?}"),
        }
    }

    async fn ids(&self) -> Vec<String> {
        self.rows().await.into_iter().map(|row| row.id).collect()
    }

    async fn get(&self, id: &str) -> Option<Kept> {
        match self.ask(StoreOrder::Get(id.into())).await {
            StoreAnswer::Got(asked, kept) if asked == id => kept.map(|kept| *kept),
            other => panic!("{other:?}"),
        }
    }

    async fn all(&self) -> Vec<Kept> {
        match self.ask(StoreOrder::GetAll).await {
            StoreAnswer::All(all) => all,
            other => panic!("{other:?}"),
        }
    }
}

/// A rollout with what a database could spoil: large numbers, names in an order of their own.
fn kept(id: &str, day: u32, turns: u32) -> Kept {
    let record = format!(
        "{{\"messages\": [], \"started\": \"2031-01-0{day}T00:00:00Z\", \"turns\": {turns}, \
         \"large\": 9007199254740993, \"z\": 1, \"2\": {{\"b\": 1.0, \"1\": null}}, \"1\": \"\\u0000\"}}"
    );
    Kept {
        id: id.into(),
        server: "builtin".into(),
        saved: 1,
        record: Record::from_text(&record).unwrap(),
        ..Kept::default()
    }
}

fn texts(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

#[wasm_bindgen_test]
async fn rollouts_are_kept_listed_newest_first_deleted_and_put_back() {
    let _turn = Turn::take().await;
    let device = Device::default();
    device.put(&kept("old", 1, 1)).await;
    device.put(&kept("new", 2, 1)).await;
    device.put(&kept("new", 2, 2)).await;
    let rows = device.rows().await;
    let lines: Vec<_> = rows
        .iter()
        .map(|row| (row.id.as_str(), row.turns))
        .collect();
    assert_eq!(lines, [("new", 2), ("old", 1)]);
    let whole = device.get("new").await.unwrap();
    assert_eq!(whole, kept("new", 2, 2));
    assert_eq!(
        whole.record.to_json_string(),
        kept("new", 2, 2).record.to_json_string()
    );
    let both = texts(&["old", "new"]);
    let answer = device.ask(StoreOrder::Delete(both.clone())).await;
    assert_eq!(answer, StoreAnswer::Deleted(both.clone()));
    assert_eq!(device.get("old").await, None);
    assert!(device.ids().await.is_empty());
    let answer = device.ask(StoreOrder::PutBack(texts(&["old"]))).await;
    assert_eq!(answer, StoreAnswer::Returned(texts(&["old"])));
    assert_eq!(device.all().await, [kept("old", 1, 1)]);
    // What is forgotten does not come back; what is there is not written over.
    device.0.order(StoreOrder::Forget(both.clone()), |_| ());
    device.ask(StoreOrder::PutBack(both)).await;
    assert_eq!(device.ids().await, ["old"]);
}

#[wasm_bindgen_test]
async fn waiting_orders_to_keep_the_same_run_are_one() {
    let _turn = Turn::take().await;
    let device = Device::default();
    let log: Log<StoreAnswer> = Log::default();
    for turns in 1..=50 {
        let told = log.clone();
        let order = StoreOrder::Put(Box::new(kept("a", 1, turns)));
        device
            .0
            .order(order, move |answer| told.borrow_mut().push(answer));
    }
    assert_eq!(device.rows().await[0].turns, 50);
    assert!(log.borrow().len() < 3, "{log:?}");
}

#[wasm_bindgen_test]
async fn a_name_stays_while_the_run_goes_on_and_comes_with_the_whole() {
    let _turn = Turn::take().await;
    let device = Device::default();
    device.put(&kept("a", 1, 1)).await;
    let rename = StoreOrder::Rename("a".into(), "the storm".into());
    assert_eq!(device.ask(rename).await, StoreAnswer::Changed);
    device.put(&kept("a", 1, 2)).await;
    let row = device.rows().await.remove(0);
    assert_eq!((row.name.as_str(), row.turns), ("the storm", 2));
    assert_eq!(device.get("a").await.unwrap().name, "the storm");
    assert_eq!(device.all().await[0].name, "the storm");
    // One that is gone meanwhile stays gone.
    let rename = StoreOrder::Rename("gone".into(), "x".into());
    assert_eq!(device.ask(rename).await, StoreAnswer::Changed);
    assert_eq!(device.ids().await, ["a"]);
}

#[wasm_bindgen_test]
async fn a_database_of_version_1_gets_its_lines_and_loses_nothing() {
    let _turn = Turn::take().await;
    let old = open(1, &["rollouts"]).await;
    let transaction = old
        .transaction_with_str_and_mode("rollouts", IdbTransactionMode::Readwrite)
        .unwrap();
    let store = transaction.object_store("rollouts").unwrap();
    for text in [
        r#"{"id": "a", "server": "builtin", "saved": 5, "record": {"messages": [], "task_id": "t",
            "started": "2031-01-01T00:00:00Z", "reward": 0.5, "turns": 4, "end_reason": null, "mine": [1]}}"#,
        r#"{"id": "b", "server": "wss://h.example/ws", "saved": 6, "record": {"messages": [],
            "started": "2031-01-02T00:00:00Z", "end_reason": "submitted"}}"#,
        r#"{"id": "c", "what": "no rollout"}"#,
    ] {
        store.put(&js_sys::JSON::parse(text).unwrap()).unwrap();
    }
    let complete =
        js_sys::Promise::new(&mut |resolve, _| transaction.set_oncomplete(Some(&resolve)));
    wasm_bindgen_futures::JsFuture::from(complete)
        .await
        .unwrap();
    old.close();
    let device = Device::default();
    let rows = device.rows().await;
    let lines: Vec<_> = rows
        .iter()
        .map(|row| (row.id.as_str(), row.end_reason.as_str(), row.saved))
        .collect();
    assert_eq!(lines, [("b", "submitted", 6), ("a", "interrupted", 5)]);
    let a = device.get("a").await.unwrap();
    assert_eq!((a.record.turns, a.record.reward), (4, 0.5));
    assert_eq!(a.record.extra["mine"][0], 1);
    // What does not read is left where it is.
    let raw = open(VERSION, &[]).await;
    let transaction = raw.transaction_with_str("rollouts").unwrap();
    let request = transaction
        .object_store("rollouts")
        .unwrap()
        .get(&JsValue::from_str("c"))
        .unwrap();
    until(|| request.ready_state() == web_sys::IdbRequestReadyState::Done).await;
    assert!(!request.result().unwrap().is_undefined());
    raw.close();
}

#[wasm_bindgen_test]
async fn an_older_page_that_holds_the_database_is_told_of_and_then_all_goes_on() {
    let _turn = Turn::take().await;
    let old = open(1, &["rollouts"]).await;
    let device = Device::default();
    let log: Log<StoreAnswer> = Log::default();
    let told = log.clone();
    device.0.order(StoreOrder::List, move |answer| {
        told.borrow_mut().push(answer);
    });
    until(|| !log.borrow().is_empty()).await;
    assert_eq!(*log.borrow(), [StoreAnswer::Failed(StoreFailure::Blocked)]);
    old.close();
    until(|| log.borrow().len() == 2).await;
    assert_eq!(log.borrow()[1], StoreAnswer::Listed(Vec::new()));
}

#[wasm_bindgen_test]
async fn a_newer_page_gets_the_database_and_this_one_says_so_and_destroys_nothing() {
    let _turn = Turn::take().await;
    let device = Device::default();
    device.put(&kept("a", 1, 1)).await;
    // It does not wait for this page: that gives way.
    let newer = open(VERSION + 1, &["more"]).await;
    let refused = StoreAnswer::Failed(StoreFailure::Newer);
    assert_eq!(device.ask(StoreOrder::List).await, refused);
    let put = StoreOrder::Put(Box::new(kept("b", 1, 1)));
    assert_eq!(device.ask(put).await, refused);
    let stores = newer.object_store_names();
    assert_eq!(
        (stores.length(), newer.version()),
        (3, f64::from(VERSION + 1))
    );
    let transaction = newer.transaction_with_str("rollouts").unwrap();
    let request = transaction
        .object_store("rollouts")
        .unwrap()
        .count()
        .unwrap();
    until(|| request.ready_state() == web_sys::IdbRequestReadyState::Done).await;
    assert_eq!(request.result().unwrap().as_f64(), Some(1.0));
    newer.close();
}

#[wasm_bindgen_test]
async fn a_database_that_is_cleared_meanwhile_is_made_anew() {
    let _turn = Turn::take().await;
    let device = Device::default();
    device.put(&kept("a", 1, 1)).await;
    ended(&factory().delete_database(DATABASE).unwrap()).await;
    assert!(device.ids().await.is_empty());
    device.put(&kept("b", 1, 1)).await;
    assert_eq!(device.ids().await, ["b"]);
}

#[wasm_bindgen_test]
async fn an_import_writes_nothing_over_and_counts_what_came_of_it() {
    let _turn = Turn::take().await;
    let device = Device::default();
    device.put(&kept("a", 1, 1)).await;
    device.put(&kept("b", 2, 1)).await;
    let named = Kept {
        name: "mine".into(),
        ..kept("c", 3, 1)
    };
    let file = vec![kept("a", 1, 1), kept("b", 2, 9), named.clone()];
    let answer = device.ask(StoreOrder::PutMany(file.clone())).await;
    let imported = |added, same, beside| {
        StoreAnswer::Imported(Imported {
            added,
            same,
            beside,
            last: "c".into(),
        })
    };
    assert_eq!(answer, imported(1, 1, 1));
    assert_eq!(device.get("b").await.unwrap().record.turns, 1);
    assert_eq!(device.get("b-2").await.unwrap().record.turns, 9);
    assert_eq!(device.get("c").await, Some(named));
    // Once more changes nothing.
    let answer = device.ask(StoreOrder::PutMany(file)).await;
    assert_eq!(answer, imported(0, 3, 0));
    assert_eq!(device.ids().await.len(), 4);
}

#[wasm_bindgen_test]
async fn two_pages_at_once_lose_nothing() {
    let _turn = Turn::take().await;
    let (one, other) = (Device::default(), Device::default());
    for round in 1..=20 {
        let orders = [(&one, "one"), (&other, "other")];
        for (device, id) in orders {
            let order = StoreOrder::Put(Box::new(kept(id, 1, round)));
            device.0.order(order, |_| ());
        }
    }
    one.0
        .order(StoreOrder::Rename("other".into(), "named".into()), |_| ());
    other.put(&kept("other", 1, 21)).await;
    assert_eq!(one.ids().await.len(), 2);
    assert_eq!(one.get("other").await.unwrap().record.turns, 21);
    assert_eq!(other.get("one").await.unwrap().record.turns, 20);
    // Deleted in one page and kept anew by the other: what is there is not written over.
    one.ask(StoreOrder::Delete(texts(&["one"]))).await;
    other.put(&kept("one", 1, 30)).await;
    one.ask(StoreOrder::PutBack(texts(&["one"]))).await;
    assert_eq!(one.get("one").await.unwrap().record.turns, 30);
}

#[wasm_bindgen_test]
async fn the_room_is_told() {
    let device = Device::default();
    let StoreAnswer::Room(room) = device.ask(StoreOrder::Room).await else {
        panic!("no room")
    };
    assert!(room.quota > 0 && room.persistent.is_some(), "{room:?}");
}

#[wasm_bindgen_test]
async fn what_one_page_says_the_others_hear_but_not_itself() {
    let heard: Log<(u8, String)> = Log::default();
    let listen = |page: u8| {
        let told = heard.clone();
        Tabs::open(move |text| told.borrow_mut().push((page, text)))
    };
    let (one, _two) = (listen(1), listen(2));
    one.tell("hello");
    until(|| !heard.borrow().is_empty()).await;
    super::pause(50).await;
    assert_eq!(*heard.borrow(), [(2, "hello".to_owned())]);
}
