//! The record of one episode: append-only [`Event`]s, folded into a [`Rollout`].
//!
//! [`Record`] is the file format of the reference viewer, field for field; unknown fields survive.
//! Views, links and the store read only what is here. Knows no session and no model.
//!
//! Records come from files through [`open`] and leave as files: a record's own
//! ([`Record::to_json_string`]), several as one ([`archives`], [`jsonl`]), a report ([`markdown`]),
//! the plan for a spreadsheet ([`plan_csv`]), a trajectory for other tools ([`atif::atif`]).

pub mod atif;
mod csv;
mod depth;
mod export;
mod files;
mod fold;
mod import;
mod plan;
mod record;
mod report;
mod table;
mod time;

#[cfg(test)]
mod tests;

pub use csv::plan_csv;
pub use depth::{kept, part};
pub use files::{
    FileError, Found, LIMIT, Needs, Opened, Run, Saved, Source, Spot, Trouble, archives, jsonl,
    needs, open, open_at,
};
pub use fold::{Live, LiveCall, Rollout};
pub use import::RecordError;
pub use plan::plan_value;
pub use record::{Final, Message, Record, RecordCall, Step};
pub use report::markdown;
pub use table::{PlanTable, plan_table};
pub use time::{tenths, utc_moment, utc_text};

use crate::chat::{Delta, ToolSpec, Usage};
use crate::wire::Millis;
use serde_json::{Map, Value};

/// How an episode ended. `spend_limit`, `stopped` and `interrupted` are words of ours, the others the
/// reference's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// `submit_plan` ended it.
    Submitted,
    /// Two turns in a row, or the last one, without a tool call.
    NoToolCall,
    /// All turns used.
    TurnLimit,
    /// Past the wall clock.
    WallClock,
    /// The environment's own limit of calls.
    ToolCallLimit,
    /// The environment ended it without a reason.
    ServerEnded,
    /// The next request could have passed the spend limit.
    SpendLimit,
    /// A model or a session failed.
    Error,
    /// A person pressed Stop.
    Stopped,
    /// The page closed.
    Interrupted,
    /// A word of the environment's own.
    Other(String),
}

impl EndReason {
    /// The word in a record.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Submitted => "submitted",
            Self::NoToolCall => "no_tool_call",
            Self::TurnLimit => "turn_limit",
            Self::WallClock => "wall_clock",
            Self::ToolCallLimit => "tool_call_limit",
            Self::ServerEnded => "server_ended",
            Self::SpendLimit => "spend_limit",
            Self::Error => "error",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
            Self::Other(word) => word,
        }
    }

    /// The reason behind a word of a record; a word that is none of ours is kept.
    pub fn parse(word: &str) -> Self {
        match word {
            "submitted" => Self::Submitted,
            "no_tool_call" => Self::NoToolCall,
            "turn_limit" => Self::TurnLimit,
            "wall_clock" => Self::WallClock,
            "tool_call_limit" => Self::ToolCallLimit,
            "server_ended" => Self::ServerEnded,
            "spend_limit" => Self::SpendLimit,
            "error" => Self::Error,
            "stopped" => Self::Stopped,
            "interrupted" => Self::Interrupted,
            other => Self::Other(other.to_owned()),
        }
    }
}

/// Where a run takes place, for labels and for doing it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `builtin`, or the server's address without user, query and fragment.
    pub server: String,
    /// Task id, or what was asked for instead.
    pub task: String,
}

/// What is being waited for, for the line that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A connection to the environment.
    Connection,
    /// The environment's first answer.
    Reset,
    /// The environment's tools.
    Tools,
    /// The model's next words.
    Model,
    /// The environment's answer to this tool.
    Tool(String),
    /// A pause before the model is asked again.
    Retry {
        /// How long.
        after: Millis,
        /// Which try comes next.
        attempt: u32,
        /// Tries in all.
        of: u32,
        /// Why.
        reason: String,
    },
    /// A person: the run is paused.
    Person,
}

/// A fact of an episode. Events are appended and never changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It began.
    Started {
        /// Model spec.
        model: String,
        /// Task id asked for.
        task_id: String,
        /// 12 hex digits.
        episode_id: String,
        /// Moment since the Unix epoch.
        at: Millis,
        /// Most turns.
        turns: u32,
        /// Where it takes place.
        place: Place,
    },
    /// The environment is ready.
    Opened {
        /// Metadata of the reset answer.
        metadata: Map<String, Value>,
        /// Tools offered.
        tools: Vec<ToolSpec>,
    },
    /// A message joined the conversation.
    Said(Message),
    /// A model turn began (from 1).
    TurnBegan(u32),
    /// A piece of the turn under way, for display only.
    Streamed(Delta),
    /// Tokens of a finished turn.
    Used(Usage),
    /// A plan was sent, and answered.
    Stepped(Step),
    /// What the run waits for now.
    Waits(Waiting),
    /// Another provider took over.
    Switched(String),
    /// Something failed: `Kind: message`, 800 characters at most.
    Erred(String),
    /// It ended; nothing follows.
    Ended {
        /// Why.
        reason: EndReason,
        /// Reward as it stands.
        reward: f64,
        /// The final plan and its grade.
        last: Final,
        /// Moment since the Unix epoch.
        at: Millis,
    },
}
