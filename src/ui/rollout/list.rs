//! The runs kept on this device.

use crate::app::{Intent, Look, Route};
use crate::store::KeptRow;
use crate::ui::common::{Empty, SaidLine, Skeleton, Title};
use crate::ui::element::view;
use crate::ui::signal::RwSignal;
use crate::ui::state::{use_dispatch, use_state};
use crate::view::{format, words};
use leptos::prelude::*;

/// The list.
#[component]
pub(crate) fn Rollouts() -> impl IntoView {
    let state = use_state();
    let body = move || match state.saved.get() {
        None => {
            view! { <Skeleton waits_for="The list is being read from this device."/> }.into_any()
        }
        Some(rows) if rows.is_empty() => view! {
            <Empty>
                <p>"Nothing saved yet. The demonstration takes three seconds."</p>
                <p class="actions">
                    <a class="button" href="#/">"Watch the demonstration"</a>
                    <a class="button" href="#/tasks">"Try a task"</a>
                </p>
            </Empty>
        }
        .into_any(),
        Some(rows) => view! { <Table rows/> }.into_any(),
    };
    view! {
        <Title text="Rollouts"/>
        <p class="lead">"Every run on a task is kept on this device, also one that was cut off."</p>
        {body}
    }
    .into_any()
}

#[component]
fn Table(rows: Vec<KeptRow>) -> impl IntoView {
    let lines: Vec<AnyView> = rows
        .into_iter()
        .map(|row| view! { <Line row/> }.into_any())
        .collect();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Kept rollouts">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">"Began"</th>
                        <th scope="col">"Task"</th>
                        <th scope="col">"Model"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" data-number>"Turns"</th>
                        <th scope="col" data-number>"Reward"</th>
                        <th scope="col"><span class="visually-hidden">"Delete"</span></th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// One run. Deleting asks a second time, in the same place.
#[component]
fn Line(row: KeptRow) -> impl IntoView {
    let dispatch = use_dispatch();
    let sure = RwSignal::new(false);
    let said = words::kept_state(&row);
    let began = words::moment(&row.started);
    let link = Route::Rollout {
        id: row.id.clone(),
        look: Look::default(),
    }
    .fragment();
    let id = StoredValue::new(row.id);
    let press = move |event: leptos::ev::MouseEvent| {
        // The second click of a double click was not meant as an answer.
        if event.detail() > 1 {
            return;
        }
        if sure.get_untracked() {
            dispatch.send(Intent::DeleteRollout(id.get_value()));
        } else {
            sure.set(true);
        }
    };
    let name = format!("Delete the rollout of {began}");
    view! {
        <tr>
            <th scope="row"><a href=link>{began.clone()}</a></th>
            <td>{row.task_id}</td>
            <td>{words::model_name(&row.model)}</td>
            <td><SaidLine said/></td>
            <td data-number>{row.turns}</td>
            <td data-number>{format::reward(row.reward)}</td>
            <td>
                <button
                    type="button"
                    class="quiet"
                    aria-label=move || if sure.get() { "Really delete".to_owned() } else { name.clone() }
                    on:click=press
                    on:blur=move |_| sure.set(false)
                >
                    {move || if sure.get() { "Really delete?" } else { "Delete" }}
                </button>
            </td>
        </tr>
    }
    .into_any()
}
