//! JSON as text: compact, as the reference loop writes it, and indented.
//!
//! One short writer for the three forms. The page writes all its JSON with it and so carries
//! neither the library's own writer nor its tables for writing numbers.

use serde_json::Value;
use std::fmt::Write;

/// How a text is laid out.
#[derive(Clone, Copy)]
enum Form {
    Compact,
    Spaced,
    Indented(usize),
}

/// Reads a text; none where it is no JSON. The page reads all JSON as values, in this one way.
pub fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// Without blanks.
pub fn compact(value: &Value) -> String {
    let mut out = String::new();
    write(value, Form::Compact, &mut out);
    out
}

/// One line with a blank after each comma and colon, and everything beyond ASCII escaped: what
/// Python's `json.dumps` gives. Records are compared text by text, so the blanks count.
///
/// ```
/// use serde_json::json;
/// let value = json!({"error": "Köln", "at": [1, 2]});
/// assert_eq!(quayside::wire::json::spaced(&value), r#"{"error": "K\u00f6ln", "at": [1, 2]}"#);
/// ```
pub fn spaced(value: &Value) -> String {
    let mut out = String::new();
    write(value, Form::Spaced, &mut out);
    out
}

/// Each item on a line of its own, two blanks deeper than what it is in.
pub fn indented(value: &Value) -> String {
    let mut out = String::new();
    write(value, Form::Indented(0), &mut out);
    out
}

/// `{"error": message}`: how a model reads every failure.
pub fn error_text(message: &str) -> String {
    spaced(&serde_json::json!({ "error": message }))
}

/// A text in quotation marks.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_text(text, Form::Compact, &mut out);
    out
}

fn write(value: &Value, form: Form, out: &mut String) {
    // Writing into memory cannot fail.
    let _ = match value {
        Value::Null => out.write_str("null"),
        Value::Bool(yes) => write!(out, "{yes}"),
        Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(whole), ..) => write!(out, "{whole}"),
            (_, Some(whole), _) => write!(out, "{whole}"),
            (.., number) => {
                let before = out.len();
                let written = write!(out, "{}", number.unwrap_or_default());
                // With a point, so that it is read as what it was.
                if !out.get(before..).unwrap_or_default().contains('.') {
                    out.push_str(".0");
                }
                written
            }
        },
        Value::String(text) => {
            write_text(text, form, out);
            Ok(())
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| (None, item));
            write_items(['[', ']'], &mut items.into_iter(), form, out);
            Ok(())
        }
        Value::Object(map) => {
            let items = map.iter().map(|(key, item)| (Some(key.as_str()), item));
            write_items(['{', '}'], &mut items.into_iter(), form, out);
            Ok(())
        }
    };
}

type Items<'a, 'b> = &'b mut dyn Iterator<Item = (Option<&'a str>, &'a Value)>;

fn write_items([open, close]: [char; 2], items: Items<'_, '_>, form: Form, out: &mut String) {
    let inner = match form {
        Form::Indented(indent) => Form::Indented(indent + 2),
        form => form,
    };
    let line = |form: Form, out: &mut String| {
        if let Form::Indented(indent) = form {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
        }
    };
    out.push(open);
    let mut empty = true;
    for (key, item) in items {
        if !empty {
            out.push_str(match form {
                Form::Spaced => ", ",
                _ => ",",
            });
        }
        empty = false;
        line(inner, out);
        if let Some(key) = key {
            write_text(key, form, out);
            out.push_str(match form {
                Form::Compact => ":",
                _ => ": ",
            });
        }
        write(item, inner, out);
    }
    if !empty {
        line(form, out);
    }
    out.push(close);
}

fn write_text(text: &str, form: Form, out: &mut String) {
    out.push('"');
    let mut units = [0_u16; 2];
    for sign in text.chars() {
        match sign {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ if sign < ' ' || matches!(form, Form::Spaced) && !sign.is_ascii() => {
                for unit in sign.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            _ => out.push(sign),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value() -> Value {
        json!({
            "a": [], "b": {}, "c": [{"d": "⚓🚢\n\"\u{1}\u{7f}"}], "e": null, "f": [true, -1, u64::MAX],
            "g": [0.5, 1.0, 0.001, -0.0, 123_456_789.125],
        })
    }

    #[test]
    fn nested_values_empty_ones_and_characters_beyond_the_first_plane() {
        let value = json!({"a": [], "b": {}, "c": [{"d": "⚓🚢\n\""}], "e": null});
        let text = spaced(&value);
        assert_eq!(
            text,
            r#"{"a": [], "b": {}, "c": [{"d": "\u2693\ud83d\udea2\n\""}], "e": null}"#
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn it_writes_what_the_library_writes() {
        assert_eq!(compact(&value()), value().to_string());
        assert_eq!(indented(&value()), format!("{:#}", value()));
        assert_eq!(quoted("a\"ö"), json!("a\"ö").to_string());
    }
}
