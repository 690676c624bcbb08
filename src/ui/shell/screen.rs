//! Which screen is on.

use crate::app::{Intent, Look, Route};
use crate::part::{self, Part, Presence, in_part};
use crate::ui::common::{Empty, Problem, Skeleton, Title};
use crate::ui::connect::Connect;
use crate::ui::element::{live, view};
use crate::ui::models::Models;
use crate::ui::rollout::{Rollout, Rollouts, SharedRollout};
use crate::ui::signal::Memo;
use crate::ui::start::Start;
use crate::ui::state::{use_dispatch, use_state};
use crate::ui::tasks::Tasks;
use crate::ui::workbench::Workbench;
use leptos::prelude::*;

/// The screen of the route.
#[component]
pub(super) fn Screen() -> impl IntoView {
    let state = use_state();
    // A filter that is being typed is the same screen.
    let shown = Memo::new(move |_| match state.route.get() {
        Route::Tasks { .. } => Route::Tasks {
            filter: String::new(),
        },
        Route::Rollouts { .. } => Route::Rollouts {
            filter: String::new(),
        },
        // What is looked at changes on the screen.
        route => route.looking_at(Look::default()).unwrap_or(route),
    });
    live(move || match shown.get() {
        Route::Start => view! { <Start/> }.into_any(),
        Route::Unknown(_) => view! { <NotFound/> }.into_any(),
        Route::Models => when_here(Part::Models, models),
        route => when_here(Part::Screens, move || screen(route.clone())),
    })
}

/// A screen of a part, as soon as that is here.
fn when_here(part: Part, screen: impl Fn() -> Option<AnyView> + Send + 'static) -> AnyView {
    let state = use_state();
    let dispatch = use_dispatch();
    let presence = Memo::new(move |_| state.parts.with(|parts| parts.presence(part)));
    live(move || {
        if presence.get() == Presence::Failed {
            return view! {
                <Problem text=part::FAILED>
                    <button type="button" on:click=move |_| dispatch.send(Intent::Bring(part))>
                        "Try again"
                    </button>
                </Problem>
            }
            .into_any();
        }
        let here = presence.get() == Presence::Here;
        match here.then(&screen).flatten() {
            Some(screen) => screen,
            None => view! { <Skeleton waits_for="This screen is on its way."/> }.into_any(),
        }
    })
}

in_part! { screens, fn screen(route: Route) -> AnyView {
    match route {
        Route::Workbench { place, task } => view! { <Workbench place task/> }.into_any(),
        Route::Rollouts { .. } => view! { <Rollouts/> }.into_any(),
        Route::Rollout { id, .. } => view! { <Rollout id/> }.into_any(),
        Route::Guest { .. } => view! { <SharedRollout/> }.into_any(),
        Route::Connect => view! { <Connect/> }.into_any(),
        _ => view! { <Tasks/> }.into_any(),
    }
} }

in_part! { models, fn models() -> AnyView {
    view! { <Models/> }.into_any()
} }

/// The address is none of ours.
#[component]
fn NotFound() -> impl IntoView {
    view! {
        <Title text="No such screen"/>
        <Empty>
            <p>"This address leads nowhere on this page. It may be from another version of it."</p>
            <p class="actions">
                <a class="button" href="#/">"Start"</a>
                <a class="button" href="#/tasks">"Tasks"</a>
            </p>
        </Empty>
    }
    .into_any()
}
