//! A link named a server. No link connects to anything by itself.

use super::setting::Bench;
use crate::app::{Intent, Place};
use crate::ui::element::view;
use crate::ui::state::use_dispatch;
use leptos::prelude::*;

/// Asks before a server that a link named is used.
#[component]
pub(super) fn Confirm(bench: Bench, host: String) -> impl IntoView {
    let dispatch = use_dispatch();
    let (place, task) = bench.place();
    let address = match place {
        Place::Server(address) => address,
        Place::Builtin => String::new(),
    };
    let task = (!task.is_empty()).then(|| format!(" for the task {task}"));
    view! {
        <div class="card" role="alert">
            <p>"This link wants to use " <strong>{host}</strong> {task} "."</p>
            <p>
                "Until you agree nothing is sent there. That server will see which task you ask for "
                "and every plan that is tried on it."
            </p>
            <p class="actions">
                <button
                    type="button"
                    class="primary"
                    on:click=move |_| dispatch.send(Intent::AllowServer(address.clone()))
                >
                    "Use this server"
                </button>
                <a class="button" href="#/tasks">"Stay with the built-in environment"</a>
            </p>
        </div>
    }
    .into_any()
}
