//! Reading a record. Files differ: older ones lack fields, others were written by other loops.
//! What is absent gets its default, what has another form is brought to ours where the meaning is
//! plain, what is unknown is kept in an `extra`, and nothing in a file can stop the page.

use super::{Final, Message, Record, RecordCall, Step, utc_text};
use crate::chat::Usage;
use crate::wire::Millis;
use crate::wire::json::{compact, read};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The text is not JSON.
    #[error(
        "the file is not JSON (line {line}, column {column}). Choose a rollout that was saved as JSON"
    )]
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// JSON, but no rollout.
    #[error(
        "the file is JSON, but no rollout: it has neither messages nor steps. Choose another file"
    )]
    NotRollout,
}

/// The fields of one JSON object. What is not taken is left over as `extra`.
struct Fields(Map<String, Value>);

impl Fields {
    /// The fields of `value`; none when it is no object.
    fn of(value: Value) -> Self {
        match value {
            Value::Object(map) => Self(map),
            _ => Self(Map::new()),
        }
    }
    fn value(&mut self, name: &str) -> Value {
        self.0.shift_remove(name).unwrap_or_default()
    }
    fn text(&mut self, name: &str) -> String {
        text_of(self.value(name))
    }
    fn number(&mut self, name: &str) -> f64 {
        number_of(&self.value(name))
    }
    fn list(&mut self, name: &str) -> Vec<Value> {
        match self.value(name) {
            Value::Array(items) => items,
            _ => Vec::new(),
        }
    }
    fn texts(&mut self, name: &str) -> Vec<String> {
        match self.value(name) {
            Value::Null => Vec::new(),
            Value::Array(items) => items.into_iter().map(text_of).collect(),
            one => vec![text_of(one)],
        }
    }
    fn extra(self) -> Map<String, Value> {
        self.0
    }
}

/// A text, also from a list of content blocks; any other value as JSON.
fn text_of(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(items) => {
            let blocks: Option<Vec<&str>> = items.iter().map(block_text).collect();
            match blocks {
                Some(texts) => texts.join("\n"),
                None => compact(&Value::Array(items)),
            }
        }
        other => compact(&other),
    }
}

fn block_text(block: &Value) -> Option<&str> {
    block.as_str().or_else(|| block.get("text")?.as_str())
}

/// A finite number, also from text; else 0.
fn number_of(value: &Value) -> f64 {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => read(text.trim()).and_then(|number| number.as_f64()),
        Value::Bool(yes) => Some(f64::from(u8::from(*yes))),
        _ => None,
    };
    number.filter(|n| n.is_finite()).unwrap_or_default()
}

fn count_of(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| number_of(value) as u64)
}

fn small_count(value: &Value) -> u32 {
    u32::try_from(count_of(value)).unwrap_or(u32::MAX)
}

impl Message {
    /// A message as a file has it.
    pub fn from_json(value: Value) -> Self {
        let role = value
            .get("role")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !matches!(role, "system" | "user" | "assistant" | "tool") {
            return Self::Other(value);
        }
        let role = role.to_owned();
        let mut fields = Fields::of(value);
        fields.value("role");
        let content = fields.text("content");
        match role.as_str() {
            "system" => Self::System {
                content,
                extra: fields.extra(),
            },
            "user" => Self::User {
                content,
                extra: fields.extra(),
            },
            "assistant" => Self::Assistant {
                content,
                reasoning: fields.text("reasoning"),
                stop: fields.text("stop"),
                tool_calls: fields
                    .list("tool_calls")
                    .into_iter()
                    .map(RecordCall::from_json)
                    .collect(),
                extra: fields.extra(),
            },
            _ => Self::Tool {
                tool_call_id: fields.text("tool_call_id"),
                name: fields.text("name"),
                content,
                extra: fields.extra(),
            },
        }
    }
}

impl RecordCall {
    /// A call as a file has it; name and arguments may lie inside `function`, as chat completions
    /// write them.
    pub fn from_json(value: Value) -> Self {
        let mut fields = Fields::of(value);
        let mut inner = match fields.0.get("function") {
            Some(Value::Object(_)) if !fields.0.contains_key("name") => {
                Fields::of(fields.value("function"))
            }
            _ => Fields(Map::new()),
        };
        if let Some(name) = inner.0.shift_remove("name") {
            fields.0.insert("name".into(), name);
        }
        if let Some(arguments) = inner.0.shift_remove("arguments") {
            fields.0.insert("arguments".into(), arguments);
        }
        Self {
            id: fields.text("id"),
            name: fields.text("name"),
            arguments: match fields.value("arguments") {
                list @ Value::Array(_) => compact(&list),
                other => text_of(other),
            },
            extra: fields.extra(),
        }
    }
}

impl Step {
    /// A step as a file has it; the plan stays in the form it was written in.
    pub fn from_json(value: Value) -> Self {
        let mut fields = Fields::of(value);
        Self {
            turn: small_count(&fields.value("turn")),
            tool: fields.text("tool"),
            plan: fields.value("plan"),
            result: fields.value("result"),
            extra: fields.extra(),
        }
    }
}

impl Final {
    /// What was handed in, as a file has it.
    pub fn from_json(value: Value) -> Self {
        let mut fields = Fields::of(value);
        Self {
            submitted: number_of(&fields.value("submitted")) != 0.0,
            plan: fields.value("plan"),
            grade: fields.value("grade"),
            rubric: fields.0.shift_remove("rubric"),
            extra: fields.extra(),
        }
    }
}

impl Record {
    /// A record from the JSON of a file.
    pub fn from_json(value: &Value) -> Result<Self, RecordError> {
        Self::from_value(value.clone())
    }

    /// The same, without a copy: a file may be large.
    pub fn from_value(value: Value) -> Result<Self, RecordError> {
        let has_list = |name| value.get(name).is_some_and(Value::is_array);
        if !has_list("messages") && !has_list("steps") {
            return Err(RecordError::NotRollout);
        }
        let mut fields = Fields::of(value);
        let mut usage = Fields::of(fields.value("usage"));
        Ok(Self {
            model: fields.text("model"),
            task_id: fields.text("task_id"),
            episode_id: fields.text("episode_id"),
            started: match fields.value("started") {
                Value::Number(seconds) => {
                    let seconds = number_of(&Value::Number(seconds));
                    utc_text(Millis(
                        (seconds.clamp(0.0, 253_402_300_799.0) * 1000.0) as u64,
                    ))
                }
                other => text_of(other),
            },
            messages: fields
                .list("messages")
                .into_iter()
                .map(Message::from_json)
                .collect(),
            steps: fields
                .list("steps")
                .into_iter()
                .map(Step::from_json)
                .collect(),
            last: Final::from_json(fields.value("final")),
            reward: fields.number("reward"),
            usage: Usage {
                input: count_of(&usage.value("input_tokens")),
                output: count_of(&usage.value("output_tokens")),
                ..Usage::default()
            },
            usage_extra: usage.extra(),
            turns: small_count(&fields.value("turns")),
            end_reason: Some(fields.text("end_reason")).filter(|reason| !reason.is_empty()),
            errors: fields.texts("errors"),
            seconds: fields.number("seconds"),
            provider_switches: fields.texts("provider_switches"),
            extra: fields.extra(),
        })
    }

    /// A record from the text of a file.
    pub fn from_text(text: &str) -> Result<Self, RecordError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text).map_err(|error| RecordError::NotJson {
            line: error.line(),
            column: error.column(),
        })?;
        Self::from_value(value)
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(value).map_err(serde::de::Error::custom)
    }
}
