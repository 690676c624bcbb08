//! View models: what a screen shows, as plain comparable data. Formatting and names for screen
//! readers are made here and tested here; `ui` only places them.

pub mod chart;
pub mod drafts;
pub mod flow;
pub mod form;
pub mod format;
pub mod json;
pub mod markdown;
pub mod money;
pub mod plan_view;
pub mod replay;
pub mod rollouts;
pub mod run;
pub mod services;
pub mod shortcuts;
pub mod tasks;
pub mod transcript;
pub mod words;

pub use drafts::{Draft, Drafts, Verdict};
pub use flow::{Flow, Piece, Tail};
pub use run::{Briefing, GradeCard, GradeCheck, RunModel, RunStatus};
pub use transcript::{CallCard, Entry, EntryKind, Transcript};
