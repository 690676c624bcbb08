//! The rollout record: the file format of the reference viewer and of its published rollouts.
//!
//! The types are here; [`super::import`] reads files tolerantly, [`super::export`] writes them.
//! Whatever a file holds beyond the known fields lies in an `extra` and is written back.

use super::time::{tenths, utc_moment};
use crate::chat::{Turn, Usage};
use crate::wire::Millis;
use serde_json::{Map, Value};

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The environment's instructions.
    System {
        /// Text.
        content: String,
        /// Other fields of the file.
        extra: Map<String, Value>,
    },
    /// The situation, a note of the loop, or a person.
    User {
        /// Text.
        content: String,
        /// Other fields of the file.
        extra: Map<String, Value>,
    },
    /// The model.
    Assistant {
        /// Text.
        content: String,
        /// Reasoning shown by the service.
        reasoning: String,
        /// The provider's word for why it stopped.
        stop: String,
        /// Tool calls.
        tool_calls: Vec<RecordCall>,
        /// Other fields of the file.
        extra: Map<String, Value>,
    },
    /// A tool's answer.
    Tool {
        /// The call it answers.
        tool_call_id: String,
        /// The tool.
        name: String,
        /// The result as the environment gave it.
        content: String,
        /// Other fields of the file.
        extra: Map<String, Value>,
    },
    /// A message of a role that this format does not know, exactly as the file has it.
    Other(Value),
}

impl Message {
    /// The environment's instructions.
    pub fn system(content: impl Into<String>) -> Self {
        Self::System {
            content: content.into(),
            extra: Map::new(),
        }
    }
    /// Something said to the model.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User {
            content: content.into(),
            extra: Map::new(),
        }
    }
    /// A model's turn.
    pub fn assistant(turn: &Turn) -> Self {
        Self::Assistant {
            content: turn.text.clone(),
            reasoning: turn.reasoning.clone(),
            stop: turn.stop.clone(),
            tool_calls: turn.calls.iter().map(RecordCall::from).collect(),
            extra: Map::new(),
        }
    }
    /// A tool's answer.
    pub fn tool(
        tool_call_id: impl Into<String>,
        name: impl Into<String>,
        content: impl Into<String>,
    ) -> Self {
        Self::Tool {
            tool_call_id: tool_call_id.into(),
            name: name.into(),
            content: content.into(),
            extra: Map::new(),
        }
    }
}

/// A tool call in a record; the arguments are the raw JSON text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordCall {
    /// Id.
    pub id: String,
    /// Tool.
    pub name: String,
    /// Raw argument text.
    pub arguments: String,
    /// Other fields of the file.
    pub extra: Map<String, Value>,
}

impl From<&crate::chat::ToolCall> for RecordCall {
    /// A call without argument text is written as one with an empty object.
    fn from(call: &crate::chat::ToolCall) -> Self {
        let raw = if call.raw.is_empty() {
            "{}"
        } else {
            call.raw.as_str()
        };
        Self {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: raw.to_owned(),
            extra: Map::new(),
        }
    }
}

/// A plan that was checked or submitted, with the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Turn, from 1.
    pub turn: u32,
    /// `check_plan` or `submit_plan`.
    pub tool: String,
    /// The plan. A run of ours writes it as [`super::plan_value`] gives it; a file may hold it as
    /// text or wrapped, so read it through [`Step::plan_value`].
    pub plan: Value,
    /// The answer: JSON, else `{"text": …}`.
    pub result: Value,
    /// Other fields of the file.
    pub extra: Map<String, Value>,
}

/// What was handed in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Final {
    /// Whether a plan was submitted.
    pub submitted: bool,
    /// The plan.
    pub plan: Value,
    /// The environment's grade.
    pub grade: Value,
    /// The environment's rubric; only on submitted plans.
    pub rubric: Option<Value>,
    /// Other fields of the file.
    pub extra: Map<String, Value>,
}

/// A whole rollout, as it is written to files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Model spec.
    pub model: String,
    /// Task.
    pub task_id: String,
    /// Episode.
    pub episode_id: String,
    /// `YYYY-MM-DDTHH:MM:SSZ`.
    pub started: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// Plans sent.
    pub steps: Vec<Step>,
    /// What was handed in; `final` in the file.
    pub last: Final,
    /// Reward.
    pub reward: f64,
    /// Tokens in all.
    pub usage: Usage,
    /// Other counters that the file has under `usage`.
    pub usage_extra: Map<String, Value>,
    /// Model turns made.
    pub turns: u32,
    /// Why it ended; null while it runs.
    pub end_reason: Option<String>,
    /// What failed.
    pub errors: Vec<String>,
    /// Length in seconds, to a tenth.
    pub seconds: f64,
    /// Providers that took over.
    pub provider_switches: Vec<String>,
    /// Everything else that a file holds (`run`, `provider`, …).
    pub extra: Map<String, Value>,
}

impl Record {
    /// A record that was saved while its run was under way, now that the run cannot go on: the
    /// page closed. `at` is the last moment known of it. One that has ended stays as it is.
    #[must_use]
    pub fn interrupted(mut self, at: Millis) -> Self {
        if self.end_reason.is_none() {
            self.end_reason = Some(super::EndReason::Interrupted.as_str().to_owned());
            if let Some(started) = utc_moment(&self.started) {
                self.seconds = tenths(at.since(started));
            }
        }
        self
    }

    /// Calls of the newest model turn that have no answer yet, in order: the first is the one
    /// under way while the run waits for a tool.
    pub fn open_calls(&self) -> Vec<&RecordCall> {
        let turn = self
            .messages
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, m)| match m {
                Message::Assistant { tool_calls, .. } => Some((at, tool_calls)),
                _ => None,
            });
        let Some((at, calls)) = turn else {
            return Vec::new();
        };
        // Calls are answered in order, so counting is enough, even when ids repeat.
        let answered = self.messages.iter().skip(at + 1);
        let answered = answered
            .filter(|m| matches!(m, Message::Tool { .. }))
            .count();
        calls.iter().skip(answered).collect()
    }
}
