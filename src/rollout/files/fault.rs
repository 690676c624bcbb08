//! What can be wrong with a file, in words: the file, the fact, the next step.

use crate::settings::money::grouped;
use std::fmt;

/// Why a file, or a part of one, is not opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// No bytes, or only blanks.
    #[error("the file is empty. Choose another one")]
    Empty,
    /// More than [`super::LIMIT`].
    #[error(
        "the file has {} MB, and 32 MB is the most that this page opens. Split it into several files",
        grouped((*bytes as u64).div_ceil(1 << 20))
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// Still packed with gzip.
    #[error(
        "the file is packed with gzip, and it was not unpacked here. Unpack it and choose what comes out"
    )]
    Packed,
    /// A ZIP archive.
    #[error("the file is a ZIP archive. Unpack it and choose the files inside")]
    Zip,
    /// Neither UTF-8 nor UTF-16 with a mark.
    #[error(
        "the file is not text in UTF-8 (byte {}). Choose a rollout that was saved as JSON",
        grouped(*byte as u64)
    )]
    NotText {
        /// The first byte that is out of place, from 1.
        byte: usize,
    },
    /// A page of HTML.
    #[error(
        "this is a web page and no rollout. Use the address of the raw file, and sign in if the site asks for it"
    )]
    Html,
    /// The place holder that Git keeps for a large file.
    #[error(
        "this only points to a large file that Git keeps elsewhere. Use the download address (`resolve` in place of `raw`)"
    )]
    Pointer,
    /// It ends in the middle.
    #[error("the text ends in the middle of its JSON. It was cut off: fetch it again")]
    Cut,
    /// No JSON.
    #[error(
        "this can not be read as JSON from line {line}, column {column} on. Choose a rollout that was saved as JSON"
    )]
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// Lists in lists in lists.
    #[error(
        "the JSON is nested deeper than any rollout. Choose a rollout as the loop or this page saved it"
    )]
    TooDeep,
    /// JSON, but nothing known.
    #[error("this is JSON and no rollout: it has neither messages nor steps. Choose another file")]
    NotRollout,
    /// Nothing is listed.
    #[error("the list of rollouts is empty. Choose another file")]
    NoRollouts,
    /// A run of System 2.
    #[error("this is a trajectory of questions and answers. Open it on Ask")]
    Questions,
    /// A newer form of our own.
    #[error(
        "a newer version of this page wrote the file (format {version}, and 1 is known here). Reload the page"
    )]
    Newer {
        /// Its number.
        version: u64,
    },
    /// Episodes of an index that were not handed over.
    #[error("{}. Add the files that go with the index", missing(names, *more))]
    Missing {
        /// The first few.
        names: Vec<String>,
        /// How many more.
        more: usize,
    },
    /// An index where one rollout was asked for.
    #[error("this is an index of rollouts. Open the episode files that it lists")]
    OnlyIndex,
    /// There is no such entry.
    #[error("there is no rollout {}: the last one is {}. Ask for one of these", grouped(*number as u64), grouped(*most as u64))]
    NoEntry {
        /// What was asked for, from 1.
        number: usize,
        /// The last one.
        most: usize,
    },
    /// Parts that are not told one by one.
    #[error("{} more parts of the file can not be read. Mend the first ones and open it again", grouped(*more as u64))]
    More {
        /// How many.
        more: usize,
    },
}

fn missing(names: &[String], more: usize) -> String {
    let mut text = match names {
        [_] if more == 0 => "an episode is missing: ".to_owned(),
        _ => "episodes are missing: ".to_owned(),
    };
    text.push_str(&names.join(", "));
    if more > 0 {
        text.push_str(" and ");
        text.push_str(&grouped(more as u64));
        text.push_str(" more");
    }
    text
}

/// Where in a file something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The file as a whole.
    Whole,
    /// A line, from 1.
    Line(usize),
    /// An entry of a list, from 1.
    Entry(usize),
}

/// A file, or a part of one, that is not opened. As text, it is one sentence or two for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Name of the file.
    pub file: String,
    /// Where in the file.
    pub spot: Spot,
    /// What is wrong.
    pub fault: FileError,
}

impl Trouble {
    pub(super) fn new(file: &str, spot: Spot, fault: FileError) -> Self {
        Self {
            file: file.to_owned(),
            spot,
            fault,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        let (word, number) = match self.spot {
            Spot::Whole => ("", 0),
            Spot::Line(number) => (", line ", number),
            Spot::Entry(number) => (", entry ", number),
        };
        if number > 0 {
            f.write_str(word)?;
            f.write_str(&grouped(number as u64))?;
        }
        f.write_str(": ")?;
        fmt::Display::fmt(&self.fault, f)
    }
}
