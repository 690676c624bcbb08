//! The chart at the size of a thumbnail: four paths for tool cards and lists.

use super::pen::Pen;
use super::{Chart, Place};

/// A thumbnail: path data in a box of [`Mini::WIDTH`] × [`Mini::HEIGHT`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mini {
    /// Closures and ships already alongside.
    pub blocks: String,
    /// Ships without problems.
    pub bars: String,
    /// What of them is late.
    pub late: String,
    /// Ships with problems.
    pub broken: String,
    /// Its accessible name.
    pub name: String,
}

impl Mini {
    /// Width of the box.
    pub const WIDTH: f64 = 200.0;
    /// Height of the box.
    pub const HEIGHT: f64 = 48.0;
}

/// Draws the thumbnail of a chart.
pub fn mini(chart: &Chart) -> Mini {
    let extent = chart.extent;
    let mut pens = [
        Pen::default(),
        Pen::default(),
        Pen::default(),
        Pen::default(),
    ];
    let [blocks, bars, late, broken] = &mut pens;
    let across = Mini::WIDTH / f64::from(extent.hours().max(1));
    let down = Mini::HEIGHT / f64::from(extent.sections().max(1));
    let draw = |pen: &mut Pen, place: Place| {
        let (place, _) = extent.clip(place);
        let x = f64::from(place.hour - extent.first_hour) * across;
        let y = f64::from(place.first - extent.first_section) * down;
        let w = f64::from(place.departure - place.hour) * across;
        let h = f64::from(place.last - place.first + 1) * down;
        pen.boxed(x, y, (w - 0.5).max(0.5), (h - 0.5).max(0.5));
    };
    for block in &chart.blocks {
        let (hour, departure) = (block.start, block.end);
        draw(
            blocks,
            Place {
                hour,
                finish: departure,
                departure,
                first: block.first,
                last: block.last,
            },
        );
    }
    for ship in &chart.ships {
        let Some(place) = ship.place else { continue };
        draw(
            if ship.problems.is_empty() {
                bars
            } else {
                broken
            },
            place,
        );
        if let Some((due, _)) = ship.late() {
            let hour = due.max(place.hour);
            draw(late, Place { hour, ..place });
        }
    }
    let [blocks, bars, late, broken] = pens.map(|pen| pen.0);
    Mini {
        blocks,
        bars,
        late,
        broken,
        name: format!("{}: {}", chart.layer, chart.summary),
    }
}
