//! What a browser puts between a page and an address.

use super::{Reach, ServerAddress};
use std::fmt;

/// Something that can keep a page from an address before the server hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// An encrypted page may not open an unencrypted address: no server will be asked.
    MixedContent,
    /// Allowed on this machine by most browsers; not by all.
    PlainLoopback,
    /// The browser asks the person before a public page reaches this machine or its network.
    LocalPermission,
    /// The same, but an unencrypted public page is not even allowed to ask.
    LocalForbidden,
}

impl Concern {
    /// Whether it is certain that nothing gets through.
    pub fn blocks(self) -> bool {
        matches!(self, Self::MixedContent | Self::LocalForbidden)
    }
}

impl fmt::Display for Concern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MixedContent => {
                "This page is encrypted (https) and the server is not: the browser blocks it. \
                 Give the server an https address, or download this page and run it locally."
            }
            Self::PlainLoopback => {
                "The server on this machine is unencrypted. Chrome, Edge and Firefox allow that, \
                 Safari may not: there, download this page and run it locally."
            }
            Self::LocalPermission => {
                "The browser will ask whether this site may reach devices on your network: allow it. \
                 If it was refused before, change it in the site settings left of the address."
            }
            Self::LocalForbidden => {
                "An unencrypted page on the internet may not reach this machine or its network. \
                 Open this page over https, or download it and run it locally."
            }
        })
    }
}

/// What stands between a page and `address`. Pure: the page says what it is.
/// `page_is_local` means that it was itself loaded from loopback, a private address or a file.
pub fn border(page_is_https: bool, page_is_local: bool, address: &ServerAddress) -> Vec<Concern> {
    let mut concerns = Vec::new();
    if page_is_https && !address.secure {
        concerns.push(if address.reach == Reach::Loopback {
            Concern::PlainLoopback
        } else {
            Concern::MixedContent
        });
    }
    if !page_is_local && address.reach != Reach::Public {
        concerns.push(if page_is_https {
            Concern::LocalPermission
        } else {
            Concern::LocalForbidden
        });
    }
    concerns
}
