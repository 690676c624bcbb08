//! What the session and the model say, phase by phase, and the one way out.
//!
//! The last arm of each match is the guard: what was ordered in an earlier phase may still answer,
//! and nobody listens.

use super::opening::{self, Opening};
use super::spend::Spend;
use super::turn::Talk;
use super::{Episode, Failure, MakeModel, Out, Phase, Words};
use crate::chat::ToolSpec;
use crate::env::{Awaited, SessionEvent};
use crate::provider::ModelEvent;
use crate::rollout::{EndReason, Event, Message, Waiting};
use serde_json::{Map, Value};

impl Episode {
    pub(super) fn on_session(
        &mut self,
        phase: Phase,
        event: SessionEvent,
        out: &mut Out<'_>,
    ) -> Phase {
        match (phase, event) {
            (Phase::Over, _) => Phase::Over,
            (phase, SessionEvent::Failed(error)) => self.fail(phase, error.into(), out),
            (Phase::Opening(make_model), SessionEvent::Waiting(awaited)) => {
                match awaited {
                    Awaited::Connection => out.say(Event::Waits(Waiting::Connection)),
                    Awaited::Reset => out.say(Event::Waits(Waiting::Reset)),
                    Awaited::Tools => out.say(Event::Waits(Waiting::Tools)),
                    Awaited::Call => {}
                }
                Phase::Opening(make_model)
            }
            (
                Phase::Opening(make_model),
                SessionEvent::Ready {
                    metadata,
                    observation,
                    tools,
                },
            ) => self.open(make_model, &metadata, &observation, &tools, out),
            (Phase::Calling(talk, calls), SessionEvent::Answer(answer)) => {
                self.answered(talk, calls, answer, out)
            }
            (phase, _late) => phase,
        }
    }

    fn open(
        &mut self,
        make_model: MakeModel,
        metadata: &Map<String, Value>,
        observation: &Map<String, Value>,
        tools: &[ToolSpec],
        out: &mut Out<'_>,
    ) -> Phase {
        let words = Words::for_tools(tools);
        let fallback = self.setup.fallback_instructions.as_deref();
        let opening = opening::read(metadata, observation, fallback, words);
        out.say(Event::Opened {
            metadata: metadata.clone(),
            tools: tools.to_vec(),
        });
        if tools.is_empty() {
            return self.fail(Phase::Opening(make_model), Failure::NoTools, out);
        }
        let Some(Opening { system, user }) = opening else {
            return self.fail(Phase::Opening(make_model), Failure::NoInstructions, out);
        };
        let mut model = make_model(&system, tools);
        model.user(&user);
        let mut spend = Spend::new(&self.setup);
        spend.text(&system);
        spend.text(&user);
        spend.tools(tools);
        out.say(Event::Said(Message::system(system)));
        out.say(Event::Said(Message::user(user)));
        self.next_turn(Talk::new(model, spend, words), out)
    }

    pub(super) fn on_model(&mut self, phase: Phase, event: ModelEvent, out: &mut Out<'_>) -> Phase {
        match (phase, event) {
            (Phase::Asking(mut talk), ModelEvent::Delta(delta)) => {
                if std::mem::take(&mut talk.backs_off) {
                    out.say(Event::Waits(Waiting::Model));
                }
                out.say(Event::Streamed(delta));
                Phase::Asking(talk)
            }
            (
                Phase::Asking(mut talk),
                ModelEvent::Retry {
                    after,
                    attempt,
                    of,
                    reason,
                },
            ) => {
                talk.backs_off = true;
                out.say(Event::Waits(Waiting::Retry {
                    after,
                    attempt,
                    of,
                    reason,
                }));
                Phase::Asking(talk)
            }
            (Phase::Asking(talk), ModelEvent::Switched(how)) => {
                out.say(Event::Switched(how));
                Phase::Asking(talk)
            }
            (Phase::Asking(talk), ModelEvent::Turn(turn)) => self.said(talk, turn, out),
            (Phase::Asking(talk), ModelEvent::Failed(error)) => {
                self.fail(Phase::Asking(talk), Failure::Model(error), out)
            }
            (phase, _late) => phase,
        }
    }

    fn fail(&mut self, phase: Phase, failure: Failure, out: &mut Out<'_>) -> Phase {
        out.say(Event::Erred(failure.line()));
        self.failure = Some(failure);
        self.end(phase, EndReason::Error, out)
    }

    /// The one way out of every phase: gives up what is open and says the ending.
    pub(super) fn end(&mut self, phase: Phase, reason: EndReason, out: &mut Out<'_>) -> Phase {
        match phase {
            Phase::Over => return Phase::Over,
            Phase::New(_) | Phase::Opening(_) => {}
            Phase::Paused(mut talk) | Phase::Asking(mut talk) | Phase::Calling(mut talk, _) => {
                talk.model.cancel(out.io);
            }
        }
        self.clock.stop(out.io);
        self.session.close(out.io);
        out.say(Event::Ended {
            reason,
            reward: self.reward,
            last: std::mem::take(&mut self.last),
            at: out.io.now,
        });
        Phase::Over
    }
}
