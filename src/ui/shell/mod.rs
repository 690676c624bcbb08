//! What is on every screen, and which screen is on.

mod bars;
mod help;
mod screen;
mod skip;
mod top_bar;

use super::common::Visits;
use super::keys::{self, Keys};
use super::state::use_state;
use crate::ui::element::view;
use crate::ui::share::Share;
use crate::ui::signal::{Effect, RwSignal};
use bars::Bars;
use help::Help;
use leptos::prelude::*;
use screen::Screen;
use skip::SkipLinks;
use top_bar::TopBar;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let state = use_state();
    let help = RwSignal::new(false);
    let keyboard = Keys::new();
    provide_context(keyboard);
    provide_context(Visits::new());
    keys::listen(keyboard, help);
    Effect::new(move || document().set_title(&state.route.get().title()));
    Effect::new(remove_first_paint);
    view! {
        <SkipLinks/>
        <TopBar help/>
        <Bars/>
        <main class="screen"><Screen/></main>
        <Help open=help/>
        <Share/>
    }
    .into_any()
}

/// The static page has been there since before the program; the real one now stands in its place.
fn remove_first_paint() {
    if let Ok(Some(first)) = document().query_selector("[data-first-paint]") {
        first.remove();
    }
}
