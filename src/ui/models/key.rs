//! A service's key. What is typed never comes into the program's state: the field says that there is
//! something in it, and `platform` reads it, holds it and empties the field.

use super::card::Of;
use crate::app::models::Wish;
use crate::ui::common::SaidLine;
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal};
use leptos::prelude::*;

/// Field, choice to keep it, and what can be done with it.
#[component]
pub(super) fn KeyPart(of: Of, model: RwSignal<String>) -> impl IntoView {
    let service = of.service;
    let word = service.word;
    let id = ["key-", word].concat();
    let field = id.clone();
    let take = move |clear| {
        of.send(Wish::TakeKey {
            slot: word,
            field: field.clone(),
            clear,
        });
    };
    let taken = take.clone();
    let held = move || of.read(|card| card.key.held);
    let kept = move || of.read(|card| card.key.kept);
    let line = Memo::new(move |_| of.read(|card| Some(card.key_line())));
    let elsewhere = Memo::new(move |_| {
        of.read(|card| {
            let (bound, here) = card.elsewhere()?;
            let asks = !bound.is_empty();
            asks.then(|| (bound.to_owned(), here.to_owned()))
        })
    });
    let question = live(move || {
        elsewhere.get().map(|(bound, here)| {
            view! {
                <div class="bar" data-tone="warn" role="alert">
                    <p>{format!("The key is for {bound}. Send it to {here} too?")}</p>
                    <button type="button" on:click=move |_| of.send(Wish::BindKey(word))>
                        {format!("Send it to {here}")}
                    </button>
                </div>
            }
        })
    });
    view! {
        <label class="field">
            <span>{[service.label, " API key"].concat()}</span>
            <input
                type="password"
                id=id
                placeholder=move || if held() { "•••  type to replace it" } else { "" }
                autocomplete="off"
                spellcheck="false"
                autocapitalize="off"
                on:input=move |_| take(false)
                on:change=move |_| taken(true)
            />
        </label>
        <p>{move || line.get().map(|said| view! { <SaidLine said/> })}</p>
        {question}
        <div>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=kept
                    on:change:target=move |event| of.send(Wish::KeepKey(word, event.target().checked()))
                />
                "Keep on this device"
            </label>
            <p class="note">
                "Unticked, it is gone when the page closes. Ticked, it lies readable in this browser's "
                "storage until you forget it."
            </p>
        </div>
        <p class="actions">
            <button
                type="button"
                aria-disabled=move || of.read(|card| card.busy).then_some("true")
                on:click=move |_| of.send(Wish::Test(word, model.get_untracked()))
            >
                "Test key, sends one short request"
            </button>
            <button
                type="button"
                aria-disabled=move || (!held() && !kept()).then_some("true")
                on:click=move |_| of.send(Wish::ForgetKey(word))
            >
                "Forget this key"
            </button>
        </p>
    }
    .into_any()
}
