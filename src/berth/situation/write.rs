//! From task to text.

use super::carried;
use super::date::Day;
use crate::berth::{Block, BlockKind, Hour, Rules, Ship, Task};
use crate::order;

/// What stands between the terminal and its quay in the first line; no terminal has this in its
/// name, so that one with a comma is read back whole.
pub(super) const TAIL: &str = ", berth planning - quay ";

/// The situation of `task` as Markdown, rows in the order of the published plan.
pub fn write(task: &Task) -> String {
    let task = carried(task);
    let mut lines = opening(&task);
    let mut section = |heading: &str, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(String::new());
            lines.push(format!("## {heading}"));
            lines.extend(items.into_iter().map(|item| format!("- {item}")));
        }
    };
    section("Notices", task.notices.clone());
    let of_kind = |kind| task.blocks.iter().filter(move |block| block.kind == kind);
    section(
        "Already alongside at hour 0 (cannot move)",
        of_kind(BlockKind::Alongside).map(alongside).collect(),
    );
    section(
        "Closed sections",
        of_kind(BlockKind::Closed).map(closed).collect(),
    );
    if task.has_cranes() {
        let ships: Vec<&Block> = of_kind(BlockKind::Alongside).collect();
        section(
            "Quay cranes and movements",
            limits(&task.rules, task.rules.crane_pool.unwrap_or(0), &ships),
        );
    }
    lines.push(String::new());
    lines.push("## Ships to berth".to_owned());
    lines.push(String::new());
    lines.extend(table(&task));
    lines.push(String::new());
    lines.join("\n")
}

fn opening(task: &Task) -> Vec<String> {
    let day = Day::from_utc(&task.week_start_utc);
    let year = day.map_or(String::new(), |day| format!(" of {}", day.week_year()));
    let mut lines = vec![format!(
        "# {}{TAIL}{}, week {}{year}",
        task.terminal, task.quay, task.week
    )];
    if let Some(day) = day {
        lines.push(format!(
            "Hour 0 is {} 00:00 UTC. Every time below is a whole hour counted from there; hour 24 is the next midnight.",
            day.words()
        ));
    }
    lines.push(format!(
        "The quay is sections {}-{} (about {} m each). A ship on first section s that needs k sections lies on s to s+k-1.",
        task.first_section, task.last_section, task.section_m
    ));
    lines
}

fn alongside(block: &Block) -> String {
    let from = match block.start {
        0 => String::new(),
        start => format!(" (from hour {start})"),
    };
    let (label, first, last, end) = (&block.label, block.first, block.last, block.end);
    format!("{label}: sections {first}-{last} until hour {end}{from}")
}

fn closed(block: &Block) -> String {
    let label = match block.label.as_str() {
        "" => String::new(),
        label => format!(" ({label})"),
    };
    format!(
        "sections {}-{}, hours {}-{}{label}",
        block.first, block.last, block.start, block.end
    )
}

fn limits(rules: &Rules, pool: i32, alongside: &[&Block]) -> Vec<String> {
    let mut cranes = vec![format!("The terminal has {pool} quay cranes.")];
    cranes.extend(rules.crane_outages.iter().map(|outage| {
        let left = pool.saturating_sub(outage.cranes);
        let (start, end) = (outage.start, outage.end);
        format!("From hour {start} to hour {end} only {left} are available.")
    }));
    let mut items = vec![cranes.join(" ")];
    if let Some(limit) = rules.max_moves_per_hour {
        items.push(format!(
            "At most {limit} ships may berth or leave in any one hour: berthings and departures count together, those of the ships already alongside too."
        ));
    }
    if let Some(rate) = rules.crane_rate {
        items.push(format!(
            "A crane handles {rate} container moves per hour: with c cranes a ship works its moves / ({rate} x c) hours, rounded up."
        ));
    }
    for window in &rules.no_moves {
        let whom = if window.min_length > 0.0 {
            format!("ships of {} m or more", window.min_length)
        } else {
            "all ships".to_owned()
        };
        let reason = match window.reason.as_str() {
            "" => String::new(),
            reason => format!(" ({reason})"),
        };
        items.push(format!(
            "No berthing or leaving for {whom} from hour {} to hour {}{reason}.",
            window.start, window.end
        ));
    }
    items.extend(kept_cranes(alongside));
    items
}

/// One sentence when all hold the same number, else one a ship.
fn kept_cranes(alongside: &[&Block]) -> Vec<String> {
    match alongside {
        [] => Vec::new(),
        [first, others @ ..] if others.iter().all(|other| other.cranes == first.cranes) => {
            vec![format!(
                "Each ship already alongside keeps {} cranes until it leaves.",
                first.cranes
            )]
        }
        _ => alongside
            .iter()
            .map(|block| {
                let (label, first, last) = (&block.label, block.first, block.last);
                let cranes = block.cranes;
                format!("{label} on sections {first}-{last} keeps {cranes} cranes until it leaves.")
            })
            .collect(),
    }
}

fn table(task: &Task) -> Vec<String> {
    let cranes = task.has_cranes();
    let with_notes = cranes || task.ships.iter().any(|ship| !notes(ship).is_empty());
    let unit = match task.rules.crane_rate {
        Some(_) => "moves",
        None => "crane-hours",
    };
    let mut headings = vec!["id", "ship", "length m", "sections", "arrives (hour)"];
    let workload = format!("workload ({unit})");
    if cranes {
        headings.extend([
            workload.as_str(),
            "cranes min-max",
            "planned berth (hour @ section, cranes)",
        ]);
    } else {
        headings.extend(["hours alongside", "planned berth (hour @ section)"]);
    }
    headings.push("planned departure (hour)");
    if with_notes {
        headings.push("notes");
    }
    let mut lines = vec![
        row(&headings),
        format!("|{}", "---|".repeat(headings.len())),
    ];
    let mut ships: Vec<&Ship> = task.ships.iter().collect();
    order::by_key(&mut ships, |ship| published_order(ship));
    for ship in ships {
        let mut cells = vec![
            ship.id.to_string(),
            ship.name.clone(),
            ship.length_m.to_string(),
            ship.sections.to_string(),
            ship.arrival.to_string(),
        ];
        if cranes {
            let work = i64::from(ship.workload.unwrap_or(0));
            let rate = i64::from(task.rules.crane_rate.unwrap_or(1));
            cells.push((work * rate).to_string());
            let (least, most) = (ship.min_cranes.unwrap_or(1), ship.max_cranes.unwrap_or(1));
            cells.push(format!("{least}-{most}"));
        } else {
            cells.push(ship.handling.to_string());
        }
        cells.push(planned(ship, cranes));
        cells.push(ship.due.to_string());
        if with_notes {
            cells.push(notes(ship));
        }
        lines.push(row(&cells));
    }
    lines
}

/// Order of the published plan: planned hour (arrival when unscheduled), then id.
fn published_order(ship: &Ship) -> (Hour, usize) {
    (ship.planned_hour.unwrap_or(ship.arrival), ship.id)
}

fn planned(ship: &Ship, cranes: bool) -> String {
    match (ship.planned_hour, ship.planned_section) {
        (Some(hour), Some(section)) if cranes => {
            let count = ship.std_cranes.unwrap_or(1);
            format!("{hour} @ {section}, {count} cranes")
        }
        (Some(hour), Some(section)) => format!("{hour} @ {section}"),
        _ => "none (unscheduled)".to_owned(),
    }
}

fn notes(ship: &Ship) -> String {
    let mut notes = Vec::new();
    if let Some(hour) = ship.berth_deadline {
        let penalty = ship.deadline_penalty;
        notes.push(format!(
            "emergency: dock by hour {hour} (+{penalty} per hour later)"
        ));
    }
    if ship.weight != 1 {
        notes.push(format!("priority: lateness x{}", ship.weight));
    }
    notes.join("; ")
}

fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}
