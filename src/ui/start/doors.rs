//! The ways on from the start screen. A new way is one more line here.

use crate::ui::element::view;
use leptos::prelude::*;

/// Title, sentence, name of the link, address.
const DOORS: [(&str, &str, &str, &str); 3] = [
    (
        "Watch a whole run",
        "Pick one of the built-in weeks, from calm to storm. The planner works on it turn by turn, \
         and you see every draft, every check and every problem.",
        "Try a task",
        "#/tasks",
    ),
    (
        "Bring a model",
        "Anthropic, OpenAI, Hugging Face, a server of your own, or anything that speaks like them. \
         With your key, held in this page and sent only to its service.",
        "Use my own model",
        "#/models",
    ),
    (
        "Bring an environment",
        "Any OpenEnv server that a browser can reach. Connect tells you what stands in the way, and \
         which line to change.",
        "Connect a server",
        "#/connect",
    ),
];

/// All ways on.
#[component]
pub(super) fn Doors() -> impl IntoView {
    let doors: Vec<AnyView> = DOORS
        .iter()
        .map(|(title, sentence, name, address)| {
            view! {
                <li>
                    <h3>{*title}</h3>
                    <p>{*sentence}</p>
                    <a class="button" href=*address>{*name}</a>
                </li>
            }
            .into_any()
        })
        .collect();
    view! {
        <section class="doors" aria-label="Ways on">
            <h2>"Where to go from here"</h2>
            <ul>{doors}</ul>
        </section>
    }
    .into_any()
}
