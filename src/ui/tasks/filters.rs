//! What narrows the list down.

use crate::app::{Intent, Place, Route};
use crate::ui::common::Choice;
use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::tasks::{Arrangement, TaskRow, choices};
use leptos::html::Input;
use leptos::prelude::*;

/// Search box, environment, split, tier; and a task by chance.
#[component]
pub(super) fn Filters(
    all: Memo<Vec<TaskRow>>,
    arrangement: RwSignal<Arrangement>,
    search: NodeRef<Input>,
    shown: Memo<Vec<TaskRow>>,
) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let listed = |every: &str, names: Vec<String>| {
        let first = (String::new(), every.to_owned());
        std::iter::once(first)
            .chain(names.into_iter().map(|name| (name.clone(), name)))
            .collect::<Vec<_>>()
    };
    let splits = Signal::derive(move || listed("All splits", all.with(|rows| choices(rows).0)));
    let tiers = Signal::derive(move || listed("All tiers", all.with(|rows| choices(rows).1)));
    let places = Signal::derive(move || {
        let known = state.connect.with(|connect| {
            connect
                .known
                .iter()
                .map(|known| (known.ws_url.clone(), known.host.clone()))
                .collect::<Vec<_>>()
        });
        std::iter::once((String::new(), "Built in".to_owned()))
            .chain(known)
            .collect::<Vec<_>>()
    });
    let place = Signal::derive(move || {
        state
            .connect
            .with(|connect| connect.server.as_ref().map(|server| server.ws_url.clone()))
            .unwrap_or_default()
    });
    let random = move |_| {
        let many = shown.with_untracked(Vec::len);
        let index = (random() * many as f64) as usize;
        let task = shown.with_untracked(|rows| rows.get(index).map(|row| row.id.clone()));
        if let Some(task) = task {
            let place = match place.get_untracked() {
                address if address.is_empty() => Place::Builtin,
                address => Place::Server(address),
            };
            dispatch.send(Intent::Go(Route::Workbench { place, task }));
        }
    };
    view! {
        <div class="filters" role="search">
            <label class="field" data-grow>
                <span>"Filter tasks"</span>
                <input
                    type="search"
                    node_ref=search
                    placeholder="storm, hard, an id …"
                    prop:value=move || arrangement.with(|how| how.filter.clone())
                    on:input:target=move |event| {
                        arrangement.update(|how| how.filter = event.target().value());
                    }
                />
            </label>
            <Choice
                label="Environment"
                options=places
                value=place
                choose=Callback::new(move |address: String| {
                    dispatch
                        .send(
                            if address.is_empty() {
                                Intent::UseBuiltin
                            } else {
                                Intent::UseServer(address)
                            },
                        );
                })
            />
            <Choice
                label="Split"
                options=splits
                value=Signal::derive(move || arrangement.with(|how| how.split.clone()))
                choose=Callback::new(move |split| arrangement.update(|how| how.split = split))
            />
            <Choice
                label="Tier"
                options=tiers
                value=Signal::derive(move || arrangement.with(|how| how.tier.clone()))
                choose=Callback::new(move |tier| arrangement.update(|how| how.tier = tier))
            />
            <button
                type="button"
                aria-disabled=move || shown.with(Vec::is_empty).then_some("true")
                on:click=random
            >"Random task"</button>
        </div>
    }
    .into_any()
}

/// A number from 0 up to 1.
fn random() -> f64 {
    leptos::web_sys::js_sys::Math::random()
}
