//! The thumbnail.

use crate::ui::element::view;
use crate::ui::signal::Signal;
use crate::view::chart::Mini;
use leptos::prelude::*;

/// A chart at the size of a stamp: five elements, nothing to touch.
#[component]
pub fn MiniChart(
    /// What to draw, from [`crate::view::chart::mini`].
    #[prop(into)]
    mini: Signal<Mini>,
) -> impl IntoView {
    let data = move |of: fn(&Mini) -> &String| move || mini.with(|mini| of(mini).clone());
    view! {
        <svg
            class="mini-chart"
            role="img"
            aria-label=data(|mini| &mini.name)
            viewBox=format!("0 0 {} {}", Mini::WIDTH, Mini::HEIGHT)
            preserveAspectRatio="none"
        >
            <path class="pc-closed-hatch" d=data(|mini| &mini.blocks) />
            <path class="pc-bar" d=data(|mini| &mini.bars) />
            <path class="pc-late" d=data(|mini| &mini.late) />
            <path class="pc-problem" d=data(|mini| &mini.broken) />
        </svg>
    }
}
