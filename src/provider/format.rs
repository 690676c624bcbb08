//! A wire format of a model API as pure functions: request, decoder, failures. One file each
//! (`anthropic.rs`, `openai_responses.rs`, `openai_chat.rs`); [`HttpModel`](super::http::HttpModel)
//! does everything that they share: sending, retries, routes, the event stream.

use super::ToolResult;
use super::failure::Failure;
use crate::chat::{Delta, ToolSpec, Turn};
use crate::settings::{Effort, Service};
use crate::wire::HttpRequest;
use serde_json::Value;

/// Where a service is, and what is asked of it during a whole conversation.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The service.
    pub service: &'static Service,
    /// Its address with the version part and without a slash at the end.
    pub base: String,
    /// The names to ask for, in order; never empty (see [`ModelSpec::routes`](crate::settings::ModelSpec::routes)).
    pub routes: Vec<String>,
    /// How much to think.
    pub effort: Effort,
    /// Output tokens a turn.
    pub max_tokens: u32,
    /// Whether more than one request is likely: then a prompt cache saves money.
    pub caches: bool,
    /// What is known of the model.
    pub abilities: Abilities,
    /// Instructions.
    pub system: String,
    /// Tools.
    pub tools: Vec<ToolSpec>,
    /// A name for the conversation, the same in all of its requests; for caches.
    pub conversation: String,
}

/// What is known of a model beyond its name; from the service's list or the price map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It decides by itself how much to think (`thinking: adaptive`), and can show a summary.
    pub adaptive_thinking: bool,
}

/// One request.
#[derive(Debug)]
pub struct Ask<'a> {
    /// The conversation's setting.
    pub setting: &'a Setting,
    /// The name to ask for now: one of the setting's routes.
    pub model: &'a str,
    /// The history in this format, oldest first.
    pub history: &'a [Value],
}

/// One wire format.
pub trait Format: Sync {
    /// Retries before a stream has started.
    fn retries(&self) -> u32 {
        3
    }

    /// The request for a turn, its key slot named.
    fn request(&self, ask: &Ask<'_>) -> HttpRequest;

    /// Puts results, and then user texts, at the end of the history. Called before each request
    /// with whatever waits, possibly nothing.
    fn append(&self, history: &mut Vec<Value>, results: &[ToolResult], texts: &[String]);

    /// Puts a cut-off turn's notes into its own empty message. False: there is no such place, and
    /// they become a user text.
    fn keep_notes(&self, history: &mut [Value], notes: &str) -> bool {
        let _ = (history, notes);
        false
    }

    /// Makes a turn out of the answer to `ask`.
    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn TurnDecoder>;
}

/// Makes one turn out of an answer: either the events of a stream, or one whole JSON body.
pub trait TurnDecoder {
    /// Takes an event's data, which is neither empty nor `null`. What it does not know it skips.
    /// An error event ends the turn, whatever came before.
    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<(), Failure>;

    /// Whether it wants no more: the connection is closed, and `finish` called.
    fn is_full(&self) -> bool {
        false
    }

    /// Takes an answer in one piece.
    fn whole(&mut self, body: Value) -> Result<(), Failure>;

    /// The turn, once the answer has ended cleanly. [`Class::Truncated`](super::failure::Class) when it is not complete.
    fn finish(&mut self) -> Result<Answer, Failure>;

    /// Text and reasoning so far, for display after a failure.
    fn partial(&self) -> (String, String);
}

/// What an answer comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The turn, neutral of the format. Its `stop` is the service's own word.
    pub turn: Turn,
    /// What joins the history, verbatim; nothing for a turn without content, or a refused one.
    pub history: Vec<Value>,
    /// The service paused: send the longer history again, as it is, for the rest of the turn.
    pub goes_on: bool,
}
