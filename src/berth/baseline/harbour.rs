//! The quay as it fills up: which slots a ship fits into beside those placed so far.

use crate::berth::check::{Berthing, Prepared};
use crate::berth::{Checker, Hour, Section, ShipId, Slot};

/// The last and (negated) the first hour a plan may name.
const FARTHEST: Hour = 16_800;

/// Ships placed so far, on a prepared task.
pub(super) struct Harbour<'a> {
    checker: &'a Checker,
    prepared: &'a Prepared,
    placed: Vec<Stay>,
    /// The first hour after which nothing but the ships placed is in the way.
    calm: Hour,
}

#[derive(Clone, Copy)]
struct Stay {
    start: Hour,
    finish: Hour,
    departure: Hour,
    first: Section,
    last: Section,
    cranes: i32,
}

impl<'a> Harbour<'a> {
    pub(super) fn new(checker: &'a Checker) -> Self {
        let prepared = checker.prepared();
        let blocks = prepared.blocks.iter().map(|block| block.end);
        let windows = prepared.windows.iter().flatten().map(|window| window.end);
        let limits = prepared.limits.iter();
        let steps = limits.flat_map(|limits| limits.steps.iter().map(|step| step.hour));
        Self {
            checker,
            prepared,
            placed: Vec::with_capacity(prepared.ships.len()),
            calm: blocks
                .chain(windows)
                .chain(steps)
                .max()
                .unwrap_or(Hour::MIN),
        }
    }

    /// The first slot from hour `from` on, trying `counts` of cranes in this order each hour.
    /// `choose` picks the section for a slot on the quay's first one, if there is any.
    pub(super) fn first(
        &self,
        id: ShipId,
        from: Hour,
        counts: &[i32],
        choose: impl Fn(&Self, Slot) -> Option<Section>,
    ) -> Option<Slot> {
        if self.checker.berths(id).is_empty() {
            return None;
        }
        let ends = self.placed.iter().map(|stay| stay.departure);
        // One hour more, for the movements at the last change itself.
        let calm = ends.fold(self.calm, Hour::max).saturating_add(1);
        let from = from.max(-FARTHEST);
        for hour in from..=calm.max(from).min(FARTHEST) {
            for cranes in counts {
                let slot = Slot {
                    hour,
                    section: self.prepared.first_section,
                    cranes: *cranes,
                };
                if !self.may_work(id, slot) {
                    continue;
                }
                if let Some(section) = choose(self, slot) {
                    return Some(Slot { section, ..slot });
                }
            }
        }
        None
    }

    /// The free first section nearest to `near` for the whole stay, the lower of two.
    pub(super) fn nearest(&self, id: ShipId, slot: Slot, near: Section) -> Option<Section> {
        let ship = self.prepared.ships.get(id)?;
        let taken = self.taken(ship, slot);
        let free = self.checker.berths(id).filter(|first| {
            let last = first.saturating_add(ship.sections).saturating_sub(1);
            taken.iter().all(|taken| last < taken.0 || taken.1 < *first)
        });
        free.min_by_key(|first| (first.abs_diff(near), *first))
    }

    /// Whether the slot's own section is free for the whole stay.
    pub(super) fn fits(&self, id: ShipId, slot: Slot) -> bool {
        let Some(ship) = self.prepared.ships.get(id) else {
            return false;
        };
        let last = slot.section.saturating_add(ship.sections).saturating_sub(1);
        let taken = self.taken(ship, slot);
        let free = taken
            .iter()
            .all(|taken| last < taken.0 || taken.1 < slot.section);
        free && self.checker.berths(id).contains(&slot.section)
    }

    pub(super) fn put(&mut self, id: ShipId, slot: Slot) {
        if let Some(ship) = self.prepared.ships.get(id) {
            let (finish, departure) = self.prepared.departure(ship, slot);
            self.placed.push(Stay {
                start: slot.hour,
                finish,
                departure,
                first: slot.section,
                last: slot.section.saturating_add(ship.sections).saturating_sub(1),
                cranes: slot.cranes,
            });
        }
    }

    /// Sections taken, both inclusive, at some hour of the stay.
    fn taken(&self, ship: &Berthing, slot: Slot) -> Vec<(Section, Section)> {
        let (_, end) = self.prepared.departure(ship, slot);
        let together = |from: Hour, until: Hour| slot.hour < until && from < end;
        let blocks = self.prepared.blocks.iter();
        let blocks = blocks.filter(|block| together(block.start, block.end));
        let ships = self.placed.iter();
        let ships = ships.filter(|stay| together(stay.start, stay.departure));
        blocks
            .map(|block| (block.first, block.last))
            .chain(ships.map(|stay| (stay.first, stay.last)))
            .collect()
    }

    /// Whether wind, cranes and movements allow the slot, on whatever section.
    fn may_work(&self, id: ShipId, slot: Slot) -> bool {
        let Some(ship) = self.prepared.ships.get(id) else {
            return false;
        };
        if self.prepared.limits.is_none() {
            return true;
        }
        let (finish, departure) = self.prepared.departure(ship, slot);
        self.prepared.window_at(ship, slot.hour).is_none()
            && self.moves_fit(slot.hour, departure)
            && self.cranes_fit(slot.hour, finish, slot.cranes)
    }

    fn moves_fit(&self, hour: Hour, departure: Hour) -> bool {
        let Some(limit) = self.checker.move_limit() else {
            return true;
        };
        [hour, departure].into_iter().all(|hour| {
            let fixed = i64::from(self.checker.fixed_moves(hour));
            let moves = self
                .placed
                .iter()
                .map(|stay| i64::from(stay.start == hour) + i64::from(stay.departure == hour));
            fixed + moves.sum::<i64>() < i64::from(limit)
        })
    }

    /// Use of cranes only rises where a ship berths or the fixed part changes: looking there is
    /// looking everywhere.
    fn cranes_fit(&self, hour: Hour, finish: Hour, cranes: i32) -> bool {
        let Some(limits) = &self.prepared.limits else {
            return true;
        };
        let working = self
            .placed
            .iter()
            .filter(|stay| stay.start < finish && hour < stay.finish);
        let working: Vec<&Stay> = working.collect();
        let fits = |hour: Hour| {
            let step = limits.step(hour);
            let now = working
                .iter()
                .filter(|stay| stay.start <= hour && hour < stay.finish);
            let used: i64 = now.map(|stay| i64::from(stay.cranes)).sum();
            step.fixed + used + i64::from(cranes) <= step.available
        };
        let inside = |other: &Hour| hour < *other && *other < finish;
        let steps = limits.steps.iter().map(|step| step.hour).filter(inside);
        let berthings = working.iter().map(|stay| stay.start).filter(inside);
        fits(hour) && steps.chain(berthings).all(fits)
    }
}
