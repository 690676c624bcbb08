//! What pages of one browser tell each other: that something changed in the store that they share,
//! that keys were forgotten, and which runs go on where. A word for all, one line of JSON; what does not read is not for us.

use crate::wire::Millis;
use crate::wire::json::{compact, read};
use serde_json::{Value, json};

/// How often a page with a run says so. Browsers let a hidden page act once a minute.
pub const BEAT: Millis = Millis(10_000);

/// How long a page that says nothing is believed to be there still.
pub const SILENCE: Millis = Millis(150_000);

/// What a page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// It is new: who runs what?
    Hello,
    /// The episodes that go on in it; none any more when it is empty.
    Runs(Vec<String>),
    /// Something was kept, named or put back.
    Changed,
    /// These rollouts were deleted.
    Deleted(Vec<String>),
    /// The keys of these services were forgotten; each page holds its own.
    Forgot(Vec<String>),
}

/// Who says it, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// A name that no other page has.
    pub tab: String,
    /// What it says.
    pub word: Word,
}

impl Call {
    /// As it goes out.
    pub fn to_text(&self) -> String {
        let (word, ids): (_, &[String]) = match &self.word {
            Word::Hello => ("hello", &[]),
            Word::Runs(ids) => ("runs", ids),
            Word::Changed => ("changed", &[]),
            Word::Deleted(ids) => ("deleted", ids),
            Word::Forgot(services) => ("forgot", services),
        };
        compact(&json!({"tab": self.tab, "word": word, "ids": ids}))
    }

    /// As it came in.
    pub fn parse(text: &str) -> Option<Self> {
        let value = read(text)?;
        let ids = || {
            let ids = value.get("ids").and_then(Value::as_array);
            ids.into_iter()
                .flatten()
                .filter_map(|id| id.as_str().map(str::to_owned))
                .collect()
        };
        let word = match value.get("word")?.as_str()? {
            "hello" => Word::Hello,
            "runs" => Word::Runs(ids()),
            "changed" => Word::Changed,
            "deleted" => Word::Deleted(ids()),
            "forgot" => Word::Forgot(ids()),
            _ => return None,
        };
        Some(Self {
            tab: value.get("tab")?.as_str()?.to_owned(),
            word,
        })
    }
}

/// The runs of the other pages, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct Others(Vec<Other>);

#[derive(Clone, Debug)]
struct Other {
    tab: String,
    ids: Vec<String>,
    heard: Millis,
}

impl Others {
    /// Takes in what a page runs; true when that is news.
    pub fn hear(&mut self, now: Millis, tab: String, ids: Vec<String>) -> bool {
        let before = self.0.iter().position(|other| other.tab == tab);
        let before = before.map(|at| self.0.remove(at).ids).unwrap_or_default();
        let news = before != ids;
        if !ids.is_empty() {
            let heard = now;
            self.0.push(Other { tab, ids, heard });
        }
        news
    }

    /// Forgets pages that have said nothing for too long; true when there were such.
    pub fn forget_silent(&mut self, now: Millis) -> bool {
        let before = self.0.len();
        self.0.retain(|other| now.since(other.heard) <= SILENCE);
        self.0.len() < before
    }

    /// Whether this episode goes on in another page.
    pub fn runs(&self, id: &str) -> bool {
        self.0
            .iter()
            .any(|other| other.ids.iter().any(|run| run == id))
    }

    /// Whether nothing goes on elsewhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
