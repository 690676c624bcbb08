//! IndexedDB, one order after the other. Of several waiting orders to keep the same rollout only
//! the last is carried out: it holds all that the others hold.
//!
//! Rollouts and their lines are written together or not at all. Another page may want a newer
//! layout: the connection gives way at once, and the next order opens it again or says why not.

use super::{PlatformError, window};
use crate::store::schema::{self, Step};
use crate::store::{
    DATABASE, Imported, Kept, KeptRow, ROLLOUTS, ROWS, Room, StoreAnswer, StoreFailure, StoreOrder,
    VERSION, ids_for, newest_first,
};
use crate::wire::json::compact;
use js_sys::{JSON, Promise, Reflect};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    DomException, Event, IdbCursorWithValue, IdbDatabase, IdbObjectStore, IdbObjectStoreParameters,
    IdbOpenDbRequest, IdbRequest, IdbTransaction, IdbTransactionMode, IdbVersionChangeEvent,
};

type Report = Rc<dyn Fn(StoreAnswer)>;
type Done<T> = Result<T, StoreFailure>;

/// The device's storage.
#[derive(Default)]
pub struct Storage(Rc<Inner>);

#[derive(Default)]
struct Inner {
    queue: RefCell<VecDeque<(StoreOrder, Report)>>,
    busy: Cell<bool>,
    database: RefCell<Option<IdbDatabase>>,
    /// What was deleted and can be put back: id, entry, line, as the database held them.
    bin: RefCell<Vec<(String, JsValue, JsValue)>>,
}

impl From<JsValue> for StoreFailure {
    fn from(value: JsValue) -> Self {
        let name = value.dyn_ref::<DomException>().map(DomException::name);
        match name.as_deref() {
            Some("QuotaExceededError") => Self::Full,
            Some("VersionError") => Self::Newer,
            Some("SecurityError") => Self::Absent,
            _ => Self::Other(PlatformError::from(value).0),
        }
    }
}

impl Storage {
    /// Queues an order; `report` gets the answer later.
    pub fn order(&self, order: StoreOrder, report: impl Fn(StoreAnswer) + 'static) {
        let mut queue = self.0.queue.borrow_mut();
        if let StoreOrder::Put(kept) = &order {
            queue.retain(|(older, _)| !matches!(older, StoreOrder::Put(old) if old.id == kept.id));
        }
        queue.push_back((order, Rc::new(report)));
        drop(queue);
        if !self.0.busy.replace(true) {
            let inner = self.0.clone();
            spawn_local(async move {
                loop {
                    let next = inner.queue.borrow_mut().pop_front();
                    let Some((order, report)) = next else { break };
                    match inner.answer(&order, &report).await {
                        Ok(Some(answer)) => report(answer),
                        Ok(None) => {}
                        Err(failure) => report(StoreAnswer::Failed(failure)),
                    }
                }
                inner.busy.set(false);
            });
        }
    }
}

/// The object stores, in a transaction.
struct Stores {
    transaction: IdbTransaction,
    rollouts: IdbObjectStore,
    rows: IdbObjectStore,
}

impl Stores {
    fn begin(database: &IdbDatabase, mode: IdbTransactionMode) -> Result<Self, JsValue> {
        let names = js_sys::Array::of2(&ROLLOUTS.into(), &ROWS.into());
        let transaction = database.transaction_with_str_sequence_and_mode(&names, mode)?;
        Ok(Self {
            rollouts: transaction.object_store(ROLLOUTS)?,
            rows: transaction.object_store(ROWS)?,
            transaction,
        })
    }

    async fn entry(&self, id: &str) -> Done<JsValue> {
        answer(&self.rollouts.get(&id.into())?).await
    }

    async fn row(&self, id: &str) -> Done<JsValue> {
        answer(&self.rows.get(&id.into())?).await
    }

    fn put(&self, kept: &Kept) -> Done<()> {
        self.rollouts.put(&to_js(&kept.entry())?)?;
        self.rows.put(&to_js(&kept.row().to_json())?)?;
        Ok(())
    }

    async fn get(&self, id: &str) -> Done<Option<Kept>> {
        let entry = self.entry(id).await?;
        let row = self.row(id).await?;
        Ok(read(&entry).and_then(|entry| {
            let mut kept = Kept::from_json(&entry)?;
            kept.name = read_row(&row).unwrap_or_default().name;
            Some(kept)
        }))
    }

    /// Keeps a rollout of a file where it harms nothing.
    async fn import(&self, kept: &Kept, imported: &mut Imported) -> Done<()> {
        for id in ids_for(&kept.id) {
            imported.last.clone_from(&id);
            if self.entry(&id).await?.is_undefined() {
                if id == kept.id {
                    imported.added += 1;
                } else {
                    imported.beside += 1;
                }
                let kept = kept.clone();
                return self.put(&Kept { id, ..kept });
            }
            if self.get(&id).await?.is_some_and(|there| there.same(kept)) {
                imported.same += 1;
                break;
            }
        }
        Ok(())
    }
}

impl Inner {
    /// Carries an order out; once more where the connection was lost meanwhile.
    async fn answer(
        self: &Rc<Self>,
        order: &StoreOrder,
        report: &Report,
    ) -> Done<Option<StoreAnswer>> {
        let first = self.carry_out(order, report).await;
        match first {
            Err(StoreFailure::Other(_)) if self.database.take().is_some() => {
                self.carry_out(order, report).await
            }
            other => other,
        }
    }

    async fn database(self: &Rc<Self>, report: &Report) -> Done<IdbDatabase> {
        if let Some(database) = &*self.database.borrow() {
            return Ok(database.clone());
        }
        let factory = window().indexed_db()?.ok_or(StoreFailure::Absent)?;
        let request = factory.open_with_u32(DATABASE, VERSION)?;
        let opening = request.clone();
        let upgrade = Closure::<dyn FnMut(_)>::new(move |event: IdbVersionChangeEvent| {
            let version = event.old_version() as u32;
            for step in schema::due(version) {
                if take(step, &opening).is_err()
                    && let Some(transaction) = opening.transaction()
                {
                    // All as it was before; opening fails.
                    let _ = transaction.abort();
                    return;
                }
            }
        });
        request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
        let told = report.clone();
        let blocked = Closure::<dyn FnMut()>::new(move || {
            told(StoreAnswer::Failed(StoreFailure::Blocked));
        });
        request.set_onblocked(Some(blocked.as_ref().unchecked_ref()));
        let opened = answer(&request).await;
        let database: IdbDatabase = match opened {
            // Firefox in a private window of old.
            Err(StoreFailure::Other(text)) if text.contains("mutation operation") => {
                return Err(StoreFailure::Absent);
            }
            opened => opened?.unchecked_into(),
        };
        let (weak, held) = (Rc::downgrade(self), database.clone());
        let give_way = Closure::<dyn FnMut(Event)>::new(move |_| {
            held.close();
            if let Some(inner) = weak.upgrade() {
                inner.database.take();
            }
        })
        .into_js_value();
        database.set_onversionchange(Some(give_way.unchecked_ref()));
        database.set_onclose(Some(give_way.unchecked_ref()));
        *self.database.borrow_mut() = Some(database.clone());
        Ok(database)
    }

    /// Writes, and waits until all of it stands on the disk. What fails leaves all as it was.
    async fn change<T>(
        &self,
        database: &IdbDatabase,
        work: impl AsyncFnOnce(&Stores) -> Done<T>,
    ) -> Done<T> {
        let stores = Stores::begin(database, IdbTransactionMode::Readwrite)?;
        match work(&stores).await {
            Ok(done) => {
                written(&stores.transaction).await?;
                Ok(done)
            }
            Err(failure) => {
                let _ = stores.transaction.abort();
                Err(failure)
            }
        }
    }

    async fn carry_out(
        self: &Rc<Self>,
        order: &StoreOrder,
        report: &Report,
    ) -> Done<Option<StoreAnswer>> {
        match order {
            StoreOrder::Room => return Ok(Some(StoreAnswer::Room(room().await))),
            StoreOrder::Persist => {
                if let Ok(asked) = window().navigator().storage().persist() {
                    let _ = JsFuture::from(asked).await;
                }
                return Ok(Some(StoreAnswer::Room(room().await)));
            }
            StoreOrder::Forget(ids) => {
                self.bin.borrow_mut().retain(|(id, ..)| !ids.contains(id));
                return Ok(None);
            }
            _ => {}
        }
        let database = &self.database(report).await?;
        let reading = || Stores::begin(database, IdbTransactionMode::Readonly);
        Ok(Some(match order {
            StoreOrder::Get(id) => {
                let kept = reading()?.get(id).await?;
                StoreAnswer::Got(id.clone(), kept.map(Box::new))
            }
            StoreOrder::GetAll => {
                let stores = reading()?;
                let ids: js_sys::Array = answer(&stores.rollouts.get_all_keys()?)
                    .await?
                    .unchecked_into();
                let mut all = Vec::new();
                for id in ids.iter().filter_map(|id| id.as_string()) {
                    all.extend(stores.get(&id).await?);
                }
                StoreAnswer::All(all)
            }
            StoreOrder::List => {
                let rows: js_sys::Array =
                    answer(&reading()?.rows.get_all()?).await?.unchecked_into();
                let mut rows: Vec<KeptRow> = rows.iter().filter_map(|row| read_row(&row)).collect();
                newest_first(&mut rows);
                StoreAnswer::Listed(rows)
            }
            order => return self.write(database, order).await,
        }))
    }

    /// Carries out an order that changes what is kept.
    async fn write(&self, database: &IdbDatabase, order: &StoreOrder) -> Done<Option<StoreAnswer>> {
        Ok(Some(match order {
            StoreOrder::Put(kept) => {
                self.change(database, async |stores| {
                    let row = read_row(&stores.row(&kept.id).await?);
                    match row.filter(|row| row.name != kept.name) {
                        None => stores.put(kept),
                        Some(KeptRow { name, .. }) => {
                            let kept = (**kept).clone();
                            stores.put(&Kept { name, ..kept })
                        }
                    }
                })
                .await?;
                StoreAnswer::Changed
            }
            StoreOrder::PutMany(many) => {
                let work = async |stores: &Stores| {
                    let mut imported = Imported::default();
                    for kept in many {
                        stores.import(kept, &mut imported).await?;
                    }
                    Ok(imported)
                };
                StoreAnswer::Imported(self.change(database, work).await?)
            }
            StoreOrder::Delete(ids) => {
                let work = async |stores: &Stores| {
                    let mut taken = Vec::new();
                    for id in ids {
                        let entry = stores.entry(id).await?;
                        let row = stores.row(id).await?;
                        if !entry.is_undefined() {
                            taken.push((id.clone(), entry, row));
                        }
                        stores.rollouts.delete(&id.into())?;
                        stores.rows.delete(&id.into())?;
                    }
                    Ok(taken)
                };
                let mut taken = self.change(database, work).await?;
                let mut bin = self.bin.borrow_mut();
                bin.retain(|(id, ..)| !ids.contains(id));
                bin.append(&mut taken);
                StoreAnswer::Deleted(ids.clone())
            }
            StoreOrder::PutBack(ids) => {
                let bin = self.bin.borrow().clone();
                let work = async |stores: &Stores| {
                    for (id, entry, row) in bin.iter().filter(|(id, ..)| ids.contains(id)) {
                        // What another page kept under this id meanwhile stays.
                        if stores.entry(id).await?.is_undefined() {
                            stores.rollouts.put(entry)?;
                            stores.rows.put(row)?;
                        }
                    }
                    Ok(())
                };
                self.change(database, work).await?;
                self.bin.borrow_mut().retain(|(id, ..)| !ids.contains(id));
                StoreAnswer::Returned(ids.clone())
            }
            StoreOrder::Rename(id, name) => {
                let work = async |stores: &Stores| {
                    if let Some(row) = read_row(&stores.row(id).await?) {
                        let name = name.clone();
                        let row = KeptRow { name, ..row };
                        stores.rows.put(&to_js(&row.to_json())?)?;
                    }
                    Ok(())
                };
                self.change(database, work).await?;
                StoreAnswer::Changed
            }
            _ => return Ok(None),
        }))
    }
}

/// Takes a step of the layout, inside the transaction that opening began.
fn take(step: &'static Step, opening: &IdbOpenDbRequest) -> Result<(), JsValue> {
    let database: IdbDatabase = opening.result()?.unchecked_into();
    let parameters = IdbObjectStoreParameters::new();
    parameters.set_key_path_opt_str(Some("id"));
    let made = database.create_object_store_with_optional_parameters(step.makes, &parameters)?;
    let (Some(fill), Some(transaction)) = (step.fill, opening.transaction()) else {
        return Ok(());
    };
    let reading = transaction.object_store(fill.from)?.open_cursor()?;
    let read_at = reading.clone();
    // One entry at a time: they can be long.
    let each = Closure::<dyn FnMut(Event)>::new(move |_| {
        let Ok(Ok(cursor)) = read_at.result().map(JsCast::dyn_into::<IdbCursorWithValue>) else {
            return; // the end
        };
        let entry = cursor.value().ok().and_then(|entry| read(&entry));
        if let Some(new) = entry.and_then(|entry| (fill.make)(&entry))
            && let Ok(new) = to_js(&new)
        {
            // One that fails fails the whole transaction.
            let _ = made.put(&new);
        }
        let _ = cursor.continue_();
    });
    reading.set_onsuccess(Some(each.into_js_value().unchecked_ref()));
    Ok(())
}

/// What the browser says of the room; zeros where it says nothing (a page that is not secure).
async fn room() -> Room {
    let storage = window().navigator().storage();
    let mut room = Room::default();
    if let Ok(asked) = storage.estimate()
        && let Ok(estimate) = JsFuture::from(asked).await
    {
        let number = |name: &str| {
            let number = Reflect::get(&estimate, &name.into()).ok();
            number
                .and_then(|number| number.as_f64())
                .unwrap_or_default() as u64
        };
        (room.used, room.quota) = (number("usage"), number("quota"));
    }
    if let Ok(asked) = storage.persisted()
        && let Ok(persistent) = JsFuture::from(asked).await
    {
        room.persistent = persistent.as_bool();
    }
    room
}

/// What a request gives. Its listeners are a promise's own two functions.
async fn answer(request: &IdbRequest) -> Done<JsValue> {
    let ended = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    match JsFuture::from(ended).await {
        Ok(_) => Ok(request.result()?),
        Err(_) => Err(JsValue::from(request.error()?).into()),
    }
}

/// Until all that was ordered of a transaction stands on the disk. A request of it that fails
/// fails it too.
#[expect(
    deprecated,
    reason = "web-sys marks `commit` so, the standard does not; without it a page that closes now loses the write"
)]
async fn written(transaction: &IdbTransaction) -> Done<()> {
    let ended = Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onabort(Some(&reject));
    });
    transaction.commit()?;
    match JsFuture::from(ended).await {
        Ok(_) => Ok(()),
        Err(_) => Err(JsValue::from(transaction.error()).into()),
    }
}

fn to_js(value: &Value) -> Result<JsValue, JsValue> {
    JSON::parse(&compact(value))
}

/// An entry that does not read is left alone, and not shown.
fn read(value: &JsValue) -> Option<Value> {
    // What is not there has no text at all.
    let text = JsValue::from(JSON::stringify(value).ok()?).as_string()?;
    serde_json::from_str(&text).ok()
}

fn read_row(value: &JsValue) -> Option<KeptRow> {
    KeptRow::from_json(&read(value)?)
}
