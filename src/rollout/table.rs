//! A plan as a table, whatever form it was sent in.
//!
//! Knows how plans are written, as `berth::plan` reads them, and no rule of the domain: ships stay
//! as the plan names them. What cannot be laid out is still in the table, as text.

use crate::wire::json::compact;
use serde_json::{Map, Value};

/// Most columns; what an entry has beyond them stands in a last one as JSON.
const COLUMNS: usize = 24;

/// A plan, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanTable {
    /// Headings with units, in plain words.
    pub columns: Vec<String>,
    /// Cells, each row as long as `columns`; null where an entry says nothing.
    pub rows: Vec<Vec<Value>>,
}

/// The fields that plans are known to have, and what they are called in a heading.
const KNOWN: [(&str, &str); 7] = [
    ("ship", "ship"),
    ("name", "name"),
    ("berth_hour", "berthing hour (h from hour 0)"),
    ("hour", "berthing hour (h from hour 0)"),
    ("section", "first section (number)"),
    ("cranes", "cranes (count)"),
    ("start_h", "start (h)"),
];

fn heading(field: &str) -> &str {
    let known = KNOWN.iter().find(|(name, _)| *name == field);
    known.map_or(field, |(_, heading)| heading)
}

/// The table of a plan: a list of entries, or an object with an entry a ship, either of them also
/// as text or wrapped in `{"plan": …}`. No columns where there is no plan.
///
/// ```
/// use quayside::rollout::plan_table;
/// use serde_json::json;
/// let table = plan_table(&json!({"0": [7, 4]}));
/// assert_eq!(table.columns, ["ship", "berthing hour (h from hour 0)", "first section (number)"]);
/// assert_eq!(table.rows, [[json!("0"), json!(7), json!(4)]]);
/// ```
pub fn plan_table(plan: &Value) -> PlanTable {
    let mut plan = super::plan_value(plan);
    if let Some(inside @ Value::Object(_)) = plan.get_mut("plan") {
        plan = inside.take();
    }
    let mut builder = Builder::default();
    match plan {
        Value::Null => {}
        Value::Array(entries) => entries
            .into_iter()
            .for_each(|entry| builder.row(None, entry)),
        Value::Object(ships) => {
            for (ship, entry) in ships {
                builder.row(Some(ship), entry);
            }
        }
        other => builder.row(None, other),
    }
    builder.table()
}

#[derive(Default)]
struct Builder {
    /// Field names, in order of appearance.
    fields: Vec<String>,
    rows: Vec<Vec<Value>>,
    /// What did not fit, row by row.
    rest: Vec<Map<String, Value>>,
}

impl Builder {
    fn row(&mut self, ship: Option<String>, entry: Value) {
        self.rows.push(Vec::new());
        self.rest.push(Map::new());
        if let Some(ship) = ship {
            self.cell("ship", ship.into());
        }
        match entry {
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.cell(&name, value);
                }
            }
            Value::Array(numbers) if matches!(numbers.len(), 2 | 3) => {
                for (name, value) in ["berth_hour", "section", "cranes"].into_iter().zip(numbers) {
                    self.cell(name, value);
                }
            }
            other => self.cell("plan", other),
        }
    }

    fn cell(&mut self, name: &str, value: Value) {
        let place = self.fields.iter().position(|field| field == name);
        let place = place.or_else(|| {
            (self.fields.len() < COLUMNS).then(|| {
                self.fields.push(name.to_owned());
                self.fields.len() - 1
            })
        });
        match (place, self.rows.last_mut(), self.rest.last_mut()) {
            (Some(place), Some(row), _) => {
                if row.len() <= place {
                    row.resize(place + 1, Value::Null);
                }
                if let Some(cell) = row.get_mut(place) {
                    *cell = value;
                }
            }
            (None, _, Some(rest)) => {
                rest.insert(name.to_owned(), value);
            }
            _ => {}
        }
    }

    fn table(self) -> PlanTable {
        let mut columns: Vec<String> = self
            .fields
            .iter()
            .map(|field| heading(field).to_owned())
            .collect();
        let has_rest = self.rest.iter().any(|rest| !rest.is_empty());
        let width = columns.len();
        if has_rest {
            columns.push("other fields".to_owned());
        }
        let rows = self.rows.into_iter().zip(self.rest).map(|(mut row, rest)| {
            row.resize(width, Value::Null);
            if has_rest {
                row.push(if rest.is_empty() {
                    Value::Null
                } else {
                    rest.into()
                });
            }
            row
        });
        PlanTable {
            rows: rows.collect(),
            columns,
        }
    }
}

/// A cell as text: numbers and words as they are, the rest as JSON, nothing for null.
pub(super) fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => compact(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_form_of_a_plan_is_the_same_table() {
        let list = json!([{"ship": "A", "berth_hour": 1, "section": 2}]);
        let expected = plan_table(&list);
        assert_eq!(expected.rows.len(), 1);
        for plan in [
            json!({"plan": list}),
            json!(list.to_string()),
            json!({"A": {"berth_hour": 1, "section": 2}}),
            json!({"A": [1, 2]}),
            json!({"plan": {"A": [1, 2]}}),
        ] {
            assert_eq!(plan_table(&plan), expected, "{plan}");
        }
    }

    #[test]
    fn a_plan_of_a_thousand_fields_keeps_them_in_one_column() {
        let entry: Map<String, Value> = (0..1000).map(|n| (format!("f{n}"), json!(n))).collect();
        let table = plan_table(&json!([entry]));
        assert_eq!(table.columns.len(), 25);
        assert_eq!(table.rows[0][24].as_object().unwrap().len(), 976);
    }
}
