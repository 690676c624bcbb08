//! What the forms of the chart mean.

use super::marks::elements;
use crate::ui::element::view;
use crate::view::chart::legend;
use leptos::prelude::*;

/// The legend, folded away.
#[component]
pub fn Legend() -> impl IntoView {
    let entries: Vec<_> = legend::entries()
        .into_iter()
        .map(|(marks, words)| {
            view! {
                <li>
                    <svg viewBox="0 0 30 18" width="30" height="18" aria-hidden="true">
                        {elements(marks)}
                    </svg>
                    <span>{words}</span>
                </li>
            }
        })
        .collect();
    view! {
        <details class="pc-legend">
            <summary>"What the forms mean"</summary>
            <ul>{entries}</ul>
        </details>
    }
}
