//! A plan as a table, whatever form it was sent in; and that table as CSV.
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

/// The plan as CSV after RFC 4180: a line of headings, a line an entry, each ended by CR LF; UTF-8
/// without a mark. A text that a spreadsheet would take for a formula gets a `'` in front; numbers
/// stay numbers. Empty where there is no plan.
///
/// ```
/// use quayside::rollout::plan_csv;
/// use serde_json::json;
/// let csv = plan_csv(&json!([{"ship": "=A1", "section": -4}]));
/// assert_eq!(csv, "ship,first section (number)\r\n'=A1,-4\r\n");
/// ```
pub fn plan_csv(plan: &Value) -> String {
    let table = plan_table(plan);
    let mut out = String::new();
    if table.columns.is_empty() {
        return out;
    }
    line(
        table.columns.iter().map(|heading| harmless(heading)),
        &mut out,
    );
    for row in &table.rows {
        let cells = row.iter().map(|cell| match cell {
            Value::Number(_) => cell_text(cell),
            other => harmless(&cell_text(other)),
        });
        line(cells, &mut out);
    }
    out
}

/// With a `'` in front if a spreadsheet would reckon with it: it starts, maybe after blanks, with a
/// sign of a formula, or it starts with a tab or a line end.
fn harmless(text: &str) -> String {
    let is_formula = text
        .trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if is_formula || text.starts_with(['\t', '\r', '\n']) {
        return format!("'{text}");
    }
    text.to_owned()
}

fn line(cells: impl Iterator<Item = String>, out: &mut String) {
    for (place, cell) in cells.enumerate() {
        if place > 0 {
            out.push(',');
        }
        if cell.contains([',', '"', '\r', '\n']) || cell.trim() != cell {
            out.push('"');
            out.push_str(&cell.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&cell);
        }
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::tests::any_json;
    use proptest::prelude::*;
    use serde_json::json;

    /// A reader of RFC 4180, written from the standard's grammar.
    fn read(csv: &str) -> Vec<Vec<String>> {
        let mut rows = vec![vec![String::new()]];
        let mut signs = csv.chars().peekable();
        let mut quoted = false;
        while let Some(sign) = signs.next() {
            let row = rows.last_mut().unwrap();
            match sign {
                '"' if quoted && signs.peek() == Some(&'"') => {
                    signs.next();
                    row.last_mut().unwrap().push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(String::new()),
                '\r' if !quoted => {
                    assert_eq!(signs.next(), Some('\n'));
                    rows.push(vec![String::new()]);
                }
                other => row.last_mut().unwrap().push(other),
            }
        }
        assert_eq!(
            rows.pop(),
            Some(vec![String::new()]),
            "it ends with a line end"
        );
        rows
    }

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
    fn entries_that_differ_share_one_heading() {
        let plan = json!([{"ship": 0, "hour": 1}, 7, {"note": {"a": 1}, "ship": 1}, "x"]);
        assert_eq!(
            plan_csv(&plan),
            "ship,berthing hour (h from hour 0),plan,note\r\n0,1,,\r\n,,7,\r\n1,,,\"{\"\"a\"\":1}\"\r\n,,x,\r\n"
        );
    }

    #[test]
    fn no_plan_is_no_table_and_a_text_is_one_cell() {
        assert_eq!(plan_csv(&Value::Null), "");
        assert_eq!(plan_csv(&json!([])), "");
        assert_eq!(
            plan_csv(&json!("later, maybe")),
            "plan\r\n\"later, maybe\"\r\n"
        );
    }

    #[test]
    fn a_plan_of_a_thousand_fields_keeps_them_in_one_column() {
        let entry: Map<String, Value> = (0..1000).map(|n| (format!("f{n}"), json!(n))).collect();
        let table = plan_table(&json!([entry]));
        assert_eq!(table.columns.len(), 25);
        assert_eq!(table.rows[0][24].as_object().unwrap().len(), 976);
    }

    #[test]
    fn formulas_are_texts_and_negative_numbers_are_numbers() {
        let plan = json!([{"=a": "=1", "b": "+1", "c": "-1", "d": "@x", "e": "\t=1", "f": "＝1", "g": " =1", "h": -1, "i": -1.5, "j": "\r=1", "k": "a=1"}]);
        assert_eq!(
            read(&plan_csv(&plan))[1],
            [
                "'=1", "'+1", "'-1", "'@x", "'\t=1", "'＝1", "' =1", "-1", "-1.5", "'\r=1", "a=1"
            ]
        );
        assert_eq!(read(&plan_csv(&plan))[0][0], "'=a");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_plan_is_csv_whose_cells_are_those_of_the_table(plan in any_json()) {
            let table = plan_table(&plan);
            let csv = plan_csv(&plan);
            if table.columns.is_empty() {
                prop_assert_eq!(csv, "");
                return Ok(());
            }
            let rows = read(&csv);
            prop_assert_eq!(rows.len(), table.rows.len() + 1);
            for (row, cells) in rows[1..].iter().zip(&table.rows) {
                let texts: Vec<String> = cells.iter().map(cell_text).collect();
                let plain: Vec<&str> = row.iter().map(|cell| cell.strip_prefix('\'').unwrap_or(cell)).collect();
                prop_assert_eq!(plain, texts);
                prop_assert_eq!(row.len(), table.columns.len());
                for (text, cell) in row.iter().zip(cells) {
                    let starts = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
                    prop_assert!(!starts || cell.is_number());
                }
            }
        }
    }
}
