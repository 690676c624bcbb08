//! The loop: observation → model → tools → record, with limits, notes, nudges and Stop.
//!
//! [`Episode`] drives one [`Session`] and one [`Model`], both machines of their own, and appends
//! every fact as a rollout [`Event`]. Everything that waits has an end: a time-out, the wall clock
//! (`clock.rs`), or a person. Whatever ends it, the session is closed, the model's turn given up,
//! and exactly one [`Event::Ended`] said; what arrives later changes nothing.
//!
//! One file per part: `answers.rs` hears the two parties, `opening.rs` reads the environment's first
//! answer, `turn.rs` takes turns and calls, `spend.rs` keeps the bill, `words.rs` holds the sentences
//! said to the model, `failure.rs` what can go wrong.

mod answers;
mod clock;
mod failure;
mod opening;
mod spend;
mod turn;
mod words;

#[cfg(test)]
mod tests;

pub use failure::Failure;
pub use words::{CHECK, EPISODE_OVER, SUBMIT, Words, turns_left};

use crate::chat::ToolSpec;
use crate::env::{Reset, Session, TaskRef};
use crate::provider::Model;
use crate::provider::price::Price;
use crate::rollout::{EndReason, Event, Final, Place, Waiting};
use crate::settings::Limits;
use crate::wire::{Input, Io};
use clock::Clock;
use turn::{Calls, Talk};

/// What a person may order while an episode runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// End now: everything open is given up.
    Stop,
    /// Hold before the next turn.
    Pause,
    /// Go on after a pause.
    Resume,
}

/// What an episode needs to begin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setup {
    /// The model's spec, for the record.
    pub model_spec: String,
    /// What to ask the environment for.
    pub reset: Reset,
    /// Limits.
    pub limits: Limits,
    /// What the model costs; without it the spend limit counts tokens.
    pub price: Option<Price>,
    /// Used when the environment gives no instructions.
    pub fallback_instructions: Option<String>,
    /// Where it takes place, for the rollout.
    pub place: Place,
}

/// Makes the model once the environment's instructions and tools are known.
pub type MakeModel = Box<dyn FnOnce(&str, &[ToolSpec]) -> Box<dyn Model>>;

/// What an episode is doing.
#[derive(Default)]
enum Phase {
    /// Nothing yet; from `new` until `start`.
    New(MakeModel),
    /// The session connects, resets and lists tools; from `start` until it is ready.
    Opening(MakeModel),
    /// A person holds it, before a turn.
    Paused(Talk),
    /// The model makes a turn.
    Asking(Talk),
    /// The environment answers a call of the turn.
    Calling(Talk, Calls),
    /// Ended. Also what stands here while a step is being taken.
    #[default]
    Over,
}

/// Where orders and facts of one step go.
struct Out<'a> {
    io: &'a mut Io,
    events: &'a mut Vec<Event>,
}

impl Out<'_> {
    fn say(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// One episode, from connecting to its record's last line.
pub struct Episode {
    setup: Setup,
    session: Box<dyn Session>,
    phase: Phase,
    clock: Clock,
    hold: bool,
    reward: f64,
    last: Final,
    failure: Option<Failure>,
}

impl Episode {
    /// An episode that has not begun.
    pub fn new(setup: Setup, session: Box<dyn Session>, make_model: MakeModel) -> Self {
        Self {
            clock: Clock::new(&setup.limits),
            setup,
            session,
            phase: Phase::New(make_model),
            hold: false,
            reward: 0.0,
            last: Final::default(),
            failure: None,
        }
    }

    /// Begins: opens the session. Once only.
    pub fn start(&mut self, io: &mut Io, events: &mut Vec<Event>) {
        let out = &mut Out { io, events };
        self.step(|episode, phase| match phase {
            Phase::New(make_model) => {
                episode.announce(out);
                out.say(Event::Waits(Waiting::Connection));
                episode.session.begin(out.io, &episode.setup.reset);
                Phase::Opening(make_model)
            }
            begun => begun,
        });
    }

    /// Takes an input that may belong to the session, the model or the clock.
    pub fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<Event>) {
        if matches!(self.phase, Phase::New(_) | Phase::Over) {
            return;
        }
        let out = &mut Out { io, events };
        if let Input::Timer(timer) = input
            && let Some(time_is_up) = self.clock.rings(out.io, *timer)
        {
            if time_is_up {
                self.step(|episode, phase| episode.end(phase, EndReason::WallClock, out));
            }
            return;
        }
        let mut said = Vec::new();
        self.session.handle(out.io, input, &mut said);
        for event in said {
            self.step(|episode, phase| episode.on_session(phase, event, out));
        }
        let mut said = Vec::new();
        if let Phase::Asking(talk) = &mut self.phase {
            talk.model.handle(out.io, input, &mut said);
        }
        for event in said {
            self.step(|episode, phase| episode.on_model(phase, event, out));
        }
    }

    /// Carries out what a person ordered.
    pub fn command(&mut self, io: &mut Io, command: Command, events: &mut Vec<Event>) {
        let out = &mut Out { io, events };
        match command {
            Command::Stop => self.step(|episode, phase| {
                if let Phase::New(_) = phase {
                    episode.announce(out);
                }
                episode.end(phase, EndReason::Stopped, out)
            }),
            Command::Pause => self.hold = true,
            Command::Resume => {
                self.hold = false;
                self.step(|episode, phase| match phase {
                    Phase::Paused(talk) => {
                        episode.clock.resume(out.io);
                        episode.next_turn(talk, out)
                    }
                    running => running,
                });
            }
        }
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// Whether a person holds it now.
    pub fn is_paused(&self) -> bool {
        matches!(self.phase, Phase::Paused(_))
    }

    /// Whether it will hold before the next turn, or holds already.
    pub fn will_pause(&self) -> bool {
        self.hold && !self.is_over()
    }

    /// Why it failed, once it ended with an error. The page offers a text box for
    /// [`Failure::NoInstructions`].
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Takes the phase out, and puts back the one that follows.
    fn step(&mut self, next: impl FnOnce(&mut Self, Phase) -> Phase) {
        let phase = std::mem::take(&mut self.phase);
        self.phase = next(self, phase);
    }

    fn announce(&mut self, out: &mut Out<'_>) {
        self.clock.start(out.io);
        let reset = &self.setup.reset;
        out.say(Event::Started {
            model: self.setup.model_spec.clone(),
            task_id: match &reset.task {
                TaskRef::Id(id) => id.clone(),
                TaskRef::Index { .. } | TaskRef::Unnamed => String::new(),
            },
            episode_id: reset.episode_id.clone(),
            at: out.io.now,
            turns: self.setup.limits.turns,
            place: self.setup.place.clone(),
        });
    }
}
