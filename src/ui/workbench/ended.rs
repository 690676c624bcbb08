//! How a run ended, and the ways on from there.

use super::setting::Bench;
use crate::app::{Intent, Place, Route, Shown};
use crate::ui::common::{Problem, SaidLine};
use crate::ui::element::{live, view};
use crate::ui::share::ShareButton;
use crate::ui::signal::Memo;
use crate::ui::state::{use_dispatch, use_state};
use crate::view::words;
use leptos::prelude::*;

/// The ways to the record, which is kept however the run ended.
#[component]
fn Kept() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let id = move || {
        let briefing = state.run.briefing;
        briefing.with(|briefing| format!("#/rollouts/{}", briefing.episode_id))
    };
    view! {
        <a class="button" href=id>"Open the rollout"</a>
        <button type="button" on:click=move |_| dispatch.send(Intent::DownloadRecord(Shown::Run))>
            "Download JSON"
        </button>
        <ShareButton whose=Shown::Run/>
    }
    .into_any()
}

/// The verdict of a run that is over, or what broke it.
#[component]
pub(super) fn Ended(bench: Bench) -> impl IntoView {
    let state = use_state();
    let over = Memo::new(move |_| {
        bench.mine()
            && state
                .run
                .status
                .with(|status| status.begun && !status.running)
    });
    let broken = Memo::new(move |_| state.run.status.with(words::broken));
    live(move || {
        over.get().then(|| match broken.get() {
            Some(text) => view! { <Broken bench text/> }.into_any(),
            None => view! { <Verdict/> }.into_any(),
        })
    })
}

#[component]
fn Verdict() -> impl IntoView {
    let state = use_state();
    let spent = Memo::new(move |_| state.run.status.with(words::spent));
    let lines = move || {
        state.run.grade.get().map(|card| {
            view! {
                <p class="grade-title"><SaidLine said=words::grade_title(&card)/></p>
                <p class="verdict-line">{words::grade_line(&card)}</p>
                <p class="grade-check"><SaidLine said=words::grade_check(&card)/></p>
            }
        })
    };
    view! {
        <section class="verdict" aria-label="Grade" aria-live="polite">
            {lines}
            {move || spent.get().map(|text| view! { <p>{text}</p> })}
            <p class="actions"><Kept/></p>
        </section>
    }
    .into_any()
}

/// A connection that broke, a full server, a model that failed: what is kept, and what to do.
#[component]
fn Broken(bench: Bench, text: String) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let (place, task) = bench.place();
    let remote = matches!(place, Place::Server(_));
    let here = Memo::new({
        let task = task.clone();
        move |_| {
            remote
                && state
                    .catalog
                    .with(|catalog| catalog.builtin.iter().any(|known| known.task_id == task))
        }
    });
    let builtin = Route::Workbench {
        place: Place::Builtin,
        task,
    }
    .fragment();
    view! {
        <Problem text>
            <button type="button" class="primary" on:click=move |_| bench.run(dispatch)>
                {if remote { "Reconnect and restart the task" } else { "Start the task again" }}
            </button>
            {move || {
                here.get()
                    .then(|| {
                        view! {
                            <a class="button" href=builtin.clone()>"Continue in the built-in environment"</a>
                        }
                    })
            }}
            {remote.then(|| view! { <a class="button" href="#/connect">"Test the connection"</a> })}
            <Kept/>
        </Problem>
    }
    .into_any()
}
