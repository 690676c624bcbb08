//! Limits of one episode.

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
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: 12,
            tokens: 24_000,
            time: Millis(1_800_000),
            call: Millis(300_000),
        }
    }
}

/// A limit outside what makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: choose {least} to {most}, not {given}")]
pub struct LimitsError {
    /// Which limit, as a form names it.
    pub what: &'static str,
    /// The least that is allowed.
    pub least: u64,
    /// The most that is allowed.
    pub most: u64,
    /// What was given.
    pub given: u64,
}

fn check(what: &'static str, given: u64, allowed: &RangeInclusive<u64>) -> Result<(), LimitsError> {
    if allowed.contains(&given) {
        return Ok(());
    }
    Err(LimitsError {
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

    /// Whether a run may have these limits; the first that is out of range, if not.
    pub fn check(&self) -> Result<(), LimitsError> {
        check("Most turns", self.turns.into(), &Self::TURNS)?;
        check("Output tokens per turn", self.tokens.into(), &Self::TOKENS)?;
        check("Seconds in all", self.time.seconds(), &Self::SECONDS)?;
        check("Seconds per answer", self.call.seconds(), &Self::SECONDS)
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
        assert_eq!(error.given, 0);
        assert_eq!(error.to_string(), "Most turns: choose 1 to 200, not 0");
    }
}
