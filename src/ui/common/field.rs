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

/// A number. What is typed counts at once; what is wrong with it stands below.
#[component]
pub(crate) fn NumberField(
    /// Its label.
    label: &'static str,
    /// Its `id`, unique on the screen.
    id: &'static str,
    /// What stands in it.
    text: RwSignal<String>,
    /// What is wrong with it; empty when nothing is.
    #[prop(into)]
    problem: Signal<String>,
    /// It changed.
    #[prop(optional, into)]
    changed: Option<Callback<()>>,
    /// How far the arrow keys go.
    #[prop(default = "1")]
    step: &'static str,
    /// It does not count now.
    #[prop(optional, into)]
    hidden: Signal<bool>,
    /// Cannot be changed now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let wrong = move || problem.with(|text| !text.is_empty());
    view! {
        <div class="field" data-narrow hidden=hidden>
            <label for=id>{label}</label>
            <input
                type="number"
                id=id
                inputmode=if step == "1" { "numeric" } else { "decimal" }
                min="0"
                step=step
                prop:value=text.get_untracked()
                readonly=disabled
                aria-invalid=move || wrong().then_some("true")
                aria-describedby=move || wrong().then(|| format!("{id}-problem"))
                on:input:target=move |event| {
                    let input = event.target();
                    let mut typed = input.value();
                    // What is no number looks empty from here, but is not.
                    if typed.is_empty() && !input.check_validity() {
                        typed.push('?');
                    }
                    text.set(typed);
                    if let Some(changed) = changed {
                        changed.run(());
                    }
                }
            />
            {move || {
                wrong()
                    .then(|| {
                        view! { <small role="alert" id=format!("{id}-problem")>{problem.get()}</small> }
                    })
            }}
        </div>
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
