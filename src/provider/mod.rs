//! Models in conversation: one trait; what speaks it need not be HTTP.
//!
//! A model is a machine of its own, driven by `episode`: it is told what the user and the tools
//! said, asked for a turn, and answers with neutral [`ModelEvent`]s. Knows no environment.

pub mod anthropic;
pub mod failure;
pub mod format;
pub mod http;
pub mod listing;
pub mod notes;
pub mod openai_chat;
pub mod openai_responses;
pub mod planner;
pub mod price;
pub mod prices;
pub mod scripted;
mod words;

use crate::chat::{Delta, ToolCall, Turn};
use crate::settings::service::Speaks;
use crate::wire::{Input, Io, Millis};

/// The wire format behind a way to speak; none for what needs none. A new format is one file and
/// one line here.
pub fn format(speaks: Speaks) -> Option<&'static dyn format::Format> {
    match speaks {
        Speaks::Inside => None,
        Speaks::Chat => Some(&openai_chat::OpenAiChat),
        Speaks::Messages => Some(&anthropic::Anthropic),
        Speaks::Responses => Some(&openai_responses::OpenAiResponses),
    }
}

/// What a model has to say while it makes a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    /// A piece of the turn, for display.
    Delta(Delta),
    /// It waits before it asks again.
    Retry {
        /// How long.
        after: Millis,
        /// Which try comes next, from 2.
        attempt: u32,
        /// Tries in all.
        of: u32,
        /// Why, in words.
        reason: String,
    },
    /// It goes on with another provider: `old -> new (status: message)`.
    Switched(String),
    /// The turn is complete.
    Turn(Turn),
    /// The turn failed. The conversation is as it was before the turn.
    Failed(ModelError),
}

/// A turn that failed for good.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct ModelError {
    /// Short class name (`auth`, `rate_limit`, `network`, …).
    pub kind: String,
    /// Party, fact, next step.
    pub message: String,
}

/// A tool's answer on its way to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The call it answers.
    pub call: ToolCall,
    /// What the model reads.
    pub text: String,
}

/// A conversation with one model. User texts wait until the next step and are sent together, after
/// any tool results.
pub trait Model {
    /// The person (or the loop) says something.
    fn user(&mut self, text: &str);
    /// Hands a cut-off turn's reasoning back as the model's own notes.
    fn notes(&mut self, text: &str);
    /// Answers the calls of the last turn, in order.
    fn results(&mut self, results: &[ToolResult]);
    /// Asks for a turn; ends in `Turn` or `Failed`.
    fn step(&mut self, io: &mut Io);
    /// Takes an input that may be its own; others are ignored.
    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<ModelEvent>);
    /// Gives the turn up; late answers change nothing. Can be called at any time.
    fn cancel(&mut self, io: &mut Io);
}
