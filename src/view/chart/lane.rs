//! What is in the way of ships: wind, blocks, and the lane of events above the quay.

use super::{BlockShape, Extent};
use crate::berth::{BlockKind, Hour, Task, Window};
use crate::order;
use serde_json::Value;

/// Hours in which some or all ships neither berth nor leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wind {
    /// First hour.
    pub start: Hour,
    /// The hour it is over.
    pub end: Hour,
    /// Whether every ship is bound, not only long ones.
    pub all: bool,
    /// Reason, strength and who is bound.
    pub label: String,
}

/// What an event of the lane is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneKind {
    /// Cranes that stand still.
    Outage,
    /// Wind that binds long ships.
    WindLong,
    /// Wind that binds every ship.
    WindAll,
    /// Sections out of use.
    Closed,
}

/// One event of the lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneEvent {
    /// What about.
    pub kind: LaneKind,
    /// First hour.
    pub start: Hour,
    /// The hour it is over.
    pub end: Hour,
    /// The row it stands in, from 0 at the top.
    pub row: usize,
    /// In words.
    pub label: String,
}

/// Events, stacked so that none covers another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// Events by start.
    pub events: Vec<LaneEvent>,
    /// Rows they need.
    pub rows: usize,
}

/// Wind windows; none without crane rules, where they do not bind.
pub(super) fn winds(task: &Task) -> Vec<Wind> {
    let windows = task.rules.no_moves.iter().filter(|_| task.has_cranes());
    windows
        .map(|window| Wind {
            start: window.start,
            end: window.end,
            all: window.min_length <= 0.0,
            label: wind_label(task, window),
        })
        .collect()
}

fn wind_label(task: &Task, window: &Window) -> String {
    let reason = if window.reason.is_empty() {
        "wind"
    } else {
        window.reason.as_str()
    };
    let knots = knots(task, window).map_or_else(String::new, |knots| format!(" {knots} kn"));
    let bound = if window.min_length <= 0.0 {
        "all ships stay".to_owned()
    } else {
        format!("ships from {} m stay", window.min_length)
    };
    format!("{reason}{knots}, {bound}")
}

/// The strength a disruption states for the hours of a window.
fn knots(task: &Task, window: &Window) -> Option<i64> {
    let number = |item: &Value, key: &str| item.get(key).and_then(Value::as_i64);
    let meets = |item: &&Value| {
        let start = number(item, "start").unwrap_or(i64::MAX);
        let end = number(item, "end").unwrap_or(i64::MIN);
        start < i64::from(window.end) && i64::from(window.start) < end
    };
    task.disruptions
        .iter()
        .filter(meets)
        .find_map(|item| number(item, "knots"))
}

/// Closures and ships already alongside, in task order.
pub(super) fn blocks(task: &Task) -> Vec<BlockShape> {
    task.blocks
        .iter()
        .map(|block| {
            let (what, label) = match block.kind {
                BlockKind::Alongside => ("already alongside", block.label.as_str()),
                BlockKind::Closed => ("closed", block.label.as_str()),
            };
            let who = if label.is_empty() {
                String::new()
            } else {
                format!("{label}, ")
            };
            let name = format!(
                "{who}{what}, hours {} to {}, sections {} to {}",
                block.start, block.end, block.first, block.last
            );
            BlockShape {
                kind: block.kind,
                first: block.first,
                last: block.last,
                start: block.start,
                end: block.end,
                label: block.label.clone(),
                cranes: block.cranes,
                name,
            }
        })
        .collect()
}

/// The lane: outages and wind on crane tasks, closures on all.
pub(super) fn lane(task: &Task, extent: Extent) -> Lane {
    let mut events = Vec::new();
    let mut add = |kind, start: Hour, end: Hour, label: String| {
        if start < end && start < extent.last_hour && end > extent.first_hour {
            events.push(LaneEvent {
                kind,
                start,
                end,
                row: 0,
                label,
            });
        }
    };
    for outage in task
        .rules
        .crane_outages
        .iter()
        .filter(|_| task.has_cranes())
    {
        let noun = if outage.cranes == 1 {
            "crane"
        } else {
            "cranes"
        };
        add(
            LaneKind::Outage,
            outage.start,
            outage.end,
            format!("−{} {noun}", outage.cranes),
        );
    }
    for wind in winds(task) {
        let kind = if wind.all {
            LaneKind::WindAll
        } else {
            LaneKind::WindLong
        };
        add(kind, wind.start, wind.end, wind.label);
    }
    for block in task
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Closed)
    {
        let reason = if block.label.is_empty() {
            "closed"
        } else {
            block.label.as_str()
        };
        let label = format!("sec {}–{} {reason}", block.first, block.last);
        add(LaneKind::Closed, block.start, block.end, label);
    }
    order::by_key(&mut events, |event| {
        (event.start, std::cmp::Reverse(event.end))
    });
    let mut ends: Vec<Hour> = Vec::new();
    for event in &mut events {
        let free = ends.iter().position(|end| *end <= event.start);
        event.row = free.unwrap_or(ends.len());
        match ends.get_mut(event.row) {
            Some(end) => *end = event.end,
            None => ends.push(event.end),
        }
    }
    Lane {
        events,
        rows: ends.len(),
    }
}
