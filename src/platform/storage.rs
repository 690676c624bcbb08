//! IndexedDB, one order after the other. Of several waiting orders to keep the same rollout only
//! the last is carried out: it holds all that the others hold.

use crate::order;
use crate::store::{DATABASE, Kept, ROLLOUTS, StoreAnswer, StoreOrder, VERSION};
use crate::wire::json::compact;
use idb::{Database, DatabaseEvent, Factory, KeyPath, ObjectStoreParams, TransactionMode};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

type Report = Box<dyn Fn(StoreAnswer)>;

/// The device's storage.
#[derive(Default)]
pub struct Storage(Rc<Inner>);

#[derive(Default)]
struct Inner {
    queue: RefCell<VecDeque<(StoreOrder, Report)>>,
    busy: Cell<bool>,
    database: RefCell<Option<Rc<Database>>>,
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
    async fn database(&self) -> Result<Rc<Database>, idb::Error> {
        if let Some(database) = &*self.database.borrow() {
            return Ok(database.clone());
        }
        let mut request = Factory::new()?.open(DATABASE, Some(VERSION))?;
        request.on_upgrade_needed(|event| {
            let Ok(database) = event.database() else {
                return;
            };
            let mut parameters = ObjectStoreParams::new();
            parameters.key_path(Some(KeyPath::new_single("id")));
            let _ = database.create_object_store(ROLLOUTS, parameters);
        });
        let database = Rc::new(request.await?);
        *self.database.borrow_mut() = Some(database.clone());
        Ok(database)
    }

    async fn carry_out(&self, order: StoreOrder) -> Result<Option<StoreAnswer>, idb::Error> {
        let database = self.database().await?;
        let mode = match order {
            StoreOrder::Put(_) | StoreOrder::Delete(_) => TransactionMode::ReadWrite,
            StoreOrder::List | StoreOrder::Get(_) => TransactionMode::ReadOnly,
        };
        let transaction = database.transaction(&[ROLLOUTS], mode)?;
        let store = transaction.object_store(ROLLOUTS)?;
        let answer = match order {
            StoreOrder::Put(kept) => {
                if let Ok(value) = js_sys::JSON::parse(&compact(&kept.to_json())) {
                    store.put(&value, None)?.await?;
                }
                None
            }
            StoreOrder::Delete(id) => {
                store
                    .delete(idb::Query::Key(JsValue::from_str(&id)))?
                    .await?;
                None
            }
            StoreOrder::Get(id) => {
                let value = store.get(idb::Query::Key(JsValue::from_str(&id)))?.await?;
                Some(StoreAnswer::Got(
                    id,
                    value.as_ref().and_then(read).map(Box::new),
                ))
            }
            StoreOrder::List => {
                let mut kept: Vec<Kept> = store
                    .get_all(None, None)?
                    .await?
                    .into_iter()
                    .filter_map(|value| read(&value))
                    .collect();
                order::by(&mut kept, |a, b| {
                    (&b.record.started, b.saved).cmp(&(&a.record.started, a.saved))
                });
                Some(StoreAnswer::Listed(kept.iter().map(Kept::row).collect()))
            }
        };
        if mode == TransactionMode::ReadWrite {
            transaction.commit()?.await?;
        }
        Ok(answer)
    }
}

/// An entry that does not read is left alone, and not shown.
fn read(value: &JsValue) -> Option<Kept> {
    let text: String = js_sys::JSON::stringify(value).ok()?.into();
    Kept::from_json(&serde_json::from_str(&text).ok()?)
}
