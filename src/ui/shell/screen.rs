//! Which screen is on.

use crate::app::Route;
use crate::ui::common::{Empty, Title};
use crate::ui::connect::Connect;
use crate::ui::element::{live, view};
use crate::ui::models::Models;
use crate::ui::rollout::{Rollout, Rollouts};
use crate::ui::signal::Memo;
use crate::ui::start::Start;
use crate::ui::state::use_state;
use crate::ui::tasks::Tasks;
use crate::ui::workbench::Workbench;
use leptos::prelude::*;

/// The screen of the route.
#[component]
pub(super) fn Screen() -> impl IntoView {
    let state = use_state();
    // A filter that is being typed is the same screen.
    let screen = Memo::new(move |_| match state.route.get() {
        Route::Tasks { .. } => Route::Tasks {
            filter: String::new(),
        },
        route => route,
    });
    live(move || match screen.get() {
        Route::Start => view! { <Start/> }.into_any(),
        Route::Tasks { .. } => view! { <Tasks/> }.into_any(),
        Route::Workbench { place, task } => view! { <Workbench place task/> }.into_any(),
        Route::Rollouts => view! { <Rollouts/> }.into_any(),
        Route::Rollout { id } => view! { <Rollout id/> }.into_any(),
        Route::Connect => view! { <Connect/> }.into_any(),
        Route::Models => view! { <Models/> }.into_any(),
        Route::Unknown(_) => view! { <NotFound/> }.into_any(),
    })
}

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
