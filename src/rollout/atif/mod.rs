//! Trajectories in the Agent Trajectory Interchange Format (ATIF), which Harbor reads and writes:
//! a record as one, and one as a record.
//!
//! Described at <https://harborframework.com/docs/trajectory-format>. Pinned to [`VERSION`], the
//! one that `openenv.harbor.atif` of openenv 0.10 names; Harbor 0.26 takes 1.0 to 1.8. What is said
//! here of the form was learnt from its description; `tests/atif.rs` has openenv read our files.
//!
//! ```text
//! {"schema_version": "ATIF-v1.7", "session_id": EPISODE, "agent": {"name", "version", "model_name"},
//!  "steps": [{"step_id": 1, "source": "system" | "user", "message"},
//!            {"step_id": 2, "source": "agent", "message", "reasoning_content", "llm_call_count": 1,
//!             "tool_calls": [{"tool_call_id", "function_name", "arguments": {…}}],
//!             "observation": {"results": [{"source_call_id", "content"}]}}],
//!  "final_metrics": {"total_prompt_tokens", "total_completion_tokens", "total_steps"},
//!  "extra": {"task_id", "reward", "end_reason", "final", "seconds", …}}
//! ```
//!
//! A tool's answer stands in the step of the call it answers. Tokens are only known for the whole
//! run, so no step has metrics. What the form has no place for goes into `extra`, from where
//! [`read`] takes it back; other fields of single messages and steps are left out. Steps are made
//! from the calls of `check_plan` and `submit_plan`, so one that came after the end counts too.

mod read;
mod write;

#[cfg(test)]
mod tests;

pub use read::read;
pub use write::atif;

use serde_json::Value;

/// The form that is written.
pub const VERSION: &str = "ATIF-v1.7";

/// Whether a value says that it is a trajectory of this form, of whatever version.
pub fn is_trajectory(value: &Value) -> bool {
    let version = value.get("schema_version").and_then(Value::as_str);
    version.is_some_and(|version| version.starts_with("ATIF-"))
}

/// The facts of a record that are written to `extra` as they stand, under their own names.
const FACTS: [&str; 9] = [
    "task_id",
    "started",
    "final",
    "reward",
    "end_reason",
    "errors",
    "seconds",
    "provider_switches",
    "run",
];
