//! Parts of the program that come when they are needed.
//!
//! The demonstration shows within seconds because little stands before it. What it does without lies in a file of its
//! own for each [`Part`]; `scripts/parts.py` cuts the release program along the functions that [`in_part!`] marks, and
//! whatever only these reach goes with them. Debug builds, tests and native builds are in one piece, and all is here.
//!
//! A marked function gives nothing as long as its part is away, so ask for the part first: [`crate::app::App`] does,
//! with `Order::Bring`, for a screen before it is shown and for a model before it runs.

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All screens but Start.
    Screens,
    /// Models that are called over HTTP, and their screen.
    Models,
    /// Links, files and exports.
    Sharing,
}

/// How far a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It can be used.
    Here,
    /// Nobody asked for it yet.
    Away,
    /// It is on its way.
    Coming,
    /// It did not come. It can be asked for again.
    Failed,
}

/// What a person is told of a part that did not come.
pub const FAILED: &str = "A part of this page did not come: the network is away, or the page has been \
     replaced by a newer one since it was opened. Try again; if that does not help, load the page anew.";

/// How far each part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    screens: Presence,
    models: Presence,
    sharing: Presence,
}

impl Default for Parts {
    fn default() -> Self {
        Self::new(IN_PARTS)
    }
}

impl Parts {
    /// Of a program in parts nothing is here at first, of one in one piece everything.
    pub fn new(in_parts: bool) -> Self {
        let all = if in_parts {
            Presence::Away
        } else {
            Presence::Here
        };
        Self {
            screens: all,
            models: all,
            sharing: all,
        }
    }

    /// How far `part` is.
    pub fn presence(&self, part: Part) -> Presence {
        match part {
            Part::Screens => self.screens,
            Part::Models => self.models,
            Part::Sharing => self.sharing,
        }
    }

    /// Notes how far `part` is.
    pub fn set(&mut self, part: Part, presence: Presence) {
        match part {
            Part::Screens => self.screens = presence,
            Part::Models => self.models = presence,
            Part::Sharing => self.sharing = presence,
        }
    }
}

/// Whether this build is in parts.
pub const IN_PARTS: bool = cfg!(in_parts);

/// A part did not come: no network, or the page has been replaced by a newer one since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a part of the page did not come")]
pub struct NotHere;

/// Brings a part; at once where the program is in one piece. Fails when its file cannot be had;
/// then it can be tried again.
pub fn bring(part: Part) -> impl Future<Output = Result<(), NotHere>> {
    #[cfg(in_parts)]
    return cut::bring(part);
    #[cfg(not(in_parts))]
    {
        let _ = part;
        std::future::ready(Ok(()))
    }
}

#[cfg(in_parts)]
#[doc(hidden)]
pub mod cut {
    use super::{NotHere, Part};
    use std::task::{Context, Poll, Waker};
    use wasm_split_helpers::{SplitLoaderError, wasm_split};

    impl From<SplitLoaderError> for NotHere {
        fn from(_: SplitLoaderError) -> Self {
            Self
        }
    }

    #[wasm_split(screens, fallible)]
    fn screens() -> Result<(), NotHere> {
        Ok(())
    }

    #[wasm_split(models, fallible)]
    fn models() -> Result<(), NotHere> {
        Ok(())
    }

    #[wasm_split(sharing, fallible)]
    fn sharing() -> Result<(), NotHere> {
        Ok(())
    }

    pub(super) async fn bring(part: Part) -> Result<(), NotHere> {
        match part {
            Part::Screens => screens().await,
            Part::Models => models().await,
            Part::Sharing => sharing().await,
        }
    }

    /// What a marked function gives when its part is here. Its future asks for the part when it is
    /// polled the first time; the answer comes before that returns, and the second time it is ready.
    pub fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        let mut future = std::pin::pin!(future);
        let context = &mut Context::from_waker(Waker::noop());
        for _ in 0..2 {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                return Some(value);
            }
        }
        None
    }
}

/// Marks a function that lies in a part, and with it all that only it reaches:
/// `in_part! { models, pub fn name(argument: Type) -> Output { … } }` makes a function that gives
/// `Option<Output>`: nothing as long as the part is away.
macro_rules! in_part {
    ($part:ident, $(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $out:ty $body:block) => {
        $(#[$meta])*
        $vis fn $name($($arg: $type),*) -> Option<$out> {
            #[cfg_attr(in_parts, wasm_split_helpers::wasm_split($part))]
            fn $name($($arg: $type),*) -> $out $body
            #[cfg(in_parts)]
            return $crate::part::cut::now($name($($arg),*));
            #[cfg(not(in_parts))]
            Some($name($($arg),*))
        }
    };
}
pub(crate) use in_part;

#[cfg(test)]
mod tests {
    use super::*;

    in_part! { models, fn doubled(number: u32) -> u32 { number * 2 } }

    #[test]
    fn in_one_piece_everything_is_here() {
        assert_eq!(doubled(4), Some(8));
        let parts = Parts::new(false);
        assert_eq!(parts.presence(Part::Models), Presence::Here);
    }

    #[test]
    fn parts_are_told_apart() {
        let mut parts = Parts::new(true);
        parts.set(Part::Models, Presence::Coming);
        assert_eq!(parts.presence(Part::Screens), Presence::Away);
        assert_eq!(parts.presence(Part::Models), Presence::Coming);
    }
}
