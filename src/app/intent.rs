//! What goes in and out of the page's state: intents of a person, facts of the browser, orders.

use super::Route;
use super::kept;
use super::models::Wish;
use super::route::Look;
use super::sharing::Export;
use crate::env::doctor::PermissionState;
use crate::part::Part;
use crate::settings::{Choices, Limits, Preferences};
use crate::share::Choices as Ticks;
use crate::store::{StoreAnswer, StoreOrder};
use crate::wire::{Effect, Input};

/// What a person wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Another screen.
    Go(Route),
    /// Share this run, or make its link anew with other ticks.
    Share(Shown, Ticks),
    /// Close the share dialog.
    CloseShare,
    /// Put the link into the clipboard; as Markdown, with what it leads to.
    CopyLink {
        /// With its title, for a text.
        markdown: bool,
    },
    /// Fetch the file that the link names.
    FetchGuest,
    /// Do not wait for it any longer.
    StopFetching,
    /// Keep the rollout on show, which came from elsewhere, on this device.
    KeepGuest,
    /// Save the shown run in another form.
    Export(Shown, Export),
    /// This is looked at of the rollout on show.
    Look(Look),
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
    /// About what is kept on this device.
    Kept(kept::Wish),
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
    /// Another page of this browser said something.
    Told(String),
    /// The page goes away.
    Leaving,
    /// What kind of page this is; comes once, before everything else.
    Page(PageFacts),
    /// What the browser says of reaching this machine's own network.
    Permission(PermissionState),
    /// What there is of keys, after each order about them.
    Keys(Vec<KeyState>),
    /// The browser has packed or unpacked, or could not: which order, and what came of it.
    Packed(u64, Result<Vec<u8>, PackFailure>),
    /// Text is in the clipboard, or could not be put there.
    Copied(bool),
    /// Something that was about to leave holds one of the person's own keys, and stayed.
    HeldBack,
    /// A link that was pasted.
    Followed(Route),
    /// Files that a person opened: names and contents.
    Files(Vec<(String, Vec<u8>)>),
    /// Another page handed a rollout over: its origin, a name and the contents.
    Handed(String, String, Vec<u8>),
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
    /// The page's address without its fragment.
    pub address: String,
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

/// What is to be packed or unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Deflate, for a link. Not when it holds one of the person's keys.
    Deflate(Vec<u8>),
    /// Undo that, up to 32 MiB.
    Inflate(Vec<u8>),
    /// Unpack a gzip file, up to 32 MiB.
    Gunzip(Vec<u8>),
}

/// Why something was not packed or unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackFailure {
    /// It holds one of the person's keys.
    OwnKey,
    /// More than 32 MiB come out of it.
    TooLarge,
    /// It is not what it should be.
    Damaged,
    /// This browser cannot.
    Unable,
}

impl PackFailure {
    /// What is told of a link.
    pub fn of_link(self) -> String {
        match self {
            Self::TooLarge => crate::share::LinkError::TooLarge.to_string(),
            Self::Unable => {
                "This browser cannot unpack links: it is too old. Open the link in a newer one."
                    .into()
            }
            _ => crate::share::LinkError::Damaged.to_string(),
        }
    }

    /// What is told of a file.
    pub fn of_file(self) -> String {
        match self {
            Self::TooLarge => "the file holds more than 32 MiB when it is unpacked. Split it, or open a smaller one".into(),
            Self::Unable => "this browser cannot unpack gzip files. Unpack it first".into(),
            _ => "the file says that it is gzip, but it cannot be unpacked: it is cut or damaged. Get it again".into(),
        }
    }
}

/// An order to the browser.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Pack or unpack, and report with this number.
    Pack(u64, Packing),
    /// Put this into the clipboard.
    Copy(String),
    /// Bring a part of the program.
    Bring(Part),
    /// On the wire.
    Wire(Effect),
    /// Show this fragment in the address bar.
    Fragment(String),
    /// Show it in place of the one that is there: "Back" does not come to that again.
    Replace(String),
    /// Say this to the other pages of this browser.
    Tell(String),
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
