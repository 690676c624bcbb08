//! A task prepared for search: hours counted from an origin, sections as bits, each ship's
//! possible crane counts with the hours they take.

use crate::berth::{BlockKind, Hour, Section, Ship, Task};

/// Sections in one mask; the part of a longer quay that lies beyond is not used.
pub(super) const MOST_SECTIONS: i32 = 128;
/// Crane counts tried for a ship, from the most cranes down.
const MOST_WAYS: usize = 24;
/// Plan hours lie within ± this.
const LAST_HOUR: i64 = 16_800;
/// Movements left in an hour without a limit, and cranes without crane rules.
const PLENTY: i32 = 1 << 24;
/// Price of another section than the published one.
pub(super) const MOVE_COST: i64 = 5;

/// Slots a ship must not get, whatever the task says: those with a berthing hour in
/// `from..until`, a first section in `first..=last` and, if given, this crane count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ban {
    /// The ship.
    pub ship: usize,
    /// First berthing hour it holds for.
    pub from: Hour,
    /// The berthing hour it ends before.
    pub until: Hour,
    /// First of the first sections it holds for.
    pub first: Section,
    /// Last of them.
    pub last: Section,
    /// Only with this many cranes; with any number if `None`.
    pub cranes: Option<i32>,
}

/// What one hour has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct HourLeft {
    /// A bit for each section taken.
    pub(super) taken: u128,
    pub(super) cranes: i32,
    pub(super) moves: i32,
}

/// One way to work a ship.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) cranes: i32,
    /// Hours of work.
    pub(super) work: usize,
}

/// A ship as the search sees it.
#[derive(Clone, Debug)]
pub(super) struct Vessel {
    /// Index of its earliest hour.
    pub(super) arrival: usize,
    /// Sections it needs.
    pub(super) sections: u32,
    /// The bit of its published first section; 0 for an unscheduled call.
    pub(super) home: u128,
    /// Most cranes (shortest work) first; a count that saves no hour is left out.
    pub(super) ways: Vec<Way>,
    /// Index in [`Problem::winds`].
    pub(super) wind: usize,
    /// Hours relative to the origin.
    pub(super) due: i64,
    /// Cost of an hour of delay.
    pub(super) rate: i64,
    pub(super) deadline: i64,
    pub(super) penalty: i64,
    /// ( from, until, bits of first sections, count or 0 )
    pub(super) bans: Vec<(i64, i64, u128, i32)>,
    /// Published hour (arrival of an unscheduled call), relative to the origin.
    pub(super) published: i64,
}

impl Vessel {
    /// Index of its published hour, if it has one that it can still meet.
    pub(super) fn published(&self) -> Option<usize> {
        let hour = usize::try_from(self.published).ok()?;
        (self.home != 0 && hour >= self.arrival).then_some(hour)
    }

    /// Cost of berthing at `start` and departing at `departure` (indices), without the move.
    pub(super) fn cost(&self, start: usize, departure: usize) -> i64 {
        let delay = (departure as i64 - self.due).max(0);
        let late = (start as i64 - self.deadline).max(0);
        self.rate * delay + self.penalty * late
    }

    /// Bits of first sections banned at `start` with `cranes`.
    pub(super) fn banned(&self, start: usize, cranes: i32) -> u128 {
        let start = start as i64;
        self.bans
            .iter()
            .filter(|(from, until, _, count)| {
                (*from..*until).contains(&start) && (*count == 0 || *count == cranes)
            })
            .fold(0, |bits, (_, _, sections, _)| bits | sections)
    }
}

/// The prepared task.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// The hour of index 0.
    pub(super) origin: Hour,
    /// The section of bit 0.
    pub(super) first_section: Section,
    /// Bits of the quay.
    pub(super) quay: u128,
    pub(super) vessels: Vec<Vessel>,
    /// For each set of wind windows that binds some ship, by hour: the hour it may move again
    /// (the hour itself when it may move now).
    pub(super) winds: Vec<Vec<u32>>,
    /// The hours without any ship of the plan.
    pub(super) empty: Vec<HourLeft>,
}

impl Problem {
    pub(super) fn new(task: &Task, bans: &[Ban]) -> Self {
        let (origin, hours) = span(task);
        let length = task.last_section.saturating_sub(task.first_section);
        let length = length.saturating_add(1).clamp(0, MOST_SECTIONS);
        let mut problem = Self {
            origin,
            first_section: task.first_section,
            quay: ones(length),
            vessels: Vec::with_capacity(task.ships.len()),
            winds: Vec::new(),
            empty: hours_left(task, origin, hours),
        };
        let mut sets: Vec<Vec<bool>> = Vec::new();
        for (id, ship) in task.ships.iter().enumerate() {
            let set: Vec<bool> = task
                .rules
                .no_moves
                .iter()
                .map(|window| task.has_cranes() && ship.length_m >= window.min_length)
                .collect();
            let known = sets.iter().position(|known| *known == set);
            let wind = known.unwrap_or_else(|| {
                problem.winds.push(problem.wind(task, &set));
                sets.push(set);
                sets.len() - 1
            });
            let bans = bans.iter().filter(|ban| ban.ship == id);
            let bans = bans.map(|ban| problem.ban(ban)).collect();
            let vessel = problem.vessel(ship, task, wind, bans);
            problem.vessels.push(vessel);
        }
        problem
    }

    /// By hour, when a ship bound by the windows in `set` may move.
    fn wind(&self, task: &Task, set: &[bool]) -> Vec<u32> {
        let mut free: Vec<u32> = (0..self.empty.len() as u32).collect();
        let bound = task.rules.no_moves.iter().zip(set);
        let mut closed = vec![false; free.len()];
        for (window, _) in bound.filter(|(_, bound)| **bound) {
            for hour in between(&mut closed, window.start, window.end, self.origin) {
                *hour = true;
            }
        }
        let mut next = free.len() as u32;
        for (hour, closed) in free.iter_mut().zip(&closed).rev() {
            if *closed {
                *hour = next;
            } else {
                next = *hour;
            }
        }
        free
    }

    fn bit(&self, section: Section) -> u128 {
        let place = section.saturating_sub(self.first_section);
        if (0..MOST_SECTIONS).contains(&place) {
            1 << place
        } else {
            0
        }
    }

    /// Bits of the sections `first..=last` that are on the quay.
    fn bits(&self, first: Section, last: Section) -> u128 {
        bits(first, last, self.first_section) & self.quay
    }

    fn ban(&self, ban: &Ban) -> (i64, i64, u128, i32) {
        let origin = i64::from(self.origin);
        (
            i64::from(ban.from) - origin,
            i64::from(ban.until) - origin,
            self.bits(ban.first, ban.last),
            ban.cranes.unwrap_or(0),
        )
    }

    fn vessel(
        &self,
        ship: &Ship,
        task: &Task,
        wind: usize,
        bans: Vec<(i64, i64, u128, i32)>,
    ) -> Vessel {
        let origin = i64::from(self.origin);
        let sections = ship.sections.clamp(1, MOST_SECTIONS + 1) as u32;
        let arrival = (i64::from(ship.arrival) - origin).max(0);
        Vessel {
            arrival: arrival as usize,
            sections,
            home: ship.planned_section.map_or(0, |section| self.bit(section)),
            ways: ways(ship, task),
            wind,
            due: i64::from(ship.due) - origin,
            rate: i64::from(sections) * ship.weight.clamp(0, 1 << 20),
            deadline: ship
                .berth_deadline
                .map_or(i64::MAX / 4, |hour| i64::from(hour) - origin),
            penalty: ship.deadline_penalty.clamp(0, 1 << 30),
            bans,
            published: i64::from(ship.planned_hour.unwrap_or(ship.arrival)) - origin,
        }
    }

    /// The hour a ship of this wind set leaves when its work ends at `finish`.
    pub(super) fn departure(&self, wind: usize, finish: usize) -> Option<usize> {
        let hour = self.winds.get(wind)?.get(finish)?;
        Some(*hour as usize)
    }
}

/// First hour and number of hours the search needs: room for every ship after everything.
fn span(task: &Task) -> (Hour, usize) {
    let arrivals = task.ships.iter().map(|ship| i64::from(ship.arrival));
    let origin = arrivals.clone().min().unwrap_or(0);
    let origin = origin.clamp(-LAST_HOUR, LAST_HOUR);
    let windows = task.rules.no_moves.iter().map(|window| window.end);
    let last = task.blocks.iter().map(|block| block.end);
    let last = last.chain(task.rules.crane_outages.iter().map(|outage| outage.end));
    let last = last.chain(windows).map(i64::from).chain(arrivals).max();
    let stays: i64 = task
        .ships
        .iter()
        .map(|ship| match ways(ship, task).first() {
            Some(way) => way.work as i64 + 1,
            None => 1,
        })
        .sum();
    let last = last
        .unwrap_or(0)
        .saturating_add(stays + 48)
        .clamp(origin, LAST_HOUR + 400);
    (origin as Hour, (last - origin) as usize + 1)
}

/// Counts worth trying, most cranes first.
fn ways(ship: &Ship, task: &Task) -> Vec<Way> {
    let pool = task.rules.crane_pool.unwrap_or(0);
    if !task.has_cranes() {
        let work = ship.handling.clamp(1, 1 << 14) as usize;
        return vec![Way { cranes: 0, work }];
    }
    let workload = ship.workload.unwrap_or(0);
    let least = ship.min_cranes.unwrap_or(1).max(1);
    let most = ship.max_cranes.unwrap_or(least).min(pool);
    let mut ways: Vec<Way> = Vec::new();
    for cranes in least..=most.min(least.saturating_add(400)) {
        let work = (workload / cranes + i32::from(workload % cranes > 0)).clamp(1, 1 << 14);
        if ways.last().is_none_or(|way| way.work > work as usize) {
            ways.push(Way {
                cranes,
                work: work as usize,
            });
        }
    }
    ways.reverse();
    ways.truncate(MOST_WAYS);
    ways
}

fn hours_left(task: &Task, origin: Hour, hours: usize) -> Vec<HourLeft> {
    let limit = task.rules.max_moves_per_hour.filter(|limit| *limit != 0);
    let (cranes, moves) = if task.has_cranes() {
        (task.rules.crane_pool.unwrap_or(0), limit.unwrap_or(PLENTY))
    } else {
        (PLENTY, PLENTY)
    };
    let fresh = HourLeft {
        taken: 0,
        cranes,
        moves,
    };
    let mut left = vec![fresh; hours];
    for block in &task.blocks {
        let taken = bits(block.first, block.last, task.first_section);
        let alongside = block.kind == BlockKind::Alongside && task.has_cranes();
        for hour in between(&mut left, block.start, block.end, origin) {
            hour.taken |= taken;
            if alongside {
                hour.cranes = hour.cranes.saturating_sub(block.cranes);
            }
        }
        if alongside {
            for hour in between(&mut left, block.end, block.end.saturating_add(1), origin) {
                hour.moves -= 1;
            }
        }
    }
    if task.has_cranes() {
        for outage in &task.rules.crane_outages {
            for hour in between(&mut left, outage.start, outage.end, origin) {
                hour.cranes = hour.cranes.saturating_sub(outage.cranes);
            }
        }
    }
    left
}

/// The items of the hours `start..end`.
fn between<T>(items: &mut [T], start: Hour, end: Hour, origin: Hour) -> &mut [T] {
    let index = |hour: Hour| {
        let offset = i64::from(hour) - i64::from(origin);
        offset.clamp(0, items.len() as i64) as usize
    };
    let (start, end) = (index(start), index(end));
    items.get_mut(start..end.max(start)).unwrap_or_default()
}

/// A mask of the lowest `count` bits.
fn ones(count: i32) -> u128 {
    match count {
        ..=0 => 0,
        1..128 => (1 << count) - 1,
        _ => u128::MAX,
    }
}

/// Bits of the sections `first..=last`, counted from `origin`.
fn bits(first: Section, last: Section, origin: Section) -> u128 {
    let first = first.saturating_sub(origin).max(0);
    let last = last.saturating_sub(origin).min(MOST_SECTIONS - 1);
    if first > last {
        return 0;
    }
    ones(last + 1) & !ones(first)
}

/// Bits where a run of `length` ones in `free` starts.
pub(super) fn runs(free: u128, length: u32) -> u128 {
    if length > 128 {
        return 0;
    }
    let (mut runs, mut have) = (free, 1);
    while have < length {
        let shift = have.min(length - have);
        runs &= runs >> shift;
        have += shift;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_start_where_enough_bits_follow() {
        assert_eq!(runs(0b0111_0110, 3), 0b0001_0000);
        assert_eq!(runs(0b0111_0110, 2), 0b0011_0010);
        assert_eq!(runs(u128::MAX, 128), 1);
        assert_eq!(runs(u128::MAX, 129), 0);
    }

    #[test]
    fn section_bits_are_cut_at_the_mask() {
        assert_eq!(bits(3, 5, 2), 0b1110);
        assert_eq!(bits(-4, 2, 2), 0b1);
        assert_eq!(bits(200, 300, 2), 0);
    }
}
