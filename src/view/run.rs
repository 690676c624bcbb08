//! A run as the screens show it: record, transcript and drafts, folded together from one stream
//! of events, and the short facts of the run bar.

use super::money::{Bill, Tariff};
use super::{Drafts, EntryKind, Transcript, format};
use crate::berth::{self, Task};
use crate::chat::{Delta, ToolSpec};
use crate::rollout::{EndReason, Event, Message, Record, Rollout, Waiting};
use crate::settings::Limits;
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
    /// What it costs.
    pub bill: Bill,
    /// Its limits; none for one that is only opened.
    pub limits: Option<Limits>,
    /// How long a person has held it, pauses that are over.
    paused: Millis,
    /// Characters that have arrived of the turn under way.
    arrived: usize,
    /// A turn took far more tokens than it showed.
    hides: bool,
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

    /// Reckons what an opened run costs at these prices.
    pub fn reckon(&mut self, tariff: Tariff) {
        self.bill = Bill {
            tariff,
            ..Bill::default()
        };
        self.bill.add(&self.rollout.record.usage);
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
            Event::TurnBegan(_) | Event::Switched(_) => self.arrived = 0,
            Event::Streamed(delta) => self.arrived += length(delta),
            Event::Used(usage) => {
                self.bill.add(usage);
                // A token has three to four characters; one that has none was not shown.
                self.hides |= usage.output > self.written() as u64;
            }
            Event::Waits(waiting) => {
                self.paused = self.held(now);
                if matches!(waiting, Waiting::Retry { .. }) {
                    self.arrived = 0;
                }
                self.waiting = Some((waiting.clone(), now));
            }
            Event::Ended { at, .. } => {
                self.ended = Some(*at);
                if matches!(self.waiting, Some((Waiting::Model, _))) {
                    self.bill.broke_off();
                }
                self.waiting = None;
            }
            _ => {}
        }
    }

    /// Characters of the newest turn.
    fn written(&self) -> usize {
        match self.rollout.record.messages.last() {
            Some(Message::Assistant {
                content,
                reasoning,
                tool_calls,
                ..
            }) => {
                let calls: usize = tool_calls.iter().map(|call| call.arguments.len()).sum();
                content.len() + reasoning.len() + calls
            }
            _ => usize::MAX,
        }
    }

    /// How long a person has held it by `now`.
    fn held(&self, now: Millis) -> Millis {
        match self.waiting {
            Some((Waiting::Person, since)) => Millis(self.paused.0 + now.since(since).0),
            _ => self.paused,
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
                EntryKind::Turn { turn, text, .. } if *turn == draft.turn => Some(text.text()),
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
        let spend = self.limits.map(|limits| limits.spend).unwrap_or_default();
        let tokens = record.usage.input.saturating_add(record.usage.output);
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
            tokens: self.bill.tokens(tokens, spend.tokens),
            money: self.bill.words(self.ended.is_some(), spend.micros),
            elapsed: match self.ended {
                // As the record has it.
                Some(ended) => ended.since(began),
                None => now.since(began).since(self.held(now)),
            },
            waiting: self.waiting_text(now),
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
    /// Tokens so far, in words; empty when there are none.
    pub tokens: String,
    /// What it has cost, in words; empty for a model inside the page.
    pub money: String,
    /// Time since it began without pauses, or its length.
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

impl RunModel {
    /// What a run waits for, with the time so far once it is worth saying.
    fn waiting_text(&self, now: Millis) -> Option<String> {
        let (waiting, since) = self.waiting.as_ref()?;
        let so_far = now.since(*since);
        let mut what = match waiting {
            Waiting::Connection if so_far.seconds() >= 3 => {
                "waiting for the server to answer (a sleeping Space can take a minute)".to_owned()
            }
            Waiting::Connection => "connecting to the environment".to_owned(),
            Waiting::Reset => "waiting for the environment's task".to_owned(),
            Waiting::Tools => "waiting for the environment's tools".to_owned(),
            Waiting::Model if self.arrived > 0 => format!(
                "the model writes, {} so far",
                format::count(self.arrived, "character", "characters")
            ),
            Waiting::Model => "waiting for the model".to_owned(),
            Waiting::Tool(name) => format!("waiting for the answer to {name}"),
            Waiting::Retry {
                after,
                attempt,
                of,
                reason,
            } => {
                let when = match after.since(so_far) {
                    Millis(0) => "asked again".to_owned(),
                    // Rounded up: a wait that says 0 s should be over.
                    left => format!("asks again in {}", format::duration(Millis(left.0 + 999))),
                };
                format!(
                    "{}: {when} (try {attempt} of {of})",
                    reason.trim_end_matches('.')
                )
            }
            Waiting::Person => return Some("paused: waiting for you".to_owned()),
        };
        if so_far.seconds() >= 3 && !matches!(waiting, Waiting::Retry { .. }) {
            what = format!("{what}, {}", format::duration(so_far));
        }
        if *waiting == Waiting::Model && self.arrived == 0 && self.hides {
            what.push_str("; this model does not show its reasoning");
        }
        let began = self.began.unwrap_or(now);
        let ran = now.since(began).since(self.held(now));
        if self.limits.is_some_and(|limits| ran > limits.time) {
            what.push_str("; the time limit has passed, and what is under way may still finish");
        }
        Some(what)
    }
}

/// Characters that a piece shows.
fn length(delta: &Delta) -> usize {
    let text = match delta {
        Delta::Text(text) | Delta::Reasoning(text) => text,
        Delta::Call { arguments, .. } => arguments,
    };
    text.chars().count()
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
        EndReason::SpendLimit => "Ended: spend limit".into(),
        EndReason::Error => "Ended by an error".into(),
        EndReason::Stopped => "Stopped".into(),
        EndReason::Interrupted => "Interrupted: the page was closed".into(),
        EndReason::Other(word) => format!("Ended by the environment: {word}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Turn, Usage};
    use crate::provider::price::Price;
    use crate::rollout::Place;
    use crate::settings::SpendLimit;
    use crate::view::money::Tariff;

    const PRICE: Price = Price {
        input: 1.0,
        output: 10.0,
        cache_read: 1.0,
        cache_write: 1.0,
        long: None,
    };

    /// A run that began at second 0, told event by event.
    fn run(events: &[(u64, Event)]) -> RunModel {
        let mut model = RunModel {
            limits: Some(Limits {
                spend: SpendLimit {
                    micros: Some(2_000_000),
                    tokens: Some(1_000),
                },
                ..Limits::default()
            }),
            ..RunModel::default()
        };
        model.bill.tariff = Tariff::Known(PRICE);
        let started = Event::Started {
            model: "vllm:m".into(),
            task_id: "t".into(),
            episode_id: "e".into(),
            at: Millis(0),
            turns: 12,
            place: Place::default(),
        };
        model.apply(Millis(0), &started);
        for (second, event) in events {
            model.apply(Millis(second * 1_000), event);
        }
        model
    }

    fn waits(model: &RunModel, second: u64) -> String {
        model.status(Millis(second * 1_000)).waiting.unwrap()
    }

    fn turn(text: &str, input: u64, output: u64) -> [(u64, Event); 3] {
        let usage = Usage {
            input,
            output,
            ..Usage::default()
        };
        let turn = Turn {
            text: text.into(),
            usage,
            ..Turn::default()
        };
        [
            (1, Event::Said(Message::assistant(&turn))),
            (1, Event::Used(usage)),
            (1, Event::Waits(Waiting::Model)),
        ]
    }

    #[test]
    fn a_wait_before_another_try_counts_down_each_second() {
        let retry = Waiting::Retry {
            after: Millis(2_500),
            attempt: 2,
            of: 4,
            reason: "429".into(),
        };
        let model = run(&[(10, Event::Waits(retry))]);
        let all: Vec<_> = [10, 11, 12, 13].map(|second| waits(&model, second)).into();
        assert_eq!(
            all,
            [
                "429: asks again in 3 s (try 2 of 4)",
                "429: asks again in 2 s (try 2 of 4)",
                "429: asks again in 1 s (try 2 of 4)",
                "429: asked again (try 2 of 4)",
            ]
        );
    }

    #[test]
    fn what_arrives_is_counted_and_a_turn_asked_anew_begins_at_none() {
        let text = |text: &str| Event::Streamed(Delta::Text(text.into()));
        let mut model = run(&[
            (0, Event::TurnBegan(1)),
            (0, Event::Waits(Waiting::Model)),
            (1, text("äö")),
            (2, text("ü")),
        ]);
        assert_eq!(waits(&model, 2), "the model writes, 3 characters so far");
        model.apply(Millis(2_000), &Event::Switched("a -> b".into()));
        assert_eq!(waits(&model, 4), "waiting for the model, 4 s");
    }

    #[test]
    fn a_model_that_took_more_tokens_than_it_showed_hides_its_reasoning() {
        assert_eq!(
            waits(&run(&turn("Moved.", 100, 900)), 31),
            "waiting for the model, 30 s; this model does not show its reasoning"
        );
        assert_eq!(
            waits(&run(&turn(&"word ".repeat(300), 100, 400)), 31),
            "waiting for the model, 30 s"
        );
    }

    #[test]
    fn the_clock_stands_still_in_a_pause() {
        let mut model = run(&[
            (5, Event::Waits(Waiting::Model)),
            (10, Event::Waits(Waiting::Person)),
        ]);
        assert_eq!(model.status(Millis(4_000_000)).elapsed, Millis(10_000));
        model.apply(Millis(4_000_000), &Event::Waits(Waiting::Model));
        assert_eq!(model.status(Millis(4_001_000)).elapsed, Millis(11_000));
        assert_eq!(
            waits(&model, 4_001),
            "waiting for the model",
            "a pause does not bring the time limit nearer"
        );
    }

    #[test]
    fn past_the_time_limit_what_is_under_way_may_finish() {
        let model = run(&[(1_799, Event::Waits(Waiting::Tool("check_plan".into())))]);
        assert_eq!(waits(&model, 1_800), "waiting for the answer to check_plan");
        assert_eq!(
            waits(&model, 1_805),
            "waiting for the answer to check_plan, 6 s; the time limit has passed, and what is under \
             way may still finish"
        );
    }

    #[test]
    fn money_is_told_so_far_and_in_all() {
        let mut model = run(&turn("Moved.", 10_000, 2_000));
        let status = model.status(Millis(2_000));
        assert_eq!(status.money, "$0.030 so far, limit $2.00");
        assert_eq!(status.tokens, "12,000 tokens");
        // It is stopped while the model makes another turn, which costs something too.
        let ended = Event::Ended {
            reason: EndReason::Stopped,
            reward: 0.0,
            last: crate::rollout::Final::default(),
            at: Millis(3_000),
        };
        model.apply(Millis(3_000), &ended);
        assert_eq!(model.status(Millis(9_000)).money, "at least $0.030 in all");
    }
}
