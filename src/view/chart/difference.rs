//! What changed between two plans of one task: old places, tags, and what each change bought.

use super::{Place, ShipShape};
use crate::berth::ShipId;
use crate::order;

/// The difference of a plan to an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Old places of the ships that changed.
    pub ghosts: Vec<Ghost>,
    /// Changes, best first: by cost change, then by ship.
    pub changes: Vec<Change>,
    /// In one sentence.
    pub summary: String,
}

/// The old place of a ship that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// Whose.
    pub ship: ShipId,
    /// Where it was.
    pub from: Place,
    /// Where it is now, if anywhere.
    pub to: Option<Place>,
}

/// What changed for one ship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The ship.
    pub ship: ShipId,
    /// Its name.
    pub label: String,
    /// "+9 h", "sec 15→8", "4→7 cranes", "−56 cost".
    pub tags: Vec<String>,
    /// New cost minus old; 0 where either is not known.
    pub cost: i64,
}

/// Compares, and fades the ships that did not change.
pub(super) fn difference(older: &[ShipShape], ships: &mut [ShipShape]) -> Difference {
    let mut found = Difference::default();
    for ship in ships.iter_mut() {
        let old = older.iter().find(|old| old.ship == ship.ship);
        let tags = old.map(|old| tags(old, ship)).unwrap_or_default();
        ship.faded = tags.is_empty();
        let Some(old) = old.filter(|_| !tags.is_empty()) else {
            continue;
        };
        if let Some(from) = old.place.filter(|from| Some(*from) != ship.place) {
            found.ghosts.push(Ghost {
                ship: ship.ship,
                from,
                to: ship.place,
            });
        }
        let cost = ship.cost.zip(old.cost).map_or(0, |(new, old)| new - old);
        found.changes.push(Change {
            ship: ship.ship,
            label: ship.label.clone(),
            tags,
            cost,
        });
    }
    order::by_key(&mut found.changes, |change| (change.cost, change.ship));
    let total: i64 = found.changes.iter().map(|change| change.cost).sum();
    found.summary = match found.changes.len() {
        0 => "nothing changed".to_owned(),
        1 => format!("1 ship changed, {} cost", signed(total)),
        many => format!("{many} ships changed, {} cost", signed(total)),
    };
    found
}

/// A number with its sign: "+9", "−56", "±0".
fn signed(number: i64) -> String {
    match number {
        0 => "±0".to_owned(),
        1.. => format!("+{number}"),
        _ => format!("−{}", number.unsigned_abs()),
    }
}

fn tags(old: &ShipShape, new: &ShipShape) -> Vec<String> {
    let mut tags = Vec::new();
    match (old.place, new.place) {
        (None, None) => {}
        (Some(_), None) => tags.push("taken out".to_owned()),
        (None, Some(_)) => tags.push("placed".to_owned()),
        (Some(from), Some(to)) => {
            if from.hour != to.hour {
                tags.push(format!(
                    "{} h",
                    signed(i64::from(to.hour) - i64::from(from.hour))
                ));
            }
            if from.first != to.first {
                tags.push(format!("sec {}→{}", from.first, to.first));
            }
            if let (Some(before), Some(now)) = (old.cranes, new.cranes)
                && before != now
            {
                tags.push(format!("{before}→{now} cranes"));
            }
        }
    }
    if let (Some(before), Some(now)) = (old.cost, new.cost)
        && before != now
        && !tags.is_empty()
    {
        tags.push(format!("{} cost", signed(now - before)));
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ship(id: ShipId, hour: i32, first: i32, cranes: i32, cost: i64) -> ShipShape {
        ShipShape {
            ship: id,
            label: format!("S{id}"),
            place: Some(Place {
                hour,
                finish: hour + 5,
                departure: hour + 5,
                first,
                last: first + 2,
            }),
            cranes: Some(cranes),
            cost: Some(cost),
            ..ShipShape::default()
        }
    }

    #[test]
    fn tags_say_what_changed_and_what_it_bought() {
        let old = [ship(0, 1, 15, 4, 60), ship(1, 4, 1, 2, 0)];
        let mut new = [ship(0, 10, 8, 7, 4), ship(1, 4, 1, 2, 0)];
        let found = difference(&old, &mut new);
        assert_eq!(
            found.changes[0].tags,
            ["+9 h", "sec 15→8", "4→7 cranes", "−56 cost"]
        );
        assert_eq!(found.summary, "1 ship changed, −56 cost");
        assert!(!new[0].faded && new[1].faded);
        assert_eq!(found.ghosts[0].from.hour, 1);
    }

    #[test]
    fn the_best_change_stands_first() {
        let old = [
            ship(0, 1, 1, 1, 10),
            ship(1, 1, 5, 1, 90),
            ship(2, 1, 9, 1, 0),
        ];
        let mut new = [
            ship(0, 2, 1, 1, 20),
            ship(1, 2, 5, 1, 30),
            ship(2, 2, 9, 1, 0),
        ];
        let order: Vec<_> = difference(&old, &mut new)
            .changes
            .iter()
            .map(|c| c.ship)
            .collect();
        assert_eq!(order, [1, 2, 0]);
    }

    #[test]
    fn ships_come_and_go() {
        let out = ShipShape {
            place: None,
            cost: None,
            ..ship(0, 0, 1, 1, 0)
        };
        let found = difference(&[ship(0, 0, 1, 1, 0)], &mut [out.clone()]);
        assert_eq!(
            (found.changes[0].tags.as_slice(), found.ghosts[0].to),
            (&["taken out".to_owned()][..], None)
        );
        let found = difference(&[out], &mut [ship(0, 0, 1, 1, 0)]);
        assert_eq!(
            (found.changes[0].tags.as_slice(), found.ghosts.len()),
            (&["placed".to_owned()][..], 0)
        );
    }
}
