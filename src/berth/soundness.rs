//! Whether a task from outside makes sense.
//!
//! Checking a plan is safe on any task, sound or not; searching for plans, drawing them and
//! describing them is meant for sound ones. So whoever takes a task in asks [`Task::problems`]
//! first and refuses it with the first answer. Overlapping blocks are let through: they only
//! make one ship's mistake count twice.

use super::{Hour, Section, Ship, Task};
use thiserror::Error;

/// Hours lie within this many of hour 0 (100 weeks), as in plans.
const HOURS: Hour = 16_800;
/// Sections and cranes lie within this many of 0, as in plans.
const SMALL: i32 = 1_000;
/// The most ships, blocks, outages, windows or notices there may be.
const MANY: usize = 1_000;
/// The longest a name, label or id may be, in bytes.
const NAME: usize = 500;
/// The most work, weight or penalty per hour.
const LARGE: i64 = 1_000_000;

/// Something in a task that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TaskProblem {
    /// No ships at all.
    #[error("the task has no ships")]
    NoShips,
    /// A list longer than any real one.
    #[error("the task lists {given} {what}, where {most} is the most")]
    TooMany {
        /// What it lists.
        what: &'static str,
        /// How many.
        given: usize,
        /// The most there may be.
        most: usize,
    },
    /// A text longer than any real one.
    #[error("the {what} in place {at} is too long")]
    TooLong {
        /// Which text.
        what: &'static str,
        /// Position in its list; 0 for the task's own.
        at: usize,
    },
    /// First section after the last, or far from 0.
    #[error("a quay cannot run from section {first} to section {last}")]
    Quay {
        /// First section.
        first: Section,
        /// Last section.
        last: Section,
    },
    /// A ship whose id is not its position.
    #[error("the ship in place {at} has id {id}; ids are places, counted from 0")]
    ShipId {
        /// Position in `Task::ships`.
        at: usize,
        /// Its id.
        id: usize,
    },
    /// A ship of no sections, or of more than the quay has.
    #[error("ship {ship} takes {sections} sections and the quay has {quay}")]
    ShipSize {
        /// Id.
        ship: usize,
        /// Sections it takes.
        sections: Section,
        /// Sections of the quay.
        quay: Section,
    },
    /// A number of a ship that cannot be.
    #[error("{what} of ship {ship} cannot be {given}")]
    ShipNumber {
        /// Id.
        ship: usize,
        /// Which number: the field's name.
        what: &'static str,
        /// What it is.
        given: i64,
    },
    /// Crane counts missing, or not in the order fewest ≤ standard ≤ most.
    #[error("ship {ship} needs workload, min_cranes, std_cranes and max_cranes in that order")]
    ShipCranes {
        /// Id.
        ship: usize,
    },
    /// Sections of a block in the wrong order or far from 0, or a negative count of cranes.
    #[error("block {block} cannot take these sections and cranes")]
    Block {
        /// Index in `Task::blocks`.
        block: usize,
    },
    /// An end not after its start, or hours too far from hour 0.
    #[error("{what} {at} cannot last from hour {start} to hour {end}")]
    Span {
        /// What has these hours.
        what: &'static str,
        /// Index in its list.
        at: usize,
        /// First hour.
        start: Hour,
        /// The hour it is over.
        end: Hour,
    },
    /// A limit of the rules that cannot be.
    #[error("{what} cannot be {given}")]
    Limit {
        /// The rule's key.
        what: &'static str,
        /// What it is.
        given: i64,
    },
}

impl Task {
    /// Everything about the task that makes no sense; nothing for a sound one. After a list that
    /// is far too long, the rest is not looked at.
    pub fn problems(&self) -> Vec<TaskProblem> {
        let mut found = sizes(self);
        if found.is_empty() {
            quay(self, &mut found);
            for (at, ship) in self.ships.iter().enumerate() {
                identity(at, ship, self, &mut found);
                numbers(at, ship, self.has_cranes(), &mut found);
            }
            spans(self, &mut found);
            limits(self, &mut found);
        }
        found
    }
}

fn sizes(task: &Task) -> Vec<TaskProblem> {
    let rules = &task.rules;
    let lists = [
        ("ships", task.ships.len()),
        ("blocks", task.blocks.len()),
        ("notices", task.notices.len()),
        ("disruptions", task.disruptions.len()),
        ("crane outages", rules.crane_outages.len()),
        ("wind windows", rules.no_moves.len()),
    ];
    let most = MANY;
    let long = lists.into_iter().filter(|list| list.1 > most);
    let mut found: Vec<TaskProblem> = long
        .map(|(what, given)| TaskProblem::TooMany { what, given, most })
        .collect();
    if task.ships.is_empty() {
        found.push(TaskProblem::NoShips);
    }
    found
}

fn quay(task: &Task, found: &mut Vec<TaskProblem>) {
    let (first, last) = (task.first_section, task.last_section);
    let near = (-SMALL..=SMALL).contains(&first) && (-SMALL..=SMALL).contains(&last);
    if !near || last < first {
        found.push(TaskProblem::Quay { first, last });
    }
    for text in [&task.task_id, &task.quay, &task.terminal] {
        if text.len() > NAME {
            found.push(TaskProblem::TooLong {
                what: "label of the task",
                at: 0,
            });
        }
    }
}

fn identity(at: usize, ship: &Ship, task: &Task, found: &mut Vec<TaskProblem>) {
    if ship.id != at {
        found.push(TaskProblem::ShipId { at, id: ship.id });
    }
    let texts = [&ship.name, &ship.imo, &ship.from_port, &ship.to_port];
    if texts.iter().any(|text| text.len() > NAME) {
        found.push(TaskProblem::TooLong {
            what: "name of the ship",
            at,
        });
    }
    let quay = task.last_section.saturating_sub(task.first_section);
    let quay = quay.saturating_add(1);
    if !(1..=quay).contains(&ship.sections) {
        found.push(TaskProblem::ShipSize {
            ship: at,
            sections: ship.sections,
            quay,
        });
    }
}

fn numbers(ship: usize, given: &Ship, cranes: bool, found: &mut Vec<TaskProblem>) {
    let hour = |what, hour: Option<Hour>| (what, i64::from(hour.unwrap_or(0)), i64::from(-HOURS));
    // What it is called, what it is, the least it may be.
    let hours = [
        hour("arrival", Some(given.arrival)),
        hour("due", Some(given.due)),
        hour("planned_hour", given.planned_hour),
        hour("berth_deadline", given.berth_deadline),
        // Without crane rules this is the stay; with them it is only told.
        ("handling", i64::from(given.handling), i64::from(!cranes)),
    ];
    let others = [
        ("weight", given.weight, 0),
        ("deadline_penalty", given.deadline_penalty, 0),
    ];
    let hours = hours.into_iter().map(|number| (number, i64::from(HOURS)));
    let others = others.into_iter().map(|number| (number, LARGE));
    for ((what, given, least), most) in hours.chain(others) {
        if given < least || most < given {
            found.push(TaskProblem::ShipNumber { ship, what, given });
        }
    }
    if let Some(planned) = given.planned_section
        && !(-SMALL..=SMALL).contains(&planned)
    {
        found.push(TaskProblem::ShipNumber {
            ship,
            what: "planned_section",
            given: i64::from(planned),
        });
    }
    if !given.length_m.is_finite() || given.length_m < 0.0 {
        found.push(TaskProblem::ShipNumber {
            ship,
            what: "length_m",
            given: given.length_m as i64,
        });
    }
    if cranes && !crane_counts(given) {
        found.push(TaskProblem::ShipCranes { ship });
    }
}

fn crane_counts(ship: &Ship) -> bool {
    let counts = (ship.min_cranes, ship.std_cranes, ship.max_cranes);
    let (Some(work), (Some(min), Some(std), Some(max))) = (ship.workload, counts) else {
        return false;
    };
    let work = (0..=LARGE).contains(&i64::from(work));
    work && 1 <= min && min <= std && std <= max && max <= SMALL
}

fn spans(task: &Task, found: &mut Vec<TaskProblem>) {
    let blocks = task.blocks.iter().enumerate();
    let blocks = blocks.map(|(at, block)| ("block", at, block.start, block.end));
    let outages = task.rules.crane_outages.iter().enumerate();
    let outages = outages.map(|(at, outage)| ("crane outage", at, outage.start, outage.end));
    let windows = task.rules.no_moves.iter().enumerate();
    let windows = windows.map(|(at, window)| ("wind window", at, window.start, window.end));
    for (what, at, start, end) in blocks.chain(outages).chain(windows) {
        if start < -HOURS || HOURS < end || end <= start {
            found.push(TaskProblem::Span {
                what,
                at,
                start,
                end,
            });
        }
    }
    for (at, block) in task.blocks.iter().enumerate() {
        let (first, last) = (block.first, block.last);
        let ordered = -SMALL <= first && first <= last && last <= SMALL;
        if !ordered || !(0..=SMALL).contains(&block.cranes) {
            found.push(TaskProblem::Block { block: at });
        }
        if block.label.len() > NAME {
            let what = "label of the block";
            found.push(TaskProblem::TooLong { what, at });
        }
    }
}

fn limits(task: &Task, found: &mut Vec<TaskProblem>) {
    let rules = &task.rules;
    let small = [
        ("crane_pool", rules.crane_pool),
        ("max_moves_per_hour", rules.max_moves_per_hour),
    ];
    let small = small.into_iter().map(|(what, limit)| {
        let limit = limit.unwrap_or(0);
        (what, i64::from(limit), i64::from(SMALL))
    });
    let cranes = rules.crane_outages.iter().map(|outage| {
        let missing = i64::from(outage.cranes);
        ("a crane outage", missing, i64::from(SMALL))
    });
    let gap = [("gap_k", rules.gap_k.unwrap_or(0), LARGE)];
    for (what, given, most) in small.chain(cranes).chain(gap) {
        if !(0..=most).contains(&given) {
            found.push(TaskProblem::Limit { what, given });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::{Block, Outage, Rules, Window};

    fn sound() -> Task {
        let ship = |id| Ship {
            id,
            sections: 3,
            handling: 5,
            workload: Some(9),
            min_cranes: Some(1),
            std_cranes: Some(2),
            max_cranes: Some(2),
            ..Ship::default()
        };
        Task {
            first_section: 1,
            last_section: 3,
            ships: vec![ship(0), ship(1)],
            blocks: vec![Block {
                first: 1,
                last: 1,
                start: -3,
                end: -2,
                ..Block::default()
            }],
            rules: Rules {
                crane_pool: Some(1),
                crane_outages: vec![Outage {
                    start: 0,
                    end: 1,
                    cranes: 1,
                }],
                no_moves: vec![Window {
                    start: 0,
                    end: 1,
                    ..Window::default()
                }],
                ..Rules::default()
            },
            ..Task::default()
        }
    }

    fn after(change: impl FnOnce(&mut Task)) -> Vec<TaskProblem> {
        let mut task = sound();
        change(&mut task);
        task.problems()
    }

    #[test]
    fn a_sound_task_has_no_problems() {
        assert_eq!(sound().problems(), []);
    }

    #[test]
    fn a_ship_must_fit_the_quay_and_bear_its_place_as_id() {
        let (sections, quay) = (4, 3);
        assert_eq!(
            after(|task| task.ships[1].sections = 4),
            [TaskProblem::ShipSize {
                ship: 1,
                sections,
                quay
            }]
        );
        assert_eq!(
            after(|task| task.ships[1].id = 7),
            [TaskProblem::ShipId { at: 1, id: 7 }]
        );
    }

    #[test]
    fn crane_counts_matter_on_crane_tasks_only() {
        let problem = [TaskProblem::ShipCranes { ship: 0 }];
        assert_eq!(after(|task| task.ships[0].std_cranes = Some(3)), problem);
        assert_eq!(after(|task| task.ships[0].workload = None), problem);
        let plain = after(|task| {
            task.rules.crane_pool = None;
            task.ships[0].std_cranes = Some(3);
        });
        assert_eq!(plain, []);
    }

    #[test]
    fn hours_have_an_order_and_an_end() {
        assert_eq!(after(|task| task.blocks[0].end = -3).len(), 1);
        assert_eq!(after(|task| task.blocks[0].end = Hour::MAX).len(), 1);
        assert_eq!(after(|task| task.rules.no_moves[0].end = 0).len(), 1);
        assert_eq!(after(|task| task.rules.crane_outages[0].end = 0).len(), 1);
        assert_eq!(after(|task| task.ships[0].arrival = Hour::MIN).len(), 1);
        assert_eq!(after(|task| task.ships[0].due = HOURS).len(), 0);
    }

    #[test]
    fn absurd_sizes_are_named_once() {
        let problems = after(|task| task.ships = vec![Ship::default(); 1_001]);
        let (given, most) = (1_001, MANY);
        let what = "ships";
        assert_eq!(problems, [TaskProblem::TooMany { what, given, most }]);
        assert_eq!(after(|task| task.ships.clear()), [TaskProblem::NoShips]);
    }
}
