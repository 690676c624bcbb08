//! Words of a model, while they come and after that. A piece that is there is set once, as Markdown;
//! the block under way stands as it comes. So a frame costs what is new in it.

use crate::ui::element::{list, view};
use crate::ui::markdown::blocks_of;
use crate::ui::signal::{Memo, RwSignal};
use crate::view::{Entry, EntryKind, Flow};
use leptos::prelude::*;

/// Pieces laid out together: the next one moves no others.
const GROUP: usize = 32;

/// Which words of a turn.
#[derive(Clone, Copy)]
pub(super) enum Of {
    /// The answer.
    Text,
    /// The reasoning.
    Reasoning,
}

/// Words of a turn.
#[component]
pub(super) fn Words(entry: RwSignal<Entry>, of: Of) -> impl IntoView {
    let pieces = Memo::new(move |_| read(entry, of, |flow| (flow.series(), flow.pieces().len())));
    let groups = Memo::new(move |_| {
        let (series, pieces) = pieces.get();
        (series, pieces.div_ceil(GROUP))
    });
    let portions = Memo::new(move |_| {
        // They belong to the piece that comes next.
        read(entry, of, |flow| {
            let piece = (flow.series() << 20) ^ (flow.pieces().len() as u32);
            (piece, flow.portions().len())
        })
    });
    let rest = Memo::new(move |_| read(entry, of, |flow| flow.rest().to_owned()));
    view! {
        <div class="words">
            {list(
                move || {
                    let (series, groups) = groups.get();
                    (0..groups).map(|group| (series, group)).collect()
                },
                key,
                move |(_, group)| view! { <Group entry of group pieces/> },
            )}
            <div class="plain" hidden=move || rest.with(String::is_empty)>
                {list(
                    move || {
                        let (piece, portions) = portions.get();
                        (0..portions).map(|portion| (piece, portion)).collect()
                    },
                    key,
                    move |(_, portion)| {
                        let text = peek(entry, of, |flow| {
                            flow.portions().get(portion).map(ToString::to_string)
                        });
                        view! { <div>{text}</div> }
                    },
                )}
                <div>{rest}</div>
            </div>
        </div>
    }
    .into_any()
}

/// Pieces that stand together.
#[component]
fn Group(
    entry: RwSignal<Entry>,
    of: Of,
    group: usize,
    pieces: Memo<(u32, usize)>,
) -> impl IntoView {
    let first = group * GROUP;
    let until = Memo::new(move |_| pieces.get().1.min(first + GROUP));
    // It changes no more, and the browser need not lay it out where nobody looks (`data-full`).
    let full = Memo::new(move |_| until.get() == first + GROUP);
    view! {
        <div class="markdown" data-full=move || full.get().then_some("")>
            {list(
                move || (first..until.get()).collect(),
                usize::to_string,
                move |index| {
                    peek(entry, of, |flow| flow.pieces().get(index).map(blocks_of))
                        .unwrap_or_default()
                        .into_any()
                },
            )}
        </div>
    }
    .into_any()
}

fn key((one, other): &(u32, usize)) -> String {
    format!("{one}-{other}")
}

fn read<T: Default>(entry: RwSignal<Entry>, of: Of, read: impl FnOnce(&Flow) -> T) -> T {
    entry.with(|entry| flow(entry, of).map(read).unwrap_or_default())
}

fn peek<T: Default>(entry: RwSignal<Entry>, of: Of, read: impl FnOnce(&Flow) -> T) -> T {
    entry.with_untracked(|entry| flow(entry, of).map(read).unwrap_or_default())
}

fn flow(entry: &Entry, of: Of) -> Option<&Flow> {
    match (&entry.kind, of) {
        (EntryKind::Turn { text, .. }, Of::Text) => Some(text),
        (EntryKind::Turn { reasoning, .. }, Of::Reasoning) => Some(reasoning),
        _ => None,
    }
}
