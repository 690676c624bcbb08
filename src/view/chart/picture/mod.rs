//! The chart in pixels: marks by layer, back to front. A page draws one component per layer, an
//! exported file one group; both from here.

mod back;
mod changes;
mod lanes;
mod vessels;

use super::{Chart, Layout, Mark};
use crate::berth::ShipId;

/// All layers of a chart at one zoom.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// How the drawing is shared out.
    pub layout: Layout,
    /// Left of the plot: section numbers and captions. Stands still while the plot scrolls.
    pub gutter: Vec<Mark>,
    /// Day bands, grid, day names, hours.
    pub back: Vec<Mark>,
    /// Wind, through chart and strips.
    pub wind: Vec<Mark>,
    /// Closures and ships already alongside.
    pub blocks: Vec<Mark>,
    /// Published slots that the plan does not keep.
    pub outlines: Vec<Mark>,
    /// Lines from arrival to berthing.
    pub waits: Vec<Mark>,
    /// Ships, those without problems first.
    pub ships: Vec<ShipMarks>,
    /// Outages, wind and closures above the quay.
    pub lane: Vec<Mark>,
    /// Cranes and movements below it.
    pub strips: Vec<Mark>,
    /// Hours over a limit, to be clicked.
    pub over: Vec<OverHit>,
    /// Old places, arrows and tags.
    pub changes: Vec<Mark>,
}

/// One ship: its marks relative to the top left corner of its bar, so that a moving ship is one
/// changed offset.
#[derive(Clone, Debug, PartialEq)]
pub struct ShipMarks {
    /// Whose.
    pub ship: ShipId,
    /// Left edge of the bar in the plot.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width of the bar.
    pub w: f64,
    /// Height of the bar.
    pub h: f64,
    /// Bar, tails, text.
    pub marks: Vec<Mark>,
    /// Problem outline, badge and glyphs, above all bars.
    pub top: Vec<Mark>,
    /// Its accessible name.
    pub name: String,
    /// Unchanged in a difference.
    pub faded: bool,
    /// It breaks a rule.
    pub broken: bool,
}

impl ShipMarks {
    /// The area that answers to a finger: the bar, but no side under 24 pixels. As x, y, width,
    /// height relative to the bar.
    pub fn hit(&self) -> (f64, f64, f64, f64) {
        let (w, h) = (self.w.max(24.0), self.h.max(24.0));
        ((self.w - w) / 2.0, (self.h - h) / 2.0, w, h)
    }
}

/// Hours over a limit in a strip.
#[derive(Clone, Debug, PartialEq)]
pub struct OverHit {
    /// Left edge in the plot.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
    /// Ships involved.
    pub ships: Vec<ShipId>,
    /// Its accessible name.
    pub name: String,
}

/// Draws a chart.
pub fn picture(chart: &Chart, layout: &Layout) -> Picture {
    let (strips, over) = lanes::strips(chart, layout);
    Picture {
        layout: *layout,
        gutter: back::gutter(chart, layout),
        back: back::back(chart, layout),
        wind: back::wind(chart, layout),
        blocks: back::blocks(chart, layout),
        outlines: vessels::outlines(chart, layout),
        waits: vessels::waits(chart, layout),
        ships: vessels::ships(chart, layout),
        lane: lanes::lane(chart, layout),
        strips,
        over,
        changes: changes::changes(chart, layout),
    }
}
