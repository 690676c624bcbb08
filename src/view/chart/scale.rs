//! Hours and sections to pixels and back, zoom, and how the chart's height is shared out.

use super::Chart;
use crate::berth::{Hour, Section};

/// A projection with its inverse. Horizontal pixels count from the plot's left edge, vertical ones
/// from the top of the drawing. Fractions matter while zooming and dragging, so both directions
/// speak `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The hour at the left edge.
    pub first_hour: Hour,
    /// Pixels an hour.
    pub px_per_hour: f64,
    /// The section of the topmost row.
    pub first_section: Section,
    /// Height of a row.
    pub row: f64,
    /// Top of the first row.
    pub top: f64,
}

impl Scale {
    /// Left edge of an hour.
    pub fn x(&self, hour: f64) -> f64 {
        (hour - f64::from(self.first_hour)) * self.px_per_hour
    }
    /// The hour at a pixel; its whole part is the hour that contains it.
    pub fn hour(&self, x: f64) -> f64 {
        x / self.px_per_hour + f64::from(self.first_hour)
    }
    /// Top edge of a section's row.
    pub fn y(&self, section: f64) -> f64 {
        (section - f64::from(self.first_section)) * self.row + self.top
    }
    /// The section at a pixel; its whole part is the row that contains it.
    pub fn section(&self, y: f64) -> f64 {
        (y - self.top) / self.row + f64::from(self.first_section)
    }
}

/// How large the chart is drawn. The page keeps one per chart, together with its scroll position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Pixels an hour.
    pub px_per_hour: f64,
    /// Pixels the plot is scrolled to the right.
    pub scroll: f64,
}

/// Zoom stays within these pixels an hour: three weeks on a narrow phone, a minute's precision.
const LEAST: f64 = 0.6;
const MOST: f64 = 60.0;
/// Below this many pixels an hour bars lose their names, so a chart scrolls rather than shrinks.
const READABLE: f64 = 4.0;

impl View {
    /// The first view: everything if it stays readable, else as much as does.
    pub fn first(chart: &Chart, viewport: f64) -> Self {
        let whole = Self::span(chart, viewport, 0, chart.extent.hours());
        if whole.px_per_hour >= READABLE {
            return whole;
        }
        Self {
            px_per_hour: READABLE,
            scroll: 0.0,
        }
    }

    /// The week that holds `hour`, across the viewport.
    pub fn week(chart: &Chart, viewport: f64, hour: Hour) -> Self {
        let extent = chart.extent;
        let start = (hour.clamp(extent.first_hour, extent.last_hour - 1)).div_euclid(168) * 168;
        Self::span(chart, viewport, start, (start + 168).min(extent.last_hour))
    }

    /// All hours with problems, with six hours to spare on both sides; the first view if none.
    pub fn problems(chart: &Chart, viewport: f64) -> Self {
        let of_ships = chart.ships.iter().filter(|ship| !ship.problems.is_empty());
        let places = of_ships.filter_map(|ship| ship.place);
        let hours = places.flat_map(|place| [place.hour, place.departure]);
        let hours: Vec<_> = hours
            .chain(chart.problems.iter().filter_map(|one| one.hour))
            .collect();
        match (hours.iter().min(), hours.iter().max()) {
            (Some(first), Some(last)) => Self::span(chart, viewport, first - 6, last + 6),
            _ => Self::first(chart, viewport),
        }
    }

    fn span(chart: &Chart, viewport: f64, start: Hour, end: Hour) -> Self {
        let extent = chart.extent;
        let start = start.clamp(extent.first_hour, extent.last_hour - 1);
        let hours = (end.min(extent.last_hour) - start).max(1);
        let px_per_hour = (viewport.max(60.0) / f64::from(hours)).clamp(LEAST, MOST);
        let scroll = f64::from(start - extent.first_hour) * px_per_hour;
        Self {
            px_per_hour,
            scroll,
        }
    }

    /// The hour in the middle of the first week seen in the viewport, counted from the chart's
    /// first hour.
    pub fn centre(self, viewport: f64) -> Hour {
        let seen = (viewport / self.px_per_hour).min(168.0);
        (self.scroll / self.px_per_hour + seen / 2.0) as Hour
    }

    /// Larger or smaller by `factor`; the hour `at` pixels from the viewport's left edge stays put.
    #[must_use]
    pub fn zoom(self, factor: f64, at: f64) -> Self {
        let px_per_hour = (self.px_per_hour * factor).clamp(LEAST, MOST);
        let scroll = ((self.scroll + at) * px_per_hour / self.px_per_hour - at).max(0.0);
        Self {
            px_per_hour,
            scroll,
        }
    }

    /// Scrolled no further than needed to show pixels `[from, to)` of the plot.
    #[must_use]
    pub fn reveal(self, from: f64, to: f64, viewport: f64) -> Self {
        let margin = 24.0_f64.min(viewport / 8.0);
        let scroll = if from - margin < self.scroll {
            (from - margin).max(0.0)
        } else if to + margin > self.scroll + viewport {
            // A bar wider than the viewport shows its beginning.
            (to + margin - viewport).min((from - margin).max(0.0))
        } else {
            self.scroll
        };
        Self { scroll, ..self }
    }
}

/// A vertical range of the drawing in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// Top.
    pub top: f64,
    /// Height; 0 when there is nothing to show.
    pub height: f64,
}

impl Span {
    /// Bottom.
    pub fn bottom(self) -> f64 {
        self.top + self.height
    }
}

/// The drawing shared out, edges first: gutter, header, lane, quay, strips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Hours and sections of the quay.
    pub scale: Scale,
    /// Width of the gutter to the left of the plot.
    pub gutter: f64,
    /// Width of the plot.
    pub width: f64,
    /// Height of the whole.
    pub height: f64,
    /// Day names and hours.
    pub header: Span,
    /// Events.
    pub lane: Span,
    /// Sections.
    pub quay: Span,
    /// Crane strip.
    pub cranes: Span,
    /// Movement strip.
    pub moves: Span,
}

/// Height of one row of the event lane.
pub(super) const LANE_ROW: f64 = 17.0;
const HEADER: f64 = 36.0;
const GUTTER: f64 = 52.0;
const GAP: f64 = 10.0;

impl Layout {
    /// Shares out the drawing of a chart at a zoom.
    pub fn new(chart: &Chart, px_per_hour: f64) -> Self {
        let extent = chart.extent;
        let sections = extent.sections();
        let row = row_height(sections);
        let header = Span {
            top: 0.0,
            height: HEADER,
        };
        let below = |above: Span, height: f64, gap: f64| {
            let top = above.bottom() + if height > 0.0 { gap } else { 0.0 };
            Span { top, height }
        };
        let lane_height = match chart.lane.rows {
            0 => 0.0,
            rows => rows as f64 * LANE_ROW + 4.0,
        };
        let lane = below(header, lane_height, 0.0);
        let quay = below(lane, f64::from(sections) * row, 0.0);
        let strip = |shown: bool, height: f64| if shown { height } else { 0.0 };
        let cranes = below(quay, strip(chart.cranes.is_some(), 56.0), GAP);
        let moves = below(cranes, strip(chart.moves.is_some(), 34.0), GAP);
        Self {
            scale: Scale {
                first_hour: extent.first_hour,
                px_per_hour,
                first_section: extent.first_section,
                row,
                top: quay.top,
            },
            gutter: GUTTER,
            width: f64::from(extent.hours()) * px_per_hour,
            height: moves.bottom() + 2.0,
            header,
            lane,
            quay,
            cranes,
            moves,
        }
    }
}

/// Rows fill about 400 pixels, and stay between a thin line of text and a finger.
fn row_height(sections: Section) -> f64 {
    (400.0 / f64::from(sections.max(1)))
        .floor()
        .clamp(9.0, 24.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::chart::{Extent, Place, ShipShape};
    use proptest::prelude::*;

    fn chart(last_hour: Hour) -> Chart {
        let extent = Extent {
            first_hour: 0,
            last_hour,
            first_section: 2,
            last_section: 30,
        };
        Chart {
            extent,
            ..Chart::default()
        }
    }

    proptest! {
        #[test]
        fn projections_invert_each_other(
            first_hour in -500..500, px_per_hour in LEAST..MOST, first_section in -50..50,
            row in 9.0..24.0, top in 0.0..200.0, x in -1000.0..5000.0, y in -1000.0..5000.0,
        ) {
            let scale = Scale { first_hour, px_per_hour, first_section, row, top };
            prop_assert!((scale.x(scale.hour(x)) - x).abs() < 1e-6);
            prop_assert!((scale.y(scale.section(y)) - y).abs() < 1e-6);
            prop_assert!((scale.hour(scale.x(x)) - x).abs() < 1e-6);
            prop_assert!((scale.section(scale.y(y)) - y).abs() < 1e-6);
        }

        #[test]
        fn zoom_keeps_the_hour_under_the_pointer(
            px_per_hour in 2.0..20.0, scroll in 500.0..3000.0, at in 0.0..500.0, factor in 0.5..2.0,
        ) {
            let old = View { px_per_hour, scroll };
            let new = old.zoom(factor, at);
            prop_assume!(new.scroll > 0.0);
            let under = |view: View| (view.scroll + at) / view.px_per_hour;
            prop_assert!((under(old) - under(new)).abs() < 1e-6);
        }

        #[test]
        fn what_is_revealed_begins_inside_the_viewport(
            scroll in 0.0..3000.0, from in 0.0..3000.0, wide in 1.0..2000.0, viewport in 100.0..1500.0,
        ) {
            let view = View { px_per_hour: 5.0, scroll }.reveal(from, from + wide, viewport);
            prop_assert!(view.scroll <= from && from < view.scroll + viewport);
        }
    }

    #[test]
    fn a_long_chart_scrolls_and_a_short_one_fits() {
        assert_eq!(
            View::first(&chart(168), 1008.0),
            View {
                px_per_hour: 6.0,
                scroll: 0.0
            }
        );
        assert_eq!(
            View::first(&chart(504), 1008.0),
            View {
                px_per_hour: READABLE,
                scroll: 0.0
            }
        );
    }

    #[test]
    fn fit_shows_the_week_asked_for_or_the_problems() {
        let mut chart = chart(504);
        assert_eq!(
            View::week(&chart, 1008.0, 200),
            View {
                px_per_hour: 6.0,
                scroll: 1008.0
            }
        );
        assert_eq!(View::problems(&chart, 1008.0), View::first(&chart, 1008.0));
        let place = Place {
            hour: 106,
            finish: 194,
            departure: 194,
            first: 2,
            last: 4,
        };
        chart.ships = vec![ShipShape {
            place: Some(place),
            problems: vec![1],
            ..ShipShape::default()
        }];
        assert_eq!(
            View::problems(&chart, 1000.0),
            View {
                px_per_hour: 10.0,
                scroll: 1000.0
            }
        );
    }

    #[test]
    fn the_centre_of_a_long_view_lies_in_its_first_week() {
        assert_eq!(
            View {
                px_per_hour: 2.0,
                scroll: 0.0
            }
            .centre(1000.0),
            84
        );
        assert_eq!(
            View {
                px_per_hour: 10.0,
                scroll: 1700.0
            }
            .centre(1000.0),
            220
        );
    }

    #[test]
    fn parts_that_are_absent_take_no_room() {
        let layout = Layout::new(&chart(168), 6.0);
        let strips = [layout.lane, layout.cranes, layout.moves];
        assert!(strips.iter().all(|strip| strip.height <= 0.0));
        assert!((layout.height - layout.quay.bottom() - 2.0).abs() < 1e-9);
    }
}
