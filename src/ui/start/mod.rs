//! Start: the demonstration planner mends a broken week, step by step, and its grade is checked.

mod doors;
mod grade;

use crate::app::{Intent, Shown};
use crate::ui::common::Title;
use crate::ui::element::view;
use crate::ui::keys::on_action;
use crate::ui::signal::{Memo, Signal};
use crate::ui::stage::{Difference, Stage, StageChart};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::shortcuts::Action;
use doors::Doors;
use grade::Grade;
use leptos::prelude::*;

/// The start screen.
#[component]
pub(super) fn Start() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let stage = Stage::new(
        state.demo_run.drafts.into(),
        Signal::derive(move || state.demo.with(|demo| demo.step)),
        Callback::new(move |step| dispatch.send(Intent::ShowDemoStep(step))),
    );
    on_action(move |action| {
        let play = action == Action::Play;
        if play {
            dispatch.send(Intent::PlayDemoSteps);
        }
        play || stage.act(action)
    });
    view! {
        <div class="start">
            <div class="hero">
                <Title text="A week of ships, a broken plan. Watch a planner fix it, or try it yourself."/>
                <div class="actions">
                    <button type="button" class="primary" on:click=move |_| dispatch.send(Intent::PlayDemo)>
                        "Run the demonstration again"
                    </button>
                    <a class="button" href="#/tasks">"Try a task"</a>
                </div>
            </div>
            <section class="demo" aria-label="Demonstration">
                <div data-region="chart" tabindex="-1"><StageChart stage plain=true/></div>
                <div class="demo-foot">
                    <p class="step-text" role="status">{move || state.demo.with(|demo| demo.text.clone())}</p>
                    <Steps stage/>
                </div>
            </section>
            <Grade run=state.demo_run shown=Shown::Demo/>
            <Doors/>
        </div>
    }
    .into_any()
}

/// The slider of the steps, and play.
#[component]
fn Steps(stage: Stage) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let last = Memo::new(move |_| state.demo.with(|demo| demo.last));
    let step = Memo::new(move |_| state.demo.with(|demo| demo.step));
    let still = move || state.page.with(|page| page.reduced_motion);
    view! {
        <div class="steps">
            <label class="range">
                <span class="visually-hidden">{move || format!("Step of the run, 1 to {}", last.get() + 1)}</span>
                <input
                    type="range"
                    min="1"
                    max=move || (last.get() + 1).to_string()
                    prop:value=move || (step.get() + 1).to_string()
                    aria-valuetext=move || state.demo.with(|demo| demo.text.clone())
                    on:input:target=move |event| {
                        let step = event.target().value().parse::<usize>().unwrap_or(1);
                        dispatch.send(Intent::ShowDemoStep(step.saturating_sub(1)));
                    }
                />
                <output>{move || format!("{} of {}", step.get() + 1, last.get() + 1)}</output>
            </label>
            <Difference stage/>
            {move || {
                still()
                    .then(|| {
                        view! {
                            <button type="button" on:click=move |_| dispatch.send(Intent::PlayDemoSteps)>
                                "Play the steps"
                            </button>
                        }
                    })
            }}
        </div>
    }
    .into_any()
}
