//! The checks over HTTP: does anything answer, may it be read, does a Space sleep.

use super::{CheckId, Doctor, LIMIT, Stage, Verdict};
use crate::wire::exchange::{Exchange, Reply};
use crate::wire::{HttpRequest, Io};
use serde_json::Value;

impl Doctor {
    /// Asks for `/health`: opaque, to learn whether anything answers, then plainly, to learn
    /// whether the page may read it.
    pub(super) fn ask_health(&mut self, io: &mut Io, opaque: bool) {
        let Ok(address) = &self.address else { return };
        let mut request = HttpRequest::get(format!("{}/health", address.http_base));
        request.opaque = opaque;
        let host = address.host.clone();
        let exchange = Exchange::start(io, request, self.patience());
        if opaque {
            self.run(CheckId::Answers, format!("Asking {host} …"));
            self.stage = Stage::Answers(exchange);
        } else {
            self.run(CheckId::Readable, format!("Reading {host}/health …"));
            self.stage = Stage::Readable(exchange);
        }
    }

    pub(super) fn on_reply(&mut self, io: &mut Io, reply: &Reply) {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Answers(_) => self.on_answers(io, reply),
            Stage::Readable(_) => {
                self.on_readable(reply);
                self.open_socket(io);
            }
            Stage::Space(_, trouble) => self.on_space(io, reply, trouble),
            stage => self.stage = stage,
        }
    }

    fn on_answers(&mut self, io: &mut Io, reply: &Reply) {
        let host = self.host();
        match reply {
            Reply::Answered(..) | Reply::TooLarge => {
                self.answers = true;
                self.pass(CheckId::Answers, format!("{host} answers over HTTP."));
                return self.ask_health(io, false);
            }
            Reply::Failed(_) => {
                let fact = format!("Nothing answers at {host}, or the browser blocks it.");
                self.fail(CheckId::Answers, fact, NOT_RUNNING);
            }
            Reply::TimedOut => {
                let fact = format!("{host} did not answer in time.");
                let fix =
                    "Look whether the server is still starting or overloaded, then test again.";
                self.fail(CheckId::Answers, fact, fix);
            }
        }
        self.skip(CheckId::Readable, "Nothing to read.");
        // Blockers of requests do not always block sockets, so this is not the end.
        self.open_socket(io);
    }

    fn on_readable(&mut self, reply: &Reply) {
        let id = CheckId::Readable;
        match reply {
            Reply::Answered(status, _) => {
                self.health = Some(*status);
                let healthy = reply
                    .json()
                    .and_then(|health| health.get("status").map(|status| *status == "healthy"));
                match healthy {
                    Some(true) => self.pass(id, "Its tasks can be listed here."),
                    _ => self.unknown(
                        id,
                        format!("It answered {status} at /health, not as an OpenEnv server does."),
                    ),
                }
            }
            Reply::Failed(_) | Reply::TooLarge => self.unknown(
                id,
                "It lets no page of another site read it (no CORS headers), which is usual and does \
                 no harm: instead of choosing from a list, type a task id.",
            ),
            Reply::TimedOut => self.unknown(id, "Its answer did not come in time."),
        }
    }

    /// Nothing opened. For a Space, what it says of itself comes first.
    pub(super) fn no_socket(&mut self, io: &mut Io, trouble: Verdict) {
        let space = self.address().and_then(|address| address.space.clone());
        match space {
            Some(space) => {
                self.run(CheckId::Space, "Asking huggingface.co about the Space …");
                let exchange = Exchange::start(io, HttpRequest::get(space.api()), LIMIT);
                self.stage = Stage::Space(exchange, trouble);
            }
            None => self.end(io, trouble),
        }
    }

    fn on_space(&mut self, io: &mut Io, reply: &Reply, trouble: Verdict) {
        let id = CheckId::Space;
        let answer = reply.json();
        let stage = answer
            .as_ref()
            .and_then(|space| space.get("runtime")?.get("stage"))
            .and_then(Value::as_str);
        let verdict = match (stage, reply) {
            (Some("RUNNING"), _) => {
                self.pass(id, "huggingface.co says that it is running.");
                trouble
            }
            (Some(stage @ ("SLEEPING" | "STOPPED")), _) => {
                let fact = format!("huggingface.co says {stage}. This test has knocked at it.");
                self.fail(
                    id,
                    fact,
                    "Wait a minute or two while it wakes up, then test again.",
                );
                Verdict::Asleep
            }
            (Some("PAUSED"), _) => {
                let fix = "Only its owner can start it again. A copy of your own will run.";
                self.fail(id, "huggingface.co says PAUSED.", fix);
                Verdict::Asleep
            }
            (Some(stage), _) if stage.contains("ERROR") => {
                let fact = format!("huggingface.co says {stage}: its program does not run.");
                self.fail(id, fact, "Its owner finds the reason in the Space's logs.");
                Verdict::Asleep
            }
            (Some(stage), _) => {
                let stage: String = stage.chars().take(40).collect();
                let fact = format!("huggingface.co says {stage}: it is being built or started.");
                self.fail(
                    id,
                    fact,
                    "Wait until its page shows Running, then test again.",
                );
                Verdict::Asleep
            }
            (None, Reply::Answered(401 | 403 | 404, _)) => {
                let fix = "Check the name. A private Space cannot be reached from a page.";
                self.fail(
                    id,
                    "huggingface.co knows no public Space of this name.",
                    fix,
                );
                Verdict::NotThere
            }
            (None, _) => {
                self.unknown(id, "huggingface.co did not say.");
                trouble
            }
        };
        self.end(io, verdict);
    }

    pub(super) fn host(&self) -> String {
        self.address()
            .map(|address| address.host.clone())
            .unwrap_or_default()
    }
}

/// What to do when nothing answers.
pub(super) const NOT_RUNNING: &str = "Start the server, or check host and port: its log names \
    them. If the browser asked about the local network, the answer must be yes.";
