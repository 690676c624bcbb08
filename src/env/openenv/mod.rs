//! A session with an OpenEnv server: one WebSocket at `/ws` is one session is one environment.
//!
//! In: a [`ServerAddress`], then inputs of the page. Out: frames to send and [`SessionEvent`]s.
//! One request is open at a time, because answers carry no id; so the phase says what an
//! observation answers, and after a time-out the socket is closed rather than read on.
//! A closed socket is a lost episode: nothing is resumed, nothing is sent twice.
//!
//! While nothing is asked, an `mcp` `tools/list` goes out every 25 s: it is the one harmless
//! message that a server counts as a sign of life (`state` is not).

pub(super) mod answer;
pub(super) mod frames;
mod incoming;
#[cfg(test)]
mod tests;
mod waiting;

use super::address::ServerAddress;
use super::{Reset, Session, SessionError, SessionEvent};
use crate::chat::ToolSpec;
use crate::settings::Limits;
use crate::wire::{Input, Io, Millis, SocketId, TimerId};
use serde_json::{Map, Value};

/// After this long the person is told that the connection is awaited.
const SLOW: Millis = Millis(3_000);
/// The rest of the time a connection may take.
const CONNECT: Millis = Millis(57_000);
/// `OpenEnv` 0.2.2 never answers a list of tools asked for by step.
const LIST: Millis = Millis(10_000);
/// The second way of asking, and a sign of life, are answered by the server itself.
const PROMPT: Millis = Millis(30_000);
/// Silence before a sign of life.
const IDLE: Millis = Millis(25_000);
/// How long a tool may take on a server whose list of tools came only the second way.
const DOUBTFUL: Millis = Millis(60_000);

/// A session over `/ws`.
#[derive(Debug)]
pub struct OpenEnvSession {
    address: ServerAddress,
    limits: Limits,
    phase: Phase,
    /// The socket, from `Open` until it is closed by either side.
    socket: Option<SocketId>,
    /// Its handshake succeeded.
    open: bool,
    /// The one wait of the present phase.
    timer: Option<TimerId>,
    /// The last frame, if it was an error that answered nothing: the reason for a close.
    last_error: Option<String>,
    /// Number of the latest `mcp` request.
    asked: u32,
    /// A list of tools asked for by step is still owed.
    list_owed: bool,
}

#[derive(Debug, Default)]
enum Phase {
    #[default]
    New,
    /// The socket is opening; the frame is ready. `told`: the person knows.
    Connecting {
        reset: String,
        told: bool,
    },
    Resetting,
    /// The list of tools was asked for by step.
    Listing(Opened),
    /// It was asked for by `mcp`, and this is why; some failures are worth telling.
    ListingAgain {
        opened: Opened,
        failure: Option<String>,
    },
    Idle,
    /// A sign of life is awaited; a call may be waiting behind it.
    Keeping {
        queued: Option<String>,
    },
    Calling,
    Over,
}

/// What the reset answered.
#[derive(Debug, Default)]
struct Opened {
    metadata: Map<String, Value>,
    observation: Map<String, Value>,
}

impl OpenEnvSession {
    /// A session that has not begun.
    pub fn new(address: ServerAddress, limits: Limits) -> Self {
        Self {
            address,
            limits,
            phase: Phase::New,
            socket: None,
            open: false,
            timer: None,
            last_error: None,
            asked: 0,
            list_owed: false,
        }
    }

    fn host(&self) -> String {
        self.address.host.clone()
    }

    /// Replaces the wait of the last phase.
    fn await_for(&mut self, io: &mut Io, length: Millis) {
        self.stop_waiting(io);
        self.timer = Some(io.wait(length));
    }

    fn stop_waiting(&mut self, io: &mut Io) {
        if let Some(timer) = self.timer.take() {
            io.cancel_wait(timer);
        }
    }

    fn send(&mut self, io: &mut Io, frame: impl Into<String>) {
        if let Some(socket) = self.socket {
            io.send(socket, frame);
        }
    }

    fn ask_mcp(&mut self, io: &mut Io) {
        self.asked += 1;
        let frame = frames::mcp_list(self.asked);
        self.send(io, frame);
        self.await_for(io, PROMPT);
    }

    fn begin_call(&mut self, io: &mut Io, frame: String) -> Phase {
        self.send(io, frame);
        let limit = self.call_limit();
        self.await_for(io, limit);
        Phase::Calling
    }

    fn call_limit(&self) -> Millis {
        if self.list_owed {
            self.limits.call.min(DOUBTFUL)
        } else {
            self.limits.call
        }
    }

    fn idle(&mut self, io: &mut Io) -> Phase {
        self.await_for(io, IDLE);
        Phase::Idle
    }

    /// Leaves nothing open: no wait, no socket.
    fn end(&mut self, io: &mut Io) -> Phase {
        self.stop_waiting(io);
        if let Some(socket) = self.socket.take() {
            if self.open {
                io.send(socket, frames::CLOSE);
            }
            io.close(socket);
        }
        Phase::Over
    }

    fn fail(&mut self, io: &mut Io, events: &mut Vec<SessionEvent>, error: SessionError) -> Phase {
        let phase = self.end(io);
        events.push(SessionEvent::Failed(error));
        phase
    }

    fn lost(&self) -> SessionError {
        SessionError::Dropped {
            host: self.host(),
            code: 0,
            reason: "it gave the place away after a long silence".into(),
        }
    }

    fn timed_out(&self, what: &'static str, limit: Millis) -> SessionError {
        SessionError::TimedOut {
            host: self.host(),
            what,
            limit,
        }
    }

    fn ready(
        &mut self,
        io: &mut Io,
        events: &mut Vec<SessionEvent>,
        opened: Opened,
        tools: Vec<ToolSpec>,
    ) -> Phase {
        let Opened {
            metadata,
            observation,
        } = opened;
        events.push(SessionEvent::Ready {
            metadata,
            observation,
            tools,
        });
        self.idle(io)
    }
}

impl Session for OpenEnvSession {
    fn begin(&mut self, io: &mut Io, reset: &Reset) {
        if matches!(self.phase, Phase::New) {
            self.socket = Some(io.open(self.address.ws_url.clone()));
            self.await_for(io, SLOW);
            self.phase = Phase::Connecting {
                reset: frames::reset(reset),
                told: false,
            };
        }
    }

    fn call(&mut self, io: &mut Io, tool: &str, arguments: &Map<String, Value>) {
        let frame = frames::call_tool(tool, arguments);
        self.phase = match std::mem::take(&mut self.phase) {
            Phase::Idle => self.begin_call(io, frame),
            Phase::Keeping { queued: None } => Phase::Keeping {
                queued: Some(frame),
            },
            phase => phase,
        };
    }

    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<SessionEvent>) {
        // An input that belongs to nobody, or to somebody else, or comes too late.
        match input {
            Input::Socket(socket, _) if self.socket == Some(*socket) => {}
            Input::Timer(timer) if self.timer == Some(*timer) => {}
            _ => return,
        }
        let phase = std::mem::take(&mut self.phase);
        self.phase = match input {
            Input::Socket(_, event) => self.on_socket(io, phase, event, events),
            Input::Timer(_) => self.on_timer(io, phase, events),
            Input::Http(..) => phase,
        };
    }

    fn close(&mut self, io: &mut Io) {
        self.phase = self.end(io);
    }
}
