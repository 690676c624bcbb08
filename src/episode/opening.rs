//! The first words of the conversation: what the environment gave, and the loop's request.

use super::words::Words;
use crate::env;
use serde_json::{Map, Value};

/// The system prompt and the first user message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    /// System prompt.
    pub(super) system: String,
    /// First user message: the situation, as far as there is one, and the request.
    pub(super) user: String,
}

/// The environment's instructions, else the person's own; `None` when there are neither.
pub(super) fn read(
    metadata: &Map<String, Value>,
    observation: &Map<String, Value>,
    fallback: Option<&str>,
    words: Words,
) -> Option<Opening> {
    let given = env::opening(metadata, observation);
    let fallback = fallback.filter(|text| !text.trim().is_empty());
    let system = given.instructions.or_else(|| fallback.map(str::to_owned))?;
    let user = match given.situation {
        Some(situation) => format!("{situation}\n\n{}", words.opening()),
        None => words.opening().to_owned(),
    };
    Some(Opening { system, user })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_situation_is_followed_by_the_request() {
        let metadata = fields(&json!({"instructions": "Rules.", "situation": "Ships."}));
        let opening = read(&metadata, &Map::new(), Some("Mine."), Words::Plans).unwrap();
        assert_eq!(opening.system, "Rules.");
        assert_eq!(
            opening.user,
            format!("Ships.\n\n{}", Words::Plans.opening())
        );
    }

    #[test]
    fn without_a_situation_the_request_stands_alone() {
        let opening = read(&Map::new(), &Map::new(), Some("Mine."), Words::General).unwrap();
        assert_eq!(opening.system, "Mine.");
        assert_eq!(opening.user, Words::General.opening());
    }

    #[test]
    fn without_instructions_and_without_a_prompt_there_is_no_opening() {
        let metadata = fields(&json!({"instructions": " ", "situation": "Ships."}));
        assert_eq!(read(&metadata, &Map::new(), None, Words::Plans), None);
        assert_eq!(read(&metadata, &Map::new(), Some("  "), Words::Plans), None);
    }
}
