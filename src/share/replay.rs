//! Computes anew what a link left out, where the task is one that the page has: the environment's
//! words, the answers of its tools, and the grade.

use super::SITUATION;
use crate::berth::Task;
use crate::chat::ToolCall;
use crate::env::builtin::BuiltinSession;
use crate::env::{Reset, Session, SessionEvent, TaskRef, ToolAnswer, opening};
use crate::episode::{EPISODE_OVER, SUBMIT, Words};
use crate::rollout::{Message, Record, Step};
use crate::wire::json::{compact, error_text};
use crate::wire::{Effect, Input, Io, Millis};
use serde_json::{Map, Value};

/// A record with its gaps filled.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The record. What it held already is as it was; its reward is the claimed one.
    pub record: Record,
    /// The reward that this page computes for what was submitted; none where nothing was.
    pub reward: Option<f64>,
}

/// Plays a rollout again in the built-in environment, call by call.
///
/// Where a link has turns, their calls are made; where it has plans only, these are sent as lists,
/// or as texts where they are none. Gaps are filled: the first two messages, answers and results
/// that are missing, grade and rubric of a submission. The loop's own answers (arguments that are
/// no JSON, calls after the end) are given as the loop gives them.
pub fn replay(record: &Record, task: &Task) -> Replayed {
    let mut table = Table::new(task, &record.episode_id);
    let mut filled = record.clone();
    let is_turn = |message: &Message| matches!(message, Message::Assistant { .. });
    if record.messages.iter().any(is_turn) {
        filled.messages = table.turns(&record.messages, &mut filled.steps);
    } else {
        table.plans(&mut filled.steps);
    }
    if filled.messages.iter().any(is_turn) && !is_told(record) {
        filled.messages.splice(0..0, table.opening.clone());
    }
    if let (true, Some(submission)) = (filled.last.submitted, &mut table.submission) {
        let metadata = &mut submission.metadata;
        if filled.last.grade.is_null() {
            filled.last.grade = metadata.remove("grade").unwrap_or_default();
            filled.last.rubric = filled.last.rubric.or_else(|| metadata.remove("rubric"));
        }
    }
    Replayed {
        record: filled,
        reward: table.submission.and_then(|submission| submission.reward),
    }
}

/// The built-in environment with somebody at the clock.
struct Table {
    session: BuiltinSession,
    io: Io,
    opening: Vec<Message>,
    over: bool,
    submission: Option<ToolAnswer>,
}

impl Table {
    fn new(task: &Task, episode_id: &str) -> Self {
        let mut table = Self {
            session: BuiltinSession::new(Some(task.clone()), task.task_id.as_str()),
            io: Io::new(Millis(0)),
            opening: Vec::new(),
            over: false,
            submission: None,
        };
        let reset = Reset {
            task: TaskRef::Id(task.task_id.clone()),
            episode_id: episode_id.to_owned(),
        };
        table.session.begin(&mut table.io, &reset);
        if let Some(SessionEvent::Ready { metadata, .. }) = table.settle() {
            let given = opening(&metadata, &Map::new());
            let request = Words::Plans.opening();
            table
                .opening
                .extend(given.instructions.map(Message::system));
            let situation = given.situation.unwrap_or_default();
            table
                .opening
                .push(Message::user(format!("{situation}\n\n{request}")));
        }
        table
    }

    /// Lets the waits end that are asked for, and gives what comes of the last one.
    fn settle(&mut self) -> Option<SessionEvent> {
        let mut events = Vec::new();
        for effect in self.io.take() {
            if let Effect::Wait(timer, _) = effect {
                let input = Input::Timer(timer);
                self.session.handle(&mut self.io, &input, &mut events);
            }
        }
        events.pop()
    }

    /// What the environment answers; none once the episode has ended.
    fn call(&mut self, tool: &str, arguments: &Map<String, Value>) -> Option<String> {
        if self.over {
            return None;
        }
        self.session.call(&mut self.io, tool, arguments);
        let Some(SessionEvent::Answer(answer)) = self.settle() else {
            return None;
        };
        self.over = answer.done;
        let text = answer.text.clone();
        if answer.done && tool == SUBMIT {
            self.submission = Some(answer);
        }
        Some(text)
    }

    /// Sends the plans of a link that has nothing else.
    fn plans(&mut self, steps: &mut [Step]) {
        for step in steps {
            let plan = match &step.plan {
                list if is_list_of_entries(list) => list.clone(),
                Value::String(text) => text.as_str().into(),
                other => compact(other).into(),
            };
            let mut arguments = Map::new();
            arguments.insert("plan".into(), plan);
            let answer = self.call(&step.tool, &arguments);
            fill(step, answer);
        }
    }

    /// Makes the calls of all turns, and puts in the answers that are not there.
    fn turns(&mut self, messages: &[Message], steps: &mut [Step]) -> Vec<Message> {
        let has_answers = messages
            .iter()
            .any(|message| matches!(message, Message::Tool { .. }));
        let mut steps = steps.iter_mut().peekable();
        let mut out = Vec::new();
        for message in messages {
            out.push(message.clone());
            let Message::Assistant { tool_calls, .. } = message else {
                continue;
            };
            // A call whose arguments were left out cannot be made again.
            for call in tool_calls.iter().filter(|call| !call.arguments.is_empty()) {
                let asked = ToolCall::from_raw(&call.id, &call.name, &call.arguments);
                let text = match asked.arguments {
                    Err(error) => error_text(&error.to_string()),
                    Ok(arguments) => match self.call(&call.name, &arguments) {
                        None => error_text(EPISODE_OVER),
                        Some(text) => {
                            if let Some(step) = steps.next_if(|step| step.tool == call.name) {
                                fill(step, Some(text.clone()));
                            }
                            text
                        }
                    },
                };
                if !has_answers {
                    out.push(Message::tool(&call.id, &call.name, text));
                }
            }
        }
        out
    }
}

/// Whether the record has the environment's first words: they are there, or no link has left them out.
fn is_told(record: &Record) -> bool {
    let prompted = |message: &Message| matches!(message, Message::System { .. });
    let left_out = record
        .extra
        .get("shared")
        .and_then(|shared| shared.get("left_out"));
    let left_out = left_out.and_then(Value::as_array);
    let no_situation = left_out.is_some_and(|parts| parts.iter().any(|part| part == SITUATION));
    !no_situation || record.messages.iter().any(prompted)
}

fn fill(step: &mut Step, answer: Option<String>) {
    if let Some(text) = answer.filter(|_| step.result.is_null()) {
        step.result = super::words::result_of(&text);
    }
}

/// Whether a plan is what a call sends as a list: entries that name ship, hour and section.
fn is_list_of_entries(plan: &Value) -> bool {
    let named = |entry: &Value| {
        let fields = ["ship", "berth_hour", "section"];
        fields.iter().all(|field| entry.get(field).is_some())
    };
    plan.as_array()
        .is_some_and(|entries| entries.iter().all(named))
}
