//! The working memory of a check, kept from one to the next.

use super::crane_pool::Crowd;
use super::{crane_pool, movement_limit, overlap_ship, span};
use crate::berth::check::{Berthing, Prepared, ShipResult};
use crate::berth::{Hour, Section, ShipId, Slot};
use crate::order;

/// Memory that checks reuse; what it holds means nothing between them.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Ships of the plan, by berthing hour.
    pub(super) stays: Vec<Stay>,
    /// When cranes come free, ascending, and how many.
    pub(super) finishes: Vec<(Hour, i32)>,
    /// The hours of all movements of the plan.
    pub(super) moves: Vec<Hour>,
    /// Pairs of ships that clash, both ways, sorted.
    pub(super) pairs: Vec<(ShipId, ShipId)>,
    /// Over-full crane hours, ascending.
    pub(super) crowds: Vec<Crowd>,
    /// Hours with too many movements, ascending, and how many.
    pub(super) crowded_hours: Vec<(Hour, i32)>,
}

/// A ship of the plan in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub(super) ship: ShipId,
    pub(super) start: Hour,
    pub(super) departure: Hour,
    pub(super) first: Section,
    pub(super) last: Section,
    pub(super) cranes: i32,
}

impl Scratch {
    pub(in crate::berth) fn clear(&mut self) {
        self.stays.clear();
        self.finishes.clear();
        self.moves.clear();
        self.pairs.clear();
        self.crowds.clear();
        self.crowded_hours.clear();
    }

    /// Takes note of a ship the plan places.
    pub(in crate::berth) fn add(
        &mut self,
        ship: ShipId,
        berthing: &Berthing,
        slot: Slot,
        result: &ShipResult,
    ) {
        let (first, last) = span(slot.section, berthing.sections);
        self.stays.push(Stay {
            ship,
            start: slot.hour,
            departure: result.departure,
            first,
            last,
            cranes: slot.cranes,
        });
        self.finishes.push((result.finish, slot.cranes));
        self.moves.extend([slot.hour, result.departure]);
    }

    /// Once all ships are in: what the rules on the plan as a whole find.
    pub(in crate::berth) fn settle(&mut self, prepared: &Prepared) {
        order::in_place(&mut self.stays, |stay| stay.start);
        overlap_ship::settle(&self.stays, &mut self.pairs);
        let Some(limits) = &prepared.limits else {
            return;
        };
        order::in_place(&mut self.finishes, |finish| finish.0);
        crane_pool::settle(limits, self);
        if let Some(limit) = limits.moves {
            movement_limit::settle(limits, limit, self);
        }
    }
}
