//! JSON Lines: a record a line. Empty lines are passed over and counted.

use super::kind::{Rollouts, judge};
use super::text::value;
use super::{FileError, Saved, Spot};
use crate::case;

/// Whether the name says so.
pub(super) fn is_named(name: &str) -> bool {
    let name = case::lower(name);
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    matches!(name.rsplit('.').next(), Some("jsonl" | "ndjson"))
}

/// The rollouts of all lines; none where no line is a rollout.
pub(super) fn all(text: &str) -> Option<Rollouts> {
    let lines = text.split('\n').zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty());
    let all: Rollouts = lines
        .map(|(line, number)| (Spot::Line(number), one_line(line)))
        .collect();
    all.iter()
        .any(|(_, rollout)| rollout.is_ok())
        .then_some(all)
}

/// Line `number` of a text whose first line shows that it is JSON Lines, without reading the
/// others; none where it takes the whole text to know.
pub(super) fn one(name: &str, text: &str, number: usize) -> Option<Result<Saved, FileError>> {
    let mut filled = text.lines().filter(|line| !line.trim().is_empty());
    let first = filled.next().map(one_line)?;
    if first.is_err() || !is_named(name) && filled.next().is_none() {
        return None;
    }
    let line = number.checked_sub(1).and_then(|n| text.split('\n').nth(n));
    Some(match line.filter(|line| !line.trim().is_empty()) {
        Some(line) => one_line(line),
        None => Err(FileError::NoEntry {
            number,
            most: text.trim_end().split('\n').count(),
        }),
    })
}

fn one_line(line: &str) -> Result<Saved, FileError> {
    // A line is a text of its own: what is wrong with it is on its line 1, which is no help.
    value(line).and_then(judge)
}
