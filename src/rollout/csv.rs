//! A plan for a spreadsheet.

use super::table::{cell_text, plan_table};
use serde_json::Value;

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
