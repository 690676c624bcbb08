//! Markdown as elements. The tree comes from [`crate::view::markdown`]; nothing here can become
//! markup that the tree does not name.

use crate::ui::element::view;
use crate::ui::signal::{Memo, Signal};
use crate::view::Piece;
use crate::view::markdown::{Block, Inline, parse};
use leptos::prelude::*;

/// A text of a stranger, set as Markdown. Headings start at level 3: they stand inside a screen.
#[component]
pub(super) fn Markdown(#[prop(into)] text: Signal<String>) -> impl IntoView {
    let tree = Memo::new(move |_| text.with(|text| parse(text)));
    view! { <div class="markdown">{move || tree.with(|tree| blocks(tree))}</div> }.into_any()
}

/// A piece of a text, set by itself.
pub(super) fn blocks_of(piece: &Piece) -> Vec<AnyView> {
    if piece.code {
        blocks(&[Block::Code(piece.code_words().to_owned())])
    } else {
        blocks(&parse(&piece.text))
    }
}

fn blocks(list: &[Block]) -> Vec<AnyView> {
    list.iter().map(block).collect()
}

fn block(block: &Block) -> AnyView {
    match block {
        Block::Heading(1 | 2, words) => view! { <h3>{inlines(words)}</h3> }.into_any(),
        Block::Heading(_, words) => view! { <h4>{inlines(words)}</h4> }.into_any(),
        Block::Paragraph(words) => view! { <p>{inlines(words)}</p> }.into_any(),
        Block::List(start, items) => {
            let items: Vec<AnyView> = items
                .iter()
                .map(|item| view! { <li>{blocks(item)}</li> }.into_any())
                .collect();
            match start {
                Some(start) => view! { <ol start=start.to_string()>{items}</ol> }.into_any(),
                None => view! { <ul>{items}</ul> }.into_any(),
            }
        }
        Block::Table(head, rows) => table(head, rows),
        Block::Code(text) => {
            view! { <pre tabindex="0"><code>{text.clone()}</code></pre> }.into_any()
        }
        Block::Quote(inner) => view! { <blockquote>{blocks(inner)}</blockquote> }.into_any(),
        Block::Rule => view! { <hr/> }.into_any(),
    }
}

fn table(head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>]) -> AnyView {
    let heads: Vec<AnyView> = head
        .iter()
        .map(|cell| view! { <th scope="col">{inlines(cell)}</th> }.into_any())
        .collect();
    let rows: Vec<AnyView> = rows
        .iter()
        .map(|row| {
            let cells: Vec<AnyView> = row
                .iter()
                .map(|cell| view! { <td>{inlines(cell)}</td> }.into_any())
                .collect();
            view! { <tr>{cells}</tr> }.into_any()
        })
        .collect();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Table">
            <table class="table"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>
        </div>
    }
    .into_any()
}

fn inlines(words: &[Inline]) -> Vec<AnyView> {
    words
        .iter()
        .map(|word| match word {
            Inline::Text(text) => text.clone().into_any(),
            Inline::Code(text) => view! { <code>{text.clone()}</code> }.into_any(),
            Inline::Strong(words) => view! { <strong>{inlines(words)}</strong> }.into_any(),
            Inline::Emphasis(words) => view! { <em>{inlines(words)}</em> }.into_any(),
            Inline::Break => view! { <br/> }.into_any(),
        })
        .collect()
}
