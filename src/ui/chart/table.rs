//! The table twin of the chart.

use crate::berth::{Hour, ShipId};
use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::chart::{Chart, table};
use leptos::prelude::*;

/// The plan as a table. Rows are drawn when the plan changes; the hour line changes one column.
#[component]
pub fn PlanTable(
    /// The chart whose numbers they are.
    #[prop(into)]
    chart: Signal<Chart>,
    /// The selected ship.
    selected: RwSignal<Option<ShipId>>,
    /// The hour line.
    hour: RwSignal<Option<Hour>>,
) -> impl IntoView {
    let rows = Memo::new(move |_| chart.with(table::rows));
    let states = Memo::new(move |_| {
        let hour = hour.get()?;
        Some(chart.with(|chart| table::states(chart, hour)))
    });
    let summary = Memo::new(move |_| chart.with(|chart| chart.summary.clone()));
    let state_head = move || {
        hour.get()
            .map_or_else(|| "State".to_owned(), |hour| format!("At hour {hour}"))
    };
    let row = move |(at, row): (usize, table::Row)| {
        let ship = row.ship;
        let state = move || {
            states.with(|states| {
                states
                    .as_ref()
                    .and_then(|states| states.get(at))
                    .map_or("–", |state| state.words())
            })
        };
        let mut cells = row.cells.into_iter();
        let name = cells.next();
        let cells: Vec<_> = cells.map(|cell| view! { <td>{cell}</td> }).collect();
        view! {
            <tr
                data-late=row.late.then_some("")
                data-broken=row.broken.then_some("")
                aria-current=move || (selected.get() == Some(ship)).then_some("true")
            >
                <th scope="row">
                    <button type="button" on:click=move |_| selected.set(Some(ship))>{name}</button>
                </th>
                {cells}
                <td>{state}</td>
            </tr>
        }
        .into_any()
    };
    let heads: Vec<_> = table::HEADS
        .into_iter()
        .map(|head| view! { <th scope="col">{head}</th> })
        .collect();
    view! {
        <div class="plan-table" role="region" aria-label="Plan as a table" tabindex="0">
            <table>
                <caption>{summary}</caption>
                <thead>
                    <tr>{heads} <th scope="col">{state_head}</th></tr>
                </thead>
                <tbody>{move || rows.get().into_iter().enumerate().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}
