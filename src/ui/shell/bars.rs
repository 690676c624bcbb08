//! Sentences above every screen: the notice, and that nothing is kept.

use crate::app::Intent;
use crate::ui::element::view;
use crate::ui::state::{use_dispatch, use_state};
use leptos::prelude::*;

/// The bars that there are now.
#[component]
pub(super) fn Bars() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let notice = move || {
        state.notice.get().map(|notice| {
            let tone = if notice.bad { "bad" } else { "plain" };
            view! {
                <div class="bar" data-tone=tone>
                    <p>{notice.text}</p>
                    <button
                        type="button"
                        class="quiet"
                        on:click=move |_| dispatch.send(Intent::DismissNotice)
                    >
                        "Close"
                    </button>
                </div>
            }
        })
    };
    let unkept = move || {
        state.unkept.get().map(|reason| {
            view! {
                <div class="bar" data-tone="warn">
                    <p>
                        {format!("Runs are not kept on this device: {reason}.")}
                    </p>
                </div>
            }
        })
    };
    view! { <div class="bars" role="status">{notice} {unkept}</div> }.into_any()
}
