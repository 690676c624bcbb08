//! Why an episode failed, and the line that goes into the record.

use crate::env::SessionError;
use crate::provider::ModelError;

/// Most characters of a message in the record.
const LONGEST: usize = 800;

/// Why an episode ended with an error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The session could not go on.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The model could not go on.
    #[error("{}", .0.message)]
    Model(ModelError),
    /// The environment gave no instructions and there were none to fall back on.
    #[error(
        "the environment gave no instructions for the model. Type a prompt that says what to do, then run again"
    )]
    NoInstructions,
    /// The environment has no tools.
    #[error("this environment has no tools that a model could call. Choose one that lists tools")]
    NoTools,
}

impl Failure {
    /// A short word for the kind.
    pub fn kind(&self) -> &str {
        match self {
            Self::Session(error) => session_kind(error),
            Self::Model(error) => &error.kind,
            Self::NoInstructions => "no_instructions",
            Self::NoTools => "no_tools",
        }
    }

    /// `kind: message` for the record's `errors`; the message is cut after 800 characters.
    pub fn line(&self) -> String {
        let message: String = self.to_string().chars().take(LONGEST).collect();
        format!("{}: {message}", self.kind())
    }
}

fn session_kind(error: &SessionError) -> &'static str {
    match error {
        SessionError::Unreachable { .. } => "unreachable",
        SessionError::Refused { .. } => "refused",
        SessionError::Dropped { .. } => "dropped",
        SessionError::Full { .. } => "full",
        SessionError::TimedOut { .. } => "timed_out",
        SessionError::Request { .. } => "request",
        SessionError::NotOpenEnv { .. } => "not_openenv",
        SessionError::UnknownTask(_) => "unknown_task",
    }
}
