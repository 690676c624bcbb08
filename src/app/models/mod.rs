//! Services, their addresses and keys, what they list, and the model that runs.
//!
//! Holds no key: of each it knows a [`KeyState`]. A key belongs to the origin that its service had
//! when it was typed; towards any other address it is not sent before the person says so. Addresses
//! and keys are typed here and nowhere else: no link can set one.

pub mod address;
#[cfg(test)]
mod tests;

use super::PageFacts;
use super::intent::{KeyOrder, KeyState, Order};
use crate::provider::format::Abilities;
use crate::provider::listing::{self, Listed};
use crate::provider::price::Price;
use crate::settings::service::{Key, Probe, SERVICES};
use crate::settings::{Choices, ModelSpec, Service};
use crate::view::services::{Asked, Asker, Finding, host};
use crate::view::words::{Said, Tone, model_name};
use crate::wire::exchange::Exchange;
use crate::wire::{Input, Io, Millis};
use address::{origin, read};
use std::sync::Arc;

/// How long a service may take to answer; a server at home may have to load its model first.
const PATIENCE: Millis = Millis(30_000);

/// What a person wants about models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Reach a service at this address, as typed; an empty one is its own again.
    Address(&'static str, String),
    /// Read the key out of the field with this `id`.
    TakeKey {
        /// The word of the service.
        slot: &'static str,
        /// The field's `id`.
        field: String,
        /// Empty the field afterwards: the person has left it.
        clear: bool,
    },
    /// Keep a key on this device, or no longer.
    KeepKey(&'static str, bool),
    /// Send a key to the service's present address from now on.
    BindKey(&'static str),
    /// Forget a key.
    ForgetKey(&'static str),
    /// Forget all keys.
    ForgetKeys,
    /// Send the cheapest request that tells about the key; some ask for a turn of this model.
    Test(&'static str, String),
    /// Ask for the models of a service.
    List(&'static str),
    /// End the test, or the asking.
    Cancel(&'static str),
    /// Run this model from now on; an unreadable spec changes nothing.
    Choose(String),
}

impl Wish {
    /// The words of the services whose keys are forgotten; the other pages of this browser hold
    /// theirs by themselves, and have to be told.
    pub fn forgets(&self) -> Option<Vec<String>> {
        match self {
            Self::ForgetKey(slot) => Some(vec![(*slot).to_owned()]),
            Self::ForgetKeys => Some(SERVICES.iter().map(|one| one.word.to_owned()).collect()),
            _ => None,
        }
    }
}

/// A service as the screen shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The service.
    pub service: &'static Service,
    /// Its address; empty when it has none yet.
    pub base: String,
    /// What is wrong with the address typed last; empty when nothing is.
    pub problem: String,
    /// Its key.
    pub key: KeyState,
    /// It has been asked and has not answered yet.
    pub busy: bool,
    /// What the last test or list came to.
    pub finding: Option<Finding>,
    /// Its models, once they were asked for.
    pub listed: Arc<Vec<Listed>>,
}

impl Card {
    /// A key is held, but for another origin than that of the address: hosts of both.
    pub fn elsewhere(&self) -> Option<(&str, &str)> {
        let here = origin(&self.base);
        let other = self.key.held && !here.is_empty() && self.key.origin != here;
        other.then(|| (host(&self.key.origin), host(here)))
    }

    /// What there is of its key, in words.
    pub fn key_line(&self) -> Said {
        let key = &self.key;
        let (tone, text) = match key.problem {
            Some(problem) => (Tone::Bad, problem.to_string()),
            None if !key.held && self.service.key == Key::Needed => {
                (Tone::Plain, "No key yet.".to_owned())
            }
            None if !key.held => (Tone::Plain, "No key. Some servers want none.".to_owned()),
            None if key.origin.is_empty() => (
                Tone::Warn,
                "Held, and sent nowhere before there is an address.".to_owned(),
            ),
            None => {
                let until = if key.kept {
                    "kept on this device"
                } else {
                    "until this page closes"
                };
                let text = format!("Held for {}, {until}.", host(&key.origin));
                (Tone::Good, text)
            }
        };
        Said { tone, text }
    }
}

/// What the screen shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelsView {
    /// What the person chose.
    pub choices: Choices,
    /// The services that are called over the network, in the order of their table.
    pub cards: Vec<Card>,
}

impl ModelsView {
    /// The card of a service; none for those inside the page.
    pub fn card(&self, word: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.service.word == word)
    }

    /// Some key is held or kept.
    pub fn any_key(&self) -> bool {
        self.cards.iter().any(|card| card.key.held || card.key.kept)
    }

    /// The model that runs; the demonstration until another one is chosen.
    pub fn spec(&self) -> ModelSpec {
        let spec = self.choices.model.parse();
        spec.unwrap_or_else(|_| ModelSpec::demo())
    }

    /// That model, as people say it.
    pub fn in_use(&self) -> String {
        model_name(&self.spec().to_string())
    }

    /// Where a model is asked and what is known of it: the address of its service, its abilities
    /// and its price as far as the service's list was read (USD per million tokens), or why it
    /// cannot be asked now, with the next step. Models inside the page have an empty address.
    pub fn setting_for(
        &self,
        spec: &ModelSpec,
    ) -> Result<(String, Abilities, Option<Price>), NotReady> {
        let service = spec.service;
        let Some(card) = self.card(service.word) else {
            return Ok(Default::default());
        };
        if card.base.is_empty() {
            return Err(NotReady::NoAddress(service.label));
        }
        if service.key == Key::Needed && !card.key.held {
            return Err(NotReady::NoKey(service.label));
        }
        if let Some((bound, host)) = card.elsewhere() {
            return Err(NotReady::KeyElsewhere {
                service: service.label,
                bound: bound.to_owned(),
                host: host.to_owned(),
            });
        }
        let routes = spec.routes();
        let named = |model: &&Listed| model.id == spec.model || routes.first() == Some(&model.id);
        let listed = card.listed.iter().find(named);
        let abilities = listed.map(|model| model.abilities).unwrap_or_default();
        let price = listed.and_then(|model| model.price);
        Ok((card.base.clone(), abilities, price))
    }
}

impl Default for ModelsView {
    fn default() -> Self {
        let services = SERVICES.iter().filter(|service| !service.is_inside());
        let card = |service: &'static Service| Card {
            service,
            base: service.base.to_owned(),
            problem: String::new(),
            key: KeyState::default(),
            busy: false,
            finding: None,
            listed: Arc::default(),
        };
        Self {
            choices: Choices::default(),
            cards: services.map(card).collect(),
        }
    }
}

/// Why a model cannot be asked now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReady {
    /// Nobody has said where the service is.
    #[error("{0} has no address yet. Give it under Models")]
    NoAddress(&'static str),
    /// It answers nobody without a key.
    #[error("{0} needs a key of your own. Type it under Models")]
    NoKey(&'static str),
    /// The key is for another origin: hosts of the key and of the address.
    #[error(
        "the key of {service} is for {bound}, and the address is now {host}. Say under Models whether it may go there"
    )]
    KeyElsewhere {
        /// The service's name.
        service: &'static str,
        /// The host that the key is for.
        bound: String,
        /// The host of the address.
        host: String,
    },
}

/// A request under way.
struct Visit {
    word: &'static str,
    list: bool,
    exchange: Exchange,
}

/// Services, keys and the chosen model.
#[derive(Default)]
pub struct Models {
    /// What the screen shows. A new `Arc` whenever something changed.
    pub view: Arc<ModelsView>,
    visits: Vec<Visit>,
    asker: Asker,
}

impl Models {
    /// Takes over what was chosen here before, and what kind of page this is.
    pub fn set_page(&mut self, page: &PageFacts) {
        self.asker = Asker {
            https: page.https,
            local: page.local,
        };
        let mut choices = page.choices.clone();
        // Only what this version would write itself.
        choices
            .addresses
            .retain(|(_, base)| read(base).as_ref() == Ok(base));
        let view = Arc::make_mut(&mut self.view);
        for card in &mut view.cards {
            choices.base(card.service).clone_into(&mut card.base);
        }
        view.choices = choices;
    }

    /// What there is of keys.
    pub fn keys_are(&mut self, states: &[KeyState]) {
        for card in &mut Arc::make_mut(&mut self.view).cards {
            if let Some(state) = states.iter().find(|state| state.slot == card.service.word) {
                card.key = state.clone();
            }
        }
    }

    /// See [`ModelsView::spec`].
    pub fn spec(&self) -> ModelSpec {
        self.view.spec()
    }

    /// See [`ModelsView::setting_for`].
    pub fn setting_for(
        &self,
        spec: &ModelSpec,
    ) -> Result<(String, Abilities, Option<Price>), NotReady> {
        self.view.setting_for(spec)
    }

    /// Does what a person wants; returns what the browser has to do besides.
    pub fn obey(&mut self, io: &mut Io, wish: Wish) -> Vec<Order> {
        match wish {
            Wish::Address(word, text) => self.move_to(io, word, &text),
            Wish::TakeKey { slot, field, clear } => {
                self.forget_answers(io, slot);
                let origin = self.origin(slot);
                vec![Order::Keys(KeyOrder::Take {
                    slot,
                    field,
                    origin,
                    clear,
                })]
            }
            Wish::KeepKey(slot, on) => vec![Order::Keys(KeyOrder::Keep { slot, on })],
            Wish::BindKey(slot) => {
                self.forget_answers(io, slot);
                let origin = self.origin(slot);
                vec![Order::Keys(KeyOrder::Bind { slot, origin })]
            }
            Wish::ForgetKey(slot) => {
                self.forget_answers(io, slot);
                vec![Order::Keys(KeyOrder::Forget(slot))]
            }
            Wish::ForgetKeys => {
                for service in &SERVICES {
                    self.forget_answers(io, service.word);
                }
                vec![Order::Keys(KeyOrder::ForgetAll)]
            }
            Wish::Test(word, model) => {
                self.visit(io, word, Some(model.trim()));
                Vec::new()
            }
            Wish::List(word) => {
                self.visit(io, word, None);
                Vec::new()
            }
            Wish::Cancel(word) => {
                self.cancel(io, word);
                Vec::new()
            }
            Wish::Choose(spec) => match spec.parse::<ModelSpec>() {
                Ok(_) => {
                    let view = Arc::make_mut(&mut self.view);
                    spec.trim().clone_into(&mut view.choices.model);
                    vec![Order::Remember(view.choices.clone())]
                }
                Err(_) => Vec::new(),
            },
        }
    }

    /// Another page has forgotten the keys of these services: the keys that are held here go too.
    pub fn forgotten_elsewhere(&mut self, io: &mut Io, services: &[String]) -> Vec<Order> {
        let held = self.view.cards.iter().filter(|card| card.key.held);
        let gone: Vec<_> = held
            .map(|card| card.service.word)
            .filter(|word| services.iter().any(|service| service == word))
            .collect();
        let forget = |slot| self.obey(io, Wish::ForgetKey(slot));
        gone.into_iter().flat_map(forget).collect()
    }

    /// Takes an input that may be an answer.
    pub fn handle(&mut self, io: &mut Io, input: &Input) {
        let mut at = 0;
        while let Some(visit) = self.visits.get_mut(at) {
            let Some(reply) = visit.exchange.handle(io, input) else {
                at += 1;
                continue;
            };
            let Visit { word, list, .. } = self.visits.remove(at);
            let by = self.asker;
            let Some(card) = self.card(word) else { return };
            let service = card.service;
            let lists = list || service.probe == Probe::Models;
            let listed = reply
                .json()
                .filter(|answer| lists && answer.get("data").unwrap_or(answer).is_array())
                .map(|answer| listing::read(&answer));
            let asked = Asked {
                service,
                base: &card.base,
                with_key: card.key.held,
                list,
                by,
            };
            card.busy = false;
            card.finding = Some(asked.finding(&reply, listed.as_ref().map(Vec::len)));
            if let Some(listed) = listed {
                card.listed = Arc::new(listed);
            }
            return;
        }
    }

    fn card(&mut self, word: &str) -> Option<&mut Card> {
        let cards = &mut Arc::make_mut(&mut self.view).cards;
        cards.iter_mut().find(|card| card.service.word == word)
    }

    /// The origin of a service's address; empty when it has none.
    fn origin(&self, word: &str) -> String {
        let card = self.view.card(word);
        card.map_or("", |card| origin(&card.base)).to_owned()
    }

    /// What was found out is no longer true.
    fn forget_answers(&mut self, io: &mut Io, word: &str) {
        self.cancel(io, word);
        if let Some(card) = self.card(word) {
            card.finding = None;
        }
    }

    fn cancel(&mut self, io: &mut Io, word: &str) {
        self.visits.retain(|visit| {
            let other = visit.word != word;
            if !other {
                visit.exchange.abort(io);
            }
            other
        });
        if let Some(card) = self.card(word) {
            card.busy = false;
        }
    }

    /// Another address for a service. What its old one answered counts no longer.
    fn move_to(&mut self, io: &mut Io, word: &str, text: &str) -> Vec<Order> {
        let Some(card) = self.card(word) else {
            return Vec::new();
        };
        let typed = match read(text) {
            Ok(typed) => typed,
            Err(error) => {
                card.problem = error.to_string();
                return Vec::new();
            }
        };
        card.problem.clear();
        let service = card.service;
        let view = Arc::make_mut(&mut self.view);
        view.choices.put_base(service, &typed);
        let choices = view.choices.clone();
        let mut orders = vec![Order::Remember(choices.clone())];
        let Some(card) = self.card(word) else {
            return orders;
        };
        if card.base != choices.base(service) {
            choices.base(service).clone_into(&mut card.base);
            card.listed = Arc::default();
            // Typed before there was an address: it is for the first one that there is.
            let unbound = card.key.held && card.key.origin.is_empty();
            self.forget_answers(io, word);
            if unbound {
                let origin = self.origin(word);
                orders.push(Order::Keys(KeyOrder::Bind {
                    slot: service.word,
                    origin,
                }));
            }
        }
        orders
    }

    /// Asks a service: for a sign that the key is good (`Some`), or for its models.
    fn visit(&mut self, io: &mut Io, word: &'static str, test: Option<&str>) {
        self.forget_answers(io, word);
        let Some(card) = self.card(word) else { return };
        let service = card.service;
        let missing = if card.base.is_empty() {
            Some("There is no address yet. Type it first.")
        } else if service.probe == Probe::Turn && test == Some("") {
            Some(
                "Which model? The list of this service is open to everyone, so only a turn tells \
                 about the key: type a model, or load the list and pick one.",
            )
        } else {
            None
        };
        if let Some(missing) = missing {
            card.finding = Some(Finding::new(Tone::Bad, missing));
            return;
        }
        let request = match test {
            Some(model) => listing::probe(service, &card.base, Some(model)),
            None => listing::request(service, &card.base),
        };
        card.busy = true;
        self.visits.push(Visit {
            word,
            list: test.is_none(),
            exchange: Exchange::start(io, request, PATIENCE),
        });
    }
}
