//! One service: where it is, its key, what it says, and its models.

use super::key::KeyPart;
use super::list::ModelPart;
use crate::app::Intent;
use crate::app::models::{Card, Wish};
use crate::settings::Service;
use crate::settings::service::Key;
use crate::ui::common::SaidLine;
use crate::ui::element::{live, view};
use crate::ui::signal::{Memo, RwSignal};
use crate::ui::state::{Dispatch, use_dispatch, use_state};
use crate::view::services::host;
use leptos::prelude::*;

/// A service and what the page knows of it. Copied freely.
#[derive(Clone, Copy)]
pub(super) struct Of {
    /// The service.
    pub(super) service: &'static Service,
    card: Memo<Option<Card>>,
    dispatch: Dispatch,
}

impl Of {
    /// Reads the card.
    pub(super) fn read<T: Default>(self, read: impl FnOnce(&Card) -> T) -> T {
        self.card
            .with(|card| card.as_ref().map(read).unwrap_or_default())
    }

    /// Says what the person wants.
    pub(super) fn send(self, wish: Wish) {
        self.dispatch.send(Intent::Models(wish));
    }
}

/// The card of a service.
#[component]
pub(super) fn ServiceCard(service: &'static Service) -> impl IntoView {
    let state = use_state();
    let word = service.word;
    let of = Of {
        service,
        card: Memo::new(move |_| state.models.with(|models| models.card(word).cloned())),
        dispatch: use_dispatch(),
    };
    // The model's name while it is typed; at first the one in use, if it is of this service.
    let model = RwSignal::new(state.models.with_untracked(|models| {
        let spec = models.spec();
        let mut name = spec.model;
        if let Some(effort) = spec.effort_word {
            name.push('@');
            name.push_str(&effort);
        }
        if spec.service.word == word {
            name
        } else {
            String::new()
        }
    }));
    let keys_at = (!service.keys_at.is_empty()).then(|| {
        view! { <p class="note">"Keys come from " <code>{service.keys_at}</code> "."</p> }
    });
    let switch =
        (!service.switch.is_empty()).then(|| view! { <p class="note">{service.switch}</p> });
    let key = (service.key != Key::None).then(|| view! { <KeyPart of model/> });
    view! {
        <div class="card" role="group" aria-label=service.label>
            <h2>{service.label}</h2>
            <Address of/>
            {key}
            {keys_at}
            {switch}
            <Answer of/>
            <ModelPart of model/>
        </div>
    }
    .into_any()
}

/// Where the service is.
#[component]
fn Address(of: Of) -> impl IntoView {
    let service = of.service;
    let problem = Memo::new(move |_| of.read(|card| card.problem.clone()));
    let wrong = move || problem.with(|text| !text.is_empty());
    let example = if service.base.is_empty() {
        "localhost:8000"
    } else {
        service.base
    };
    view! {
        <label class="field">
            <span>{[service.label, " address"].concat()}</span>
            <input
                type="url"
                placeholder=example
                autocomplete="off"
                spellcheck="false"
                autocapitalize="off"
                prop:value=move || of.read(|card| card.base.clone())
                aria-invalid=move || wrong().then_some("true")
                on:change:target=move |event| {
                    of.send(Wish::Address(service.word, event.target().value()));
                }
            />
            {move || wrong().then(|| view! { <small role="alert">{problem.get()}</small> })}
        </label>
    }
    .into_any()
}

/// What is awaited, or what the last answer came to.
#[component]
fn Answer(of: Of) -> impl IntoView {
    let word = of.service.word;
    let shown = Memo::new(move |_| {
        of.read(|card| {
            let waits = card.busy.then(|| host(&card.base).to_owned());
            (waits, card.finding.clone())
        })
    });
    let inside = live(move || match shown.get() {
        (Some(host), _) => Some(view! {
            <p class="now">
                <span class="pulse" aria-hidden="true"></span>
                <span>{format!("Waiting for {host}, 30 s at most.")}</span>
                <button type="button" on:click=move |_| of.send(Wish::Cancel(word))>"Cancel"</button>
            </p>
        }),
        (None, Some(finding)) => {
            let causes: Vec<AnyView> = finding
                .causes
                .into_iter()
                .map(|cause| view! { <li>{cause}</li> }.into_any())
                .collect();
            let causes = (!causes.is_empty()).then(|| view! { <ul class="causes">{causes}</ul> });
            Some(view! { <p><SaidLine said=finding.said/></p> {causes} })
        }
        (None, None) => None,
    });
    view! { <div role="status">{inside}</div> }.into_any()
}
