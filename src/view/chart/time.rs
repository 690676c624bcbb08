//! Hours in words: day bands, dates, ticks, and counting with the right plural.

use super::Extent;
use crate::berth::Hour;

/// One day of the chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// First hour.
    pub start: Hour,
    /// The hour it ends.
    pub end: Hour,
    /// "Mon".
    pub name: &'static str,
    /// "4 Aug", or "day 1" when the date is not known.
    pub date: String,
}

const NAMES: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Days since 1970-01-01 of a date such as `2031-08-04T00:00:00Z`.
fn day_number(date: &str) -> Option<i64> {
    let mut parts = date
        .get(..10)?
        .split('-')
        .map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years that begin in March have their leap day last (Howard Hinnant, "chrono-compatible
    // low-level date algorithms").
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Day and month of a day number.
fn date_of(days: i64) -> (i64, &'static str) {
    let days = days + 719_468;
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    (day, pick(&MONTHS, shifted + 2))
}

fn pick<const N: usize>(names: &[&'static str; N], at: i64) -> &'static str {
    names
        .get(at.rem_euclid(N as i64) as usize)
        .copied()
        .unwrap_or("")
}

/// Weekday name and date of the day `hour` falls in.
fn day_of(start: &str, hour: Hour) -> (&'static str, String) {
    let index = i64::from(hour.div_euclid(24));
    match day_number(start) {
        Some(first) => {
            let (day, month) = date_of(first + index);
            // Day 0 of the count was a Thursday.
            (pick(&NAMES, first + index + 3), format!("{day} {month}"))
        }
        // Hour 0 of a task is always a Monday.
        None => (pick(&NAMES, index), format!("day {}", index + 1)),
    }
}

/// The days of an extent. `start` is the task's `week_start_utc`, empty if not known.
pub fn days(start: &str, extent: Extent) -> Vec<Day> {
    (extent.first_hour.div_euclid(24) * 24..extent.last_hour)
        .step_by(24)
        .map(|hour| {
            let (name, date) = day_of(start, hour);
            Day {
                start: hour.max(extent.first_hour),
                end: (hour + 24).min(extent.last_hour),
                name,
                date,
            }
        })
        .collect()
}

/// A moment in words: "Thu 7 Aug 14:00, hour 86".
pub fn moment(days: &[Day], hour: Hour) -> String {
    let day = days
        .iter()
        .find(|day| (day.start..day.end).contains(&hour))
        .or(days.last());
    match day {
        Some(day) if hour < day.end => {
            format!(
                "{} {} {:02}:00, hour {hour}",
                day.name,
                day.date,
                hour.rem_euclid(24)
            )
        }
        _ => format!("hour {hour}"),
    }
}

/// Hours between labelled ticks so that each label has `room` pixels.
pub fn tick_step(px_per_hour: f64, room: f64) -> Hour {
    [1, 2, 3, 6, 12, 24, 48, 168]
        .into_iter()
        .find(|step| f64::from(*step) * px_per_hour >= room)
        .unwrap_or(168)
}

/// "1 hour", "2 hours".
pub(super) fn count(number: i64, noun: &str) -> String {
    if number.abs() == 1 {
        format!("{number} {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(last_hour: Hour) -> Extent {
        Extent {
            last_hour,
            ..Extent::default()
        }
    }

    #[test]
    fn days_have_names_and_dates() {
        let days = days("2031-08-04T00:00:00Z", extent(720));
        assert_eq!((days[0].name, days[0].date.as_str()), ("Mon", "4 Aug"));
        assert_eq!((days[27].name, days[27].date.as_str()), ("Sun", "31 Aug"));
        assert_eq!((days[28].name, days[28].date.as_str()), ("Mon", "1 Sep"));
        assert_eq!(days.len(), 30);
    }

    #[test]
    fn leap_days_and_new_years_are_met() {
        assert_eq!(
            day_of("2028-02-28T00:00:00Z", 24),
            ("Tue", "29 Feb".to_owned())
        );
        assert_eq!(day_of("2027-12-31", 24), ("Sat", "1 Jan".to_owned()));
        assert_eq!(day_number("1970-01-01"), Some(0));
    }

    #[test]
    fn without_a_date_days_are_counted() {
        for start in ["", "soon", "2031-13-01", "éééééééééé"] {
            assert_eq!(day_of(start, 30), ("Tue", "day 2".to_owned()), "{start}");
        }
    }

    #[test]
    fn moments_name_day_and_clock() {
        let days = days("2031-08-04T00:00:00Z", extent(168));
        assert_eq!(moment(&days, 86), "Thu 7 Aug 14:00, hour 86");
        assert_eq!(moment(&days, 168), "hour 168");
        assert_eq!(moment(&[], 3), "hour 3");
    }

    #[test]
    fn ticks_keep_their_room() {
        assert_eq!(tick_step(6.0, 30.0), 6);
        assert_eq!(tick_step(40.0, 30.0), 1);
        assert_eq!(tick_step(0.01, 30.0), 168);
    }

    #[test]
    fn plurals_agree() {
        assert_eq!(count(1, "hour"), "1 hour");
        assert_eq!(count(0, "ship"), "0 ships");
        assert_eq!(count(-1, "crane"), "-1 crane");
    }
}
