//! How long an answer asks to wait before the next request.

use super::{Headers, Millis};

/// The wait that the headers ask for: `retry-after-ms`, else `retry-after` in seconds, else as a
/// date. Only a positive one counts. The page may not be allowed to read these headers.
pub fn wait(headers: &Headers, now: Millis) -> Option<Millis> {
    let read = |name, digits| headers.get(name).and_then(|text| scaled(text, digits));
    let length = read("retry-after-ms", 0)
        .or_else(|| read("retry-after", 3))
        .or_else(|| {
            let moment = http_date(headers.get("retry-after")?)?;
            Some(moment.since(now).0)
        })?;
    (length > 0).then_some(Millis(length))
}

/// A decimal number times 10^`digits`, rounded down.
fn scaled(text: &str, digits: usize) -> Option<u64> {
    let text = text.trim();
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mut number = 0_u64;
    for at in 0..whole.len() + digits {
        let digit = match at.checked_sub(whole.len()) {
            None => whole.as_bytes().get(at),
            Some(at) => part.as_bytes().get(at),
        };
        let digit = digit.unwrap_or(&b'0').checked_sub(b'0')?;
        number = number.checked_mul(10)?.checked_add(digit.into())?;
    }
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    (!text.is_empty() && text != "." && is_number(whole) && is_number(part)).then_some(number)
}

const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";

/// The three forms of a date in HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37
/// GMT`, `Sun Nov  6 08:49:37 1994`. In each the day comes before the year.
fn http_date(text: &str) -> Option<Millis> {
    let (mut month, mut seconds) = (None, None);
    let (mut day, mut year) = (None, None);
    for word in text.split([' ', ',', '-']).filter(|word| !word.is_empty()) {
        if word.contains(':') {
            let mut parts = word.splitn(3, ':').map(|part| part.parse::<u64>().ok());
            let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
            if hour > 23 || minute > 59 || second > 60 {
                return None;
            }
            seconds = Some(hour * 3600 + minute * 60 + second);
        } else if let Ok(number) = word.parse::<u64>() {
            if day.is_none() {
                day = Some(number);
            } else {
                year = Some(number);
            }
        } else if word.len() == 3 && month.is_none() {
            let place = MONTHS.find(word).filter(|at| at % 3 == 0);
            month = place.map(|at| at as u64 / 3 + 1);
        }
    }
    let year = match year? {
        year @ 0..70 => year + 2000,
        year @ 70..100 => year + 1900,
        year => year,
    };
    let day = day.filter(|day| (1..=31).contains(day))?;
    if !(1970..=9999).contains(&year) {
        return None;
    }
    Some(Millis((days(year, month?, day) * 86_400 + seconds?) * 1000))
}

/// Days from 1970-01-01 to a date not before it, month and day counted from 1. Years are counted
/// from March, so that the leap day is a year's last, in eras of 400 years (146,097 days), which
/// all have the same length.
pub(crate) fn days(year: u64, month: u64, day: u64) -> u64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, in_era) = (year / 400, year % 400);
    let march_month = if month > 2 { month - 3 } else { month + 9 };
    let in_year = (153 * march_month + 2) / 5 + day - 1;
    era * 146_097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = Millis(784_111_777_000);

    fn asked(pairs: &[(&str, &str)]) -> Option<u64> {
        let headers = pairs.iter().map(|(n, v)| ((*n).into(), (*v).into()));
        wait(&Headers(headers.collect()), NOW).map(|wait| wait.0)
    }

    fn after(text: &str) -> Option<u64> {
        asked(&[("Retry-After", text)])
    }

    #[test]
    fn milliseconds_win_over_seconds_unless_they_do_not_read() {
        assert_eq!(
            asked(&[("retry-after", "9"), ("retry-after-ms", "1250")]),
            Some(1250)
        );
        assert_eq!(
            asked(&[("retry-after-ms", "soon"), ("retry-after", "9")]),
            Some(9000)
        );
        assert_eq!(asked(&[("retry-after-ms", "1250.7")]), Some(1250));
    }

    #[test]
    fn seconds_may_have_decimals() {
        assert_eq!(after("7"), Some(7000));
        assert_eq!(after(" 0.25 "), Some(250));
        assert_eq!(after("1.23456"), Some(1234));
        assert_eq!(after(".5"), Some(500));
        assert_eq!(after("2."), Some(2000));
    }

    #[test]
    fn only_a_positive_wait_counts() {
        for text in [
            "0",
            "-3",
            "0.0",
            "",
            ".",
            "soon",
            "1e3",
            "1.-2",
            "99999999999999999999",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Wed, 21 Oct 1970 07:28:00 GMT",
        ] {
            assert_eq!(after(text), None, "{text}");
        }
    }

    #[test]
    fn a_date_is_read_in_all_its_forms() {
        for text in [
            "Sun, 06 Nov 1994 08:49:47 GMT",
            "Sunday, 06-Nov-94 08:49:47 GMT",
            "Sun Nov  6 08:49:47 1994",
        ] {
            assert_eq!(after(text), Some(10_000), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_date_is_none() {
        for text in [
            "Sun, 06 Nov 1994",
            "Sun, 99 Nov 1994 08:49:47 GMT",
            "Sun, 06 Xyz 1994 08:49:47 GMT",
            "Sun, 06 Nov 1994 28:49:47 GMT",
            "Sun, 06 Nov 99999999999999999999 08:49:47 GMT",
        ] {
            assert_eq!(after(text), None, "{text}");
        }
    }
}
