//! A plan drawn from its entries alone, when the task is not known: what they say, no more.
//! Lengths that an entry does not state are drawn as one hour and one section.

use super::ships::whole_days;
use super::{Extent, Place, ShipShape};
use crate::berth::{Hour, Section};
use crate::wire::json::compact;
use serde_json::{Map, Value};

/// What could be read.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// One shape per usable entry, numbered in order.
    pub(super) ships: Vec<ShipShape>,
    /// What the chart lacks, in words.
    pub(super) missing: Vec<String>,
}

/// The most entries drawn; a chart of more shows nothing.
const MOST: usize = 500;

/// Reads a list of entries, a mapping from ship to entry, or either of them in `plan` or as text.
pub(super) fn entries(value: &Value) -> Entries {
    let parsed = value
        .as_str()
        .and_then(|text| serde_json::from_str::<Value>(text.trim()).ok());
    let value = parsed.as_ref().unwrap_or(value);
    let value = value.get("plan").unwrap_or(value);
    let listed: Vec<(Option<&str>, &Map<String, Value>)> = match value {
        Value::Array(items) => items
            .iter()
            .filter_map(Value::as_object)
            .map(|entry| (None, entry))
            .collect(),
        Value::Object(items) => items
            .iter()
            .filter_map(|(ship, entry)| Some((Some(ship.as_str()), entry.as_object()?)))
            .collect(),
        _ => Vec::new(),
    };
    let given = listed.len();
    let mut ships: Vec<ShipShape> = Vec::new();
    let mut measured = true;
    for (key, entry) in listed.into_iter().take(MOST) {
        if let Some((shape, known)) = shape(ships.len(), key, entry) {
            measured &= known;
            ships.push(shape);
        }
    }
    let mut missing = Vec::new();
    if ships.is_empty() {
        missing.push(
            "No entry of this plan has both an hour and a section, so there is no chart."
                .to_owned(),
        );
    } else {
        missing.push(
            "The task is not known here: arrivals, limits and costs are not shown.".to_owned(),
        );
        if !measured {
            missing
                .push("Entries without a length are drawn as one hour and one section.".to_owned());
        }
        if ships.len() < given {
            missing.push(format!(
                "{} of {given} entries could not be drawn.",
                given - ships.len()
            ));
        }
    }
    Entries { ships, missing }
}

fn shape(id: usize, key: Option<&str>, entry: &Map<String, Value>) -> Option<(ShipShape, bool)> {
    let hour = whole(entry.get("berth_hour").or_else(|| entry.get("hour"))?)?;
    let first: Section = whole(entry.get("section")?)?;
    let sections = entry
        .get("sections")
        .and_then(whole)
        .filter(|many| *many > 0);
    let departure = entry
        .get("departure")
        .and_then(whole)
        .or_else(|| Some(hour + entry.get("hours_alongside").and_then(whole)?))
        .filter(|departure| *departure > hour);
    let known = sections.is_some() && departure.is_some();
    let departure = departure.unwrap_or(hour + 1);
    let place = Place {
        hour,
        finish: departure,
        departure,
        first,
        last: first + sections.unwrap_or(1) - 1,
    };
    let label = ["name", "ship", "id"]
        .iter()
        .find_map(|field| match entry.get(*field)? {
            Value::String(text) => Some(text.clone()),
            id @ Value::Number(_) => Some(format!("ship {}", compact(id))),
            _ => None,
        });
    let shape = ShipShape {
        ship: id,
        label: label
            .or_else(|| key.map(str::to_owned))
            .unwrap_or_else(|| format!("entry {}", id + 1)),
        place: Some(place),
        cranes: entry.get("cranes").and_then(whole),
        sections: sections.unwrap_or(1),
        weight: 1,
        ..ShipShape::default()
    };
    Some((shape, known))
}

/// A whole number within 100 weeks, also written as text or with a zero fraction.
fn whole(value: &Value) -> Option<i32> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => f64::from(text.trim().parse::<i32>().ok()?),
        _ => return None,
    };
    (number.fract() == 0.0 && number.abs() <= 16_800.0).then_some(number as i32)
}

/// The hours and sections the entries take up.
pub(super) fn extent(ships: &[ShipShape]) -> Extent {
    let places = || ships.iter().filter_map(|ship| ship.place);
    let Some(first_section) = places().map(|place| place.first).min() else {
        return Extent::default();
    };
    let last_section = places()
        .map(|place| place.last)
        .max()
        .unwrap_or(first_section);
    let last: Hour = places().map(|place| place.departure).max().unwrap_or(0);
    Extent {
        first_hour: 0,
        last_hour: whole_days(last),
        first_section,
        // Sections are drawn one row each; a stray number must not make thousands of rows.
        last_section: last_section.min(first_section.saturating_add(119)),
    }
}
