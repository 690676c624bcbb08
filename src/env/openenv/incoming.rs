//! What a session makes of what its socket reports.
//!
//! An answer carries no id, so the phase says what it answers; a frame that fits no phase answers
//! nothing and changes nothing.

use super::answer::{Lost, Observation, is_lost, tool};
use super::frames::{self, Frame, Refusal};
use super::{LIST, OpenEnvSession, Opened, Phase};
use crate::chat::ToolSpec;
use crate::env::{Awaited, SessionError, SessionEvent, ToolAnswer};
use crate::wire::json::{compact, error_text};
use crate::wire::{Io, SocketEvent};
use serde_json::{Map, Value};

impl OpenEnvSession {
    pub(super) fn on_socket(
        &mut self,
        io: &mut Io,
        phase: Phase,
        event: &SocketEvent,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        match (phase, event) {
            (Phase::Connecting { reset, .. }, SocketEvent::Opened) => {
                self.open = true;
                self.send(io, reset);
                self.await_for(io, self.limits.call);
                events.push(SessionEvent::Waiting(Awaited::Reset));
                Phase::Resetting
            }
            (phase, SocketEvent::Text(text)) => {
                self.on_frame(io, phase, frames::read(text), events)
            }
            (_, SocketEvent::Binary(bytes)) => {
                let excerpt = format!("a binary frame of {bytes} bytes");
                self.fail(
                    io,
                    events,
                    SessionError::NotOpenEnv {
                        host: self.host(),
                        excerpt,
                    },
                )
            }
            (phase, SocketEvent::Closed { code, reason }) => {
                self.socket = None;
                let host = self.host();
                let reason = self.last_error.take().unwrap_or_else(|| reason.clone());
                let error = match phase {
                    Phase::Connecting { .. } => SessionError::Unreachable { host },
                    _ => SessionError::Dropped {
                        host,
                        code: *code,
                        reason,
                    },
                };
                self.fail(io, events, error)
            }
            (_, SocketEvent::Refused(reason)) => {
                self.socket = None;
                let reason = frames::excerpt(reason);
                self.fail(
                    io,
                    events,
                    SessionError::Refused {
                        host: self.host(),
                        reason,
                    },
                )
            }
            (phase, SocketEvent::Opened) => phase,
        }
    }

    fn on_frame(
        &mut self,
        io: &mut Io,
        phase: Phase,
        frame: Frame,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        self.last_error = None;
        match (phase, frame) {
            (phase, Frame::Error(refusal)) => self.on_refusal(io, phase, &refusal, events),
            (_, Frame::Foreign(excerpt)) => self.fail(
                io,
                events,
                SessionError::NotOpenEnv {
                    host: self.host(),
                    excerpt,
                },
            ),
            (phase, Frame::Observation(data)) => {
                self.on_observation(io, phase, Observation::from_data(data), events)
            }
            (phase, Frame::Mcp(data)) => self.on_mcp(io, phase, data, events),
            (phase, Frame::State | Frame::Other) => phase,
        }
    }

    fn on_observation(
        &mut self,
        io: &mut Io,
        phase: Phase,
        mut seen: Observation,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        match phase {
            Phase::Resetting => {
                self.send(io, frames::list_tools());
                self.await_for(io, LIST);
                events.push(SessionEvent::Waiting(Awaited::Tools));
                Phase::Listing(Opened {
                    metadata: seen.metadata,
                    observation: seen.fields,
                })
            }
            Phase::Listing(opened) => {
                let failure = seen
                    .metadata
                    .remove("error")
                    .filter(|error| !error.is_null());
                match (seen.tools(), failure) {
                    (Some(tools), None) => self.ready(io, events, opened, tools),
                    (Some(tools), Some(_)) if !tools.is_empty() => {
                        self.ready(io, events, opened, tools)
                    }
                    (_, failure) => {
                        self.ask_mcp(io);
                        let failure = failure.map(|error| match error {
                            Value::String(text) => text,
                            other => compact(&other),
                        });
                        Phase::ListingAgain { opened, failure }
                    }
                }
            }
            // The first way of asking was only slow.
            Phase::ListingAgain { opened, .. } if self.list_owed && seen.is_late_list() => {
                self.list_owed = false;
                self.ready(io, events, opened, seen.tools().unwrap_or_default())
            }
            phase if self.list_owed && seen.is_late_list() => {
                self.list_owed = false;
                phase
            }
            Phase::Calling => match seen.answer() {
                Ok(answer) => {
                    events.push(SessionEvent::Answer(answer));
                    self.idle(io)
                }
                Err(Lost) => self.fail(io, events, self.lost()),
            },
            phase => phase,
        }
    }

    fn on_mcp(
        &mut self,
        io: &mut Io,
        phase: Phase,
        mut data: Map<String, Value>,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        let late = data
            .get("id")
            .and_then(Value::as_u64)
            .is_some_and(|id| id != u64::from(self.asked));
        if late {
            return phase;
        }
        let refused = data
            .get("error")
            .and_then(|error| error.get("message"))
            .and_then(Value::as_str);
        if refused.is_some_and(is_lost) {
            return self.fail(io, events, self.lost());
        }
        match phase {
            Phase::ListingAgain { opened, failure } => {
                let tools = match data
                    .get_mut("result")
                    .and_then(|result| result.get_mut("tools"))
                {
                    Some(Value::Array(list)) => Some(list.drain(..).filter_map(tool).collect()),
                    _ => None,
                };
                self.listed_again(io, events, opened, failure, tools)
            }
            Phase::Keeping { queued } => self.kept(io, queued, events),
            phase => phase,
        }
    }

    /// Whatever the second way gave; without anything, the environment has no tools, unless it had
    /// said before that something failed.
    fn listed_again(
        &mut self,
        io: &mut Io,
        events: &mut Vec<SessionEvent>,
        opened: Opened,
        failure: Option<String>,
        tools: Option<Vec<ToolSpec>>,
    ) -> Phase {
        match (tools, failure) {
            (Some(tools), _) => self.ready(io, events, opened, tools),
            (None, None) => self.ready(io, events, opened, Vec::new()),
            (None, Some(message)) => {
                let what = "the list of tools";
                self.fail(
                    io,
                    events,
                    SessionError::Request {
                        host: self.host(),
                        what,
                        message,
                    },
                )
            }
        }
    }

    /// The sign of life was answered; a call that came meanwhile may go.
    fn kept(
        &mut self,
        io: &mut Io,
        queued: Option<String>,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        match queued {
            Some(frame) => {
                events.push(SessionEvent::Waiting(Awaited::Call));
                self.begin_call(io, frame)
            }
            None => self.idle(io),
        }
    }

    fn on_refusal(
        &mut self,
        io: &mut Io,
        phase: Phase,
        refusal: &Refusal,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        let host = self.host();
        if let Some((active, most)) = refusal.capacity() {
            return self.fail(io, events, SessionError::Full { host, active, most });
        }
        let message = refusal.message.clone();
        if is_lost(&message) {
            return self.fail(io, events, self.lost());
        }
        let last = refusal.is_final();
        match phase {
            Phase::Connecting { .. } | Phase::Resetting => {
                let what = if last { "a session" } else { "the reset" };
                self.fail(
                    io,
                    events,
                    SessionError::Request {
                        host,
                        what,
                        message,
                    },
                )
            }
            _ if last => {
                let error = SessionError::Dropped {
                    host,
                    code: 1000,
                    reason: message,
                };
                self.fail(io, events, error)
            }
            Phase::Listing(opened) => {
                self.ask_mcp(io);
                let broke = refusal.code == "EXECUTION_ERROR";
                Phase::ListingAgain {
                    opened,
                    failure: broke.then_some(message),
                }
            }
            Phase::ListingAgain { opened, failure } => {
                self.listed_again(io, events, opened, failure, None)
            }
            // A server that does not know `mcp` refuses the sign of life; that is one, too.
            Phase::Keeping { queued } => self.kept(io, queued, events),
            Phase::Calling => {
                let text = error_text(&message);
                events.push(SessionEvent::Answer(ToolAnswer {
                    text,
                    ..ToolAnswer::default()
                }));
                self.idle(io)
            }
            phase => {
                self.last_error = Some(message);
                phase
            }
        }
    }
}
