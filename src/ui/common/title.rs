//! The heading of a screen. Focus moves to it when a person comes from another screen, so that a
//! screen reader says where they are.

use crate::ui::element::view;
use crate::ui::signal::{Effect, Signal};
use leptos::html::H1;
use leptos::prelude::*;

/// Whether the first screen is behind us: a page that just opened leaves the focus alone.
#[derive(Clone, Copy)]
pub(crate) struct Visits(StoredValue<bool>);

impl Visits {
    /// Nothing shown yet.
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(false))
    }
}

/// The heading of a screen.
#[component]
pub(crate) fn Title(
    /// Its words.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let node = NodeRef::<H1>::new();
    let visits = expect_context::<Visits>();
    Effect::new(move || {
        if let Some(heading) = node.get() {
            if visits.0.get_value() {
                let _ = heading.focus();
            }
            visits.0.set_value(true);
        }
    });
    view! { <h1 node_ref=node class="title" tabindex="-1">{text}</h1> }.into_any()
}
