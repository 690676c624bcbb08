//! The model's field: free text, with models to choose from, and what is wrong with it.

use super::setting::Bench;
use crate::app::choice::{self, Unfit};
use crate::ui::element::view;
use crate::ui::signal::{Memo, Signal};
use crate::ui::state::{use_dispatch, use_state};
use leptos::prelude::*;

/// The `id` of what is said about the field.
const NOTE: &str = "run-model-note";

/// Combobox "Model".
#[component]
pub(super) fn ModelField(bench: Bench, disabled: Signal<bool>) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let offers = Memo::new(move |_| {
        state.models.with(|models| {
            state
                .prices
                .with(|(prices, _)| choice::offers(models, prices.as_deref()))
        })
    });
    let options = move || {
        let offers = offers.get().into_iter();
        let option = |spec: String| view! { <option value=spec></option> }.into_any();
        offers.map(option).collect::<Vec<_>>()
    };
    let unfit = Memo::new(move |_| bench.ready.with(|ready| ready.as_ref().err().cloned()));
    view! {
        <div class="field" data-grow>
            <label for="run-model">"Model"</label>
            <input
                type="text"
                id="run-model"
                list="run-models"
                placeholder="provider:model"
                autocomplete="off"
                spellcheck="false"
                autocapitalize="off"
                prop:value=bench.model
                readonly=disabled
                aria-invalid=move || unfit.with(Option::is_some).then_some("true")
                aria-describedby=move || unfit.with(Option::is_some).then_some(NOTE)
                // All models are offered again, not only those that begin like this one.
                on:focus:target=move |event| event.target().select()
                on:change:target=move |event| bench.choose(dispatch, event.target().value())
                on:keydown:target=move |event| {
                    // Run by keys comes before the field is left.
                    if event.key() == "Enter" {
                        bench.choose(dispatch, event.target().value());
                    }
                }
            />
            <datalist id="run-models">{options}</datalist>
            {move || {
                unfit
                    .get()
                    .map(|unfit| {
                        let (text, link) = match unfit {
                            Unfit::Spec(text) => (text, None),
                            Unfit::Service(text, _) => {
                                (text, Some(view! { " " <a href="#/models">"Models"</a> }))
                            }
                        };
                        view! { <small role="alert" id=NOTE>{text} "." {link}</small> }
                    })
            }}
        </div>
    }
    .into_any()
}
