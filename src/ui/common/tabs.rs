//! Tabs: a list with one tab stop, arrow keys inside.

use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// The tab list. Panels are [`TabPanel`]s with the same `group`.
#[component]
pub(crate) fn Tabs(
    /// Name of the list.
    label: &'static str,
    /// Word that ties tabs and panels together, unique on the screen.
    group: &'static str,
    /// The tabs' words.
    names: Vec<Signal<String>>,
    /// Which one is on.
    chosen: RwSignal<usize>,
) -> impl IntoView {
    let many = names.len();
    let list = NodeRef::<leptos::html::Div>::new();
    let go = move |event: KeyboardEvent| {
        let now = chosen.get_untracked();
        let next = match event.key().as_str() {
            "ArrowRight" => (now + 1) % many,
            "ArrowLeft" => (now + many - 1) % many,
            "Home" => 0,
            "End" => many - 1,
            _ => return,
        };
        event.prevent_default();
        chosen.set(next);
        focus_child(list, next);
    };
    let tabs: Vec<AnyView> = names
        .into_iter()
        .enumerate()
        .map(|(index, name)| {
            let on = move || chosen.get() == index;
            view! {
                <button
                    type="button"
                    role="tab"
                    id=format!("{group}-tab-{index}")
                    aria-controls=format!("{group}-panel-{index}")
                    aria-selected=move || if on() { "true" } else { "false" }
                    tabindex=move || if on() { "0" } else { "-1" }
                    on:click=move |_| chosen.set(index)
                >
                    {name}
                </button>
            }
            .into_any()
        })
        .collect();
    view! {
        <div class="tabs" role="tablist" aria-label=label node_ref=list on:keydown=go>{tabs}</div>
    }
    .into_any()
}

fn focus_child(list: NodeRef<leptos::html::Div>, index: usize) {
    use leptos::wasm_bindgen::JsCast;
    let child = list
        .get_untracked()
        .and_then(|list| list.children().item(index as u32))
        .and_then(|child| child.dyn_into::<leptos::web_sys::HtmlElement>().ok());
    if let Some(child) = child {
        let _ = child.focus();
    }
}

/// What a tab shows. Made when it is first looked at, and only shown while it is on.
#[component]
pub(crate) fn TabPanel(
    /// Word of the tab list.
    group: &'static str,
    /// Position of the tab.
    index: usize,
    /// Which one is on.
    chosen: RwSignal<usize>,
    children: ChildrenFn,
) -> impl IntoView {
    let on = Memo::new(move |_| chosen.get() == index);
    view! {
        <div
            class="tab-panel"
            role="tabpanel"
            id=format!("{group}-panel-{index}")
            aria-labelledby=format!("{group}-tab-{index}")
            tabindex="0"
            hidden=move || !on.get()
        >
            {move || on.get().then(|| children())}
        </div>
    }
    .into_any()
}
