//! Writing a record: known fields in the order of the reference's files, then everything else.

use super::{Final, Message, Record, RecordCall, Step};
use crate::wire::json::indented;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// The known fields, then those of `extra` that are not among them.
fn object(known: Value, extra: &Map<String, Value>) -> Value {
    let Value::Object(mut map) = known else {
        return known;
    };
    for (name, value) in extra {
        if !map.contains_key(name) {
            map.insert(name.clone(), value.clone());
        }
    }
    Value::Object(map)
}

fn list<T>(items: &[T], to_json: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(to_json).collect())
}

/// JSON knows neither infinity nor "not a number".
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { 0.0 }
}

impl Message {
    /// The message as a file has it.
    pub fn to_json(&self) -> Value {
        match self {
            Self::System { content, extra } => {
                object(json!({"role": "system", "content": content}), extra)
            }
            Self::User { content, extra } => {
                object(json!({"role": "user", "content": content}), extra)
            }
            Self::Assistant {
                content,
                reasoning,
                stop,
                tool_calls,
                extra,
            } => object(
                json!({
                    "role": "assistant", "content": content, "reasoning": reasoning,
                    "stop": stop, "tool_calls": list(tool_calls, RecordCall::to_json),
                }),
                extra,
            ),
            Self::Tool {
                tool_call_id,
                name,
                content,
                extra,
            } => object(
                json!({"role": "tool", "tool_call_id": tool_call_id, "name": name, "content": content}),
                extra,
            ),
            Self::Other(value) => value.clone(),
        }
    }
}

impl RecordCall {
    /// The call as a file has it.
    pub fn to_json(&self) -> Value {
        object(
            json!({"id": self.id, "name": self.name, "arguments": self.arguments}),
            &self.extra,
        )
    }
}

impl Step {
    /// The step as a file has it.
    pub fn to_json(&self) -> Value {
        object(
            json!({"turn": self.turn, "tool": self.tool, "plan": self.plan, "result": self.result}),
            &self.extra,
        )
    }
}

impl Final {
    /// What was handed in, as a file has it.
    pub fn to_json(&self) -> Value {
        let mut known =
            json!({"submitted": self.submitted, "plan": self.plan, "grade": self.grade});
        if let (Some(rubric), Value::Object(map)) = (&self.rubric, &mut known) {
            map.insert("rubric".into(), rubric.clone());
        }
        object(known, &self.extra)
    }
}

impl Record {
    /// The record as a file has it.
    pub fn to_json(&self) -> Value {
        let usage = json!({"input_tokens": self.usage.input, "output_tokens": self.usage.output});
        let mut known = json!({
            "model": self.model, "task_id": self.task_id, "episode_id": self.episode_id,
            "started": self.started,
            "messages": list(&self.messages, Message::to_json),
            "steps": list(&self.steps, Step::to_json),
            "final": self.last.to_json(),
            "reward": finite(self.reward),
            "usage": object(usage, &self.usage_extra),
            "turns": self.turns, "end_reason": self.end_reason, "errors": self.errors,
            "seconds": finite(self.seconds),
        });
        if let Value::Object(map) = &mut known
            && !self.provider_switches.is_empty()
        {
            map.insert("provider_switches".into(), json!(self.provider_switches));
        }
        object(known, &self.extra)
    }

    /// The text of a file: JSON with indentation and a line end.
    pub fn to_json_string(&self) -> String {
        indented(&self.to_json()) + "\n"
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}
