//! What tokens cost.

use crate::chat::Usage;

/// Prices of a model, in USD per million tokens: micro-dollars per token.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Input that no cache held.
    pub input: f64,
    /// Output, reasoning included.
    pub output: f64,
    /// Input read from a cache.
    pub cache_read: f64,
    /// Input written to a cache.
    pub cache_write: f64,
    /// Long requests cost more.
    pub long: Option<Long>,
}

/// What a long request costs: a multiple, for all of its tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Long {
    /// A request is long with more input tokens than this, cached ones included.
    pub from: u64,
    /// How many times the price of input, caches included.
    pub input: f64,
    /// How many times the price of output.
    pub output: f64,
}

impl Price {
    /// What one call cost, in micro-dollars; nothing when the service did not report its tokens.
    /// Calls are priced one by one: a long one has a price of its own.
    pub fn cost(&self, usage: &Usage) -> Option<u64> {
        if usage.is_unknown() {
            return None;
        }
        let cached = usage.cache_read.saturating_add(usage.cache_write);
        let fresh = usage.input.saturating_sub(cached);
        let read = fresh as f64 * self.input
            + usage.cache_read as f64 * self.cache_read
            + usage.cache_write as f64 * self.cache_write;
        let written = usage.output as f64 * self.output;
        let (read, written) = match self.long {
            Some(long) if usage.input > long.from => (read * long.input, written * long.output),
            _ => (read, written),
        };
        Some((read + written + 0.5) as u64)
    }

    /// The most that a call may cost, in micro-dollars: whatever is read may have to be written
    /// into a cache first.
    pub fn most(&self, input: u64, output: u64) -> u64 {
        let usage = Usage {
            input,
            output,
            cache_write: if self.cache_write > self.input {
                input
            } else {
                0
            },
            ..Usage::default()
        };
        self.cost(&usage).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: 4.0,
        output: 20.0,
        cache_read: 0.2,
        cache_write: 5.0,
        long: Some(Long {
            from: 1_000_000,
            input: 2.0,
            output: 1.5,
        }),
    };

    #[test]
    fn cached_tokens_are_part_of_the_input_and_cost_their_own_price() {
        let usage = Usage {
            input: 1_000_000,
            output: 100_000,
            cache_read: 500_000,
            cache_write: 250_000,
        };
        assert_eq!(
            PRICE.cost(&usage),
            Some(1_000_000 + 2_000_000 + 100_000 + 1_250_000)
        );
        assert_eq!(PRICE.cost(&Usage::default()), None);
    }

    #[test]
    fn a_long_request_costs_more_for_all_of_its_tokens() {
        let usage = Usage {
            input: 1_000_001,
            output: 100,
            ..Usage::default()
        };
        assert_eq!(PRICE.cost(&usage), Some(8_000_008 + 3_000));
    }

    #[test]
    fn the_most_that_a_call_may_cost_has_the_dearest_input() {
        assert_eq!(PRICE.most(1000, 100), 5000 + 2000);
        let plain = Price {
            input: 4.0,
            output: 20.0,
            cache_read: 4.0,
            cache_write: 4.0,
            long: None,
        };
        assert_eq!(plain.most(1000, 100), 4000 + 2000);
    }
}
