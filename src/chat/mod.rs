//! Words of a conversation with tools: what every provider and every environment can say.
//! Plain data; knows no wire format and no domain.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool as an environment offers it and a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name, unique within the session.
    pub name: String,
    /// What it does, in the environment's words; may be empty.
    #[serde(default)]
    pub description: String,
    /// JSON Schema of the arguments; an absent one is an empty object schema.
    #[serde(default = "empty_schema")]
    pub input_schema: Value,
}

/// The schema of a tool without arguments: `{"type": "object", "properties": {}}`.
pub fn empty_schema() -> Value {
    serde_json::json!({"type": "object", "properties": {}})
}

/// Why the arguments of a call cannot be handed to a tool. The call gets this as its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentsError {
    /// The text is no JSON value.
    #[error("arguments are not valid JSON")]
    NotJson,
    /// The text is JSON, but no object.
    #[error("arguments must be a JSON object")]
    NotObject,
}

/// One tool call, as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The provider's id, or one made by the client.
    pub id: String,
    /// The tool's name as the model wrote it; it may not exist.
    pub name: String,
    /// The arguments, or why they cannot be used.
    pub arguments: Result<Map<String, Value>, ArgumentsError>,
    /// The arguments as text, exactly as they came.
    pub raw: String,
}

impl ToolCall {
    /// A call read from the argument text of a model; empty text means no arguments.
    pub fn from_raw(
        id: impl Into<String>,
        name: impl Into<String>,
        raw: impl Into<String>,
    ) -> Self {
        let raw = raw.into();
        let arguments = match serde_json::from_str(if raw.trim().is_empty() { "{}" } else { &raw })
        {
            Ok(Value::Object(map)) => Ok(map),
            Ok(_) => Err(ArgumentsError::NotObject),
            Err(_) => Err(ArgumentsError::NotJson),
        };
        Self {
            id: id.into(),
            name: name.into(),
            arguments,
            raw,
        }
    }

    /// A call that the output limit cut off. It never runs, whatever its text happens to read as.
    pub fn half_written(
        id: impl Into<String>,
        name: impl Into<String>,
        raw: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: Err(ArgumentsError::NotJson),
            raw: raw.into(),
        }
    }
}

/// Tokens of one model call, or of many added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens, cached ones included.
    #[serde(rename = "input_tokens", default)]
    pub input: u64,
    /// All output tokens, reasoning included.
    #[serde(rename = "output_tokens", default)]
    pub output: u64,
    /// Input tokens read from a cache; part of `input`. Records do not hold it.
    #[serde(skip)]
    pub cache_read: u64,
    /// Input tokens written to a cache; part of `input`. Records do not hold it.
    #[serde(skip)]
    pub cache_write: u64,
}

impl Usage {
    /// Whether the service reported nothing. What such a turn cost is unknown, and not zero.
    pub fn is_unknown(&self) -> bool {
        self.input == 0 && self.output == 0
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }
}

/// What a model said in one turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// The answer text.
    pub text: String,
    /// Reasoning that the service showed, empty when it shows none.
    pub reasoning: String,
    /// Tool calls, in the model's order.
    pub calls: Vec<ToolCall>,
    /// The provider's own word for why the turn ended (`end_turn`, `tool_calls`, `length`, …).
    pub stop: String,
    /// The output limit ended it, whatever the provider's word for that is. Records do not hold it.
    pub cut_off: bool,
    /// Tokens of this turn.
    pub usage: Usage,
}

/// A piece of a turn as it arrives, for display only; the [`Turn`] at the end is what counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// More of the answer text.
    Text(String),
    /// More of the reasoning.
    Reasoning(String),
    /// A tool call began, or went on: its position in the turn, its name once known, more argument text.
    Call {
        /// Position among the turn's calls.
        index: usize,
        /// The tool's name, when this piece carries it.
        name: Option<String>,
        /// More of the argument text.
        arguments: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_no_object_are_told_from_those_that_are_no_json() {
        assert_eq!(
            ToolCall::from_raw("1", "t", "[1]").arguments,
            Err(ArgumentsError::NotObject)
        );
        assert_eq!(
            ToolCall::from_raw("1", "t", "{\"a\": ").arguments,
            Err(ArgumentsError::NotJson)
        );
    }

    #[test]
    fn empty_argument_text_is_a_call_without_arguments() {
        let call = ToolCall::from_raw("1", "t", "");
        assert_eq!(call.arguments, Ok(Map::new()));
        assert_eq!(call.raw, "");
    }
}
