//! Turns are made when they come near what is seen: a run can have hundreds of them, with a chart
//! in each. Once made they stay, so that what was opened stays open.

use crate::ui::signal::{Effect, RwSignal};
use leptos::ev;
use leptos::html::Article;
use leptos::prelude::*;
use leptos::wasm_bindgen::closure::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::js_sys::{Array, Object, Reflect};
use leptos::web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};

/// Turns among as many entries, from the first, are made at once: all of a usual run, so that the
/// browser's own search finds it whole.
const AT_ONCE: usize = 32;

/// How far beyond what is seen is near.
const MARGIN: &str = "100%";

type Waiting = Vec<(Element, RwSignal<bool>)>;

/// Who waits to come into sight, in one transcript. Copied freely.
#[derive(Clone, Copy)]
pub(super) struct Near {
    waiting: StoredValue<Waiting, LocalStorage>,
    observer: StoredValue<Option<IntersectionObserver>, LocalStorage>,
}

impl Near {
    /// Nobody waits yet.
    pub(super) fn new() -> Self {
        let near = Self {
            waiting: StoredValue::new_local(Vec::new()),
            observer: StoredValue::new_local(None),
        };
        // On paper everything is seen.
        Effect::new(move || {
            let print = window_event_listener(ev::beforeprint, move |_| {
                for (_, signal) in near.waiting.try_get_value().unwrap_or_default() {
                    signal.set(true);
                }
            });
            on_cleanup(move || {
                print.remove();
                if let Some(Some(observer)) = near.observer.try_get_value() {
                    observer.disconnect();
                }
            });
        });
        near
    }

    /// Whether the turn in entry `number` (from 1) is to be made: true from the beginning, or from when
    /// `node` is near.
    pub(super) fn comes(self, number: usize, node: NodeRef<Article>) -> RwSignal<bool> {
        let here = RwSignal::new(number <= AT_ONCE);
        if !here.get_untracked() {
            Effect::new(move || {
                if let Some(article) = node.get() {
                    self.watch(&article, here);
                }
            });
        }
        here
    }

    fn watch(self, element: &Element, here: RwSignal<bool>) {
        if self.observer.with_value(Option::is_none) {
            self.observer.set_value(self.observe());
        }
        match self.observer.get_value() {
            Some(observer) => {
                self.waiting
                    .update_value(|waiting| waiting.push((element.clone(), here)));
                observer.observe(element);
            }
            None => here.set(true),
        }
    }

    fn observe(self) -> Option<IntersectionObserver> {
        let seen = move |entries: Array| {
            for entry in entries {
                let entry: IntersectionObserverEntry = entry.unchecked_into();
                if entry.is_intersecting() {
                    self.seen(&entry.target());
                }
            }
        };
        let seen = Closure::<dyn FnMut(Array)>::new(seen).into_js_value();
        let options = Object::new();
        // The margin of the transcript's own scrolling, where the browser knows it; else of the page's.
        for margin in ["rootMargin", "scrollMargin"] {
            Reflect::set(&options, &margin.into(), &MARGIN.into()).ok()?;
        }
        let options: JsValue = options.into();
        IntersectionObserver::new_with_options(seen.unchecked_ref(), options.unchecked_ref()).ok()
    }

    fn seen(self, element: &Element) {
        if let Some(Some(observer)) = self.observer.try_get_value() {
            observer.unobserve(element);
        }
        let mut found = None;
        self.waiting.try_update_value(|waiting| {
            let at = waiting.iter().position(|(other, _)| other == element);
            found = at.map(|at| waiting.swap_remove(at));
        });
        if let Some((_, here)) = found {
            here.set(true);
        }
    }
}
