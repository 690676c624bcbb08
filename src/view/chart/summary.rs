//! The plan in words: one sentence for the whole, one for an hour.

use super::table::{State, states};
use super::time::{count, moment};
use super::{Chart, ChartInput, Content, LaneKind};
use crate::berth::Hour;

/// The chart's accessible name: "Draft 2 of 1 Aug, N1, Stenhaven North Terminal".
pub(super) fn title(chart: &Chart, input: &ChartInput<'_>) -> String {
    let mut parts = vec![chart.layer.clone()];
    if let Content::Plan { task, .. } = input.content {
        parts.extend(
            [&task.quay, &task.terminal]
                .into_iter()
                .filter(|text| !text.is_empty())
                .cloned(),
        );
        let first = chart
            .days
            .first()
            .filter(|_| !task.week_start_utc.is_empty());
        parts.extend(first.map(|day| format!("from {} {}", day.name, day.date)));
    }
    parts.join(", ")
}

/// "17 of 17 ships placed, 3 problems, cost 525, 2 ships late, 1 moved".
pub(super) fn summary(chart: &Chart, input: &ChartInput<'_>) -> String {
    let placed = || chart.ships.iter().filter(|ship| ship.place.is_some());
    let late = placed().filter(|ship| ship.delay > 0).count();
    let moved = placed().filter(|ship| ship.moved).count();
    let held = placed().filter(|ship| ship.hold().is_some()).count();
    let Content::Plan { check, .. } = input.content else {
        return format!(
            "{} placed, task not known",
            count(chart.ships.len() as i64, "ship")
        );
    };
    let mut parts = vec![format!(
        "{} of {} placed",
        placed().count(),
        count(chart.ships.len() as i64, "ship")
    )];
    if check.is_some() || input.told.is_some() {
        parts.push(match chart.problems.len() {
            0 => "no problems".to_owned(),
            many => count(many as i64, "problem"),
        });
    }
    match check
        .and_then(|check| check.cost)
        .filter(|_| chart.problems.is_empty())
    {
        Some(cost) => parts.push(format!("cost {cost}")),
        None if chart.problems.is_empty() => {}
        None => parts.push("no cost while there are problems".to_owned()),
    }
    parts.push(format!("{} late", count(late as i64, "ship")));
    parts.push(format!("{moved} moved"));
    if held > 0 {
        parts.push(format!("{held} held by wind"));
    }
    parts.join(", ")
}

/// An hour in words: when it is, who is where, what is in use. For the hour slider's value text.
pub fn at_hour(chart: &Chart, hour: Hour) -> String {
    let mut parts = Vec::new();
    let states = states(chart, hour);
    for (state, words) in [
        (State::Alongside, "alongside"),
        (State::Waiting, "waiting"),
        (State::Held, "held by wind"),
    ] {
        let many = states.iter().filter(|found| **found == state).count();
        if many > 0 || state == State::Alongside {
            parts.push(format!("{many} {words}"));
        }
    }
    if let Some((used, available)) = chart.cranes.as_ref().and_then(|strip| strip.at(hour)) {
        parts.push(format!("{used} of {available} cranes"));
    }
    if let Some((moves, limit)) = chart.moves.as_ref().and_then(|strip| strip.at(hour)) {
        parts.push(format!("{moves} of {limit} movements"));
    }
    format!("{}: {}", moment(&chart.days, hour), parts.join(", "))
}

/// What is in the way and what the strips say, line by line, for those who cannot see them.
pub fn in_the_way(chart: &Chart) -> Vec<String> {
    let blocks = chart.blocks.iter().map(|block| block.name.clone());
    let lane = chart
        .lane
        .events
        .iter()
        .filter(|event| event.kind != LaneKind::Closed);
    let events =
        lane.map(|event| format!("{}, hours {} to {}", event.label, event.start, event.end));
    let strips = [&chart.cranes, &chart.moves]
        .into_iter()
        .flatten()
        .map(|strip| strip.name.clone());
    blocks.chain(events).chain(strips).collect()
}
