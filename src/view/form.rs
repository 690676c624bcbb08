//! The fields of the run bar: what is typed, and the limits that it comes to.

use super::money::{Ahead, Tariff};
use crate::settings::{Limits, SpendLimit, money};
use crate::wire::Millis;

/// How many fields there are.
pub const MANY: usize = 5;

/// What is typed, field by field.
pub type Texts = [String; MANY];

/// The names of the fields.
pub const LABELS: [&str; MANY] = [
    "Most turns",
    "Output tokens per turn",
    "Time limit in minutes",
    "Spend limit in dollars",
    "Spend limit in tokens",
];

/// Which of them count for a model: one that costs something has a limit, in dollars where its
/// price is known.
pub fn shown(tariff: Tariff) -> [bool; MANY] {
    let outside = tariff != Tariff::Inside;
    let priced = tariff.price().is_some();
    [true, outside, true, priced, outside && !priced]
}

/// What the fields hold for these limits.
pub fn texts(limits: &Limits) -> Texts {
    let spend = &limits.spend;
    [
        limits.turns.to_string(),
        limits.tokens.to_string(),
        (limits.time.seconds() / 60).to_string(),
        spend.micros.map(money::plain).unwrap_or_default(),
        spend
            .tokens
            .map(|tokens| tokens.to_string())
            .unwrap_or_default(),
    ]
}

/// Reads a field; a spend limit that is left empty is none.
fn read(field: usize, text: &str) -> Result<Option<u64>, String> {
    let label = LABELS.get(field).copied().unwrap_or_default();
    let allowed = match field {
        0 => &Limits::TURNS,
        1 => &Limits::TOKENS,
        2 => &Limits::MINUTES,
        3 => {
            let micros = money::parse(text);
            return match micros.filter(|micros| Limits::SPEND_MICROS.contains(micros)) {
                _ if text.trim().is_empty() => Ok(None),
                None => Err("Choose more than 0, to 10,000 dollars; empty is no limit".to_owned()),
                micros => Ok(micros),
            };
        }
        _ if text.trim().is_empty() => return Ok(None),
        _ => &Limits::SPEND_TOKENS,
    };
    let number = Limits::read(label, text, allowed);
    number.map(Some).map_err(|error| error.to_string())
}

/// What is wrong with a field; empty when nothing is.
pub fn problem(field: usize, text: &str) -> String {
    read(field, text).err().unwrap_or_default()
}

/// The limits that the fields come to. None while one that is shown is wrong; of those that are
/// not, what holds so far counts.
pub fn limits(texts: &Texts, tariff: Tariff, so_far: Limits) -> Option<Limits> {
    let mut numbers = [None; MANY];
    let places = texts.iter().zip(shown(tariff)).zip(&mut numbers);
    for (field, ((text, shown), number)) in places.enumerate() {
        *number = match read(field, text) {
            Ok(read) => Some(read),
            Err(_) if shown => return None,
            Err(_) => None,
        };
    }
    let [turns, tokens, minutes, micros, spend_tokens] = numbers;
    let small = |number: Option<Option<u64>>, so_far: u32| {
        let number = number
            .flatten()
            .and_then(|number| u32::try_from(number).ok());
        number.unwrap_or(so_far)
    };
    Some(Limits {
        turns: small(turns, so_far.turns),
        tokens: small(tokens, so_far.tokens),
        time: match minutes.flatten() {
            Some(minutes) => Millis(minutes * 60_000),
            None => so_far.time,
        },
        spend: SpendLimit {
            micros: micros.unwrap_or(so_far.spend.micros),
            tokens: spend_tokens.unwrap_or(so_far.spend.tokens),
        },
        ..so_far
    })
}

/// What stands below the fields: an estimate, and what else there is to know about the price.
pub fn note(ahead: Option<&Ahead>, tariff: Tariff, max_output: Option<u64>, tokens: u32) -> String {
    let mut parts = Vec::new();
    if let Some(ahead) = ahead {
        parts.push(ahead.words());
    }
    if tariff == Tariff::Unknown {
        parts.push(
            "A price is not known for this model; the spend limit counts tokens instead".to_owned(),
        );
    }
    if let Some(most) = max_output.filter(|most| *most < tokens.into()) {
        parts.push(format!(
            "This model writes at most {} tokens a turn",
            money::grouped(most)
        ));
    }
    parts.retain(|part| !part.is_empty());
    let mut text = parts.join(". ");
    if !text.is_empty() {
        text.push('.');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::price::Price;
    use crate::settings::Choices;

    const KNOWN: Tariff = Tariff::Known(Price {
        input: 1.0,
        output: 1.0,
        cache_read: 1.0,
        cache_write: 1.0,
        long: None,
    });

    fn chosen() -> Limits {
        Choices::default().limits
    }

    fn with(field: usize, text: &str) -> Texts {
        let mut texts = texts(&chosen());
        texts[field] = text.to_owned();
        texts
    }

    #[test]
    fn what_the_fields_hold_comes_to_the_same_limits() {
        let texts = texts(&chosen());
        assert_eq!(texts, ["12", "24000", "30", "2", "500000"]);
        assert_eq!(limits(&texts, KNOWN, Limits::default()), Some(chosen()));
    }

    #[test]
    fn what_is_out_of_range_is_explained_and_counts_for_nothing() {
        for (field, text, words) in [
            (0, "0", "Most turns: choose 1 to 200, not 0"),
            (0, "", "Most turns: choose 1 to 200, in whole numbers"),
            (
                1,
                "1.5",
                "Output tokens per turn: choose 1 to 1,000,000, in whole numbers",
            ),
            (2, "999", "Time limit in minutes: choose 1 to 240, not 999"),
            (
                3,
                "0",
                "Choose more than 0, to 10,000 dollars; empty is no limit",
            ),
            (
                3,
                "10000.01",
                "Choose more than 0, to 10,000 dollars; empty is no limit",
            ),
        ] {
            assert_eq!(problem(field, text), words);
            assert_eq!(limits(&with(field, text), KNOWN, chosen()), None, "{text}");
        }
    }

    #[test]
    fn a_field_that_is_not_shown_cannot_be_in_the_way() {
        assert_eq!(
            limits(&with(3, "x"), Tariff::Unknown, chosen()),
            Some(chosen())
        );
        assert_eq!(limits(&with(4, "x"), KNOWN, chosen()), Some(chosen()));
        assert_eq!(
            limits(&with(1, "x"), Tariff::Inside, chosen()),
            Some(chosen())
        );
        assert_eq!(limits(&with(4, "x"), Tariff::Unknown, chosen()), None);
    }

    #[test]
    fn an_empty_spend_limit_is_none() {
        let limits = limits(&with(3, " "), KNOWN, chosen()).unwrap();
        assert_eq!(limits.spend.micros, None);
        assert_eq!(limits.spend.tokens, Some(500_000));
    }

    #[test]
    fn the_note_says_what_is_known_and_what_is_not() {
        assert_eq!(note(None, Tariff::Inside, None, 1), "");
        assert_eq!(
            note(None, Tariff::Unknown, None, 1),
            "A price is not known for this model; the spend limit counts tokens instead."
        );
        assert_eq!(
            note(None, KNOWN, Some(16_384), 24_000),
            "This model writes at most 16,384 tokens a turn."
        );
        let ahead = Ahead {
            characters: 18_000,
            turns: 12,
            most_output: 24_000,
            tariff: KNOWN,
        };
        assert!(note(Some(&ahead), KNOWN, None, 1).starts_with("Estimate: about $"));
    }
}
