//! What a model is told first, taken from whatever an environment says at the reset.

use crate::wire::json::indented;
use serde_json::{Map, Value};

/// The texts an episode opens with, as far as the environment gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// For the system prompt.
    pub instructions: Option<String>,
    /// For the first message of the user.
    pub situation: Option<String>,
}

/// Names under which environments hand out what the task is, the usual one first.
const SITUATION: &[&str] = &[
    "situation",
    "task_description",
    "prompt",
    "question",
    "problem",
    "goal",
];
/// The same for instructions.
const INSTRUCTIONS: &[&str] = &["instructions", "system_prompt", "rules"];

/// Looks in the metadata, then in the observation's other fields. When nothing there has a name
/// that says it is the situation, all texts of the observation are, one paragraph each.
pub fn opening(metadata: &Map<String, Value>, observation: &Map<String, Value>) -> Opening {
    let named = |names: &[&str]| {
        [metadata, observation]
            .iter()
            .find_map(|map| names.iter().find_map(|name| text(map.get(*name)?)))
    };
    let texts = || {
        let all: Vec<String> = observation
            .iter()
            .filter(|(name, _)| !INSTRUCTIONS.contains(&name.as_str()))
            .filter_map(|(name, value)| match value {
                Value::String(text) if !text.trim().is_empty() => Some(format!("{name}: {text}")),
                _ => None,
            })
            .collect();
        match all.as_slice() {
            [] => None,
            // Alone, its name says nothing.
            [only] => only.split_once(": ").map(|(_, text)| text.to_owned()),
            _ => Some(all.join("\n\n")),
        }
    };
    Opening {
        instructions: named(INSTRUCTIONS),
        situation: named(SITUATION).or_else(texts),
    }
}

/// A text as it is, anything with content as JSON.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (!text.trim().is_empty()).then(|| text.clone()),
        Value::Object(map) if !map.is_empty() => Some(indented(value)),
        Value::Array(list) if !list.is_empty() => Some(indented(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(metadata: &Value, observation: &Value) -> (Option<String>, Option<String>) {
        let map = |value: &Value| value.as_object().cloned().unwrap();
        let Opening {
            instructions,
            situation,
        } = opening(&map(metadata), &map(observation));
        (instructions, situation)
    }

    #[test]
    fn metadata_comes_before_the_observation() {
        let both = json!({"instructions": "plan", "situation": "a quay"});
        let other = json!({"instructions": "x", "situation": "y", "text": "z"});
        assert_eq!(
            of(&both, &other),
            (Some("plan".into()), Some("a quay".into()))
        );
        assert_eq!(of(&json!({}), &other), (Some("x".into()), Some("y".into())));
        let empty = json!({"instructions": " ", "situation": ""});
        assert_eq!(of(&empty, &other), (Some("x".into()), Some("y".into())));
    }

    #[test]
    fn other_texts_stand_in_for_the_situation() {
        let board = json!({"board": "x-o", "turn": 3, "instructions": "win"});
        assert_eq!(
            of(&json!({}), &board),
            (Some("win".into()), Some("x-o".into()))
        );
        let two = json!({"board": "x-o", "legal": "1: 2"});
        assert_eq!(
            of(&json!({}), &two),
            (None, Some("board: x-o\n\nlegal: 1: 2".into()))
        );
        assert_eq!(of(&json!({}), &json!({"turn": 3})), (None, None));
    }

    #[test]
    fn a_situation_that_is_data_is_shown_as_json() {
        let (_, situation) = of(&json!({"situation": {"quay": 5}}), &json!({}));
        assert_eq!(situation.unwrap(), "{\n  \"quay\": 5\n}");
    }
}
