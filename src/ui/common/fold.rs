//! Something folded away. What is inside is made when it is first opened, and kept fresh only
//! while it is open: results and reasoning can be very long.

use crate::ui::element::view;
use crate::ui::signal::{RwSignal, Signal};
use leptos::html::Details;
use leptos::prelude::*;

/// A disclosure.
#[component]
pub(crate) fn Fold(
    /// What it holds, in words.
    #[prop(into)]
    label: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<Details>::new();
    let open = RwSignal::new(false);
    let toggled = move |_| open.set(node.get_untracked().is_some_and(|details| details.open()));
    view! {
        <details class="fold" node_ref=node on:toggle=toggled>
            <summary>{label}</summary>
            {move || open.get().then(|| view! { <div>{children()}</div> })}
        </details>
    }
    .into_any()
}
