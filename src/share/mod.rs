//! What leaves the page in a link, and what comes in by one.
//!
//! Out: a [`Record`] and a person's ticks ([`Choices`]) become a [`Parcel`] ([`pack()`]), its bytes go
//! through the browser's deflate, and [`link()`] makes the text. In: [`parse()`] takes the text apart,
//! the browser inflates (never beyond [`MOST_INFLATED`]), [`open()`] gives an [`Opened`] record with
//! what it [`Claims`], and [`replay()`] computes anew what a built-in task makes known. Beside it:
//! [`secrets`] looks for keys in what is about to leave, [`Fit`] says where a link still fits, and
//! [`Source`] is the other kind of link, one that points to a file.
//!
//! **What never leaves.** The writer names every field that it takes, so a field that nobody
//! thought of stays: the `extra` of records and messages, messages of unknown roles, ids that a
//! provider gave to calls. Keys cannot be there by type: no record has a place for one. What failed
//! is told by its kind only, unless the server's address may be known. Anything read from a link is
//! text, and unchecked but for its shape.
//!
//! # The content of a link, version 1
//!
//! So that other programs can write one: codec `0` needs no compressor. `number`, `whole`,
//! `fraction` and `text` are those of `bytes.rs`, a `plan` that of `plans.rs`:
//!
//! * a *number* is LEB128 (seven bits a byte, lowest first, the high bit on all but the last); a
//!   *whole* is a number, zigzag (0, −1, 1, −2 … as 0, 1, 2, 3 …); a *fraction* is a number `n`:
//!   for 0 a little-endian double follows, else it is the whole behind `n − 1`, in millionths; a
//!   *text* is a number of bytes and UTF-8;
//! * a *word* is a number: 0 none, 1 a text follows, from 2 on a place in a list that grows at its
//!   end only (tools: `check_plan`, `submit_plan`, `get_situation`; ends: `submitted`,
//!   `no_tool_call`, `turn_limit`, `wall_clock`, `tool_call_limit`, `server_ended`, `spend_limit`,
//!   `error`, `stopped`, `interrupted`).
//!
//! | part | what | there |
//! |---|---|---|
//! | what it holds | number of bits, lowest first: plans 1, words 2, reasoning 4, outputs 8, the task is a built-in one 16, situation 32, server 64, system prompt 128 | always |
//! | mark | three bytes that tell the task from another of its name, or zeros | with 16 |
//! | claims | model (a number and a text: 1 the whole name, from 2 on its beginning is `anthropic:`, `openai:`, `hf:`, `vllm:`, `demo:`), text task id, number started (seconds since 1970 plus 1; 0 and a text), word end, numbers turns, input tokens, output tokens, fraction reward | always |
//! | server | text, its origin (`https://play.example.org`) | with 64 |
//! | steps | number of steps; each: word tool, whole turn minus the turn of the step before (0), plan | with 1 |
//! | final | number of bits: submitted 1, a plan 2, it is the last step's 4, a grade 8, a rubric 16; then the plan with 2 but not 4, grade and rubric as JSON texts | always |
//! | messages | number of messages; each: a number and, 0 system: text · 1 user: text · 2 model: text (with 2), text reasoning (with 4), text stop, number of calls, each word tool and arguments · 3 answer: number of its call (from 1 through the whole link, 0 none), word tool, text; then, with 2, 4 or 8, fraction seconds | with 2, 4, 8, 32 or 128 |
//! | results | for each step a number: 0 none, 1 what its call was answered, 2 a JSON text | with 1 and 8 |
//! | the rest | text episode id, number of errors, each a text, number of provider switches, each a text | with 8 |
//!
//! Arguments are a number: 0 a text · 1 a text, and it sends the plan of the next step that no call
//! has sent yet · 2 left out · from 3 on, the plan of that next step, spelled `{"plan":…}`: 3 compact,
//! 4 with a blank after commas and colons, 5 to 8 with the plan as text (both compact, both with
//! blanks, only the text with blanks, only the object). Bits that are not in these lists, and bytes
//! after the end, are damage.
//!
//! The forms are names for what is held: `f` with outputs, else `w` with words or reasoning, else
//! `p`; a link whose form says otherwise is damaged.

mod bytes;
mod digest;
mod link;
mod meter;
mod pack;
mod plans;
mod replay;
mod scan;
mod source;
#[cfg(test)]
mod tests;
mod unpack;
mod words;

pub mod base64;

pub use digest::{CHECK, check, seal};
pub use link::{Codec, Form, LinkError, Sealed, VERSION, fragment, link, open, parse};
pub use meter::{Fit, fits};
pub use pack::pack;
pub use replay::{Replayed, replay};
pub use scan::{Place, Secret, SecretKind, Stored, secrets, secrets_in};
pub use source::{Source, SourceError, is_gzip, line, source};

use crate::berth::Task;
use crate::env::address;
use crate::rollout::Record;

/// Most bytes of a link's content, 32 MiB. Whoever inflates stops here and says
/// [`LinkError::TooLarge`].
pub const MOST_INFLATED: usize = 32 << 20;

/// What [`Held::left_out`] calls the text that tells the task.
const SITUATION: &str = "the situation text";

/// A rollout that somebody wants to share.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// The rollout.
    pub record: &'a Record,
    /// Its task, where that is one that every reader has: one built into the page.
    pub task: Option<&'a Task>,
    /// Where it ran: `builtin`, or the server's address.
    pub server: &'a str,
}

impl Outgoing<'_> {
    /// Scheme, host and port of its server; none for the built-in environment.
    pub fn origin(&self) -> Option<String> {
        origin(self.server)
    }
}

/// Scheme, host and port of an environment server; a WebSocket address as the one for HTTP.
fn origin(server: &str) -> Option<String> {
    let scheme = |secure| if secure { "https" } else { "http" };
    // A word without a dot or a scheme is a name of ours, not a host.
    let address = server
        .contains("://")
        .then(|| address::parse(server).ok())??;
    Some(format!("{}://{}", scheme(address.secure), address.host))
}

/// What a person ticked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the ticks of one dialog, each on its own"
)]
pub struct Choices {
    /// The plans that were sent, and the final one.
    pub plans: bool,
    /// What the model and the loop said, and the arguments of calls.
    pub words: bool,
    /// The model's reasoning.
    pub reasoning: bool,
    /// What tools answered, and everything that can be computed anew from it.
    pub outputs: bool,
    /// The server's address: scheme, host and port.
    pub server: bool,
}

/// Plans and words: short enough for a chat, and a story.
impl Default for Choices {
    fn default() -> Self {
        Self {
            plans: true,
            words: true,
            reasoning: false,
            outputs: false,
            server: false,
        }
    }
}

/// What a link holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the bits of the format, each on its own"
)]
pub struct Held {
    /// Plans.
    pub plans: bool,
    /// What the model and the loop said.
    pub words: bool,
    /// Reasoning.
    pub reasoning: bool,
    /// What tools answered.
    pub outputs: bool,
    /// The task is one built into the page.
    pub builtin: bool,
    /// The first message of the user, which tells the task.
    pub situation: bool,
    /// The server's origin.
    pub server: bool,
    /// The system prompt.
    pub system: bool,
}

impl Held {
    /// What the ticks mean for this rollout. A task that is not built in must travel too: as the
    /// situation text, from which a reader draws the chart.
    pub fn of(choices: Choices, outgoing: &Outgoing<'_>) -> Self {
        let builtin = outgoing.task.is_some();
        let anything = choices.plans || choices.words || choices.reasoning || choices.outputs;
        Self {
            plans: choices.plans,
            words: choices.words,
            reasoning: choices.reasoning,
            outputs: choices.outputs,
            builtin,
            situation: !builtin && anything,
            server: choices.server && outgoing.origin().is_some(),
            system: !builtin && choices.outputs,
        }
    }

    /// The form's name for it.
    pub fn form(self) -> Form {
        Form::of(self)
    }

    /// What it does not hold, in words, for the line that says so.
    pub fn left_out(self) -> Vec<&'static str> {
        let parts = [
            (self.plans, "plans"),
            (self.words, "the model's words"),
            (self.reasoning, "reasoning"),
            (self.outputs, "tool outputs"),
            (self.situation, SITUATION),
            (self.system, "the system prompt"),
        ];
        let missing = parts.iter().filter(|(held, _)| !held);
        missing.map(|(_, name)| *name).collect()
    }

    fn flags(self) -> [bool; 8] {
        [
            self.plans,
            self.words,
            self.reasoning,
            self.outputs,
            self.builtin,
            self.situation,
            self.server,
            self.system,
        ]
    }

    fn bits(self) -> u64 {
        words::bits(&self.flags())
    }

    fn from_bits(bits: u64) -> Option<Self> {
        let has = |bit: u32| bits >> bit & 1 == 1;
        (bits < 256).then(|| Self {
            plans: has(0),
            words: has(1),
            reasoning: has(2),
            outputs: has(3),
            builtin: has(4),
            situation: has(5),
            server: has(6),
            system: has(7),
        })
    }

    fn has_turns(self) -> bool {
        self.words || self.reasoning || self.outputs
    }

    fn has_messages(self) -> bool {
        self.has_turns() || self.situation || self.system
    }

    /// Whether the environment's grade travels: where it cannot be computed anew, or all does.
    fn graded(self) -> bool {
        self.outputs || !self.builtin
    }
}

/// The content of a link, before it is made shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// How much it holds.
    pub form: Form,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Parcel {
    /// The check that goes into the link.
    pub fn check(&self) -> String {
        check(&self.bytes)
    }

    /// The code of the link, of whichever is shorter: the content as it is, or deflated. Small
    /// contents are packed so tightly that deflating makes them longer.
    pub fn code(&self, deflated: &[u8]) -> String {
        let (codec, payload) = if deflated.len() < self.bytes.len() {
            (Codec::Deflate, deflated)
        } else {
            (Codec::Plain, self.bytes.as_slice())
        };
        link(self.form, codec, payload, &self.check())
    }

    /// What a reader of the link will see. Secrets are looked for in this and nothing else, because
    /// this is what leaves.
    ///
    /// # Errors
    /// None that [`pack()`] leaves room for.
    pub fn opened(&self) -> Result<Opened, LinkError> {
        unpack::read(self.form, &self.bytes)
    }
}

/// A rollout out of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// Its form.
    pub form: Form,
    /// What the link held.
    pub held: Held,
    /// The record: what was left out is absent, and `extra` says so under `shared`. It has an
    /// episode id in form `f` only; calls are named `c1`, `c2` … in the order they were made.
    pub record: Record,
    /// What the sender says. Nobody has checked it.
    pub claims: Claims,
}

/// The facts of a link that rest on the sender's word alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// Model spec.
    pub model: String,
    /// Task.
    pub task_id: String,
    /// Reward, 0 to 1 in honest links.
    pub reward: f64,
    /// How it ended, in the record's word.
    pub end_reason: Option<String>,
    /// Model turns.
    pub turns: u32,
    /// Input tokens.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// When it began, `YYYY-MM-DDTHH:MM:SSZ` in honest links.
    pub started: String,
    /// The server's origin. Nothing is opened there without a click.
    pub server: Option<String>,
    /// Which task of that name was meant.
    mark: Option<[u8; 3]>,
}

impl Opened {
    /// Whether this page's task of the claimed name is the one that the sender's page had. A link
    /// that does not say is taken at its word.
    pub fn is_of(&self, task: &Task) -> bool {
        let mark = self.claims.mark.filter(|mark| *mark != [0; 3]);
        self.claims.task_id == task.task_id && mark.is_none_or(|mark| mark == words::mark(task))
    }
}
