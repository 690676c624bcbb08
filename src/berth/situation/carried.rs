//! What survives the way through the text, as a function from task to task.

use super::date::Day;
use super::line::{cell, squeeze};
use super::{hours_of_work, standard_cranes};
use crate::berth::{Block, BlockKind, Outage, Rules, Ship, Task, Window};
use crate::order;

/// The part of `task` that its situation text carries: `read(&write(&task))` gives exactly this.
///
/// Kept as they are: quay sections, week, ships (name, sections, arrival, planned berth, due,
/// weight, emergency; with crane rules workload, crane range and planned count, else hours
/// alongside), blocks, notices, and on crane tasks the pool, movement limit, rate and wind windows.
/// Changed without any effect on a rule: names, labels and notices have single spaces (and `/`
/// for `|` in names), empty notices are dropped, alongside blocks come before closed ones, crane
/// outages become disjoint pieces in order of time, `section_m` is rounded to metres, and a length
/// has as many decimals as it takes to meet the same wind windows. Gone: task id, split, tier,
/// disruptions, reference, reward version, registry numbers, ports, beam and draught, and on tasks
/// without crane rules everything that those rules ignore. Recomputed: the standard count of
/// unscheduled calls (by length) and, on crane tasks, `handling` (the stay at the standard count).
///
/// Holds for numbers within ± 1 000 000 (moves and penalties: ± 1 000 000 000).
pub fn carried(task: &Task) -> Task {
    let cranes = task.has_cranes();
    let rules = if cranes {
        limits(&task.rules)
    } else {
        Rules::default()
    };
    let ships = task.ships.iter().enumerate();
    let notices = task.notices.iter().map(|notice| squeeze(notice));
    let of_kind = |kind| task.blocks.iter().filter(move |block| block.kind == kind);
    Task {
        quay: squeeze(&task.quay),
        terminal: squeeze(&task.terminal),
        first_section: task.first_section,
        last_section: task.last_section,
        section_m: task.section_m.round().max(0.0),
        week: task.week,
        week_start_utc: Day::from_utc(&task.week_start_utc).map_or(String::new(), Day::utc),
        ships: ships
            .map(|(id, ship)| self::ship(id, ship, cranes, &rules.no_moves))
            .collect(),
        blocks: of_kind(BlockKind::Alongside)
            .chain(of_kind(BlockKind::Closed))
            .map(|block| self::block(block, cranes))
            .collect(),
        notices: notices.filter(|notice| !notice.is_empty()).collect(),
        rules,
        ..Task::default()
    }
}

fn limits(rules: &Rules) -> Rules {
    Rules {
        crane_pool: rules.crane_pool,
        crane_rate: rules.crane_rate.filter(|rate| *rate > 0),
        crane_outages: pieces(&rules.crane_outages),
        max_moves_per_hour: rules.max_moves_per_hour.filter(|limit| *limit != 0),
        no_moves: rules.no_moves.iter().map(window).collect(),
        ..Rules::default()
    }
}

fn window(window: &Window) -> Window {
    Window {
        min_length: window.min_length.max(0.0),
        reason: squeeze(&window.reason),
        ..window.clone()
    }
}

/// Disjoint outages that say the same, in order of time. Outages that coincide add up, so one
/// sentence "only N are available" for each would not be true of the hours they share.
fn pieces(outages: &[Outage]) -> Vec<Outage> {
    let mut turns: Vec<(i32, i64)> = Vec::new();
    for outage in outages.iter().filter(|outage| outage.start < outage.end) {
        turns.push((outage.start, i64::from(outage.cranes)));
        turns.push((outage.end, -i64::from(outage.cranes)));
    }
    order::by(&mut turns, Ord::cmp);
    let mut found: Vec<Outage> = Vec::new();
    let (mut since, mut missing) = (i32::MIN, 0_i64);
    for (hour, change) in turns {
        if hour > since && missing != 0 {
            let cranes = i32::try_from(missing).unwrap_or(i32::MAX);
            match found.last_mut() {
                Some(last) if last.end == since && last.cranes == cranes => last.end = hour,
                _ => found.push(Outage {
                    start: since,
                    end: hour,
                    cranes,
                }),
            }
        }
        since = hour;
        missing += change;
    }
    found
}

fn block(block: &Block, cranes: bool) -> Block {
    let alongside = block.kind == BlockKind::Alongside;
    let label = squeeze(&block.label);
    Block {
        label: if alongside && label.is_empty() {
            "a ship".to_owned()
        } else {
            label
        },
        cranes: if alongside && cranes { block.cranes } else { 0 },
        ..block.clone()
    }
}

fn ship(id: usize, ship: &Ship, cranes: bool, windows: &[Window]) -> Ship {
    let published = ship.planned_hour.zip(ship.planned_section);
    let mut kept = Ship {
        id,
        name: cell(&ship.name),
        length_m: length(ship.length_m, windows),
        sections: ship.sections,
        arrival: ship.arrival,
        handling: ship.handling,
        planned_hour: published.map(|(hour, _)| hour),
        planned_section: published.map(|(_, section)| section),
        due: ship.due,
        weight: ship.weight,
        berth_deadline: ship.berth_deadline,
        deadline_penalty: ship.berth_deadline.map_or(0, |_| ship.deadline_penalty),
        ..Ship::default()
    };
    if cranes {
        let least = ship.min_cranes.unwrap_or(1);
        kept.min_cranes = Some(least);
        kept.max_cranes = Some(ship.max_cranes.unwrap_or(least));
        let workload = ship.workload.unwrap_or(0);
        kept.workload = Some(workload);
        let standard = match (published, ship.std_cranes) {
            (Some(_), Some(count)) => count,
            _ => standard_cranes(&kept),
        };
        kept.std_cranes = Some(standard);
        kept.handling = hours_of_work(workload, standard);
    }
    kept
}

/// `metres` with as few decimals as leave it on the same side of every window's threshold.
fn length(metres: f64, windows: &[Window]) -> f64 {
    let metres = if metres.is_finite() {
        metres.max(0.0)
    } else {
        0.0
    };
    let same = |other: f64| {
        windows
            .iter()
            .all(|window| (metres >= window.min_length) == (other >= window.min_length))
    };
    [1.0, 10.0, 100.0, 1000.0]
        .iter()
        .map(|scale| (metres * scale).round() / scale)
        .find(|rounded| same(*rounded))
        .unwrap_or(metres)
}
