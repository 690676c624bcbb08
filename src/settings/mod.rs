//! What a person chose: which model ([`ModelSpec`]), the limits of a run ([`Limits`]), and how the
//! page looks and listens ([`Preferences`]). Parse, print, defaults, validation. Holds no key, asks
//! nobody.

mod choices;
mod limits;
pub mod money;
mod preferences;
pub mod service;
mod spec;

pub use choices::Choices;
pub use limits::{Limits, LimitsError, SpendLimit};
pub use preferences::{Preferences, Theme};
pub use service::Service;
pub use spec::{Effort, ModelSpec, SpecError};
