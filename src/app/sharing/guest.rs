//! A rollout that is not on this device: out of a link, from a file elsewhere, or handed over by
//! another page. It is shown, and kept only when the person says so.

use super::work;
use crate::app::Origin;
use crate::app::intent::{Order, PackFailure, Packing};
use crate::berth::Task;
use crate::rollout::Record;
use crate::share::{Opened, Sealed, Source};
use crate::wire::exchange::{Exchange, Reply};
use crate::wire::{HttpRequest, Input, Io, Millis};
use std::sync::Arc;

/// How long a file may take to come.
const PATIENCE: Millis = Millis(120_000);

/// What the screen shows of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Guest {
    /// It is being opened.
    #[default]
    Opening,
    /// It lies elsewhere, and nothing is fetched before a click: the origin, the address, and
    /// whether the link says which bytes it means.
    Asks {
        /// Scheme, host and port.
        origin: String,
        /// The whole address.
        url: String,
        /// The link holds the file's SHA-256.
        pinned: bool,
    },
    /// It is being fetched from this origin.
    Fetching(String),
    /// It cannot be shown: why, and the next step.
    Problem(String),
    /// It is on show.
    Here(GuestFacts),
}

/// What is said of a rollout from elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuestFacts {
    /// Where it comes from.
    pub from: String,
    /// What may be trusted, and what was left out.
    pub trust: String,
    /// It has been kept on this device.
    pub kept: bool,
}

/// What is under way for it.
#[derive(Default)]
pub(in crate::app) struct Visit {
    from: Option<Origin>,
    sealed: Option<(u64, Sealed)>,
    source: Option<Source>,
    exchange: Option<Exchange>,
    gunzip: Option<u64>,
    opened: Option<Opened>,
    /// The record as it came, with the server that it names.
    pub record: Option<(Record, String)>,
}

/// What an opened rollout needs to be shown.
pub(in crate::app) struct Ready {
    pub record: Record,
    pub task: Option<Arc<Task>>,
    pub server: String,
}

impl super::Sharing {
    /// Begins to open what a link names.
    pub(in crate::app) fn visit(&mut self, io: &mut Io, from: &Origin) -> Option<Order> {
        if *from == Origin::Page
            && self.visit.from.as_ref() == Some(from)
            && self.visit.record.is_some()
        {
            // The address bar tells what was handed over already.
            return None;
        }
        self.leave(io);
        self.visit.from = Some(from.clone());
        match from {
            Origin::Link(code) => match work::parse(code)? {
                Ok(sealed) => {
                    if sealed.is_plain() {
                        self.unsealed(&sealed, &sealed.payload);
                        return None;
                    }
                    let ticket = self.ticket();
                    let bytes = sealed.payload.clone();
                    self.visit.sealed = Some((ticket, sealed));
                    Some(Order::Pack(ticket, Packing::Inflate(bytes)))
                }
                Err(error) => {
                    self.guest = Guest::Problem(error.to_string());
                    None
                }
            },
            Origin::File(query) => {
                match work::source(query)? {
                    Ok(source) => {
                        self.guest = Guest::Asks {
                            origin: source.origin.clone(),
                            url: source.url.clone(),
                            pinned: source.is_pinned(),
                        };
                        self.visit.source = Some(source);
                    }
                    Err(problem) => self.guest = Guest::Problem(problem),
                }
                None
            }
            Origin::Page => {
                self.guest = Guest::Problem(
                    "This rollout was handed over by another page and is no longer here. Open it from that page again."
                        .into(),
                );
                None
            }
        }
    }

    /// Ends whatever was under way.
    pub(in crate::app) fn leave(&mut self, io: &mut Io) {
        if let Some(exchange) = self.visit.exchange.take() {
            exchange.abort(io);
        }
        self.visit = Visit::default();
        self.guest = Guest::Opening;
    }

    /// The person agrees that the file is fetched.
    pub(in crate::app) fn fetch(&mut self, io: &mut Io) {
        let Some(source) = &self.visit.source else {
            return;
        };
        if self.visit.exchange.is_none() {
            let request = HttpRequest::get(source.url.clone());
            self.visit.exchange = Some(Exchange::start(io, request, PATIENCE));
            self.guest = Guest::Fetching(source.origin.clone());
        }
    }

    /// The person does not want to wait any longer.
    pub(in crate::app) fn stop_fetching(&mut self, io: &mut Io) -> Option<Order> {
        let from = self.visit.from.clone()?;
        self.visit(io, &from)
    }

    /// Takes an input that may be the file's; true when something changed.
    pub(in crate::app) fn handle(&mut self, io: &mut Io, input: &Input) -> (bool, Option<Order>) {
        let exchange = self.visit.exchange.as_mut();
        let Some(reply) = exchange.and_then(|exchange| exchange.handle(io, input)) else {
            return (false, None);
        };
        self.visit.exchange = None;
        let origin = self
            .visit
            .source
            .as_ref()
            .map(|source| source.origin.clone());
        let origin = origin.unwrap_or_default();
        match reply {
            Reply::Answered(200..=299, bytes) => (true, self.came(bytes)),
            reply => {
                self.guest = Guest::Problem(unanswered(&origin, &reply));
                (true, None)
            }
        }
    }

    fn came(&mut self, bytes: Vec<u8>) -> Option<Order> {
        let source = self.visit.source.as_ref()?;
        match work::verify(source, &bytes)? {
            Err(problem) => {
                self.guest = Guest::Problem(problem);
                None
            }
            Ok(()) if crate::rollout::needs(&bytes) == crate::rollout::Needs::Gunzip => {
                let ticket = self.ticket();
                self.visit.gunzip = Some(ticket);
                Some(Order::Pack(ticket, Packing::Gunzip(bytes)))
            }
            Ok(()) => {
                self.fetched(&bytes);
                None
            }
        }
    }

    fn fetched(&mut self, bytes: &[u8]) {
        let Some(source) = &self.visit.source else {
            return;
        };
        let name = source.url.rsplit('/').next().unwrap_or_default();
        let (line, origin) = (source.line.unwrap_or(0), source.origin.clone());
        match work::pick(name, bytes, line) {
            None => {}
            Some(Err(problem)) => self.guest = Guest::Problem(problem),
            Some(Ok(found)) => {
                self.show_record(found.rollout.record, found.rollout.server, &origin);
            }
        }
    }

    /// A record that came as one.
    pub(in crate::app) fn show_record(&mut self, record: Record, server: String, from: &str) {
        self.visit.record = Some((record, server));
        self.guest = Guest::Here(GuestFacts {
            from: from.to_owned(),
            trust: "Words, model name and tokens are as the file has them.".into(),
            kept: false,
        });
    }

    /// The browser has unpacked something; true when it was for this.
    pub(in crate::app) fn unpacked(
        &mut self,
        ticket: u64,
        result: &Result<Vec<u8>, PackFailure>,
    ) -> bool {
        if let Some((_, sealed)) = self.visit.sealed.take_if(|(asked, _)| *asked == ticket) {
            match result {
                Ok(bytes) => self.unsealed(&sealed, bytes),
                Err(failure) => self.guest = Guest::Problem(failure.of_link()),
            }
            return true;
        }
        if self
            .visit
            .gunzip
            .take_if(|asked| *asked == ticket)
            .is_some()
        {
            match result {
                Ok(bytes) => self.fetched(bytes),
                Err(failure) => self.guest = Guest::Problem(failure.of_file()),
            }
            return true;
        }
        false
    }

    fn unsealed(&mut self, sealed: &Sealed, bytes: &[u8]) {
        match work::open(sealed, bytes) {
            None => {}
            Some(Err(error)) => self.guest = Guest::Problem(error.to_string()),
            Some(Ok(opened)) => {
                self.guest = Guest::Here(GuestFacts {
                    from: "the link".into(),
                    trust: String::new(),
                    kept: false,
                });
                self.visit.opened = Some(opened);
            }
        }
    }

    /// What is to be shown, with the task where this page has it: of a link by its id, of a record
    /// `of_record`. `pending`: tasks may still come.
    pub(in crate::app) fn ready(
        &mut self,
        by_id: impl Fn(&str) -> Option<Arc<Task>>,
        of_record: Option<Arc<Task>>,
        pending: bool,
    ) -> Option<Ready> {
        let Guest::Here(facts) = &mut self.guest else {
            return None;
        };
        if let Some(opened) = &self.visit.opened {
            let known = by_id(&opened.claims.task_id).filter(|_| opened.held.builtin);
            let known = known.filter(|task| opened.is_of(task));
            let mut missing = opened.held.left_out();
            let record = match &known {
                Some(task) => {
                    missing.retain(|part| {
                        !part.contains("situation")
                            && !part.contains("system")
                            && !part.contains("outputs")
                    });
                    work::replay(&opened.record, task)?
                }
                None => opened.record.clone(),
            };
            facts.trust = trust(opened, known.is_some(), pending, &missing);
            let server = match (&known, opened.held.builtin) {
                (Some(_), _) | (None, true) => "builtin".to_owned(),
                _ => opened.claims.server.clone().unwrap_or_default(),
            };
            return Some(Ready {
                record,
                task: known,
                server,
            });
        }
        let (record, server) = self.visit.record.clone()?;
        let server = of_record.as_ref().map_or(server, |_| "builtin".to_owned());
        Some(Ready {
            record,
            task: of_record,
            server,
        })
    }
}

/// What a reader may trust, and what is not there.
fn trust(opened: &Opened, known: bool, pending: bool, missing: &[&str]) -> String {
    let mut text = if known {
        "Plans and grade are recomputed in this browser. ".to_owned()
    } else if pending {
        "The task is on its way; the grade is as the sender wrote it. ".to_owned()
    } else if opened.held.builtin {
        "This page has no such task, so the grade is as the sender wrote it. ".to_owned()
    } else {
        "The task is not built in, so the grade is as the sender wrote it. ".to_owned()
    };
    text.push_str("Model name, words and tokens are as the sender wrote them.");
    if !missing.is_empty() {
        text.push_str(" Left out by the sender: ");
        text.push_str(&missing.join(", "));
        text.push('.');
    }
    text
}

fn unanswered(origin: &str, reply: &Reply) -> String {
    match reply {
        Reply::Answered(status, _) => {
            format!(
                "{origin} answered {status}: the file is not there, or not for everybody. Ask for another link."
            )
        }
        Reply::Failed(_) => format!(
            "{origin} gave this page no answer. It may be away, or it does not let pages of other sites read its files \
             (it has to send Access-Control-Allow-Origin). Download the file there and drop it onto this page."
        ),
        Reply::TimedOut => {
            format!("{origin} did not send the whole file within two minutes. Try again later.")
        }
        Reply::TooLarge => {
            format!("The file of {origin} is larger than 32 MiB. Ask for a smaller one.")
        }
    }
}
