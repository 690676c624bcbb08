//! A kept run, step by step; and the list of kept runs.

mod guest;
mod line;
mod list;
mod replay;

use super::common::{Empty, Facts, Fold, SaidLine, Skeleton, TabPanel, Tabs, Title};
use super::keys::on_action;
use super::share::ShareButton;
use super::stage::{Stage, StageBar, StageChart, StageProblems, StageShips};
use super::state::{use_dispatch, use_state};
use super::transcript::{At, Transcript};
use crate::app::sharing::Export;
use crate::app::{Intent, Look, Place, Route, Shown as Whose};
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::words;
pub(super) use guest::SharedRollout;
use leptos::prelude::*;
pub(super) use list::Rollouts;
use replay::{Replay, ReplayBar};

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
            _ => view! { <Shown/> }.into_any(),
        }}
    }
    .into_any()
}

/// The rollout, from the beginning each time that the address asks for a look at it.
#[component]
fn Shown() -> impl IntoView {
    let state = use_state();
    let look = Memo::new(move |_| state.look.get());
    live(move || {
        let (_, look) = look.get();
        view! { <Opened look/> }.into_any()
    })
}

/// A rollout that is here.
#[component]
fn Opened(look: Look) -> impl IntoView {
    let state = use_state();
    let run = state.opened;
    let replay = Replay::new(run, look);
    let step = Memo::new(move |_| {
        let sent = run.drafts.with(|drafts| drafts.drafts.len());
        replay.draft(sent)
    });
    let stage = Stage::new(
        run.drafts.into(),
        step.into(),
        Callback::new(move |step| replay.to_draft(step)),
    );
    stage.look(look.hour, look.difference);
    replay.tell(stage);
    let follow = RwSignal::new(false);
    let at = At {
        message: Memo::new(move |_| replay.message()).into(),
        go: Callback::new(move |message| replay.to_message(message)),
    };
    on_action(move |action| replay.act(action) || stage.act(action));
    view! {
        <VerdictBar/>
        <div class="desk">
            <section class="desk-chart" aria-label="Plan">
                <ReplayBar replay/>
                <StageBar stage/>
                <div data-region="chart" tabindex="-1"><StageChart stage/></div>
            </section>
            <section class="desk-run" aria-label="Conversation">
                <Transcript run stage follow at/>
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
    // A file may not say where its run took place.
    let again = move || {
        let server = state
            .opened
            .briefing
            .with(|briefing| briefing.server.clone());
        let place = match server.as_str() {
            "" => return None,
            "builtin" => Place::Builtin,
            _ => Place::Server(server),
        };
        let task = state.opened.status.with(|status| status.task_id.clone());
        Some(Route::Workbench { place, task }.fragment())
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
                {move || {
                    again().map(|again| view! { <a class="button primary" href=again>"Run this task again"</a> })
                }}
                <button
                    type="button"
                    on:click=move |_| dispatch.send(Intent::DownloadRecord(Whose::Opened))
                >
                    "Download JSON"
                </button>
                <ShareButton whose=Whose::Opened/>
            </p>
            <Fold label=Signal::derive(|| "Other formats".to_owned())><Formats/></Fold>
        </div>
    }
    .into_any()
}

/// The other forms that the rollout is saved in.
#[component]
fn Formats() -> impl IntoView {
    let dispatch = use_dispatch();
    let forms = [
        ("Report as Markdown", Export::Markdown),
        ("Final plan as CSV", Export::Csv),
        ("Trajectory as ATIF", Export::Atif),
    ];
    let buttons: Vec<AnyView> = forms
        .into_iter()
        .map(|(name, form)| {
            view! {
                <button type="button" on:click=move |_| dispatch.send(Intent::Export(Whose::Opened, form))>
                    {name}
                </button>
            }
            .into_any()
        })
        .collect();
    view! { <p class="actions">{buttons}</p> }.into_any()
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
