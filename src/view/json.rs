//! JSON of strangers, set for reading: short values stay on one line, long ones are broken up, and
//! text that is no JSON is shown as it came.

use crate::wire::json::{compact, quoted};
use serde_json::Value;

/// How long a value on one line may be.
const WIDTH: usize = 84;

/// Sets a text for reading.
pub fn pretty(raw: &str) -> String {
    serde_json::from_str(raw).map_or_else(|_| raw.to_owned(), |value| pretty_value(&value))
}

/// Sets a value for reading.
pub fn pretty_value(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

fn write(value: &Value, indent: usize, out: &mut String) {
    let line = spaced(value);
    if line.len() + indent <= WIDTH {
        out.push_str(&line);
        return;
    }
    match value {
        Value::Array(items) => {
            let parts = items.iter().map(|item| (String::new(), item));
            broken('[', ']', parts, indent, out);
        }
        Value::Object(map) => {
            let parts = map
                .iter()
                .map(|(key, item)| (format!("{}: ", quoted(key)), item));
            broken('{', '}', parts, indent, out);
        }
        _ => out.push_str(&line),
    }
}

fn broken<'a>(
    open: char,
    close: char,
    parts: impl Iterator<Item = (String, &'a Value)>,
    indent: usize,
    out: &mut String,
) {
    out.push(open);
    for (position, (key, item)) in parts.enumerate() {
        out.push_str(if position == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + 2));
        out.push_str(&key);
        write(item, indent + 2, out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

/// On one line, with a space after each colon and comma.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let parts: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Object(map) => {
            let parts: Vec<String> = map
                .iter()
                .map(|(key, item)| format!("{}: {}", quoted(key), spaced(item)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        other => compact(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_plan_stand_one_to_a_line() {
        let entry = r#"{"ship":0,"berth_hour":12,"section":4,"cranes":2}"#;
        let raw = format!("{{\"plan\":[{entry},{entry}]}}");
        assert_eq!(
            pretty(&raw),
            "{\n  \"plan\": [\n    {\"ship\": 0, \"berth_hour\": 12, \"section\": 4, \"cranes\": 2},\n    \
             {\"ship\": 0, \"berth_hour\": 12, \"section\": 4, \"cranes\": 2}\n  ]\n}"
        );
    }

    #[test]
    fn what_is_no_json_stays_as_it_came() {
        assert_eq!(pretty("{\"plan\": "), "{\"plan\": ");
    }

    #[test]
    fn deep_nesting_is_refused_by_the_reader_and_shown_raw() {
        let hostile = "[".repeat(100_000);
        assert_eq!(pretty(&hostile), hostile);
    }
}
