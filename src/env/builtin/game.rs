//! One episode: budgets, answers, the end. Pure; time and waiting are the session's affair.

use super::offer::{self, Request};
use crate::berth::{Checker, Task, situation, tools};
use crate::env::ToolAnswer;
use crate::wire::json::{compact, error_text};
use serde_json::{Map, Value, json};

/// Drafts that may be checked.
pub const MAX_CHECKS: u32 = 10;
/// Calls of any tool, refused ones included.
pub const MAX_CALLS: u32 = 24;

/// An episode under way, or over.
#[derive(Debug)]
pub(super) struct Game {
    task: Task,
    checker: Checker,
    episode_id: String,
    checks: u32,
    calls: u32,
    over: bool,
}

impl Game {
    pub(super) fn new(task: Task, episode_id: &str) -> Self {
        Self {
            checker: Checker::new(&task),
            task,
            episode_id: episode_id.to_owned(),
            checks: 0,
            calls: 0,
            over: false,
        }
    }

    pub(super) fn task(&self) -> &Task {
        &self.task
    }

    /// What the reset answers: texts for the player, names, budgets.
    pub(super) fn metadata(&self) -> Map<String, Value> {
        let mut metadata = Map::new();
        let instructions = situation::instructions(&self.task, MAX_CHECKS, MAX_CALLS);
        for (name, value) in [
            ("instructions", json!(instructions)),
            ("situation", json!(situation::write(&self.task))),
            ("task_id", json!(self.task.task_id)),
            ("split", json!(self.task.split)),
            ("episode_id", json!(self.episode_id)),
            ("max_checks", json!(MAX_CHECKS)),
            ("max_tool_calls", json!(MAX_CALLS)),
        ] {
            metadata.insert(name.into(), value);
        }
        metadata.append(&mut self.counters());
        metadata
    }

    fn counters(&self) -> Map<String, Value> {
        let mut counters = Map::new();
        counters.insert("checks_left".into(), json!(self.checks_left()));
        counters.insert("tool_calls".into(), json!(self.calls));
        counters.insert(
            "tool_calls_left".into(),
            json!(MAX_CALLS.saturating_sub(self.calls)),
        );
        counters
    }

    fn checks_left(&self) -> u32 {
        MAX_CHECKS.saturating_sub(self.checks)
    }

    /// Answers a call. Every call counts, whatever it asks for; after the end nothing counts.
    pub(super) fn call(&mut self, tool: &str, arguments: &Map<String, Value>) -> ToolAnswer {
        let request = offer::read(tool, arguments);
        if self.over {
            return self.afterwards(request.as_ref().ok());
        }
        self.calls += 1;
        let mut submission = None;
        let text = match request {
            Err(refusal) => error_text(&refusal.to_string()),
            Ok(Request::Situation) => situation::write(&self.task),
            Ok(Request::Check(_)) if self.checks_left() == 0 => compact(&tools::no_checks_left()),
            Ok(Request::Check(plan)) => {
                self.checks += 1;
                let left = self.checks_left();
                compact(&tools::check_result(&self.task, &self.checker, &plan, left))
            }
            Ok(Request::Submit(plan)) => {
                let graded = tools::submit_result(&self.task, &self.checker, &plan);
                compact(&submission.insert(graded).result)
            }
        };
        let (mut metadata, mut reward) = (self.counters(), 0.0);
        if let Some(submission) = submission {
            self.over = true;
            reward = submission.grade.reward;
            metadata.insert("grade".into(), submission.grade_json);
            metadata.insert("rubric".into(), submission.rubric);
            metadata.insert("end_reason".into(), json!("submitted"));
        } else if self.calls >= MAX_CALLS {
            self.over = true;
            metadata.insert("end_reason".into(), json!("tool_call_limit"));
        }
        ToolAnswer {
            text,
            done: self.over,
            reward: Some(reward),
            metadata,
        }
    }

    /// After the end only the situation is still told.
    fn afterwards(&self, request: Option<&Request>) -> ToolAnswer {
        let text = match request {
            Some(Request::Situation) => situation::write(&self.task),
            _ => error_text("the episode is over; nothing can be checked or submitted"),
        };
        ToolAnswer {
            text,
            done: true,
            reward: None,
            metadata: self.counters(),
        }
    }
}
