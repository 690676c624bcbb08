//! Taking one line apart: fragments, whole numbers, ranges. Nothing here fails loudly; a line
//! that does not fit gives `None`.

use crate::wire::json;

/// One line with white space trimmed and its runs made single spaces, so that fragments match
/// however the text was wrapped or indented.
pub(super) fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Text that fits a table cell: squeezed, without `|`.
pub(super) fn cell(text: &str) -> String {
    squeeze(&text.replace('|', "/"))
}

/// What is left of a squeezed line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<'a>(pub(super) &'a str);

impl<'a> Rest<'a> {
    /// Goes on after the first place where `fragment` stands.
    pub(super) fn after(self, fragment: &str) -> Option<Self> {
        self.0.split_once(fragment).map(|(_, rest)| Rest(rest))
    }

    /// Goes on after `fragment`, which must stand here (a space before it is skipped).
    pub(super) fn then(self, fragment: &str) -> Option<Self> {
        self.0.trim_start().strip_prefix(fragment).map(Rest)
    }

    /// A whole number of at most six digits (and one million), such as an hour.
    pub(super) fn number(self) -> Option<(i32, Self)> {
        let (number, rest) = self.amount()?;
        (-1_000_000..=1_000_000)
            .contains(&number)
            .then_some((number, rest))
    }

    /// A whole number up to a milliard, such as container moves.
    pub(super) fn amount(self) -> Option<(i32, Self)> {
        let text = self.0.trim_start();
        let unsigned = text.strip_prefix(['-', '\u{2212}']);
        let digits = unsigned.unwrap_or(text);
        let end = digits
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(digits.len());
        let (digits, rest) = digits.split_at(end);
        let size: i32 = digits.parse().ok()?;
        if size > 1_000_000_000 {
            return None;
        }
        let number = if unsigned.is_some() { -size } else { size };
        Some((number, Rest(rest)))
    }

    /// A number with or without decimals, not negative.
    pub(super) fn decimal(self) -> Option<(f64, Self)> {
        let text = self.0.trim_start();
        let whole = digits(text);
        let after = text.get(whole..)?;
        let fraction = after.strip_prefix('.').map_or(0, digits);
        let end = whole + if fraction > 0 { fraction + 1 } else { 0 };
        if whole == 0 || end > 40 {
            return None;
        }
        let (number, rest) = text.split_at_checked(end)?;
        // JSON's own reader, so that the page carries one reader of numbers; it takes no zero more.
        let number = number.trim_start_matches('0');
        let zero = if number.starts_with(|sign: char| sign.is_ascii_digit()) {
            ""
        } else {
            "0"
        };
        let number = json::read(&format!("{zero}{number}"))?;
        Some((number.as_f64()?, Rest(rest)))
    }

    /// Two numbers with a dash between: `2-12`, `-6--2`.
    pub(super) fn range(self) -> Option<(i32, i32, Self)> {
        let (first, rest) = self.number()?;
        let rest = rest.0.trim_start().strip_prefix(['-', '\u{2013}'])?;
        let (last, rest) = Rest(rest).number()?;
        Some((first, last, rest))
    }

    /// What stands between the next `(` and the last `)`; empty when there are none.
    pub(super) fn bracketed(self) -> &'a str {
        self.0
            .split_once('(')
            .and_then(|(_, inner)| inner.rsplit_once(')'))
            .map_or("", |(inner, _)| inner.trim())
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_hold_negative_numbers() {
        let range = |text| Rest(text).range().map(|(a, b, _)| (a, b));
        assert_eq!(range("2-12"), Some((2, 12)));
        assert_eq!(range("-6--2 (x)"), Some((-6, -2)));
        assert_eq!(range("6 - 9"), Some((6, 9)));
        assert_eq!(range("6 to 9"), None);
    }

    #[test]
    fn decimals_end_where_a_sentence_ends() {
        let (number, rest) = Rest("40.5. Then").decimal().unwrap();
        assert_eq!((number.to_string().as_str(), rest.0), ("40.5", ". Then"));
        let (number, rest) = Rest("40. Then").decimal().unwrap();
        assert_eq!((number.to_string().as_str(), rest.0), ("40", ". Then"));
        assert!(Rest("-4").decimal().is_none());
    }

    #[test]
    fn numbers_too_long_for_an_hour_are_refused() {
        assert!(Rest("99999999999999999999").number().is_none());
        assert!(Rest("2000000").number().is_none());
        assert!(Rest("- 4").number().is_none());
    }
}
