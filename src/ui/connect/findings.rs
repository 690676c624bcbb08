//! The doctor's findings: each check with its result and what to change.

use crate::env::doctor::{Finding, Outcome};
use crate::ui::element::view;
use crate::ui::signal::Memo;
use crate::ui::state::use_state;
use leptos::prelude::*;

/// The findings so far, in order.
#[component]
pub(super) fn Findings() -> impl IntoView {
    let state = use_state();
    let findings = Memo::new(move |_| state.connect.with(|connect| connect.findings.clone()));
    let lines = move || {
        findings
            .get()
            .into_iter()
            .map(|finding| view! { <Line finding/> }.into_any())
            .collect::<Vec<_>>()
    };
    view! { <ol class="findings" aria-label="Findings" aria-live="polite">{lines}</ol> }.into_any()
}

/// One check.
#[component]
fn Line(finding: Finding) -> impl IntoView {
    let (tone, glyph, word) = match finding.outcome {
        Outcome::Passed => ("good", "✓", "Passed"),
        Outcome::Failed => ("bad", "✕", "Failed"),
        Outcome::Unknown => ("warn", "?", "Cannot be told"),
        Outcome::Skipped => ("plain", "–", "Skipped"),
        Outcome::Running => ("plain", "…", "Running"),
    };
    view! {
        <li data-tone=tone>
            <span class="glyph" aria-hidden="true">{glyph}</span>
            <div>
                <p><strong>{finding.title}</strong> " " <span class="outcome">{word}</span></p>
                {(!finding.fact.is_empty()).then(|| view! { <p class="note">{finding.fact}</p> })}
                {finding.fix.map(|fix| view! { <pre class="fix" tabindex="0">{fix}</pre> })}
            </div>
        </li>
    }
    .into_any()
}
