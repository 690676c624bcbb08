//! The pinned line of what goes on now: how long, and what is awaited.

use super::setting::Bench;
use crate::ui::element::view;
use crate::ui::signal::Memo;
use crate::ui::state::use_state;
use crate::view::words;
use leptos::prelude::*;

/// The "now" line; nothing while no run goes on.
#[component]
pub(super) fn Now(bench: Bench) -> impl IntoView {
    let state = use_state();
    let running = Memo::new(move |_| bench.is_running());
    view! {
        <div class="now" hidden=move || !running.get()>
            <span class="pulse" aria-hidden="true"></span>
            <span class="elapsed">{move || state.run.status.with(words::elapsed)}</span>
            <span role="status">{move || state.run.status.with(|status| status.waiting.clone())}</span>
        </div>
    }
    .into_any()
}
