//! The bar on top of every screen.

use crate::app::{Intent, Route};
use crate::settings::{Preferences, Theme};
use crate::ui::element::view;
use crate::ui::signal::RwSignal;
use crate::ui::state::{use_dispatch, use_state};
use leptos::prelude::*;

/// Screens, connection, model, theme, help.
#[component]
pub(super) fn TopBar(help: RwSignal<bool>) -> impl IntoView {
    let state = use_state();
    let here = move |mine: fn(&Route) -> bool| move || state.route.with(mine).then_some("page");
    let place = move || {
        state.connect.with(|connect| {
            connect
                .server
                .as_ref()
                .map_or("Built-in environment".to_owned(), |server| {
                    server.host.clone()
                })
        })
    };
    let remote = move || {
        state
            .connect
            .with(|connect| connect.server.is_some())
            .then_some("server")
    };
    let model = move || state.models.with(|models| models.in_use());
    let own = move || {
        state
            .models
            .with(|models| !models.spec().service.is_inside())
            .then_some("server")
    };
    view! {
        <header class="top-bar">
            <a class="brand" href="#/" aria-label="Quayside, start">
                <Mark/>
                <span>"Quayside"</span>
            </a>
            <nav aria-label="Screens">
                <a href="#/" aria-current=here(|route| matches!(route, Route::Start))>"Start"</a>
                <a
                    href="#/tasks"
                    aria-current=here(|route| {
                        matches!(route, Route::Tasks { .. } | Route::Workbench { .. })
                    })
                >
                    "Tasks"
                </a>
                <a
                    href="#/rollouts"
                    aria-current=here(|route| matches!(route, Route::Rollouts { .. } | Route::Rollout { .. }))
                >
                    "Rollouts"
                </a>
            </nav>
            <div class="pills">
                <a
                    class="pill"
                    href="#/connect"
                    data-place=remote
                    aria-label=move || format!("Connection: {}", place())
                >
                    {place}
                </a>
                <a
                    class="pill"
                    href="#/models"
                    data-place=own
                    aria-label=move || format!("Models: {}", model())
                >
                    {model}
                </a>
                <ThemeChoice/>
                <button type="button" class="quiet" aria-haspopup="dialog" on:click=move |_| help.set(true)>
                    "Help"
                </button>
            </div>
        </header>
    }
    .into_any()
}

/// Three ships at a quay.
#[component]
fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <rect x="1" y="3" width="12" height="5" rx="1"></rect>
            <rect x="8" y="10" width="15" height="5" rx="1"></rect>
            <rect x="3" y="17" width="9" height="4" rx="1"></rect>
        </svg>
    }
    .into_any()
}

/// System, light or dark.
#[component]
fn ThemeChoice() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let theme = move || state.page.with(|page| page.preferences.theme);
    let choose = move |word: String| {
        let preferences = state.page.with_untracked(|page| page.preferences);
        let theme = Theme::parse(&word);
        dispatch.send(Intent::Prefer(Preferences {
            theme,
            ..preferences
        }));
    };
    let option = move |value: Theme, words: &'static str| {
        view! { <option value=value.word() selected=move || theme() == value>{words}</option> }
    };
    view! {
        <label class="theme">
            <span>"Theme"</span>
            <select on:change:target=move |event| choose(event.target().value())>
                {option(Theme::System, "System")} {option(Theme::Light, "Light")}
                {option(Theme::Dark, "Dark")}
            </select>
        </label>
    }
    .into_any()
}
