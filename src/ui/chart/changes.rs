//! The list beside the difference view.

use crate::berth::ShipId;
use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::chart::{Change, Chart};
use leptos::prelude::*;

/// Ships that changed since an older plan, best change first. Empty without a difference.
#[component]
pub fn ChangeList(
    /// The chart whose difference it is.
    #[prop(into)]
    chart: Signal<Chart>,
    /// The selected ship.
    selected: RwSignal<Option<ShipId>>,
) -> impl IntoView {
    let difference = Memo::new(move |_| chart.with(|chart| chart.difference.clone()));
    let line = move |change: Change| {
        let ship = change.ship;
        view! {
            <li>
                <button
                    type="button"
                    aria-current=move || (selected.get() == Some(ship)).then_some("true")
                    on:click=move |_| selected.set(Some(ship))
                >
                    <strong>{change.label}</strong>
                    " "
                    <span>{change.tags.join(", ")}</span>
                </button>
            </li>
        }
        .into_any()
    };
    let list = move || {
        difference.get().map(|difference| {
            let lines: Vec<_> = difference.changes.into_iter().map(line).collect();
            view! {
                <p>{difference.summary}</p>
                <ol>{lines}</ol>
            }
            .into_any()
        })
    };
    view! {
        <section class="change-list" aria-label="What changed">
            {list}
        </section>
    }
}
