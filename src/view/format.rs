//! Numbers and times as people read them.

pub use crate::settings::money::grouped;
use crate::wire::Millis;

/// `12 s`, `3 min 05 s`.
pub fn duration(length: Millis) -> String {
    let seconds = length.seconds();
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// A reward with three decimals, as the reference shows it: `0.944`.
pub fn reward(reward: f64) -> String {
    format!("{reward:.3}")
}

/// `1 problem`, `2 problems`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{} {many}", grouped(number as u64))
    }
}

/// The first `most` characters, with an ellipsis where something was left out.
pub fn excerpt(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn minutes_keep_two_digits_of_seconds() {
        assert_eq!(duration(Millis(59_999)), "59 s");
        assert_eq!(duration(Millis(185_000)), "3 min 05 s");
    }

    #[test]
    fn an_excerpt_counts_characters_and_says_that_it_is_one() {
        assert_eq!(excerpt("äöü", 3), "äöü");
        assert_eq!(excerpt("äöüß", 3), "äöü…");
    }
}
