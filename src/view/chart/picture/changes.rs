//! The difference layer: old places, arrows to the new ones, tags.

use super::back::bounds;
use crate::view::chart::label::width;
use crate::view::chart::pen::Pen;
use crate::view::chart::{Anchor, Chart, Layout, Mark, Role};

pub(super) fn changes(chart: &Chart, layout: &Layout) -> Vec<Mark> {
    let Some(difference) = &chart.difference else {
        return Vec::new();
    };
    let (mut old, mut arrows) = (Pen::default(), Pen::default());
    let mut tags = Vec::new();
    for ghost in &difference.ghosts {
        let from = bounds(layout, chart.extent.clip(ghost.from).0);
        old.boxed(from.0 + 0.5, from.1 + 0.5, from.2 - 1.0, from.3 - 1.0);
        if let Some(to) = ghost.to {
            let to = bounds(layout, chart.extent.clip(to).0);
            arrow(&mut arrows, middle(from), middle(to));
        }
    }
    for change in &difference.changes {
        let place = chart.ship(change.ship).and_then(|ship| ship.place);
        let ghost = difference
            .ghosts
            .iter()
            .find(|ghost| ghost.ship == change.ship);
        let Some(place) = place.or(ghost.map(|ghost| ghost.from)) else {
            continue;
        };
        let (x, y, w, h) = bounds(layout, chart.extent.clip(place).0);
        let room = w.max(110.0);
        let mut text = String::new();
        for tag in &change.tags {
            let longer = if text.is_empty() {
                tag.clone()
            } else {
                format!("{text} {tag}")
            };
            if !text.is_empty() && width(&longer, 10.0) > room {
                break;
            }
            text = longer;
        }
        let wide = width(&text, 10.0) + 8.0;
        let x = x.min(layout.width - wide).max(0.0);
        let y = y + h - 16.0;
        tags.push(Mark::rect(Role::TagBox, x, y, wide, 14.0, 3.0));
        tags.push(Mark::text(
            Role::TagText,
            x + 4.0,
            y + 10.5,
            Anchor::Start,
            text,
        ));
    }
    let mut marks = Vec::new();
    if !old.0.is_empty() {
        marks.push(Mark::path(Role::Old, old.0));
    }
    if !arrows.0.is_empty() {
        marks.push(Mark::path(Role::Arrow, arrows.0));
    }
    marks.extend(tags);
    marks
}

fn middle((x, y, w, h): (f64, f64, f64, f64)) -> (f64, f64) {
    (x + w / 2.0, y + h / 2.0)
}

fn arrow(pen: &mut Pen, from: (f64, f64), to: (f64, f64)) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 8.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    pen.to(from.0, from.1).line(to.0, to.1);
    for side in [1.0, -1.0] {
        let back = (
            to.0 - ux * 8.0 - uy * 4.5 * side,
            to.1 - uy * 8.0 + ux * 4.5 * side,
        );
        pen.to(back.0, back.1).line(to.0, to.1);
    }
}
