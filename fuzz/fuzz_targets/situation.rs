//! Situation texts of any server: what was read is a task that can be checked, planned and written again. Input that is
//! JSON is a task, whose text is looked at.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quayside::berth::planner::Planner;
use quayside::berth::situation::{self, MOST_UNREAD, Situation};
use quayside::berth::{Checker, Plan, Slot, Task};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let task = serde_json::from_str(text)
        .ok()
        .and_then(|json| Task::from_json(&json).ok());
    if let Some(task) = task.filter(|task| task.problems().is_empty() && is_moderate(task)) {
        goes_through_text(&task);
    }
    let situation = match situation::read(text) {
        Ok(situation) => situation,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    // One line counts the others, three say what is missing.
    assert!(situation.unread.len() <= MOST_UNREAD + 4);
    let task = &situation.task;
    assert!(
        task.ships
            .iter()
            .enumerate()
            .all(|(id, ship)| ship.id == id)
    );
    used(task);
    if is_moderate(task) {
        let again = goes_through_text(task);
        if situation.unread.is_empty() {
            assert_eq!(again.unread, [] as [&str; 0]);
        }
    }
});

/// The text of a task carries what it promises to.
fn goes_through_text(task: &Task) -> Situation {
    let written = situation::write(task);
    let again = situation::read(&written).expect("a text of ours");
    assert_eq!(
        again.task,
        situation::carried(task),
        "read again it is another task:\n{written}"
    );
    assert_eq!(situation::write(&again.task), written);
    again
}

/// What the page does with a task.
fn used(task: &Task) {
    let published = task.ships.iter().map(|ship| {
        let slot = ship.planned_hour.zip(ship.planned_section);
        slot.map(|(hour, section)| Slot {
            hour,
            section,
            cranes: ship.std_cranes.unwrap_or(0),
        })
    });
    let plan = Plan {
        slots: published.collect(),
    };
    let check = Checker::new(task).check(&plan);
    assert_eq!(check.ships.len(), task.ships.len());
    if !task.problems().is_empty() {
        return;
    }
    let mut planner = Planner::new(task);
    planner.step(200);
    let best = planner.best();
    assert_eq!(best.slots.len(), task.ships.len());
}

/// Numbers for which the way through the text promises to lose nothing.
fn is_moderate(task: &Task) -> bool {
    let mut numbers = Vec::new();
    for ship in &task.ships {
        numbers.extend([ship.sections, ship.arrival, ship.handling, ship.due]);
        numbers.extend(
            [ship.planned_hour, ship.planned_section, ship.berth_deadline]
                .into_iter()
                .flatten(),
        );
        numbers.extend(
            [ship.workload, ship.min_cranes, ship.max_cranes]
                .into_iter()
                .flatten(),
        );
        numbers.push(ship.length_m as i32);
    }
    for block in &task.blocks {
        numbers.extend([
            block.first,
            block.last,
            block.start,
            block.end,
            block.cranes,
        ]);
    }
    for outage in &task.rules.crane_outages {
        numbers.extend([outage.start, outage.end, outage.cranes]);
    }
    for window in &task.rules.no_moves {
        numbers.extend([window.start, window.end, window.min_length as i32]);
    }
    numbers.extend([task.first_section, task.last_section, task.section_m as i32]);
    numbers.extend(
        [task.rules.crane_pool, task.rules.crane_rate]
            .into_iter()
            .flatten(),
    );
    let moves = task.rules.max_moves_per_hour.unwrap_or(0);
    numbers
        .iter()
        .all(|number| (-1_000_000..=1_000_000).contains(number))
        && i64::from(moves).abs() <= 1_000_000_000
}
