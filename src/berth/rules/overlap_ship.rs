//! `overlap_ship`: two ships of the plan share quay and time. One violation for each of the two,
//! by ascending id of the other.
//!
//! Boundary: sections are inclusive, hours half-open: a ship may berth in the hour another leaves
//! the same sections. Stays include waiting for wind.

use super::scratch::Stay;
use super::{Placed, Rule, ShipId, Violation};
use crate::order;

/// Finds the pairs that clash, each both ways, sorted; `stays` come in the order of their hours.
pub(super) fn settle(stays: &[Stay], pairs: &mut Vec<(ShipId, ShipId)>) {
    let mut rest = stays;
    while let Some((one, later)) = rest.split_first() {
        rest = later;
        for other in later {
            if other.start >= one.departure {
                break; // and so are all that berth after it
            }
            let together = one.start < other.departure;
            if together && one.first <= other.last && other.first <= one.last {
                pairs.push((one.ship, other.ship));
                pairs.push((other.ship, one.ship));
            }
        }
    }
    order::by(pairs, Ord::cmp);
}

pub(super) fn find(case: &Placed<'_>, out: &mut Vec<Violation>) {
    let pairs = &case.scratch.pairs;
    let ship = case.id;
    let from = pairs.partition_point(|pair| pair.0 < ship);
    let mine = pairs.iter().skip(from).take_while(|pair| pair.0 == ship);
    out.extend(mine.map(|pair| Violation {
        ship,
        rule: Rule::OverlapShip { other: pair.1 },
    }));
}

pub(super) fn text(name: &str, other: &str) -> String {
    format!("{name} shares sections with {other} while both are alongside.")
}
