//! Sessions with environments: one trait, two kinds (`openenv`, `builtin`).
//!
//! A session is a machine of its own, driven by `episode`: it writes effects into [`Io`] and turns
//! inputs into neutral [`SessionEvent`]s. One request is open at a time. Knows no model.

pub mod address;
pub mod builtin;
pub mod doctor;
pub mod openenv;
mod opening;
pub mod tasks;

pub use opening::{Opening, opening};

use crate::chat::ToolSpec;
use crate::wire::{Input, Io, Millis};
use serde_json::{Map, Value};

/// Which task to ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskRef {
    /// By id.
    Id(String),
    /// By split and position.
    Index {
        /// Name of the split.
        split: String,
        /// Position in it, from 0.
        index: u32,
    },
    /// Whatever the environment gives.
    #[default]
    Unnamed,
}

/// How to begin an episode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reset {
    /// The task wanted.
    pub task: TaskRef,
    /// 12 hex digits, made by the caller.
    pub episode_id: String,
}

/// What a session has to say. Neutral of the protocol behind it.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// It is waiting for something that a person may want to know of.
    Waiting(Awaited),
    /// The episode has begun: the environment's metadata (usually `instructions` and `situation`,
    /// possibly neither) and its tools, in order.
    Ready {
        /// `metadata` of the reset answer.
        metadata: Map<String, Value>,
        /// The other fields of the observation, for environments without metadata.
        observation: Map<String, Value>,
        /// Tools; empty when the environment has none.
        tools: Vec<ToolSpec>,
    },
    /// The answer to the open call.
    Answer(ToolAnswer),
    /// The session is over and cannot go on. Nothing follows.
    Failed(SessionError),
}

/// What a session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The connection.
    Connection,
    /// The answer to `reset`.
    Reset,
    /// The list of tools.
    Tools,
    /// The answer to a tool call.
    Call,
}

/// An environment's answer to a tool call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolAnswer {
    /// What the model reads.
    pub text: String,
    /// The environment says the episode is over.
    pub done: bool,
    /// Reward that came with it.
    pub reward: Option<f64>,
    /// `grade`, `rubric`, `end_reason`, counters, …
    pub metadata: Map<String, Value>,
}

/// Why a session ended by itself. Each text names the party, the fact and the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// No handshake: nothing there, wrong path, blocked, asleep; a page can not tell which.
    #[error("{host} did not answer: no WebSocket opened there. Connect lists what it can be")]
    Unreachable {
        /// Host and port.
        host: String,
    },
    /// The browser refused to open the address.
    #[error("the browser does not open {host} from this page: {reason}")]
    Refused {
        /// Host and port.
        host: String,
        /// The browser's reason.
        reason: String,
    },
    /// The server closed or the connection dropped.
    #[error("{host} closed the connection{}: the episode ended there", reason_text(*.code, .reason))]
    Dropped {
        /// Host and port.
        host: String,
        /// Close code; 0 when the session was lost while its socket stayed open.
        code: u16,
        /// The server's reason, often empty.
        reason: String,
    },
    /// All sessions are taken.
    #[error("{host} has no free session ({active} of {most} taken). Try again in 30 s")]
    Full {
        /// Host and port.
        host: String,
        /// Sessions in use.
        active: u32,
        /// Sessions there are.
        most: u32,
    },
    /// No answer in time.
    #[error("{host} did not answer within {} s ({what})", .limit.seconds())]
    TimedOut {
        /// Host and port.
        host: String,
        /// What was asked.
        what: &'static str,
        /// The limit.
        limit: Millis,
    },
    /// The server refused a request.
    #[error("{host} refused {what}: {message}")]
    Request {
        /// Host and port.
        host: String,
        /// What was asked.
        what: &'static str,
        /// The server's words.
        message: String,
    },
    /// What came is not OpenEnv.
    #[error("{host} answered with something that is not an OpenEnv frame: {excerpt}")]
    NotOpenEnv {
        /// Host and port.
        host: String,
        /// The first characters of it.
        excerpt: String,
    },
    /// The task is not known.
    #[error("the built-in environment has no task {0}")]
    UnknownTask(String),
}

fn reason_text(code: u16, reason: &str) -> String {
    match (code, reason) {
        (0, reason) => format!(" ({reason})"),
        (code, "") => format!(" (code {code})"),
        (code, reason) => format!(" (code {code}: {reason})"),
    }
}

/// One session with an environment. After `close` or [`SessionEvent::Failed`] it says nothing more.
pub trait Session {
    /// Opens, resets and lists tools; ends in `Ready` or `Failed`.
    fn begin(&mut self, io: &mut Io, reset: &Reset);
    /// Calls a tool; ends in `Answer` or `Failed`. Only after `Ready`, one at a time.
    fn call(&mut self, io: &mut Io, tool: &str, arguments: &Map<String, Value>);
    /// Takes an input that may be its own; others are ignored.
    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<SessionEvent>);
    /// Ends the session on both sides. Can be called at any time, more than once.
    fn close(&mut self, io: &mut Io);
}
