//! Links past everything, for people who use the keyboard. They come first on the page.

use crate::app::Route;
use crate::ui::element::view;
use crate::ui::state::use_state;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

/// The skip links of this screen.
#[component]
pub(super) fn SkipLinks() -> impl IntoView {
    let state = use_state();
    let chart = move || {
        matches!(
            state.route.get(),
            Route::Start | Route::Workbench { .. } | Route::Rollout { .. } | Route::Guest { .. }
        )
    };
    let transcript = move || {
        matches!(
            state.route.get(),
            Route::Workbench { .. } | Route::Rollout { .. } | Route::Guest { .. }
        )
    };
    view! {
        <nav class="skip-links" aria-label="Skip">
            {move || chart().then(|| view! { <Skip words="Skip to the chart" to="chart"/> })}
            {move || {
                transcript()
                    .then(|| view! { <Skip words="Skip to the transcript" to="transcript"/> })
            }}
            {move || {
                (!chart()).then(|| view! { <Skip words="Skip to the screen" to="screen"/> })
            }}
        </nav>
    }
    .into_any()
}

/// A link to a region. The address bar belongs to the screens, so the link moves the focus itself.
#[component]
fn Skip(words: &'static str, to: &'static str) -> impl IntoView {
    let state = use_state();
    let skip = move |event: leptos::ev::MouseEvent| {
        event.prevent_default();
        let selector = if to == "screen" {
            ".title".to_owned()
        } else {
            format!("[data-region={to}]")
        };
        let region = document().query_selector(&selector).ok().flatten();
        if let Some(region) = region.and_then(|region| region.dyn_into::<HtmlElement>().ok()) {
            let _ = region.focus();
            region.scroll_into_view();
        }
    };
    view! { <a href=move || state.route.get().fragment() on:click=skip>{words}</a> }.into_any()
}
