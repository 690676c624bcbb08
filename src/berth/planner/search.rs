//! Large-neighbourhood search: take some ships off the quay, put them back in another order, keep
//! the result when it is good enough. "Good enough" grows stricter as the budget is spent.

use super::problem::Problem;
use super::quay::{Berth, Quay, Taste};
use super::random::Random;
use crate::order;

/// Price of a ship without a place.
pub(super) const UNPLACED: i64 = 1 << 40;

/// A plan being changed.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub(super) problem: Problem,
    quay: Quay,
    pub(super) berths: Vec<Option<Berth>>,
    pub(super) cost: i64,
    random: Random,
    /// Slots looked at.
    pub(super) units: u64,
}

impl Search {
    pub(super) fn new(problem: Problem, seed: u64) -> Self {
        let ships = problem.vessels.len();
        Self {
            quay: Quay::new(&problem),
            berths: vec![None; ships],
            cost: UNPLACED * ships as i64,
            random: Random::new(seed),
            units: 0,
            problem,
        }
    }

    fn berth(&self, ship: usize) -> Option<Berth> {
        self.berths.get(ship).copied().flatten()
    }

    /// Its cost now; [`UNPLACED`] without a place.
    pub(super) fn cost_of(&self, ship: usize) -> i64 {
        self.berth(ship).map_or(UNPLACED, |berth| berth.cost)
    }

    /// Puts a ship there, or takes it off the quay.
    pub(super) fn put(&mut self, ship: usize, berth: Option<Berth>) {
        let (Some(vessel), Some(place)) =
            (self.problem.vessels.get(ship), self.berths.get_mut(ship))
        else {
            return;
        };
        if let Some(old) = place.take() {
            self.quay.take(&old, vessel);
            self.cost += UNPLACED - old.cost;
        }
        if let Some(new) = berth {
            self.quay.put(&new, vessel);
            self.cost += new.cost - UNPLACED;
        }
        *place = berth;
    }

    /// Gives `ship` the cheapest slot there is.
    pub(super) fn insert(&mut self, ship: usize, taste: Taste, limit: i64) -> bool {
        let Some(vessel) = self.problem.vessels.get(ship) else {
            return false;
        };
        let found = self.quay.cheapest(
            &self.problem,
            vessel,
            taste,
            limit,
            &mut self.random,
            &mut self.units,
        );
        if found.is_some() {
            self.put(ship, found);
        }
        found.is_some()
    }

    /// Ships by arrival, the latest first.
    pub(super) fn by_arrival(&self) -> Vec<usize> {
        let mut ships: Vec<usize> = (0..self.berths.len()).collect();
        order::by_key(&mut ships, |ship| {
            let vessel = self.problem.vessels.get(*ship);
            std::cmp::Reverse(vessel.map(|vessel| vessel.arrival))
        });
        ships
    }

    /// Takes every ship off; all of them by arrival, roughly, the latest first.
    pub(super) fn cleared(&mut self) -> Vec<usize> {
        let mut keyed = Vec::with_capacity(self.berths.len());
        for ship in 0..self.berths.len() {
            self.put(ship, None);
            let arrival = self
                .problem
                .vessels
                .get(ship)
                .map_or(0, |vessel| vessel.arrival);
            keyed.push(((arrival + self.random.below(24)) as i64, ship));
        }
        order::in_place(&mut keyed, |item| item);
        keyed.into_iter().rev().map(|(_, ship)| ship).collect()
    }

    /// The slot of `ship` at its published section from `start` on, with most cranes.
    pub(super) fn at_home(&self, ship: usize, start: usize) -> Option<Berth> {
        let vessel = self.problem.vessels.get(ship)?;
        self.quay.at_home(&self.problem, vessel, start)
    }

    /// One change, kept when it costs at most about `heat` more.
    pub(super) fn change(&mut self, heat: f64) {
        let slack = (heat * self.random.exponential()) as i64;
        let limit = self.cost.saturating_add(slack);
        let removed = self.choose();
        let before: Vec<Option<Berth>> = removed.iter().map(|ship| self.berth(*ship)).collect();
        for ship in &removed {
            self.put(*ship, None);
        }
        if self.recreate(&removed, limit) {
            return;
        }
        for ship in &removed {
            self.put(*ship, None);
        }
        for (ship, old) in removed.iter().zip(before) {
            self.put(*ship, old);
        }
    }

    /// Puts the ships back in this order; false as soon as that must cost more than `limit`.
    fn recreate(&mut self, removed: &[usize], limit: i64) -> bool {
        let taste = self.taste();
        for (done, ship) in removed.iter().enumerate() {
            let waiting = (removed.len() - done) as i64;
            let room = limit - (self.cost - waiting * UNPLACED);
            if room < 0 {
                return false;
            }
            if !self.insert(*ship, taste, room.saturating_add(1)) && room < UNPLACED {
                return false;
            }
        }
        self.cost <= limit
    }

    fn taste(&mut self) -> Taste {
        Taste {
            blink: [0, 2, 5, 15]
                .get(self.random.below(4))
                .copied()
                .unwrap_or(0),
            stray: [0, 0, 10, 40]
                .get(self.random.below(4))
                .copied()
                .unwrap_or(0),
            patience: [3, 8, 16, 30]
                .get(self.random.below(4))
                .copied()
                .unwrap_or(8),
            thrift: [0, 0, 1, 4].get(self.random.below(4)).copied().unwrap_or(0),
        }
    }

    /// Ships to take off, in the order to put them back.
    fn choose(&mut self) -> Vec<usize> {
        let ships = self.berths.len();
        let seed = self.seed();
        let most = ships.min(2 + self.random.below(9)).max(1);
        let chosen = if self.random.chance(10) {
            let mut chosen: Vec<usize> = (0..most).map(|_| self.random.below(ships)).collect();
            order::by(&mut chosen, Ord::cmp);
            chosen.dedup();
            chosen
        } else {
            self.neighbours(seed, most)
        };
        self.ordered(seed, &chosen)
    }

    /// A ship that costs something in three of four cases, else any.
    fn seed(&mut self) -> usize {
        let ships = self.berths.len();
        let mut seed = self.random.below(ships);
        if self.random.chance(75) {
            for _ in 0..ships {
                if self.cost_of(seed) > 0 {
                    break;
                }
                seed = (seed + 1) % ships.max(1);
            }
        }
        seed
    }

    /// The ships nearest to `seed` in hours and sections, with some chance.
    fn neighbours(&mut self, seed: usize, most: usize) -> Vec<usize> {
        let centre = self.centre(seed);
        let wide = self.random.chance(20);
        let mut near: Vec<(i64, usize)> = Vec::with_capacity(self.berths.len());
        for ship in 0..self.berths.len() {
            if ship == seed {
                continue;
            }
            let (hour, section) = self.centre(ship);
            let apart = (hour - centre.0).abs();
            let beside = (section - centre.1).abs();
            let distance = apart * 2 + if wide { 0 } else { beside };
            near.push((distance + self.random.below(12) as i64, ship));
        }
        order::in_place(&mut near, |item| item);
        let near = near.into_iter().map(|(_, ship)| ship);
        std::iter::once(seed).chain(near).take(most).collect()
    }

    /// Middle hour and section of a ship's stay, or of its wishes when it has none.
    fn centre(&self, ship: usize) -> (i64, i64) {
        let Some(vessel) = self.problem.vessels.get(ship) else {
            return (0, 0);
        };
        match self.berth(ship) {
            Some(berth) => (
                i64::midpoint(berth.start as i64, berth.departure as i64),
                i64::from(berth.section.trailing_zeros() + vessel.sections / 2),
            ),
            None => (vessel.arrival as i64, 0),
        }
    }

    /// The ships in one of six orders, each with some noise.
    fn ordered(&mut self, seed: usize, ships: &[usize]) -> Vec<usize> {
        let kind = self.random.below(6);
        let mut keyed: Vec<(i64, usize)> = Vec::with_capacity(ships.len());
        for &ship in ships {
            let Some(vessel) = self.problem.vessels.get(ship) else {
                continue;
            };
            let key = match kind {
                0 => vessel.arrival as i64 * 100,
                1 => vessel.due * 100,
                2 => vessel.rate * -300,
                3 => self.cost_of(ship).min(1 << 40) * -100,
                4 if ship == seed => -1_000_000,
                _ => 0,
            };
            keyed.push((key + self.random.below(1000) as i64, ship));
        }
        order::in_place(&mut keyed, |item| item);
        keyed.into_iter().map(|(_, ship)| ship).collect()
    }
}
