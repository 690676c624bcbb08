//! Marks as SVG elements. The only place where forms become elements.

use crate::ui::element::view;
use crate::ui::signal::Signal;
use crate::view::chart::{Form, Mark};
use leptos::prelude::*;

/// One mark.
fn element(mark: Mark) -> AnyView {
    let class = mark.role.class();
    match mark.form {
        Form::Rect { x, y, w, h, r } => {
            view! { <rect class=class x=x y=y width=w height=h rx=r /> }.into_any()
        }
        Form::Path(data) => view! { <path class=class d=data /> }.into_any(),
        Form::Text {
            x,
            y,
            anchor,
            turned,
            text,
        } => {
            let turn = turned.then(|| format!("rotate(-90 {x} {y})"));
            view! {
                <text class=class x=x y=y transform=turn text-anchor=anchor.word()>
                    {text}
                </text>
            }
            .into_any()
        }
    }
}

/// Several marks.
pub(super) fn elements(marks: Vec<Mark>) -> AnyView {
    marks.into_iter().map(element).collect_view().into_any()
}

/// A layer of marks that nobody can touch; its words are said elsewhere.
#[component]
pub(super) fn Layer(
    /// "wind", "blocks", …
    name: &'static str,
    /// What is on it.
    #[prop(into)]
    marks: Signal<Vec<Mark>>,
) -> impl IntoView {
    view! {
        <g class="pc-layer" data-layer=name aria-hidden="true">
            {move || elements(marks.get())}
        </g>
    }
}
