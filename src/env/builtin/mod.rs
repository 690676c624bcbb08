//! The built-in environment: `berth` played inside the page, as a [`Session`] like any other.
//!
//! In: a task, then calls. Out: the same events a server's session has, later and by way of a wait
//! of no length, so that nothing above can tell the difference. `game` holds the rules of play,
//! `offer` the tools and what they take; neither waits for anything.

mod game;
mod offer;
#[cfg(test)]
mod tests;

pub use game::{MAX_CALLS, MAX_CHECKS};

use super::{Reset, Session, SessionError, SessionEvent};
use crate::berth::{Task, situation};
use crate::wire::json::compact;
use crate::wire::{Input, Io, Millis, TimerId};
use game::Game;
use serde_json::{Map, Value};

/// A session with the built-in environment.
#[derive(Debug)]
pub struct BuiltinSession {
    id: String,
    phase: Phase,
}

#[derive(Debug, Default)]
enum Phase {
    /// Not begun; no task when it is not known.
    New(Option<Box<Task>>),
    Starting(TimerId, Option<Box<Game>>),
    Idle(Box<Game>),
    Calling {
        timer: TimerId,
        game: Box<Game>,
        tool: String,
        arguments: Map<String, Value>,
    },
    #[default]
    Over,
}

/// Characters that a model is told before its first turn on a task: instructions, tools, situation.
pub fn characters_told(task: &Task) -> usize {
    let tools = offer::tools(task).into_iter();
    let tools: usize = tools
        .map(|tool| tool.name.len() + tool.description.len() + compact(&tool.input_schema).len())
        .sum();
    situation::instructions(task, MAX_CHECKS, MAX_CALLS).len()
        + situation::write(task).len()
        + tools
}

impl BuiltinSession {
    /// A session that has not begun. `id` is the task's name as it was asked for; without a task
    /// the session begins and fails, as it would on a server.
    pub fn new(task: Option<Task>, id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            phase: Phase::New(task.map(Box::new)),
        }
    }
}

impl Session for BuiltinSession {
    fn begin(&mut self, io: &mut Io, reset: &Reset) {
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::New(task) => {
                let game = task.map(|task| Box::new(Game::new(*task, &reset.episode_id)));
                Phase::Starting(io.wait(Millis(0)), game)
            }
            phase => phase,
        };
    }

    fn call(&mut self, io: &mut Io, tool: &str, arguments: &Map<String, Value>) {
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Idle(game) => Phase::Calling {
                timer: io.wait(Millis(0)),
                game,
                tool: tool.to_owned(),
                arguments: arguments.clone(),
            },
            phase => phase,
        };
    }

    fn handle(&mut self, _io: &mut Io, input: &Input, events: &mut Vec<SessionEvent>) {
        let Input::Timer(ended) = input else { return };
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Starting(timer, Some(game)) if timer == *ended => {
                events.push(SessionEvent::Ready {
                    metadata: game.metadata(),
                    observation: Map::new(),
                    tools: offer::tools(game.task()),
                });
                Phase::Idle(game)
            }
            Phase::Starting(timer, None) if timer == *ended => {
                let id = std::mem::take(&mut self.id);
                events.push(SessionEvent::Failed(SessionError::UnknownTask(id)));
                Phase::Over
            }
            Phase::Calling {
                timer,
                mut game,
                tool,
                arguments,
            } if timer == *ended => {
                events.push(SessionEvent::Answer(game.call(&tool, &arguments)));
                Phase::Idle(game)
            }
            phase => phase,
        };
    }

    fn close(&mut self, io: &mut Io) {
        if let Phase::Starting(timer, _) | Phase::Calling { timer, .. } = self.phase {
            io.cancel_wait(timer);
        }
        self.phase = Phase::Over;
    }
}
