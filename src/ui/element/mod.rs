//! The one element type of the page, and `view!`, which makes it.
//!
//! Leptos' own `view!` knows each element by a type made of its tag, attributes and children. That
//! costs nothing while the page runs, but each of them has its own code for being built, patched
//! and dropped, and loading that was half of the page. Here an element is data. Everything else is
//! Leptos': signals, components, lists, text, and [`AnyView`] as the view of anything.

mod child;
mod part;
mod render;
mod value;

pub(crate) use child::{IntoChild, list, live, several};
use leptos::ev::{Custom, EventDescriptor, Targeted, on};
use leptos::html::ElementType;
use leptos::prelude::*;
use leptos::tachys::html::node_ref::NodeRefContainer;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Event;
use part::{Kind, Part};
pub(crate) use quayside_view_macro::view;
use std::borrow::Cow;
pub(crate) use value::{IntoValue, Value};

/// What an event does. Not `dyn FnMut`, whose table of functions has each closure in it twice.
trait Act {
    fn act(&mut self, event: Event);
}

struct Doing<F>(F);

impl<F: FnMut(Event)> Act for Doing<F> {
    fn act(&mut self, event: Event) {
        (self.0)(event);
    }
}

/// An element that is not in the page yet.
pub(crate) struct Element {
    tag: &'static str,
    svg: bool,
    parts: Vec<Part>,
    children: Vec<AnyView>,
}

impl Element {
    /// An element that is laid out.
    pub(crate) fn html(tag: &'static str) -> Self {
        Self {
            tag,
            svg: false,
            parts: Vec::new(),
            children: Vec::new(),
        }
    }

    /// An element that is drawn.
    pub(crate) fn svg(tag: &'static str) -> Self {
        Self {
            svg: true,
            ..Self::html(tag)
        }
    }

    /// Attributes that never change.
    pub(crate) fn words(&mut self, words: &'static [(&'static str, &'static str)]) {
        self.parts.push(Part::Words(words));
    }

    /// An attribute.
    pub(crate) fn attribute(&mut self, name: &'static str, value: impl IntoValue) {
        self.set(Kind::Attribute, name, value.into_value());
    }

    /// A custom property of its style.
    pub(crate) fn style(&mut self, name: &'static str, value: impl IntoValue) {
        self.set(Kind::Style, name, value.into_value());
    }

    /// A property of the object.
    pub(crate) fn property(&mut self, name: &'static str, value: impl IntoValue) {
        self.set(Kind::Property, name, value.into_value());
    }

    #[inline(never)]
    fn set(&mut self, kind: Kind, name: &'static str, value: Value) {
        self.parts.push(Part::Set(kind, name, value));
    }

    /// What an event does.
    pub(crate) fn on<E>(&mut self, event: E, mut act: impl FnMut(E::EventType) + 'static)
    where
        E: EventDescriptor,
        E::EventType: JsCast,
    {
        self.listen(
            event.name(),
            Box::new(Doing(move |event: Event| act(event.unchecked_into()))),
        );
    }

    /// What an event does that is asked for its element.
    pub(crate) fn on_target<T, E>(
        &mut self,
        event: E,
        mut act: impl FnMut(Targeted<E::EventType, T::Output>) + 'static,
    ) where
        T: ElementType,
        E: EventDescriptor,
        E::EventType: JsCast,
    {
        self.listen(
            event.name(),
            Box::new(Doing(move |event: Event| {
                act(Targeted::from(event.unchecked_into::<E::EventType>()));
            })),
        );
    }

    #[inline(never)]
    fn listen(&mut self, name: Cow<'static, str>, mut act: Box<dyn Act>) {
        let act: Box<dyn FnMut(Event)> = Box::new(move |event| act.act(event));
        self.parts.push(Part::On(on(Custom::new(name), act)));
    }

    /// Who wants to know the element once it is made.
    pub(crate) fn node_ref<E, R>(&mut self, node: R)
    where
        E: ElementType,
        R: NodeRefContainer<E>,
    {
        self.parts.push(Part::Node(Some(Box::new(move |element| {
            node.load(element);
        }))));
    }

    /// Words.
    #[inline(never)]
    pub(crate) fn text(&mut self, text: &'static str) {
        self.view(text.into_child());
    }

    /// Anything that can stand inside.
    pub(crate) fn child(&mut self, child: impl IntoChild) {
        self.view(child.into_child());
    }

    /// A view that stands inside.
    #[inline(never)]
    pub(crate) fn view(&mut self, view: AnyView) {
        self.children.push(view);
    }

    /// The element as a view.
    #[inline(never)]
    pub(crate) fn done(self) -> AnyView {
        self.into_any()
    }
}
