//! Help: what the page is, and the keyboard.

use crate::app::Intent;
use crate::settings::Preferences;
use crate::ui::element::view;
use crate::ui::signal::{Effect, RwSignal};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::shortcuts::LIST;
use leptos::html::Dialog;
use leptos::prelude::*;

/// The help dialog. The browser keeps the focus inside and gives it back.
#[component]
pub(super) fn Help(open: RwSignal<bool>) -> impl IntoView {
    let node = NodeRef::<Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = node.get() else { return };
        if open.get() {
            if !dialog.open() {
                let _ = dialog.show_modal();
            }
        } else {
            dialog.close();
        }
    });
    view! {
        <dialog class="dialog" node_ref=node aria-labelledby="help-title" on:close=move |_| open.set(false)>
            <h2 id="help-title">"Quayside"</h2>
            <p>
                "A port's week has gone wrong: ships are late, sections are closed, cranes are out. "
                "A planner, or any model later, sends draft plans to an environment, reads what is "
                "wrong with them, and submits one. You watch each draft on the berth chart."
            </p>
            <p>
                "Everything runs in this page: environment, planner and grader. Nothing leaves it "
                "unless you connect a server under Connect. Runs are kept on this device only."
            </p>
            <h3>"Keyboard"</h3>
            <Keyboard/>
            <LettersSwitch/>
            <p class="actions">
                <button type="button" class="primary" on:click=move |_| open.set(false)>"Close"</button>
            </p>
        </dialog>
    }
    .into_any()
}

#[component]
fn Keyboard() -> impl IntoView {
    let rows: Vec<AnyView> = LIST
        .iter()
        .map(|(keys, effect)| {
            view! { <div><dt><kbd>{*keys}</kbd></dt><dd>{*effect}</dd></div> }.into_any()
        })
        .collect();
    view! { <dl class="keyboard">{rows}</dl> }.into_any()
}

#[component]
fn LettersSwitch() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let switch = move |shortcuts: bool| {
        let preferences = state.page.with_untracked(|page| page.preferences);
        dispatch.send(Intent::Prefer(Preferences {
            shortcuts,
            ..preferences
        }));
    };
    view! {
        <label class="check">
            <input
                type="checkbox"
                prop:checked=move || state.page.with(|page| page.preferences.shortcuts)
                on:change:target=move |event| switch(event.target().checked())
            />
            <span>"Single letters act as shortcuts"</span>
        </label>
    }
    .into_any()
}
