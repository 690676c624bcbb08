//! The plan chart as plain data.
//!
//! In: a [`ChartInput`], borrowed. Out: a [`Chart`], shapes in whole hours and whole sections with
//! their words and names for screen readers already made. A [`Layout`] turns hours and sections
//! into pixels and back; [`Picture`] is the chart as marks in pixels, layer by layer, back to
//! front. `ui` places the marks, [`export`] writes them as SVG text, so the two cannot disagree.
//!
//! The selected ship and the hour line are no part of a [`Chart`]: they change many times a second
//! and must not draw the bars again. [`table::states`] and [`summary::at_hour`] answer for an hour.
//!
//! Knows nothing of Leptos, the DOM or where a plan came from.

mod difference;
mod entries;
pub mod export;
mod label;
mod lane;
pub mod legend;
mod mark;
mod mini;
mod palette;
mod pen;
mod picture;
mod problems;
mod scale;
mod shape;
mod ships;
mod strips;
#[cfg(test)]
mod style_tests;
pub mod summary;
pub mod table;
#[cfg(test)]
mod tests;
mod time;
pub mod walk;

pub use difference::{Change, Difference, Ghost};
pub use label::Label;
pub use lane::{Lane, LaneEvent, LaneKind, Wind};
pub use mark::{Anchor, Form, Mark, Role};
pub use mini::{Mini, mini};
pub use palette::{Paint, Palette};
pub use picture::{OverHit, Picture, ShipMarks, picture};
pub use problems::{Group, Problem, Told, groups};
pub use scale::{Layout, Scale, Span, View};
pub use shape::{BlockShape, Clip, Extent, Outline, Place, ShipKind, ShipShape};
pub use strips::{Over, Strip};
pub use time::{Day, days, moment, tick_step};

use crate::berth::{Check, Checker, Plan, Task};
use serde_json::Value;

/// Which of the three layers of truth a chart shows; always named on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// The plan that was published before things went wrong.
    #[default]
    Published,
    /// A plan sent for checking, or being edited, with its number.
    Draft(u32),
    /// The plan that was submitted.
    Submitted,
}

impl Layer {
    /// The layer in words.
    pub fn words(self) -> String {
        match self {
            Self::Published => "Published plan".to_owned(),
            Self::Draft(number) => format!("Draft {number}"),
            Self::Submitted => "Submitted plan".to_owned(),
        }
    }
}

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// A plan of a known task.
    Plan {
        /// The task.
        task: &'a Task,
        /// The plan.
        plan: &'a Plan,
        /// Its check; without one there are times and costs, and no problems.
        check: Option<&'a Check>,
        /// An older plan with its check, for the difference.
        previous: Option<(&'a Plan, Option<&'a Check>)>,
    },
    /// A plan whose task the page does not know: any JSON in the shape of a plan.
    Entries(&'a Value),
}

/// Everything a chart is made from.
#[derive(Clone, Copy, Debug)]
pub struct ChartInput<'a> {
    /// Task and plan.
    pub content: Content<'a>,
    /// Problems as a server told them; they replace those of the check, word for word.
    pub told: Option<&'a [Told]>,
    /// Which layer of truth this is.
    pub layer: Layer,
    /// Whose verdict the problems are: "from this page", "from check 2", "before your last change".
    pub verdict: &'a str,
}

impl<'a> ChartInput<'a> {
    /// A plan of a known task, with its check if there is one.
    pub fn plan(task: &'a Task, plan: &'a Plan, check: Option<&'a Check>, layer: Layer) -> Self {
        Self {
            content: Content::Plan {
                task,
                plan,
                check,
                previous: None,
            },
            told: None,
            layer,
            verdict: "from this page",
        }
    }

    /// A plan of a task that is not known.
    pub fn entries(plan: &'a Value, layer: Layer) -> Self {
        Self {
            content: Content::Entries(plan),
            told: None,
            layer,
            verdict: "",
        }
    }

    /// The same, with the difference to an older plan.
    #[must_use]
    pub fn since(mut self, older: &'a Plan, older_check: Option<&'a Check>) -> Self {
        if let Content::Plan { previous, .. } = &mut self.content {
            *previous = Some((older, older_check));
        }
        self
    }

    /// The same, with a server's verdict in place of the page's.
    #[must_use]
    pub fn told(mut self, told: &'a [Told], verdict: &'a str) -> Self {
        self.told = Some(told);
        self.verdict = verdict;
        self
    }
}

/// A chart: shapes in hours and sections, words, and names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Its accessible name.
    pub title: String,
    /// The layer of truth in words.
    pub layer: String,
    /// Whose verdict the problems are.
    pub verdict: String,
    /// One sentence about the whole plan; stands above the table.
    pub summary: String,
    /// The hours and sections it spans.
    pub extent: Extent,
    /// Day bands.
    pub days: Vec<Day>,
    /// Hours in which some or all ships stay put.
    pub winds: Vec<Wind>,
    /// Closures and ships already alongside.
    pub blocks: Vec<BlockShape>,
    /// Published slots, where the plan differs from them.
    pub outlines: Vec<Outline>,
    /// Every ship, by id, placed or not.
    pub ships: Vec<ShipShape>,
    /// What happens above the quay: outages, wind, closures.
    pub lane: Lane,
    /// Cranes in use against those available; crane tasks only.
    pub cranes: Option<Strip>,
    /// Movements an hour against the limit; crane tasks with a limit only.
    pub moves: Option<Strip>,
    /// Problems, numbered from 1, grouped by rule.
    pub problems: Vec<Problem>,
    /// What changed since an older plan.
    pub difference: Option<Difference>,
    /// Why parts of the chart are missing; empty when the task is known.
    pub missing: Vec<String>,
}

impl Chart {
    /// Makes the chart.
    pub fn new(input: &ChartInput<'_>) -> Self {
        let mut chart = match input.content {
            Content::Plan {
                task,
                plan,
                check,
                previous,
            } => Self::of_plan(input, task, plan, check, previous),
            Content::Entries(value) => Self::of_entries(input, value),
        };
        chart.layer = input.layer.words();
        input.verdict.clone_into(&mut chart.verdict);
        chart.title = summary::title(&chart, input);
        chart.summary = summary::summary(&chart, input);
        chart
    }

    /// Whether there is anything to draw.
    pub fn is_drawable(&self) -> bool {
        self.extent.last_section >= self.extent.first_section
    }

    /// The shape of a ship.
    pub fn ship(&self, ship: usize) -> Option<&ShipShape> {
        self.ships.iter().find(|shape| shape.ship == ship)
    }

    fn of_plan(
        input: &ChartInput<'_>,
        task: &Task,
        plan: &Plan,
        check: Option<&Check>,
        previous: Option<(&Plan, Option<&Check>)>,
    ) -> Self {
        let checker = Checker::new(task);
        let mut ships = ships::ships(task, plan, check, &checker);
        let problems = match (input.told, check) {
            (Some(told), _) => problems::of_told(told, &ships),
            (None, Some(check)) => problems::of_check(check, task, &ships),
            (None, None) => Vec::new(),
        };
        problems::number(&mut ships, &problems);
        let older = previous.map(|(older, check)| ships::ships(task, older, check, &checker));
        let difference = older
            .as_ref()
            .map(|older| difference::difference(older, &mut ships));
        for ship in &mut ships {
            ship.name = ship.describe();
        }
        let extent = ships::extent(task, &ships);
        let older = previous.map(|(older, _)| older);
        let (cranes, moves) = strips::strips(&checker, plan, older, &ships, extent);
        Self {
            extent,
            days: days(&task.week_start_utc, extent),
            winds: lane::winds(task),
            blocks: lane::blocks(task),
            outlines: ships::outlines(&ships),
            lane: lane::lane(task, extent),
            cranes,
            moves,
            ships,
            problems,
            difference,
            ..Self::default()
        }
    }

    fn of_entries(input: &ChartInput<'_>, value: &Value) -> Self {
        let read = entries::entries(value);
        let mut ships = read.ships;
        let problems = input
            .told
            .map_or_else(Vec::new, |told| problems::of_told(told, &ships));
        problems::number(&mut ships, &problems);
        for ship in &mut ships {
            ship.name = ship.describe();
        }
        let extent = entries::extent(&ships);
        Self {
            extent,
            days: days("", extent),
            ships,
            problems,
            missing: read.missing,
            ..Self::default()
        }
    }
}
