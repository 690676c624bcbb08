//! Limits of one episode.

use super::money::grouped;
use crate::wire::Millis;
use std::ops::RangeInclusive;

/// Limits of one episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Model turns.
    pub turns: u32,
    /// Output tokens per turn.
    pub tokens: u32,
    /// Wall clock of the whole episode, pauses not counted.
    pub time: Millis,
    /// How long one answer of the environment may take. It is also how long something under way
    /// at the wall clock may still take.
    pub call: Millis,
    /// What it may cost.
    pub spend: SpendLimit,
}

/// What a run may cost at most. Money counts where the model's price is known; where it is not,
/// tokens count in its place, read and written ones together. None is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpendLimit {
    /// Micro-dollars.
    pub micros: Option<u64>,
    /// Tokens.
    pub tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: 12,
            tokens: 24_000,
            time: Millis(1_800_000),
            call: Millis(300_000),
            spend: SpendLimit::default(),
        }
    }
}

/// A limit outside what makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: choose {} to {}, {}", grouped(*.least), grouped(*.most), but(*.given))]
pub struct LimitsError {
    /// Which limit, as a form names it.
    pub what: &'static str,
    /// The least that is allowed.
    pub least: u64,
    /// The most that is allowed.
    pub most: u64,
    /// What was given; none when it was no whole number.
    pub given: Option<u64>,
}

fn but(given: Option<u64>) -> String {
    match given {
        Some(given) => format!("not {}", grouped(given)),
        None => "in whole numbers".to_owned(),
    }
}

fn check(
    what: &'static str,
    given: Option<u64>,
    allowed: &RangeInclusive<u64>,
) -> Result<u64, LimitsError> {
    given
        .filter(|given| allowed.contains(given))
        .ok_or(LimitsError {
            what,
            least: *allowed.start(),
            most: *allowed.end(),
            given,
        })
}

impl Limits {
    /// Turns that a form accepts.
    pub const TURNS: RangeInclusive<u64> = 1..=200;
    /// Output tokens per turn that a form accepts.
    pub const TOKENS: RangeInclusive<u64> = 1..=1_000_000;
    /// Seconds that a form accepts: at most a day.
    pub const SECONDS: RangeInclusive<u64> = 1..=86_400;
    /// Minutes that a form accepts.
    pub const MINUTES: RangeInclusive<u64> = 1..=240;
    /// Tokens of a spend limit that a form accepts.
    pub const SPEND_TOKENS: RangeInclusive<u64> = 1..=1_000_000_000;
    /// Micro-dollars of a spend limit that a form accepts: up to ten thousand dollars.
    pub const SPEND_MICROS: RangeInclusive<u64> = 1..=10_000_000_000;

    /// Whether a run may have these limits; the first that is out of range, if not.
    pub fn check(&self) -> Result<(), LimitsError> {
        for (what, given, allowed) in [
            ("Most turns", self.turns.into(), &Self::TURNS),
            ("Output tokens per turn", self.tokens.into(), &Self::TOKENS),
            ("Seconds in all", self.time.seconds(), &Self::SECONDS),
            ("Seconds per answer", self.call.seconds(), &Self::SECONDS),
        ] {
            check(what, Some(given), allowed)?;
        }
        Ok(())
    }

    /// Reads a whole number that a person typed.
    pub fn read(
        what: &'static str,
        text: &str,
        allowed: &RangeInclusive<u64>,
    ) -> Result<u64, LimitsError> {
        check(what, text.trim().parse().ok(), allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_allowed_and_a_run_without_turns_is_not() {
        assert_eq!(Limits::default().check(), Ok(()));
        let none = Limits {
            turns: 0,
            ..Limits::default()
        };
        let error = none.check().unwrap_err();
        assert_eq!(error.given, Some(0));
        assert_eq!(error.to_string(), "Most turns: choose 1 to 200, not 0");
    }
}
