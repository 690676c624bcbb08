//! The head of a column that orders its table.

use crate::case;
use crate::ui::element::view;
use crate::ui::signal::Signal;
use leptos::prelude::*;

/// A column's head, with the button that orders by it.
#[component]
pub(crate) fn SortHead(
    /// What stands in it.
    title: &'static str,
    /// Whether the column holds numbers.
    number: bool,
    /// `ascending`, `descending` or `none`.
    #[prop(into)]
    order: Signal<&'static str>,
    /// It is to order the table.
    press: Callback<()>,
) -> impl IntoView {
    view! {
        <th scope="col" data-number=number.then_some("") aria-sort=order>
            <button
                type="button"
                aria-label=format!("Sort by {}", case::lower(title))
                on:click=move |_| press.run(())
            >
                {title}
                <span aria-hidden="true" class="order">
                    {move || match order.get() {
                        "ascending" => "↑",
                        "descending" => "↓",
                        _ => "",
                    }}
                </span>
            </button>
        </th>
    }
    .into_any()
}
