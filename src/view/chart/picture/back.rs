//! What lies behind the ships: days, grid, wind, closures, and the gutter.

use crate::berth::{BlockKind, Hour};
use crate::view::chart::label::{self, width};
use crate::view::chart::pen::Pen;
use crate::view::chart::{Anchor, BlockShape, Chart, Layout, Mark, Place, Role, Span, tick_step};

pub(super) fn back(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let scale = &layout.scale;
    let (top, bottom) = (layout.header.top, layout.height);
    let mut marks = Vec::new();
    let mut bands = Pen::default();
    for day in chart.days.iter().skip(1).step_by(2) {
        let (left, right) = (scale.x(f64::from(day.start)), scale.x(f64::from(day.end)));
        bands.boxed(left, top, right - left, bottom - top);
    }
    marks.push(Mark::path(Role::Day, bands.0));
    let mut grid = Pen::default();
    for row in 0..=chart.extent.sections() {
        grid.to(0.0, layout.quay.top + f64::from(row) * scale.row)
            .across(layout.width);
    }
    let step = tick_step(scale.px_per_hour, 30.0);
    for hour in hours(chart, step.clamp(1, 6)) {
        if hour % 24 != 0 && scale.px_per_hour * 6.0 >= 10.0 {
            grid.to(scale.x(f64::from(hour)), layout.quay.top)
                .down(layout.quay.bottom());
        }
    }
    marks.push(Mark::path(Role::Grid, grid.0));
    let mut lines = Pen::default();
    for day in &chart.days {
        lines.to(scale.x(f64::from(day.start)), top).down(bottom);
    }
    lines.to(0.0, layout.quay.top).across(layout.width);
    lines.to(0.0, layout.quay.bottom()).across(layout.width);
    marks.push(Mark::path(Role::DayLine, lines.0));
    for day in &chart.days {
        let room = f64::from(day.end - day.start) * scale.px_per_hour - 8.0;
        let full = format!("{} {}", day.name, day.date);
        let text = [full.as_str(), day.name]
            .into_iter()
            .find(|text| width(text, 11.0) <= room);
        if let Some(text) = text {
            let x = scale.x(f64::from(day.start)) + 4.0;
            marks.push(Mark::text(
                Role::DayName,
                x,
                top + 14.0,
                Anchor::Start,
                text.to_owned(),
            ));
        }
    }
    for hour in hours(chart, step) {
        let x = scale.x(f64::from(hour));
        marks.push(Mark::text(
            Role::TickText,
            x + 4.0,
            top + 30.0,
            Anchor::Start,
            hour.to_string(),
        ));
    }
    marks
}

fn hours(chart: &Chart, step: Hour) -> impl Iterator<Item = Hour> {
    let first = chart.extent.first_hour;
    (first..chart.extent.last_hour).filter(move |hour| hour.rem_euclid(step) == 0)
}

pub(super) fn gutter(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let mut marks = Vec::new();
    let right = layout.gutter - 6.0;
    let mut put = |role, y, text: String| marks.push(Mark::text(role, right, y, Anchor::End, text));
    put(Role::Caption, layout.header.top + 14.0, "Day".to_owned());
    put(Role::TickText, layout.header.top + 30.0, "hour".to_owned());
    if layout.lane.height > 0.0 {
        put(Role::Caption, layout.lane.top + 13.0, "Events".to_owned());
    }
    let row = layout.scale.row;
    let step = if row >= 11.0 { 1 } else { 2 };
    for section in (chart.extent.first_section..=chart.extent.last_section).step_by(step) {
        let y = layout.scale.y(f64::from(section)) + row / 2.0 + 3.5;
        let text = if section == chart.extent.first_section {
            format!("sec {section}")
        } else {
            section.to_string()
        };
        put(Role::SectionText, y, text);
    }
    let mut strip = |span: Span, title: &str, limit: Option<i32>| {
        if span.height > 0.0 {
            put(Role::Caption, span.top + 11.0, title.to_owned());
            if let Some(limit) = limit {
                put(Role::SectionText, span.top + 24.0, format!("of {limit}"));
            }
        }
    };
    let limit = |strip: Option<&crate::view::chart::Strip>| {
        strip.and_then(|strip| strip.available.iter().copied().max())
    };
    strip(layout.cranes, "Cranes", limit(chart.cranes.as_ref()));
    strip(layout.moves, "Moves", limit(chart.moves.as_ref()));
    marks
}

pub(super) fn wind(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let (top, bottom) = (layout.lane.top, layout.height);
    let mut marks = Vec::new();
    let mut edges = Pen::default();
    for (all, role) in [(false, Role::WindLong), (true, Role::WindAll)] {
        let mut wash = Pen::default();
        for wind in chart.winds.iter().filter(|wind| wind.all == all) {
            let limit = |hour: Hour| hour.clamp(chart.extent.first_hour, chart.extent.last_hour);
            let left = layout.scale.x(f64::from(limit(wind.start)));
            let right = layout.scale.x(f64::from(limit(wind.end)));
            wash.boxed(left, top, right - left, bottom - top);
            edges.to(left, top).down(bottom).to(right, top).down(bottom);
        }
        if !wash.0.is_empty() {
            marks.push(Mark::path(role, wash.0));
        }
    }
    if !edges.0.is_empty() {
        marks.push(Mark::path(Role::WindEdge, edges.0));
    }
    marks
}

pub(super) fn blocks(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    chart
        .blocks
        .iter()
        .flat_map(|block| draw_block(chart, layout, block))
        .collect()
}

fn draw_block(chart: &Chart, layout: &Layout, block: &BlockShape) -> Vec<Mark> {
    let extent = chart.extent;
    let outside = block.end <= extent.first_hour || block.start >= extent.last_hour;
    if outside || block.last < extent.first_section || block.first > extent.last_section {
        return Vec::new();
    }
    let place = Place {
        hour: block.start,
        finish: block.end,
        departure: block.end,
        first: block.first,
        last: block.last,
    };
    let (x, y, w, h) = bounds(layout, extent.clip(place).0);
    let mut hatch = Pen::default();
    let (fill, lines) = match block.kind {
        BlockKind::Closed => (Role::Closed, Role::ClosedHatch),
        BlockKind::Alongside => (Role::Alongside, Role::AlongsideHatch),
    };
    hatch.hatch(x, y, w, h, 8.0, false);
    if block.kind == BlockKind::Alongside {
        hatch.hatch(x, y, w, h, 8.0, true);
    }
    let mut marks = vec![
        Mark::rect(fill, x, y, w, h, 2.0),
        Mark::path(lines, hatch.0),
    ];
    // On a plate of its own, or hatching would run through the letters.
    let text = label::lay(&block.label, &[], w - 6.0, h - 4.0, 10.0);
    let many = text.lines.len() as f64;
    let wide = text
        .lines
        .iter()
        .map(|line| width(line, 10.0))
        .fold(0.0, f64::max)
        + 8.0;
    let high = many * 11.5 + 4.0;
    let (cx, cy) = (x + w / 2.0, y + h / 2.0);
    let (pw, ph) = if text.turned {
        (high, wide)
    } else {
        (wide, high)
    };
    if many > 0.0 {
        marks.push(Mark::rect(fill, cx - pw / 2.0, cy - ph / 2.0, pw, ph, 3.0));
    }
    for (at, line) in text.lines.into_iter().enumerate() {
        let off = (at as f64 - (many - 1.0) / 2.0) * 11.5 + 3.5;
        let (x, y) = if text.turned {
            (cx + off, cy)
        } else {
            (cx, cy + off)
        };
        marks.push(Mark::text(Role::BlockText, x, y, Anchor::Middle, line).turn(text.turned));
    }
    marks
}

/// A place in pixels: x, y, width, height.
pub(super) fn bounds(layout: &Layout, place: Place) -> (f64, f64, f64, f64) {
    let scale = &layout.scale;
    let (x, y) = (
        scale.x(f64::from(place.hour)),
        scale.y(f64::from(place.first)),
    );
    let right = scale.x(f64::from(place.departure));
    let bottom = scale.y(f64::from(place.last.saturating_add(1)));
    (x, y, right - x, bottom - y)
}
