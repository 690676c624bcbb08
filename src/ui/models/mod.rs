//! Models: which one runs, and a card for each service with its address, key and models.

mod card;
mod key;
mod list;

use super::common::{Fold, SaidLine, Title};
use super::state::{use_dispatch, use_state};
use crate::app::Intent;
use crate::app::models::Wish;
use crate::settings::Service;
use crate::settings::service::SERVICES;
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, Signal};
use crate::view::words::{Said, Tone};
use card::ServiceCard;
use leptos::prelude::*;

/// How many services stand open on the screen; the others are folded away.
const FIRST: usize = 4;

/// Those that are called over the network.
fn services() -> impl Iterator<Item = &'static Service> {
    SERVICES.iter().filter(|service| !service.is_inside())
}

/// The models screen.
#[component]
pub(super) fn Models() -> impl IntoView {
    let more: Vec<&str> = services()
        .skip(FIRST)
        .map(|service| service.label)
        .collect();
    let more = ["More services: ", &more.join(", ")].concat();
    view! {
        <Title text="Models"/>
        <p class="lead">
            "Any task can be run with a model of your own. The page calls its service directly: a key "
            "goes from this page to the address that it was typed for, and nowhere else."
        </p>
        <InUse/>
        <Cards skip=0 most=FIRST/>
        <Fold label=Signal::derive(move || more.clone())>
            <Cards skip=FIRST most=SERVICES.len()/>
        </Fold>
    }
    .into_any()
}

/// Some of the cards.
#[component]
fn Cards(skip: usize, most: usize) -> impl IntoView {
    let cards: Vec<AnyView> = services()
        .skip(skip)
        .take(most)
        .map(|service| view! { <ServiceCard service/> }.into_any())
        .collect();
    view! { <div class="services">{cards}</div> }.into_any()
}

/// The model that runs, and what it lacks.
#[component]
fn InUse() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let send = move |wish: Wish| dispatch.send(Intent::Models(wish));
    let words = Memo::new(move |_| {
        state.models.with(|models| {
            let spec = models.spec();
            let lacks = models
                .setting_for(&spec)
                .err()
                .map(|lacks| lacks.to_string());
            (models.in_use(), spec.service.is_inside(), lacks)
        })
    });
    let keyless = move || state.models.with(|models| !models.any_key());
    let model = live(move || {
        let (name, inside, lacks) = words.get();
        let said = match lacks {
            Some(text) => Said {
                tone: Tone::Bad,
                text,
            },
            None => Said {
                tone: Tone::Good,
                text: if inside {
                    "It runs in this page, without network."
                } else {
                    "Ready for a run."
                }
                .into(),
            },
        };
        view! { <p><strong>{name}</strong></p> <p><SaidLine said/></p> }
    });
    view! {
        <section class="card" aria-label="In use">
            <h2>"In use"</h2>
            {model}
            <p class="note">
                "A model's name may end in @low, @medium or @high: how much it should think."
            </p>
            <p class="actions">
                <a class="button" href="#/tasks">"Pick a task"</a>
                <button
                    type="button"
                    aria-disabled=move || words.with(|words| words.1).then_some("true")
                    on:click=move |_| send(Wish::Choose("demo:planner".into()))
                >
                    "Use the planner, no key needed"
                </button>
                <button
                    type="button"
                    aria-disabled=move || keyless().then_some("true")
                    on:click=move |_| send(Wish::ForgetKeys)
                >
                    "Forget all keys"
                </button>
            </p>
        </section>
    }
    .into_any()
}
