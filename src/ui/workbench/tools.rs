//! The tools of the environment: what each takes, exactly as the model is told.

use super::setting::Bench;
use crate::ui::common::Fold;
use crate::ui::element::view;
use crate::ui::signal::RwSignal;
use crate::ui::state::use_state;
use crate::view::json;
use leptos::prelude::*;

/// "Show tools".
#[component]
pub(super) fn Tools(bench: Bench) -> impl IntoView {
    let state = use_state();
    let open = RwSignal::new(false);
    let tools = move || {
        let tools = state.run.briefing.with(|briefing| briefing.tools.clone());
        if !bench.mine() || tools.is_empty() {
            return view! { <p>"The environment lists its tools when a run begins."</p> }
                .into_any();
        }
        tools
            .into_iter()
            .map(|tool| {
                let schema = json::pretty_value(&tool.input_schema);
                view! {
                    <li>
                        <code>{tool.name}</code>
                        <p>{tool.description}</p>
                        <Fold label="Arguments it takes">
                            <pre tabindex="0"><code>{schema.clone()}</code></pre>
                        </Fold>
                    </li>
                }
                .into_any()
            })
            .collect_view()
            .into_any()
    };
    view! {
        <button
            type="button"
            class="quiet"
            aria-expanded=move || if open.get() { "true" } else { "false" }
            on:click=move |_| open.update(|open| *open = !*open)
        >
            {move || if open.get() { "Hide tools" } else { "Show tools" }}
        </button>
        {move || open.get().then(|| view! { <ul class="tools">{tools}</ul> })}
    }
    .into_any()
}
