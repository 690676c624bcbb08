//! Folding events into what a page shows and a file holds.

use super::time::{tenths, utc_text};
use super::{EndReason, Event, Message, Place, Record, Waiting};
use crate::chat::{Delta, ToolSpec};
use crate::wire::Millis;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A tool call while the model is still writing it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveCall {
    /// The tool's name, once known.
    pub name: String,
    /// Argument text so far.
    pub arguments: String,
}

/// A model turn while it arrives. It is for display; the message that follows is what counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// Turn, from 1.
    pub turn: u32,
    /// Text so far.
    pub text: String,
    /// Reasoning so far.
    pub reasoning: String,
    /// Calls so far, by their position in the turn.
    pub calls: BTreeMap<usize, LiveCall>,
}

impl Live {
    fn of_turn(turn: u32) -> Self {
        Self {
            turn,
            ..Self::default()
        }
    }

    fn add(&mut self, delta: &Delta) {
        match delta {
            Delta::Text(more) => self.text.push_str(more),
            Delta::Reasoning(more) => self.reasoning.push_str(more),
            Delta::Call {
                index,
                name,
                arguments,
            } => {
                let call = self.calls.entry(*index).or_default();
                if let Some(name) = name {
                    call.name.clone_from(name);
                }
                call.arguments.push_str(arguments);
            }
        }
    }

    /// Whether nothing has arrived yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }
}

/// An episode as far as it has come. The record is a valid file at every moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rollout {
    /// The file.
    pub record: Record,
    /// The model turn under way.
    pub live: Option<Live>,
    /// What arrived of a turn that never came to its end; set when the run ended in the middle.
    pub unfinished: Option<Live>,
    /// What the run waits for.
    pub waiting: Option<Waiting>,
    /// Tools of the environment.
    pub tools: Vec<ToolSpec>,
    /// Metadata of the environment's first answer.
    pub metadata: Map<String, Value>,
    /// Where it takes place.
    pub place: Place,
    /// The turn under way or the last one, from 1; 0 before the first.
    pub turn: u32,
    /// Most turns; 0 when not known (an imported file).
    pub most_turns: u32,
    /// When it began; 0 when not known.
    pub started: Millis,
    /// Why it ended; `None` while it runs.
    pub ended: Option<EndReason>,
}

impl Rollout {
    /// All events of an episode, from its first.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut rollout = Self::default();
        for event in events {
            rollout.apply(event);
        }
        rollout
    }

    /// A rollout that is not running: one from a file or a link.
    pub fn from_record(record: Record) -> Self {
        Self {
            ended: record.end_reason.as_deref().map(EndReason::parse),
            turn: record.turns,
            started: super::utc_moment(&record.started).unwrap_or_default(),
            place: Place {
                server: String::new(),
                task: record.task_id.clone(),
            },
            record,
            ..Self::default()
        }
    }

    /// Takes the next event. What follows an ending changes nothing.
    pub fn apply(&mut self, event: &Event) {
        if self.ended.is_some() {
            return;
        }
        match event {
            Event::Started {
                model,
                task_id,
                episode_id,
                at,
                turns,
                place,
            } => {
                self.record.model.clone_from(model);
                self.record.task_id.clone_from(task_id);
                self.record.episode_id.clone_from(episode_id);
                self.record.started = utc_text(*at);
                self.started = *at;
                self.most_turns = *turns;
                self.place = place.clone();
            }
            Event::Opened { metadata, tools } => self.open(metadata, tools),
            Event::Said(message) => self.say(message),
            Event::TurnBegan(turn) => {
                self.turn = *turn;
                self.live = Some(Live::of_turn(*turn));
            }
            Event::Streamed(delta) => {
                let turn = self.turn;
                self.live
                    .get_or_insert_with(|| Live::of_turn(turn))
                    .add(delta);
            }
            Event::Used(usage) => self.record.usage += *usage,
            Event::Stepped(step) => self.record.steps.push(step.clone()),
            Event::Waits(waiting) => {
                if matches!(waiting, Waiting::Retry { .. }) {
                    self.forget_pieces();
                }
                self.waiting = Some(waiting.clone());
            }
            Event::Switched(how) => {
                self.forget_pieces();
                self.record.provider_switches.push(how.clone());
            }
            Event::Erred(error) => self.record.errors.push(error.clone()),
            Event::Ended {
                reason,
                reward,
                last,
                at,
            } => {
                self.record.end_reason = Some(reason.as_str().to_owned());
                self.record.reward = if reward.is_finite() { *reward } else { 0.0 };
                self.record.last = last.clone();
                self.record.seconds = tenths(at.since(self.started));
                self.unfinished = self.live.take().filter(|live| !live.is_empty());
                self.waiting = None;
                self.ended = Some(reason.clone());
            }
        }
    }

    fn open(&mut self, metadata: &Map<String, Value>, tools: &[ToolSpec]) {
        // A task asked for by position, or not named at all, has a name once the environment says it.
        if let (true, Some(Value::String(id))) =
            (self.record.task_id.is_empty(), metadata.get("task_id"))
        {
            self.record.task_id.clone_from(id);
        }
        self.metadata.clone_from(metadata);
        tools.clone_into(&mut self.tools);
        self.waiting = None;
    }

    fn say(&mut self, message: &Message) {
        match message {
            Message::Assistant { .. } => {
                self.record.turns = self.record.turns.saturating_add(1);
                self.live = None;
                self.waiting = None;
            }
            Message::Tool { .. } => self.waiting = None,
            Message::System { .. } | Message::User { .. } | Message::Other(_) => {}
        }
        self.record.messages.push(message.clone());
    }

    /// The turn is asked for anew, so what had arrived of it does not count.
    fn forget_pieces(&mut self) {
        if let Some(live) = &mut self.live {
            *live = Live::of_turn(live.turn);
        }
    }
}
