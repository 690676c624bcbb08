//! Asking a server for its tasks: environments, splits, then each split's number and its tasks.

use super::{CannotList, TaskEntry, TaskList, TaskListing};
use crate::env::address::ServerAddress;
use crate::wire::exchange::{Exchange, Reply};
use crate::wire::{FetchFailure, HttpRequest, Input, Io, Millis};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// How long each answer may take.
const LIMIT: Millis = Millis(20_000);
/// The most splits asked for.
const SPLITS: usize = 20;

/// Lists a server's tasks, up to a number.
#[derive(Debug)]
pub struct TaskLister {
    base: String,
    host: String,
    most: u32,
    list: TaskList,
    splits: VecDeque<String>,
    phase: Phase,
}

#[derive(Debug, Default)]
enum Phase {
    #[default]
    New,
    Environments(Exchange),
    Splits(Exchange),
    Count(Exchange, String),
    /// Tasks of a split, of which there are so many and so many were asked for.
    Range {
        exchange: Exchange,
        split: String,
        asked: u32,
    },
    Over,
}

impl TaskLister {
    /// A lister that keeps `most` entries at the most (200 is plenty for a page).
    pub fn new(address: &ServerAddress, most: u32) -> Self {
        Self {
            base: address.http_base.clone(),
            host: address.host.clone(),
            most,
            list: TaskList::default(),
            splits: VecDeque::new(),
            phase: Phase::New,
        }
    }

    /// Sends the first request.
    pub fn start(&mut self, io: &mut Io) {
        if matches!(self.phase, Phase::New) {
            let request = HttpRequest::get(format!("{}/list_environments", self.base));
            self.phase = Phase::Environments(Exchange::start(io, request, LIMIT));
        }
    }

    /// Takes an input that may be its own; gives the listing once, at the end.
    pub fn handle(&mut self, io: &mut Io, input: &Input) -> Option<TaskListing> {
        let exchange = match &mut self.phase {
            Phase::Environments(exchange)
            | Phase::Splits(exchange)
            | Phase::Count(exchange, _)
            | Phase::Range { exchange, .. } => exchange,
            Phase::New | Phase::Over => return None,
        };
        let reply = exchange.handle(io, input)?;
        let next = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Environments(_) => self.environments(io, &reply),
            Phase::Splits(_) => self.read_splits(io, &reply),
            Phase::Count(_, split) => self.counted(io, split, &reply),
            Phase::Range { split, asked, .. } => {
                self.ranged(&split, asked, &reply);
                Ok(self.next_split(io))
            }
            phase @ (Phase::New | Phase::Over) => Ok(phase),
        };
        match next {
            Ok(Phase::Over) => Some(self.listing(CannotList::Empty {
                host: self.host.clone(),
            })),
            Ok(phase) => {
                self.phase = phase;
                None
            }
            Err(reason) => Some(self.listing(reason)),
        }
    }

    /// Gives up.
    pub fn cancel(&mut self, io: &mut Io) {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Environments(exchange)
            | Phase::Splits(exchange)
            | Phase::Count(exchange, _)
            | Phase::Range { exchange, .. } => exchange.abort(io),
            Phase::New | Phase::Over => {}
        }
    }

    /// What there is; without anything, why.
    fn listing(&mut self, reason: CannotList) -> TaskListing {
        let list = std::mem::take(&mut self.list);
        if list.entries.is_empty() {
            TaskListing::CannotList(reason)
        } else {
            TaskListing::Listed(list)
        }
    }

    fn environments(&mut self, io: &mut Io, reply: &Reply) -> Result<Phase, CannotList> {
        let host = self.host.clone();
        let names = self.understood(reply)?;
        let name = names
            .as_array()
            .and_then(|names| names.first())
            .and_then(Value::as_str);
        name.ok_or(CannotList::NoList { host })?
            .clone_into(&mut self.list.environment);
        let request = HttpRequest::get(self.url("splits"));
        Ok(Phase::Splits(Exchange::start(io, request, LIMIT)))
    }

    fn read_splits(&mut self, io: &mut Io, reply: &Reply) -> Result<Phase, CannotList> {
        let splits = self.understood(reply)?;
        let list = splits.as_array().ok_or_else(|| self.no_list())?;
        let names = list
            .iter()
            .filter_map(|split| split.get("name").unwrap_or(split).as_str());
        self.splits = names.take(SPLITS).map(ToOwned::to_owned).collect();
        Ok(self.next_split(io))
    }

    fn next_split(&mut self, io: &mut Io) -> Phase {
        match self.splits.pop_front() {
            Some(split) => {
                let request = HttpRequest::post(self.url("num_tasks"), json!({"split": split}));
                Phase::Count(Exchange::start(io, request, LIMIT), split)
            }
            None => Phase::Over,
        }
    }

    fn counted(&mut self, io: &mut Io, split: String, reply: &Reply) -> Result<Phase, CannotList> {
        let count = self.understood(reply)?;
        let count = count
            .get("num_tasks")
            .and_then(Value::as_u64)
            .ok_or_else(|| self.no_list())?;
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let have = u32::try_from(self.list.entries.len()).unwrap_or(u32::MAX);
        let asked = count.min(self.most.saturating_sub(have));
        self.list.left_out = self.list.left_out.saturating_add(count - asked);
        if asked == 0 {
            return Ok(self.next_split(io));
        }
        let range = json!({"split": split, "start": 0, "stop": asked});
        let request = HttpRequest::post(self.url("task_range"), range);
        Ok(Phase::Range {
            exchange: Exchange::start(io, request, LIMIT),
            split,
            asked,
        })
    }

    /// The tasks; of those that cannot be read, their places, which is enough to ask for them.
    fn ranged(&mut self, split: &str, asked: u32, reply: &Reply) {
        let answer = reply.json();
        let tasks = answer
            .as_ref()
            .and_then(|answer| answer.get("tasks"))
            .and_then(Value::as_array);
        let entries =
            (0..asked).map(
                |index| match tasks.and_then(|tasks| tasks.get(index as usize)) {
                    Some(task) => TaskEntry::read(task, split, index),
                    None => TaskEntry::at(split, index),
                },
            );
        self.list.entries.extend(entries);
    }

    fn url(&self, what: &str) -> String {
        format!("{}/{}/{what}", self.base, escaped(&self.list.environment))
    }

    fn no_list(&self) -> CannotList {
        CannotList::NoList {
            host: self.host.clone(),
        }
    }

    /// The JSON of an answer, or what its absence means.
    fn understood(&self, reply: &Reply) -> Result<Value, CannotList> {
        let host = self.host.clone();
        match reply {
            Reply::Answered(404 | 405, _) => Err(CannotList::NoTaskApi { host }),
            Reply::Answered(501, _) => {
                let environment = self.list.environment.clone();
                Err(CannotList::NotOffered { host, environment })
            }
            Reply::Answered(200..=299, _) => reply.json().ok_or_else(|| self.no_list()),
            Reply::Answered(status, _) => Err(CannotList::Status {
                host,
                status: *status,
            }),
            Reply::Failed(FetchFailure::Broken) | Reply::TooLarge => Err(self.no_list()),
            Reply::Failed(_) => Err(CannotList::Unreadable { host }),
            Reply::TimedOut => Err(CannotList::TimedOut { host }),
        }
    }
}

/// A name as part of a path.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = std::fmt::Write::write_fmt(&mut out, format_args!("%{byte:02X}"));
        }
    }
    out
}
