//! How an element gets onto the page, takes the place of an earlier one, and is written as HTML.

use super::part::{Held, Kind, Part};
use super::{Element, Value};
use leptos::tachys::html::attribute::AttributeValue;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::renderer::Rndr;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, RenderHtml};
use leptos::web_sys;

/// Where drawn elements come from.
const SVG: &str = "http://www.w3.org/2000/svg";

/// Elements that have no end tag.
const VOID: [&str; 4] = ["br", "hr", "img", "input"];

/// An element on the page.
pub(crate) struct ElementState {
    element: web_sys::Element,
    tag: &'static str,
    parts: Vec<Held>,
    children: Vec<AnyViewState>,
}

impl Element {
    /// Whether an element on the page is of the same kind, so that it can stay and be patched.
    fn fits(&self, state: &ElementState) -> bool {
        self.tag == state.tag
            && self.parts.len() == state.parts.len()
            && self.children.len() == state.children.len()
            && self
                .parts
                .iter()
                .zip(&state.parts)
                .all(|(part, held)| part.fits(held))
    }
}

impl Render for Element {
    type State = ElementState;

    fn build(self) -> ElementState {
        let element = Rndr::create_element(self.tag, self.svg.then_some(SVG));
        let parts = self
            .parts
            .into_iter()
            .map(|part| part.build(&element))
            .collect();
        let children = self
            .children
            .into_iter()
            .map(|child| {
                let mut child = child.build();
                child.mount(&element, None);
                child
            })
            .collect();
        ElementState {
            element,
            tag: self.tag,
            parts,
            children,
        }
    }

    fn rebuild(self, state: &mut ElementState) {
        if !self.fits(state) {
            let mut new = self.build();
            state.insert_before_this(&mut new);
            state.unmount();
            *state = new;
            return;
        }
        for (part, held) in self.parts.into_iter().zip(&mut state.parts) {
            part.rebuild(&state.element, held);
        }
        for (child, old) in self.children.into_iter().zip(&mut state.children) {
            child.rebuild(old);
        }
    }
}

/// An attribute without words.
fn bare(name: &str, html: &mut String) {
    html.push(' ');
    html.push_str(name);
}

impl Mountable for ElementState {
    fn unmount(&mut self) {
        Rndr::remove(&self.element);
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&web_sys::Node>) {
        Rndr::insert_node(parent, &self.element, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let Some(parent) = Rndr::get_parent(&self.element) else {
            return false;
        };
        let Ok(parent) = leptos::wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(parent) else {
            return false;
        };
        child.mount(&parent, Some(&self.element));
        true
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        vec![self.element.clone()]
    }
}

leptos::tachys::no_attrs!(Element);

impl RenderHtml for Element {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        html: &mut String,
        position: &mut Position,
        _escape: bool,
        mark_branches: bool,
        _extra: Vec<AnyAttribute>,
    ) {
        html.push('<');
        html.push_str(self.tag);
        // As Leptos does: class and style come last.
        let (mut class, mut style) = (String::new(), String::new());
        for part in self.parts {
            match part {
                Part::Words(words) => {
                    for (name, word) in words {
                        if *name == "class" {
                            class.push_str(word);
                        } else if word.is_empty() {
                            bare(name, html);
                        } else {
                            AttributeValue::to_html(*word, name, html);
                        }
                    }
                }
                Part::Set(kind, name, value) => {
                    let value = value.now();
                    let Some(words) = value.words() else { continue };
                    match kind {
                        Kind::Style => {
                            style.push_str(name);
                            style.push(':');
                            style.push_str(words);
                            style.push(';');
                        }
                        Kind::Attribute if name == "class" => class.push_str(words),
                        Kind::Attribute if matches!(value, Value::Flag(_)) => bare(name, html),
                        Kind::Attribute => AttributeValue::to_html(words, name, html),
                        Kind::Property => {}
                    }
                }
                Part::On(_) | Part::Node(_) => {}
            }
        }
        for (name, words) in [("class", class), ("style", style)] {
            if !words.is_empty() {
                AttributeValue::to_html(words, name, html);
            }
        }
        html.push('>');
        if !VOID.contains(&self.tag) {
            *position = Position::FirstChild;
            for child in self.children {
                child.to_html_with_buf(html, position, true, mark_branches, Vec::new());
            }
            html.push_str("</");
            html.push_str(self.tag);
            html.push('>');
        }
        *position = Position::NextChild;
    }

    fn hydrate<const FROM_SERVER: bool>(
        self,
        _cursor: &Cursor,
        _position: &PositionState,
    ) -> ElementState {
        // The page has no server that could have written it.
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
