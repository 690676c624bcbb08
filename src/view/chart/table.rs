//! The table twin: the numbers of the chart as rows, and each ship's state at an hour.

use super::time::count;
use super::{Chart, ShipShape};
use crate::berth::{Hour, ShipId};

/// Column headings, in order; the state at the hour line is a column of its own.
pub const HEADS: [&str; 11] = [
    "Ship",
    "Arrival",
    "Due",
    "Published",
    "Hour",
    "Section",
    "Cranes",
    "Departure",
    "Delay",
    "Cost",
    "Problems",
];

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The ship.
    pub ship: ShipId,
    /// Cells in the order of [`HEADS`]; "–" where there is nothing to say.
    pub cells: [String; HEADS.len()],
    /// It leaves late.
    pub late: bool,
    /// It breaks a rule.
    pub broken: bool,
}

/// All rows, by id.
pub fn rows(chart: &Chart) -> Vec<Row> {
    chart.ships.iter().map(row).collect()
}

fn row(ship: &ShipShape) -> Row {
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
    let number = |value: Option<i32>| or_dash(value.map(|number| number.to_string()));
    let place = ship.place;
    let published = ship
        .published
        .map(|(hour, section)| format!("hour {hour}, sec {section}"));
    let sections = place.map(|place| {
        if place.first == place.last {
            place.first.to_string()
        } else {
            format!("{}–{}", place.first, place.last)
        }
    });
    let delay = place
        .filter(|_| ship.delay > 0)
        .map(|_| count(i64::from(ship.delay), "hour"));
    let problems: Vec<_> = ship.problems.iter().map(u32::to_string).collect();
    Row {
        ship: ship.ship,
        cells: [
            ship.label.clone(),
            number(ship.arrival),
            number(ship.due),
            or_dash(published),
            number(place.map(|place| place.hour)),
            or_dash(sections),
            number(ship.cranes),
            number(place.map(|place| place.departure)),
            or_dash(delay),
            or_dash(ship.cost.map(|cost| cost.to_string())),
            or_dash((!problems.is_empty()).then(|| problems.join(", "))),
        ],
        late: ship.delay > 0,
        broken: !ship.problems.is_empty(),
    }
}

/// Where a ship is at an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The plan does not place it.
    NotPlaced,
    /// It has not arrived.
    NotHere,
    /// It has arrived and has no berth.
    Waiting,
    /// It is being worked.
    Alongside,
    /// Its work is done and wind keeps it.
    Held,
    /// It has left.
    Gone,
}

impl State {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotPlaced => "not placed",
            Self::NotHere => "not yet here",
            Self::Waiting => "waiting",
            Self::Alongside => "alongside",
            Self::Held => "held by wind",
            Self::Gone => "gone",
        }
    }
}

/// The state of every ship at an hour, in the order of [`rows`].
pub fn states(chart: &Chart, hour: Hour) -> Vec<State> {
    chart.ships.iter().map(|ship| state(ship, hour)).collect()
}

fn state(ship: &ShipShape, hour: Hour) -> State {
    let Some(place) = ship.place else {
        return State::NotPlaced;
    };
    if hour >= place.departure {
        State::Gone
    } else if hour >= place.finish {
        State::Held
    } else if hour >= place.hour {
        State::Alongside
    } else if ship.arrival.is_some_and(|arrival| hour >= arrival) {
        State::Waiting
    } else {
        State::NotHere
    }
}
