//! A run in the list of kept runs: its name can be written, and it can be deleted.

use crate::app::kept::{RUNNING_ELSEWHERE, Wish};
use crate::app::{Intent, Look, Route};
use crate::store::KeptRow;
use crate::ui::common::SaidLine;
use crate::ui::element::{live, several, view};
use crate::ui::signal::Memo;
use crate::ui::state::use_dispatch;
use crate::view::{format, words};
use leptos::prelude::*;

/// One run. It stays in place while what it tells changes, and so does what is being typed in it.
#[component]
pub(super) fn Line(
    /// What it told when it came into the list.
    first: KeptRow,
    /// The lines on show.
    shown: Memo<Vec<KeptRow>>,
) -> impl IntoView {
    let dispatch = use_dispatch();
    let began = words::moment(&first.started);
    let link = Route::Rollout {
        id: first.id.clone(),
        look: Look::default(),
    }
    .fragment();
    let id = StoredValue::new(first.id.clone());
    let row = Memo::new(move |_| {
        shown.with(|rows| {
            let own = id.with_value(|id| rows.iter().find(|row| row.id == *id).cloned());
            own.unwrap_or_else(|| first.clone())
        })
    });
    let name = Memo::new(move |_| row.with(|row| row.name.clone()));
    let elsewhere = Memo::new(move |_| row.with(|row| row.end_reason == RUNNING_ELSEWHERE));
    let cells = live(move || {
        row.with(|row| {
            several(vec![
                view! { <td>{row.task_id.clone()}</td> }.into_any(),
                view! { <td>{words::model_name(&row.model)}</td> }.into_any(),
                view! { <td><SaidLine said=words::kept_state(row)/></td> }.into_any(),
                view! { <td data-number>{row.turns}</td> }.into_any(),
                view! { <td data-number>{format::reward(row.reward)}</td> }.into_any(),
            ])
        })
    });
    let rename = move |name: String| {
        dispatch.send(Intent::Kept(Wish::Rename(id.get_value(), name)));
    };
    let delete_name = format!("Delete the rollout of {began}");
    let delete = live(move || {
        if elsewhere.get() {
            return view! { <span class="note">"Stop it there to delete it."</span> }.into_any();
        }
        view! {
            <button
                type="button"
                class="quiet"
                aria-label=delete_name.clone()
                on:click=move |_| dispatch.send(Intent::Kept(Wish::Delete(id.get_value())))
            >
                "Delete"
            </button>
        }
        .into_any()
    });
    view! {
        <tr>
            <th scope="row"><a href=link>{began.clone()}</a></th>
            <td>
                <input
                    type="text"
                    size="14"
                    maxlength="120"
                    autocomplete="off"
                    aria-label=format!("Name of the rollout of {began}")
                    prop:value=name
                    on:change:target=move |event| rename(event.target().value())
                    on:keydown:target=move |event| {
                        if event.key() == "Escape" {
                            event.target().set_value(&name.get_untracked());
                        }
                    }
                />
            </td>
            {cells}
            <td>{delete}</td>
        </tr>
    }
    .into_any()
}
