//! What a session does when a wait is over: every wait has an end of its own.

use super::{CONNECT, LIST, OpenEnvSession, PROMPT, Phase, SLOW};
use crate::env::{Awaited, SessionEvent};
use crate::wire::{Io, Millis};

impl OpenEnvSession {
    pub(super) fn on_timer(
        &mut self,
        io: &mut Io,
        phase: Phase,
        events: &mut Vec<SessionEvent>,
    ) -> Phase {
        self.timer = None;
        match phase {
            Phase::Connecting { reset, told: false } => {
                events.push(SessionEvent::Waiting(Awaited::Connection));
                self.await_for(io, CONNECT);
                Phase::Connecting { reset, told: true }
            }
            Phase::Connecting { .. } => {
                let what = if self.address.space.is_some() {
                    "opening the connection; a Space that sleeps wakes up in a minute or two, so try again"
                } else {
                    "opening the connection"
                };
                self.fail(io, events, self.timed_out(what, Millis(SLOW.0 + CONNECT.0)))
            }
            Phase::Resetting => {
                self.fail(io, events, self.timed_out("the reset", self.limits.call))
            }
            Phase::Listing(opened) => {
                self.list_owed = true;
                self.ask_mcp(io);
                Phase::ListingAgain {
                    opened,
                    failure: None,
                }
            }
            Phase::ListingAgain { .. } if self.list_owed => {
                let what = "the list of tools; OpenEnv 0.2.2 never answers it, a newer server does";
                self.fail(io, events, self.timed_out(what, Millis(LIST.0 + PROMPT.0)))
            }
            Phase::ListingAgain { .. } => {
                self.fail(io, events, self.timed_out("the list of tools", PROMPT))
            }
            Phase::Idle => {
                self.ask_mcp(io);
                Phase::Keeping { queued: None }
            }
            Phase::Keeping { .. } => {
                self.fail(io, events, self.timed_out("a sign of life", PROMPT))
            }
            Phase::Calling if self.list_owed => {
                let what = "a tool call; it did not list its tools by step either, as OpenEnv 0.2.2 does not: update the server";
                let limit = self.call_limit();
                self.fail(io, events, self.timed_out(what, limit))
            }
            Phase::Calling => {
                self.fail(io, events, self.timed_out("a tool call", self.limits.call))
            }
            phase @ (Phase::New | Phase::Over) => phase,
        }
    }
}
