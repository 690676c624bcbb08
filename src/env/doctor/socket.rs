//! The checks on the socket: does it open, is there room, is it OpenEnv, are there tools.

use super::http::NOT_RUNNING;
use super::{CheckId, Doctor, LIMIT, LONG, PermissionState, Stage, Topic, Verdict};
use crate::env::address::Concern;
use crate::env::openenv::answer::{Observation, tool};
use crate::env::openenv::frames::{self, Frame, Refusal};
use crate::env::opening;
use crate::wire::{Io, SocketEvent};
use serde_json::{Map, Value};

impl Doctor {
    pub(super) fn open_socket(&mut self, io: &mut Io) {
        let Ok(address) = &self.address else { return };
        let url = address.ws_url.clone();
        self.run(CheckId::Socket, format!("Opening {url} …"));
        let socket = io.open(url);
        let timer = io.wait(self.patience());
        self.stage = Stage::Talk {
            socket,
            timer,
            topic: Topic::Opening,
        };
    }

    /// Sends the next question and waits for its answer.
    fn ask(&mut self, io: &mut Io, topic: Topic) {
        let frame = match (topic, &self.task) {
            (Topic::Reset, Some(task)) => frames::reset(task),
            (Topic::Mcp, _) => frames::mcp_list(1),
            (Topic::Step, _) => frames::list_tools(),
            _ => frames::STATE.to_owned(),
        };
        let what = match topic {
            Topic::Opening | Topic::State => "Asking for its state …",
            Topic::Reset => "Beginning a task …",
            Topic::Mcp => "Asking for its tools …",
            Topic::Step => "Asking for its tools by step …",
        };
        self.run(topic.check(), what);
        if let Stage::Talk {
            socket,
            timer,
            topic: last,
        } = &mut self.stage
        {
            io.cancel_wait(*timer);
            io.send(*socket, frame);
            *timer = io.wait(if topic == Topic::Reset { LONG } else { LIMIT });
            *last = topic;
        }
    }

    pub(super) fn on_socket(&mut self, io: &mut Io, topic: Topic, event: &SocketEvent) {
        match event {
            SocketEvent::Opened if topic == Topic::Opening => {
                self.pass(CheckId::Socket, "The handshake succeeded.");
                self.ask(io, Topic::State);
            }
            // Nothing is heard before a socket is open.
            SocketEvent::Text(_) | SocketEvent::Binary(_) if topic == Topic::Opening => {}
            SocketEvent::Opened => {}
            SocketEvent::Text(text) => self.on_frame(io, topic, frames::read(text)),
            SocketEvent::Binary(bytes) => {
                self.foreign(io, &format!("a binary frame of {bytes} bytes"));
            }
            SocketEvent::Closed { code, reason } => {
                self.let_go(io);
                self.on_closed(io, topic, *code, reason);
            }
            SocketEvent::Refused(reason) => {
                self.let_go(io);
                let reason = frames::excerpt(reason);
                let fact = format!("The browser does not open it from this page: {reason}");
                self.fail(CheckId::Socket, fact, &Concern::MixedContent.to_string());
                self.end(io, Verdict::MixedContent);
            }
        }
    }

    /// The socket is closed already: only its wait is left.
    fn let_go(&mut self, io: &mut Io) {
        if let Stage::Talk { timer, .. } = std::mem::replace(&mut self.stage, Stage::Over) {
            io.cancel_wait(timer);
        }
    }

    fn on_closed(&mut self, io: &mut Io, topic: Topic, code: u16, reason: &str) {
        let host = self.host();
        if topic != Topic::Opening {
            let reason = frames::excerpt(reason);
            let fact = format!("{host} closed the connection (code {code}, reason: {reason}).");
            self.fail(
                topic.check(),
                fact,
                "Look into the server's log: it ended the session.",
            );
            let verdict = if topic == Topic::State {
                Verdict::NotOpenEnv
            } else {
                Verdict::Refused
            };
            return self.end(io, verdict);
        }
        if self.needs_permission() && self.page.permission == Some(PermissionState::Denied) {
            self.fail(
                CheckId::Socket,
                "The browser blocked it.",
                "Allow the local network, see above.",
            );
            self.refused_locally();
            return self.end(io, Verdict::LocalPermission);
        }
        if !self.answers {
            self.fail(
                CheckId::Socket,
                format!("No WebSocket opens at {host}."),
                NOT_RUNNING,
            );
            return self.no_socket(io, Verdict::NotThere);
        }
        let fact = match self.health {
            Some(status @ 400..) => {
                format!(
                    "{host} answers ({status} at /health), but refuses a WebSocket at this path."
                )
            }
            _ => format!("{host} answers over HTTP, but refuses a WebSocket at this path."),
        };
        let fix = "Check the path: the address needs the prefix under which the environment is \
                   served, without /web or /docs. If it is right, the program there may be no \
                   OpenEnv server, or a proxy in front of it passes no WebSockets on.";
        self.fail(CheckId::Socket, fact, fix);
        self.no_socket(io, Verdict::WrongPath);
    }

    fn on_frame(&mut self, io: &mut Io, topic: Topic, frame: Frame) {
        match (topic, frame) {
            (_, Frame::Foreign(excerpt)) => self.foreign(io, &excerpt),
            (_, Frame::Error(refusal)) => self.on_refusal(io, topic, &refusal),
            (Topic::State, Frame::State) => self.speaks(io),
            (Topic::Reset, Frame::Observation(data)) => self.on_reset(io, data),
            (Topic::Mcp, Frame::Mcp(data)) => self.on_mcp(io, &data),
            (Topic::Step, Frame::Observation(data)) => {
                let mut seen = Observation::from_data(data);
                let tools = seen.tools().unwrap_or_default();
                self.keep_tools(tools.into_iter().map(|tool| tool.name));
                if self.tools.is_empty() {
                    self.no_tools(io);
                } else {
                    self.pass(CheckId::Steps, "The list of tools came by step.");
                    self.end(io, Verdict::Fine);
                }
            }
            _ => {}
        }
    }

    fn foreign(&mut self, io: &mut Io, excerpt: &str) {
        let fact = format!("It answered with something else: {excerpt}");
        let fix = "Another program listens at this address. Check the port and the path.";
        self.fail(CheckId::Speaks, fact, fix);
        self.end(io, Verdict::NotOpenEnv);
    }

    /// It answered its state, or refused to in a proper frame.
    fn speaks(&mut self, io: &mut Io) {
        self.pass(CheckId::Room, "A session was free.");
        self.pass(CheckId::Speaks, "It answers in OpenEnv frames.");
        let next = if self.task.is_some() {
            Topic::Reset
        } else {
            Topic::Mcp
        };
        self.ask(io, next);
    }

    fn on_reset(&mut self, io: &mut Io, data: Map<String, Value>) {
        let seen = Observation::from_data(data);
        let opening = opening(&seen.metadata, &seen.fields);
        let id = CheckId::Instructions;
        match (opening.instructions, opening.situation) {
            (Some(_), Some(_)) => self.pass(id, "It gives instructions and a situation."),
            (None, Some(_)) => self.unknown(id, "It gives a situation, but no instructions: type them."),
            (Some(_), None) => self.unknown(id, "It gives instructions, but no situation."),
            (None, None) => self.unknown(
                id,
                "It gives no texts (before OpenEnv 0.4 they are lost on the way): type instructions.",
            ),
        }
        self.ask(io, Topic::Mcp);
    }

    fn on_mcp(&mut self, io: &mut Io, data: &Map<String, Value>) {
        let list = data
            .get("result")
            .and_then(|result| result.get("tools"))
            .and_then(Value::as_array);
        let tools = list.into_iter().flatten().cloned().filter_map(tool);
        self.keep_tools(tools.map(|tool| tool.name));
        self.ask(io, Topic::Step);
    }

    fn keep_tools(&mut self, names: impl Iterator<Item = String>) {
        let names: Vec<String> = names.take(50).collect();
        if !names.is_empty() {
            let count = names.len();
            let s = if count == 1 { "" } else { "s" };
            self.pass(
                CheckId::Tools,
                format!("{count} tool{s}: {}.", names.join(", ")),
            );
            self.tools = names;
        }
    }

    fn no_tools(&mut self, io: &mut Io) {
        let fix = "Choose another environment: this one takes actions of its own kind, which this \
                   playground cannot offer to a model.";
        self.fail(
            CheckId::Tools,
            "It lists none, whichever way it is asked.",
            fix,
        );
        self.skip(CheckId::Steps, "There is nothing to reach.");
        self.end(io, Verdict::NoTools);
    }

    fn on_refusal(&mut self, io: &mut Io, topic: Topic, refusal: &Refusal) {
        let host = self.host();
        let message = frames::excerpt(&refusal.message);
        if let Some((active, most)) = refusal.capacity() {
            let fact = format!("{host} has {most} sessions, and {active} are in use.");
            let fix =
                "Close other tabs or wait half a minute. The server can be started with more.";
            self.fail(CheckId::Room, fact, fix);
            self.pass(CheckId::Speaks, "It refused in an OpenEnv frame.");
            return self.end(io, Verdict::Full);
        }
        if refusal.is_final() {
            self.pass(CheckId::Speaks, "It refused in an OpenEnv frame.");
            let fact = format!("{host} gives no session: {message}");
            self.fail(
                CheckId::Room,
                fact,
                "Look into the server's log: the environment failed there.",
            );
            return self.end(io, Verdict::Refused);
        }
        match topic {
            Topic::Opening => {}
            Topic::State => self.speaks(io),
            Topic::Reset => {
                let fact = format!("It refused the task: {message}");
                self.fail(
                    CheckId::Instructions,
                    fact,
                    "Check the task id, or the split and the index.",
                );
                self.end(io, Verdict::Refused);
            }
            Topic::Mcp => self.ask(io, Topic::Step),
            Topic::Step if self.tools.is_empty() => self.no_tools(io),
            Topic::Step => {
                let fact = format!("It refused to list tools by step: {message}");
                self.unknown(
                    CheckId::Steps,
                    format!("{fact}. Calls may work; OpenEnv 0.2.1 is like that."),
                );
                self.end(io, Verdict::Fine);
            }
        }
    }

    /// The time for an answer is over.
    pub(super) fn on_silence(&mut self, io: &mut Io, topic: Topic) {
        let again = "Look whether the server is overloaded or hangs, then test again.";
        match topic {
            Topic::Opening => {
                let fact = "The handshake had no answer in time.";
                self.fail(CheckId::Socket, fact, again);
                if let Stage::Talk { socket, .. } = std::mem::replace(&mut self.stage, Stage::Over)
                {
                    io.close(socket);
                }
                self.no_socket(io, Verdict::Slow);
            }
            Topic::State | Topic::Reset => {
                self.fail(topic.check(), "No answer came in time.", again);
                self.end(io, Verdict::Slow);
            }
            Topic::Mcp => self.ask(io, Topic::Step),
            Topic::Step => {
                let fix = "Update the server: OpenEnv 0.2.2 never answers tools by step, newer \
                           versions do.";
                self.fail(
                    CheckId::Steps,
                    "It did not answer a step for its tools.",
                    fix,
                );
                if self.tools.is_empty() {
                    self.unknown(CheckId::Tools, "It did not say.");
                }
                self.end(io, Verdict::OldVersion);
            }
        }
    }
}

impl Topic {
    /// The check a question belongs to.
    fn check(self) -> CheckId {
        match self {
            Self::Opening => CheckId::Socket,
            Self::State => CheckId::Speaks,
            Self::Reset => CheckId::Instructions,
            Self::Mcp => CheckId::Tools,
            Self::Step => CheckId::Steps,
        }
    }
}
