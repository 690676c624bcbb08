//! What the part of the program that shares does: see [`crate::part`]. Each gives nothing as long
//! as that part is away.

use crate::berth::Task;
use crate::part::in_part;
use crate::rollout::{self, Found, Record, Saved};
use crate::share::{self, Choices, Held, LinkError, Opened, Outgoing, Parcel, Sealed, Source};

/// What a link will hold, ready to be made shorter.
pub(in crate::app) struct Packed {
    pub(in crate::app) parcel: Parcel,
    pub(in crate::app) left_out: Vec<&'static str>,
    /// Places that look like a secret.
    pub(in crate::app) secrets: Vec<String>,
}

/// Where a file link leads, or why it leads nowhere.
pub(in crate::app) type Asked = Result<Source, String>;

/// A form that a rollout is exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// A report for people.
    Markdown,
    /// The final plan as a table.
    Csv,
    /// Harbor's agent trajectory interchange format.
    Atif,
}

/// A file to offer.
pub(in crate::app) struct File {
    pub(in crate::app) ending: &'static str,
    pub(in crate::app) mime: &'static str,
    pub(in crate::app) text: String,
}

/// What came out of opened files.
pub(in crate::app) struct Read {
    pub(in crate::app) found: Vec<Saved>,
    pub(in crate::app) troubles: Vec<String>,
}

in_part! { sharing, pub(in crate::app) fn pack(outgoing: &Outgoing<'_>, choices: Choices) -> Result<Packed, LinkError> {
    let parcel = share::pack(outgoing, choices)?;
    // What leaves is looked through as a reader will see it.
    let secrets = share::secrets_in(&parcel.opened()?.record, &|_, _| {});
    Ok(Packed {
        left_out: Held::of(choices, outgoing).left_out(),
        secrets: secrets.iter().map(ToString::to_string).collect(),
        parcel,
    })
} }

in_part! { sharing, pub(in crate::app) fn code(parcel: &Parcel, deflated: &[u8]) -> String {
    share::fragment(&parcel.code(deflated))
} }

in_part! { sharing, pub(in crate::app) fn parse(code: &str) -> Result<Sealed, LinkError> {
    share::parse(code)
} }

in_part! { sharing, pub(in crate::app) fn open(sealed: &Sealed, bytes: &[u8]) -> Result<Opened, LinkError> {
    share::open(sealed.form, bytes, &sealed.check)
} }

in_part! { sharing, pub(in crate::app) fn replay(record: &Record, task: &Task) -> Record {
    share::replay(record, task).record
} }

in_part! { sharing, pub(in crate::app) fn source(query: &str) -> Asked {
    share::source(query).map_err(|error| error.to_string())
} }

in_part! { sharing, pub(in crate::app) fn verify(source: &Source, bytes: &[u8]) -> Result<(), String> {
    source.verify(bytes).map_err(|error| error.to_string())
} }

in_part! { sharing, pub(in crate::app) fn pick(name: &str, bytes: &[u8], line: usize) -> Result<Found, String> {
    let source = rollout::Source { name, bytes };
    rollout::open_at(&source, line + 1).map_err(|trouble| trouble.to_string())
} }

in_part! { sharing, pub(in crate::app) fn secrets(record: &Record) -> Vec<String> {
    let found = share::secrets_in(record, &|_, _| {});
    found.iter().map(ToString::to_string).collect()
} }

in_part! { sharing, pub(in crate::app) fn read(files: &[(String, Vec<u8>)]) -> Read {
    let sources: Vec<_> = files
        .iter()
        .map(|(name, bytes)| rollout::Source { name, bytes })
        .collect();
    let opened = rollout::open(&sources);
    Read {
        found: opened.found.into_iter().map(|found| found.rollout).collect(),
        troubles: opened.troubles.iter().map(ToString::to_string).collect(),
    }
} }

in_part! { sharing, pub(in crate::app) fn archives(saved: &[Saved]) -> Vec<String> {
    rollout::archives(saved)
} }

in_part! { sharing, pub(in crate::app) fn export(record: &Record, form: Export) -> File {
    match form {
        Export::Markdown => File {
            ending: "md",
            mime: "text/markdown",
            text: rollout::markdown(record),
        },
        Export::Csv => File {
            ending: "csv",
            mime: "text/csv",
            text: rollout::plan_csv(&record.last_plan().unwrap_or_default()),
        },
        Export::Atif => File {
            ending: "atif.json",
            mime: "application/json",
            text: crate::wire::json::indented(&rollout::atif::atif(record)) + "\n",
        },
    }
} }
