//! What the planner says: what changed, by how much, and why. Exact numbers, few lines.

use crate::berth::{Check, Checker, Plan, Rule, Ship, ShipId, Slot, Task, baseline};
use crate::order;

/// Most changes named in one turn.
const NAMED: usize = 4;

/// A plan, called `label`, against the published one.
pub(super) fn against_published(
    task: &Task,
    checker: &Checker,
    draft: &Plan,
    label: &str,
) -> String {
    let published = baseline::published(task);
    let broken = checker.check(&published);
    let check = checker.check(draft);
    let mut kept = 0;
    let mut changes: Vec<(u8, i64, String)> = Vec::new();
    for ship in &task.ships {
        let (before, after) = (published.slot(ship.id), draft.slot(ship.id));
        let cost = check.ships.get(ship.id).map_or(0, |result| result.cost);
        let scheduled = ship.planned_hour.is_some();
        let Some(after) = after else {
            let line = format!("{}: no room found.", name(task, ship.id));
            changes.push((0, 0, line));
            continue;
        };
        if scheduled && before.is_some_and(|before| same_place(before, after)) {
            kept += 1;
            continue;
        }
        let (rank, why) = reason(task, ship, &broken);
        let line = format!("{} {why}: now {}.", name(task, ship.id), place(task, after));
        changes.push((rank, -cost, line));
    }
    order::by(&mut changes, Ord::cmp);
    let total = match check.cost {
        Some(cost) => format!("cost {cost}"),
        None => "not yet without fault".to_owned(),
    };
    let mut lines = vec![format!(
        "The published plan breaks the rules in {}. {label}: {kept} of {} ships stay where they were; {total}.",
        counted(broken.violations.len(), "place"),
        task.ships.len()
    )];
    lines.extend(changes.into_iter().take(NAMED).map(|(_, _, line)| line));
    lines.join("\n")
}

/// A later draft against the one before it.
pub(super) fn next_draft(
    task: &Task,
    checker: &Checker,
    before: &Plan,
    after: &Plan,
    proven: bool,
) -> String {
    let (old, new) = (checker.check(before), checker.check(after));
    let mut lines = vec![headline(&old, &new, proven)];
    let cost = |check: &Check, ship: ShipId| check.ships.get(ship).map_or(0, |result| result.cost);
    let mut changes: Vec<(i64, String)> = Vec::new();
    for ship in 0..task.ships.len() {
        let (Some(from), Some(to)) = (before.slot(ship), after.slot(ship)) else {
            continue;
        };
        let saved = cost(&old, ship) - cost(&new, ship);
        if from != to && saved != 0 {
            changes.push((saved, change(task, ship, (from, to), saved)));
        }
    }
    order::by_key(&mut changes, |(saved, _)| -saved);
    let dearer = changes.last().filter(|(saved, _)| *saved < 0).cloned();
    let most = NAMED - usize::from(dearer.is_some());
    let cheaper = changes
        .into_iter()
        .filter(|(saved, _)| *saved > 0)
        .take(most);
    lines.extend(cheaper.chain(dearer).map(|(_, line)| line));
    lines.join("\n")
}

fn headline(old: &Check, new: &Check, proven: bool) -> String {
    let mut line = match (old.cost, new.cost) {
        (Some(old), Some(new)) if new < old => {
            format!(
                "A better draft: cost {new} instead of {old}, {} saved.",
                old - new
            )
        }
        (_, Some(new)) => format!("Another draft: no rule broken, cost {new}."),
        (_, None) => format!(
            "Another draft: {} left that I cannot repair.",
            counted(new.violations.len(), "fault")
        ),
    };
    if proven {
        line.push_str(" No plan can cost less.");
    }
    line
}

fn change(task: &Task, ship: ShipId, (from, to): (Slot, Slot), saved: i64) -> String {
    let mut parts = Vec::new();
    let fields = [
        ("hour", from.hour, to.hour),
        ("section", from.section, to.section),
        ("cranes", from.cranes, to.cranes),
    ];
    for (field, from, to) in fields {
        if from != to {
            parts.push(format!("{field} {from} to {to}"));
        }
    }
    let name = name(task, ship);
    let parts = parts.join(", ");
    if saved > 0 {
        format!("{name}: {parts}; saves {saved}.")
    } else {
        format!("{name} gives way: {parts}; costs {} more.", -saved)
    }
}

/// Before a submission.
pub(super) fn submission(cost: Option<i64>, confirmed: bool) -> String {
    match (cost, confirmed) {
        (Some(cost), true) => {
            format!(
                "The check finds no fault and cost {cost}; I find nothing cheaper. Handing it in."
            )
        }
        (Some(cost), false) => {
            format!(
                "By my own count this breaks no rule and costs {cost}. Handing it in unchecked."
            )
        }
        (None, _) => "The best I have still breaks rules. Handing it in all the same.".to_owned(),
    }
}

/// When the server objects to what the local rules allow.
pub(super) fn objections(task: &Task, ships: &[ShipId]) -> String {
    let names: Vec<String> = ships
        .iter()
        .take(NAMED)
        .map(|ship| name(task, *ship))
        .collect();
    format!(
        "The server objects to {}, which my reading of the situation allows. Its word counts: I keep clear of that and plan again.",
        match names.as_slice() {
            [] => "the plan".to_owned(),
            _ => names.join(", "),
        }
    )
}

fn same_place(a: Slot, b: Slot) -> bool {
    (a.hour, a.section) == (b.hour, b.section)
}

/// How telling a change is (less is more), and why it was made.
fn reason(task: &Task, ship: &Ship, published: &Check) -> (u8, String) {
    let Some(planned) = ship.planned_hour else {
        return (1, format!("calls unplanned at hour {}", ship.arrival));
    };
    if ship.arrival > planned {
        return (1, format!("arrives {} h late", ship.arrival - planned));
    }
    let block = |index: usize| task.blocks.get(index);
    let Some(violation) = published.of(ship.id).next() else {
        return (4, "makes room".to_owned());
    };
    match violation.rule {
        Rule::OverlapClosed { block: index } => (
            2,
            match block(index) {
                Some(block) => format!(
                    "was planned on sections {}-{}, closed in hours {}-{}",
                    block.first, block.last, block.start, block.end
                ),
                None => "was planned on closed sections".to_owned(),
            },
        ),
        Rule::OverlapAlongside { block: index } => (
            2,
            match block(index) {
                Some(block) => format!(
                    "was planned where {} lies until hour {}",
                    block.label, block.end
                ),
                None => "was planned on a berth still taken".to_owned(),
            },
        ),
        Rule::NoMoveWindow { start, end } => (
            2,
            format!("cannot berth in the wind of hours {start}-{end}"),
        ),
        Rule::OverlapShip { other } => (3, format!("would lie where {} does", name(task, other))),
        Rule::CranePool {
            hour,
            used,
            available,
        } => (
            3,
            format!("works at hour {hour}, where {used} cranes were planned of {available}"),
        ),
        Rule::MovementLimit { hour, .. } => (3, format!("moves in the crowded hour {hour}")),
        _ => (3, "broke a rule".to_owned()),
    }
}

fn place(task: &Task, slot: Slot) -> String {
    let cranes = if task.has_cranes() {
        format!(
            " with {}",
            counted(slot.cranes.unsigned_abs() as usize, "crane")
        )
    } else {
        String::new()
    };
    format!("hour {} on section {}{cranes}", slot.hour, slot.section)
}

fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A ship as a sentence names it; with its id when the name is not its own.
pub(super) fn name(task: &Task, ship: ShipId) -> String {
    let name = task.ships.get(ship).map_or("", |ship| ship.name.as_str());
    let bearers = task.ships.iter().filter(|other| other.name == name).count();
    match name {
        "" => format!("Ship {ship}"),
        name if bearers > 1 => format!("{name} (ship {ship})"),
        name => name.to_owned(),
    }
}
