//! A run as the screens show it: record, transcript and drafts, folded together from one stream
//! of events, and the short facts of the run bar.

use super::{Drafts, EntryKind, Transcript, format};
use crate::berth::{self, Task};
use crate::chat::ToolSpec;
use crate::rollout::{EndReason, Event, Message, Record, Rollout, Waiting};
use crate::wire::Millis;
use std::sync::Arc;

/// Everything a run screen reads.
#[derive(Clone, Debug, Default)]
pub struct RunModel {
    /// Record and live state.
    pub rollout: Rollout,
    /// The transcript.
    pub transcript: Transcript,
    /// Task and plans.
    pub drafts: Drafts,
    /// When it began.
    pub began: Option<Millis>,
    /// When it ended.
    pub ended: Option<Millis>,
    /// Turns allowed.
    pub most_turns: u32,
    /// What it waits for, and since when.
    pub waiting: Option<(Waiting, Millis)>,
}

impl RunModel {
    /// A run on a task that the page knows, or on one that it will have to read.
    pub fn new(task: Option<Arc<Task>>) -> Self {
        Self {
            drafts: task.map(Drafts::of_task).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// A finished run from its record.
    pub fn from_record(record: &Record, task: Option<Arc<Task>>) -> Self {
        let mut model = Self::new(task);
        for message in &record.messages {
            let event = Event::Said(message.clone());
            model.drafts.apply(&event);
            model.transcript.apply(&event);
        }
        for step in &record.steps {
            let event = Event::Stepped(step.clone());
            model.drafts.apply(&event);
            model.transcript.apply(&event);
        }
        model.rollout.record = record.clone();
        model.began = Some(Millis(0));
        model.ended = Some(Millis((record.seconds.max(0.0) * 1000.0) as u64));
        model
    }

    /// Takes one event in; `now` is the moment it happened.
    pub fn apply(&mut self, now: Millis, event: &Event) {
        self.rollout.apply(event);
        self.transcript.apply(event);
        self.drafts.apply(event);
        match event {
            Event::Started { at, turns, .. } => {
                self.began = Some(*at);
                self.most_turns = *turns;
            }
            Event::Waits(waiting) => self.waiting = Some((waiting.clone(), now)),
            Event::Ended { at, .. } => {
                self.ended = Some(*at);
                self.waiting = None;
            }
            _ => {}
        }
    }

    /// What a step shows, in words: step 0 is the published plan, step `n` the `n`-th plan sent.
    pub fn step_text(&self, step: usize) -> String {
        let Some(draft) = step
            .checked_sub(1)
            .and_then(|index| self.drafts.drafts.get(index))
        else {
            let problems = self
                .drafts
                .published
                .as_ref()
                .map_or(0, |published| published.1.violations.len());
            return format!(
                "The published plan, after the week went wrong: {}.",
                format::count(problems, "problem", "problems")
            );
        };
        self.transcript
            .entries
            .iter()
            .find_map(|entry| match &entry.kind {
                EntryKind::Turn { turn, text, .. } if *turn == draft.turn => Some(text.clone()),
                _ => None,
            })
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| format!("Draft {}", draft.number))
    }

    /// The grade card of a run that is over; none while it goes on.
    pub fn grade_card(&self) -> Option<GradeCard> {
        let record = &self.rollout.record;
        self.ended?;
        let last = self
            .drafts
            .drafts
            .iter()
            .rev()
            .find(|draft| draft.submitted);
        let reference = self
            .drafts
            .known
            .then(|| {
                self.drafts
                    .task
                    .as_ref()
                    .and_then(|task| task.reference.as_ref())
            })
            .flatten();
        let recomputed = match (last, &self.drafts.task, self.drafts.known) {
            (Some(draft), Some(task), true) => draft
                .check
                .as_ref()
                .map(|check| {
                    let problems = draft.problems.len() + usize::from(draft.unreadable.is_some());
                    berth::grade(task, check, problems).reward
                })
                .map_or(GradeCheck::NotRecomputed, |here| {
                    if (here - record.reward).abs() < 1e-6 {
                        GradeCheck::Same(here)
                    } else {
                        GradeCheck::Differs(here)
                    }
                }),
            _ => GradeCheck::NotRecomputed,
        };
        Some(GradeCard {
            reward: record.reward,
            submitted: record.last.submitted,
            feasible: last.and_then(|draft| draft.verdict.feasible),
            cost: last.and_then(|draft| draft.verdict.cost),
            naive_cost: reference.map(|reference| reference.naive_cost),
            optimal_cost: reference.map(|reference| reference.optimal_cost),
            recomputed,
            tool_calls: record
                .messages
                .iter()
                .filter(|message| matches!(message, Message::Tool { .. }))
                .count(),
            turns: record.turns,
            end: record
                .end_reason
                .as_deref()
                .map_or_else(|| "Still running".to_owned(), end_text),
        })
    }

    /// The first answer that names the checks left came after one check.
    fn most_checks(&self) -> Option<u32> {
        self.drafts
            .drafts
            .iter()
            .enumerate()
            .find_map(|(earlier, draft)| {
                let left = draft.verdict.checks_left?;
                left.checked_add(u32::try_from(earlier + usize::from(!draft.submitted)).ok()?)
            })
    }

    /// What the environment told at the beginning.
    pub fn briefing(&self) -> Briefing {
        let record = &self.rollout.record;
        let first_user = record.messages.iter().find_map(|message| match message {
            Message::User { content, .. } => Some(content.clone()),
            _ => None,
        });
        Briefing {
            episode_id: record.episode_id.clone(),
            started: record.started.clone(),
            server: self.rollout.place.server.clone(),
            tools: self.rollout.tools.clone(),
            begun: !record.messages.is_empty(),
            instructed: matches!(record.messages.first(), Some(Message::System { .. })),
            situation: first_user.unwrap_or_default(),
        }
    }

    /// The facts of the run bar at `now`.
    pub fn status(&self, now: Millis) -> RunStatus {
        let record = &self.rollout.record;
        let began = self.began.unwrap_or(now);
        RunStatus {
            begun: self.began.is_some(),
            running: self.began.is_some() && self.ended.is_none(),
            paused: matches!(self.waiting, Some((Waiting::Person, _))),
            model: record.model.clone(),
            task_id: record.task_id.clone(),
            turn: record.turns,
            most_turns: self.most_turns,
            input_tokens: record.usage.input,
            output_tokens: record.usage.output,
            elapsed: self.ended.unwrap_or(now).since(began),
            waiting: self
                .waiting
                .as_ref()
                .map(|(waiting, since)| waiting_text(waiting, now.since(*since))),
            checks_left: self
                .drafts
                .drafts
                .iter()
                .rev()
                .find_map(|draft| draft.verdict.checks_left),
            most_checks: self.most_checks(),
            end: record.end_reason.as_deref().map(end_text),
            end_reason: record.end_reason.clone(),
            reward: record.reward,
            submitted: record.last.submitted,
            errors: record.errors.clone(),
            needs_prompt: record
                .errors
                .iter()
                .any(|error| error.starts_with("no_instructions:")),
        }
    }
}

/// Whether the page's own grade agrees with the record's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GradeCheck {
    /// Computed here, to the same reward.
    Same(f64),
    /// Computed here, to this other reward.
    Differs(f64),
    /// The task's reference costs are not known here, or nothing was submitted.
    NotRecomputed,
}

/// How a run came out.
#[derive(Clone, Debug, PartialEq)]
pub struct GradeCard {
    /// As the environment gave it.
    pub reward: f64,
    /// A plan was handed in.
    pub submitted: bool,
    /// As the environment said.
    pub feasible: Option<bool>,
    /// As the environment said.
    pub cost: Option<i64>,
    /// Cost of the naive re-plan, where known.
    pub naive_cost: Option<i64>,
    /// Least cost of any plan, where known.
    pub optimal_cost: Option<i64>,
    /// The grade, computed here.
    pub recomputed: GradeCheck,
    /// Tool calls answered.
    pub tool_calls: usize,
    /// Model turns.
    pub turns: u32,
    /// How it ended, in words.
    pub end: String,
}

/// What was told at the beginning of a run; it does not change after that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Briefing {
    /// Episode id.
    pub episode_id: String,
    /// When it began, as in the record.
    pub started: String,
    /// `builtin`, or the server's address.
    pub server: String,
    /// Tools offered; a record does not keep them.
    pub tools: Vec<ToolSpec>,
    /// The environment has spoken.
    pub begun: bool,
    /// The model has instructions.
    pub instructed: bool,
    /// The situation, as text.
    pub situation: String,
}

/// Short facts of a run.
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts of one moment, each shown by itself"
)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunStatus {
    /// There is a run at all.
    pub begun: bool,
    /// It goes on.
    pub running: bool,
    /// It waits for a person.
    pub paused: bool,
    /// Model spec.
    pub model: String,
    /// Task.
    pub task_id: String,
    /// Turns made.
    pub turn: u32,
    /// Turns allowed.
    pub most_turns: u32,
    /// Tokens read by the model.
    pub input_tokens: u64,
    /// Tokens written by the model.
    pub output_tokens: u64,
    /// Time since it began, or its length.
    pub elapsed: Millis,
    /// What it waits for, in words.
    pub waiting: Option<String>,
    /// Checks left, if the environment said.
    pub checks_left: Option<u32>,
    /// Checks there were, as far as the answers tell.
    pub most_checks: Option<u32>,
    /// How it ended, in words.
    pub end: Option<String>,
    /// How it ended, in the record's word.
    pub end_reason: Option<String>,
    /// Reward as it stands.
    pub reward: f64,
    /// A plan was handed in.
    pub submitted: bool,
    /// What failed.
    pub errors: Vec<String>,
    /// The environment gave no instructions: a typed prompt would help.
    pub needs_prompt: bool,
}

/// What a run waits for, with the time so far once it is worth saying.
fn waiting_text(waiting: &Waiting, so_far: Millis) -> String {
    let what = match waiting {
        Waiting::Connection if so_far.seconds() >= 3 => {
            "waiting for the server to answer (a sleeping Space can take a minute)".to_owned()
        }
        Waiting::Connection => "connecting to the environment".to_owned(),
        Waiting::Reset => "waiting for the environment's task".to_owned(),
        Waiting::Tools => "waiting for the environment's tools".to_owned(),
        Waiting::Model => "waiting for the model".to_owned(),
        Waiting::Tool(name) => format!("waiting for the answer to {name}"),
        Waiting::Retry {
            after,
            attempt,
            of,
            reason,
        } => {
            let left = after.since(so_far);
            return format!(
                "{reason}: asks again in {} (try {attempt} of {of})",
                format::duration(left)
            );
        }
        Waiting::Person => return "paused: waiting for you".to_owned(),
    };
    if so_far.seconds() >= 3 {
        format!("{what}, {}", format::duration(so_far))
    } else {
        what
    }
}

/// How a run ended, in words.
pub fn end_text(reason: &str) -> String {
    match EndReason::parse(reason) {
        EndReason::Submitted => "Plan submitted".into(),
        EndReason::NoToolCall => "Ended: the model called no tool".into(),
        EndReason::TurnLimit => "Ended: all turns used".into(),
        EndReason::WallClock => "Ended: out of time".into(),
        EndReason::ToolCallLimit => "Ended: all tool calls used".into(),
        EndReason::ServerEnded => "Ended by the environment".into(),
        EndReason::Error => "Ended by an error".into(),
        EndReason::Stopped => "Stopped".into(),
        EndReason::Interrupted => "Interrupted: the page was closed".into(),
        EndReason::Other(word) => format!("Ended by the environment: {word}"),
    }
}
