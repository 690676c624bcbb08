//! A server's tasks: its list, or why there is none and how to ask for a task all the same.

use crate::app::catalog::ServerList;
use crate::app::{Intent, Place, Route};
use crate::ui::common::{NumberField, Skeleton, TextField};
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::words;
use leptos::prelude::*;

/// What stands above the table when a server is in use.
#[component]
pub(super) fn ServerTasks() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let list = Memo::new(move |_| {
        state.catalog.with(|catalog| match &catalog.server {
            ServerList::Listed(_, more) => ServerList::Listed(Vec::new(), *more),
            other => other.clone(),
        })
    });
    let again = move || {
        view! {
            <button
                type="button"
                class="link"
                on:click=move |_| dispatch.send(Intent::ListServerTasks)
            >
                "Ask for the list again"
            </button>
        }
    };
    live(move || {
        match list.get() {
        ServerList::Loading => view! { <Skeleton waits_for="The server is asked for its tasks."/> }.into_any(),
        ServerList::Listed(_, 0) => ().into_any(),
        ServerList::Listed(_, more) => view! {
            <p class="note">{format!("The list is cut: {more} more tasks can be asked for below.")}</p>
            <AskFor/>
        }
        .into_any(),
        ServerList::Absent => view! { <p class="actions">{again()}</p><AskFor/> }.into_any(),
        ServerList::CannotList(reason) => view! {
            <div class="card">
                <p>{format!("{reason}.")}</p>
                <p class="actions">{again()}</p>
                <AskFor/>
            </div>
        }
        .into_any(),
    }
    })
}

/// A task by its id, or by split and position.
#[component]
fn AskFor() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let id = RwSignal::new(String::new());
    let split = RwSignal::new("train".to_owned());
    let index = RwSignal::new("0".to_owned());
    let problem = Signal::derive(move || index.with(|text| words::index(text)));
    let go = move |task: String| {
        let address = state
            .connect
            .with_untracked(|connect| connect.server.as_ref().map(|server| server.ws_url.clone()));
        if let Some(address) = address {
            dispatch.send(Intent::Go(Route::Workbench {
                place: Place::Server(address),
                task,
            }));
        }
    };
    view! {
        <div class="ask-for">
            <form on:submit=move |event| {
                event.prevent_default();
                go(id.get_untracked().trim().to_owned());
            }>
                <TextField label="Task id on the server" value=id/>
                <button type="submit">"Open"</button>
            </form>
            <form on:submit=move |event| {
                event.prevent_default();
                if problem.with_untracked(String::is_empty) {
                    go(format!("{}#{}", split.get_untracked().trim(), index.get_untracked()));
                }
            }>
                <TextField label="Split" value=split/>
                <NumberField label="Index" id="index" text=index problem/>
                <button type="submit">"Open"</button>
            </form>
            <p class="note">"An empty id leaves the choice to the server."</p>
        </div>
    }
    .into_any()
}
