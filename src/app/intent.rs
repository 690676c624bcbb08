//! What goes in and out of the page's state: intents of a person, facts of the browser, orders.

use super::Route;
use crate::env::doctor::PermissionState;
use crate::settings::{Limits, Preferences};
use crate::store::{StoreAnswer, StoreOrder};
use crate::wire::{Effect, Input};

/// What a person wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Another screen.
    Go(Route),
    /// Run the demonstration again.
    PlayDemo,
    /// Show this step of the demonstration (from 0), and stop playing.
    ShowDemoStep(usize),
    /// Step through the demonstration from its beginning.
    PlayDemoSteps,
    /// Run the chosen model on the task of the workbench.
    Run {
        /// Limits of the episode.
        limits: Limits,
        /// Typed instructions, for an environment that gives none.
        instructions: Option<String>,
    },
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
}

/// What the page knows of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFacts {
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
}

/// An order to the browser.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
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
}
