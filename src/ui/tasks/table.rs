//! The table of tasks.

use crate::app::{Place, Route};
use crate::ui::common::SortHead;
use crate::ui::element::{list, view};
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::ui::state::use_state;
use crate::view::tasks::{Arrangement, Column, TaskRow};
use leptos::prelude::*;

/// The tasks shown, in order.
#[component]
pub(super) fn Table(
    shown: Memo<Vec<TaskRow>>,
    arrangement: RwSignal<Arrangement>,
    chosen: RwSignal<Option<String>>,
) -> impl IntoView {
    let heads: Vec<AnyView> = Column::ALL
        .into_iter()
        .map(|column| {
            let order = Signal::derive(move || arrangement.with(|how| how.order_of(column)));
            let press = Callback::new(move |()| arrangement.update(|how| how.sort_by(column)));
            view! {
                <SortHead title=column.title() number=column.is_number() order press/>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Tasks">
            <table class="table" data-rows="choose">
                <caption class="visually-hidden">"Tasks"</caption>
                <thead><tr>{heads}</tr></thead>
                <tbody>
                    {list(
                        move || shown.get(),
                        |row| format!("{} {}", row.id, row.best.map_or(u64::MAX, f64::to_bits)),
                        move |row| view! { <Line row chosen/> },
                    )}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

/// A task. Pointing at it shows it in the preview, its id leads to the workbench.
#[component]
fn Line(row: TaskRow, chosen: RwSignal<Option<String>>) -> impl IntoView {
    let state = use_state();
    let id = StoredValue::new(row.id.clone());
    let link = {
        let task = row.id.clone();
        move || {
            let place = state.connect.with(|connect| {
                connect.server.as_ref().map_or(Place::Builtin, |server| {
                    Place::Server(server.ws_url.clone())
                })
            });
            Route::Workbench {
                place,
                task: task.clone(),
            }
            .fragment()
        }
    };
    let on = move || chosen.with(|chosen| chosen.as_ref() == Some(&id.get_value()));
    let choose = move || {
        if !chosen.with_untracked(|chosen| chosen.as_ref() == Some(&id.get_value())) {
            chosen.set(Some(id.get_value()));
        }
    };
    let cells: Vec<AnyView> = Column::ALL
        .into_iter()
        .skip(1)
        .map(|column| {
            view! { <td data-number=column.is_number().then_some("")>{column.cell(&row)}</td> }
                .into_any()
        })
        .collect();
    view! {
        <tr
            data-on=move || on().then_some("")
            on:pointerenter=move |_| choose()
            on:focusin=move |_| choose()
        >
            <th scope="row"><a href=link>{row.id.clone()}</a></th>
            {cells}
        </tr>
    }
    .into_any()
}
