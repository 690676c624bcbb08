//! The run bar: model, limits, Run and Stop in the same place.

use super::model::ModelField;
use super::setting::Bench;
use crate::app::{Intent, Place, Route};
use crate::ui::common::NumberField;
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, Signal};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::{form, words};
use leptos::prelude::*;

/// The run bar.
#[component]
pub(super) fn RunBar(bench: Bench) -> impl IntoView {
    let dispatch = use_dispatch();
    let running = Signal::derive(move || bench.is_running());
    let server = matches!(bench.place().0, Place::Server(_));
    let changed = Callback::new(move |()| {
        if let Some(limits) = untrack(|| bench.limits()) {
            dispatch.send(Intent::Limit(limits));
        }
    });
    let ids = [
        "run-turns",
        "run-tokens",
        "run-minutes",
        "run-dollars",
        "run-spend-tokens",
    ];
    let labels = form::LABELS.into_iter().zip(ids).zip(bench.fields);
    let fields: Vec<AnyView> = labels
        .enumerate()
        .map(|(at, ((label, id), text))| {
            let problem = Signal::derive(move || text.with(|text| form::problem(at, text)));
            let shown = move || form::shown(bench.tariff()).get(at) == Some(&true);
            view! {
                <NumberField
                    label
                    id
                    text
                    problem
                    changed
                    step=if at == 3 { "any" } else { "1" }
                    hidden=Signal::derive(move || !shown())
                    disabled=running
                />
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="run-bar">
            <div class="run-fields"><ModelField bench disabled=running/> {fields}</div>
            <p class="note" hidden=running>{move || bench.note()}</p>
            {server.then(|| view! { <Instructions bench/> })}
            <div class="run-actions">
                <RunOrStop bench/>
                <Pause bench/>
                <label class="check">
                    <input
                        type="checkbox"
                        prop:checked=bench.follow
                        on:change:target=move |event| bench.follow.set(event.target().checked())
                    />
                    <span>"Follow the run"</span>
                </label>
            </div>
        </div>
    }
    .into_any()
}

/// Run, and then Stop in the same place: one button, so that it keeps the focus.
#[component]
fn RunOrStop(bench: Bench) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let running = Memo::new(move |_| bench.is_running());
    let elsewhere =
        Memo::new(move |_| !running.get() && state.run.status.with(|status| status.running));
    let words = move || if running.get() { "Stop" } else { "Run" };
    view! {
        <button
            type="button"
            class="run"
            data-running=move || running.get().then_some("")
            aria-disabled=move || elsewhere.get().then_some("true")
            title=move || if running.get() { "Stop (. or Esc Esc)" } else { "Run (Ctrl+Enter)" }
            on:click=move |event| {
                // The second click of a double click would stop what the first began.
                if event.detail() > 1 {
                    return;
                }
                if running.get_untracked() {
                    dispatch.send(Intent::Stop);
                } else {
                    bench.run(dispatch);
                }
            }
        >
            {words}
        </button>
        {move || {
            elsewhere
                .get()
                .then(|| {
                    let there = state
                        .run_place
                        .get()
                        .map(|(place, task)| Route::Workbench { place, task }.fragment());
                    view! {
                        <p class="note">
                            "A run of another task goes on. Stop it first: "
                            <a href=there>"go there"</a>
                        </p>
                    }
                })
        }}
    }
    .into_any()
}

#[component]
fn Pause(bench: Bench) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let paused = Memo::new(move |_| state.run.status.with(|status| status.paused));
    let running = Memo::new(move |_| bench.is_running());
    live(move || {
        running.get().then(|| {
            let (words, intent) = if paused.get() {
                ("Go on", Intent::Resume)
            } else {
                ("Pause after this turn", Intent::Pause)
            };
            view! {
                <button type="button" on:click=move |_| dispatch.send(intent.clone())>{words}</button>
            }
        })
    })
}

/// What the model is told where the environment gives no instructions.
#[component]
fn Instructions(bench: Bench) -> impl IntoView {
    let state = use_state();
    let missing = Memo::new(move |_| bench.mine() && state.run.status.with(words::needs_prompt));
    view! {
        <label class="field">
            <span>"Instructions, if the server gives none"</span>
            <textarea
                rows="2"
                prop:value=bench.instructions
                on:input:target=move |event| bench.instructions.set(event.target().value())
            ></textarea>
            {move || {
                missing
                    .get()
                    .then(|| view! { <small>"This server gave none. What stands here is used with the next run."</small> })
            }}
        </label>
    }
    .into_any()
}
