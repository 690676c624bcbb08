//! Share: what travels in a link, how long it is, and the ways to take it along.

use super::common::{Problem, SaidLine};
use super::state::{use_dispatch, use_state};
use crate::app::sharing::{Dialog, Link};
use crate::app::{Intent, Shown};
use crate::part::in_part;
use crate::share::{Choices, Fit};
use crate::ui::element::{live, view};
use crate::ui::signal::{Effect, Memo};
use crate::view::words::{Said, Tone};
use crate::view::{format, words};
use leptos::html;
use leptos::prelude::*;

/// The share dialog, whenever it is open.
#[component]
pub(super) fn Share() -> impl IntoView {
    let state = use_state();
    let open = Memo::new(move |_| state.sharing.with(Option::is_some));
    live(move || open.get().then(dialog).flatten())
}

/// The button that opens it.
#[component]
pub(super) fn ShareButton(
    /// Which run.
    whose: Shown,
    /// What it says.
    #[prop(default = "Share")]
    label: &'static str,
) -> impl IntoView {
    let dispatch = use_dispatch();
    view! {
        <button type="button" on:click=move |_| dispatch.send(Intent::Share(whose, Choices::default()))>
            {label}
        </button>
    }
    .into_any()
}

in_part! { sharing, fn dialog() -> AnyView {
    view! { <Window/> }.into_any()
} }

/// What there is to tick: its name, whether it is ticked, and the same with it turned over.
type Tick = (&'static str, bool, Choices);

fn ticks(dialog: &Dialog) -> Vec<Tick> {
    let now = dialog.choices;
    let mut ticks = vec![
        (
            "Plans",
            now.plans,
            Choices {
                plans: !now.plans,
                ..now
            },
        ),
        (
            "Model's words",
            now.words,
            Choices {
                words: !now.words,
                ..now
            },
        ),
        (
            "Reasoning",
            now.reasoning,
            Choices {
                reasoning: !now.reasoning,
                ..now
            },
        ),
        (
            "Tool outputs",
            now.outputs,
            Choices {
                outputs: !now.outputs,
                ..now
            },
        ),
    ];
    if dialog.server.is_some() {
        ticks.push((
            "Server address",
            now.server,
            Choices {
                server: !now.server,
                ..now
            },
        ));
    }
    ticks
}

/// The dialog. The browser keeps the focus inside and gives it back.
#[component]
fn Window() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        if let Some(dialog) = node.get()
            && !dialog.open()
        {
            let _ = dialog.show_modal();
        }
    });
    let shown = Memo::new(move |_| state.sharing.get());
    let read = move |read: fn(&Dialog) -> String| {
        shown.with(|dialog| dialog.as_ref().map(read).unwrap_or_default())
    };
    let boxes = live(move || {
        let dialog = shown.get()?;
        let boxes: Vec<AnyView> = ticks(&dialog)
            .into_iter()
            .map(|(name, on, other)| {
                view! {
                    <label class="check">
                        <input
                            type="checkbox"
                            prop:checked=on
                            on:change=move |_| dispatch.send(Intent::Share(dialog.whose, other))
                        />
                        <span>{name}</span>
                    </label>
                }
                .into_any()
            })
            .collect();
        Some(boxes)
    });
    view! {
        <dialog class="dialog" node_ref=node aria-labelledby="share-title" on:close=move |_| dispatch.send(Intent::CloseShare)>
            <h2 id="share-title">"Share this run"</h2>
            <p>"The link holds the run itself: whoever opens it needs no account, no key and no server."</p>
            <fieldset class="actions">
                <legend>"What travels"</legend>
                {boxes}
            </fieldset>
            {live(move || shown.get().map(|dialog| link(&dialog)))}
            <p class="note">{move || read(|dialog| words::not_shared(&dialog.left_out))}</p>
            <p class="actions">
                <Ways/>
                <button type="button" on:click=move |_| dispatch.send(Intent::CloseShare)>"Close"</button>
            </p>
        </dialog>
    }
    .into_any()
}

/// The link as far as it is: its size, where it fits, and itself.
fn link(dialog: &Dialog) -> AnyView {
    match &dialog.link {
        Link::Making => view! { <p role="status">"The link is being made."</p> }.into_any(),
        Link::Failed(text) => view! { <Problem text=text.clone()/> }.into_any(),
        Link::HeldBack(places) => view! {
            <Problem text=[
                "No link is made: it would hold what looks like a key. ",
                &places.join(". "),
                ". Leave out the part that holds it.",
            ]
                .concat()/>
        }
        .into_any(),
        Link::Ready { url, fit } => {
            let tone = match fit {
                Fit::Chat => Tone::Good,
                Fit::Comment | Fit::Browser => Tone::Warn,
                Fit::File => Tone::Bad,
            };
            let many = url.chars().count();
            let text = [&format::grouped(many as u64), " characters, ", fit.words()].concat();
            let copied = dialog.copied.map(|done| {
                if done {
                    "Copied."
                } else {
                    "The browser does not let the page write to the clipboard. Select the link and copy it."
                }
            });
            view! {
                <label class="field">
                    <span>"Link"</span>
                    <input type="text" readonly=true prop:value=url.clone() on:focus:target=|event| event.target().select()/>
                </label>
                <div role="status">
                    <meter
                        aria-label=text.clone()
                        min="0"
                        max="60000"
                        value=many.to_string()
                    ></meter>
                    <SaidLine said=Said { tone, text }/>
                    {copied.map(|copied| view! { <p>{copied}</p> })}
                </div>
            }
            .into_any()
        }
    }
}

/// The ways to take it along. A file comes first where the link is too long for most places.
#[component]
fn Ways() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let ready = Memo::new(move |_| {
        state.sharing.with(|dialog| {
            let dialog = dialog.as_ref()?;
            let file_first = matches!(&dialog.link, Link::Ready { fit, .. } if fit.is_file_first());
            Some((dialog.whose, dialog.url().is_some(), file_first))
        })
    });
    live(move || {
        let (whose, ready, file_first) = ready.get()?;
        let off = (!ready).then_some("true");
        let copy = |name: &'static str, class: &'static str, markdown: bool| {
            view! {
                <button
                    type="button"
                    class=class
                    aria-disabled=off
                    on:click=move |_| if ready { dispatch.send(Intent::CopyLink { markdown }) }
                >
                    {name}
                </button>
            }
            .into_any()
        };
        let file = view! {
            <button
                type="button"
                class=if file_first { "primary" } else { "" }
                on:click=move |_| dispatch.send(Intent::DownloadRecord(whose))
            >
                "Download file"
            </button>
        }
        .into_any();
        let first = if file_first { "" } else { "primary" };
        let copies = [
            copy("Copy link", first, false),
            copy("Copy as Markdown", "", true),
        ];
        let mut all: Vec<AnyView> = copies.into();
        all.insert(if file_first { 0 } else { 2 }, file);
        Some(all)
    })
}
