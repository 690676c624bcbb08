//! Money in whole micro-dollars, as what a token costs is a fraction of a cent; and large numbers.
//! Print and parse.

/// A micro-dollar is a millionth of one.
pub const DOLLAR: u64 = 1_000_000;

/// `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Money as people read it: the less it is, the more decimals. Rounded.
///
/// ```
/// use quayside::settings::money::dollars;
/// assert_eq!(dollars(12_345_678), "$12.35");
/// assert_eq!(dollars(42_100), "$0.042");
/// assert_eq!(dollars(730), "$0.0007");
/// assert_eq!(dollars(3), "under $0.0001");
/// assert_eq!(dollars(0), "$0.00");
/// ```
pub fn dollars(micros: u64) -> String {
    match micros {
        0 => "$0.00".to_owned(),
        1..100 => "under $0.0001".to_owned(),
        100..10_000 => format!("${}", decimals(micros, 4)),
        10_000..DOLLAR => format!("${}", decimals(micros, 3)),
        _ => format!("${}", decimals(micros, 2)),
    }
}

/// The amount as a field holds it: `2`, `0.5`, `1.25`.
pub fn plain(micros: u64) -> String {
    let text = decimals(micros, 6);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// With this many decimals, at most six.
fn decimals(micros: u64, many: u32) -> String {
    let step = 10_u64.pow(6_u32.saturating_sub(many));
    let rounded = micros.saturating_add(step / 2) / step;
    let unit = 10_u64.pow(many);
    let width = many as usize;
    format!("{}.{:0width$}", rounded / unit, rounded % unit)
}

/// Reads an amount in dollars; decimals beyond the sixth are dropped. A comma is a point.
///
/// ```
/// use quayside::settings::money::parse;
/// assert_eq!(parse("1.5"), Some(1_500_000));
/// assert_eq!(parse(" ,05 "), Some(50_000));
/// assert_eq!(parse("-1"), None);
/// ```
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(part) {
        return None;
    }
    let mut micros: u64 = 0;
    let places = part.bytes().chain(std::iter::repeat(b'0')).take(6);
    for digit in whole.bytes().chain(places) {
        micros = micros
            .checked_mul(10)?
            .checked_add(u64::from(digit - b'0'))?;
    }
    Some(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_field_holds_reads_as_what_it_was() {
        for micros in [0, 1, 50_000, DOLLAR, 1_250_000, 99_999_999_999] {
            assert_eq!(parse(&plain(micros)), Some(micros), "{}", plain(micros));
        }
        assert_eq!(plain(2_000_000), "2");
        assert_eq!(plain(500_000), "0.5");
    }

    #[test]
    fn what_is_no_amount_is_none() {
        for text in ["", ".", "1.2.3", "1e3", "$1", "99999999999999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn rounding_carries_into_the_dollars() {
        assert_eq!(dollars(1_999_999), "$2.00");
        assert_eq!(dollars(999_900), "$1.000");
        assert_eq!(dollars(99), "under $0.0001");
    }
}
