//! The conversation: one entry per message, tool answers inside the card of their call. It follows
//! its end while a person lets it, and leaves a person who scrolled away where they are.

mod call;
mod entry;
mod near;
mod words;

use super::keys::on_action;
use super::stage::Stage;
use super::state::RunSignals;
use crate::ui::element::{list, view};
use crate::ui::signal::{Effect, RwSignal, Signal};
use crate::view::shortcuts::Action;
use entry::EntryView;
use leptos::html::Section;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlElement, Node};
use near::Near;

/// How near the end counts as being there, in pixels.
const NEAR: i32 = 48;

/// For how many frames what was scrolled to is held where it is while turns near it are made.
const FRAMES: u32 = 4;

/// The message on show of a run that is walked through.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// From 1.
    pub(super) message: Signal<usize>,
    /// Goes to another one.
    pub(super) go: Callback<usize>,
}

/// The transcript of a run.
#[component]
pub(super) fn Transcript(
    /// The run.
    run: RunSignals,
    /// The chart beside it: a card can show its draft there.
    stage: Stage,
    /// It stays at its end as it grows.
    follow: RwSignal<bool>,
    /// The message on show, where the run is walked through.
    #[prop(optional)]
    at: Option<At>,
) -> impl IntoView {
    let node = NodeRef::<Section>::new();
    let near = Near::new();
    if let Some(at) = at {
        bring_into_sight(node, at);
    }
    let top = StoredValue::new(0);
    Effect::new(move || {
        let last = run
            .entries
            .with(|entries| entries.last().map(|entry| entry.entry.clone()));
        if let Some(entry) = last {
            entry.track();
        }
        if follow.get() {
            request_animation_frame(move || to_end(node, follow, top, 3));
        }
    });
    let scrolled = move |_| {
        let Some(list) = node.get_untracked() else {
            return;
        };
        let now = list.scroll_top();
        let left = list.scroll_height() - list.client_height() - now;
        let before = top.get_value();
        top.set_value(now);
        // A pixel up is enough to be let go: the next piece would take a slow reader back. At the very
        // end nobody moved up, the text became shorter. While it is followed, only a person moves it
        // up: the browser does not keep a place then (`data-follow`).
        if now < before && left > 1 {
            set_if_other(follow, false);
        } else if now > before && left <= NEAR {
            set_if_other(follow, true);
        }
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
            data-follow=move || follow.get().then_some("")
            node_ref=node
            on:scroll=scrolled
            on:focusin=move |event| {
                let target = event.target().and_then(|target| target.dyn_into::<Node>().ok());
                if let (Some(at), Some(list)) = (at, node.get_untracked())
                    && let Some(message) = message_with(&list, target.as_ref())
                {
                    at.go.run(message + 1);
                }
            }
        >
            {list(
                move || run.entries.get(),
                |entry| format!("{}-{}", entry.run, entry.key),
                move |entry| view! { <EntryView entry=entry.entry run stage at near/> },
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

/// Moves to the end. What comes into sight there may turn out longer than the browser thought: then
/// once more, some `frames` on.
fn to_end(node: NodeRef<Section>, follow: RwSignal<bool>, top: StoredValue<i32>, frames: u32) {
    // By now the page may be another, and the reader may have gone.
    if let Some(Some(list)) = node.try_get_untracked()
        && follow.get_untracked()
        && list.scroll_height() - list.client_height() - list.scroll_top() > 1
    {
        list.set_scroll_top(list.scroll_height());
        top.set_value(list.scroll_top());
        if frames > 0 {
            request_animation_frame(move || to_end(node, follow, top, frames - 1));
        }
    }
}

/// The message, from 0, that a part of the page lies in.
fn message_with(list: &HtmlElement, part: Option<&Node>) -> Option<usize> {
    let messages = list.children();
    let holds = |index: &u32| {
        let message = messages.item(*index);
        message.is_some_and(|message| message.contains(part))
    };
    (0..messages.length())
        .find(holds)
        .map(|index| index as usize)
}

/// Scrolls the list, and nothing else, so that the message on show is seen.
fn bring_into_sight(node: NodeRef<Section>, at: At) {
    Effect::new(move || {
        let message = at.message.get();
        node.track();
        request_animation_frame(move || to_message(node, at, message, FRAMES));
    });
}

/// Moves to a message that is not seen. Turns that come near then are made and push it away: then
/// once more, some `frames` on, as long as it is the one on show.
fn to_message(node: NodeRef<Section>, at: At, message: usize, frames: u32) {
    // By now the page may be another.
    let Some(Some(list)) = node.try_get_untracked() else {
        return;
    };
    let entry = list.children().item(message.saturating_sub(1) as u32);
    let Some(entry) = entry.and_then(|entry| entry.dyn_into::<HtmlElement>().ok()) else {
        return;
    };
    let (top, height) = (
        entry.offset_top() - list.offset_top(),
        entry.offset_height(),
    );
    let seen = top >= list.scroll_top() && top + height <= list.scroll_top() + list.client_height();
    if !seen {
        list.set_scroll_top(top);
    }
    if frames > 0 && untrack(|| at.message.get()) == message {
        request_animation_frame(move || to_message(node, at, message, frames - 1));
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
    let now = message_with(&list, focused.as_deref()).map(|index| index as i32);
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
