//! Links, files and exports: what of a rollout leaves the page, and rollouts that come from elsewhere.
//!
//! Packing and unpacking is the browser's work ([`Packing`]), so a link is made in two steps, and a
//! newer one takes the place of one that is still being made. Nothing leaves before it has been
//! looked through for keys: for their shapes here, for the person's own by `platform`, which alone
//! knows them.

pub mod guest;
#[cfg(test)]
mod tests;
pub(super) mod work;

use super::intent::{Order, PackFailure, Packing};
use super::{Look, Shown};
use crate::share::{Choices, Fit, Outgoing, Parcel, fits};
use crate::store::Kept;
pub use guest::{Guest, GuestFacts};
pub use work::Export;

/// The page's dealings with the outside.
#[derive(Default)]
pub struct Sharing {
    tickets: u64,
    /// The share dialog, while it is open.
    pub dialog: Option<Dialog>,
    making: Option<(u64, Parcel)>,
    /// A rollout that is not on this device.
    pub guest: Guest,
    pub(super) visit: guest::Visit,
    pub(super) files: Option<Files>,
    pub(super) importing: Option<Importing>,
    /// The file that was held back once.
    pub(super) warned: Option<(Shown, Option<Export>)>,
}

/// Files on their way in; those that are packed are unpacked one after the other.
#[derive(Debug)]
pub(super) struct Files {
    pub ready: Vec<(String, Vec<u8>)>,
    pub left: Vec<(String, Vec<u8>)>,
    pub troubles: Vec<String>,
    pub unpacking: Option<(u64, String)>,
}

/// What came from elsewhere, on its way to the device.
#[derive(Debug)]
pub(super) struct Importing {
    pub first: Option<Kept>,
    pub troubles: Vec<String>,
    pub look: Look,
}

/// The share dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    /// Which run it shares.
    pub whose: Shown,
    /// What is ticked.
    pub choices: Choices,
    /// The run was on a server; its origin.
    pub server: Option<String>,
    /// What the link does not hold.
    pub left_out: Vec<&'static str>,
    /// The link.
    pub link: Link,
    /// What became of the last press on a copy button.
    pub copied: Option<bool>,
}

/// A link, as far as it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Link {
    /// It is being made.
    Making,
    /// Here it is.
    Ready {
        /// The whole address.
        url: String,
        /// Where it fits.
        fit: Fit,
    },
    /// It would hold what looks like a key: where.
    HeldBack(Vec<String>),
    /// It cannot be made: why, and the next step.
    Failed(String),
}

impl Dialog {
    /// The finished address.
    pub fn url(&self) -> Option<&str> {
        match &self.link {
            Link::Ready { url, .. } => Some(url),
            _ => None,
        }
    }
}

/// What is told where a stored key was found in something that was about to leave.
pub const OWN_KEY: &str = "It holds an API key that is kept on this page, so it stays here. Leave out the part that \
     holds it, or change the key at its service.";

impl Sharing {
    pub(super) fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    /// Opens the dialog, or makes its link anew with other ticks.
    pub(super) fn share(
        &mut self,
        whose: Shown,
        choices: Choices,
        outgoing: &Outgoing<'_>,
    ) -> Option<Order> {
        let mut dialog = Dialog {
            whose,
            choices,
            server: outgoing.origin(),
            left_out: Vec::new(),
            link: Link::Making,
            copied: None,
        };
        let mut order = None;
        self.making = None;
        match work::pack(outgoing, choices) {
            None => {}
            Some(Err(error)) => dialog.link = Link::Failed(error.to_string()),
            Some(Ok(packed)) => {
                dialog.left_out = packed.left_out;
                if packed.secrets.is_empty() {
                    let ticket = self.ticket();
                    let bytes = packed.parcel.bytes.clone();
                    self.making = Some((ticket, packed.parcel));
                    order = Some(Order::Pack(ticket, Packing::Deflate(bytes)));
                } else {
                    dialog.link = Link::HeldBack(packed.secrets);
                }
            }
        }
        self.dialog = Some(dialog);
        order
    }

    /// Closes the dialog.
    pub(super) fn close(&mut self) {
        self.dialog = None;
        self.making = None;
    }

    /// The browser has packed, or could not. `page` is the page's address without its fragment.
    pub(super) fn packed(
        &mut self,
        ticket: u64,
        result: &Result<Vec<u8>, PackFailure>,
        page: &str,
    ) {
        let Some((_, parcel)) = self.making.take_if(|(asked, _)| *asked == ticket) else {
            return;
        };
        let Some(dialog) = &mut self.dialog else {
            return;
        };
        let deflated = match result {
            Ok(deflated) => deflated.as_slice(),
            Err(PackFailure::OwnKey) => {
                dialog.link = Link::HeldBack(vec![OWN_KEY.into()]);
                return;
            }
            // A longer link is better than none.
            Err(_) => &parcel.bytes,
        };
        if let Some(fragment) = work::code(&parcel, deflated) {
            let url = [page, &fragment].concat();
            let fit = fits(url.chars().count());
            dialog.link = Link::Ready { url, fit };
        }
    }
}
