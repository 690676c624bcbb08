//! What the loop itself says to the model: the request, notes and nudges.
//!
//! Two sets: one for environments with the tools of berth planning, one for any other.

use crate::chat::ToolSpec;

/// The tool that tests a draft.
pub const CHECK: &str = "check_plan";
/// The tool that hands the final plan in and ends the episode.
pub const SUBMIT: &str = "submit_plan";

/// Which set of sentences an environment calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// The environment takes plans.
    Plans,
    /// It has other tools.
    General,
}

impl Words {
    /// The set for an environment with these tools.
    pub fn for_tools(tools: &[ToolSpec]) -> Self {
        if tools.iter().any(|tool| tool.name == SUBMIT) {
            Self::Plans
        } else {
            Self::General
        }
    }

    /// The request that follows the situation.
    pub fn opening(self) -> &'static str {
        match self {
            Self::Plans => {
                "Work out a new berth plan for this. Try drafts with check_plan as you go; when \
                 you are content with one, hand it in with submit_plan, which ends the task."
            }
            Self::General => "Do this with the tools you have been given.",
        }
    }

    /// Before the last turn.
    pub fn last_turn(self) -> &'static str {
        match self {
            Self::Plans => {
                "No turns are left after this one. Hand in the best plan you have, with submit_plan."
            }
            Self::General => "No turns are left after this one. Finish now.",
        }
    }

    /// After a turn without a tool call.
    pub fn no_tool_call(self) -> &'static str {
        match self {
            Self::Plans => {
                "That turn called no tool, and a plan in plain text is not seen by anyone. Use \
                 check_plan for a draft, or submit_plan to hand in your final plan."
            }
            Self::General => {
                "That turn called no tool, and nothing else has any effect here. Call one."
            }
        }
    }

    /// After a turn that was cut off while the model was still thinking.
    pub fn cut_off(self) -> &'static str {
        match self {
            Self::Plans => {
                "The output limit cut your last turn off before it called a tool; what you had \
                 worked out stands above as notes. Do not start over: think briefly, then send \
                 your draft to check_plan, or hand it in with submit_plan."
            }
            Self::General => {
                "The output limit cut your last turn off before it called a tool; what you had \
                 worked out stands above as notes. Do not start over: think briefly, then call one."
            }
        }
    }
}

/// The line after a tool result.
pub fn turns_left(left: u32) -> String {
    format!("[{left} {} left]", if left == 1 { "turn" } else { "turns" })
}

/// The error of a call that comes after the end.
pub const EPISODE_OVER: &str = "the episode has ended, so this call was not made";
