//! A rollout from elsewhere: what it is, whether it is fetched, and what of it may be trusted.

use super::Shown;
use crate::app::Intent;
use crate::app::sharing::Guest;
use crate::ui::common::{Empty, Problem, Skeleton, Title};
use crate::ui::element::{live, view};
use crate::ui::signal::Memo;
use crate::ui::state::{use_dispatch, use_state};
use leptos::prelude::*;

/// A rollout that is not on this device.
#[component]
pub(in crate::ui) fn SharedRollout() -> impl IntoView {
    let state = use_state();
    let dispatch = use_dispatch();
    let guest = Memo::new(move |_| state.guest.get());
    view! {
        <Title text="Shared rollout"/>
        {live(move || match guest.get() {
            Guest::Opening => view! { <Skeleton waits_for="The rollout is being opened."/> }.into_any(),
            Guest::Problem(text) => view! {
                <Problem text>
                    <a class="button" href="#/rollouts">"All rollouts"</a>
                    <a class="button" href="#/">"Start"</a>
                </Problem>
            }
            .into_any(),
            Guest::Asks { origin, url, pinned } => view! {
                <Empty>
                    <p>"This link wants to fetch a rollout from " <strong>{origin.clone()}</strong> "."</p>
                    <p class="note">{url}</p>
                    <p>
                        {if pinned {
                            "The link says which file it means; another one in its place is refused."
                        } else {
                            "The link does not say which file it means: it may have changed since it was shared."
                        }}
                    </p>
                    <p class="actions">
                        <button type="button" class="primary" on:click=move |_| dispatch.send(Intent::FetchGuest)>
                            {["Fetch from ", &origin].concat()}
                        </button>
                        <a class="button" href="#/">"Leave it"</a>
                    </p>
                </Empty>
            }
            .into_any(),
            Guest::Fetching(origin) => view! {
                <Skeleton waits_for=["Waiting for the file from ", &origin, "."].concat()/>
                <p class="actions">
                    <button type="button" on:click=move |_| dispatch.send(Intent::StopFetching)>"Cancel"</button>
                </p>
            }
            .into_any(),
            Guest::Here(facts) => {
                let trust = [&facts.trust, " It came from ", &facts.from, " and is not kept on this device."].concat();
                view! {
                    <div class="bar">
                        <p>{trust}</p>
                        <button type="button" on:click=move |_| dispatch.send(Intent::KeepGuest)>
                            "Keep on this device"
                        </button>
                    </div>
                    <Shown/>
                }
                .into_any()
            }
        })}
    }
    .into_any()
}
