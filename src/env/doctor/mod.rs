//! The connection doctor: why a server cannot be used from this page, and what to do about it.
//!
//! In: what was typed, what the page is, then inputs. Out: [`Finding`]s, in order, each with a fact
//! and where it failed a fix, and one [`Verdict`] at the end. A page sees the same silent close for
//! most troubles, so each check is chosen to tell two of them apart:
//!
//! 1. the address can be read; the browser lets this page open it (mixed content, local network);
//! 2. something answers over HTTP (an opaque request tells that much across origins), and whether
//!    the page may read it;
//! 3. a WebSocket opens, there is a free session, and it speaks OpenEnv;
//! 4. there are tools, and they can be reached by step, which old versions never answer;
//! 5. only with a task: a reset gives texts to begin with.
//!
//! Whether a Space sleeps is asked of huggingface.co, only for addresses at hf.space, only when
//! nothing opened there, and only because a person pressed the button. No check is without an end,
//! and the frame that may hang a server comes last.

mod finding;
mod http;
mod socket;
#[cfg(test)]
mod tests;

pub use finding::{CheckId, Finding, Outcome, Verdict};

use super::Reset;
use super::address::{AddressError, Concern, ServerAddress, border, parse};
use crate::wire::exchange::Exchange;
use crate::wire::{Input, Io, Millis, SocketId, TimerId};

/// The time for an answer.
const LIMIT: Millis = Millis(10_000);
/// The same where a Space may wake up, an environment may build its first episode, or a person is
/// asked for a permission.
const LONG: Millis = Millis(60_000);

/// A permission as the browser tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionState {
    /// Given.
    Granted,
    /// The person will be asked.
    Prompt,
    /// Refused.
    Denied,
}

/// What the page knows of itself.
#[derive(Clone, Copy, Debug)]
struct Page {
    https: bool,
    /// It was loaded from this machine, a private address or a file.
    local: bool,
    /// `None` when the browser does not say.
    permission: Option<PermissionState>,
}

/// An examination of one server. It begins once and ends in one [`Verdict`].
#[derive(Debug)]
pub struct Doctor {
    typed: String,
    address: Result<ServerAddress, AddressError>,
    page: Page,
    task: Option<Reset>,
    findings: Vec<Finding>,
    verdict: Option<Verdict>,
    stage: Stage,
    /// Something answered over HTTP.
    answers: bool,
    /// The status of `/health`, where the page may read it.
    health: Option<u16>,
    tools: Vec<String>,
}

#[derive(Debug, Default)]
enum Stage {
    #[default]
    New,
    /// Does anything answer?
    Answers(Exchange),
    /// May the page read it?
    Readable(Exchange),
    /// What does a Space say of itself? The trouble that led here stands beside it.
    Space(Exchange, Verdict),
    /// On the socket.
    Talk {
        socket: SocketId,
        timer: TimerId,
        topic: Topic,
    },
    Over,
}

/// What was asked on the socket last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Opening,
    State,
    Reset,
    Mcp,
    Step,
}

impl Doctor {
    /// An examination of what was typed, as seen from a page that came over https or not, and from
    /// this machine or its network (or a file) or not.
    pub fn new(typed: &str, page_is_https: bool, page_is_local: bool) -> Self {
        Self {
            typed: typed.trim().chars().take(200).collect(),
            address: parse(typed),
            page: Page {
                https: page_is_https,
                local: page_is_local,
                permission: None,
            },
            task: None,
            findings: Vec::new(),
            verdict: None,
            stage: Stage::New,
            answers: false,
            health: None,
            tools: Vec::new(),
        }
    }

    /// Also begins an episode, to see whether it tells a model what to do.
    #[must_use]
    pub fn with_task(mut self, reset: Reset) -> Self {
        self.task = Some(reset);
        self
    }

    /// What was found so far, in order; one may be [`Outcome::Running`].
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What it comes to; `None` until the end.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// Nothing more will be found.
    pub fn is_done(&self) -> bool {
        self.verdict.is_some()
    }

    /// Who is examined: the session's address, or what was typed if it is none.
    pub fn patient(&self) -> String {
        self.address()
            .map_or_else(|| self.typed.clone(), |address| address.ws_url.clone())
    }

    /// The address, once it could be read.
    pub fn address(&self) -> Option<&ServerAddress> {
        self.address.as_ref().ok()
    }

    /// What the browser says of reaching this machine and its network. Told before the beginning,
    /// and again when it changes: the person may have answered its question.
    pub fn permission_is(&mut self, state: PermissionState) {
        self.page.permission = Some(state);
    }

    /// Makes the checks that need no asking, and asks the first question.
    pub fn begin(&mut self, io: &mut Io) {
        if !matches!(self.stage, Stage::New) {
            return;
        }
        let address = match &self.address {
            Ok(address) => address.clone(),
            Err(error) => {
                let fact = error.to_string();
                self.fail(
                    CheckId::Address,
                    fact,
                    "Correct the address and test again.",
                );
                return self.end(io, Verdict::BadAddress);
            }
        };
        let hint = address
            .hint()
            .map(|hint| format!(" {hint}"))
            .unwrap_or_default();
        self.pass(
            CheckId::Address,
            format!("The session's address is {}.{hint}", address.ws_url),
        );
        let concerns = border(self.page.https, self.page.local, &address);
        if concerns.contains(&Concern::MixedContent) {
            let fact = "This page is encrypted (https), the server's address is not.";
            self.fail(
                CheckId::MixedContent,
                fact,
                &Concern::MixedContent.to_string(),
            );
            return self.end(io, Verdict::MixedContent);
        }
        if concerns.contains(&Concern::PlainLoopback) {
            self.unknown(CheckId::MixedContent, Concern::PlainLoopback.to_string());
        } else {
            self.pass(
                CheckId::MixedContent,
                "The page may open an address of this kind.",
            );
        }
        if self.local_network(&concerns) {
            self.ask_health(io, true);
        } else {
            self.end(io, Verdict::LocalPermission);
        }
    }

    /// Whether the browser may let the page through to a near host.
    fn local_network(&mut self, concerns: &[Concern]) -> bool {
        let id = CheckId::LocalNetwork;
        let asks = Concern::LocalPermission.to_string();
        if concerns.contains(&Concern::LocalForbidden) {
            let fact = "This page came unencrypted from the internet, the server is near.";
            self.fail(id, fact, &Concern::LocalForbidden.to_string());
            return false;
        }
        if !concerns.contains(&Concern::LocalPermission) {
            self.skip(id, "Not needed for this address.");
            return true;
        }
        match self.page.permission {
            Some(PermissionState::Granted) => {
                self.pass(id, "This site may reach the local network.");
            }
            Some(PermissionState::Denied) => {
                self.refused_locally();
                return false;
            }
            Some(PermissionState::Prompt) | None => self.unknown(id, asks),
        }
        true
    }

    /// How long the first answers may take.
    fn patience(&self) -> Millis {
        let asks =
            self.page.permission != Some(PermissionState::Granted) && self.needs_permission();
        let space = self
            .address()
            .is_some_and(|address| address.space.is_some());
        if asks || space { LONG } else { LIMIT }
    }

    /// The browser asks the person before it lets the page through.
    fn needs_permission(&self) -> bool {
        self.address().is_some_and(|address| {
            border(self.page.https, self.page.local, address).contains(&Concern::LocalPermission)
        })
    }

    fn refused_locally(&mut self) {
        let fact = "The browser keeps this site from the local network: it was refused.";
        let fix = "Allow it in the site settings left of the address, then test again. Or download \
                   this page and run it locally.";
        self.fail(CheckId::LocalNetwork, fact, fix);
    }

    /// Takes an input that may be its own; true when findings or verdict changed.
    pub fn handle(&mut self, io: &mut Io, input: &Input) -> bool {
        let before = (self.findings.clone(), self.verdict);
        match &mut self.stage {
            Stage::Answers(exchange) | Stage::Readable(exchange) | Stage::Space(exchange, _) => {
                if let Some(reply) = exchange.handle(io, input) {
                    self.on_reply(io, &reply);
                }
            }
            Stage::Talk {
                socket,
                timer,
                topic,
            } => {
                let (socket, timer, topic) = (*socket, *timer, *topic);
                match input {
                    Input::Socket(from, event) if *from == socket => {
                        self.on_socket(io, topic, event);
                    }
                    Input::Timer(ended) if *ended == timer => self.on_silence(io, topic),
                    _ => {}
                }
            }
            Stage::New | Stage::Over => {}
        }
        before != (self.findings.clone(), self.verdict)
    }

    /// Stops wherever it is and leaves nothing open.
    pub fn cancel(&mut self, io: &mut Io) {
        if self.verdict.is_none() {
            self.end(io, Verdict::Cancelled);
        }
    }

    /// Closes what is open, marks what was not tried, and says what it comes to.
    fn end(&mut self, io: &mut Io, verdict: Verdict) {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Answers(exchange) | Stage::Readable(exchange) | Stage::Space(exchange, _) => {
                exchange.abort(io);
            }
            Stage::Talk {
                socket,
                timer,
                topic,
            } => {
                io.cancel_wait(timer);
                if topic != Topic::Opening {
                    io.send(socket, super::openenv::frames::CLOSE);
                }
                io.close(socket);
            }
            Stage::New | Stage::Over => {}
        }
        for finding in &mut self.findings {
            if finding.outcome == Outcome::Running {
                finding.outcome = Outcome::Skipped;
                finding.fact = "Stopped.".into();
            }
        }
        for id in CheckId::ALL {
            let asked = match id {
                CheckId::Space => self
                    .address()
                    .is_some_and(|address| address.space.is_some()),
                CheckId::Instructions => self.task.is_some(),
                _ => true,
            };
            if asked && !self.findings.iter().any(|finding| finding.id == id) {
                self.skip(id, "Not tried.");
            }
        }
        self.verdict = Some(verdict);
    }
}
