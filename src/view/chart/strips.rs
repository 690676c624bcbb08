//! Strips below the chart: cranes in use and movements, hour by hour, against what there is.

use super::time::count;
use super::{Extent, Place, ShipShape};
use crate::berth::{Checker, Hour, Plan, ShipId};

/// One quantity over the hours of the chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// First hour of the lists below.
    pub first_hour: Hour,
    /// Used in each hour.
    pub used: Vec<i32>,
    /// Available in each hour.
    pub available: Vec<i32>,
    /// Used in each hour by the older plan of a difference.
    pub before: Option<Vec<i32>>,
    /// Runs of hours with more used than there is.
    pub over: Vec<Over>,
    /// The largest number of the strip, at least 1.
    pub most: i32,
    /// Its accessible name.
    pub name: String,
}

/// Hours `[start, end)` over the limit, and who is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// First hour.
    pub start: Hour,
    /// The hour it is over.
    pub end: Hour,
    /// Ships of the plan that use something in these hours, by id.
    pub ships: Vec<ShipId>,
    /// Its accessible name.
    pub name: String,
}

impl Strip {
    /// Used and available at an hour.
    pub fn at(&self, hour: Hour) -> Option<(i32, i32)> {
        let index = usize::try_from(hour.checked_sub(self.first_hour)?).ok()?;
        Some((*self.used.get(index)?, *self.available.get(index)?))
    }
}

/// The crane strip and the movement strip, each where its rule is in force.
pub(super) fn strips(
    checker: &Checker,
    plan: &Plan,
    older: Option<&Plan>,
    ships: &[ShipShape],
    extent: Extent,
) -> (Option<Strip>, Option<Strip>) {
    let hours = extent.first_hour..extent.last_hour;
    let now = checker.strips(plan, hours.clone());
    let before = older.map(|older| checker.strips(older, hours));
    let cranes = (!now.available.is_empty()).then(|| {
        let works = |place: Place, start: Hour, end: Hour| place.hour < end && start < place.finish;
        let before = before.as_ref().map(|strips| strips.cranes.clone());
        strip(
            extent,
            now.cranes,
            now.available,
            before,
            ships,
            "crane",
            &works,
        )
    });
    let moves = now.limit.map(|limit| {
        let moves = |place: Place, start: Hour, end: Hour| {
            (start..end).contains(&place.hour) || (start..end).contains(&place.departure)
        };
        let available = vec![limit; now.moves.len()];
        let before = before.as_ref().map(|strips| strips.moves.clone());
        strip(
            extent, now.moves, available, before, ships, "movement", &moves,
        )
    });
    (cranes, moves)
}

fn strip(
    extent: Extent,
    used: Vec<i32>,
    available: Vec<i32>,
    before: Option<Vec<i32>>,
    ships: &[ShipShape],
    noun: &str,
    involved: &dyn Fn(Place, Hour, Hour) -> bool,
) -> Strip {
    let most = used
        .iter()
        .chain(&available)
        .chain(before.iter().flatten())
        .copied()
        .max();
    let mut strip = Strip {
        first_hour: extent.first_hour,
        // A broken plan may ask for any number of cranes; the strip stays readable.
        most: most.unwrap_or(1).clamp(1, 60),
        before: before.filter(|before| *before != used),
        used,
        available,
        ..Strip::default()
    };
    mark_over(&mut strip, ships, involved, noun);
    strip
}

fn mark_over(
    strip: &mut Strip,
    ships: &[ShipShape],
    involved: &dyn Fn(Place, Hour, Hour) -> bool,
    noun: &str,
) {
    let mut runs: Vec<(Hour, Hour, i32, i32)> = Vec::new();
    for (hour, (used, available)) in
        (strip.first_hour..).zip(strip.used.iter().zip(&strip.available))
    {
        if used <= available {
            continue;
        }
        match runs.last_mut() {
            Some((_, end, worst, there)) if *end == hour => {
                *end = hour + 1;
                if used - available > *worst - *there {
                    (*worst, *there) = (*used, *available);
                }
            }
            _ => runs.push((hour, hour + 1, *used, *available)),
        }
    }
    strip.over = runs
        .into_iter()
        .map(|(start, end, used, available)| {
            let when = if end - start == 1 {
                format!("hour {start}")
            } else {
                format!("hours {start} to {end}")
            };
            let ships: Vec<_> = ships
                .iter()
                .filter(|ship| ship.place.is_some_and(|place| involved(place, start, end)))
                .map(|ship| ship.ship)
                .collect();
            Over {
                start,
                end,
                ships,
                name: format!("{}, {} of {available}", when, count(i64::from(used), noun)),
            }
        })
        .collect();
    let peak = strip.used.iter().copied().max().unwrap_or(0);
    let over: Vec<_> = strip.over.iter().map(|over| over.name.as_str()).collect();
    let title = if noun == "crane" {
        "Cranes in use"
    } else {
        "Movements an hour"
    };
    strip.name = if over.is_empty() {
        format!("{title}, {peak} at most, never over the limit")
    } else {
        format!("{title}, over the limit: {}", over.join("; "))
    };
}
