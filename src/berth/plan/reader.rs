//! The lenient reader of plans.
//!
//! Models write plans in many shapes; all of these are the same plan:
//!
//! ```text
//! [{"ship": 0, "berth_hour": 7, "section": 4, "cranes": 2}]      a list of entries
//! [{"name": "tarvik lumen", "hour": "7", "section": 4.0}]        aliases, names, loose numbers
//! {"0": {"hour": 7, "section": 4}}   {"Tarvik Lumen": [7, 4, 2]} a mapping from ship to slot
//! {"plan": […]}                                                  either, wrapped once
//! ```
//!
//! or any of them as text, fenced or not. What cannot be read at all is a [`ParseError`]; an entry
//! that cannot be used is dropped and becomes a [`PlanProblem`].
//!
//! **Where this reader differs from the reference's**, by choice (its JSON and number readers are
//! those of another language):
//!
//! * `NaN`, `Infinity` and floats too large for a double (`1e400`) are not JSON here, and neither
//!   is half a surrogate pair (`"\ud800"`) nor nesting deeper than 128: `invalid_json`.
//! * Integers of more than 64 bits are read as floats: as an hour they are `out_of_range` rather
//!   than `bad_number`, as a ship `unknown_ship` either way. The number `-0` is a float too, so it
//!   is hour 0 but no ship.
//! * Integer texts are plain ASCII digits: `"1_0"`, `"+3"` and full-width digits are refused.

use super::{ParseError, Plan, PlanProblem, Reading, Slot};
use crate::berth::{ShipId, Task};
use crate::wire::json::compact;
use crate::{case, order};
use serde_json::{Map, Value};

/// Hours beyond this many either side of hour 0 (100 weeks) are out of range.
const HOURS: i64 = 16_800;
/// Sections, and cranes, beyond this either side of 0 are out of range.
const SMALL: i64 = 1_000;

/// Reads a plan from any JSON value; a string is plan text.
pub fn read(value: &Value, task: &Task) -> Result<Reading, ParseError> {
    let parsed;
    let data = if let Value::String(text) = value {
        parsed = parse(text)?;
        &parsed
    } else {
        value
    };
    let entries = entries(unwrapped(data))?;
    let most = task.ships.len().saturating_mul(4).saturating_add(10);
    if entries.len() > most {
        let given = entries.len();
        return Err(ParseError::TooManyEntries { given, most });
    }
    let mut names = Names::default();
    let mut plan = Plan::empty(task.ships.len());
    let mut problems = Vec::new();
    for (entry, fields) in entries.iter().enumerate() {
        if let Err((kind, text)) = place(fields, task, &mut names, &mut plan) {
            problems.push(PlanProblem { kind, entry, text });
        }
    }
    Ok(Reading { plan, problems })
}

/// Text to data: white space off, the first fenced passage if there is one, then JSON.
fn parse(text: &str) -> Result<Value, ParseError> {
    let text = text.trim();
    serde_json::from_str(fenced(text).unwrap_or(text)).map_err(|_| ParseError::InvalidJson)
}

/// What stands between the first three backticks (and `json`, and white space) and the next three.
fn fenced(text: &str) -> Option<&str> {
    let (_, opened) = text.split_once("```")?;
    let tagged = opened.strip_prefix("json").unwrap_or(opened);
    let (content, _) = tagged.trim_start().split_once("```")?;
    Some(content)
}

/// The value under `plan`, if that is an object's only key; once.
fn unwrapped(data: &Value) -> &Value {
    match data {
        Value::Object(map) if map.len() == 1 => map.get("plan").unwrap_or(data),
        _ => data,
    }
}

/// One entry, unread: the ship as a key or as a value, and its numbers.
struct Fields<'a> {
    ship: Named<'a>,
    hour: Option<&'a Value>,
    section: Option<&'a Value>,
    cranes: Option<&'a Value>,
}

/// How an entry names its ship.
enum Named<'a> {
    Key(&'a str),
    Value(Option<&'a Value>),
}

fn entries(data: &Value) -> Result<Vec<Fields<'_>>, ParseError> {
    match data {
        Value::Object(map) => Ok(map.iter().map(|(key, slot)| keyed(key, slot)).collect()),
        Value::Array(list) => list
            .iter()
            .map(|entry| entry.as_object().map(listed))
            .collect::<Option<_>>()
            .ok_or(ParseError::EntryNotObject),
        _ => Err(ParseError::NotAPlan),
    }
}

/// An entry of a mapping: an object of numbers, an array of two or three, or nothing usable.
fn keyed<'a>(key: &'a str, slot: &'a Value) -> Fields<'a> {
    let ship = Named::Key(key);
    match slot {
        Value::Object(map) => numbers(ship, map),
        Value::Array(list) => match list.as_slice() {
            [hour, section] => array(ship, hour, section, None),
            [hour, section, cranes] => array(ship, hour, section, Some(cranes)),
            _ => blank(ship),
        },
        _ => blank(ship),
    }
}

/// An entry of a list. A key that is present hides its aliases, whatever it holds.
fn listed(map: &Map<String, Value>) -> Fields<'_> {
    let ship = map.get("ship").or_else(|| map.get("id"));
    numbers(Named::Value(ship.or_else(|| map.get("name"))), map)
}

fn numbers<'a>(ship: Named<'a>, map: &'a Map<String, Value>) -> Fields<'a> {
    Fields {
        ship,
        hour: map.get("berth_hour").or_else(|| map.get("hour")),
        section: map.get("section"),
        cranes: map.get("cranes"),
    }
}

fn array<'a>(
    ship: Named<'a>,
    hour: &'a Value,
    section: &'a Value,
    cranes: Option<&'a Value>,
) -> Fields<'a> {
    Fields {
        ship,
        hour: Some(hour),
        section: Some(section),
        cranes,
    }
}

fn blank(ship: Named<'_>) -> Fields<'_> {
    Fields {
        ship,
        hour: None,
        section: None,
        cranes: None,
    }
}

/// Puts one entry into the plan, or says what is wrong with it: kind and text.
fn place(
    fields: &Fields<'_>,
    task: &Task,
    names: &mut Names,
    plan: &mut Plan,
) -> Result<(), (&'static str, String)> {
    let id = names.find(&fields.ship, task);
    let found = id.and_then(|id| Some((task.ships.get(id)?, plan.slots.get_mut(id)?)));
    let Some((ship, slot)) = found else {
        let given = match fields.ship {
            Named::Key(key) => quoted(&Value::from(key)),
            Named::Value(value) => value.map_or_else(|| "nothing".into(), quoted),
        };
        return Err(("unknown_ship", format!("no single ship goes by {given}")));
    };
    let name = &ship.name;
    if slot.is_some() {
        return Err((
            "duplicate_ship",
            format!("{name} already has a slot; the first one counts"),
        ));
    }
    let (Some(hour), Some(section)) = (whole(fields.hour), whole(fields.section)) else {
        return Err((
            "bad_number",
            format!("{name} needs a whole berth_hour and a whole section"),
        ));
    };
    if hour.abs() > HOURS || section.abs() > SMALL {
        let text = format!("{name} at hour {hour} on section {section} is out of all range");
        return Err(("out_of_range", text));
    }
    let cranes = match fields.cranes {
        _ if !task.has_cranes() => 0,
        None | Some(Value::Null) => ship.standard_cranes(),
        given => match whole(given) {
            Some(count) if count.abs() <= SMALL => count as i32,
            _ => {
                let text = format!("{name} needs a whole number of cranes, or none given");
                return Err(("bad_cranes", text));
            }
        },
    };
    *slot = Some(Slot {
        hour: hour as i32,
        section: section as i32,
        cranes,
    });
    Ok(())
}

/// What was given, short enough for a message.
fn quoted(value: &Value) -> String {
    const MOST: usize = 60;
    let text = compact(value);
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain(['…']).collect()
}

/// A number without fraction, or a text of one. Saturates, far outside every range.
fn whole(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Number(number) => {
            if let Some(exact) = number.as_i64() {
                // The reference goes through a double and refuses what does not survive it.
                (i128::from(exact) == exact as f64 as i128).then_some(exact.max(-i64::MAX))
            } else if let Some(large) = number.as_u64() {
                (i128::from(large) == large as f64 as i128).then_some(i64::MAX - 1)
            } else {
                let float = number.as_f64()?;
                (float.fract() == 0.0).then_some((float as i64).max(-i64::MAX))
            }
        }
        Value::String(text) => decimal(text.trim()),
        _ => None,
    }
}

/// Digits, perhaps after one minus sign.
fn decimal(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let size = plain.then(|| digits.parse().unwrap_or(i64::MAX))?;
    Some(if digits.len() < text.len() {
        -size
    } else {
        size
    })
}

/// Ship names in small letters, in their order; gathered when the first one is asked for.
#[derive(Default)]
struct Names {
    known: Option<Vec<(String, ShipId)>>,
}

impl Names {
    fn find(&mut self, ship: &Named<'_>, task: &Task) -> Option<ShipId> {
        let text = match *ship {
            Named::Key(key) => key,
            Named::Value(Some(Value::String(text))) => text,
            Named::Value(Some(Value::Number(number))) => {
                return usize::try_from(number.as_u64()?).ok();
            }
            Named::Value(_) => return None,
        };
        let text = text.trim();
        if let Some(id) = decimal(text) {
            return usize::try_from(id).ok();
        }
        if text.is_empty() {
            return None;
        }
        let known = self.known.get_or_insert_with(|| gather(task));
        let text = case::lower(text);
        let first = known.partition_point(|(name, _)| *name < text);
        let mut same = known
            .iter()
            .skip(first)
            .take_while(|(name, _)| *name == text);
        // A name that several ships share names none.
        match (same.next(), same.next()) {
            (Some((_, id)), None) => Some(*id),
            _ => None,
        }
    }
}

fn gather(task: &Task) -> Vec<(String, ShipId)> {
    let names = task.ships.iter().map(|ship| case::lower(&ship.name));
    let mut known: Vec<_> = names.zip(0..).collect();
    order::by(&mut known, Ord::cmp);
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::{Rules, Ship};
    use serde_json::json;

    fn task() -> Task {
        let ship = |id: usize, name: &str| Ship {
            id,
            name: name.into(),
            std_cranes: Some(2),
            ..Ship::default()
        };
        Task {
            ships: vec![ship(0, "Ada"), ship(1, "Bo"), ship(2, "bO")],
            rules: Rules {
                crane_pool: Some(5),
                ..Rules::default()
            },
            ..Task::default()
        }
    }

    fn slots(value: &Value) -> Vec<Option<(i32, i32, i32)>> {
        let reading = read(value, &task()).unwrap();
        let numbers = |slot: Slot| (slot.hour, slot.section, slot.cranes);
        reading.plan.slots.iter().map(|s| s.map(numbers)).collect()
    }

    fn problems(value: &Value) -> Vec<&'static str> {
        let reading = read(value, &task()).unwrap();
        reading.problems.iter().map(|p| p.kind).collect()
    }

    #[test]
    fn every_shape_reads_as_the_same_plan() {
        let expected = [Some((7, 4, 2)), None, None];
        for value in [
            json!([{"ship": 0, "berth_hour": 7, "section": 4, "cranes": 2}]),
            json!([{"name": " ada ", "hour": " 007 ", "section": 4.0, "note": "x"}]),
            json!({"plan": {"Ada": [7, 4]}}),
            json!({"0": {"hour": 7, "section": 4, "ship": 2, "cranes": null}}),
            json!("Here:\n```json\n[{\"id\": 0, \"hour\": 7, \"section\": 4}]\n```\nDone. ```x```"),
        ] {
            assert_eq!(slots(&value), expected, "{value}");
        }
    }

    #[test]
    fn a_present_key_hides_its_alias_even_when_null() {
        let value = json!([{"ship": null, "id": 0, "hour": 1, "section": 1}]);
        assert_eq!(problems(&value), ["unknown_ship"]);
        let value = json!([{"ship": 0, "berth_hour": null, "hour": 1, "section": 1}]);
        assert_eq!(problems(&value), ["bad_number"]);
    }

    #[test]
    fn a_name_two_ships_share_names_neither() {
        let value = json!({"BO": [1, 1], "2": [1, 1], "-0": [2, 2]});
        assert_eq!(problems(&value), ["unknown_ship"]);
        assert_eq!(slots(&value), [Some((2, 2, 2)), None, Some((1, 1, 2))]);
    }

    #[test]
    fn only_a_usable_entry_makes_the_next_one_a_duplicate() {
        let value = json!([
            {"ship": 0, "hour": 0.5, "section": 1},
            {"ship": 0, "hour": 16_801, "section": 1},
            {"ship": 0, "hour": 1, "section": 1, "cranes": true},
            {"ship": 0, "hour": 16_800, "section": -1000, "cranes": -1000},
            {"ship": 0, "hour": "x", "section": 1},
        ]);
        assert_eq!(
            problems(&value),
            ["bad_number", "out_of_range", "bad_cranes", "duplicate_ship"]
        );
        assert_eq!(slots(&value)[0], Some((16_800, -1000, -1000)));
    }

    #[test]
    fn a_whole_float_is_a_fine_hour_and_no_ship() {
        let value = json!([{"ship": 0.0, "hour": 1, "section": 1}]);
        assert_eq!(problems(&value), ["unknown_ship"]);
        let value = json!([{"ship": 0, "hour": -0.0, "section": 1.2e2}]);
        assert_eq!(slots(&value)[0], Some((0, 120, 2)));
    }

    #[test]
    fn enormous_numbers_are_problems_not_panics() {
        let far = |hour: Value| problems(&json!([{"ship": 0, "hour": hour, "section": 1}]));
        assert_eq!(far(json!(i64::MIN)), ["out_of_range"]);
        assert_eq!(far(json!(u64::MAX)), ["bad_number"]);
        assert_eq!(far(json!(9_007_199_254_740_993_i64)), ["bad_number"]);
        assert_eq!(far(json!(-1e300)), ["out_of_range"]);
        assert_eq!(far(json!("-99999999999999999999999")), ["out_of_range"]);
        let huge = json!([{"ship": u64::MAX, "hour": 1, "section": 1}]);
        assert_eq!(problems(&huge), ["unknown_ship"]);
    }

    #[test]
    fn fences_are_taken_as_they_stand() {
        let kind = |text: &str| read(&json!(text), &task()).map_err(|e| e.kind());
        assert!(kind("```json[]```").is_ok());
        assert!(kind("``` \u{a0}\n{}```").is_ok());
        assert!(kind("````[]```").is_err(), "the fourth backtick is content");
        assert!(kind("```JSON\n[]```").is_err(), "another tag is content");
        assert!(kind("```\n[]").is_err(), "an open fence is no fence");
        assert!(
            kind("```json```[]").is_err(),
            "the first fence counts, empty or not"
        );
    }

    #[test]
    fn whole_plans_are_refused_by_kind() {
        let kind = |value: Value| read(&value, &task()).unwrap_err().kind();
        assert_eq!(kind(json!("")), "invalid_json");
        assert_eq!(kind(json!("[".repeat(100_000))), "invalid_json");
        assert_eq!(kind(json!("\"[]\"")), "not_a_plan");
        assert_eq!(kind(json!({"plan": null})), "not_a_plan");
        assert_eq!(kind(json!(vec![json!([]); 40])), "entry_not_object");
        assert_eq!(kind(json!(vec![json!({}); 23])), "too_many_entries");
        assert!(read(&json!(vec![json!({}); 22]), &task()).is_ok());
    }

    #[test]
    fn a_second_key_beside_plan_makes_it_a_ship_name() {
        let value = json!({"plan": [], "note": ""});
        assert_eq!(problems(&value), ["unknown_ship", "unknown_ship"]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let value = json!([{"ship": 0, "berth_hour": 7, "section": 4, "cranes": 9}]);
        let reading = read(&value, &task()).unwrap();
        assert_eq!(reading.plan.to_json(&task()), value);
    }
}
