//! What a person chose about models and runs, kept on the device between visits. No key is in here.

use super::money::DOLLAR;
use super::{Limits, Service, SpendLimit};
use crate::wire::{Millis, json};
use serde_json::{Map, Value};

/// How many models that ran are remembered.
const BEFORE: usize = 8;

/// The choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// The model's spec, as typed; empty before the first choice.
    pub model: String,
    /// Specs that ran before, the newest first.
    pub before: Vec<String>,
    /// Limits of a run.
    pub limits: Limits,
    /// Addresses that differ from a service's own: its word, and the address.
    pub addresses: Vec<(String, String)>,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            model: String::new(),
            before: Vec::new(),
            limits: Limits {
                spend: SpendLimit {
                    micros: Some(2 * DOLLAR),
                    tokens: Some(500_000),
                },
                ..Limits::default()
            },
            addresses: Vec::new(),
        }
    }
}

impl Choices {
    /// Takes a model that runs now as the newest of those that ran.
    pub fn ran(&mut self, spec: &str) {
        self.before.retain(|before| before != spec);
        self.before.insert(0, spec.to_owned());
        self.before.truncate(BEFORE);
    }

    /// Where a service stands for this person; empty when nobody has said.
    pub fn base(&self, service: &Service) -> &str {
        let typed = self
            .addresses
            .iter()
            .find(|(word, _)| word == service.word)
            .map(|(_, address)| address.as_str());
        typed.unwrap_or(service.base)
    }

    /// Takes an address for a service; an empty one is the service's own again.
    pub fn put_base(&mut self, service: &Service, address: &str) {
        self.addresses.retain(|(word, _)| word != service.word);
        if !address.is_empty() && address != service.base {
            self.addresses
                .push((service.word.to_owned(), address.to_owned()));
        }
    }

    /// The text that is kept.
    pub fn to_text(&self) -> String {
        let addresses: Map<String, Value> = self
            .addresses
            .iter()
            .map(|(word, address)| (word.clone(), Value::from(address.as_str())))
            .collect();
        let mut kept = Map::new();
        kept.insert("model".into(), Value::from(self.model.as_str()));
        kept.insert("before".into(), Value::from(self.before.as_slice()));
        kept.insert("addresses".into(), Value::Object(addresses));
        let limits = &self.limits;
        for (name, number) in [
            (TURNS, Some(limits.turns.into())),
            (TOKENS, Some(limits.tokens.into())),
            (MINUTES, Some(limits.time.seconds() / 60)),
            (SPEND_MICROS, limits.spend.micros),
            (SPEND_TOKENS, limits.spend.tokens),
        ] {
            kept.insert(name.into(), Value::from(number));
        }
        json::compact(&Value::Object(kept))
    }

    /// What was kept; what does not read is as if it had never been chosen.
    pub fn parse(text: &str) -> Self {
        let value = json::read(text).unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let addresses = value.get("addresses").and_then(Value::as_object);
        let before = value.get("before").and_then(Value::as_array);
        Self {
            model: value.get("model").and_then(text).unwrap_or_default(),
            before: before
                .into_iter()
                .flatten()
                .filter_map(text)
                .take(BEFORE)
                .collect(),
            limits: limits(&value),
            addresses: addresses
                .into_iter()
                .flatten()
                .filter_map(|(word, address)| Some((word.clone(), text(address)?)))
                .collect(),
        }
    }
}

const TURNS: &str = "turns";
const TOKENS: &str = "tokens";
const MINUTES: &str = "minutes";
const SPEND_MICROS: &str = "spend_micros";
const SPEND_TOKENS: &str = "spend_tokens";

/// The limits that were kept. What is missing or out of range is as if it had never been chosen; a
/// null where money or tokens stand is no limit.
fn limits(value: &Value) -> Limits {
    let mut limits = Choices::default().limits;
    let number = |name: &str| value.get(name).and_then(Value::as_u64);
    let part = |name, allowed: &std::ops::RangeInclusive<u64>| {
        number(name).filter(|number| allowed.contains(number))
    };
    if let Some(turns) = part(TURNS, &Limits::TURNS) {
        limits.turns = turns as u32;
    }
    if let Some(tokens) = part(TOKENS, &Limits::TOKENS) {
        limits.tokens = tokens as u32;
    }
    if let Some(minutes) = part(MINUTES, &Limits::MINUTES) {
        limits.time = Millis(minutes * 60_000);
    }
    for (name, allowed, limit) in [
        (
            SPEND_MICROS,
            &Limits::SPEND_MICROS,
            &mut limits.spend.micros,
        ),
        (
            SPEND_TOKENS,
            &Limits::SPEND_TOKENS,
            &mut limits.spend.tokens,
        ),
    ] {
        match value.get(name) {
            Some(Value::Null) => *limit = None,
            _ => *limit = part(name, allowed).or(*limit),
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_survive_their_text_and_nonsense_is_none() {
        let vllm = Service::find("vllm").unwrap();
        let mut choices = Choices {
            model: "vllm:m@high".into(),
            ..Choices::default()
        };
        choices.put_base(vllm, "http://localhost:8000/v1");
        assert_eq!(Choices::parse(&choices.to_text()), choices);
        assert_eq!(choices.base(vllm), "http://localhost:8000/v1");
        assert_eq!(Choices::parse("[1"), Choices::default());
    }

    #[test]
    fn limits_survive_and_those_out_of_range_are_the_defaults() {
        let mut choices = Choices::default();
        choices.limits.turns = 3;
        choices.limits.tokens = 9_000;
        choices.limits.time = Millis(600_000);
        choices.limits.spend = SpendLimit {
            micros: None,
            tokens: Some(7),
        };
        assert_eq!(Choices::parse(&choices.to_text()), choices);
        let odd = r#"{"turns": 0, "tokens": -1, "minutes": "9", "spend_micros": 0}"#;
        assert_eq!(Choices::parse(odd), Choices::default());
    }

    #[test]
    fn a_model_that_runs_again_is_the_newest_and_only_a_few_are_kept() {
        let mut choices = Choices::default();
        for spec in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "c"] {
            choices.ran(spec);
        }
        assert_eq!(choices.before, ["c", "i", "h", "g", "f", "e", "d", "b"]);
        assert_eq!(Choices::parse(&choices.to_text()), choices);
    }

    #[test]
    fn an_empty_address_is_the_services_own_again() {
        let openai = Service::find("openai").unwrap();
        let mut choices = Choices::default();
        choices.put_base(openai, "https://proxy.example/v1");
        choices.put_base(openai, "");
        assert_eq!(choices.base(openai), openai.base);
    }
}
