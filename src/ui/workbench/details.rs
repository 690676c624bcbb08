//! The side tabs: ships, situation, calls, problems.

use super::setting::Bench;
use crate::ui::common::{SaidLine, TabPanel, Tabs};
use crate::ui::element::view;
use crate::ui::markdown::Markdown;
use crate::ui::signal::{RwSignal, Signal};
use crate::ui::stage::{StageProblems, StageShips};
use crate::ui::state::use_state;
use crate::view::words;
use leptos::prelude::*;

/// The tabs of a task.
#[component]
pub(super) fn Details(bench: Bench) -> impl IntoView {
    let state = use_state();
    let chosen = RwSignal::new(0);
    let stage = bench.stage;
    let fixed = |words: &'static str| Signal::derive(move || words.to_owned());
    let calls = move || if bench.mine() { state.run.calls() } else { 0 };
    let names = vec![
        fixed("Ships"),
        fixed("Situation"),
        Signal::derive(move || words::counted("Calls", calls())),
        Signal::derive(move || words::counted("Problems", stage.problems())),
    ];
    let situation = Signal::derive(move || {
        let told = state
            .run
            .briefing
            .with(|briefing| briefing.situation.clone());
        if bench.mine() && !told.is_empty() {
            return told;
        }
        stage.drafts.with(|drafts| words::situation(drafts))
    });
    view! {
        <div class="details">
            <Tabs label="Task details" group="details" names chosen/>
            <TabPanel group="details" index=0 chosen><StageShips stage/></TabPanel>
            <TabPanel group="details" index=1 chosen><Markdown text=situation/></TabPanel>
            <TabPanel group="details" index=2 chosen><Calls bench/></TabPanel>
            <TabPanel group="details" index=3 chosen><StageProblems stage/></TabPanel>
        </div>
    }
    .into_any()
}

/// Every tool call of the run on one line.
#[component]
fn Calls(bench: Bench) -> impl IntoView {
    let state = use_state();
    let lines = move || {
        let entries = if bench.mine() {
            state.run.entries.get()
        } else {
            Vec::new()
        };
        let drafts = state.run.drafts.get();
        let lines: Vec<_> = entries
            .iter()
            .flat_map(|entry| entry.entry.with(|entry| words::calls(entry, &drafts)))
            .collect();
        if lines.is_empty() {
            return view! { <p class="note">"No tool was called yet."</p> }.into_any();
        }
        let rows: Vec<AnyView> = lines
            .into_iter()
            .map(|line| {
                view! {
                    <tr>
                        <td>{line.turn}</td>
                        <td><code>{line.tool}</code></td>
                        <td><SaidLine said=line.said/></td>
                    </tr>
                }
                .into_any()
            })
            .collect();
        view! {
            <table class="table">
                <thead>
                    <tr><th scope="col">"Turn"</th><th scope="col">"Tool"</th><th scope="col">"Answer"</th></tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
        .into_any()
    };
    view! { <div class="scroll">{lines}</div> }.into_any()
}
