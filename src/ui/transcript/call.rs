//! A tool call as a card: what was asked, what came of it, and the draft it sent.

use crate::ui::common::{Fold, SaidLine};
use crate::ui::element::view;
use crate::ui::signal::{Memo, Signal};
use crate::ui::stage::{DraftMini, Stage};
use crate::ui::state::RunSignals;
use crate::view::{CallCard, Draft, json, words};
use leptos::prelude::*;
use std::sync::Arc;

/// How many problems a card lists before it says how many more there are.
const LISTED: usize = 5;

/// A tool call.
#[component]
pub(super) fn Call(card: Memo<CallCard>, run: RunSignals, stage: Stage) -> impl IntoView {
    let draft = Memo::new(move |_| {
        let number = card.with(|card| card.draft)?;
        run.drafts
            .with(|drafts| drafts.drafts.get(number.checked_sub(1)?).cloned())
    });
    let name = move || card.with(|card| card.name.clone());
    let said = move || {
        let said = card.with(|card| words::call_line(card, draft.get().as_deref()));
        view! { <SaidLine said/> }
    };
    let arguments = Signal::derive(move || card.with(|card| json::pretty(&card.arguments)));
    let result = Signal::derive(move || {
        card.with(|card| card.result.as_deref().map(json::pretty))
            .unwrap_or_default()
    });
    let typing = Memo::new(move |_| card.with(|card| card.typed.chars() > 0));
    let typed = move || card.with(|card| card.typed.end().to_owned());
    let answered = Memo::new(move |_| card.with(|card| card.result.is_some()));
    let argued = Memo::new(move |_| card.with(|card| !matches!(card.arguments.trim(), "" | "{}")));
    view! {
        <div class="call" role="group" aria-label=move || format!("Call of {}", name())>
            <header><code>{name}</code> {said}</header>
            {move || draft.get().map(|draft| view! { <OfDraft draft run stage/> })}
            {move || {
                typing
                    .get()
                    .then(|| view! { <pre class="plain" aria-label="The end of the arguments"><code>{typed}</code></pre> })
            }}
            {move || {
                argued
                    .get()
                    .then(|| {
                        view! {
                            <Fold label="Arguments"><pre tabindex="0"><code>{arguments}</code></pre></Fold>
                        }
                    })
            }}
            {move || {
                answered
                    .get()
                    .then(|| {
                        view! { <Fold label="Result"><pre tabindex="0"><code>{result}</code></pre></Fold> }
                    })
            }}
        </div>
    }
    .into_any()
}

/// The draft that a call sent: small chart, problems, and the way to the large chart.
#[component]
fn OfDraft(draft: Arc<Draft>, run: RunSignals, stage: Stage) -> impl IntoView {
    let number = draft.number;
    let problems = words::problem_lines(&draft);
    let more = problems.len().saturating_sub(LISTED);
    let lines: Vec<AnyView> = problems
        .into_iter()
        .take(LISTED)
        .map(|text| view! { <li>{text}</li> }.into_any())
        .collect();
    let name = words::draft_name(&draft);
    let differs = words::difference(&draft);
    view! {
        <div class="of-draft">
            <button
                type="button"
                class="mini"
                aria-label=format!("Show {name} on the chart")
                on:click=move |_| stage.show.run(number)
            >
                <DraftMini drafts=run.drafts.into() number/>
                <span>{name.clone()}</span>
            </button>
            {(!lines.is_empty())
                .then(|| {
                    view! {
                        <ul>
                            {lines}
                            {(more > 0).then(|| view! { <li>{format!("and {more} more")}</li> })}
                        </ul>
                    }
                })}
        </div>
        {differs.map(|text| view! { <p class="note">{text}</p> })}
    }
    .into_any()
}
