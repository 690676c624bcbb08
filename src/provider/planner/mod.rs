//! The demonstration planner as a model: `demo:planner`, which needs no key and no network.
//!
//! It plays by the rules of every other model: it reads the instructions and the situation *text*,
//! offers drafts to `check_plan`, takes the server's word over its own, and hands in with
//! `submit_plan`. Its thinking is [`berth::planner`](crate::berth::planner), cut into slices: each
//! slice is one timer of no length, so the page draws in between and Stop works at once.
//!
//! A conversation: the published plan repaired in haste → check → the best plan of a search →
//! check → perhaps a third from a second, shorter search → submit. When checks or turns run short
//! the first draft is left out, then the checks. If the server objects to what the text allows, the
//! slots in question are avoided and the search starts again.
//!
//! Knows the three tools by name and nothing of the environment behind them.

mod mind;
mod verdict;
mod words;

use super::{Model, ModelEvent, ToolResult};
use crate::berth::planner::Planner;
use crate::berth::{Plan, situation};
use crate::chat::{Delta, ToolCall, ToolSpec, Turn, Usage};
use crate::wire::json::compact;
use crate::wire::{Input, Io, Millis, TimerId};
use mind::Mind;
use serde_json::{Value, json};

/// Units of search in one slice: 1 to 2 ms natively at full optimisation, some 8 in a page.
const SLICE: u64 = 60_000;
/// Most improvements told in one turn's reasoning.
const MOST_TOLD: u32 = 24;
/// Submissions tried before it gives up.
const MOST_SUBMISSIONS: u32 = 2;

const CHECK: &str = "check_plan";
const SUBMIT: &str = "submit_plan";
const SITUATION: &str = "get_situation";

/// The demonstration planner in conversation.
#[derive(Debug)]
pub struct PlannerModel {
    tools: Tools,
    /// Plans go out as JSON text, because the tool takes nothing else.
    as_text: bool,
    seed: u64,
    mind: Option<Mind>,
    /// Why the latest text gave no task.
    unreadable: String,
    asked: bool,
    submissions: u32,
    checks_left: Option<u32>,
    turns_left: Option<u32>,
    calls: u32,
    /// The draft whose check is awaited.
    awaited: Option<Plan>,
    work: Option<Work>,
}

/// Which of the tools it knows the environment has.
#[derive(Clone, Copy, Debug)]
struct Tools {
    check: bool,
    submit: bool,
    situation: bool,
}

/// A turn being made.
#[derive(Debug)]
struct Work {
    timer: TimerId,
    job: Job,
    /// Slices done.
    slices: u32,
    /// Improvements told.
    told: u32,
    turn: Turn,
}

#[derive(Debug)]
enum Job {
    /// Repair the published plan and have it checked.
    Repair,
    /// Search, then decide.
    Search(Box<Planner>),
    /// Hand in what is confirmed.
    Submit,
    /// Ask for the situation.
    Ask,
    /// Say that it cannot go on.
    GiveUp(String),
}

impl PlannerModel {
    /// A planner for one conversation. `instructions` may name the number of checks; `tools` are
    /// the environment's; another `seed` searches elsewhere.
    pub fn new(instructions: &str, tools: &[ToolSpec], seed: u64) -> Self {
        let has = |name: &str| tools.iter().any(|tool| tool.name == name);
        let kind = tools
            .iter()
            .find(|tool| tool.name == SUBMIT)
            .and_then(|tool| tool.input_schema.pointer("/properties/plan/type"));
        Self {
            tools: Tools {
                check: has(CHECK),
                submit: has(SUBMIT),
                situation: has(SITUATION),
            },
            as_text: kind.and_then(Value::as_str) == Some("string"),
            seed,
            mind: None,
            unreadable: "no message holds a situation".to_owned(),
            asked: false,
            submissions: 0,
            checks_left: verdict::number_before(instructions, "check"),
            turns_left: None,
            calls: 0,
            awaited: None,
            work: None,
        }
    }

    /// Looks for a situation in what was said.
    fn look(&mut self, text: &str) {
        match situation::read(text) {
            Ok(situation) => self.mind = Some(Mind::new(situation, self.seed)),
            Err(error) => self.unreadable = error.to_string(),
        }
    }

    /// Whether a draft can be checked and another turn follows.
    fn may_check(&self) -> bool {
        self.tools.check && self.checks_left != Some(0) && !self.is_last_turn()
    }

    fn is_last_turn(&self) -> bool {
        self.turns_left.is_some_and(|left| left <= 1)
    }

    fn next_job(&self) -> Job {
        let may_check = self.may_check();
        let short = self.turns_left.is_some_and(|left| left <= 2) || self.checks_left == Some(1);
        let Some(mind) = &self.mind else {
            if self.tools.situation && !self.asked {
                return Job::Ask;
            }
            let why = &self.unreadable;
            return Job::GiveUp(format!("I cannot plan this: {why}."));
        };
        if !self.tools.submit && (!may_check || mind.is_settled()) {
            return Job::GiveUp("I cannot hand a plan in: there is no submit_plan.".to_owned());
        }
        if self.submissions >= MOST_SUBMISSIONS {
            return Job::GiveUp("My submission was refused, and I have no other.".to_owned());
        }
        if mind.drafts == 0 && may_check && !short {
            return Job::Repair;
        }
        if mind.is_settled() {
            return Job::Submit;
        }
        Job::Search(Box::new(mind.search()))
    }

    /// Goes on with the job; the work again when it is not done.
    fn go_on(&mut self, mut work: Work, events: &mut Vec<ModelEvent>) -> Option<Work> {
        let may_check = self.may_check();
        match &mut work.job {
            Job::Search(planner) => {
                let before = planner.progress();
                let progress = planner.step(SLICE);
                work.slices += 1;
                if let Some(cost) = progress.cost
                    && progress.cost != before.cost
                    && work.told < MOST_TOLD
                {
                    work.told += 1;
                    let slice = work.slices;
                    work.reason(&format!("Slice {slice}: cost {cost}."), events);
                }
                if !progress.done {
                    return Some(work);
                }
                self.conclude(work, may_check, events);
            }
            Job::Repair => {
                if let Some(mind) = &mut self.mind {
                    for doubt in std::mem::take(&mut mind.doubts) {
                        work.reason(&doubt, events);
                    }
                    let plan = mind.first_draft();
                    let text = mind.present(&plan);
                    self.check(work, plan, &text, events);
                }
            }
            Job::Submit => self.submit(work, None, events),
            Job::Ask => {
                self.asked = true;
                let why = &self.unreadable;
                let text = format!("I have no task yet ({why}). Asking for it.");
                self.call(work, SITUATION, &json!({}), &text, events);
            }
            Job::GiveUp(text) => {
                let text = std::mem::take(text);
                work.say(&text, events);
                "end_turn".clone_into(&mut work.turn.stop);
                events.push(ModelEvent::Turn(work.turn));
            }
        }
        None
    }

    /// After a search: another draft, or the end.
    fn conclude(&mut self, mut work: Work, may_check: bool, events: &mut Vec<ModelEvent>) {
        let (Job::Search(planner), Some(mind)) = (&work.job, &mut self.mind) else {
            return;
        };
        let plan = mind.found(planner);
        let progress = planner.progress();
        let summary = format!(
            "Searched {} slices: {} changes tried, {} improvements; no plan costs less than {}.",
            work.slices,
            progress.changes,
            progress.improvements,
            planner.bound()
        );
        let doubts = std::mem::take(&mut mind.doubts);
        for line in doubts.iter().chain([&summary]) {
            work.reason(line, events);
        }
        if may_check && mind.is_better(&plan) && !mind.is_hopeless(&plan) {
            let text = mind.present(&plan);
            self.check(work, plan, &text, events);
        } else {
            self.submit(work, Some(plan), events);
        }
    }

    fn check(&mut self, work: Work, plan: Plan, text: &str, events: &mut Vec<ModelEvent>) {
        let arguments = self.arguments(&plan);
        self.awaited = Some(plan);
        self.call(work, CHECK, &arguments, text, events);
    }

    fn submit(&mut self, work: Work, candidate: Option<Plan>, events: &mut Vec<ModelEvent>) {
        let Some(mind) = &self.mind else {
            return;
        };
        let (plan, text) = mind.final_plan(candidate);
        self.submissions += 1;
        let arguments = self.arguments(&plan);
        self.call(work, SUBMIT, &arguments, &text, events);
    }

    fn arguments(&self, plan: &Plan) -> Value {
        let task = self.mind.as_ref().map(Mind::task);
        let plan = task.map_or(Value::Null, |task| plan.to_json(task));
        if self.as_text {
            json!({"plan": compact(&plan)})
        } else {
            json!({"plan": plan})
        }
    }

    /// Ends the turn with a tool call.
    fn call(
        &mut self,
        mut work: Work,
        tool: &str,
        arguments: &Value,
        text: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        work.say(text, events);
        self.calls += 1;
        let raw = compact(arguments);
        events.push(ModelEvent::Delta(Delta::Call {
            index: 0,
            name: Some(tool.to_owned()),
            arguments: raw.clone(),
        }));
        let id = format!("planner-{}", self.calls);
        work.turn.calls.push(ToolCall::from_raw(id, tool, raw));
        "tool_calls".clone_into(&mut work.turn.stop);
        work.turn.usage = Usage::default();
        events.push(ModelEvent::Turn(work.turn));
    }
}

impl Work {
    fn say(&mut self, text: &str, events: &mut Vec<ModelEvent>) {
        self.turn.text.push_str(text);
        events.push(ModelEvent::Delta(Delta::Text(text.to_owned())));
    }

    fn reason(&mut self, line: &str, events: &mut Vec<ModelEvent>) {
        let mut line = line.to_owned();
        if !self.turn.reasoning.is_empty() {
            line.insert(0, '\n');
        }
        self.turn.reasoning.push_str(&line);
        events.push(ModelEvent::Delta(Delta::Reasoning(line)));
    }
}

impl Model for PlannerModel {
    fn user(&mut self, text: &str) {
        if verdict::is_last_turn(text) {
            self.turns_left = Some(1);
        }
        if self.mind.is_none() {
            self.look(text);
        }
    }

    fn notes(&mut self, _text: &str) {
        // It is never cut off, so there are no notes of its own to go on from.
    }

    fn results(&mut self, results: &[ToolResult]) {
        for result in results {
            if let Some(left) = verdict::turns_left(&result.text) {
                self.turns_left = Some(left);
            }
            match result.call.name.as_str() {
                SITUATION if self.mind.is_none() => self.look(&result.text),
                CHECK => {
                    let verdict = verdict::read(&result.text);
                    let refused = verdict.error.is_some();
                    if refused && verdict.checks_left.is_none() {
                        self.checks_left = Some(0);
                    } else if verdict.checks_left.is_some() {
                        self.checks_left = verdict.checks_left;
                    }
                    // A plan that could not be read as a list may be read as text.
                    self.as_text |= refused || verdict.entry_problems > 0;
                    if let (Some(plan), Some(mind)) = (self.awaited.take(), &mut self.mind) {
                        mind.learn(&plan, &verdict);
                    }
                }
                SUBMIT => self.as_text |= !verdict::read(&result.text).submitted,
                _ => {}
            }
        }
    }

    fn step(&mut self, io: &mut Io) {
        self.cancel(io);
        let job = self.next_job();
        self.work = Some(Work {
            timer: io.wait(Millis(0)),
            job,
            slices: 0,
            told: 0,
            turn: Turn::default(),
        });
    }

    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<ModelEvent>) {
        let Some(work) = self.work.take_if(|work| *input == Input::Timer(work.timer)) else {
            return;
        };
        if let Some(mut work) = self.go_on(work, events) {
            work.timer = io.wait(Millis(0));
            self.work = Some(work);
        }
    }

    fn cancel(&mut self, io: &mut Io) {
        if let Some(work) = self.work.take() {
            io.cancel_wait(work.timer);
        }
    }
}
