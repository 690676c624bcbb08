//! The one form of a moment in a record, `YYYY-MM-DDTHH:MM:SSZ`, made and read without a clock.

use crate::wire::Millis;
use crate::wire::retry_after::days;

const DAY: u64 = 86_400;

/// A moment as a record writes it: UTC, whole seconds, rounded down.
///
/// ```
/// use quayside::{rollout::utc_text, wire::Millis};
/// assert_eq!(utc_text(Millis(1_709_210_096_789)), "2024-02-29T12:34:56Z");
/// ```
pub fn utc_text(moment: Millis) -> String {
    let seconds = moment.seconds();
    let (year, month, day) = civil(seconds / DAY);
    let rest = seconds % DAY;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads what [`utc_text`] wrote; fractions of a second and a missing `Z` are let pass.
/// `None` for anything else, and for moments before 1970.
pub fn utc_moment(text: &str) -> Option<Millis> {
    let (date, time) = text.trim().split_once(['T', ' '])?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let time = time.strip_suffix('Z').unwrap_or(time);
    let time = time.split_once('.').map_or(time, |(whole, _)| whole);
    let mut time = time.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    let in_range = (1970..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 61;
    in_range
        .then(|| Millis((days(year, month, day) * DAY + hour * 3600 + minute * 60 + second) * 1000))
}

/// A length of time in seconds, to a tenth, as a record writes it.
pub fn tenths(length: Millis) -> f64 {
    (length.0.saturating_add(50) / 100) as f64 / 10.0
}

/// The date that lies `days` after 1970-01-01. Years are counted from March, so that the leap day
/// is a year's last, in eras of 400 years (146,097 days), which all have the same length.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, in_era) = (days / 146_097, days % 146_097);
    let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_written_as_a_record_writes_them() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (951_868_800_000, "2000-03-01T00:00:00Z"),
            (1_704_067_199_999, "2023-12-31T23:59:59Z"),
            (1_709_210_096_789, "2024-02-29T12:34:56Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc_text(Millis(millis)), text);
            assert_eq!(utc_moment(text), Some(Millis(millis / 1000 * 1000)));
        }
    }

    #[test]
    fn every_day_for_two_centuries_follows_the_one_before() {
        let mut before = (1969, 12, 31);
        for day in 0..73_000 {
            let (year, month, date) = civil(day);
            let next_month = month == before.1 % 12 + 1 && date == 1;
            assert!(date == before.2 + 1 && month == before.1 || next_month);
            assert_eq!(days(year, month, date), day);
            before = (year, month, date);
        }
    }

    #[test]
    fn text_that_is_no_moment_is_none() {
        for text in [
            "",
            "STARTED",
            "2024-13-01T00:00:00Z",
            "2024-01-01",
            "T",
            "1969-01-01T00:00:00Z",
        ] {
            assert_eq!(utc_moment(text), None, "{text}");
        }
        assert_eq!(
            utc_moment("2024-02-29 12:34:56.789"),
            Some(Millis(1_709_210_096_000))
        );
    }

    #[test]
    fn seconds_are_rounded_to_a_tenth() {
        let written = |millis| tenths(Millis(millis)).to_string();
        assert_eq!(written(1249), "1.2");
        assert_eq!(written(1250), "1.3");
        assert_eq!(written(0), "0");
    }
}
