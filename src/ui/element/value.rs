//! What an attribute, a style property or an object's property can be.

use crate::ui::signal::{Memo, RwSignal, Signal};

/// A value, or the way to it while it may change.
pub(crate) enum Value {
    /// There is none.
    Absent,
    /// There or not, without words.
    Flag(bool),
    /// Words of the program.
    Word(&'static str),
    /// Words.
    Text(String),
    /// Asked again whenever a signal changes that it read.
    Live(Box<dyn Ask>),
}

impl Value {
    /// The words of an attribute, if it is there.
    pub(super) fn words(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Text(text) => Some(text),
            Self::Flag(true) => Some(""),
            Self::Absent | Self::Flag(false) | Self::Live(_) => None,
        }
    }

    /// What it is now; what is read is tracked.
    pub(super) fn now(mut self) -> Self {
        while let Self::Live(read) = self {
            self = read.ask();
        }
        self
    }
}

/// A way to a value. Not `dyn Fn`, whose table of functions has each closure in it three times.
pub(crate) trait Ask: Send {
    /// The value now.
    fn ask(&self) -> Value;
}

impl<F, T> Ask for F
where
    F: Fn() -> T + Send,
    T: IntoValue,
{
    fn ask(&self) -> Value {
        self().into_value()
    }
}

/// Whatever can be a [`Value`].
pub(crate) trait IntoValue {
    /// The value.
    fn into_value(self) -> Value;
}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        Value::Flag(self)
    }
}

impl IntoValue for &'static str {
    fn into_value(self) -> Value {
        Value::Word(self)
    }
}

impl IntoValue for String {
    fn into_value(self) -> Value {
        Value::Text(self)
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Absent, IntoValue::into_value)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl IntoValue for $number {
            fn into_value(self) -> Value {
                Value::Text(self.to_string())
            }
        })*
    };
}

numbers!(i32, usize, f64);

impl<F, T> IntoValue for F
where
    F: Fn() -> T + Send + 'static,
    T: IntoValue,
{
    fn into_value(self) -> Value {
        Value::Live(Box::new(self))
    }
}

macro_rules! signals {
    ($($signal:ident),*) => {
        $(impl<T> IntoValue for $signal<T>
        where
            T: IntoValue + Clone + Send + Sync + 'static,
        {
            fn into_value(self) -> Value {
                (move || self.get()).into_value()
            }
        })*
    };
}

signals!(Signal, Memo, RwSignal);
