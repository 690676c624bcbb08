//! What a run costs, in words: so far, in all, and about how much beforehand.

use super::format;
use crate::chat::Usage;
use crate::provider::price::Price;
use crate::settings::money::dollars;

/// What is known of a model's prices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tariff {
    /// It runs inside the page and costs nothing.
    #[default]
    Inside,
    /// The price is not known. That is not zero.
    Unknown,
    /// The price.
    Known(Price),
}

impl Tariff {
    /// The price, where it is known.
    pub fn price(&self) -> Option<Price> {
        match self {
            Self::Known(price) => Some(*price),
            Self::Inside | Self::Unknown => None,
        }
    }
}

/// The bill of a run, turn by turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bill {
    /// Prices.
    pub tariff: Tariff,
    /// Micro-dollars for the turns whose tokens are known.
    pub micros: u64,
    /// Some tokens were paid for that nobody told: the sum is a lower bound.
    pub untold: bool,
}

impl Bill {
    /// A turn is finished.
    pub fn add(&mut self, usage: &Usage) {
        if self.tariff == Tariff::Inside {
            return;
        }
        self.untold |= usage.is_unknown();
        let price = self.tariff.price();
        let cost = price.and_then(|price| price.cost(usage));
        self.micros = self.micros.saturating_add(cost.unwrap_or_default());
    }

    /// A turn was given up: what it had cost by then is not told.
    pub fn broke_off(&mut self) {
        self.untold |= self.tariff != Tariff::Inside;
    }

    /// `$0.042 so far, limit $2.00`, `at least $0.042 in all`, `price not known`; nothing for a
    /// model inside the page.
    pub fn words(&self, over: bool, limit: Option<u64>) -> String {
        match self.tariff {
            Tariff::Inside => String::new(),
            Tariff::Unknown => "price not known".to_owned(),
            Tariff::Known(_) => {
                let least = if self.untold { "at least " } else { "" };
                let money = dollars(self.micros);
                match limit {
                    _ if over => format!("{least}{money} in all"),
                    Some(limit) => format!("{least}{money} so far, limit {}", dollars(limit)),
                    None => format!("{least}{money} so far"),
                }
            }
        }
    }

    /// `12,345 tokens`, `at least 12,345 of 500,000 tokens`; nothing before the first. The limit is
    /// shown where it is the one that counts.
    pub fn tokens(&self, tokens: u64, limit: Option<u64>) -> String {
        if tokens == 0 {
            let words = if self.untold { "tokens not told" } else { "" };
            return words.to_owned();
        }
        let least = if self.untold { "at least " } else { "" };
        let tokens = format::grouped(tokens);
        match limit {
            Some(limit) if self.tariff == Tariff::Unknown => {
                format!("{least}{tokens} of {} tokens", format::grouped(limit))
            }
            _ => format!("{least}{tokens} tokens"),
        }
    }
}

/// What is known of a run before it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ahead {
    /// Characters that the model is told at the beginning: instructions, tools, situation.
    pub characters: usize,
    /// Most turns.
    pub turns: u32,
    /// Most tokens that a turn writes.
    pub most_output: u32,
    /// Prices.
    pub tariff: Tariff,
}

/// Turns of a short run: a draft, its correction, the submission.
const FEW_TURNS: u32 = 3;
/// Tokens written in a turn by a model that thinks little, and by one that thinks much.
const WRITTEN: [u32; 2] = [1_200, 8_000];
/// Tokens of a tool's answer.
const ANSWER: [u32; 2] = [300, 1_200];
/// Characters of a token: many in plain words, few in numbers.
const CHARACTERS: [u64; 2] = [4, 3];

impl Ahead {
    /// `Estimate: about $0.10 to $0.90 for up to 12 turns`. From a short run of few words whose
    /// history is read from a cache, to one that takes all its turns, thinks a lot and finds
    /// nothing in a cache. Nothing for a model inside the page.
    pub fn words(&self) -> String {
        let turns = format::count(self.turns as usize, "turn", "turns");
        let until = if self.turns > 1 { "up to " } else { "" };
        match self.tariff {
            Tariff::Inside => String::new(),
            Tariff::Known(price) => {
                // Requests are added up here, and a sum is no long request.
                let price = Price {
                    long: None,
                    ..price
                };
                let cost = |run: [Usage; 2]| {
                    let calls = run.iter().filter_map(|usage| price.cost(usage));
                    calls.fold(0, u64::saturating_add)
                };
                let least = rough(cost(self.run(0)));
                let most = rough(cost(self.run(1)));
                format!(
                    "Estimate: about {} to {} for {until}{turns}",
                    dollars(least),
                    dollars(most)
                )
            }
            Tariff::Unknown => {
                let tokens = |run: [Usage; 2]| {
                    let tokens = run
                        .iter()
                        .map(|usage| usage.input.saturating_add(usage.output));
                    rough(tokens.fold(0, u64::saturating_add))
                };
                format!(
                    "Estimate: about {} to {} tokens for {until}{turns}",
                    format::grouped(tokens(self.run(0))),
                    format::grouped(tokens(self.run(1)))
                )
            }
        }
    }

    /// The first request and all others together, of a short run (0) or a long one (1).
    fn run(&self, long: usize) -> [Usage; 2] {
        let pick = |pair: [u32; 2]| u64::from(pair.get(long).copied().unwrap_or_default());
        let turns = match long {
            0 => self.turns.min(FEW_TURNS),
            _ => self.turns,
        };
        let later = u64::from(turns.saturating_sub(1));
        let characters = CHARACTERS.get(long).copied().unwrap_or(1);
        let opening = self.characters as u64 / characters;
        let output = pick(WRITTEN).min(self.most_output.into());
        let step = output + pick(ANSWER);
        // Each later request reads the opening again, and one step more than the one before.
        let steps = later * later.saturating_add(1) / 2;
        let input = later
            .saturating_mul(opening)
            .saturating_add(steps.saturating_mul(step));
        let fresh = later * step;
        let first = Usage {
            input: opening,
            output,
            cache_write: if long == 0 && turns > 1 { opening } else { 0 },
            cache_read: 0,
        };
        let others = Usage {
            input,
            output: later * output,
            cache_write: if long == 0 { fresh } else { 0 },
            cache_read: if long == 0 {
                input.saturating_sub(fresh)
            } else {
                0
            },
        };
        [first, others]
    }
}

/// Rounded to two digits: more would promise too much.
fn rough(number: u64) -> u64 {
    let mut step = 1;
    while number / step >= 100 {
        step *= 10;
    }
    number.saturating_add(step / 2) / step * step
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: 2.0,
        output: 10.0,
        cache_read: 0.2,
        cache_write: 2.5,
        long: None,
    };

    fn used(input: u64, output: u64) -> Usage {
        Usage {
            input,
            output,
            ..Usage::default()
        }
    }

    fn ahead(tariff: Tariff, turns: u32) -> String {
        Ahead {
            characters: 18_000,
            turns,
            most_output: 24_000,
            tariff,
        }
        .words()
    }

    #[test]
    fn the_bill_is_said_so_far_and_in_all() {
        let mut bill = Bill {
            tariff: Tariff::Known(PRICE),
            ..Bill::default()
        };
        assert_eq!(
            bill.words(false, Some(2_000_000)),
            "$0.00 so far, limit $2.00"
        );
        bill.add(&used(10_000, 2_200));
        assert_eq!(bill.words(false, None), "$0.042 so far");
        bill.add(&used(0, 0));
        assert_eq!(bill.words(false, None), "at least $0.042 so far");
        assert_eq!(bill.words(true, Some(1)), "at least $0.042 in all");
        assert_eq!(bill.tokens(12_200, Some(9)), "at least 12,200 tokens");
    }

    #[test]
    fn an_unknown_price_is_not_zero_and_tokens_stand_against_the_limit() {
        let mut bill = Bill {
            tariff: Tariff::Unknown,
            ..Bill::default()
        };
        bill.add(&used(10_000, 2_200));
        assert_eq!(bill.words(true, None), "price not known");
        assert_eq!(
            bill.tokens(12_200, Some(500_000)),
            "12,200 of 500,000 tokens"
        );
        bill.add(&used(0, 0));
        assert_eq!(bill.tokens(0, None), "tokens not told");
    }

    #[test]
    fn a_model_inside_the_page_has_no_bill() {
        let mut bill = Bill::default();
        bill.add(&used(0, 0));
        bill.broke_off();
        assert_eq!(bill, Bill::default());
        assert_eq!(bill.words(true, None) + &bill.tokens(0, None), "");
        assert_eq!(ahead(Tariff::Inside, 12), "");
    }

    #[test]
    fn an_estimate_is_a_range_and_says_that_it_is_one() {
        assert_eq!(
            ahead(Tariff::Known(PRICE), 12),
            "Estimate: about $0.057 to $2.30 for up to 12 turns"
        );
        assert_eq!(
            ahead(Tariff::Unknown, 1),
            "Estimate: about 5,700 to 14,000 tokens for 1 turn"
        );
    }

    #[test]
    fn an_estimate_never_falls_with_more_turns_or_a_longer_task() {
        for turns in 1..60 {
            let run = |turns, characters| {
                let ahead = Ahead {
                    characters,
                    turns,
                    most_output: 24_000,
                    tariff: Tariff::Unknown,
                };
                [ahead.run(0), ahead.run(1)].map(|[first, others]| {
                    PRICE.cost(&first).unwrap() + PRICE.cost(&others).unwrap_or_default()
                })
            };
            let [least, most] = run(turns, 18_000);
            assert!(least <= most);
            assert!(run(turns + 1, 18_000)[1] > most);
            assert!(run(turns, 36_000)[0] > least);
        }
    }

    #[test]
    fn rough_numbers_have_two_digits() {
        assert_eq!(
            [7, 99, 104, 1_250, 98_765].map(rough),
            [7, 99, 100, 1_300, 99_000]
        );
    }
}
