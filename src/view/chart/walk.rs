//! Ways through the chart without a mouse, and what lies under one.

use super::{Chart, Layout, Problem};
use crate::berth::ShipId;
use crate::order;

/// A direction of the arrow keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Earlier.
    Left,
    /// Later.
    Right,
    /// Towards the first section.
    Up,
    /// Towards the last section.
    Down,
    /// To the first ship.
    First,
    /// To the last ship.
    Last,
}

/// The ship an arrow key leads to. Left and right walk all placed ships by berthing hour; up and
/// down look for the nearest ship on that side of the quay, hours first.
pub fn neighbour(chart: &Chart, from: Option<ShipId>, way: Way) -> Option<ShipId> {
    let order = tab_order(chart);
    let at = from.and_then(|ship| order.iter().position(|other| *other == ship));
    match (way, at) {
        (Way::Last, _) => order.last().copied(),
        (Way::First, _) | (_, None) => order.first().copied(),
        (Way::Left, Some(at)) => order.get(at.saturating_sub(1)).copied(),
        (Way::Right, Some(at)) => order.get((at + 1).min(order.len() - 1)).copied(),
        (Way::Up | Way::Down, Some(_)) => across(chart, from?, way == Way::Down).or(from),
    }
}

/// Placed ships by berthing hour, then section.
pub fn tab_order(chart: &Chart) -> Vec<ShipId> {
    let mut ships: Vec<_> = chart
        .ships
        .iter()
        .filter_map(|ship| ship.place.map(|place| (place.hour, place.first, ship.ship)))
        .collect();
    order::by(&mut ships, Ord::cmp);
    ships.into_iter().map(|(_, _, ship)| ship).collect()
}

fn across(chart: &Chart, from: ShipId, down: bool) -> Option<ShipId> {
    let own = chart.ship(from)?.place?;
    chart
        .ships
        .iter()
        .filter(|ship| ship.ship != from)
        .filter_map(|ship| Some((ship.ship, ship.place?)))
        .filter(|(_, place)| {
            if down {
                place.first > own.first
            } else {
                place.first < own.first
            }
        })
        .min_by_key(|(ship, place)| {
            let apart = (place.hour - own.departure)
                .max(own.hour - place.departure)
                .max(0);
            (apart, (place.first - own.first).abs(), *ship)
        })
        .map(|(ship, _)| ship)
}

/// The problem after (or before) the one numbered `from`, round in a circle.
pub fn problem(chart: &Chart, from: Option<u32>, back: bool) -> Option<&Problem> {
    let many = chart.problems.len();
    let at = from.and_then(|number| chart.problems.iter().position(|one| one.number == number));
    let next = match (at, back) {
        (None, false) => 0,
        (None, true) => many.checked_sub(1)?,
        (Some(at), false) => (at + 1) % many,
        (Some(at), true) => (at + many - 1) % many,
    };
    chart.problems.get(next)
}

/// The ship at a point of the plot, topmost (the one drawn last) first.
pub fn at(chart: &Chart, layout: &Layout, x: f64, y: f64) -> Option<ShipId> {
    let hour = layout.scale.hour(x);
    let section = layout.scale.section(y);
    chart
        .ships
        .iter()
        .rev()
        .find(|ship| {
            let Some(place) = ship.place else {
                return false;
            };
            let (shown, _) = chart.extent.clip(place);
            (f64::from(shown.hour)..f64::from(shown.departure)).contains(&hour)
                && (f64::from(shown.first)..f64::from(shown.last + 1)).contains(&section)
        })
        .map(|ship| ship.ship)
}
