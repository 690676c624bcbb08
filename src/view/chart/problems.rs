//! Problems: numbered, grouped by rule, each with the ship and hour to jump to.

use super::ShipShape;
use crate::berth::{Check, Hour, Rule, ShipId, Task};
use crate::order;

/// A problem as a server told it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The ship at fault; `None` for an entry that could not be used.
    pub ship: Option<ShipId>,
    /// The machine's word for it, when there is one: `overlap_ship`, …
    pub kind: Option<String>,
    /// The server's words.
    pub text: String,
}

/// One line of the problems panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// From 1, in the order of the panel; the badge on the ship.
    pub number: u32,
    /// The rule, as a heading.
    pub group: &'static str,
    /// The ship at fault.
    pub ship: Option<ShipId>,
    /// Its name, empty without a ship.
    pub label: String,
    /// The hour to jump to.
    pub hour: Option<Hour>,
    /// What is wrong.
    pub text: String,
}

/// Problems under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// The rule.
    pub title: &'static str,
    /// Its problems, numbers ascending.
    pub problems: &'a [Problem],
}

/// The problems of a chart by heading.
pub fn groups(problems: &[Problem]) -> Vec<Group<'_>> {
    problems
        .chunk_by(|a, b| a.group == b.group)
        .filter_map(|problems| {
            Some(Group {
                title: problems.first()?.group,
                problems,
            })
        })
        .collect()
}

/// Kinds in the order of the panel, with their headings.
const GROUPS: [(&str, &str); 10] = [
    ("missing", "Not placed"),
    ("before_arrival", "Berths before it arrives"),
    ("outside_quay", "Beyond the quay"),
    ("overlap_ship", "Meets another ship"),
    ("overlap_alongside", "Meets a ship already alongside"),
    ("overlap_closed", "On closed sections"),
    ("no_move_window", "Berths in wind"),
    ("crane_count", "Crane count out of range"),
    ("crane_pool", "Too few cranes"),
    ("movement_limit", "Too many movements"),
];
const OTHER: &str = "Other problems";

fn rank(kind: &str) -> (usize, &'static str) {
    let found = GROUPS
        .iter()
        .enumerate()
        .find(|(_, (word, _))| *word == kind);
    found.map_or((GROUPS.len(), OTHER), |(at, (_, title))| (at, *title))
}

/// Problems found by a check.
pub(super) fn of_check(check: &Check, task: &Task, ships: &[ShipShape]) -> Vec<Problem> {
    let found = check.violations.iter().map(|violation| {
        let hour = match violation.rule {
            Rule::CranePool { hour, .. } | Rule::MovementLimit { hour, .. } => Some(hour),
            _ => place_hour(ships, Some(violation.ship)),
        };
        let kind = violation.rule.kind().as_str();
        (kind, Some(violation.ship), hour, violation.text(task))
    });
    sorted(found.collect(), ships)
}

/// Problems told by a server.
pub(super) fn of_told(told: &[Told], ships: &[ShipShape]) -> Vec<Problem> {
    let found = told.iter().map(|told| {
        let ship = told
            .ship
            .filter(|id| ships.iter().any(|ship| ship.ship == *id));
        let kind = told.kind.as_deref().unwrap_or("");
        (kind, ship, place_hour(ships, ship), told.text.clone())
    });
    sorted(found.collect(), ships)
}

type Found<'a> = (&'a str, Option<ShipId>, Option<Hour>, String);

fn sorted(mut found: Vec<Found<'_>>, ships: &[ShipShape]) -> Vec<Problem> {
    // Stable: within a rule the check's own order, ship by ship, stays.
    order::by_key(&mut found, |(kind, ..)| rank(kind).0);
    (1..)
        .zip(found)
        .map(|(number, (kind, ship, hour, text))| Problem {
            number,
            group: rank(kind).1,
            ship,
            label: ship.map_or_else(String::new, |id| name(ships, id)),
            hour,
            text,
        })
        .collect()
}

/// Writes the numbers of the problems onto the ships.
pub(super) fn number(ships: &mut [ShipShape], problems: &[Problem]) {
    for ship in ships {
        ship.problems = problems
            .iter()
            .filter(|problem| problem.ship == Some(ship.ship))
            .map(|problem| problem.number)
            .collect();
    }
}

fn name(ships: &[ShipShape], id: ShipId) -> String {
    let ship = ships.iter().find(|ship| ship.ship == id);
    ship.map_or_else(|| format!("ship {id}"), |ship| ship.label.clone())
}

fn place_hour(ships: &[ShipShape], ship: Option<ShipId>) -> Option<Hour> {
    ships
        .iter()
        .find(|shape| Some(shape.ship) == ship)?
        .place
        .map(|place| place.hour)
}
