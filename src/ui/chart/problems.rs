//! The problems panel.

use crate::berth::{Hour, ShipId};
use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::chart::{Chart, Problem, groups};
use leptos::prelude::*;

/// Problems by rule. Choosing one selects its ship and moves the hour line to its hour.
#[component]
pub fn ProblemsPanel(
    /// The chart whose problems they are.
    #[prop(into)]
    chart: Signal<Chart>,
    /// The selected ship.
    selected: RwSignal<Option<ShipId>>,
    /// The hour line.
    hour: RwSignal<Option<Hour>>,
) -> impl IntoView {
    let problems = Memo::new(move |_| chart.with(|chart| chart.problems.clone()));
    let head = Memo::new(move |_| {
        let (many, verdict) = chart.with(|chart| (chart.problems.len(), chart.verdict.clone()));
        let many = match many {
            0 => "No problems".to_owned(),
            1 => "1 problem".to_owned(),
            many => format!("{many} problems"),
        };
        if verdict.is_empty() {
            many
        } else {
            format!("{many}, {verdict}")
        }
    });
    let line = move |problem: &Problem| {
        let (ship, at) = (problem.ship, problem.hour);
        let jump = move |_| {
            selected.set(ship.or(selected.get_untracked()));
            hour.set(at.or(hour.get_untracked()));
        };
        let current = move || (ship.is_some() && selected.get() == ship).then_some("true");
        view! {
            <li>
                <button type="button" aria-current=current on:click=jump>
                    <span class="problem-number">{problem.number}</span>
                    " "
                    <span>{problem.text.clone()}</span>
                </button>
            </li>
        }
        .into_any()
    };
    let list = move || {
        let problems = problems.get();
        let group = |group: crate::view::chart::Group<'_>| {
            let lines: Vec<_> = group.problems.iter().map(line).collect();
            view! {
                <li>
                    <span class="problem-rule">{group.title}</span>
                    <ul>{lines}</ul>
                </li>
            }
            .into_any()
        };
        groups(&problems).into_iter().map(group).collect_view()
    };
    view! {
        <section class="problems-panel" aria-label="Problems">
            <p class="problems-head">{head}</p>
            <ul>{list}</ul>
        </section>
    }
}
