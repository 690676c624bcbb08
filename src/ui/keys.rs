//! The keyboard on the page: presses go to [`Shortcuts`], what they mean goes to whoever is on the
//! screen and wants it.

use crate::app::{Intent, Route};
use crate::ui::signal::{Effect, RwSignal};
use crate::ui::state::{use_dispatch, use_state};
use crate::view::shortcuts::{Action, Focus, Press, Shortcuts};
use crate::wire::Millis;
use leptos::ev::{KeyboardEvent, keydown};
use leptos::prelude::*;
use leptos::web_sys::Element;

/// Letters typed into these are letters.
const FIELDS: &str = "textarea, select, [contenteditable], \
    input:not([type=checkbox]):not([type=radio]):not([type=range])";
/// Space presses these.
const CONTROLS: &str = "button, a, summary, input, [role=tab], [role=button], [tabindex='0']";

/// Who listens for actions, the newest last.
#[derive(Clone, Copy)]
pub(super) struct Keys(StoredValue<Vec<(u32, Callback<Action, bool>)>>);

impl Keys {
    /// Nobody yet.
    pub(super) fn new() -> Self {
        Self(StoredValue::new(Vec::new()))
    }

    fn act(self, action: Action) -> bool {
        let listeners = self.0.get_value();
        listeners
            .iter()
            .rev()
            .any(|(_, listener)| listener.run(action))
    }
}

/// Takes actions for as long as the calling component is there. `take` says whether it was its.
pub(super) fn on_action(take: impl Fn(Action) -> bool + Send + Sync + 'static) {
    let Some(keys) = use_context::<Keys>() else {
        return;
    };
    let listener = Callback::new(take);
    let id = keys
        .0
        .with_value(|list| list.last().map_or(0, |(id, _)| id + 1));
    keys.0.update_value(|list| list.push((id, listener)));
    on_cleanup(move || {
        keys.0
            .try_update_value(|list| list.retain(|(other, _)| *other != id));
    });
}

/// Listens to the keyboard, for the life of the page.
pub(super) fn listen(keys: Keys, help: RwSignal<bool>) {
    let state = use_state();
    let dispatch = use_dispatch();
    let shortcuts = StoredValue::new(Shortcuts::default());
    Effect::new(move || {
        let handle = window_event_listener(keydown, move |event| {
            if event.default_prevented() || event.is_composing() {
                return;
            }
            let letters = state.page.with_untracked(|page| page.preferences.shortcuts);
            let key = event.key();
            let press = Press {
                key: &key,
                ctrl: event.ctrl_key() || event.meta_key(),
                alt: event.alt_key(),
                focus: focus_of(&event),
            };
            let now = Millis(event.time_stamp() as u64);
            let meant = shortcuts
                .try_update_value(|shortcuts| shortcuts.press(now, press, letters))
                .flatten();
            let Some(action) = meant else { return };
            let taken = match action {
                Action::Help => {
                    help.set(true);
                    true
                }
                Action::Start => go(dispatch, Route::Start),
                Action::Tasks => go(
                    dispatch,
                    Route::Tasks {
                        filter: String::new(),
                    },
                ),
                Action::Rollouts => go(
                    dispatch,
                    Route::Rollouts {
                        filter: String::new(),
                    },
                ),
                // A run goes on while other screens are looked at, and stops from everywhere.
                Action::Stop if !keys.act(action) => {
                    let running = state.run.status.with_untracked(|status| status.running);
                    if running {
                        dispatch.send(Intent::Stop);
                    }
                    running
                }
                Action::Stop => true,
                other => keys.act(other),
            };
            if taken {
                event.prevent_default();
            }
        });
        on_cleanup(move || handle.remove());
    });
}

fn go(dispatch: super::Dispatch, route: Route) -> bool {
    dispatch.send(Intent::Go(route));
    true
}

fn focus_of(event: &KeyboardEvent) -> Focus {
    use leptos::wasm_bindgen::JsCast;
    let Some(element) = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
    else {
        return Focus::Page;
    };
    let inside = |selector: &str| element.closest(selector).is_ok_and(|found| found.is_some());
    if inside("dialog") {
        Focus::Dialog
    } else if inside(FIELDS) {
        Focus::Field
    } else if inside(CONTROLS) {
        Focus::Control
    } else {
        Focus::Page
    }
}
