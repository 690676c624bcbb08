//! Markup of the chart's components, rendered natively.

use super::*;
use crate::berth::{Checker, Plan, Ship, Slot, Task};
use crate::ui::element::view;
use crate::ui::signal::{RwSignal, Signal};
use crate::view::chart::{Chart, ChartInput, Layer, mini};
use leptos::prelude::*;

fn task() -> Task {
    let ship = |name: &str, arrival, section| Ship {
        name: name.to_owned(),
        sections: 3,
        arrival,
        handling: 7,
        planned_hour: Some(arrival),
        planned_section: Some(section),
        due: arrival + 9,
        weight: 1,
        ..Ship::default()
    };
    Task {
        quay: "Q1".to_owned(),
        first_section: 4,
        last_section: 12,
        week_start_utc: "2031-08-04T00:00:00Z".to_owned(),
        ships: vec![
            ship("PERSEUS", 0, 4),
            ship("<img src=x onerror=alert(1)>", 3, 5),
        ],
        ..Task::default()
    }
}

fn chart() -> Chart {
    let task = task();
    let slot = |hour, section| {
        Some(Slot {
            hour,
            section,
            cranes: 0,
        })
    };
    let plan = Plan {
        slots: vec![slot(0, 4), slot(5, 5)],
    };
    let old = Plan {
        slots: vec![slot(0, 4), slot(3, 5)],
    };
    let check = Checker::new(&task).check(&plan);
    let input = ChartInput::plan(&task, &plan, Some(&check), Layer::Draft(2)).since(&old, None);
    Chart::new(&input)
}

/// Renders what `make` makes of a chart, a selection and an hour.
fn html<V: IntoView>(
    make: impl FnOnce(Signal<Chart>, RwSignal<Option<usize>>, RwSignal<Option<i32>>) -> V,
) -> String {
    Owner::new().with(|| {
        let (selected, hour) = (RwSignal::new(Some(1)), RwSignal::new(Some(5)));
        make(Signal::stored(chart()), selected, hour)
            .into_view()
            .to_html()
    })
}

fn whole() -> String {
    html(|chart, selected, hour| view! { <PlanChart chart width=900.0 selected hour /> })
}

#[test]
fn every_ship_is_a_named_button_and_one_of_them_a_tab_stop() {
    let html = whole();
    assert!(
        html.contains(r#"aria-label="PERSEUS, hours 0 to 7, sections 4 to 6, on time, 1 problem""#)
    );
    let ships: Vec<_> = html
        .split("<g ")
        .filter(|tag| tag.contains("data-ship="))
        .collect();
    assert_eq!(ships.len(), 2);
    assert!(ships.iter().all(|tag| tag.contains(r#"role="button""#)));
    assert_eq!(
        ships
            .iter()
            .filter(|tag| tag.contains(r#"tabindex="0""#))
            .count(),
        1
    );
    assert_eq!(html.matches(r#"aria-pressed="true""#).count(), 1);
}

#[test]
fn a_hostile_name_stays_text_everywhere() {
    let parts = [
        whole(),
        html(|chart, selected, hour| view! { <ProblemsPanel chart selected hour /> }),
        html(|chart, selected, hour| view! { <PlanTable chart selected hour /> }),
        html(|chart, selected, _| view! { <ChangeList chart selected /> }),
    ];
    for part in parts {
        assert!(part.contains("&lt;img"), "{part}");
        assert!(!part.contains("<img"), "{part}");
    }
}

#[test]
fn controls_have_the_names_the_design_gives_them() {
    let html = whole();
    for name in [
        "Zoom in",
        "Zoom out",
        "Fit the week",
        "Fit problems",
        "Next problem",
    ] {
        assert!(html.contains(&format!(">{name}<")), "{name}");
    }
    assert!(html.contains(r#"aria-label="Hour of the week""#));
    assert!(html.contains("Mon 4 Aug 05:00, hour 5: 2 alongside"));
    assert!(!html.contains("Save as PNG"), "nobody asked for files");
}

#[test]
fn the_table_says_where_ships_are_at_the_hour() {
    let html = html(|chart, selected, hour| view! { <PlanTable chart selected hour /> });
    assert!(html.contains("At hour 5"));
    assert_eq!(html.matches("<td>alongside").count(), 2);
}

#[test]
fn the_list_of_changes_tells_what_moved() {
    let html = html(|chart, selected, _| view! { <ChangeList chart selected /> });
    assert!(html.contains("<span>+2 h</span>"), "{html}");
}

#[test]
fn the_thumbnail_is_five_elements() {
    let html = html(|chart, _, _| {
        let mini = mini(&chart.get());
        view! { <MiniChart mini /> }
    });
    assert_eq!(html.matches("<path").count(), 4);
    assert!(html.contains(r#"role="img""#));
}

#[test]
fn the_markup_of_a_small_chart() {
    insta::assert_snapshot!(whole().replace('>', ">\n"));
}
