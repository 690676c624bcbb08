//! Signals and memos whose code is there once.
//!
//! Leptos' own know what they hold, and so each type that is held has its own code for reading,
//! setting, comparing and dropping: some two kilobytes of the page each. These hold a shared value
//! of any type and know its type only where it is read. They are Leptos' signals inside, so they
//! are tracked, disposed and copied like those.

use leptos::prelude::{self as inside, Get, GetUntracked, Set, Track, UpdateUntracked};
use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

/// Whatever a signal can hold.
pub trait Thing: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> Thing for T {}

/// A value of some type, and how to compare it.
#[derive(Clone)]
struct Held {
    value: Arc<dyn Any + Send + Sync>,
    same: fn(&dyn Any, &dyn Any) -> bool,
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        (self.same)(&*self.value, &*other.value)
    }
}

impl Held {
    fn new<T: Thing>(value: T) -> Self {
        Self {
            value: Arc::new(value),
            same: |_, _| false,
        }
    }

    fn comparable<T: Thing + PartialEq>(value: T) -> Self {
        Self {
            value: Arc::new(value),
            same: |one, other| {
                let pair = one.downcast_ref::<T>().zip(other.downcast_ref::<T>());
                pair.is_some_and(|(one, other)| one == other)
            },
        }
    }

    /// What it holds. Signals of different types cannot be exchanged, so it is of this one.
    fn get<T: Thing>(&self) -> &T {
        self.value.downcast_ref().unwrap_or_else(|| mixed_up())
    }
}

#[cold]
#[inline(never)]
fn mixed_up() -> ! {
    unreachable!("a signal holds a value of another type than it was made for")
}

macro_rules! signal {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        pub struct $name<T> {
            inner: inside::$name<Held>,
            holds: PhantomData<fn() -> T>,
        }

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}

        // Without a type of what is held, so that they are there once.
        impl $name<()> {
            #[inline(never)]
            fn read(inner: inside::$name<Held>) -> Held {
                inner.get()
            }

            #[inline(never)]
            fn peek(inner: inside::$name<Held>) -> Held {
                inner.get_untracked()
            }
        }

        impl<T: Thing> $name<T> {
            fn of(inner: inside::$name<Held>) -> Self {
                let holds = PhantomData;
                Self { inner, holds }
            }

            /// Reads the value where it is, and is told when it changes.
            pub(crate) fn with<R>(&self, read: impl FnOnce(&T) -> R) -> R {
                read($name::<()>::read(self.inner).get())
            }

            /// Reads the value where it is.
            pub(crate) fn with_untracked<R>(&self, read: impl FnOnce(&T) -> R) -> R {
                read($name::<()>::peek(self.inner).get())
            }

            /// The value; whoever asks is told when it changes.
            pub(crate) fn get(&self) -> T
            where
                T: Clone,
            {
                self.with(T::clone)
            }

            /// The value.
            pub(crate) fn get_untracked(&self) -> T
            where
                T: Clone,
            {
                self.with_untracked(T::clone)
            }
        }
    };
}

signal!(
    /// A value that changes by itself.
    RwSignal
);
signal!(
    /// A value that follows from others and is worth keeping.
    Memo
);
signal!(
    /// A value to be read, whatever it comes from.
    Signal
);

impl<T: Thing> RwSignal<T> {
    /// A signal with this value.
    pub fn new(value: T) -> Self {
        Self::of(inside::RwSignal::new(Held::new(value)))
    }

    /// Another value.
    pub(crate) fn set(&self, value: T) {
        set(self.inner, Held::new(value));
    }

    /// Changes the value.
    pub(crate) fn update(&self, change: impl FnOnce(&mut T))
    where
        T: Clone,
    {
        let mut value = self.get_untracked();
        change(&mut value);
        self.set(value);
    }

    /// Changes the value and tells nobody.
    pub(crate) fn update_untracked(&self, change: impl FnOnce(&mut T))
    where
        T: Clone,
    {
        let mut value = self.get_untracked();
        change(&mut value);
        let value = Held::new(value);
        self.inner.update_untracked(|held| *held = value);
    }
}

#[inline(never)]
fn set(signal: inside::RwSignal<Held>, value: Held) {
    signal.set(value);
}

impl<T: Thing + Default> Default for RwSignal<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Thing + PartialEq> Memo<T> {
    /// A memo of what `make` makes of the value before it.
    pub(crate) fn new(make: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self {
        Self::of(memo(Box::new(Making(make, PhantomData))))
    }
}

/// A way to a value. Not `dyn Fn`, whose table of functions has each closure in it three times.
trait Make: Send + Sync {
    fn make(&self, old: Option<&Held>) -> Held;
}

struct Making<F, T>(F, PhantomData<fn() -> T>);

impl<T, F> Make for Making<F, T>
where
    T: Thing + PartialEq,
    F: Fn(Option<&T>) -> T + Send + Sync,
{
    fn make(&self, old: Option<&Held>) -> Held {
        Held::comparable((self.0)(old.map(Held::get)))
    }
}

struct Deriving<F>(F);

impl<T, F> Make for Deriving<F>
where
    T: Thing,
    F: Fn() -> T + Send + Sync,
{
    fn make(&self, _old: Option<&Held>) -> Held {
        Held::new((self.0)())
    }
}

#[inline(never)]
fn memo(make: Box<dyn Make>) -> inside::Memo<Held> {
    inside::Memo::new(move |old| make.make(old))
}

impl<T: Thing> Signal<T> {
    /// What is made anew each time it is read.
    pub(crate) fn derive(make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self::of(derive(Box::new(Deriving(make))))
    }

    /// Is told when the value changes.
    pub(crate) fn track(&self) {
        self.inner.track();
    }

    /// What never changes.
    pub(crate) fn stored(value: T) -> Self {
        Self::of(inside::Signal::stored(Held::new(value)))
    }
}

#[inline(never)]
fn derive(make: Box<dyn Make>) -> inside::Signal<Held> {
    inside::Signal::derive(move || make.make(None))
}

impl<T: Thing + Default> Default for Signal<T> {
    fn default() -> Self {
        Self::stored(T::default())
    }
}

impl<T: Thing> From<T> for Signal<T> {
    fn from(value: T) -> Self {
        Self::stored(value)
    }
}

impl From<&str> for Signal<String> {
    fn from(value: &str) -> Self {
        Self::stored(value.to_owned())
    }
}

impl<T: Thing> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Self {
        Self::of(signal.inner.into())
    }
}

impl<T: Thing> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Self {
        Self::of(memo.inner.into())
    }
}

/// A signal that lives as long as somebody holds it, and not as long as who made it.
pub struct ArcRwSignal<T> {
    inner: inside::ArcRwSignal<Held>,
    holds: PhantomData<fn() -> T>,
}

impl<T> Clone for ArcRwSignal<T> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            holds: PhantomData,
        }
    }
}

impl<T: Thing> ArcRwSignal<T> {
    /// A signal with this value.
    pub(crate) fn new(value: T) -> Self {
        Self {
            inner: inside::ArcRwSignal::new(Held::new(value)),
            holds: PhantomData,
        }
    }

    /// Reads the value where it is, and is told when it changes.
    pub(crate) fn with<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(self.inner.get().get())
    }

    /// Reads the value where it is.
    pub(crate) fn with_untracked<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(self.inner.get_untracked().get())
    }

    /// Another value.
    pub(crate) fn set(&self, value: T) {
        self.inner.set(Held::new(value));
    }

    /// Is told when the value changes.
    pub(crate) fn track(&self) {
        self.inner.track();
    }
}

impl<T: Thing> From<ArcRwSignal<T>> for RwSignal<T> {
    fn from(signal: ArcRwSignal<T>) -> Self {
        Self::of(signal.inner.into())
    }
}

/// What is done whenever a signal changes that it read.
pub(crate) struct Effect;

impl Effect {
    /// Does it for as long as whoever is making it is there.
    #[allow(clippy::new_ret_no_self, reason = "called as the effect of Leptos is")]
    pub(crate) fn new(act: impl FnMut() + 'static) {
        effect(Box::new(Acting(act)));
    }
}

trait Act {
    fn act(&mut self);
}

struct Acting<F>(F);

impl<F: FnMut()> Act for Acting<F> {
    fn act(&mut self) {
        (self.0)();
    }
}

#[inline(never)]
fn effect(mut act: Box<dyn Act>) {
    inside::Effect::new(move |_: Option<()>| act.act());
}
