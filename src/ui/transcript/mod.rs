//! The conversation: one entry per message, tool answers inside the card of their call. It follows
//! its end while a person lets it, and leaves a person who scrolled away where they are.

mod call;
mod entry;

use super::keys::on_action;
use super::stage::Stage;
use super::state::RunSignals;
use crate::ui::element::{list, view};
use crate::ui::signal::{Effect, RwSignal};
use crate::view::shortcuts::Action;
use entry::EntryView;
use leptos::html::Section;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

/// How near the end counts as being there, in pixels.
const NEAR: i32 = 48;

/// The transcript of a run.
#[component]
pub(super) fn Transcript(
    /// The run.
    run: RunSignals,
    /// The chart beside it: a card can show its draft there.
    stage: Stage,
    /// It stays at its end as it grows.
    follow: RwSignal<bool>,
) -> impl IntoView {
    let node = NodeRef::<Section>::new();
    let top = StoredValue::new(0);
    Effect::new(move || {
        let last = run
            .entries
            .with(|entries| entries.last().map(|entry| entry.entry.clone()));
        if let Some(entry) = last {
            entry.track();
        }
        if follow.get() {
            request_animation_frame(move || to_end(node));
        }
    });
    let scrolled = move |_| {
        let Some(list) = node.get_untracked() else {
            return;
        };
        let now = list.scroll_top();
        if list.scroll_height() - list.client_height() - now <= NEAR {
            set_if_other(follow, true);
        } else if now < top.get_value() {
            // Only a person moves up; growth alone never does.
            set_if_other(follow, false);
        }
        top.set_value(now);
    };
    on_action(move |action| match action {
        Action::NextMessage => step(node, 1),
        Action::PreviousMessage => step(node, -1),
        _ => false,
    });
    view! {
        <section
            class="transcript"
            data-region="transcript"
            tabindex="0"
            aria-label="Transcript"
            node_ref=node
            on:scroll=scrolled
        >
            {list(
                move || run.entries.get(),
                |entry| format!("{}-{}", entry.run, entry.key),
                move |entry| view! { <EntryView entry=entry.entry run stage/> },
            )}
        </section>
    }
    .into_any()
}

fn set_if_other(signal: RwSignal<bool>, value: bool) {
    if signal.get_untracked() != value {
        signal.set(value);
    }
}

fn to_end(node: NodeRef<Section>) {
    if let Some(Some(list)) = node.try_get_untracked() {
        list.set_scroll_top(list.scroll_height());
    }
}

/// Moves the focus to the message before or after the one that has it.
fn step(node: NodeRef<Section>, by: i32) -> bool {
    let Some(list) = node.get_untracked() else {
        return false;
    };
    let messages = list.children();
    let many = messages.length() as i32;
    let focused = document().active_element();
    let now = (0..many).find(|index| {
        let message = messages.item(*index as u32);
        message.is_some_and(|message| message.contains(focused.as_deref()))
    });
    let next = match now {
        Some(now) => now + by,
        None if by > 0 => 0,
        None => many - 1,
    };
    let message = messages
        .item(next.clamp(0, (many - 1).max(0)) as u32)
        .and_then(|message| message.dyn_into::<HtmlElement>().ok());
    if let Some(message) = message {
        let _ = message.focus();
    }
    true
}
