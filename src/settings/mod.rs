//! What a person chose: which model ([`ModelSpec`]), the limits of a run ([`Limits`]), and how the
//! page looks and listens ([`Preferences`]). Parse, print, defaults, validation. Holds no key, asks
//! nobody.

mod limits;
mod preferences;
mod spec;

pub use limits::{Limits, LimitsError};
pub use preferences::{Preferences, Theme};
pub use spec::{Effort, ModelSpec, Service, SpecError};
