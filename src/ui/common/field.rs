//! Labelled fields: text, number, choice.

use crate::ui::element::view;
use crate::ui::signal::{RwSignal, Signal};
use leptos::prelude::*;

/// A text field.
#[component]
pub(crate) fn TextField(
    /// Its label.
    label: &'static str,
    /// What it holds.
    value: RwSignal<String>,
    /// What may stand in it, as an example.
    #[prop(optional)]
    example: &'static str,
    /// What is wrong with it; empty when nothing is.
    #[prop(optional, into)]
    problem: Signal<String>,
    /// `text`, `search` or `url`.
    #[prop(default = "text")]
    kind: &'static str,
) -> impl IntoView {
    let wrong = move || problem.with(|text| !text.is_empty());
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                type=kind
                placeholder=example
                autocomplete="off"
                spellcheck="false"
                autocapitalize="off"
                prop:value=value
                aria-invalid=move || wrong().then_some("true")
                on:input:target=move |event| value.set(event.target().value())
            />
            {move || wrong().then(|| view! { <small role="alert">{problem.get()}</small> })}
        </label>
    }
    .into_any()
}

/// A whole number within bounds.
#[component]
pub(crate) fn NumberField(
    /// Its label.
    label: &'static str,
    /// What it holds.
    value: RwSignal<u64>,
    /// Least.
    least: u64,
    /// Most.
    most: u64,
    /// Cannot be changed now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <label class="field" data-narrow>
            <span>{label}</span>
            <input
                type="number"
                inputmode="numeric"
                min=least.to_string()
                max=most.to_string()
                prop:value=move || value.get().to_string()
                readonly=disabled
                on:input:target=move |event| {
                    // What is typed counts at once; what is out of range waits for the field to be left.
                    if let Ok(number) = event.target().value().parse::<u64>()
                        && (least..=most).contains(&number)
                    {
                        value.set(number);
                    }
                }
                on:change:target=move |event| {
                    if let Ok(number) = event.target().value().parse::<u64>() {
                        value.set(number.clamp(least, most));
                    }
                    // Whatever was typed, the field shows what counts.
                    value.notify();
                }
            />
        </label>
    }
    .into_any()
}

/// One of several.
#[component]
pub(crate) fn Choice(
    /// Its label.
    label: &'static str,
    /// What can be chosen: value and words.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// What is chosen.
    #[prop(into)]
    value: Signal<String>,
    /// Something else is chosen.
    choose: Callback<String>,
    /// Cannot be changed now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let items = move || {
        let chosen = value.get();
        options
            .get()
            .into_iter()
            .map(|(value, words)| {
                let selected = value == chosen;
                view! { <option value=value selected=selected>{words}</option> }.into_any()
            })
            .collect::<Vec<_>>()
    };
    view! {
        <label class="field">
            <span>{label}</span>
            <select
                disabled=disabled
                on:change:target=move |event| choose.run(event.target().value())
            >
                {items}
            </select>
        </label>
    }
    .into_any()
}
