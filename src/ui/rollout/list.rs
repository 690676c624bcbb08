//! The runs kept on this device: what there is, what can be done with all of it, and the table.

use super::line::Line;
use crate::app::kept::{RUNNING_ELSEWHERE, Wish};
use crate::app::{Intent, Route};
use crate::ui::common::{Empty, Skeleton, SortHead, Title};
use crate::ui::element::{list, live, view};
use crate::ui::keys::on_action;
use crate::ui::signal::{Effect, Memo, RwSignal, Signal};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::rollouts::{Arrangement, Column, gone_line, room_line, undo_label};
use crate::view::shortcuts::Action;
use leptos::html::{Button, Div, Input};
use leptos::prelude::*;

/// The list.
#[component]
pub(crate) fn Rollouts() -> impl IntoView {
    let state = use_state();
    let many = Memo::new(move |_| state.saved.with(|rows| rows.as_ref().map(Vec::len)));
    let kind = Memo::new(move |_| many.get().map(|many| many > 0));
    let table = NodeRef::<Div>::new();
    let body = live(move || match kind.get() {
        None => {
            view! { <Skeleton waits_for="The list is being read from this device."/> }.into_any()
        }
        Some(false) => view! {
            <Empty>
                <p>"Nothing saved yet. The demonstration takes three seconds."</p>
                <p class="actions">
                    <a class="button" href="#/">"Watch the demonstration"</a>
                    <a class="button" href="#/tasks">"Try a task"</a>
                </p>
            </Empty>
            <Import/>
        }
        .into_any(),
        Some(true) => view! { <Filled table/> }.into_any(),
    });
    view! {
        <Title text="Rollouts"/>
        <p class="lead">"Every run on a task is kept on this device, also one that was cut off."</p>
        <RoomLine many/>
        <Gone table/>
        {body}
    }
    .into_any()
}

/// How much is kept, and for how long.
#[component]
fn RoomLine(many: Memo<Option<usize>>) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let room = Memo::new(move |_| state.shelf.with(|shelf| (shelf.room, shelf.refused)));
    live(move || {
        let many = many.get().filter(|many| *many > 0)?;
        let (room, refused) = room.get();
        let ask = room
            .is_some_and(|room| room.persistent == Some(false))
            .then(|| {
                view! {
                    <button
                        type="button"
                        class="link"
                        on:click=move |_| dispatch.send(Intent::Kept(Wish::Persist))
                    >
                        "Ask the browser to keep it"
                    </button>
                }
            });
        Some(view! { <p class="note" role="status">{room_line(many, room, refused)} " " {ask}</p> })
    })
}

/// What was deleted in this visit, and the way back. It stays until it is closed.
#[component]
fn Gone(table: NodeRef<Div>) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let gone = Memo::new(move |_| state.shelf.with(|shelf| shelf.gone.clone()));
    let undo = NodeRef::<Button>::new();
    // The button that was pressed is gone with its row: what can be done now is to undo.
    let before = StoredValue::new(gone.with_untracked(Vec::len));
    Effect::new(move || {
        let steps = gone.with(Vec::len);
        if let Some(button) = undo.get() {
            if steps > before.get_value() {
                let _ = button.focus();
            }
            before.set_value(steps);
        }
    });
    let wish = move |wish: Wish| {
        dispatch.send(Intent::Kept(wish));
        if let Some(table) = table.get_untracked() {
            let _ = table.focus();
        }
    };
    let bar = live(move || {
        let gone = gone.get();
        (!gone.is_empty()).then(|| {
            let all = (gone.len() > 1).then(|| {
                view! {
                    <button type="button" on:click=move |_| wish(Wish::UndoAll)>"Undo all"</button>
                }
            });
            view! {
                <div class="bar">
                    <p>{gone_line(&gone)}</p>
                    <button
                        type="button"
                        node_ref=undo
                        aria-label=undo_label(&gone)
                        on:click=move |_| wish(Wish::Undo)
                    >
                        "Undo"
                    </button>
                    {all}
                    <button
                        type="button"
                        class="quiet"
                        aria-label="Close, and delete for good"
                        on:click=move |_| wish(Wish::ForgetDeleted)
                    >
                        "Close"
                    </button>
                </div>
            }
        })
    });
    view! { <div role="status">{bar}</div> }.into_any()
}

/// Filter, what can be done with everything, and the table.
#[component]
fn Filled(table: NodeRef<Div>) -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let search = NodeRef::<Input>::new();
    on_action(move |action| {
        let filter = search.get_untracked().filter(|_| action == Action::Filter);
        filter.is_some_and(|input| input.focus().is_ok())
    });
    let filter = Memo::new(move |_| {
        state.route.with(|route| match route {
            Route::Rollouts { filter } => filter.clone(),
            _ => String::new(),
        })
    });
    let put = move |filter: String| dispatch.send(Intent::Kept(Wish::Filter(filter)));
    let arrangement = RwSignal::new(Arrangement::default());
    let shown = Memo::new(move |_| {
        let how = Arrangement {
            filter: filter.get(),
            ..arrangement.get()
        };
        state
            .saved
            .with(|rows| how.apply(rows.as_deref().unwrap_or_default()))
    });
    let nothing = Memo::new(move |_| shown.with(Vec::is_empty));
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
        <div class="filters" role="search">
            <label class="field" data-grow>
                <span>"Filter rollouts"</span>
                <input
                    type="search"
                    node_ref=search
                    placeholder="a task, a model, a name, a state …"
                    prop:value=filter
                    on:input:target=move |event| put(event.target().value())
                />
            </label>
            <Import/>
            <button
                type="button"
                on:click=move |_| dispatch.send(Intent::Kept(Wish::Export))
            >
                "Export everything"
            </button>
            <DeleteAll/>
        </div>
        <div class="scroll" tabindex="0" role="group" aria-label="Kept rollouts" node_ref=table>
            <table class="table">
                <caption class="visually-hidden">"Kept rollouts"</caption>
                <thead>
                    <tr>
                        {heads}
                        <th scope="col"><span class="visually-hidden">"Delete"</span></th>
                    </tr>
                </thead>
                <tbody>
                    {list(
                        move || shown.get(),
                        |row| row.id.clone(),
                        move |row| view! { <Line first=row shown/> }.into_any(),
                    )}
                </tbody>
            </table>
        </div>
        {move || {
            nothing
                .get()
                .then(|| {
                    view! {
                        <Empty>
                            <p>"No rollout has all of these words."</p>
                            <p class="actions">
                                <button type="button" on:click=move |_| put(String::new())>
                                    "Clear the filter"
                                </button>
                            </p>
                        </Empty>
                    }
                })
        }}
    }
    .into_any()
}

/// Takes in files: exports of this page, and rollouts in every form that is read.
#[component]
fn Import() -> impl IntoView {
    view! {
        <label class="field">
            <span>"Open or import files (they can be dropped or pasted, too)"</span>
            <input type="file" multiple=true data-open="" aria-label="Import"/>
        </label>
    }
    .into_any()
}

/// Deletes everything. It asks once, in the same place.
#[component]
fn DeleteAll() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let sure = RwSignal::new(false);
    // What goes on in another tab stays.
    let many = Memo::new(move |_| {
        state.saved.with(|rows| {
            let rows = rows.iter().flatten();
            rows.filter(|row| row.end_reason != RUNNING_ELSEWHERE)
                .count()
        })
    });
    let press = move |event: leptos::ev::MouseEvent| {
        // The second click of a double click was not meant as an answer.
        if event.detail() > 1 {
            return;
        }
        if sure.get_untracked() {
            dispatch.send(Intent::Kept(Wish::DeleteAll));
        }
        sure.update(|sure| *sure = !*sure);
    };
    view! {
        <button
            type="button"
            aria-disabled=move || (many.get() == 0).then_some("true")
            on:click=press
            on:blur=move |_| sure.set(false)
        >
            {move || match (sure.get(), many.get()) {
                (false, _) => "Delete all".to_owned(),
                (true, 1) => "Really delete the one rollout?".to_owned(),
                (true, many) => format!("Really delete all {many} rollouts?"),
            }}
        </button>
    }
    .into_any()
}
