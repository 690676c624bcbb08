//! A task turned into what checking asks for: ships as plain numbers, windows joined, cranes and
//! fixed movements by hour.
//!
//! Series over hours are steps and sorted lists, never one value per hour: a hostile task may
//! speak of hour two billion.

use crate::berth::{Block, BlockKind, Hour, Section, Ship, Slot, Task, Window};
use crate::order;
use std::collections::BTreeMap;

/// Hours `[start, end)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First hour.
    pub start: Hour,
    /// The hour it is over.
    pub end: Hour,
}

impl Span {
    /// Whether `hour` lies in it.
    pub fn holds(self, hour: Hour) -> bool {
        self.start <= hour && hour < self.end
    }
}

/// The numbers of a ship that rules and costs use; units as in [`Ship`].
#[derive(Clone, Debug)]
pub(in crate::berth) struct Berthing {
    pub(in crate::berth) sections: Section,
    pub(in crate::berth) arrival: Hour,
    pub(in crate::berth) due: Hour,
    pub(in crate::berth) handling: Hour,
    pub(in crate::berth) workload: i32,
    pub(in crate::berth) min_cranes: i32,
    pub(in crate::berth) max_cranes: i32,
    pub(in crate::berth) std_cranes: i32,
    pub(in crate::berth) weight: i64,
    pub(in crate::berth) planned_section: Option<Section>,
    pub(in crate::berth) berth_deadline: Option<Hour>,
    pub(in crate::berth) deadline_penalty: i64,
    /// Which of [`Prepared::windows`] are this ship's.
    pub(in crate::berth) class: usize,
}

/// What the cranes of the quay and the ships already there come to, from one hour to the next step.
#[derive(Clone, Copy, Debug)]
pub(in crate::berth) struct Step {
    pub(in crate::berth) hour: Hour,
    /// Cranes of the pool not out of order.
    pub(in crate::berth) available: i64,
    /// Cranes held by ships already alongside.
    pub(in crate::berth) fixed: i64,
}

/// Crane, movement and wind rules; only on crane tasks.
#[derive(Clone, Debug)]
pub(in crate::berth) struct Limits {
    /// By hour; the first step is the earliest hour there is.
    pub(in crate::berth) steps: Vec<Step>,
    /// Hours in which ships already alongside leave, ascending, and how many do.
    pub(in crate::berth) leaving: Vec<(Hour, i32)>,
    /// Movements allowed per hour.
    pub(in crate::berth) moves: Option<i32>,
}

/// A task prepared for checking.
#[derive(Clone, Debug)]
pub(in crate::berth) struct Prepared {
    pub(in crate::berth) first_section: Section,
    pub(in crate::berth) last_section: Section,
    pub(in crate::berth) ships: Vec<Berthing>,
    pub(in crate::berth) blocks: Vec<Block>,
    /// Joined windows for each class of ship length; ships bound by the same windows share one.
    pub(in crate::berth) windows: Vec<Vec<Span>>,
    pub(in crate::berth) limits: Option<Limits>,
}

impl Prepared {
    pub(in crate::berth) fn new(task: &Task) -> Self {
        let limits = task.has_cranes().then(|| Limits::new(task));
        let bounds = if limits.is_some() {
            lengths(&task.rules.no_moves)
        } else {
            Vec::new()
        };
        let joined = |most: Option<&f64>| {
            let binding = |window: &&Window| most.is_some_and(|most| *most >= window.min_length);
            join(task.rules.no_moves.iter().filter(binding))
        };
        // Class 0 is bound by nothing, class k by the windows of the k smallest lengths.
        let classes = std::iter::once(None).chain(bounds.iter().map(Some));
        Self {
            first_section: task.first_section,
            last_section: task.last_section,
            ships: task.ships.iter().map(|s| berthing(s, &bounds)).collect(),
            blocks: task.blocks.clone(),
            windows: classes.map(joined).collect(),
            limits,
        }
    }

    pub(in crate::berth) fn windows(&self, ship: &Berthing) -> &[Span] {
        self.windows.get(ship.class).map_or(&[], Vec::as_slice)
    }

    /// The ship's joined window that holds `hour`.
    pub(in crate::berth) fn window_at(&self, ship: &Berthing, hour: Hour) -> Option<Span> {
        let mut windows = self.windows(ship).iter().copied();
        windows.find(|window| window.holds(hour))
    }

    /// Hours of work; at least 1 on crane tasks. A count out of range is timed with the standard.
    fn work(&self, ship: &Berthing, cranes: i32) -> Hour {
        if self.limits.is_none() {
            return ship.handling;
        }
        let fit = ship.min_cranes <= cranes && cranes <= ship.max_cranes;
        let cranes = if fit { cranes } else { ship.std_cranes }.max(1);
        let whole = ship.workload / cranes;
        let rest = ship.workload % cranes;
        (whole + i32::from(rest > 0)).max(1)
    }

    /// When work ends, and when the ship leaves: then, or at the end of the window that holds it.
    pub(in crate::berth) fn departure(&self, ship: &Berthing, slot: Slot) -> (Hour, Hour) {
        let finish = slot.hour.saturating_add(self.work(ship, slot.cranes));
        let window = self.window_at(ship, finish);
        (finish, window.map_or(finish, |window| window.end))
    }
}

impl Berthing {
    /// Price of leaving and berthing when it does, without the move.
    pub(in crate::berth) fn delay_cost(&self, hour: Hour, departure: Hour) -> i64 {
        let delay = i64::from(departure.saturating_sub(self.due).max(0));
        let late = i64::from(self.sections)
            .saturating_mul(delay)
            .saturating_mul(self.weight);
        let penalty = self.berth_deadline.map_or(0, |deadline| {
            let over = i64::from(hour.saturating_sub(deadline).max(0));
            over.saturating_mul(self.deadline_penalty)
        });
        late.saturating_add(penalty)
    }

    /// Whether berthing at `section` is a move.
    pub(in crate::berth) fn moved(&self, section: Section) -> bool {
        self.planned_section
            .is_some_and(|planned| planned != section)
    }
}

impl Limits {
    fn new(task: &Task) -> Self {
        let mut changes = BTreeMap::<Hour, (i64, i64)>::new();
        let mut change = |hour, available: i64, fixed: i64| {
            let at = changes.entry(hour).or_default();
            at.0 = at.0.saturating_add(available);
            at.1 = at.1.saturating_add(fixed);
        };
        for outage in &task.rules.crane_outages {
            if outage.start < outage.end {
                let cranes = i64::from(outage.cranes);
                change(outage.start, -cranes, 0);
                change(outage.end, cranes, 0);
            }
        }
        let mut leaving = BTreeMap::<Hour, i32>::new();
        for block in &task.blocks {
            if block.kind != BlockKind::Alongside {
                continue;
            }
            let leave = leaving.entry(block.end).or_default();
            *leave = leave.saturating_add(1);
            if block.start < block.end {
                change(block.start, 0, i64::from(block.cranes));
                change(block.end, 0, -i64::from(block.cranes));
            }
        }
        let mut now = Step {
            hour: Hour::MIN,
            available: i64::from(task.rules.crane_pool.unwrap_or(0)),
            fixed: 0,
        };
        let mut steps = vec![now];
        for (hour, (available, fixed)) in changes {
            now.hour = hour;
            now.available = now.available.saturating_add(available);
            now.fixed = now.fixed.saturating_add(fixed);
            steps.push(now);
        }
        Self {
            steps,
            leaving: leaving.into_iter().collect(),
            moves: task.rules.max_moves_per_hour.filter(|limit| *limit != 0),
        }
    }

    /// The step in force at `hour`.
    pub(in crate::berth) fn step(&self, hour: Hour) -> Step {
        let after = self.steps.partition_point(|step| step.hour <= hour);
        let step = self.steps.get(after.saturating_sub(1)).copied();
        step.unwrap_or(Step {
            hour: Hour::MIN,
            available: 0,
            fixed: 0,
        })
    }

    /// Ships already alongside that leave at `hour`.
    pub(in crate::berth) fn leaving(&self, hour: Hour) -> i32 {
        let at = self.leaving.binary_search_by_key(&hour, |leave| leave.0);
        let found = at.ok().and_then(|at| self.leaving.get(at));
        found.map_or(0, |leave| leave.1)
    }
}

/// A count kept within what its type can say.
pub(in crate::berth) fn clamped(count: i64) -> i32 {
    count.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

fn berthing(ship: &Ship, bounds: &[f64]) -> Berthing {
    let min = ship.min_cranes.unwrap_or(1);
    Berthing {
        sections: ship.sections,
        arrival: ship.arrival,
        due: ship.due,
        handling: ship.handling,
        workload: ship.workload.unwrap_or(0),
        min_cranes: min,
        max_cranes: ship.max_cranes.unwrap_or(min),
        std_cranes: ship.standard_cranes(),
        weight: ship.weight,
        planned_section: ship.planned_section,
        berth_deadline: ship.berth_deadline,
        deadline_penalty: ship.deadline_penalty,
        class: bounds.partition_point(|bound| *bound <= ship.length_m),
    }
}

/// The different lengths from which windows bind, ascending.
fn lengths(windows: &[Window]) -> Vec<f64> {
    let mut lengths: Vec<f64> = windows.iter().map(|window| window.min_length).collect();
    order::by(&mut lengths, f64::total_cmp);
    lengths.dedup();
    lengths
}

/// Windows in order, those that overlap or touch made one.
fn join<'a>(windows: impl Iterator<Item = &'a Window>) -> Vec<Span> {
    let mut spans: Vec<Span> = windows
        .map(|window| Span {
            start: window.start,
            end: window.end,
        })
        .collect();
    order::by_key(&mut spans, |span| (span.start, span.end));
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::berth::Rules;

    fn window(start: Hour, end: Hour, min_length: f64) -> Window {
        Window {
            start,
            end,
            min_length,
            reason: String::new(),
        }
    }

    fn task(lengths: &[f64], no_moves: Vec<Window>) -> Task {
        Task {
            ships: lengths
                .iter()
                .map(|length_m| Ship {
                    length_m: *length_m,
                    ..Ship::default()
                })
                .collect(),
            rules: Rules {
                crane_pool: Some(1),
                no_moves,
                ..Rules::default()
            },
            ..Task::default()
        }
    }

    #[test]
    fn windows_that_touch_join_for_the_ships_they_both_bind() {
        let windows = vec![
            window(10, 12, 0.0),
            window(4, 10, 200.0),
            window(13, 15, 0.0),
        ];
        let prepared = Prepared::new(&task(&[199.9, 200.0], windows));
        let spans = |ship: usize| -> Vec<(Hour, Hour)> {
            let spans = prepared.windows(&prepared.ships[ship]).iter();
            spans.map(|span| (span.start, span.end)).collect()
        };
        assert_eq!(spans(0), [(10, 12), (13, 15)]);
        assert_eq!(spans(1), [(4, 12), (13, 15)]);
    }

    #[test]
    fn windows_are_nobodys_without_crane_rules() {
        let mut plain = task(&[300.0], vec![window(0, 9, 0.0)]);
        plain.rules.crane_pool = None;
        let prepared = Prepared::new(&plain);
        assert!(prepared.windows(&prepared.ships[0]).is_empty());
    }

    #[test]
    fn outages_that_coincide_add_up() {
        let mut task = task(&[], Vec::new());
        let outage = |start, end, cranes| crate::berth::Outage { start, end, cranes };
        task.rules.crane_pool = Some(5);
        task.rules.crane_outages = vec![outage(0, 10, 1), outage(5, Hour::MAX, 3)];
        let limits = Limits::new(&task);
        let available = [-1, 0, 4, 5, 9, 10].map(|hour| limits.step(hour).available);
        assert_eq!(available, [5, 4, 4, 1, 1, 2]);
    }

    #[test]
    fn hostile_numbers_saturate() {
        let mut task = task(&[500.0], vec![window(Hour::MIN, Hour::MAX, 0.0)]);
        task.ships[0].sections = i32::MAX;
        task.ships[0].weight = i64::MAX;
        task.ships[0].due = Hour::MIN;
        task.ships[0].workload = Some(i32::MAX);
        task.blocks = vec![Block {
            start: Hour::MIN,
            end: Hour::MAX,
            kind: BlockKind::Alongside,
            cranes: i32::MAX,
            ..Block::default()
        }];
        let prepared = Prepared::new(&task);
        let slot = Slot {
            hour: Hour::MAX,
            section: 0,
            cranes: 1,
        };
        let (_, departure) = prepared.departure(&prepared.ships[0], slot);
        assert_eq!(departure, Hour::MAX);
        let cost = prepared.ships[0].delay_cost(slot.hour, departure);
        assert_eq!(cost, i64::MAX);
    }
}
