//! Charts of small tasks made by hand.

use super::*;
use crate::berth::{Block, BlockKind, Outage, Rules, Ship, Slot, Window};
use serde_json::json;

pub(super) fn ship(name: &str, arrival: i32, section: Option<i32>) -> Ship {
    Ship {
        name: name.to_owned(),
        length_m: 210.0,
        sections: 3,
        arrival,
        handling: 5,
        planned_hour: section.map(|_| arrival),
        planned_section: section,
        due: arrival + 6,
        workload: Some(10),
        min_cranes: Some(1),
        max_cranes: Some(3),
        std_cranes: Some(2),
        weight: 1,
        ..Ship::default()
    }
}

/// The task of the domain reference's section 14, with two ships more.
pub(super) fn task() -> Task {
    Task {
        quay: "Q1".to_owned(),
        terminal: "Harbour".to_owned(),
        first_section: 1,
        last_section: 10,
        week_start_utc: "2031-08-04T00:00:00Z".to_owned(),
        ships: vec![
            ship("PERSEUS", 4, Some(2)),
            Ship {
                weight: 3,
                ..ship("ALTAIR", 20, Some(5))
            },
            Ship {
                berth_deadline: Some(40),
                deadline_penalty: 9,
                ..ship("VEGA", 36, None)
            },
        ],
        blocks: vec![
            Block {
                first: 1,
                last: 3,
                start: 0,
                end: 5,
                kind: BlockKind::Alongside,
                label: "OLD".to_owned(),
                cranes: 1,
            },
            Block {
                first: 8,
                last: 10,
                start: 20,
                end: 44,
                label: "dredging".to_owned(),
                ..Block::default()
            },
        ],
        disruptions: vec![json!({"type": "gale", "start": 8, "end": 12, "knots": 38})],
        rules: Rules {
            crane_pool: Some(3),
            max_moves_per_hour: Some(2),
            crane_outages: vec![Outage {
                start: 36,
                end: 48,
                cranes: 2,
            }],
            no_moves: vec![Window {
                start: 8,
                end: 12,
                min_length: 200.0,
                reason: "gale".to_owned(),
            }],
            ..Rules::default()
        },
        ..Task::default()
    }
}

pub(super) fn plan(slots: &[(i32, i32, i32)]) -> Plan {
    let slot = |&(hour, section, cranes)| {
        Some(Slot {
            hour,
            section,
            cranes,
        })
    };
    Plan {
        slots: slots.iter().map(slot).collect(),
    }
}

pub(super) fn chart(task: &Task, plan: &Plan) -> Chart {
    let check = Checker::new(task).check(plan);
    Chart::new(&ChartInput::plan(task, plan, Some(&check), Layer::Draft(2)))
}

fn draw(chart: &Chart) -> Picture {
    picture(chart, &Layout::new(chart, 6.0))
}

#[test]
fn every_ship_has_a_name_that_says_it_all() {
    let chart = chart(&task(), &plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)]));
    let names: Vec<_> = chart.ships.iter().map(|ship| ship.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "PERSEUS, hours 5 to 12, sections 2 to 4, 2 cranes, waits 1 hour, held by wind until hour 12, \
             2 hours late, no problems",
            "ALTAIR, hours 20 to 24, sections 5 to 7, 3 cranes, on time, lateness counts 3 times, no problems",
            "VEGA, hours 41 to 46, sections 7 to 9, unscheduled call, 2 cranes, waits 5 hours, \
             4 hours late, emergency, berth by hour 40, 2 problems",
        ]
    );
    assert_eq!(chart.title, "Draft 2, Q1, Harbour, from Mon 4 Aug");
    assert_eq!(
        chart.summary,
        "3 of 3 ships placed, 2 problems, no cost while there are problems, 2 ships late, 0 moved, \
         1 held by wind"
    );
}

#[test]
fn a_plan_without_problems_has_a_cost() {
    let chart = chart(&task(), &plan(&[(5, 3, 2), (20, 5, 3), (48, 1, 3)]));
    assert_eq!(
        chart.summary,
        "3 of 3 ships placed, no problems, cost 113, 2 ships late, 1 moved, 1 held by wind"
    );
}

#[test]
fn problems_are_numbered_grouped_and_worded_by_the_rules() {
    let task = task();
    let plan = plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)]);
    let chart = chart(&task, &plan);
    let check = Checker::new(&task).check(&plan);
    let groups = groups(&chart.problems);
    let titles: Vec<_> = groups
        .iter()
        .map(|group| (group.title, group.problems.len()))
        .collect();
    assert_eq!(titles, [("On closed sections", 1), ("Too few cranes", 1)]);
    assert_eq!(chart.problems[0].text, check.violations[0].text(&task));
    let second = &chart.problems[1];
    assert_eq!(
        (second.number, second.ship, second.hour),
        (2, Some(2), Some(41))
    );
    assert_eq!(chart.ships[2].problems, [1, 2]);
}

#[test]
fn a_server_is_quoted_word_for_word() {
    let task = task();
    let plan = plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)]);
    let told = [
        Told {
            ship: None,
            kind: Some("bad_number".to_owned()),
            text: "entry 4: <b>?".to_owned(),
        },
        Told {
            ship: Some(1),
            kind: Some("crane_pool".to_owned()),
            text: "too few".to_owned(),
        },
        Told {
            ship: Some(99),
            kind: None,
            text: "who".to_owned(),
        },
    ];
    let input = ChartInput::plan(&task, &plan, None, Layer::Draft(1)).told(&told, "from check 1");
    let chart = Chart::new(&input);
    let texts: Vec<_> = chart
        .problems
        .iter()
        .map(|one| (one.ship, one.text.as_str()))
        .collect();
    assert_eq!(
        texts,
        [(Some(1), "too few"), (None, "entry 4: <b>?"), (None, "who")]
    );
    assert_eq!(chart.verdict, "from check 1");
}

#[test]
fn the_lane_stacks_what_coincides() {
    let chart = chart(&task(), &Plan::empty(3));
    let events: Vec<_> = chart
        .lane
        .events
        .iter()
        .map(|event| (event.label.as_str(), event.row))
        .collect();
    assert_eq!(
        events,
        [
            ("gale 38 kn, ships from 200 m stay", 0),
            ("sec 8–10 dredging", 0),
            ("−2 cranes", 1)
        ]
    );
    assert_eq!(chart.lane.rows, 2);
}

#[test]
fn strips_mark_hours_over_the_limit_and_who_is_there() {
    let chart = chart(&task(), &plan(&[(4, 5, 3), (20, 5, 3), (41, 7, 2)]));
    let cranes = chart.cranes.as_ref().unwrap();
    assert_eq!(cranes.at(4), Some((4, 3)));
    assert_eq!((cranes.at(-1), cranes.at(168)), (None, None));
    let over: Vec<_> = cranes
        .over
        .iter()
        .map(|over| (over.name.as_str(), &over.ships[..]))
        .collect();
    assert_eq!(
        over,
        [
            ("hour 4, 4 cranes of 3", &[0][..]),
            ("hours 41 to 46, 2 cranes of 1", &[2][..])
        ]
    );
    assert_eq!(
        chart.moves.as_ref().unwrap().name,
        "Movements an hour, 1 at most, never over the limit"
    );
}

#[test]
fn published_outlines_appear_only_where_the_plan_differs() {
    let chart = chart(&task(), &plan(&[(4, 2, 2), (21, 5, 3), (41, 7, 2)]));
    let ships: Vec<_> = chart.outlines.iter().map(|outline| outline.ship).collect();
    assert_eq!(ships, [1]);
}

#[test]
fn a_difference_fades_what_stayed_and_quiets_its_outlines() {
    let task = task();
    let (old, new) = (
        plan(&[(4, 2, 2), (20, 5, 3), (41, 5, 1)]),
        plan(&[(5, 2, 2), (20, 5, 3), (41, 5, 1)]),
    );
    let chart = Chart::new(&ChartInput::plan(&task, &new, None, Layer::Draft(2)).since(&old, None));
    let difference = chart.difference.as_ref().unwrap();
    assert_eq!(difference.changes.len(), 1);
    assert_eq!(difference.changes[0].tags, ["+1 h"]);
    let faded: Vec<_> = chart.ships.iter().map(|ship| ship.faded).collect();
    assert_eq!(faded, [false, true, true]);
    assert!(chart.cranes.as_ref().unwrap().before.is_some());
    let picture = draw(&chart);
    assert!(picture.outlines.is_empty() && !picture.changes.is_empty());
}

#[test]
fn states_follow_the_hour_line() {
    let chart = chart(&task(), &plan(&[(5, 2, 2), (20, 5, 3)]));
    let at = |hour| table::states(&chart, hour)[0].words();
    let words: Vec<_> = [3, 4, 5, 9, 10, 11, 12].map(at).into();
    assert_eq!(
        words,
        [
            "not yet here",
            "waiting",
            "alongside",
            "alongside",
            "held by wind",
            "held by wind",
            "gone"
        ]
    );
    assert_eq!(table::states(&chart, 0)[2].words(), "not placed");
    assert_eq!(
        summary::at_hour(&chart, 10),
        "Mon 4 Aug 10:00, hour 10: 0 alongside, 1 held by wind, 0 of 3 cranes, 0 of 2 movements"
    );
}

#[test]
fn the_table_holds_the_numbers_of_the_chart() {
    let chart = chart(&task(), &plan(&[(5, 2, 2)]));
    let rows = table::rows(&chart);
    let first: Vec<_> = rows[0].cells.iter().map(String::as_str).collect();
    assert_eq!(
        first,
        [
            "PERSEUS",
            "4",
            "10",
            "hour 4, sec 2",
            "5",
            "2–4",
            "2",
            "12",
            "2 hours",
            "6",
            "–"
        ]
    );
    assert_eq!(rows[1].cells[4], "–");
    assert!(rows[1].broken && !rows[1].late);
}

#[test]
fn arrows_walk_ships_and_n_walks_problems_round() {
    use walk::{Way, neighbour, problem};
    let chart = chart(&task(), &plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)]));
    assert_eq!(neighbour(&chart, None, Way::Right), Some(0));
    assert_eq!(neighbour(&chart, Some(0), Way::Right), Some(1));
    assert_eq!(neighbour(&chart, Some(2), Way::Right), Some(2));
    assert_eq!(neighbour(&chart, Some(0), Way::Left), Some(0));
    assert_eq!(neighbour(&chart, Some(0), Way::Down), Some(1));
    assert_eq!(neighbour(&chart, Some(0), Way::Up), Some(0));
    assert_eq!(neighbour(&chart, Some(0), Way::Last), Some(2));
    let number = |from, back| problem(&chart, from, back).map(|problem| problem.number);
    assert_eq!(
        [
            number(None, false),
            number(Some(1), false),
            number(Some(2), false)
        ],
        [Some(1), Some(2), Some(1)]
    );
    assert_eq!(
        [number(None, true), number(Some(1), true)],
        [Some(2), Some(2)]
    );
}

#[test]
fn a_point_finds_the_ship_under_it() {
    let chart = chart(&task(), &plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)]));
    let layout = Layout::new(&chart, 6.0);
    for ship in draw(&chart).ships {
        let middle = (ship.x + ship.w / 2.0, ship.y + ship.h / 2.0);
        assert_eq!(
            walk::at(&chart, &layout, middle.0, middle.1),
            Some(ship.ship)
        );
    }
    assert_eq!(walk::at(&chart, &layout, 900.0, 50.0), None);
}

#[test]
fn a_ship_outside_is_drawn_at_the_edge_with_a_mark() {
    let chart = chart(
        &task(),
        &plan(&[(-9, 2, 2), (20, 9, 3), (16_800, -1000, 1)]),
    );
    assert_eq!((chart.extent.first_hour, chart.extent.last_hour), (0, 504));
    let picture = draw(&chart);
    let layout = picture.layout;
    for ship in &picture.ships {
        assert!(
            ship.x >= 0.0 && ship.x + ship.w <= layout.width,
            "{}",
            ship.name
        );
        assert!(
            ship.y >= layout.quay.top && ship.y + ship.h <= layout.quay.bottom(),
            "{}",
            ship.name
        );
        assert!(
            ship.top.iter().any(|mark| mark.role == Role::Cut),
            "{}",
            ship.name
        );
    }
}

#[test]
fn an_empty_task_is_a_chart_without_ships() {
    let chart = chart(&Task::default(), &Plan::default());
    assert_eq!(
        chart.summary,
        "0 of 0 ships placed, no problems, cost 0, 0 ships late, 0 moved"
    );
    let picture = draw(&chart);
    assert!(picture.ships.is_empty() && picture.layout.height > 0.0);
    assert_eq!(walk::neighbour(&chart, None, walk::Way::Right), None);
    assert_eq!(walk::problem(&chart, None, true), None);
    assert_eq!(mini(&chart).bars, "");
}

#[test]
fn sixty_ships_and_twenty_days_fit() {
    let mut task = task();
    task.ships = (0..60)
        .map(|at| ship(&format!("SHIP {at}"), at * 8, Some(1 + at % 8)))
        .collect();
    let slots: Vec<_> = (0..60).map(|at| (at * 8, 1 + at % 8, 2)).collect();
    let chart = chart(&task, &plan(&slots));
    assert_eq!((chart.extent.last_hour, chart.days.len()), (480, 20));
    assert_eq!(draw(&chart).ships.len(), 60);
}

#[test]
fn a_plan_of_an_unknown_task_is_drawn_from_its_entries() {
    let plan = json!({"plan": [
        {"ship": "VEGA", "berth_hour": 5, "section": 4, "sections": 3, "hours_alongside": 7},
        {"ship": 7, "hour": "9", "section": 2.0},
        {"ship": 8, "pos_m": 120, "start_h": 3},
    ]});
    let chart = Chart::new(&ChartInput::entries(&plan, Layer::Draft(1)));
    let names: Vec<_> = chart.ships.iter().map(|ship| ship.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "VEGA, hours 5 to 12, sections 4 to 6, no problems",
            "ship 7, hours 9 to 10, section 2, no problems"
        ]
    );
    assert_eq!(chart.summary, "2 ships placed, task not known");
    assert_eq!(chart.missing.len(), 3);
    assert!(chart.is_drawable());
    for nothing in [
        json!(null),
        json!("[]"),
        json!("no"),
        json!([{"start_h": 3}]),
        json!([1]),
    ] {
        let chart = Chart::new(&ChartInput::entries(&nothing, Layer::Draft(1)));
        assert!(
            !chart.is_drawable() && chart.missing.len() == 1,
            "{nothing}"
        );
    }
}

#[test]
fn exported_text_is_escaped_and_colours_travel() {
    let mut task = task();
    task.ships[0].name = "<b>\"&'\u{7}".to_owned();
    let chart = chart(&task, &plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)]));
    for text in [
        export::svg(&chart, &Palette::LIGHT, 9000.0),
        export::static_svg(&chart),
    ] {
        assert!(!text.contains("<b>") && !text.contains('\u{7}'));
        assert!(text.contains("&lt;b&gt;&quot;&amp;&#39;"));
        assert!(!text.contains("var(") && !text.contains("url("));
    }
    assert!(export::svg(&chart, &Palette::DARK, 900.0).contains(Palette::DARK.problem));
    assert!(
        !export::static_svg(&chart).contains("fill="),
        "the first picture takes its colours from the page"
    );
}

#[test]
fn the_thumbnail_is_four_paths() {
    let mini = mini(&chart(&task(), &plan(&[(5, 2, 2), (20, 5, 3), (41, 7, 2)])));
    assert!(
        [&mini.blocks, &mini.bars, &mini.late, &mini.broken]
            .iter()
            .all(|data| data.starts_with('M'))
    );
    assert!(mini.name.starts_with("Draft 2: 3 of 3 ships placed"));
}
