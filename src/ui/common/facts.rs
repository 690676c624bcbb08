//! Facts as a list of terms, and a line with a tone.

use crate::ui::element::view;
use crate::view::words::{Fact, Said};
use leptos::prelude::*;

/// A list of facts.
#[component]
pub(crate) fn Facts(
    /// The facts.
    facts: Vec<Fact>,
) -> impl IntoView {
    let rows: Vec<AnyView> = facts
        .into_iter()
        .map(|fact| {
            let note = (!fact.note.is_empty()).then(|| view! { <small>{fact.note}</small> });
            view! { <div><dt>{fact.label}</dt><dd>{fact.value} {note}</dd></div> }.into_any()
        })
        .collect();
    view! { <dl class="facts">{rows}</dl> }.into_any()
}

/// A line whose tone is also in its words.
#[component]
pub(crate) fn SaidLine(
    /// Words and tone.
    said: Said,
) -> impl IntoView {
    view! { <span class="said" data-tone=said.tone.word()>{said.text}</span> }.into_any()
}
