//! The quay while it is being planned: what each hour has left, and the cheapest slot for a ship
//! in it.

use super::problem::{HourLeft, MOVE_COST, Problem, Vessel, Way, runs};
use super::random::Random;

/// A ship's place, in indices and bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Berth {
    pub(super) start: usize,
    /// The bit of the first section.
    pub(super) section: u128,
    pub(super) cranes: i32,
    /// Work ends, cranes are free.
    pub(super) finish: usize,
    /// It leaves.
    pub(super) departure: usize,
    pub(super) cost: i64,
}

impl Berth {
    /// Bits of all its sections.
    pub(super) fn mask(&self, vessel: &Vessel) -> u128 {
        let width = vessel.sections.min(128);
        if width == 128 {
            u128::MAX
        } else {
            ((1 << width) - 1) << self.section.trailing_zeros()
        }
    }
}

/// How to choose among slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taste {
    /// Chance in percent to overlook an hour, and a crane count in it.
    pub(super) blink: usize,
    /// Chance in percent to keep away from the published section, which another may need more.
    pub(super) stray: usize,
    /// Hours searched on after the cheapest slot so far, for one of equal cost.
    pub(super) patience: usize,
    /// Price of a crane-hour, in sixteenths of a cost unit: spares cranes for others.
    pub(super) thrift: i64,
}

/// Occupancy by hour.
#[derive(Clone, Debug)]
pub(super) struct Quay {
    hours: Vec<HourLeft>,
}

impl Quay {
    pub(super) fn new(problem: &Problem) -> Self {
        Self {
            hours: problem.empty.clone(),
        }
    }

    pub(super) fn put(&mut self, berth: &Berth, vessel: &Vessel) {
        let mask = berth.mask(vessel);
        self.change(berth, -1, |hour| hour.taken |= mask);
    }

    pub(super) fn take(&mut self, berth: &Berth, vessel: &Vessel) {
        let mask = !berth.mask(vessel);
        self.change(berth, 1, |hour| hour.taken &= mask);
    }

    fn change(&mut self, berth: &Berth, sign: i32, sections: impl Fn(&mut HourLeft)) {
        let stay = self.hours.get_mut(berth.start..=berth.departure);
        let Some((last, stay)) = stay.and_then(|stay| stay.split_last_mut()) else {
            return;
        };
        last.moves += sign;
        if let Some(first) = stay.first_mut() {
            first.moves += sign;
        }
        let work = berth.finish - berth.start;
        for (offset, hour) in stay.iter_mut().enumerate() {
            sections(hour);
            if offset < work {
                hour.cranes += sign * berth.cranes;
            }
        }
    }

    /// The cheapest slot of `vessel` below `limit`, among equals by taste and chance. `units`
    /// counts the slots looked at.
    pub(super) fn cheapest(
        &self,
        problem: &Problem,
        vessel: &Vessel,
        taste: Taste,
        limit: i64,
        random: &mut Random,
        units: &mut u64,
    ) -> Option<Berth> {
        let mut best: Option<(i64, Berth)> = None;
        let mut bound = limit.saturating_mul(16);
        let shortest = vessel.ways.first()?.work;
        let winds = problem.winds.get(vessel.wind)?;
        let mut patience = taste.patience;
        let home = if random.chance(taste.stray) {
            0
        } else {
            vessel.home
        };
        for (start, hour) in self.hours.iter().enumerate().skip(vessel.arrival) {
            *units += 1;
            let departure = problem.departure(vessel.wind, start + shortest)?;
            let least = vessel.cost(start, departure) * 16;
            if best.is_some() {
                if least > bound || patience == 0 {
                    break;
                }
                patience -= 1;
            } else if least >= bound {
                return None;
            }
            let open = winds.get(start).is_some_and(|free| *free as usize == start);
            if !open || hour.moves < 1 || (taste.blink > 0 && random.chance(taste.blink)) {
                continue;
            }
            self.at(problem, vessel, home, start, units, |berth, way| {
                if taste.blink > 0 && random.chance(taste.blink) {
                    return;
                }
                let saved = taste.thrift * i64::from(way.cranes) * way.work as i64;
                let noise = random.below(16) as i64;
                let price = berth.cost * 16 + saved + noise;
                if price < bound {
                    bound = price;
                    let section = pick(berth.section, home, random);
                    best = Some((price, Berth { section, ..berth }));
                }
            });
        }
        best.map(|(_, berth)| berth)
    }

    /// The slot at the published section from `start` on, with most cranes.
    pub(super) fn at_home(
        &self,
        problem: &Problem,
        vessel: &Vessel,
        start: usize,
    ) -> Option<Berth> {
        let hour = self.hours.get(start)?;
        let open = problem.departure(vessel.wind, start) == Some(start) && hour.moves >= 1;
        let mut best = None;
        self.at(problem, vessel, vessel.home, start, &mut 0, |berth, _| {
            if open && berth.section == vessel.home && best.is_none() {
                best = Some(berth);
            }
        });
        best
    }

    /// Calls `found` with the slots at hour `start`, one a crane count: at `home`, where that is
    /// free, else `section` holds the bits of all others. With a `home` of 0 the published section
    /// is left out.
    fn at(
        &self,
        problem: &Problem,
        vessel: &Vessel,
        home: u128,
        start: usize,
        units: &mut u64,
        mut found: impl FnMut(Berth, Way),
    ) {
        let (mut taken, mut cranes, mut seen) = (!problem.quay, i32::MAX, start);
        for way in &vessel.ways {
            *units += 1;
            let finish = start + way.work;
            let Some(more) = self.hours.get(seen..finish) else {
                return;
            };
            for hour in more {
                taken |= hour.taken;
                cranes = cranes.min(hour.cranes);
            }
            seen = finish;
            if runs(!taken, vessel.sections) == 0 {
                return;
            }
            if cranes < way.cranes {
                continue;
            }
            let Some(departure) = problem.departure(vessel.wind, finish) else {
                return;
            };
            let Some(waiting) = self.hours.get(finish..departure) else {
                return;
            };
            let leaves = self.hours.get(departure);
            if leaves.is_none_or(|hour| hour.moves < 1) {
                continue;
            }
            let all = waiting.iter().fold(taken, |all, hour| all | hour.taken);
            let mut starts = runs(!all, vessel.sections);
            if !vessel.bans.is_empty() {
                starts &= !vessel.banned(start, way.cranes);
            }
            if starts == 0 {
                continue;
            }
            let cost = vessel.cost(start, departure);
            let berth = |section, cost| Berth {
                start,
                section,
                cranes: way.cranes,
                finish,
                departure,
                cost,
            };
            if starts & home != 0 {
                found(berth(home, cost), *way);
                continue;
            }
            let others = starts & !vessel.home;
            let moved = if vessel.home == 0 { 0 } else { MOVE_COST };
            if others != 0 {
                found(berth(others, cost + moved), *way);
            }
        }
    }
}

/// One of `starts`: the published one if it is among them, else an end of a free stretch, so that
/// what stays free is in one piece.
fn pick(starts: u128, home: u128, random: &mut Random) -> u128 {
    if starts & home != 0 {
        return home;
    }
    let ends = starts & !(starts << 1) | starts & !(starts >> 1);
    let mut left = ends;
    for _ in 0..random.below(ends.count_ones() as usize) {
        left &= left - 1;
    }
    left & left.wrapping_neg()
}
