//! The task that is pointed at: what went wrong, and how the published plan looks now.

use crate::app::{Place, Route};
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::ui::stage::DraftMini;
use crate::ui::state::use_state;
use crate::view::{Drafts, words};
use leptos::prelude::*;
use std::sync::Arc;

/// The preview; it stays empty for tasks whose data is not here.
#[component]
pub(super) fn Preview(chosen: RwSignal<Option<String>>) -> impl IntoView {
    let state = use_state();
    let drafts = Memo::new(move |_| {
        let wanted = chosen.get();
        let task = state.catalog.with(|catalog| {
            let mut tasks = catalog.builtin.iter();
            match &wanted {
                Some(wanted) => tasks.find(|task| task.task_id == *wanted).cloned(),
                None => tasks.next().cloned(),
            }
        });
        task.map(|task| Arc::new(Drafts::of_task(task)))
    });
    live(move || {
        let drafts = drafts.get()?;
        let task = drafts.task.clone()?;
        let said = words::step_verdict(&drafts, 0);
        let notices: Vec<AnyView> = task
            .notices
            .iter()
            .map(|notice| view! { <li>{notice.clone()}</li> }.into_any())
            .collect();
        let link = Route::Workbench {
            place: Place::Builtin,
            task: task.task_id.clone(),
        }
        .fragment();
        let facts = words::task_line(&drafts, true);
        let stored = Signal::stored(drafts);
        Some(view! {
            <aside class="card preview" aria-label="Preview">
                <h2>{task.task_id.clone()}</h2>
                <p class="note">{facts}</p>
                <DraftMini drafts=stored number=0/>
                <p>"The published plan now: " <span class="said" data-tone=said.tone.word()>{said.text}</span></p>
                <h3>"What went wrong"</h3>
                <ul class="notices">{notices}</ul>
                <p class="actions"><a class="button primary" href=link>"Open this task"</a></p>
            </aside>
        })
    })
}
