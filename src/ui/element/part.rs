//! What an element has besides its children, and how it gets onto the page.

use super::Value;
use leptos::ev::{Custom, On};
use leptos::reactive::effect::RenderEffect;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::renderer::Rndr;
use leptos::wasm_bindgen::JsValue;
use leptos::web_sys::{self, Event};

/// Names and words that never change.
pub(super) type Words = &'static [(&'static str, &'static str)];

/// An event and what it does.
pub(super) type Listener = On<Custom<Event>, Box<dyn FnMut(Event)>>;

/// Where a value goes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// An attribute.
    Attribute,
    /// A custom property of the style.
    Style,
    /// A property of the object.
    Property,
}

/// Hands an element to whoever wants to know it.
pub(super) type Tell = Box<dyn FnOnce(&web_sys::Element) + Send>;

/// One part of an element.
pub(super) enum Part {
    /// Attributes that never change.
    Words(Words),
    /// A value.
    Set(Kind, &'static str, Value),
    /// A listener.
    On(Listener),
    /// Somebody who wants to know the element.
    Node(Option<Tell>),
}

/// A part that is on the page.
pub(super) enum Held {
    /// Attributes that never change.
    Words(Words),
    /// A value that holds until the view is made again.
    Fixed(Kind, &'static str, Value),
    /// A value that follows its signals.
    Live(Kind, &'static str, RenderEffect<Value>),
    /// A listener.
    On(<Listener as Attribute>::State),
    /// Somebody who was told.
    Node,
}

impl Part {
    /// Puts it onto a new element.
    pub(super) fn build(self, element: &web_sys::Element) -> Held {
        match self {
            Self::Words(words) => {
                for (name, word) in words {
                    Rndr::set_attribute(element, name, word);
                }
                Held::Words(words)
            }
            Self::Set(kind, name, value) => set(element, kind, name, value, None),
            Self::On(listener) => Held::On(listener.build(element)),
            Self::Node(tell) => {
                if let Some(tell) = tell {
                    tell(element);
                }
                Held::Node
            }
        }
    }

    /// Whether it can take the place of what is there.
    pub(super) fn fits(&self, held: &Held) -> bool {
        match (self, held) {
            (Self::Words(new), Held::Words(old)) => std::ptr::eq(*new, *old),
            (Self::Set(kind, name, _), Held::Fixed(old, was, _) | Held::Live(old, was, _)) => {
                kind == old && name == was
            }
            (Self::On(_), Held::On(_)) | (Self::Node(_), Held::Node) => true,
            _ => false,
        }
    }

    /// Takes the place of what is there.
    pub(super) fn rebuild(self, element: &web_sys::Element, held: &mut Held) {
        match (self, held) {
            (Self::Set(kind, name, value), held) => {
                let old = match held {
                    Held::Fixed(_, _, old) => Some(std::mem::replace(old, Value::Absent)),
                    Held::Live(_, _, old) => old.take_value(),
                    _ => None,
                };
                *held = set(element, kind, name, value, old);
            }
            (Self::On(listener), Held::On(old)) => listener.rebuild(old),
            // Whoever asked for the element before is gone; this one does not know it yet.
            (Self::Node(Some(tell)), Held::Node) => tell(element),
            _ => {}
        }
    }
}

/// Puts a value onto an element, where another one may have been.
fn set(
    element: &web_sys::Element,
    kind: Kind,
    name: &'static str,
    value: Value,
    old: Option<Value>,
) -> Held {
    match value {
        Value::Live(read) => {
            let element = element.clone();
            let follow = move |old: Option<Value>| {
                let new = read.ask().now();
                apply(&element, kind, name, old.as_ref(), &new);
                new
            };
            Held::Live(kind, name, RenderEffect::new_with_value(follow, old))
        }
        value => {
            apply(element, kind, name, old.as_ref(), &value);
            Held::Fixed(kind, name, value)
        }
    }
}

fn apply(
    element: &web_sys::Element,
    kind: Kind,
    name: &'static str,
    old: Option<&Value>,
    new: &Value,
) {
    let words = new.words();
    let unchanged = old.map_or(words.is_none(), |old| old.words() == words);
    match (kind, words) {
        // A person may have changed it since, so it is set even when it is the same.
        (Kind::Property, words) => {
            let value = match (new, words) {
                (Value::Flag(flag), _) => JsValue::from_bool(*flag),
                (_, Some(words)) => JsValue::from_str(words),
                (_, None) => JsValue::UNDEFINED,
            };
            Rndr::set_property_or_value(element, name, &value);
        }
        _ if unchanged => {}
        (Kind::Attribute, Some(words)) => Rndr::set_attribute(element, name, words),
        (Kind::Attribute, None) => Rndr::remove_attribute(element, name),
        (Kind::Style, Some(words)) => {
            Rndr::set_css_property(&Rndr::style(element), name, words);
        }
        (Kind::Style, None) => Rndr::remove_css_property(&Rndr::style(element), name),
    }
}
