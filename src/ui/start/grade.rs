//! The grade card of the demonstration. It keeps its place from the start, so that nothing jumps.

use crate::app::{Intent, Shown};
use crate::ui::common::{Facts, SaidLine};
use crate::ui::element::view;
use crate::ui::share::ShareButton;
use crate::ui::state::{RunSignals, use_dispatch};
use crate::view::words;
use leptos::prelude::*;

/// The grade of a run, or the place where it will be.
#[component]
pub(super) fn Grade(run: RunSignals, shown: Shown) -> impl IntoView {
    let dispatch = use_dispatch();
    let card = move || match run.grade.get() {
        None => view! {
            <p class="waits">"The grade appears here when the plan is submitted."</p>
        }
        .into_any(),
        Some(card) => view! {
            <p class="grade-title"><SaidLine said=words::grade_title(&card)/></p>
            <Facts facts=words::grade_facts(&card)/>
            <p class="grade-check"><SaidLine said=words::grade_check(&card)/></p>
            <p class="actions"><ShareButton whose=shown label="Share this run"/></p>
            <p class="grade-foot">
                "No model, no network. "
                <button
                    type="button"
                    class="link"
                    on:click=move |_| dispatch.send(Intent::DownloadRecord(shown))
                >
                    "Download JSON"
                </button>
            </p>
        }
        .into_any(),
    };
    view! {
        <section class="grade-card" aria-label="Grade" data-waiting=move || run.grade.with(Option::is_none).then_some("")>
            <h2>"Grade"</h2>
            <div role="status">{card}</div>
        </section>
    }
    .into_any()
}
