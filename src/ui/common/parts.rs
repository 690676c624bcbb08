//! What stands where something is not there yet, or not at all; and the stepper.

use crate::ui::element::view;
use crate::ui::signal::Signal;
use leptos::prelude::*;

/// Rows that stand for what is on its way. They appear only after a moment (see `parts.css`).
#[component]
pub(crate) fn Skeleton(
    /// What is awaited, in words.
    #[prop(into)]
    waits_for: String,
) -> impl IntoView {
    view! {
        <div class="skeleton" role="status">
            <p>{waits_for}</p>
            <span aria-hidden="true"></span><span aria-hidden="true"></span>
            <span aria-hidden="true"></span><span aria-hidden="true"></span>
        </div>
    }
    .into_any()
}

/// What to do where there is nothing.
#[component]
pub(crate) fn Empty(children: Children) -> impl IntoView {
    view! { <div class="empty">{children()}</div> }.into_any()
}

/// What went wrong: party, fact, next step.
#[component]
pub(crate) fn Problem(
    /// The sentence.
    #[prop(into)]
    text: String,
    /// Ways on.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class="problem" role="alert">
            <p>{text}</p>
            {children.map(|children| view! { <div class="actions">{children()}</div> })}
        </div>
    }
    .into_any()
}

/// Back, where one is, forward.
#[component]
pub(crate) fn Stepper(
    /// Name of the way back.
    back: &'static str,
    /// Name of the way forward.
    forward: &'static str,
    /// Where one is, in words.
    #[prop(into)]
    here: Signal<String>,
    /// There is something before.
    #[prop(into)]
    can_back: Signal<bool>,
    /// There is something after.
    #[prop(into)]
    can_forward: Signal<bool>,
    /// A step: −1 or 1.
    step: Callback<isize>,
) -> impl IntoView {
    view! {
        <div class="stepper">
            <button
                type="button"
                aria-label=back
                title=back
                aria-disabled=move || (!can_back.get()).then_some("true")
                on:click=move |_| if can_back.get() { step.run(-1) }
            >
                <span aria-hidden="true">"‹"</span>
            </button>
            <span aria-live="polite">{here}</span>
            <button
                type="button"
                aria-label=forward
                title=forward
                aria-disabled=move || (!can_forward.get()).then_some("true")
                on:click=move |_| if can_forward.get() { step.run(1) }
            >
                <span aria-hidden="true">"›"</span>
            </button>
        </div>
    }
    .into_any()
}
