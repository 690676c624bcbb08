//! The workbench: a task, its chart, and an agent at work on it.

mod confirm;
mod details;
mod ended;
mod model;
mod now;
mod run_bar;
mod setting;
mod tools;

use super::common::{Empty, Skeleton, Title};
use super::keys::on_action;
use super::stage::{Stage, StageBar, StageChart};
use super::state::{use_dispatch, use_state};
use super::transcript::Transcript;
use crate::app::{Intent, Place};
use crate::ui::element::{live, view};
use crate::view::shortcuts::Action;
use confirm::Confirm;
use details::Details;
use ended::Ended;
use leptos::prelude::*;
use now::Now;
use run_bar::RunBar;
use setting::{Bench, Known};
use tools::Tools;

/// The workbench of a task.
#[component]
pub(super) fn Workbench(place: Place, task: String) -> impl IntoView {
    let bench = Bench::new(place, task);
    let name = bench.name();
    live(move || match bench.known() {
        Known::Confirm(host) => {
            view! { <Title text="A link to a server"/><Confirm bench host/> }.into_any()
        }
        Known::Loading => view! {
            <Title text=name.clone()/>
            <Skeleton waits_for="The built-in tasks are on their way."/>
        }
        .into_any(),
        Known::Missing(reason) => view! { <Title text=name.clone()/><Missing reason/> }.into_any(),
        Known::Here => view! { <Title text=name.clone()/><Desk bench/> }.into_any(),
    })
}

/// The task is not there.
#[component]
fn Missing(reason: String) -> impl IntoView {
    view! {
        <Empty>
            <p>{reason}</p>
            <p class="actions"><a class="button" href="#/tasks">"All tasks"</a></p>
        </Empty>
    }
    .into_any()
}

/// Everything of a task that is there.
#[component]
fn Desk(bench: Bench) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let stage = bench.stage;
    on_action(move |action| match action {
        Action::Run => {
            bench.run(dispatch);
            true
        }
        Action::Stop if bench.is_running() => {
            dispatch.send(Intent::Stop);
            true
        }
        other => stage.act(other),
    });
    view! {
        <TaskBar bench/>
        <div class="desk">
            <section class="desk-bar" aria-label="Run">
                <RunBar bench/>
                <Now bench/>
            </section>
            <section class="desk-chart" aria-label="Plan">
                <Plan stage />
            </section>
            <section class="desk-run" aria-label="Agent">
                <Ended bench/>
                <Conversation bench run=state.run/>
            </section>
            <Details bench/>
        </div>
    }
    .into_any()
}

/// The chart, once the task is known.
#[component]
fn Plan(stage: Stage) -> impl IntoView {
    let drawable = Memo::new(move |_| stage.is_drawable());
    move || {
        if drawable.get() {
            view! {
                <StageBar stage />
                <div data-region="chart" tabindex="-1">
                    <StageChart stage />
                </div>
            }
            .into_any()
        } else {
            view! {
                <div class="empty" data-region="chart" tabindex="-1">
                    <p>"The chart is drawn as soon as the server has told the task: press Run."</p>
                </div>
            }
            .into_any()
        }
    }
}

/// What stands in place of the transcript before the first run.
const BEFORE: &str = "Press Run. The model reads the situation, drafts a plan, has it checked, \
    mends what is wrong, and submits. Everything it says and does stands here.";

/// What stands there after Run, until the run has begun.
const WAITS: &str = "What it takes to ask this model is on its way. The run begins by itself.";

/// The transcript, once there is one.
#[component]
fn Conversation(bench: Bench, run: super::state::RunSignals) -> impl IntoView {
    // Not by the entries themselves: the transcript stays while it grows.
    let words = Memo::new(move |_| {
        if bench.waits() {
            return Some(WAITS);
        }
        if !bench.mine() {
            return Some(BEFORE);
        }
        let (begun, running) = run.status.with(|status| (status.begun, status.running));
        match run.entries.with(Vec::is_empty) {
            false => None,
            true if running => Some("The run has begun. What it says and does stands here."),
            true if begun => Some("The run ended before anything was said."),
            true => Some(BEFORE),
        }
    });
    live(move || match words.get() {
        None => view! { <Transcript run stage=bench.stage follow=bench.follow/> }.into_any(),
        Some(words) => view! {
            <div class="empty" data-region="transcript" tabindex="-1">
                <p>{words}</p>
            </div>
        }
        .into_any(),
    })
}

/// What the task is, and what is left of its limits.
#[component]
fn TaskBar(bench: Bench) -> impl IntoView {
    view! {
        <div class="task-bar">
            <p class="task-facts">{move || bench.facts()}</p>
            <p class="task-limits" role="status">{move || bench.limits_left()}</p>
            <Tools bench/>
        </div>
    }
    .into_any()
}
