//! The doctor's visit, and the servers of this visit of ours.

use super::findings::Findings;
use crate::app::Intent;
use crate::ui::common::Skeleton;
use crate::ui::element::{live, view};
use crate::ui::signal::Memo;
use crate::ui::state::{use_dispatch, use_state};
use leptos::prelude::*;

/// The doctor's visit.
#[component]
pub(super) fn Visit() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let patient = Memo::new(move |_| state.connect.with(|connect| connect.patient.clone()));
    let busy = Memo::new(move |_| state.connect.with(|connect| connect.busy));
    let verdict = Memo::new(move |_| state.connect.with(|connect| connect.verdict));
    live(move || {
        patient.get().map(|patient| {
            view! {
                <section class="visit" aria-label="Connection test">
                    <h2>"Connection test"</h2>
                    <p class="note"><code>{patient}</code></p>
                    <p role="status"><strong>{move || verdict.get()}</strong></p>
                    <Findings/>
                    {move || {
                        busy.get()
                            .then(|| {
                                view! {
                                    <Skeleton waits_for="Looking. A sleeping Space can take a minute."/>
                                    <p class="actions">
                                        <button
                                            type="button"
                                            on:click=move |_| dispatch.send(Intent::CancelDiagnosis)
                                        >
                                            "Cancel"
                                        </button>
                                    </p>
                                }
                            })
                    }}
                </section>
            }
        })
    })
}

/// Servers used since the page was opened.
#[component]
pub(super) fn Known() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let known = Memo::new(move |_| state.connect.with(|connect| connect.known.clone()));
    live(move || {
        let known = known.get();
        (!known.is_empty()).then(|| {
            let lines: Vec<AnyView> = known
                .into_iter()
                .map(|server| {
                    let address = server.ws_url.clone();
                    view! {
                        <li>
                            <code>{server.ws_url}</code>
                            <button
                                type="button"
                                aria-label=format!("Use {}", server.host)
                                on:click=move |_| dispatch.send(Intent::UseServer(address.clone()))
                            >
                                "Use"
                            </button>
                        </li>
                    }
                    .into_any()
                })
                .collect();
            view! {
                <section class="known" aria-label="Servers of this visit">
                    <h2>"Servers of this visit"</h2>
                    <ul>{lines}</ul>
                    <p class="note">"Addresses are forgotten when the page closes."</p>
                </section>
            }
        })
    })
}
