//! Ships in pixels: bars, tails, glyphs, waiting lines, published outlines.

use super::ShipMarks;
use super::back::bounds;
use crate::berth::Hour;
use crate::order;
use crate::view::chart::pen::{Pen, tenth};
use crate::view::chart::{
    Anchor, Chart, Clip, Layout, Mark, Outline, Place, Role, ShipKind, ShipShape, label,
};

/// Size of the text in bars.
const TEXT: f64 = 10.5;

pub(super) fn outlines(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let mut pen = Pen::default();
    // A ghost of the difference already marks its old place.
    let ghosts = chart
        .difference
        .as_ref()
        .map_or(&[][..], |difference| &difference.ghosts);
    let told = |outline: &Outline| ghosts.iter().any(|ghost| ghost.ship == outline.ship);
    for outline in chart.outlines.iter().filter(|outline| !told(outline)) {
        let (x, y, w, h) = bounds(layout, chart.extent.clip(outline.place).0);
        pen.boxed(x + 1.0, y + 1.0, w - 2.0, h - 2.0);
    }
    some(Role::Published, pen)
}

fn some(role: Role, pen: Pen) -> Vec<Mark> {
    if pen.0.is_empty() {
        Vec::new()
    } else {
        vec![Mark::path(role, pen.0)]
    }
}

/// From a tick at the arrival to the bar; the part after the due hour counts as late.
pub(super) fn waits(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let (mut calm, mut late) = (Pen::default(), Pen::default());
    for ship in &chart.ships {
        let Some(((start, end), place)) = ship.wait().zip(ship.place) else {
            continue;
        };
        let (_, y, _, h) = bounds(layout, chart.extent.clip(place).0);
        let y = y + h / 2.0;
        let x = |hour: Hour| {
            let hour = hour.clamp(chart.extent.first_hour, chart.extent.last_hour);
            layout.scale.x(f64::from(hour))
        };
        let turn = ship.due.unwrap_or(end).clamp(start, end);
        calm.to(x(start), y - 5.0)
            .down(y + 5.0)
            .to(x(start), y)
            .across(x(turn));
        if turn < end {
            late.to(x(turn), y).across(x(end));
        }
    }
    let mut marks = some(Role::Wait, calm);
    marks.extend(some(Role::WaitLate, late));
    marks
}

pub(super) fn ships(chart: &Chart, layout: &Layout) -> Vec<ShipMarks> {
    let mut order: Vec<_> = chart
        .ships
        .iter()
        .filter_map(|ship| ship.place.map(|place| (ship, chart.extent.clip(place))))
        .collect();
    // Where ships overlap, the smaller one lies on top, or it could not be seen.
    order::by_key(&mut order, |(ship, (place, _))| {
        let area =
            i64::from(place.departure - place.hour) * i64::from(place.last - place.first + 1);
        (!ship.problems.is_empty(), -area, ship.ship)
    });
    let places: Vec<_> = order.iter().map(|(_, (place, _))| *place).collect();
    order
        .iter()
        .enumerate()
        .map(|(at, (ship, (place, clip)))| {
            let above = places.get(at + 1..).unwrap_or_default();
            draw(
                layout,
                ship,
                *place,
                *clip,
                covered(*place, above) * layout.scale.row,
            )
        })
        .collect()
}

/// Sections at a place's beginning that ships above it hide; its name goes below them.
fn covered(place: Place, above: &[Place]) -> f64 {
    let mut first = place.first;
    while let Some(other) = above.iter().find(|other| {
        let meets = other.hour < place.departure && place.hour < other.departure;
        meets && other.first <= first && first <= other.last
    }) {
        first = other.last + 1;
    }
    if first > place.last {
        0.0
    } else {
        f64::from(first - place.first)
    }
}

fn draw(layout: &Layout, ship: &ShipShape, place: Place, clip: Clip, hidden: f64) -> ShipMarks {
    let (x, y, w, h) = bounds(layout, place);
    // A hair of space between neighbours.
    let (w, h) = ((w - 1.0).max(1.0), (h - 1.0).max(1.0));
    let along = |hour: Hour| {
        let hour = hour.clamp(place.hour, place.departure);
        (layout.scale.x(f64::from(hour)) - x).clamp(0.0, w)
    };
    ShipMarks {
        ship: ship.ship,
        x: tenth(x),
        y: tenth(y),
        w: tenth(w),
        h: tenth(h),
        marks: bar(ship, place, (w, h), hidden, &along),
        top: glyphs(layout, ship, place, clip, w, h),
        name: ship.name.clone(),
        faded: ship.faded,
        broken: !ship.problems.is_empty(),
    }
}

fn bar(
    ship: &ShipShape,
    place: Place,
    (w, h): (f64, f64),
    hidden: f64,
    along: &dyn Fn(Hour) -> f64,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    let worked = along(place.finish).max(1.0);
    if place.finish < place.departure {
        marks.push(Mark::rect(Role::Hold, 0.75, 0.75, w - 1.5, h - 1.5, 3.0));
        let mut lines = Pen::default();
        let mut y = 6.0;
        while y < h - 3.0 {
            lines.to(worked + 3.0, y).across(w - 2.0);
            y += 6.0;
        }
        marks.push(Mark::path(Role::HoldLines, lines.0));
    }
    let role = if ship.kind == ShipKind::Scheduled {
        Role::Bar
    } else {
        Role::BarExtra
    };
    marks.push(Mark::rect(role, 0.0, 0.0, worked, h, 3.0));
    if let Some((due, _)) = ship.late() {
        let (from, middle) = (along(due), along(place.finish));
        if from < middle {
            marks.push(Mark::rect(Role::Late, from, 0.0, middle - from, h, 3.0));
            let mut hatch = Pen::default();
            hatch.hatch(
                from,
                h - 9.0_f64.min(h),
                middle - from,
                9.0_f64.min(h),
                5.0,
                false,
            );
            marks.push(Mark::path(Role::LateHatch, hatch.0));
        }
        let from = from.max(middle);
        if from < w {
            marks.push(Mark::rect(
                Role::Late,
                from,
                (h - 6.0).max(0.0),
                w - from,
                6.0_f64.min(h),
                1.0,
            ));
        }
    }
    write(&mut marks, ship, worked, h, hidden);
    marks
}

fn write(marks: &mut Vec<Mark>, ship: &ShipShape, w: f64, h: f64, hidden: f64) {
    let name = match ship.weight {
        2.. => format!("{} ×{}", ship.label, ship.weight),
        _ => ship.label.clone(),
    };
    let late = (ship.delay > 0).then(|| format!("+{} h", ship.delay));
    let cranes = |noun: &str| {
        let noun = if ship.cranes == Some(1) {
            noun.trim_end_matches('s')
        } else {
            noun
        };
        ship.cranes.map(|cranes| format!("{cranes}{noun}"))
    };
    let note = |noun: &str| match (cranes(noun), &late) {
        (Some(cranes), Some(late)) => Some(format!("{cranes} {late}")),
        (cranes, late) => cranes.or_else(|| late.clone()),
    };
    let notes: Vec<_> = [note(" cranes"), note(" cr"), late.clone(), cranes("")]
        .into_iter()
        .flatten()
        .collect();
    let text = label::lay(&name, &notes, w, h - hidden, TEXT);
    for (at, line) in text.lines.into_iter().enumerate() {
        let across = TEXT + 2.5 + at as f64 * TEXT * 1.15;
        let (x, y) = if text.turned {
            (across, h - 4.0)
        } else {
            (4.0, across + hidden)
        };
        marks.push(Mark::text(Role::BarText, x, y, Anchor::Start, line).turn(text.turned));
    }
}

fn glyphs(
    layout: &Layout,
    ship: &ShipShape,
    place: Place,
    clip: Clip,
    w: f64,
    h: f64,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(hour) = ship.dock_by {
        let x = layout.scale.x(f64::from(hour)) - layout.scale.x(f64::from(place.hour));
        let mut line = Pen::default();
        line.to(x, -4.0).down(h + 4.0);
        marks.push(Mark::path(Role::DockBy, line.0));
        // The flag of an emergency, on the bar's right corner.
        let mut flag = Pen::default();
        let (fx, fy) = (w - 11.0, -5.0);
        flag.to(fx, fy + 17.0)
            .down(fy)
            .line(fx + 12.0, fy + 4.5)
            .line(fx, fy + 9.0)
            .close();
        marks.push(Mark::path(Role::Flag, flag.0));
    }
    if clip.any() {
        let mut cut = Pen::default();
        let mut arrow = |x: f64, y: f64, dx: f64, dy: f64| {
            cut.to(x + dx * 7.0, y + dy * 7.0)
                .line(x + dy * 6.0, y + dx * 6.0);
            cut.line(x - dy * 6.0, y - dx * 6.0).close();
        };
        if clip.before {
            arrow(1.0, h / 2.0, -1.0, 0.0);
        }
        if clip.after {
            arrow(w - 8.0, h / 2.0, 1.0, 0.0);
        }
        if clip.below {
            arrow(w / 2.0, 8.0, 0.0, -1.0);
        }
        if clip.beyond {
            arrow(w / 2.0, h - 8.0, 0.0, 1.0);
        }
        marks.push(Mark::path(Role::Cut, cut.0));
    }
    if let Some(first) = ship.problems.first() {
        marks.push(Mark::rect(Role::Problem, 0.0, 0.0, w, h, 3.0));
        let more = if ship.problems.len() > 1 { "+" } else { "" };
        let number = format!("{first}{more}");
        let wide = (label::width(&number, 10.0) + 7.0).max(15.0);
        marks.push(Mark::rect(
            Role::Badge,
            w - wide + 5.0,
            h - 11.0,
            wide,
            15.0,
            7.5,
        ));
        marks.push(Mark::text(
            Role::BadgeText,
            w + 5.0 - wide / 2.0,
            h,
            Anchor::Middle,
            number,
        ));
    }
    marks
}
