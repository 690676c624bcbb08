//! Files with rollouts in them, as people drop, paste or fetch them. In: names and bytes. Out:
//! rollouts, and a sentence about each part that is none.
//!
//! What is taken, told apart by content and never by trust in a name:
//!
//! ```text
//! {"messages": […], "steps": […], …}            one record, as the reference loop writes it
//! {"model": …, "episodes": [{"file": …}, …]}    an index, with one file an episode beside it
//! {…}\n{…}\n                                    JSON Lines: a record a line
//! [{…}, {…}]                                    a list of records
//! {"quayside": 1, "rollouts": [{…}, …]}         our own export of several, see `archive`
//! {"schema_version": "ATIF-v1.7", …}            a trajectory of Harbor's, see `rollout::atif`
//! ```
//!
//! gzip is told apart by its first bytes, and is unpacked by whoever fetched the bytes: ask
//! [`needs`], unpack no more than [`LIMIT`], and hand in what comes out. Nothing in a file can stop
//! the page: all that is wrong with one is a [`FileError`].

mod archive;
mod fault;
mod index;
mod kind;
mod lines;
mod mend;
mod pile;
mod text;

#[cfg(test)]
mod tests;

pub use archive::{Saved, archives, jsonl};
pub use fault::{FileError, Spot, Trouble};
pub use text::{Needs, needs};

use kind::Content;
use serde_json::{Map, Value};

/// Most bytes of one file, unpacked: 32 MiB. Reading takes several times as much memory.
pub const LIMIT: usize = 32 << 20;

/// Most troubles told of one file; what goes beyond is counted.
const MOST_TROUBLES: usize = 20;

/// A file as it came.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name, with its folder where that is known (`run-7/index.json`). For messages, and to
    /// find what an index lists.
    pub name: &'a str,
    /// What is in it, unpacked.
    pub bytes: &'a [u8],
}

/// A rollout, and where it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Name of the file.
    pub file: String,
    /// Where in the file.
    pub spot: Spot,
    /// The rollout.
    pub rollout: Saved,
}

/// An index that was among the files.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Name of the index.
    pub file: String,
    /// What it says of the run as a whole: all but its list.
    pub facts: Map<String, Value>,
    /// Episodes it lists.
    pub listed: usize,
    /// How many of them were among the files.
    pub present: usize,
}

/// What some files held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opened {
    /// Rollouts: those that an index lists in its order, then all others in the order of the files.
    pub found: Vec<Found>,
    /// Indices.
    pub runs: Vec<Run>,
    /// What could not be read.
    pub troubles: Vec<Trouble>,
}

/// Opens files that were handed over together.
///
/// ```
/// use quayside::rollout::{Source, open};
/// let opened = open(&[
///     Source { name: "a.json", bytes: br#"{"task_id": "quay-1", "messages": []}"# },
///     Source { name: "b.json", bytes: b"" },
/// ]);
/// assert_eq!(opened.found[0].rollout.record.task_id, "quay-1");
/// assert_eq!(opened.troubles[0].to_string(), "b.json: the file is empty. Choose another one");
/// ```
pub fn open(sources: &[Source<'_>]) -> Opened {
    let mut opened = Opened::default();
    let mut indices = Vec::new();
    for source in sources {
        let file = source.name.to_owned();
        match text::text(source.bytes).and_then(|text| kind::content(source.name, &text)) {
            Ok(Content::Index(index)) => indices.push((file, index)),
            Ok(Content::Rollouts(rollouts)) => take(&file, rollouts, &mut opened),
            Err(fault) => opened
                .troubles
                .push(Trouble::new(&file, Spot::Whole, fault)),
        }
    }
    index::join(indices, &mut opened);
    opened
}

/// Sorts what one file held into rollouts and troubles.
fn take(file: &str, rollouts: kind::Rollouts, opened: &mut Opened) {
    let mut bad = 0;
    for (spot, rollout) in rollouts {
        match rollout {
            Ok(rollout) => opened.found.push(Found {
                file: file.to_owned(),
                spot,
                rollout,
            }),
            Err(fault) => {
                bad += 1;
                if bad <= MOST_TROUBLES {
                    opened.troubles.push(Trouble::new(file, spot, fault));
                }
            }
        }
    }
    if let Some(more @ 1..) = bad.checked_sub(MOST_TROUBLES) {
        let fault = FileError::More { more };
        opened.troubles.push(Trouble::new(file, Spot::Whole, fault));
    }
}

/// Opens one rollout of a file that holds several: line `number` of JSON Lines (empty lines
/// count), or else entry `number` of a list. Both count from 1; a single record is number 1.
pub fn open_at(source: &Source<'_>, number: usize) -> Result<Found, Trouble> {
    let at = |spot, rollout| match rollout {
        Ok(rollout) => Ok(Found {
            file: source.name.to_owned(),
            spot,
            rollout,
        }),
        Err(fault) => Err(Trouble::new(source.name, spot, fault)),
    };
    let text = match text::text(source.bytes) {
        Ok(text) => text,
        Err(fault) => return at(Spot::Whole, Err(fault)),
    };
    if let Some(line) = lines::one(source.name, &text, number) {
        return at(Spot::Line(number), line);
    }
    match kind::content(source.name, &text) {
        Ok(Content::Rollouts(mut all)) => {
            let place_of = |spot: &Spot| match spot {
                Spot::Line(place) | Spot::Entry(place) => *place,
                Spot::Whole => 1,
            };
            let asked = all.iter().position(|(spot, _)| place_of(spot) == number);
            if let Some(asked) = asked {
                let (spot, rollout) = all.swap_remove(asked);
                at(spot, rollout)
            } else {
                let most = all.last().map_or(0, |(spot, _)| place_of(spot));
                at(Spot::Whole, Err(FileError::NoEntry { number, most }))
            }
        }
        Ok(Content::Index(_)) => at(Spot::Whole, Err(FileError::OnlyIndex)),
        Err(fault) => at(Spot::Whole, Err(fault)),
    }
}
