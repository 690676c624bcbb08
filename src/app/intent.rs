//! What goes in and out of the page's state: intents of a person, facts of the browser, orders.

use super::Route;
use super::models::Wish;
use crate::env::doctor::PermissionState;
use crate::part::Part;
use crate::settings::{Choices, Limits, Preferences};
use crate::store::{StoreAnswer, StoreOrder};
use crate::wire::{Effect, Input};

/// What a person wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Another screen.
    Go(Route),
    /// Bring a part of the program that did not come.
    Bring(Part),
    /// Run the demonstration again.
    PlayDemo,
    /// Show this step of the demonstration (from 0), and stop playing.
    ShowDemoStep(usize),
    /// Step through the demonstration from its beginning.
    PlayDemoSteps,
    /// Run a model on the task of the workbench.
    Run {
        /// Its spec, as typed.
        model: String,
        /// Limits of the episode.
        limits: Limits,
        /// Typed instructions, for an environment that gives none.
        instructions: Option<String>,
    },
    /// Give the next runs these limits.
    Limit(Limits),
    /// Stop the run on the workbench.
    Stop,
    /// Hold the run before its next turn.
    Pause,
    /// Go on.
    Resume,
    /// Use the server at this address, as typed.
    UseServer(String),
    /// Confirm a server that a link named.
    AllowServer(String),
    /// Go back to the built-in environment.
    UseBuiltin,
    /// Ask the server for its task list.
    ListServerTasks,
    /// Run the connection doctor on this address, as typed.
    Diagnose(String),
    /// End the doctor's visit.
    CancelDiagnosis,
    /// Save the record of the shown run as a file.
    DownloadRecord(Shown),
    /// Save text as a file.
    Download {
        /// File name.
        name: String,
        /// Media type.
        mime: String,
        /// Contents.
        text: String,
    },
    /// Save a drawing as a PNG file.
    DownloadPng {
        /// File name.
        name: String,
        /// The drawing, as a standalone SVG document.
        svg: String,
    },
    /// Forget a saved rollout.
    DeleteRollout(String),
    /// Close the notice.
    DismissNotice,
    /// Colours and keys.
    Prefer(Preferences),
    /// About models, their services and keys.
    Models(Wish),
}

/// Which of the page's runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The demonstration.
    Demo,
    /// The workbench.
    Run,
    /// The rollout screen.
    Opened,
}

/// What the browser reports.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Something on the wire.
    Wire(Input),
    /// The address bar changed.
    Fragment(String),
    /// The device's storage answered.
    Stored(StoreAnswer),
    /// What kind of page this is; comes once, before everything else.
    Page(PageFacts),
    /// What the browser says of reaching this machine's own network.
    Permission(PermissionState),
    /// What there is of keys, after each order about them.
    Keys(Vec<KeyState>),
    /// A part of the program came, or did not.
    Brought(Part, bool),
}

/// What the page may know of a service's key: everything but the key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyState {
    /// The word of the service.
    pub slot: &'static str,
    /// There is a key.
    pub held: bool,
    /// It is kept on this device, or will be once there is one.
    pub kept: bool,
    /// The one origin that it may be sent to; empty when the service had no address yet.
    pub origin: String,
    /// What did not go as the person wanted.
    pub problem: Option<KeyProblem>,
}

/// What can be wrong with a key before it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyProblem {
    /// No header can carry it, or not on every way.
    #[error(
        "that is no key: it has blanks or letters beyond ASCII. Copy it again, without what stands around it"
    )]
    Unusable,
    /// The device's storage took nothing.
    #[error("this browser keeps nothing for this page. The key is held until the page closes")]
    NotKept,
}

/// An order about keys. None carries one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// Read a field and hold what stands in it.
    Take {
        /// The word of the service.
        slot: &'static str,
        /// The `id` of the field.
        field: String,
        /// The origin to bind it to; empty when the service has no address yet.
        origin: String,
        /// Empty the field afterwards.
        clear: bool,
    },
    /// Keep it on this device, or no longer.
    Keep {
        /// The word of the service.
        slot: &'static str,
        /// Keep it.
        on: bool,
    },
    /// Bind it to another origin.
    Bind {
        /// The word of the service.
        slot: &'static str,
        /// Where it may be sent from now on.
        origin: String,
    },
    /// Forget one, in memory and on the device.
    Forget(&'static str),
    /// Forget all of them.
    ForgetAll,
}

/// What the page knows of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "facts that have nothing to do with one another"
)]
pub struct PageFacts {
    /// The program is in parts, which are brought when they are needed.
    pub in_parts: bool,
    /// Served over `https`.
    pub https: bool,
    /// Served from this machine.
    pub local: bool,
    /// The person asked for less motion.
    pub reduced_motion: bool,
    /// Randomness for episode ids.
    pub seed: u64,
    /// What the person chose here before.
    pub preferences: Preferences,
    /// What the person chose about models.
    pub choices: Choices,
}

/// An order to the browser.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Bring a part of the program.
    Bring(Part),
    /// On the wire.
    Wire(Effect),
    /// Show this fragment in the address bar.
    Fragment(String),
    /// To the device's storage.
    Store(StoreOrder),
    /// Offer a file.
    Download {
        /// File name.
        name: String,
        /// Media type.
        mime: String,
        /// Contents.
        text: String,
    },
    /// Turn a drawing into a PNG file and offer it.
    DownloadPng {
        /// File name.
        name: String,
        /// Standalone SVG.
        svg: String,
    },
    /// Ask before the page closes (or no longer).
    GuardClose(bool),
    /// Show the page like this, and remember it on this device.
    Prefer(Preferences),
    /// Remember on this device what was chosen about models.
    Remember(Choices),
    /// About keys.
    Keys(KeyOrder),
}
