//! Connect: which environment the page uses, and the doctor who says why one cannot be reached.

mod findings;
mod visit;

use super::common::{TextField, Title};
use super::state::{use_dispatch, use_state};
use crate::app::Intent;
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal, Signal};
use leptos::prelude::*;
use visit::{Known, Visit};

/// The connect screen.
#[component]
pub(super) fn Connect() -> impl IntoView {
    view! {
        <Title text="Connect"/>
        <p class="lead">
            "The environment inside this page needs no connection. To use a server of your own, give "
            "its address: only the WebSocket of an OpenEnv server is opened, and only when you say so."
        </p>
        <Current/>
        <Address/>
        <Visit/>
        <Known/>
    }
    .into_any()
}

/// What is in use now.
#[component]
fn Current() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let server = Memo::new(move |_| state.connect.with(|connect| connect.server.clone()));
    live(move || {
        match server.get() {
        None => view! {
            <section class="card" aria-label="In use">
                <h2>"In use"</h2>
                <p><span class="said" data-tone="good">"Built-in environment"</span></p>
                <p class="note">"It runs in this page. Its tasks, checks and grades need no network."</p>
            </section>
        }
        .into_any(),
        Some(server) => view! {
            <section class="card" aria-label="In use">
                <h2>"In use"</h2>
                <p><strong>{server.host.clone()}</strong></p>
                <p class="note"><code>{server.ws_url.clone()}</code></p>
                {server.hint().map(|hint| view! { <p class="note">{hint}</p> })}
                <p class="actions">
                    <a class="button primary" href="#/tasks">"Its tasks"</a>
                    <button type="button" on:click=move |_| dispatch.send(Intent::UseBuiltin)>
                        "Use the built-in environment"
                    </button>
                </p>
            </section>
        }
        .into_any(),
    }
    })
}

/// The address box.
#[component]
fn Address() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let address = RwSignal::new(String::new());
    let problem = Signal::derive(move || {
        state
            .connect
            .with(|connect| connect.address_problem.clone())
            .unwrap_or_default()
    });
    let busy = Memo::new(move |_| state.connect.with(|connect| connect.busy));
    view! {
        <form
            class="address"
            aria-label="Server"
            on:submit=move |event| {
                event.prevent_default();
                dispatch.send(Intent::Diagnose(address.get_untracked()));
            }
        >
            <TextField
                label="Server address"
                value=address
                example="play.example.org, localhost:8000 or a Space"
                problem
            />
            <div class="actions">
                <button type="submit" class="primary" aria-disabled=move || busy.get().then_some("true")>
                    "Test connection"
                </button>
                <button
                    type="button"
                    on:click=move |_| dispatch.send(Intent::UseServer(address.get_untracked()))
                >
                    "Use this server"
                </button>
            </div>
        </form>
    }
    .into_any()
}
