//! IndexedDB, one order after the other. Of several waiting orders to keep the same rollout only
//! the last is carried out: it holds all that the others hold.

use super::{PlatformError, window};
use crate::order;
use crate::store::{DATABASE, Kept, ROLLOUTS, StoreAnswer, StoreOrder, VERSION};
use crate::wire::json::compact;
use js_sys::Promise;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    DomException, Event, IdbDatabase, IdbObjectStoreParameters, IdbRequest, IdbTransaction,
    IdbTransactionMode,
};

type Report = Box<dyn Fn(StoreAnswer)>;

/// The device's storage.
#[derive(Default)]
pub struct Storage(Rc<Inner>);

#[derive(Default)]
struct Inner {
    queue: RefCell<VecDeque<(StoreOrder, Report)>>,
    busy: Cell<bool>,
    database: RefCell<Option<IdbDatabase>>,
}

impl Storage {
    /// Queues an order; `report` gets the answer later.
    pub fn order(&self, order: StoreOrder, report: impl Fn(StoreAnswer) + 'static) {
        let mut queue = self.0.queue.borrow_mut();
        if let StoreOrder::Put(kept) = &order {
            queue.retain(|(older, _)| !matches!(older, StoreOrder::Put(old) if old.id == kept.id));
        }
        queue.push_back((order, Box::new(report)));
        drop(queue);
        if !self.0.busy.replace(true) {
            let inner = self.0.clone();
            spawn_local(async move {
                loop {
                    let next = inner.queue.borrow_mut().pop_front();
                    let Some((order, report)) = next else { break };
                    match inner.carry_out(order).await {
                        Ok(Some(answer)) => report(answer),
                        Ok(None) => {}
                        Err(error) => report(StoreAnswer::Failed(error.to_string())),
                    }
                }
                inner.busy.set(false);
            });
        }
    }
}

impl Inner {
    async fn database(&self) -> Result<IdbDatabase, PlatformError> {
        if let Some(database) = &*self.database.borrow() {
            return Ok(database.clone());
        }
        let factory = window()
            .indexed_db()?
            .ok_or_else(|| PlatformError("this browser has no storage".into()))?;
        let request = factory.open_with_u32(DATABASE, VERSION)?;
        let opening = request.clone();
        let upgrade = Closure::<dyn FnMut(Event)>::new(move |_| {
            let Ok(database) = opening.result() else {
                return;
            };
            let parameters = IdbObjectStoreParameters::new();
            parameters.set_key_path_opt_str(Some("id"));
            let _ = database
                .unchecked_into::<IdbDatabase>()
                .create_object_store_with_optional_parameters(ROLLOUTS, &parameters);
        });
        request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        let database: IdbDatabase = answer(&request).await?.unchecked_into();
        *self.database.borrow_mut() = Some(database.clone());
        Ok(database)
    }

    async fn carry_out(&self, order: StoreOrder) -> Result<Option<StoreAnswer>, PlatformError> {
        let database = self.database().await?;
        let begin = |mode| {
            let transaction = database.transaction_with_str_and_mode(ROLLOUTS, mode)?;
            let store = transaction.object_store(ROLLOUTS)?;
            Ok::<_, JsValue>((transaction, store))
        };
        Ok(match order {
            StoreOrder::Put(kept) => {
                if let Ok(value) = js_sys::JSON::parse(&compact(&kept.to_json())) {
                    let (transaction, store) = begin(IdbTransactionMode::Readwrite)?;
                    store.put(&value)?;
                    written(&transaction).await?;
                }
                None
            }
            StoreOrder::Delete(id) => {
                let (transaction, store) = begin(IdbTransactionMode::Readwrite)?;
                store.delete(&JsValue::from_str(&id))?;
                written(&transaction).await?;
                None
            }
            StoreOrder::Get(id) => {
                let (_, store) = begin(IdbTransactionMode::Readonly)?;
                let value = answer(&store.get(&JsValue::from_str(&id))?).await?;
                Some(StoreAnswer::Got(id, read(&value).map(Box::new)))
            }
            StoreOrder::List => {
                let (_, store) = begin(IdbTransactionMode::Readonly)?;
                let values: js_sys::Array = answer(&store.get_all()?).await?.unchecked_into();
                let mut kept: Vec<Kept> = values.iter().filter_map(|value| read(&value)).collect();
                order::by(&mut kept, |a, b| {
                    (&b.record.started, b.saved).cmp(&(&a.record.started, a.saved))
                });
                Some(StoreAnswer::Listed(kept.iter().map(Kept::row).collect()))
            }
        })
    }
}

/// What a request gives. Its listeners are a promise's own two functions.
async fn answer(request: &IdbRequest) -> Result<JsValue, PlatformError> {
    let ended = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    match JsFuture::from(ended).await {
        Ok(_) => Ok(request.result()?),
        Err(_) => Err(reason(request.error()?)),
    }
}

/// Until all that was ordered of a transaction stands on the disk. A request of it that fails
/// fails it too.
#[expect(
    deprecated,
    reason = "web-sys marks `commit` so, the standard does not; without it a page that closes now loses the write"
)]
async fn written(transaction: &IdbTransaction) -> Result<(), PlatformError> {
    let ended = Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    });
    transaction.commit()?;
    match JsFuture::from(ended).await {
        Ok(_) => Ok(()),
        Err(_) => Err(reason(transaction.error())),
    }
}

fn reason(error: Option<DomException>) -> PlatformError {
    JsValue::from(error).into()
}

/// An entry that does not read is left alone, and not shown.
fn read(value: &JsValue) -> Option<Kept> {
    // What is not there has no text at all.
    let text = JsValue::from(js_sys::JSON::stringify(value).ok()?).as_string()?;
    Kept::from_json(&serde_json::from_str(&text).ok()?)
}
