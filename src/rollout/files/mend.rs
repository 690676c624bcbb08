//! What Python writes and JSON does not know: `NaN`, `Infinity`, `-Infinity` (they become null),
//! and halves of surrogate pairs, `\ud83d` alone (they become U+FFFD). The reference's files are
//! written by Python, so a reward that is no number must not keep a rollout from being opened.

/// The text with these replaced; none where there is nothing to replace.
pub(super) fn mended(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    let mut within = false;
    while let Some(rest) = text.as_bytes().get(at..)
        && let Some(found) = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | b'N' | b'I' | b'-'))
    {
        at += found;
        let rest = text.get(at..).unwrap_or_default();
        let (length, instead) = match rest.as_bytes() {
            [b'"', ..] => {
                within = !within;
                (1, None)
            }
            [b'\\', ..] if within => escape(rest),
            _ if within => (1, None),
            _ => word(rest),
        };
        if let Some(instead) = instead {
            out.push_str(text.get(done..at).unwrap_or_default());
            out.push_str(instead);
            done = at + length;
        }
        at += length;
    }
    if done == 0 {
        return None;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// A word outside of texts: its length, and what stands for it.
fn word(rest: &str) -> (usize, Option<&'static str>) {
    for word in ["NaN", "Infinity", "-Infinity"] {
        if rest.starts_with(word) {
            return (word.len(), Some("null"));
        }
    }
    (1, None)
}

/// An escape inside a text: its length, and what stands for it.
fn escape(rest: &str) -> (usize, Option<&'static str>) {
    match unit(rest) {
        Some(0xD800..0xDC00) => match rest.get(6..).and_then(unit) {
            Some(0xDC00..0xE000) => (12, None),
            _ => (6, Some("\\ufffd")),
        },
        Some(0xDC00..0xE000) => (6, Some("\\ufffd")),
        // Whatever is escaped is not looked at: it may be a quotation mark. A longer character
        // has no byte that is looked for.
        _ => (2, None),
    }
}

/// The unit that `\uXXXX` at the start of `rest` stands for.
fn unit(rest: &str) -> Option<u32> {
    let digits = rest.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn what_python_writes_beyond_json_is_replaced() {
        for (text, expected) in [
            (
                r#"{"a": NaN, "b": [-Infinity, Infinity]}"#,
                r#"{"a": null, "b": [null, null]}"#,
            ),
            (r#""\ud83d""#, r#""\ufffd""#),
            (
                r#""\ud83d\ud83d\udea2\udea2""#,
                r#""\ufffd\ud83d\udea2\ufffd""#,
            ),
            (r#"["NaN", NaN]"#, r#"["NaN", null]"#),
            (r#"["\"NaN", NaN]"#, r#"["\"NaN", null]"#),
        ] {
            assert_eq!(mended(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn what_is_fine_is_left_alone() {
        for text in [
            "",
            "{}",
            r#""NaN \\ \" \ud83d\udea2 -Infinity""#,
            "-1",
            r#""\"#,
            r#""\é"#,
        ] {
            assert_eq!(mended(text), None, "{text}");
        }
    }
}
