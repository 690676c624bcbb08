//! `view!`: the syntax of Leptos' macro, written out for the crate's one element type.
//!
//! Leptos' own `view!` gives each tag, each attribute and each closure a type of its own, and the
//! compiler writes the building, patching and dropping of each of them anew: half of what the page
//! had to load. This one calls `crate::ui::element::Element`, which is written once. Components,
//! signals, events and what a view means are Leptos' as before.
//!
//! Understood: elements, text, `{blocks}`, components with children; attributes, `on:event`,
//! `on:event:target`, `prop:name`, `style=("--name", value)`, `node_ref`. Anything else is an error.

use proc_macro::TokenStream;
use proc_macro2::{Ident, Span, TokenStream as Code};
use quote::{format_ident, quote, quote_spanned};
use rstml::Infallible;
use rstml::node::{KeyedAttribute, Node, NodeAttribute, NodeElement};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Lit, Result};

/// Elements that are drawn rather than laid out. `title` is one: a page's own stands in its head.
const SVG: [&str; 8] = [
    "circle", "g", "line", "path", "rect", "svg", "text", "title",
];

/// A view of elements, components and text, as one `AnyView`.
#[proc_macro]
pub fn view(tokens: TokenStream) -> TokenStream {
    rstml::parse(tokens)
        .and_then(|nodes| views(&nodes))
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Several nodes side by side.
fn views(nodes: &[Node]) -> Result<Code> {
    let mut views = nodes
        .iter()
        .filter(|node| !matches!(node, Node::Comment(_)))
        .map(view_of)
        .collect::<Result<Vec<_>>>()?;
    if views.len() == 1 {
        return Ok(views.remove(0));
    }
    Ok(quote! { crate::ui::element::several(::std::vec![#(#views),*]) })
}

/// One node as an `AnyView`.
fn view_of(node: &Node) -> Result<Code> {
    match node {
        Node::Element(element) if is_component(element) => component(element),
        Node::Element(element) => self::element(element),
        Node::Text(text) => {
            let text = &text.value;
            Ok(quote! { crate::ui::element::IntoChild::into_child(#text) })
        }
        Node::Block(block) => Ok(quote_spanned! { block.span() =>
            crate::ui::element::IntoChild::into_child(#[allow(unused_braces, reason = "as written")] #block)
        }),
        Node::Fragment(fragment) => views(&fragment.children),
        other => Err(Error::new(other.span(), "not understood here")),
    }
}

fn is_component(element: &NodeElement<Infallible>) -> bool {
    let name = element.name().to_string();
    name.starts_with(char::is_uppercase)
}

/// The builder's calls for one element. Its variable cannot meet one of the caller's.
fn element(node: &NodeElement<Infallible>) -> Result<Code> {
    let it = Ident::new("it", Span::mixed_site());
    let tag = node.name().to_string();
    let space = format_ident!(
        "{}",
        if SVG.contains(&tag.as_str()) {
            "svg"
        } else {
            "html"
        }
    );
    let parts = attributes(&it, &tag, node.attributes())?;
    let mut children = Vec::new();
    for child in &node.children {
        children.push(match child {
            Node::Comment(_) => continue,
            Node::Text(text) => {
                let text = &text.value;
                quote! { #it.text(#text); }
            }
            Node::Block(block) => quote_spanned! { block.span() =>
                #it.child(#[allow(unused_braces, reason = "as written")] #block);
            },
            other => {
                let view = view_of(other)?;
                quote! { #it.view(#view); }
            }
        });
    }
    Ok(quote! {{
        #[allow(unused_mut, reason = "an element may have neither attributes nor children")]
        let mut #it = crate::ui::element::Element::#space(#tag);
        #(#parts)*
        #(#children)*
        #it.done()
    }})
}

/// Attributes in their order; neighbours whose words are fixed go into one table.
fn attributes(it: &Ident, tag: &str, attributes: &[NodeAttribute]) -> Result<Vec<Code>> {
    let mut parts = Vec::new();
    let mut fixed = Vec::new();
    let flush = |fixed: &mut Vec<Code>, parts: &mut Vec<Code>| {
        if !fixed.is_empty() {
            parts.push(quote! { #it.words(&[#(#fixed),*]); });
            fixed.clear();
        }
    };
    for attribute in attributes {
        let NodeAttribute::Attribute(attribute) = attribute else {
            return Err(Error::new(attribute.span(), "not understood here"));
        };
        let name = attribute.key.to_string();
        match word(attribute) {
            Some(word) if !name.contains(':') => fixed.push(quote! { (#name, #word) }),
            _ => {
                flush(&mut fixed, &mut parts);
                parts.push(part(it, tag, &name, attribute)?);
            }
        }
    }
    flush(&mut fixed, &mut parts);
    Ok(parts)
}

/// The fixed words of an attribute: a string, or nothing at all.
fn word(attribute: &KeyedAttribute) -> Option<String> {
    match attribute.value() {
        None => Some(String::new()),
        Some(Expr::Lit(ExprLit {
            lit: Lit::Str(word),
            ..
        })) => Some(word.value()),
        Some(_) => None,
    }
}

/// One attribute that is no fixed word.
fn part(it: &Ident, tag: &str, name: &str, attribute: &KeyedAttribute) -> Result<Code> {
    let span = attribute.span();
    let value = attribute
        .value()
        .ok_or_else(|| Error::new(span, "needs a value"))?;
    let event = |event: &str| Ident::new(event, span);
    let words: Vec<&str> = name.split(':').collect();
    Ok(match (words.as_slice(), value) {
        (["on", name], _) => {
            let event = event(name);
            quote_spanned! { span => #it.on(::leptos::ev::#event, #value); }
        }
        (["on", name, "target"], _) => {
            let event = event(name);
            let mut element = tag.to_owned();
            if let Some(first) = element.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            let element = Ident::new(&element, span);
            quote_spanned! { span =>
                #it.on_target::<::leptos::html::#element, _>(::leptos::ev::#event, #value);
            }
        }
        (["prop", name], _) => quote_spanned! { span => #it.property(#name, #value); },
        (["style"], Expr::Tuple(pair)) if pair.elems.len() == 2 => {
            let (name, value) = (pair.elems.first(), pair.elems.last());
            quote_spanned! { span => #it.style(#name, #value); }
        }
        (["node_ref"], _) => quote_spanned! { span => #it.node_ref(#value); },
        ([name], _) => quote_spanned! { span => #it.attribute(#name, #value); },
        _ => return Err(Error::new(span, "not understood here")),
    })
}

/// A call of a component, as Leptos writes it.
fn component(node: &NodeElement<Infallible>) -> Result<Code> {
    let name = node.name();
    let mut props = Vec::new();
    for attribute in node.attributes() {
        let NodeAttribute::Attribute(attribute) = attribute else {
            return Err(Error::new(attribute.span(), "not understood here"));
        };
        let key = &attribute.key;
        let value = attribute
            .value()
            .map_or_else(|| quote! { #key }, |value| quote! { #value });
        props.push(quote_spanned! { attribute.span() => .#key(#value) });
    }
    if !node.children.is_empty() {
        let children = views(&node.children)?;
        props.push(
            quote! { .children(::leptos::children::ToChildren::to_children(move || #children)) },
        );
    }
    Ok(quote! {
        ::leptos::prelude::IntoAny::into_any(::leptos::component::component_view(
            &#name,
            ::leptos::component::component_props_builder(&#name) #(#props)* .build(),
        ))
    })
}
