//! Whole days of the Gregorian calendar: just what the first lines of a situation need.

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    year: i64,
    month: usize,
    /// Of the month, from 1.
    date: i64,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

impl Day {
    /// The day of `YYYY-MM-DDT00:00:00Z` (whatever stands after the day is ignored).
    pub(super) fn from_utc(text: &str) -> Option<Self> {
        let mut parts = text.get(..10)?.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let all_digits = [year, month, day]
            .iter()
            .all(|part| part.bytes().all(|b| b.is_ascii_digit()));
        if !all_digits || year.len() != 4 || month.len() != 2 || parts.next().is_some() {
            return None;
        }
        Self::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
    }

    /// The day of `24 February 2031`, in words of a text.
    pub(super) fn from_words(day: &str, month: &str, year: &str) -> Option<Self> {
        let month = MONTHS
            .iter()
            .position(|name| name.eq_ignore_ascii_case(month))?;
        Self::new(year.parse().ok()?, month + 1, day.parse().ok()?)
    }

    fn new(year: i64, month: usize, day: i64) -> Option<Self> {
        let found = Self {
            year,
            month,
            date: day,
        };
        let in_range = (1..=9999).contains(&year) && (1..=12).contains(&month);
        (in_range && (1..=found.month_length()).contains(&day)).then_some(found)
    }

    fn month_length(self) -> i64 {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        match self.month {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Days since Monday, 1 January of the year 1.
    fn number(self) -> i64 {
        let before = self.year - 1;
        let years = before * 365 + before / 4 - before / 100 + before / 400;
        let months: i64 = (1..self.month)
            .map(|month| Self { month, ..self }.month_length())
            .sum();
        years + months + self.date - 1
    }

    /// The year its ISO week belongs to: that of the week's Thursday.
    pub(super) fn week_year(self) -> i64 {
        let weekday = self.number().rem_euclid(7);
        let to_thursday = 3 - weekday;
        if self.month == 1 && self.date + to_thursday < 1 {
            self.year - 1
        } else if self.month == 12 && self.date + to_thursday > 31 {
            self.year + 1
        } else {
            self.year
        }
    }

    /// `2031-02-24T00:00:00Z`.
    pub(super) fn utc(self) -> String {
        format!(
            "{:04}-{:02}-{:02}T00:00:00Z",
            self.year, self.month, self.date
        )
    }

    /// `Monday 24 February 2031`.
    pub(super) fn words(self) -> String {
        let weekday = WEEKDAYS
            .get(self.number().rem_euclid(7) as usize)
            .unwrap_or(&"");
        let month = MONTHS.get(self.month - 1).unwrap_or(&"");
        format!("{weekday} {} {month} {:04}", self.date, self.year)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekdays_and_week_years_are_those_of_the_calendar() {
        let day = |text| Day::from_utc(text).unwrap();
        assert_eq!(
            day("2031-02-24T00:00:00Z").words(),
            "Monday 24 February 2031"
        );
        assert_eq!(
            day("2024-02-29T00:00:00Z").words(),
            "Thursday 29 February 2024"
        );
        assert_eq!(day("2029-12-31T00:00:00Z").week_year(), 2030);
        assert_eq!(day("2027-01-01T00:00:00Z").week_year(), 2026);
        assert_eq!(day("2031-02-24T00:00:00Z").week_year(), 2031);
    }

    #[test]
    fn a_day_that_does_not_exist_is_none() {
        assert_eq!(Day::from_utc("2031-02-29T00:00:00Z"), None);
        assert_eq!(Day::from_utc("2031-2-09"), None);
        assert_eq!(Day::from_utc("soon"), None);
        assert_eq!(Day::from_words("31", "April", "2031"), None);
    }
}
