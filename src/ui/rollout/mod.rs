//! A kept run, step by step; and the list of kept runs.

mod list;

use super::common::{Empty, Facts, SaidLine, Skeleton, TabPanel, Tabs, Title};
use super::keys::on_action;
use super::stage::{Stage, StageBar, StageChart, StageProblems, StageShips};
use super::state::{use_dispatch, use_state};
use super::transcript::Transcript;
use crate::app::{Intent, Place, Route, Shown};
use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::words;
use leptos::prelude::*;
pub(super) use list::Rollouts;

/// The rollout with this id.
#[component]
pub(super) fn Rollout(id: String) -> impl IntoView {
    let state = use_state();
    let title = format!("Rollout {id}");
    let there = Memo::new(
        move |_| match (state.opening.get(), state.not_found.get()) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        },
    );
    view! {
        <Title text=title/>
        {move || match there.get() {
            0 => view! { <Skeleton waits_for="The rollout is being fetched from this device."/> }.into_any(),
            1 => view! {
                <Empty>
                    <p>
                        "This rollout is not on this device. Rollouts stay where they were made; "
                        "the link to one only works there."
                    </p>
                    <p class="actions"><a class="button" href="#/rollouts">"All rollouts"</a></p>
                </Empty>
            }
            .into_any(),
            _ => view! { <Opened/> }.into_any(),
        }}
    }
    .into_any()
}

/// A rollout that is here.
#[component]
fn Opened() -> impl IntoView {
    let state = use_state();
    let run = state.opened;
    let chosen = RwSignal::new(None::<usize>);
    let step = Memo::new(move |_| {
        let last = run.drafts.with(|drafts| drafts.drafts.len());
        chosen.get().map_or(last, |step| step.min(last))
    });
    let stage = Stage::new(
        run.drafts.into(),
        step.into(),
        Callback::new(move |step| chosen.set(Some(step))),
    );
    let follow = RwSignal::new(false);
    on_action(move |action| stage.act(action));
    view! {
        <VerdictBar/>
        <div class="desk">
            <section class="desk-chart" aria-label="Plan">
                <StageBar stage/>
                <div data-region="chart" tabindex="-1"><StageChart stage/></div>
            </section>
            <section class="desk-run" aria-label="Conversation">
                <Transcript run stage follow/>
            </section>
            <Sides stage/>
        </div>
    }
    .into_any()
}

/// Reward, cost, whether the grade holds, and what can be done with it.
#[component]
fn VerdictBar() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let again = move || {
        let server = state
            .opened
            .briefing
            .with(|briefing| briefing.server.clone());
        let place = if server == "builtin" {
            Place::Builtin
        } else {
            Place::Server(server)
        };
        let task = state.opened.status.with(|status| status.task_id.clone());
        Route::Workbench { place, task }.fragment()
    };
    let lines = move || {
        state.opened.grade.get().map(|card| {
            view! {
                <p class="grade-title"><SaidLine said=words::grade_title(&card)/></p>
                <p class="verdict-line">{words::grade_line(&card)}</p>
                <p class="grade-check"><SaidLine said=words::grade_check(&card)/></p>
            }
        })
    };
    let broken = move || {
        state
            .opened
            .status
            .with(words::broken)
            .map(|text| view! { <p class="note">{text}</p> })
    };
    view! {
        <div class="verdict" data-wide>
            <div>{lines} {broken}</div>
            <p class="actions">
                <a class="button primary" href=again>"Run this task again"</a>
                <button
                    type="button"
                    on:click=move |_| dispatch.send(Intent::DownloadRecord(Shown::Opened))
                >
                    "Download JSON"
                </button>
            </p>
        </div>
    }
    .into_any()
}

/// Ships, problems and facts.
#[component]
fn Sides(stage: Stage) -> impl IntoView {
    let state = use_state();
    let chosen = RwSignal::new(0);
    let fixed = |words: &'static str| Signal::derive(move || words.to_owned());
    let names = vec![
        fixed("Ships"),
        Signal::derive(move || words::counted("Problems", stage.problems())),
        fixed("Facts"),
    ];
    let facts = move || {
        let facts = state.opened.briefing.with(|briefing| {
            state
                .opened
                .status
                .with(|status| words::run_facts(status, &briefing.server, &briefing.started))
        });
        view! { <Facts facts/> }
    };
    view! {
        <div class="details">
            <Tabs label="Rollout details" group="rollout" names chosen/>
            <TabPanel group="rollout" index=0 chosen><StageShips stage/></TabPanel>
            <TabPanel group="rollout" index=1 chosen><StageProblems stage/></TabPanel>
            <TabPanel group="rollout" index=2 chosen>{facts}</TabPanel>
        </div>
    }
    .into_any()
}
