//! The task list: filters, table, preview; and what to do where a server lists nothing.

mod filters;
mod preview;
mod server;
mod table;

use super::common::{Empty, Problem, Skeleton, Title};
use super::keys::on_action;
use super::state::{use_dispatch, use_state};
use crate::app::catalog::{PackState, ServerList};
use crate::app::{Intent, Route};
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal};
use crate::view::shortcuts::Action;
use crate::view::tasks::{Arrangement, TaskRow, add_best, row};
use filters::Filters;
use leptos::html::Input;
use leptos::prelude::*;
use preview::Preview;
use server::ServerTasks;
use table::Table;

/// The task list.
#[component]
pub(super) fn Tasks() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let remote = Memo::new(move |_| state.connect.with(|connect| connect.server.is_some()));
    let filter = state.route.with_untracked(|route| match route {
        Route::Tasks { filter } => filter.clone(),
        _ => String::new(),
    });
    let arrangement = RwSignal::new(Arrangement {
        filter,
        ..Arrangement::default()
    });
    let search = NodeRef::<Input>::new();
    on_action(move |action| {
        let filter = search.get_untracked().filter(|_| action == Action::Filter);
        filter.is_some_and(|input| input.focus().is_ok())
    });
    let all = Memo::new(move |_| {
        let mut rows: Vec<TaskRow> = state.catalog.with(|catalog| {
            if remote.get() {
                match &catalog.server {
                    ServerList::Listed(rows, _) => rows.clone(),
                    _ => Vec::new(),
                }
            } else {
                catalog.builtin.iter().map(|task| row(task)).collect()
            }
        });
        state
            .saved
            .with(|saved| add_best(&mut rows, saved.as_deref().unwrap_or_default()));
        rows
    });
    let shown = Memo::new(move |_| all.with(|rows| arrangement.with(|how| how.apply(rows))));
    let chosen = RwSignal::new(None::<String>);
    let built_in = move || {
        view! {
            <PackLine/>
            <List all shown arrangement chosen/>
        }
    };
    view! {
        <Title text="Tasks"/>
        <Filters all arrangement search shown/>
        {move || {
            if remote.get() {
                view! {
                    <ServerTasks/>
                    {move || all.with(|rows| !rows.is_empty()).then(|| view! { <List all shown arrangement chosen/> })}
                }
                .into_any()
            } else {
                built_in().into_any()
            }
        }}
        <p class="foot-note">
            {move || {
                if remote.get() {
                    view! {
                        <button
                            type="button"
                            class="link"
                            on:click=move |_| dispatch.send(Intent::UseBuiltin)
                        >
                            "Use the built-in environment"
                        </button>
                    }
                    .into_any()
                } else {
                    view! { <a href="#/connect">"Use the tasks of a server"</a> }.into_any()
                }
            }}
        </p>
    }
    .into_any()
}

/// Table and preview side by side.
#[component]
fn List(
    all: Memo<Vec<TaskRow>>,
    shown: Memo<Vec<TaskRow>>,
    arrangement: RwSignal<Arrangement>,
    chosen: RwSignal<Option<String>>,
) -> impl IntoView {
    let nothing =
        Memo::new(move |_| shown.with(Vec::is_empty) && all.with(|rows| !rows.is_empty()));
    view! {
        <div class="task-list">
            <Table shown arrangement chosen/>
            <Preview chosen/>
        </div>
        {move || {
            nothing
                .get()
                .then(|| {
                    view! {
                        <Empty>
                            <p>"No task has all of these words."</p>
                            <p class="actions">
                                <button
                                    type="button"
                                    on:click=move |_| {
                                        arrangement
                                            .update(|how| {
                                                how.filter.clear();
                                                how.split.clear();
                                                how.tier.clear();
                                            });
                                    }
                                >
                                    "Clear the filters"
                                </button>
                            </p>
                        </Empty>
                    }
                })
        }}
    }
    .into_any()
}

/// How far the built-in pack is, where that is worth a line.
#[component]
fn PackLine() -> impl IntoView {
    let state = use_state();
    let pack = Memo::new(move |_| state.catalog.with(|catalog| catalog.pack.clone()));
    live(move || match pack.get() {
        PackState::Failed(reason) => {
            let text = format!("{reason}. The task that came with the page works all the same.");
            view! { <Problem text/> }.into_any()
        }
        PackState::Loading => {
            view! { <Skeleton waits_for="The other built-in tasks are on their way."/> }.into_any()
        }
        _ => ().into_any(),
    })
}
