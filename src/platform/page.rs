//! The page itself: address bar, closing, what kind of page this is.

use super::window;
use crate::app::PageFacts;
use crate::env::doctor::PermissionState;
use crate::settings::{Choices, Preferences, Theme};
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};

/// What stands after `#`.
pub(super) fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// Shows a fragment in the address bar; a new one is a step that "Back" undoes.
pub(super) fn set_fragment(wanted: &str) {
    if fragment() == wanted || (wanted == "#/" && fragment().is_empty()) {
        return;
    }
    let _ = window().location().set_hash(wanted);
}

/// Shows a fragment in place of the one that is there. Nothing is told of it.
pub(super) fn replace_fragment(wanted: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(wanted));
    }
}

/// Calls `report` when the page goes away, be it to come back.
pub(super) fn on_leaving(report: impl Fn() + 'static) {
    let left = Closure::<dyn FnMut()>::new(report);
    let _ = window().add_event_listener_with_callback("pagehide", left.as_ref().unchecked_ref());
    left.forget(); // one for the life of the page
}

/// Calls `report` with every new fragment, for the life of the page.
pub(super) fn on_fragment(report: impl Fn(String) + 'static) {
    let changed = Closure::<dyn FnMut()>::new(move || report(fragment()));
    let _ =
        window().add_event_listener_with_callback("hashchange", changed.as_ref().unchecked_ref());
    changed.forget(); // one for the life of the page
}

/// Tells what the browser says of reaching this machine's network, now and after each change. A
/// browser that knows no such permission says nothing.
pub(super) fn on_permission(report: impl Fn(PermissionState) + 'static) {
    let wanted = js_sys::Object::new();
    let named = js_sys::Reflect::set(&wanted, &"name".into(), &"loopback-network".into());
    let Ok(query) = named.and_then(|_| window().navigator().permissions()?.query(&wanted)) else {
        return;
    };
    wasm_bindgen_futures::spawn_local(async move {
        let Ok(status) = wasm_bindgen_futures::JsFuture::from(query).await else {
            return;
        };
        let status: web_sys::PermissionStatus = status.unchecked_into();
        report(permission(status.state()));
        let watched = status.clone();
        let changed = Closure::<dyn FnMut()>::new(move || report(permission(watched.state())));
        status.set_onchange(Some(changed.as_ref().unchecked_ref()));
        changed.forget(); // one for the life of the page
    });
}

fn permission(state: web_sys::PermissionState) -> PermissionState {
    match state {
        web_sys::PermissionState::Granted => PermissionState::Granted,
        web_sys::PermissionState::Denied => PermissionState::Denied,
        _ => PermissionState::Prompt,
    }
}

/// What kind of page this is.
pub(super) fn facts() -> PageFacts {
    let location = window().location();
    let host = location.hostname().unwrap_or_default();
    let matches = |query: &str| {
        window()
            .match_media(query)
            .ok()
            .flatten()
            .is_some_and(|list| list.matches())
    };
    PageFacts {
        in_parts: crate::part::IN_PARTS,
        address: super::files::address(),
        https: location
            .protocol()
            .is_ok_and(|protocol| protocol == "https:"),
        local: matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]" | ""),
        reduced_motion: matches("(prefers-reduced-motion: reduce)"),
        seed: seed(),
        preferences: preferences(),
        choices: kept(MODELS)
            .map(|text| Choices::parse(&text))
            .unwrap_or_default(),
    }
}

/// What is remembered on this device; the names are also read by `boot.js`, before the program.
const THEME: &str = "theme";
const SHORTCUTS: &str = "shortcuts";
/// What was chosen about models.
const MODELS: &str = "models";

fn kept(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(name).ok()?
}

/// Remembers what was chosen about models. Where nothing can be kept it holds for this visit.
pub(super) fn remember(choices: &Choices) {
    if let Ok(Some(kept)) = window().local_storage() {
        let _ = kept.set_item(MODELS, &choices.to_text());
    }
}

fn preferences() -> Preferences {
    Preferences {
        theme: kept(THEME)
            .map(|word| Theme::parse(&word))
            .unwrap_or_default(),
        shortcuts: kept(SHORTCUTS).is_none_or(|word| word != "off"),
    }
}

/// Shows the page like this, and remembers it. Where nothing can be kept it holds for this visit.
pub(super) fn prefer(preferences: Preferences) {
    let theme = preferences.theme.word();
    if let Some(root) = super::document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute("data-theme", theme);
    }
    if let Ok(Some(kept)) = window().local_storage() {
        let _ = kept.set_item(THEME, theme);
        let _ = kept.set_item(SHORTCUTS, if preferences.shortcuts { "on" } else { "off" });
    }
}

fn seed() -> u64 {
    let mut bytes = [0_u8; 8];
    if let Ok(crypto) = window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    u64::from_le_bytes(bytes)
}

/// Asks before the page closes, while it is on.
#[derive(Default)]
pub(super) struct CloseGuard(RefCell<Option<Listener>>);

type Listener = Closure<dyn FnMut(web_sys::Event)>;

impl CloseGuard {
    /// Switches it.
    pub(super) fn set(&self, on: bool) {
        let mut held = self.0.borrow_mut();
        if let Some(old) = held.take() {
            let _ = window()
                .remove_event_listener_with_callback("beforeunload", old.as_ref().unchecked_ref());
        }
        if on {
            let ask = Closure::<dyn FnMut(_)>::new(|event: web_sys::Event| event.prevent_default());
            let _ = window()
                .add_event_listener_with_callback("beforeunload", ask.as_ref().unchecked_ref());
            *held = Some(ask);
        }
    }
}
