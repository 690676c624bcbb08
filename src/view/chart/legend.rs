//! Small samples of the chart's forms, with their meaning.

use super::pen::Pen;
use super::{Mark, Role};

/// Samples in a box of 30 × 18 pixels.
pub fn entries() -> Vec<(Vec<Mark>, &'static str)> {
    let boxed = |role| Mark::rect(role, 1.5, 1.5, 27.0, 15.0, 3.0);
    let path = |role, draw: &dyn Fn(&mut Pen)| {
        let mut pen = Pen::default();
        draw(&mut pen);
        Mark::path(role, pen.0)
    };
    let hatch = |pen: &mut Pen| {
        pen.hatch(1.5, 1.5, 27.0, 15.0, 6.0, false);
    };
    let both = |pen: &mut Pen| {
        pen.hatch(1.5, 1.5, 27.0, 15.0, 6.0, false)
            .hatch(1.5, 1.5, 27.0, 15.0, 6.0, true);
    };
    let late = |pen: &mut Pen| {
        pen.hatch(15.0, 9.0, 13.5, 7.5, 5.0, false);
    };
    let waves = |pen: &mut Pen| {
        pen.to(15.0, 6.0).across(27.0).to(15.0, 12.0).across(27.0);
    };
    let waits = |pen: &mut Pen| {
        pen.to(3.0, 4.0).down(14.0).to(3.0, 9.0).across(14.0);
    };
    let dashed = |pen: &mut Pen| {
        pen.boxed(2.0, 2.0, 26.0, 14.0);
    };
    let half = |role| Mark::rect(role, 15.0, 1.5, 13.5, 15.0, 3.0);
    vec![
        (vec![boxed(Role::Bar)], "ship, from berthing to departure"),
        (
            vec![boxed(Role::BarExtra)],
            "call outside the published plan",
        ),
        (
            vec![
                boxed(Role::Bar),
                half(Role::Late),
                path(Role::LateHatch, &late),
            ],
            "after its due hour",
        ),
        (
            vec![path(Role::Wait, &waits), half(Role::Bar)],
            "waits from arrival to berthing",
        ),
        (
            vec![
                boxed(Role::Hold),
                path(Role::HoldLines, &waves),
                Mark::rect(Role::Bar, 1.5, 1.5, 12.0, 15.0, 3.0),
            ],
            "work done, held by wind",
        ),
        (
            vec![boxed(Role::Bar), boxed(Role::Problem)],
            "breaks a rule; the number is that of the problem",
        ),
        (
            vec![path(Role::Published, &dashed)],
            "published slot, not kept",
        ),
        (
            vec![boxed(Role::Alongside), path(Role::AlongsideHatch, &both)],
            "already alongside",
        ),
        (
            vec![boxed(Role::Closed), path(Role::ClosedHatch, &hatch)],
            "sections closed",
        ),
        (
            vec![boxed(Role::WindLong), half(Role::WindAll)],
            "wind: long ships stay, all ships stay",
        ),
    ]
}
