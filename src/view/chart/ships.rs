//! From task, plan and check to ship shapes, their published outlines, and the extent of it all.

use super::{Extent, Outline, Place, ShipKind, ShipShape};
use crate::berth::{Check, Checker, Hour, Plan, Ship, ShipId, Slot, Task};

/// The longest chart: three weeks.
pub(super) const LAST: Hour = 3 * 168;

/// Every ship of the task, by id. A check's times and costs count; what it does not know is
/// computed.
pub(super) fn ships(
    task: &Task,
    plan: &Plan,
    check: Option<&Check>,
    checker: &Checker,
) -> Vec<ShipShape> {
    let shape = |(id, ship): (ShipId, &Ship)| {
        let result = check
            .and_then(|check| check.ships.get(id))
            .filter(|result| result.placed);
        let shape = ShipShape {
            ship: id,
            label: ship.name.clone(),
            kind: kind(task, ship, id),
            arrival: Some(ship.arrival),
            due: Some(ship.due),
            sections: ship.sections,
            published: ship.planned_hour.zip(ship.planned_section),
            weight: ship.weight,
            dock_by: ship.berth_deadline,
            ..ShipShape::default()
        };
        let Some(slot) = plan.slot(id) else {
            return shape;
        };
        let times = result.map_or_else(
            || checker.departure(id, slot),
            |result| (result.finish, result.departure),
        );
        ShipShape {
            place: Some(place(ship, slot, times)),
            cranes: task.has_cranes().then_some(slot.cranes),
            delay: times.1.saturating_sub(ship.due).max(0),
            moved: ship
                .planned_section
                .is_some_and(|section| section != slot.section),
            cost: Some(result.map_or_else(|| checker.ship_cost(id, slot), |result| result.cost)),
            ..shape
        }
    };
    task.ships.iter().enumerate().map(shape).collect()
}

fn place(ship: &Ship, slot: Slot, (finish, departure): (Hour, Hour)) -> Place {
    Place {
        hour: slot.hour,
        finish,
        departure,
        first: slot.section,
        last: slot.section.saturating_add(ship.sections.max(1) - 1),
    }
}

fn kind(task: &Task, ship: &Ship, id: ShipId) -> ShipKind {
    let diverted = task.disruptions.iter().any(|item| {
        let says = |key: &str| item.get(key).and_then(serde_json::Value::as_u64);
        let of_this = says("ship") == Some(id as u64);
        of_this
            && item
                .get("type")
                .and_then(|kind| kind.as_str())
                .is_some_and(|kind| kind.starts_with("divert"))
    });
    match (diverted, ship.planned_hour) {
        (true, _) => ShipKind::Diverted,
        (false, None) => ShipKind::Extra,
        (false, Some(_)) => ShipKind::Scheduled,
    }
}

/// Published slots of the ships that lie elsewhere, or nowhere.
pub(super) fn outlines(ships: &[ShipShape]) -> Vec<Outline> {
    let outline = |ship: &ShipShape| {
        let (hour, section) = ship.published?;
        let kept = ship
            .place
            .is_some_and(|place| place.hour == hour && place.first == section);
        let departure = ship.due.unwrap_or(hour + 1).max(hour + 1);
        let place = Place {
            hour,
            finish: departure,
            departure,
            first: section,
            last: section.saturating_add(ship.sections.max(1) - 1),
        };
        (!kept).then_some(Outline {
            ship: ship.ship,
            place,
        })
    };
    ships.iter().filter_map(outline).collect()
}

/// From hour 0 in whole days, one week at least and three at most; the port's own sections.
/// The task alone decides as long as the plan stays within it, so that drafts of one task share
/// their axis.
pub(super) fn extent(task: &Task, ships: &[ShipShape]) -> Extent {
    let of_ships = ships.iter().flat_map(|ship| {
        [
            ship.due,
            ship.arrival.map(|hour| hour + 1),
            ship.place.map(|place| place.departure),
        ]
    });
    let of_blocks = task.blocks.iter().map(|block| Some(block.end));
    let of_rules = task.rules.no_moves.iter().map(|window| Some(window.end));
    let last = of_ships
        .chain(of_blocks)
        .chain(of_rules)
        .flatten()
        .max()
        .unwrap_or(0);
    Extent {
        first_hour: 0,
        last_hour: whole_days(last),
        first_section: task.first_section,
        last_section: task.last_section,
    }
}

/// The end of the day before which `last` lies, within one to three weeks.
pub(super) fn whole_days(last: Hour) -> Hour {
    (last.clamp(1, LAST) - 1)
        .div_euclid(24)
        .saturating_add(1)
        .saturating_mul(24)
        .clamp(168, LAST)
}
