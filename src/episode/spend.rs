//! What a run has cost, and the limit on it.
//!
//! Before each request the loop asks what it could cost at most: the conversation is read again,
//! and a turn may be as long as the limit on output allows. A run ends before the request that
//! could pass the limit, so what was paid stays below it. Where no price is known, tokens count.
//!
//! How long the conversation is tells the last call, which reported what it read and wrote; what
//! joined it since is counted at three characters a token, which is more than most texts have.

use super::Setup;
use crate::chat::{ToolSpec, Turn, Usage};
use crate::provider::price::Price;
use crate::settings::money::{dollars, grouped};
use crate::wire::json;

/// Characters of a token, when none were counted by a service.
const CHARACTERS: u64 = 3;

/// The running bill.
#[derive(Debug)]
pub(super) struct Spend {
    price: Option<Price>,
    /// Micro-dollars, or tokens without a price.
    limit: Option<u64>,
    /// Most tokens that a turn may write.
    most: u64,
    /// In the unit of the limit.
    spent: u64,
    /// Part of that is an estimate.
    estimated: bool,
    /// Tokens of the conversation, as of the last call.
    told: u64,
    /// Characters that joined it since.
    fresh: u64,
}

impl Spend {
    /// Nothing spent yet.
    pub(super) fn new(setup: &Setup) -> Self {
        let limit = &setup.limits.spend;
        Self {
            price: setup.price,
            limit: match setup.price {
                Some(_) => limit.micros,
                None => limit.tokens,
            },
            most: setup.limits.tokens.into(),
            spent: 0,
            estimated: false,
            told: 0,
            fresh: 0,
        }
    }

    /// The tools join the conversation.
    pub(super) fn tools(&mut self, tools: &[ToolSpec]) {
        for tool in tools {
            self.text(&tool.name);
            self.text(&tool.description);
            self.text(&json::compact(&tool.input_schema));
        }
    }

    /// A text joins the conversation.
    pub(super) fn text(&mut self, text: &str) {
        self.fresh += characters(text);
    }

    /// Tokens that the next request reads.
    fn input(&self) -> u64 {
        self.told.saturating_add(self.fresh.div_ceil(CHARACTERS))
    }

    /// A turn was made. Where the service told no tokens, its length stands for them.
    pub(super) fn made(&mut self, turn: &Turn) {
        let mut usage = turn.usage;
        if usage.is_unknown() {
            let calls = turn.calls.iter();
            let calls: u64 = calls.map(|call| characters(&call.raw)).sum();
            let written = characters(&turn.text) + characters(&turn.reasoning) + calls;
            usage = Usage {
                input: self.input(),
                output: written.div_ceil(CHARACTERS),
                ..usage
            };
            self.estimated = true;
        }
        let tokens = usage.input.saturating_add(usage.output);
        let cost = match &self.price {
            Some(price) => price.cost(&usage).unwrap_or_default(),
            None => tokens,
        };
        self.spent = self.spent.saturating_add(cost);
        self.told = tokens;
        self.fresh = 0;
    }

    /// Why the next request, with this `note` at its end, must not be made; none when it may.
    pub(super) fn forbids(&self, note: &str) -> Option<String> {
        let limit = self.limit?;
        let fresh = self.fresh.saturating_add(characters(note));
        let input = self.told.saturating_add(fresh.div_ceil(CHARACTERS));
        let next = match &self.price {
            Some(price) => price.most(input, self.most),
            None => input.saturating_add(self.most),
        };
        if self.spent.saturating_add(next) <= limit {
            return None;
        }
        let amount = |amount: u64| match self.price {
            Some(_) => dollars(amount),
            None => format!("{} tokens", grouped(amount)),
        };
        let mut text = format!(
            "the next request could take up to {}. With {} spent so far, that could pass the spend limit of {}",
            amount(next),
            amount(self.spent),
            amount(limit),
        );
        if self.estimated {
            text.push_str(
                " (where the service told no tokens, the length of the texts was counted)",
            );
        }
        text.push_str(
            ". It was not made. Raise the limit, or allow fewer output tokens per turn, and run again",
        );
        if self.price.is_none() {
            text.push_str(
                ". A price is not known for this model; the spend limit counts tokens instead",
            );
        }
        Some(text)
    }
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}
