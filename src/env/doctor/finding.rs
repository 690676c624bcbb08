//! What the doctor finds, and what it comes to.

use super::Doctor;

/// One check, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckId {
    /// The text is an address.
    Address,
    /// The browser lets a page of this kind open it.
    MixedContent,
    /// The browser lets this page reach the local network.
    LocalNetwork,
    /// Something answers over HTTP.
    Answers,
    /// The page may read what answers, so tasks can be listed.
    Readable,
    /// A WebSocket opens.
    Socket,
    /// The Space is awake.
    Space,
    /// A session is free.
    Room,
    /// It speaks OpenEnv.
    Speaks,
    /// It tells a model what to do.
    Instructions,
    /// It has tools.
    Tools,
    /// They can be reached by step.
    Steps,
}

impl CheckId {
    /// All of them, in order.
    pub const ALL: [Self; 12] = [
        Self::Address,
        Self::MixedContent,
        Self::LocalNetwork,
        Self::Answers,
        Self::Readable,
        Self::Socket,
        Self::Space,
        Self::Room,
        Self::Speaks,
        Self::Instructions,
        Self::Tools,
        Self::Steps,
    ];

    /// A name for machines, stable.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::MixedContent => "mixed_content",
            Self::LocalNetwork => "local_network",
            Self::Answers => "answers",
            Self::Readable => "readable",
            Self::Socket => "socket",
            Self::Space => "space",
            Self::Room => "room",
            Self::Speaks => "speaks",
            Self::Instructions => "instructions",
            Self::Tools => "tools",
            Self::Steps => "steps",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Address => "The address can be read",
            Self::MixedContent => "The browser allows this kind of address",
            Self::LocalNetwork => "The browser allows the local network",
            Self::Answers => "Something answers there",
            Self::Readable => "Its lists can be read from this page",
            Self::Socket => "A WebSocket opens",
            Self::Space => "The Space is awake",
            Self::Room => "A session is free",
            Self::Speaks => "It speaks OpenEnv",
            Self::Instructions => "A task comes with texts for a model",
            Self::Tools => "It offers tools",
            Self::Steps => "Tools answer by step",
        }
    }
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Well.
    Passed,
    /// Not: the fix says what to do.
    Failed,
    /// Not needed, or not tried after an earlier failure.
    Skipped,
    /// It cannot be told, or it does not matter much.
    Unknown,
    /// It is being made.
    Running,
}

/// One check with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which check.
    pub id: CheckId,
    /// What it is about, as a statement that holds when it passed.
    pub title: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// What was seen.
    pub fact: String,
    /// What to do, when it failed.
    pub fix: Option<String>,
}

/// What an examination comes to: the first trouble, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The server can be used.
    Fine,
    /// The text is no address.
    BadAddress,
    /// An encrypted page, an unencrypted server.
    MixedContent,
    /// The browser keeps the page from the local network.
    LocalPermission,
    /// Nothing answers.
    NotThere,
    /// It answers, too late.
    Slow,
    /// A Space that sleeps, is being built or is paused.
    Asleep,
    /// HTTP answers, and no WebSocket opens: the path, the program or a proxy is wrong.
    WrongPath,
    /// A WebSocket opens, and something else speaks.
    NotOpenEnv,
    /// All sessions are taken.
    Full,
    /// It refused the reset, or its session, with words of its own.
    Refused,
    /// There is an environment, but it offers no tools.
    NoTools,
    /// A version that does not answer tools by step.
    OldVersion,
    /// It was stopped.
    Cancelled,
}

impl Verdict {
    /// The verdict in a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::Fine => "This server can be used from here.",
            Self::BadAddress => "That is not an address yet.",
            Self::MixedContent => "The browser blocks an unencrypted server on an encrypted page.",
            Self::LocalPermission => "The browser keeps this page from the local network.",
            Self::NotThere => "Nothing answers at this address.",
            Self::Slow => "The server is too slow to be used, or was still starting.",
            Self::Asleep => "The Space is not running.",
            Self::WrongPath => "Something answers there, but it opens no WebSocket at this path.",
            Self::NotOpenEnv => "A WebSocket opens, but what speaks there is not OpenEnv.",
            Self::Full => "All sessions of the server are taken.",
            Self::Refused => "The server refused; its words say why.",
            Self::NoTools => "The environment offers no tools, so no model can act in it here.",
            Self::OldVersion => "The server does not answer tools by step: its OpenEnv is too old.",
            Self::Cancelled => "The test was stopped.",
        }
    }
}

impl Doctor {
    pub(super) fn pass(&mut self, id: CheckId, fact: impl Into<String>) {
        self.find(id, Outcome::Passed, fact.into(), None);
    }

    pub(super) fn fail(&mut self, id: CheckId, fact: impl Into<String>, fix: &str) {
        self.find(id, Outcome::Failed, fact.into(), Some(fix.to_owned()));
    }

    pub(super) fn skip(&mut self, id: CheckId, fact: impl Into<String>) {
        self.find(id, Outcome::Skipped, fact.into(), None);
    }

    pub(super) fn unknown(&mut self, id: CheckId, fact: impl Into<String>) {
        self.find(id, Outcome::Unknown, fact.into(), None);
    }

    pub(super) fn run(&mut self, id: CheckId, fact: impl Into<String>) {
        self.find(id, Outcome::Running, fact.into(), None);
    }

    /// Sets the result of a check, in its place: they are always in the order of their ids.
    fn find(&mut self, id: CheckId, outcome: Outcome, fact: String, fix: Option<String>) {
        let finding = Finding {
            id,
            title: id.title(),
            outcome,
            fact,
            fix,
        };
        match self.findings.binary_search_by_key(&id, |known| known.id) {
            Ok(at) => {
                if let Some(known) = self.findings.get_mut(at) {
                    *known = finding;
                }
            }
            Err(at) => self.findings.insert(at, finding),
        }
    }
}
