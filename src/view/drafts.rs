//! The plans of a run, read and checked by the page: what the chart, the problems panel and the
//! grade card show. In: rollout events. Out: [`Drafts`].
//!
//! The task comes from the built-in pack when the page knows it, else from the situation text;
//! where neither gives one, plans are kept as entries. The environment's verdict is kept beside the
//! page's own: where they differ the environment is right, and [`Draft::differs`] says so.
//! Tasks and drafts never change once made and are large: they are shared (`Arc`), so that a signal
//! can hold them and a screen can compare them by a glance at the list.

use crate::berth::{self, Check, Checker, Plan, PlanProblem, Task, situation};
use crate::rollout::{Event, Message, Step};
use crate::wire::json::compact;
use serde_json::Value;
use std::sync::Arc;

/// What the environment said of a draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Feasible, if it said.
    pub feasible: Option<bool>,
    /// Cost, if it said.
    pub cost: Option<i64>,
    /// Reward, for a submitted plan.
    pub reward: Option<f64>,
    /// Its violations as it words them: ship (if a number), kind (if given), text.
    pub problems: Vec<(Option<usize>, String, String)>,
    /// Entries that it could not use, in its words.
    pub entry_problems: Vec<String>,
    /// Checks left, if it said.
    pub checks_left: Option<u32>,
    /// The plan was refused as a whole, in its words.
    pub error: Option<String>,
}

/// One plan that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// From 1.
    pub number: usize,
    /// Model turn, from 1.
    pub turn: u32,
    /// Whether this is the plan handed in.
    pub submitted: bool,
    /// As sent.
    pub raw: Value,
    /// As read by the page.
    pub plan: Plan,
    /// Entries that the page could not use, or why the whole plan is unreadable.
    pub problems: Vec<PlanProblem>,
    /// Why the whole plan is unreadable.
    pub unreadable: Option<berth::ParseError>,
    /// The page's own check; none when the task is not known.
    pub check: Option<Check>,
    /// The environment's verdict.
    pub verdict: Verdict,
}

impl Draft {
    /// The page and the environment disagree on feasibility or cost.
    pub fn differs(&self) -> bool {
        let Some(check) = &self.check else {
            return false;
        };
        if self.unreadable.is_some() {
            return false;
        }
        let feasible = check.feasible && self.problems.is_empty();
        self.verdict
            .feasible
            .is_some_and(|theirs| theirs != feasible)
            || matches!((self.verdict.cost, check.cost), (Some(theirs), Some(ours)) if theirs != ours)
    }

    /// Problems in all, by the environment's count where it gave one, else by the page's.
    pub fn problem_count(&self) -> usize {
        if self.verdict.feasible.is_some() {
            self.verdict.problems.len() + self.verdict.entry_problems.len()
        } else {
            self.check
                .as_ref()
                .map_or(0, |check| check.violations.len())
                + self.problems.len()
        }
    }
}

/// A run's task and plans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drafts {
    /// The task as the page knows it.
    pub task: Option<Arc<Task>>,
    /// Lines of the situation text that the page could not read, or facts that it lacks.
    pub unread: Vec<String>,
    /// What was filled in because the text does not carry it.
    pub assumed: Vec<String>,
    /// The task comes from the built-in pack, so the plan can be graded here.
    pub known: bool,
    /// The published plan and its check.
    pub published: Option<Arc<(Plan, Check)>>,
    /// The plans sent, in order.
    pub drafts: Vec<Arc<Draft>>,
}

impl Drafts {
    /// Drafts of a run on a task that the page knows.
    pub fn of_task(task: Arc<Task>) -> Self {
        let mut drafts = Self {
            known: true,
            ..Self::default()
        };
        drafts.set_task(task);
        drafts
    }

    /// Whether both are the same, at a glance: what never changes once made is not looked into.
    pub fn same(&self, other: &Self) -> bool {
        fn one<T>(ours: Option<&Arc<T>>, theirs: Option<&Arc<T>>) -> bool {
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => Arc::ptr_eq(ours, theirs),
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            }
        }
        let mut pairs = self.drafts.iter().zip(&other.drafts);
        self.drafts.len() == other.drafts.len()
            && pairs.all(|(ours, theirs)| Arc::ptr_eq(ours, theirs))
            && one(self.task.as_ref(), other.task.as_ref())
            && one(self.published.as_ref(), other.published.as_ref())
            && self.known == other.known
            && self.unread == other.unread
            && self.assumed == other.assumed
    }

    fn set_task(&mut self, task: Arc<Task>) {
        let plan = berth::baseline::published(&task);
        let check = Checker::new(&task).check(&plan);
        self.published = Some(Arc::new((plan, check)));
        self.task = Some(task);
    }

    /// Takes one event in.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Opened { metadata, .. } => {
                if let Some(Value::String(text)) = metadata.get("situation") {
                    self.read_situation(text);
                }
            }
            Event::Said(Message::User { content, .. }) => self.read_situation(content),
            Event::Stepped(step) => self.step(step),
            _ => {}
        }
    }

    /// The first text that reads as a situation gives the task.
    fn read_situation(&mut self, text: &str) {
        if self.task.is_some() {
            return;
        }
        match situation::read(text) {
            Ok(found) => {
                self.unread = found.unread;
                self.assumed = found.assumed;
                self.set_task(Arc::new(found.task));
            }
            Err(problem) => {
                if self.unread.is_empty() {
                    self.unread.push(problem.to_string());
                }
            }
        }
    }

    fn step(&mut self, step: &Step) {
        let mut draft = Draft {
            number: self.drafts.len() + 1,
            turn: step.turn,
            submitted: step.tool == "submit_plan",
            raw: step.plan.clone(),
            plan: Plan::default(),
            problems: Vec::new(),
            unreadable: None,
            check: None,
            verdict: verdict(&step.result),
        };
        if let Some(task) = &self.task {
            match berth::plan::read(&step.plan, task) {
                Ok(reading) => {
                    draft.plan = reading.plan;
                    draft.problems = reading.problems;
                }
                Err(error) => {
                    draft.plan = Plan::empty(task.ships.len());
                    draft.unreadable = Some(error);
                }
            }
            draft.check = Some(Checker::new(task).check(&draft.plan));
        }
        self.drafts.push(Arc::new(draft));
    }
}

/// Reads a tool result in the reference's keys; whatever is missing stays unknown.
pub fn verdict(result: &Value) -> Verdict {
    let texts = |key: &str| -> Vec<&Value> {
        result
            .get(key)
            .and_then(Value::as_array)
            .map(|list| list.iter().collect())
            .unwrap_or_default()
    };
    let text_of = |value: &Value| -> String {
        match value {
            Value::String(text) => text.clone(),
            Value::Object(map) => map
                .get("problem")
                .and_then(Value::as_str)
                .map_or_else(|| compact(value), str::to_owned),
            other => compact(other),
        }
    };
    Verdict {
        feasible: result.get("feasible").and_then(Value::as_bool),
        cost: result.get("cost").and_then(Value::as_i64),
        reward: result.get("reward").and_then(Value::as_f64),
        problems: texts("violations")
            .into_iter()
            .map(|violation| {
                let ship = violation
                    .get("ship")
                    .and_then(Value::as_u64)
                    .map(|ship| ship as usize);
                let kind = violation
                    .get("kind")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                (ship, kind.to_owned(), text_of(violation))
            })
            .collect(),
        entry_problems: texts("entry_problems").into_iter().map(text_of).collect(),
        checks_left: result
            .get("checks_left")
            .and_then(Value::as_u64)
            .and_then(|n| n.try_into().ok()),
        error: result.get("error").map(text_of),
    }
}
