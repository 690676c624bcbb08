//! JSON as text: compact, as the reference loop writes it, and indented.
//!
//! One short writer for the three forms. The page writes all its JSON with it and so carries
//! neither the library's own writer nor its tables for writing numbers.

use serde_json::Value;
use std::borrow::Cow;
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

// Plain texts

/// A value inside a plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain<'a> {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A whole number that is not negative.
    Whole(u64),
    /// A text as it stands between its quotation marks; see [`unescaped`].
    Text(&'a str),
    /// `{}` or `[]`.
    Empty,
}

/// What stands in a path for the item of a list. No name can look like it.
pub const ITEM: &str = "\n";

/// Deepest nesting of a plain text.
const DEEPEST: usize = 8;

/// Takes a value with the names that lead to it; false: this text is not for a quick reader.
pub type Each<'a, 'b> = &'b mut dyn FnMut(&[&'a str], Plain<'a>) -> bool;

/// Reads a plain text in passing, value by value, without building anything: the pieces of a
/// streamed answer come by the ten thousand, and look all the same. Plain is JSON whose lists have
/// at most one item, with whole numbers only, names without escapes, and no text beyond the first
/// plane written as an escape.
///
/// False for any other text, whether JSON or not, and when `each` said so: then [`read`] it, and
/// forget what was handed out. True means that [`read`] finds the same values in it (of a name that
/// is given twice, only the last one).
///
/// ```
/// use quayside::wire::json::{ITEM, Plain, plain};
/// let mut seen = None;
/// let is_plain = plain(r#"{"choices": [{"text": "Hi"}], "usage": null}"#, &mut |path, value| {
///     if path == ["choices", ITEM, "text"] {
///         seen = Some(value);
///     }
///     true
/// });
/// assert!(is_plain);
/// assert_eq!(seen, Some(Plain::Text("Hi")));
/// ```
pub fn plain<'a>(text: &'a str, each: Each<'a, '_>) -> bool {
    let mut reader = Reader {
        text,
        at: 0,
        path: [""; DEEPEST],
    };
    reader.value(0, each).is_some() && {
        reader.blanks();
        reader.at == text.len()
    }
}

/// The characters of a plain text.
pub fn unescaped(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('\\');
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    out.push_str(first);
    while let Some(part) = parts.next() {
        let mut rest = part.chars();
        match rest.next() {
            // Two backslashes in a row; what follows them is as it is.
            None => {
                out.push('\\');
                out.push_str(parts.next().unwrap_or_default());
                continue;
            }
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let digits = part.get(1..5).unwrap_or_default();
                let code = u32::from_str_radix(digits, 16).unwrap_or_default();
                out.push(char::from_u32(code).unwrap_or_default());
                rest = part.get(5..).unwrap_or_default().chars();
            }
            Some(sign) => out.push(sign),
        }
        out.push_str(rest.as_str());
    }
    Cow::Owned(out)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    path: [&'a str; DEEPEST],
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// Passes a byte, and blanks before it.
    fn pass(&mut self, byte: u8) -> bool {
        self.blanks();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        self.at += word.len();
        rest.starts_with(word).then_some(())
    }

    /// Reads a value at `depth`, the blanks before it included.
    fn value(&mut self, depth: usize, each: Each<'a, '_>) -> Option<()> {
        self.blanks();
        let value = match self.peek()? {
            b'"' => Plain::Text(self.string()?),
            b'{' => {
                self.at += 1;
                if !self.pass(b'}') {
                    return self.members(depth, each);
                }
                Plain::Empty
            }
            b'[' => {
                self.at += 1;
                if !self.pass(b']') {
                    *self.path.get_mut(depth)? = ITEM;
                    self.value(depth + 1, each)?;
                    return self.pass(b']').then_some(());
                }
                Plain::Empty
            }
            b'n' => {
                self.word("null")?;
                Plain::Null
            }
            b't' => {
                self.word("true")?;
                Plain::Bool(true)
            }
            b'f' => {
                self.word("false")?;
                Plain::Bool(false)
            }
            _ => Plain::Whole(self.whole()?),
        };
        each(self.path.get(..depth)?, value).then_some(())
    }

    fn members(&mut self, depth: usize, each: Each<'a, '_>) -> Option<()> {
        loop {
            self.blanks();
            let name = self.string().filter(|name| !name.contains('\\'))?;
            *self.path.get_mut(depth)? = name;
            if !self.pass(b':') {
                return None;
            }
            self.value(depth + 1, each)?;
            if !self.pass(b',') {
                return self.pass(b'}').then_some(());
            }
        }
    }

    fn whole(&mut self) -> Option<u64> {
        let from = self.at;
        let mut number = 0_u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.checked_mul(10)?.checked_add((digit - b'0').into())?;
            self.at += 1;
        }
        let digits = self.text.as_bytes().get(from..self.at)?;
        let is_plain = !matches!(digits, [] | [b'0', _, ..]);
        (is_plain && !matches!(self.peek(), Some(b'.' | b'e' | b'E'))).then_some(number)
    }

    /// A text, from one quotation mark to the other.
    fn string(&mut self) -> Option<&'a str> {
        if self.peek() != Some(b'"') {
            return None;
        }
        self.at += 1;
        let from = self.at;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            self.at += rest
                .iter()
                .position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
            match self.peek()? {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
        let text = self.text.get(from..self.at);
        self.at += 1;
        text
    }

    fn escape(&mut self) -> Option<()> {
        self.at += 2;
        match self.text.as_bytes().get(self.at - 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(()),
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4)?;
                self.at += 4;
                let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let code = u32::from_str_radix(digits, 16).ok()?;
                (is_hex && !(0xD800..0xE000).contains(&code)).then_some(())
            }
            _ => None,
        }
    }
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

    /// All values of `value`, as [`plain`] hands them out.
    fn values(value: &Value, path: &mut Vec<String>, out: &mut Vec<(Vec<String>, Value)>) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                for (name, value) in map {
                    path.push(name.clone());
                    values(value, path, out);
                    path.pop();
                }
            }
            Value::Array(items) if !items.is_empty() => {
                for item in items {
                    path.push(ITEM.to_owned());
                    values(item, path, out);
                    path.pop();
                }
            }
            value => out.push((path.clone(), value.clone())),
        }
    }

    fn plainly(text: &str) -> Option<Vec<(Vec<String>, Value)>> {
        let mut out = Vec::new();
        let is_plain = plain(text, &mut |path, value| {
            let value = match value {
                Plain::Null => Value::Null,
                Plain::Bool(yes) => yes.into(),
                Plain::Whole(number) => number.into(),
                Plain::Text(text) => unescaped(text).into(),
                Plain::Empty => json!("empty"),
            };
            out.push((path.iter().map(|name| (*name).to_owned()).collect(), value));
            true
        });
        is_plain.then_some(out)
    }

    fn fully(text: &str) -> Option<Vec<(Vec<String>, Value)>> {
        let mut out = Vec::new();
        values(&read(text)?, &mut Vec::new(), &mut out);
        for (_, value) in &mut out {
            if matches!(value, Value::Object(_) | Value::Array(_)) {
                *value = json!("empty");
            }
        }
        Some(out)
    }

    #[test]
    fn a_plain_text_is_read_in_passing() {
        for text in [
            r#"{"a": [{"b": "x\ny\u00e9\\\"\/"}], "c": null, "d": [], "e": {}, "f": 17, "g": true}"#,
            "\t[ false ]\r\n",
            "\"\\\\\\\\n\\\\\"",
            "0",
        ] {
            assert_eq!(plainly(text).unwrap(), fully(text).unwrap(), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_full_reader() {
        for text in [
            "[1, 2]",
            "-1",
            "1.5",
            "1e3",
            "01",
            r#""\ud83d\udea2""#,
            r#"{"\u0061": 1}"#,
            "[[[[[[[[[[]]]]]]]]]]",
            "",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1 \"b\":2}",
            "nul",
            "nulll",
            "\"a",
            "\"\u{1}\"",
            "\"\\x\"",
            "\"\\u00e\"",
            "\"\\u+0e9\"",
            "[1",
            "18446744073709551616",
            "1 1",
        ] {
            assert_eq!(plainly(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn a_text_read_in_passing_holds_what_the_full_reader_finds(
            pieces in proptest::collection::vec(
                r#"[\[\]{}:, ]|"[a-c]"|"\\\\[u"\\/bnx]00e9?"|"[⚓é]"|null|true|-?[0-2]{1,2}|"c":|\{"a":\[|\}|\]"#,
                0..12,
            )
        ) {
            let text = pieces.concat();
            if let Some(values) = plainly(&text) {
                let mut names: Vec<_> = values.iter().map(|(path, _)| path.clone()).collect();
                names.sort();
                names.dedup();
                let full = fully(&text);
                proptest::prop_assert!(full.is_some(), "{}", text);
                // Names that are given twice are the one difference.
                if full.as_ref().is_some_and(|full| full.len() == values.len()) && names.len() == values.len() {
                    proptest::prop_assert_eq!(Some(values), full);
                }
            }
        }
    }
}
