//! People's own keys: the only place in the program that ever holds one.
//!
//! A slot is the word of a service. A key is read here from its field, lives in memory, and is
//! written to this device only while "Keep on this device" is on. It is bound to one origin, and
//! leaves only in a header towards that origin, put there by `fetch.rs`. What others learn is a
//! [`KeyState`]: whether there is a key, whether it is kept, and for which origin.

use super::{document, window};
use crate::app::intent::{KeyOrder, KeyProblem, KeyState};
use crate::settings::service::SERVICES;
use crate::wire::{FetchFailure, KeyUse};
use std::cell::RefCell;
use std::fmt;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, Storage, Url};

/// A key. Prints as dots, is never written as data.
#[derive(Clone, PartialEq, Eq)]
struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}

impl Secret {
    /// A key is one word of printable ASCII: that is what a header carries on every way.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let sound = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        sound.then(|| Self(text.to_owned()))
    }
}

/// One service's key.
#[derive(Debug)]
struct Slot {
    word: &'static str,
    secret: Option<Secret>,
    origin: String,
    keep: bool,
    problem: Option<KeyProblem>,
}

/// All keys of this page.
#[derive(Debug, Default)]
pub struct Keys(RefCell<Vec<Slot>>);

impl Keys {
    /// A slot for each service, filled with what is kept on this device.
    pub fn open() -> Self {
        let storage = storage();
        let slots = SERVICES.iter().map(|service| {
            let kept = storage.as_ref().and_then(|storage| {
                let text = storage.get_item(&name(service.word)).ok()??;
                let (origin, key) = text.split_once(' ')?;
                Some((origin.to_owned(), Secret::read(key)?))
            });
            let keep = kept.is_some();
            let (origin, secret) = kept.unzip();
            Slot {
                word: service.word,
                secret,
                origin: origin.unwrap_or_default(),
                keep,
                problem: None,
            }
        });
        Self(RefCell::new(slots.collect()))
    }

    /// Carries an order out.
    pub fn order(&self, order: &KeyOrder) {
        let mut slots = self.0.borrow_mut();
        for slot in slots.iter_mut() {
            match order {
                KeyOrder::Take {
                    slot: word,
                    field,
                    origin,
                    clear,
                } if *word == slot.word => slot.take(field, origin, *clear),
                KeyOrder::Keep { slot: word, on } if *word == slot.word => {
                    slot.keep = *on;
                    slot.problem = None;
                    slot.write();
                }
                KeyOrder::Bind { slot: word, origin } if *word == slot.word => {
                    origin.clone_into(&mut slot.origin);
                    slot.write();
                }
                KeyOrder::Forget(word) if *word == slot.word => slot.forget(),
                KeyOrder::ForgetAll => slot.forget(),
                _ => {}
            }
        }
    }

    /// Whether something that is about to leave holds a key. Very short ones are words, not keys.
    pub(super) fn occur_in(&self, bytes: &[u8]) -> bool {
        let slots = self.0.borrow();
        let mut secrets = slots.iter().filter_map(|slot| slot.secret.as_ref());
        secrets.any(|Secret(key)| {
            let key = key.as_bytes();
            key.len() >= SHORTEST_VEILED && bytes.windows(key.len()).any(|part| part == key)
        })
    }

    /// What others may know.
    pub fn states(&self) -> Vec<KeyState> {
        let state = |slot: &Slot| KeyState {
            slot: slot.word,
            held: slot.secret.is_some(),
            kept: slot.keep,
            origin: slot.origin.clone(),
            problem: slot.problem,
        };
        self.0.borrow().iter().map(state).collect()
    }

    /// Keeps the key of a request out of its answer.
    pub fn veil(&self, used: &KeyUse) -> Veil {
        let slots = self.0.borrow();
        let slot = slots.iter().find(|slot| slot.word == used.slot);
        let secret = slot.and_then(|slot| slot.secret.clone());
        Veil::new(secret.filter(|Secret(key)| key.len() >= SHORTEST_VEILED))
    }

    /// The header's value for a request to `url`; none where no key is held and none is needed.
    pub(super) fn header(
        &self,
        wanted: &KeyUse,
        url: &str,
    ) -> Result<Option<String>, FetchFailure> {
        let slots = self.0.borrow();
        let slot = slots.iter().find(|slot| slot.word == wanted.slot);
        let Some((slot, Secret(key))) = slot.and_then(|slot| Some((slot, slot.secret.as_ref()?)))
        else {
            return if wanted.needed {
                Err(FetchFailure::NoKey)
            } else {
                Ok(None)
            };
        };
        match (origin(url), origin(&slot.origin)) {
            (Some(asked), Some(bound)) if asked == bound => {
                Ok(Some([wanted.prefix, key.as_str()].concat()))
            }
            _ => Err(FetchFailure::KeyElsewhere(slot.origin.clone())),
        }
    }
}

impl Slot {
    /// Reads the field; what stands in it takes the place of the key, so an emptied field is none.
    fn take(&mut self, field: &str, origin: &str, clear: bool) {
        let field = document().and_then(|document| document.get_element_by_id(field));
        let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) else {
            return;
        };
        let text = field.value();
        if clear {
            field.set_value("");
        }
        let empty = text.trim().is_empty();
        self.secret = Secret::read(&text);
        self.problem = (self.secret.is_none() && !empty).then_some(KeyProblem::Unusable);
        origin.clone_into(&mut self.origin);
        self.write();
    }

    fn forget(&mut self) {
        self.secret = None;
        self.keep = false;
        self.problem = None;
        self.origin.clear();
        self.write();
    }

    /// Makes what is kept on the device what should be: the key with its origin, or nothing.
    fn write(&mut self) {
        let (name, storage) = (name(self.word), storage());
        match (&self.secret, self.keep) {
            (Some(Secret(key)), true) => {
                let text = [self.origin.as_str(), " ", key.as_str()].concat();
                let written = storage.is_some_and(|storage| storage.set_item(&name, &text).is_ok());
                if !written {
                    self.keep = false;
                    self.problem = Some(KeyProblem::NotKept);
                }
            }
            _ => {
                if let Some(storage) = storage {
                    let _ = storage.remove_item(&name);
                }
            }
        }
    }
}

/// Fewest characters of a key that is looked for in answers: a shorter one is a word like any other,
/// given to servers that want some key.
const SHORTEST_VEILED: usize = 8;

/// What stands in an answer in place of the key.
const DOTS: &[u8] = "•••".as_bytes();

/// Takes a key out of the bytes of an answer. Services put the key into their error message, and
/// from there it would go into the record. An answer comes in pieces, so the end of one that may be
/// the beginning of the key is held back until the next.
#[derive(Debug, Default)]
pub struct Veil {
    secret: Option<Secret>,
    held: Vec<u8>,
}

impl Veil {
    fn new(secret: Option<Secret>) -> Self {
        Self {
            secret,
            held: Vec::new(),
        }
    }

    /// More of the answer; what of it may be seen.
    pub fn push(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let Some(Secret(key)) = &self.secret else {
            return bytes;
        };
        let key = key.as_bytes();
        let (Some(first), mut held) = (key.first(), std::mem::take(&mut self.held)) else {
            return bytes;
        };
        held.extend(bytes);
        let mut shown = Vec::with_capacity(held.len());
        let mut rest = held.as_slice();
        while let Some(at) = rest.iter().position(|byte| byte == first) {
            let (before, from) = rest.split_at(at);
            shown.extend_from_slice(before);
            rest = from;
            if let Some(after) = rest.strip_prefix(key) {
                shown.extend_from_slice(DOTS);
                rest = after;
            } else if key.starts_with(rest) {
                self.held = rest.to_vec();
                return shown;
            } else if let Some((byte, after)) = rest.split_first() {
                shown.push(*byte);
                rest = after;
            }
        }
        shown.extend_from_slice(rest);
        shown
    }

    /// What was held back; the answer is over.
    pub fn end(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

/// The entry of a slot.
fn name(word: &str) -> String {
    ["key-", word].concat()
}

fn storage() -> Option<Storage> {
    window().local_storage().ok()?
}

/// The origin of an address, as the browser sees it when it sends; none where there is none.
fn origin(address: &str) -> Option<String> {
    let origin = Url::new(address).ok()?.origin();
    (origin != "null").then_some(origin)
}
