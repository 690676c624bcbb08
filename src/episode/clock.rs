//! The wall clock of an episode.
//!
//! Two bounds. *Before each turn* the loop asks [`Clock::is_past`]: past the limit no turn begins,
//! as in the reference. *A timer* ends what hangs: whatever is under way at the limit (opening, a
//! model turn, a tool call) may finish within one more answer time of the environment
//! ([`Limits::call`]) and is given up after that. So a run never lasts longer than both together.
//! Time in a pause counts for neither: a person thinks as long as they like.

use crate::settings::Limits;
use crate::wire::{Io, Millis, TimerId};

/// Browsers count a wait in 32 bits and end a longer one at once.
const LONGEST_WAIT: u64 = i32::MAX as u64;

#[derive(Debug, Default)]
pub(super) struct Clock {
    limit: Millis,
    grace: Millis,
    began: Millis,
    paused: Millis,
    pause_began: Option<Millis>,
    timer: Option<TimerId>,
}

impl Clock {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            limit: limits.time,
            grace: limits.call,
            ..Self::default()
        }
    }

    /// The episode begins.
    pub(super) fn start(&mut self, io: &mut Io) {
        self.began = io.now;
        self.wait(io);
    }

    fn ran(&self, now: Millis) -> Millis {
        let total = self.pause_began.unwrap_or(now).since(self.began);
        total.since(self.paused)
    }

    /// Whether no further turn may begin.
    pub(super) fn is_past(&self, now: Millis) -> bool {
        self.ran(now) > self.limit
    }

    fn wait(&mut self, io: &mut Io) {
        let end = Millis(self.limit.0.saturating_add(self.grace.0));
        let rest = end.since(self.ran(io.now));
        self.timer = Some(io.wait(Millis(rest.0.min(LONGEST_WAIT))));
    }

    /// Whether `timer` is this clock's. Then: whether the episode has to end now. A wait that
    /// ended early (the system clock went back, the wait was cut to what a browser can count) is
    /// begun again.
    pub(super) fn rings(&mut self, io: &mut Io, timer: TimerId) -> Option<bool> {
        if self.timer != Some(timer) {
            return None;
        }
        self.timer = None;
        if self.ran(io.now).0 >= self.limit.0.saturating_add(self.grace.0) {
            return Some(true);
        }
        self.wait(io);
        Some(false)
    }

    pub(super) fn pause(&mut self, io: &mut Io) {
        self.pause_began = Some(io.now);
        self.stop(io);
    }

    pub(super) fn resume(&mut self, io: &mut Io) {
        if let Some(began) = self.pause_began.take() {
            self.paused.0 = self.paused.0.saturating_add(io.now.since(began).0);
            self.wait(io);
        }
    }

    pub(super) fn stop(&mut self, io: &mut Io) {
        if let Some(timer) = self.timer.take() {
            io.cancel_wait(timer);
        }
    }
}
