//! What the loop and the tools say to the planner, as facts. Other servers word their answers
//! differently, so only what is understood counts and everything is optional.

use crate::case;
use crate::wire::json::compact;
use serde_json::Value;

/// A tool's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Verdict {
    /// Whether the plan stands, entry problems included.
    pub(super) feasible: bool,
    /// Total cost.
    pub(super) cost: Option<i64>,
    /// ( ship, kind ), the kind empty when the server names none.
    pub(super) violations: Vec<(Named, String)>,
    /// Entries the server could not use.
    pub(super) entry_problems: usize,
    /// Why nothing was checked.
    pub(super) error: Option<String>,
    /// Checks after this one.
    pub(super) checks_left: Option<u32>,
    /// The episode is over.
    pub(super) submitted: bool,
}

/// A ship as a server names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Id(usize),
    Name(String),
}

/// Reads a tool's answer: the first JSON value in it; lines after that are the loop's.
pub(super) fn read(text: &str) -> Verdict {
    let first = serde_json::Deserializer::from_str(text)
        .into_iter::<Value>()
        .next();
    let Some(Ok(answer @ Value::Object(_))) = first else {
        let error = text.lines().next().unwrap_or_default();
        return Verdict {
            error: Some(error.to_owned()),
            ..Verdict::default()
        };
    };
    let list = |key: &str| answer.get(key).and_then(Value::as_array);
    let flag = |key: &str| answer.get(key).and_then(Value::as_bool).unwrap_or(false);
    let violations = list("violations").into_iter().flatten();
    Verdict {
        feasible: flag("feasible"),
        cost: answer.get("cost").and_then(Value::as_i64),
        violations: violations.filter_map(violation).collect(),
        entry_problems: list("entry_problems").map_or(0, Vec::len),
        error: answer.get("error").map(|error| match error.as_str() {
            Some(text) => text.to_owned(),
            None => compact(error),
        }),
        checks_left: answer
            .get("checks_left")
            .and_then(Value::as_u64)
            .and_then(|left| u32::try_from(left).ok()),
        submitted: flag("submitted"),
    }
}

fn violation(value: &Value) -> Option<(Named, String)> {
    let ship = match value.get("ship")? {
        Value::Number(number) => Named::Id(usize::try_from(number.as_u64()?).ok()?),
        Value::String(text) => match text.trim().parse() {
            Ok(id) => Named::Id(id),
            Err(_) => Named::Name(text.trim().to_owned()),
        },
        _ => return None,
    };
    let kind = value
        .get("kind")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Some((ship, kind.to_owned()))
}

/// The number before `word` or its plural in a text, such as 3 in `[3 turns left]` for `turn`.
pub(super) fn number_before(text: &str, word: &str) -> Option<u32> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|part| !part.is_empty())
        .collect();
    words.windows(2).rev().find_map(|pair| match pair {
        [number, noun] if case::lower(noun).trim_end_matches('s') == word => number.parse().ok(),
        _ => None,
    })
}

/// Turns left as the last line of a tool result says, if it does.
pub(super) fn turns_left(text: &str) -> Option<u32> {
    let last = text.trim_end().lines().last()?;
    let is_note = !last.trim_start().starts_with(['{', '"']);
    is_note.then(|| number_before(last, "turn")).flatten()
}

/// Whether a note of the loop says that this turn is the last.
pub(super) fn is_last_turn(text: &str) -> bool {
    let text = case::lower(text);
    [
        "no turns are left",
        "no turn is left",
        "last turn",
        "final turn",
        "submit now",
    ]
    .iter()
    .any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_with_the_line_the_loop_adds() {
        let text = "{\"feasible\": false, \"violations\": [{\"ship\": 4, \"kind\": \"crane_pool\"},\
            {\"ship\": \"ARC\", \"problem\": \"x\"}], \"cost\": null, \"checks_left\": 9}\n[3 turns left]";
        let verdict = read(text);
        assert!(!verdict.feasible);
        assert_eq!(verdict.checks_left, Some(9));
        let named = (Named::Name("ARC".to_owned()), String::new());
        assert_eq!(
            verdict.violations,
            [(Named::Id(4), "crane_pool".to_owned()), named]
        );
        assert_eq!(turns_left(text), Some(3));
    }

    #[test]
    fn words_instead_of_an_answer_are_an_error() {
        assert_eq!(
            read("no such tool\n[1 turn left]").error.as_deref(),
            Some("no such tool")
        );
        assert_eq!(
            read("{\"error\": \"used up\"}").error.as_deref(),
            Some("used up")
        );
        assert_eq!(read("").error.as_deref(), Some(""));
    }

    #[test]
    fn turns_are_counted_in_several_wordings() {
        assert_eq!(turns_left("{}\n[1 turn left]"), Some(1));
        assert_eq!(turns_left("{}\n\n(12 turns remain.)"), Some(12));
        assert_eq!(turns_left("{\"turn\": 3}"), None);
        assert_eq!(number_before("You have 10 checks; more", "check"), Some(10));
        assert_eq!(number_before("2. check_plan(plan)", "check"), None);
        assert!(is_last_turn("No turns are left after this one."));
    }
}
