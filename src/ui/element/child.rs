//! What can stand inside an element.

use crate::ui::signal::{Memo, RwSignal, Signal};
use leptos::prelude::*;
use leptos::tachys::view::iterators::StaticVec;

/// Whatever can stand between two tags, as the view that it is.
pub(crate) trait IntoChild {
    /// The view.
    fn into_child(self) -> AnyView;
}

/// Views of items that come, go and change places: each keeps its elements as long as its key stays.
pub(crate) fn list<T: Send + 'static>(
    each: impl Fn() -> Vec<T> + Send + Sync + 'static,
    key: impl Fn(&T) -> String + Send + Sync + 'static,
    make: impl Fn(T) -> AnyView + Clone + Send + Sync + 'static,
) -> AnyView {
    keyed(Box::new(move || {
        let item = |item: T| {
            let (key, make) = (key(&item), make.clone());
            let make: Box<dyn FnOnce() -> AnyView + Send> = Box::new(move || make(item));
            Item { key, make }
        };
        each().into_iter().map(item).collect()
    }))
}

struct Item {
    key: String,
    make: Box<dyn FnOnce() -> AnyView + Send>,
}

#[inline(never)]
fn keyed(each: Box<dyn Fn() -> Vec<Item> + Send + Sync>) -> AnyView {
    let props = ForProps::builder()
        .each(each)
        .key(|item| item.key.clone())
        .children(|item| (item.make)());
    For(props.build()).into_any()
}

/// Views side by side.
#[inline(never)]
pub(crate) fn several(views: Vec<AnyView>) -> AnyView {
    StaticVec::from(views).into_any()
}

/// A view that is made again whenever a signal changes that it read.
pub(crate) fn live<T: IntoChild>(make: impl FnMut() -> T + Send + 'static) -> AnyView {
    make.into_child()
}

/// A view that can be made again. Not `dyn FnMut`, whose table of functions has each closure twice.
trait Make: Send {
    fn make(&mut self) -> AnyView;
}

impl<F, T> Make for F
where
    F: FnMut() -> T + Send,
    T: IntoChild,
{
    fn make(&mut self) -> AnyView {
        self().into_child()
    }
}

#[inline(never)]
fn again(mut make: Box<dyn Make>) -> AnyView {
    (move || make.make()).into_any()
}

#[inline(never)]
fn maybe(view: Option<AnyView>) -> AnyView {
    view.into_any()
}

impl IntoChild for AnyView {
    fn into_child(self) -> AnyView {
        self
    }
}

impl IntoChild for () {
    fn into_child(self) -> AnyView {
        self.into_any()
    }
}

impl IntoChild for &'static str {
    #[inline(never)]
    fn into_child(self) -> AnyView {
        self.into_any()
    }
}

impl IntoChild for String {
    #[inline(never)]
    fn into_child(self) -> AnyView {
        self.into_any()
    }
}

impl<T: IntoChild> IntoChild for Option<T> {
    fn into_child(self) -> AnyView {
        maybe(self.map(IntoChild::into_child))
    }
}

impl IntoChild for Vec<AnyView> {
    #[inline(never)]
    fn into_child(self) -> AnyView {
        self.into_any()
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl IntoChild for $number {
            fn into_child(self) -> AnyView {
                self.to_string().into_child()
            }
        })*
    };
}

numbers!(u32, usize);

impl<F, T> IntoChild for F
where
    F: FnMut() -> T + Send + 'static,
    T: IntoChild,
{
    fn into_child(self) -> AnyView {
        again(Box::new(self))
    }
}

macro_rules! signals {
    ($($signal:ident),*) => {
        $(impl<T> IntoChild for $signal<T>
        where
            T: IntoChild + Clone + Send + Sync + 'static,
        {
            fn into_child(self) -> AnyView {
                (move || self.get()).into_child()
            }
        })*
    };
}

signals!(Signal, Memo, RwSignal);
