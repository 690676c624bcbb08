//! One HTTP exchange with an end: the answer as a whole, or why there is none, within a time.

use super::json;
use super::{CallId, FetchFailure, HttpEvent, HttpRequest, Input, Io, Millis, TimerId};
use serde_json::Value;

/// The most bytes of an answer that are kept.
const MOST: usize = 32 << 20;

/// An exchange under way.
#[derive(Debug)]
pub struct Exchange {
    call: CallId,
    timer: TimerId,
    opaque: bool,
    status: u16,
    body: Vec<u8>,
}

/// How it ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Reply {
    /// Status (0 for an opaque answer) and body.
    Answered(u16, Vec<u8>),
    /// No answer, or none that the page may read.
    Failed(FetchFailure),
    /// No end within the time.
    TimedOut,
    /// More than a page should hold.
    TooLarge,
}

impl Reply {
    /// The body of a successful answer as JSON.
    pub fn json(&self) -> Option<Value> {
        match self {
            Self::Answered(200..=299, body) => json::read(std::str::from_utf8(body).ok()?),
            _ => None,
        }
    }
}

impl Exchange {
    /// Sends the request; it has an end within `limit`.
    pub fn start(io: &mut Io, request: HttpRequest, limit: Millis) -> Self {
        let opaque = request.opaque;
        let call = io.fetch(request);
        let timer = io.wait(limit);
        Self {
            call,
            timer,
            opaque,
            status: 0,
            body: Vec::new(),
        }
    }

    /// Takes an input that may be its own; `Some` once, and then it is over.
    pub fn handle(&mut self, io: &mut Io, input: &Input) -> Option<Reply> {
        match input {
            Input::Timer(timer) if *timer == self.timer => {
                io.abort(self.call);
                return Some(Reply::TimedOut);
            }
            Input::Http(call, event) if *call == self.call => match event {
                HttpEvent::Head { status, .. } => {
                    self.status = *status;
                    // That something answers is all an opaque answer tells.
                    if !self.opaque {
                        return None;
                    }
                    io.abort(self.call);
                }
                HttpEvent::Bytes(bytes) if self.body.len() + bytes.len() > MOST => {
                    self.abort(io);
                    return Some(Reply::TooLarge);
                }
                HttpEvent::Bytes(bytes) => {
                    self.body.extend_from_slice(bytes);
                    return None;
                }
                HttpEvent::End => {}
                HttpEvent::Failed(failure) => {
                    io.cancel_wait(self.timer);
                    return Some(Reply::Failed(failure.clone()));
                }
            },
            _ => return None,
        }
        io.cancel_wait(self.timer);
        Some(Reply::Answered(self.status, std::mem::take(&mut self.body)))
    }

    /// Gives it up on both sides.
    pub fn abort(&self, io: &mut Io) {
        io.abort(self.call);
        io.cancel_wait(self.timer);
    }
}
