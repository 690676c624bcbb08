//! A service's models: free text, and the service's own list to pick from.

use super::card::Of;
use crate::app::models::Wish;
use crate::provider::listing::Listed;
use crate::ui::element::{list, live, view};
use crate::ui::signal::{Memo, RwSignal};
use crate::ui::state::use_state;
use crate::view::format::grouped;
use crate::view::services::{about, matching};
use leptos::prelude::*;

/// The most models shown at once.
const MOST: usize = 60;

/// Name, list, and the button that makes it the model in use.
#[component]
pub(super) fn ModelPart(of: Of, model: RwSignal<String>) -> impl IntoView {
    let state = use_state();
    let service = of.service;
    let word = service.word;
    let spec = move || [word, ":", model.get().trim()].concat();
    let used = move || state.models.with(|models| models.choices.model == spec());
    let shown = Memo::new(move |_| {
        let typed = model.get();
        of.read(|card| matching(&card.listed, &typed, MOST))
    });
    let many = live(move || {
        let all = of.read(|card| card.listed.len());
        let (some, fitting) = shown.with(|(models, fitting)| (models.len(), *fitting));
        (all > 0).then(|| {
            let (all, fitting) = (grouped(all as u64), grouped(fitting as u64));
            let more = if some < MOST {
                ""
            } else {
                " Type to narrow them down."
            };
            view! { <p class="note">{format!("{fitting} of {all} listed models.{more}")}</p> }
        })
    });
    let rows = list(
        move || shown.with(|(models, _)| models.clone()),
        // A list may name a model twice.
        |(place, model)| [&place.to_string(), " ", model.id.as_str()].concat(),
        move |(_, listed): (usize, Listed)| {
            let (id, typed) = (listed.id.clone(), listed.id.clone());
            let on = move || model.with(|model| *model == id).then_some("true");
            view! {
                <li>
                    <button type="button" aria-pressed=on on:click=move |_| model.set(typed.clone())>
                        {listed.id.clone()}
                        <small>{about(&listed)}</small>
                    </button>
                </li>
            }
            .into_any()
        },
    );
    view! {
        <label class="field">
            <span>{[service.label, " model"].concat()}</span>
            <input
                placeholder=service.example
                autocomplete="off"
                spellcheck="false"
                autocapitalize="off"
                prop:value=model
                on:input:target=move |event| model.set(event.target().value())
            />
        </label>
        {many}
        <ul class="listed" aria-label="Listed models">{rows}</ul>
        <p class="actions">
            <button
                type="button"
                class="primary"
                aria-disabled=move || model.with(|name| name.trim().is_empty()).then_some("true")
                on:click=move |_| of.send(Wish::Choose(spec()))
            >
                "Use this model"
            </button>
            <button
                type="button"
                aria-disabled=move || of.read(|card| card.busy).then_some("true")
                on:click=move |_| of.send(Wish::List(word))
            >
                "Load the model list"
            </button>
            {move || used().then(|| view! { <span class="said" data-tone="good">"In use"</span> })}
        </p>
    }
    .into_any()
}
