//! Shapes in hours and sections: ships, blocks, outlines, and how they are cut at the edges.

use super::time::count;
use crate::berth::{BlockKind, Hour, Section, ShipId};

/// Hours `[first_hour, last_hour)` and sections, inclusive, that a chart spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First hour drawn.
    pub first_hour: Hour,
    /// The hour the chart ends at.
    pub last_hour: Hour,
    /// First section of the quay.
    pub first_section: Section,
    /// Last section of the quay; below the first when there is nothing to draw.
    pub last_section: Section,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            first_hour: 0,
            last_hour: 168,
            first_section: 1,
            last_section: 0,
        }
    }
}

impl Extent {
    /// Number of hours.
    pub fn hours(self) -> Hour {
        self.last_hour - self.first_hour
    }

    /// Number of sections.
    pub fn sections(self) -> Section {
        (self.last_section - self.first_section + 1).max(0)
    }

    /// What of a place can be drawn, and which edges cut it. A place wholly outside is drawn as a
    /// sliver at the edge it lies beyond, so that no ship vanishes.
    pub fn clip(self, place: Place) -> (Place, Clip) {
        let clip = Clip {
            before: place.hour < self.first_hour,
            after: place.departure > self.last_hour,
            below: place.first < self.first_section,
            beyond: place.last > self.last_section,
        };
        let hour = place
            .hour
            .clamp(self.first_hour, (self.last_hour - 1).max(self.first_hour));
        let departure = place
            .departure
            .clamp(hour + 1, self.last_hour.max(hour + 1));
        let lowest = self.first_section;
        let highest = self.last_section.max(lowest);
        let first = place.first.clamp(lowest, highest);
        let last = place.last.clamp(first, highest);
        let finish = place.finish.clamp(hour, departure);
        (
            Place {
                hour,
                finish,
                departure,
                first,
                last,
            },
            clip,
        )
    }
}

/// Which edges of the chart cut a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the four edges are independent of each other"
)]
pub struct Clip {
    /// It begins before the first hour.
    pub before: bool,
    /// It ends after the last hour.
    pub after: bool,
    /// It begins below the quay's first section.
    pub below: bool,
    /// It ends beyond the quay's last section.
    pub beyond: bool,
}

impl Clip {
    /// Whether any edge cuts it.
    pub fn any(self) -> bool {
        self.before || self.after || self.below || self.beyond
    }
}

/// Where a ship lies and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// It berths.
    pub hour: Hour,
    /// Its work ends.
    pub finish: Hour,
    /// It leaves.
    pub departure: Hour,
    /// First section.
    pub first: Section,
    /// Last section, inclusive.
    pub last: Section,
}

/// What sort of call a ship makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShipKind {
    /// It has a published slot.
    #[default]
    Scheduled,
    /// It calls without one.
    Extra,
    /// It was sent here from elsewhere.
    Diverted,
}

/// One ship of the plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShipShape {
    /// Its id.
    pub ship: ShipId,
    /// Its name as written in the task.
    pub label: String,
    /// What sort of call it is.
    pub kind: ShipKind,
    /// Where the plan puts it, uncut; `None` when it does not.
    pub place: Option<Place>,
    /// Cranes as given; crane tasks only.
    pub cranes: Option<i32>,
    /// Earliest berthing hour, where known.
    pub arrival: Option<Hour>,
    /// Planned departure, where known.
    pub due: Option<Hour>,
    /// Sections it needs.
    pub sections: Section,
    /// Published hour and first section.
    pub published: Option<(Hour, Section)>,
    /// Hours after `due`.
    pub delay: Hour,
    /// It lies elsewhere than published.
    pub moved: bool,
    /// Its cost, where known.
    pub cost: Option<i64>,
    /// Multiplier of its lateness.
    pub weight: i64,
    /// Emergency: last hour to berth free of penalty.
    pub dock_by: Option<Hour>,
    /// Numbers of its problems.
    pub problems: Vec<u32>,
    /// Unchanged in the difference view.
    pub faded: bool,
    /// Its accessible name.
    pub name: String,
}

impl ShipShape {
    /// `[arrival, berthing)`, when it waits.
    pub fn wait(&self) -> Option<(Hour, Hour)> {
        let (arrival, place) = (self.arrival?, self.place?);
        (arrival < place.hour).then_some((arrival, place.hour))
    }

    /// `[finish, departure)`, when wind holds it.
    pub fn hold(&self) -> Option<(Hour, Hour)> {
        let place = self.place?;
        (place.finish < place.departure).then_some((place.finish, place.departure))
    }

    /// `[due, departure)`, when it leaves late.
    pub fn late(&self) -> Option<(Hour, Hour)> {
        let (due, place) = (self.due?, self.place?);
        (self.delay > 0 && due < place.departure).then_some((due, place.departure))
    }

    pub(super) fn describe(&self) -> String {
        let mut parts = vec![self.label.clone()];
        match self.place {
            Some(place) => {
                parts.push(format!("hours {} to {}", place.hour, place.departure));
                parts.push(if place.first == place.last {
                    format!("section {}", place.first)
                } else {
                    format!("sections {} to {}", place.first, place.last)
                });
            }
            None => parts.push("not placed".to_owned()),
        }
        match self.kind {
            ShipKind::Scheduled => {}
            ShipKind::Extra => parts.push("unscheduled call".to_owned()),
            ShipKind::Diverted => parts.push("diverted call".to_owned()),
        }
        if self.place.is_some() {
            parts.extend(self.cranes.map(|cranes| count(i64::from(cranes), "crane")));
            let wait = self.wait().map_or(0, |(from, to)| to - from);
            if wait > 0 {
                parts.push(format!("waits {}", count(i64::from(wait), "hour")));
            }
            parts.extend(
                self.hold()
                    .map(|(_, end)| format!("held by wind until hour {end}")),
            );
            if self.delay > 0 {
                parts.push(format!("{} late", count(i64::from(self.delay), "hour")));
            } else if self.due.is_some() {
                parts.push("on time".to_owned());
            }
        }
        if self.weight > 1 {
            parts.push(format!("lateness counts {} times", self.weight));
        }
        parts.extend(
            self.dock_by
                .map(|hour| format!("emergency, berth by hour {hour}")),
        );
        parts.push(match self.problems.len() {
            0 => "no problems".to_owned(),
            many => count(many as i64, "problem"),
        });
        parts.join(", ")
    }
}

/// A closure, or a ship that was there before hour 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockShape {
    /// Which of the two.
    pub kind: BlockKind,
    /// First section.
    pub first: Section,
    /// Last section, inclusive.
    pub last: Section,
    /// First hour.
    pub start: Hour,
    /// The hour it is free again.
    pub end: Hour,
    /// Ship or reason.
    pub label: String,
    /// Cranes it holds.
    pub cranes: i32,
    /// Its accessible name.
    pub name: String,
}

/// The published slot of a ship that the plan puts elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Whose.
    pub ship: ShipId,
    /// Published hour to due hour, on the published sections.
    pub place: Place,
}
