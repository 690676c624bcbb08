//! One entry of the transcript. What it is never changes; each part of it grows by itself.

use super::At;
use super::call::Call;
use super::near::Near;
use super::words::{Of, Words};
use crate::ui::common::Fold;
use crate::ui::element::{list, live, view};
use crate::ui::markdown::Markdown;
use crate::ui::signal::{ArcRwSignal, Memo, RwSignal, Signal};
use crate::ui::stage::Stage;
use crate::ui::state::RunSignals;
use crate::view::{Entry, EntryKind, Flow, words};
use leptos::html::Article;
use leptos::prelude::*;

/// Where an entry stands, seen from the message on show.
#[derive(Clone, Copy)]
struct Place {
    number: usize,
    at: Option<At>,
}

impl Place {
    /// It had not been said yet.
    fn is_later(self) -> Option<&'static str> {
        self.at
            .is_some_and(|at| at.message.get() < self.number)
            .then_some("")
    }

    /// It is on show.
    fn is_here(self) -> Option<&'static str> {
        self.at
            .is_some_and(|at| at.message.get() == self.number)
            .then_some("step")
    }
}

/// An entry.
#[component]
pub(super) fn EntryView(
    entry: ArcRwSignal<Entry>,
    run: RunSignals,
    stage: Stage,
    at: Option<At>,
    near: Near,
) -> impl IntoView {
    let entry = RwSignal::from(entry);
    let place = Place {
        number: entry.with_untracked(|entry| entry.key + 1),
        at,
    };
    let first = entry.with_untracked(|entry| match &entry.kind {
        EntryKind::Turn { turn, .. } => Some(*turn),
        _ => None,
    });
    match first {
        Some(turn) => view! { <Turn entry turn run stage place near/> }.into_any(),
        None => view! { <Told entry place/> }.into_any(),
    }
}

/// What the model was told, folded away: it is long, and the same in every run.
#[component]
fn Told(entry: RwSignal<Entry>, place: Place) -> impl IntoView {
    let label = Signal::derive(move || entry.with(words::told_label));
    let text = Signal::derive(move || {
        entry.with(|entry| match &entry.kind {
            EntryKind::System { text }
            | EntryKind::User { text }
            | EntryKind::Orphan { text, .. } => text.clone(),
            EntryKind::Turn { .. } => String::new(),
        })
    });
    let short = entry.with_untracked(words::is_note);
    if short {
        return view! {
            <article class="told" tabindex="-1" data-later=move || place.is_later() aria-current=move || place.is_here() aria-label="Note to the model">
                <h2>"Note to the model"</h2>
                <Markdown text/>
            </article>
        }
        .into_any();
    }
    view! {
        <article class="told" tabindex="-1" data-later=move || place.is_later() aria-current=move || place.is_here() aria-label=label>
            <Fold label><Markdown text/></Fold>
        </article>
    }
    .into_any()
}

/// A turn of the model.
#[component]
fn Turn(
    entry: RwSignal<Entry>,
    turn: u32,
    run: RunSignals,
    stage: Stage,
    place: Place,
    near: Near,
) -> impl IntoView {
    let node = NodeRef::<Article>::new();
    let here = near.comes(place.number, node);
    let live_now = Memo::new(move |_| part(entry, |parts| parts.live));
    view! {
        <article
            class="turn"
            tabindex="-1"
            aria-label=format!("Turn {turn}")
            data-live=move || live_now.get().then_some("")
            data-away=move || (!here.get()).then_some("")
            data-later=move || place.is_later()
            aria-current=move || place.is_here()
            node_ref=node
        >
            <h2>{format!("Turn {turn}")}</h2>
            {live(move || here.get().then(|| view! { <TurnBody entry turn run stage/> }))}
        </article>
    }
    .into_any()
}

/// What a turn said and did.
#[component]
fn TurnBody(entry: RwSignal<Entry>, turn: u32, run: RunSignals, stage: Stage) -> impl IntoView {
    let calls = Memo::new(move |_| part(entry, |parts| parts.calls.len()));
    let thought = Memo::new(move |_| part(entry, |parts| parts.reasoning.chars()));
    let label = Signal::derive(move || words::reasoning_label(turn, thought.get()));
    let has_reasoning = Memo::new(move |_| thought.get() > 0);
    let has_text = Memo::new(move |_| part(entry, |parts| !parts.text.is_empty()));
    view! {
        {move || {
            has_reasoning.get().then(|| view! { <Fold label><Words entry of=Of::Reasoning/></Fold> })
        }}
        {move || has_text.get().then(|| view! { <Words entry of=Of::Text/> })}
        {list(
            move || (0..calls.get()).collect(),
            usize::to_string,
            move |index| {
                let card = Memo::new(move |_| {
                    part(entry, |parts| parts.calls.get(index).cloned().unwrap_or_default())
                });
                view! { <Call card run stage/> }
            },
        )}
    }
    .into_any()
}

struct Parts<'a> {
    text: &'a Flow,
    reasoning: &'a Flow,
    calls: &'a [crate::view::CallCard],
    live: bool,
}

/// Something of a turn; the default where the entry is none.
fn part<T: Default>(entry: RwSignal<Entry>, read: impl FnOnce(Parts<'_>) -> T) -> T {
    entry.with(|entry| match &entry.kind {
        EntryKind::Turn {
            text,
            reasoning,
            calls,
            live,
            ..
        } => read(Parts {
            text,
            reasoning,
            calls,
            live: *live,
        }),
        _ => T::default(),
    })
}
