//! The event lane above the quay and the strips below it.

use super::OverHit;
use crate::view::chart::label::width;
use crate::view::chart::pen::Pen;
use crate::view::chart::scale::LANE_ROW;
use crate::view::chart::{Anchor, Chart, LaneKind, Layout, Mark, Role, Span, Strip};

pub(super) fn lane(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let mut marks = Vec::new();
    let extent = chart.extent;
    for event in &chart.lane.events {
        let left = layout
            .scale
            .x(f64::from(event.start.max(extent.first_hour)));
        let right = layout.scale.x(f64::from(event.end.min(extent.last_hour)));
        let y = layout.lane.top + 2.0 + event.row as f64 * LANE_ROW;
        let role = match event.kind {
            LaneKind::Outage => Role::LaneOutage,
            LaneKind::WindLong | LaneKind::WindAll => Role::LaneWind,
            LaneKind::Closed => Role::LaneClosed,
        };
        marks.push(Mark::rect(
            role,
            left + 0.5,
            y,
            right - left - 1.0,
            LANE_ROW - 3.0,
            3.0,
        ));
        // Words may run on to the next event of the same row.
        let next = chart
            .lane
            .events
            .iter()
            .filter(|other| other.row == event.row && other.start >= event.end)
            .map(|other| layout.scale.x(f64::from(other.start)))
            .fold(layout.width, f64::min);
        let text = shorten(&event.label, right - left - 6.0)
            .map(|text| (left + 4.0, text))
            .filter(|(_, text)| text.chars().count() >= event.label.chars().count().min(14))
            .or_else(|| Some((right + 3.0, shorten(&event.label, next - right - 8.0)?)));
        if let Some((x, text)) = text {
            marks.push(Mark::text(Role::LaneText, x, y + 10.5, Anchor::Start, text));
        }
    }
    marks
}

/// The beginning of a text that fits; at least four letters of it.
fn shorten(text: &str, room: f64) -> Option<String> {
    if width(text, 10.0) <= room {
        return Some(text.to_owned());
    }
    let letters = (room / 6.0).floor();
    (letters >= 5.0).then(|| {
        let start: String = text.chars().take(letters as usize - 1).collect();
        format!("{}…", start.trim_end())
    })
}

pub(super) fn strips(chart: &Chart, layout: &Layout) -> (Vec<Mark>, Vec<OverHit>) {
    let (mut marks, mut hits) = (Vec::new(), Vec::new());
    for (strip, span) in [(&chart.cranes, layout.cranes), (&chart.moves, layout.moves)] {
        if let Some(strip) = strip {
            draw(strip, layout, span, &mut marks, &mut hits);
        }
    }
    (marks, hits)
}

fn draw(
    strip: &Strip,
    layout: &Layout,
    span: Span,
    marks: &mut Vec<Mark>,
    hits: &mut Vec<OverHit>,
) {
    let unit = (span.height - 3.0) / f64::from(strip.most);
    let level = |value: i32| span.bottom() - f64::from(value.clamp(0, strip.most)) * unit;
    let steps = |values: &[i32], area: bool| {
        let mut pen = Pen::default();
        pen.to(
            0.0,
            if area {
                span.bottom()
            } else {
                level(values.first().copied().unwrap_or(0))
            },
        );
        let mut end = strip.first_hour;
        for run in values.chunk_by(|a, b| a == b) {
            end += run.len() as i32;
            pen.down(level(run.first().copied().unwrap_or(0)))
                .across(layout.scale.x(f64::from(end)));
        }
        if area {
            pen.down(span.bottom()).close();
        }
        pen.0
    };
    let mut back = Pen::default();
    back.to(0.0, span.bottom()).across(layout.width);
    marks.push(Mark::path(Role::DayLine, back.0));
    marks.push(Mark::path(Role::Used, steps(&strip.used, true)));
    for over in &strip.over {
        let (left, right) = (
            layout.scale.x(f64::from(over.start)),
            layout.scale.x(f64::from(over.end)),
        );
        let wide = (right - left).max(3.0);
        let mut hatch = Pen::default();
        hatch.hatch(left, span.top, wide, span.height, 5.0, false);
        marks.push(Mark::rect(
            Role::Over,
            left,
            span.top,
            wide,
            span.height,
            1.0,
        ));
        marks.push(Mark::path(Role::OverHatch, hatch.0));
        hits.push(OverHit {
            x: left - ((24.0 - wide) / 2.0).max(0.0),
            y: span.top,
            w: wide.max(24.0),
            h: span.height,
            ships: over.ships.clone(),
            name: over.name.clone(),
        });
    }
    if let Some(before) = &strip.before {
        marks.push(Mark::path(Role::Before, steps(before, false)));
    }
    marks.push(Mark::path(Role::Available, steps(&strip.available, false)));
}
