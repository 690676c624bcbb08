//! The browser: the only module that touches it. It carries orders out and decides nothing.
//!
//! | file | contact with the outside |
//! |---|---|
//! | `driver.rs` | the one loop: facts to [`crate::app::App`], its orders to the files below |
//! | `fetch.rs` | HTTP requests, body by body chunk |
//! | `keys.rs` | people's own keys: their fields, and what is kept of them |
//! | `socket.rs` | WebSockets |
//! | `timer.rs` | waits and animation frames |
//! | `storage.rs` | IndexedDB |
//! | `tabs.rs` | the other pages of this browser |
//! | `page.rs` | address bar, title, closing, what kind of page this is |
//! | `download.rs` | files offered to the person |
//! | `files.rs` | files and rollouts that come to the page; the clipboard |
//! | `pack.rs` | deflate, inflate and gunzip |
//! | `panic.rs` | the last words of a page that broke |
#![allow(
    clippy::disallowed_methods,
    reason = "the bans keep the browser out of every other module; this one is the browser's"
)]

pub mod driver;
pub mod panic;

mod download;
pub mod fetch;
mod files;
pub mod keys;
mod pack;
mod page;
pub mod socket;
pub mod storage;
pub mod tabs;
pub mod timer;
mod under_way;

pub use driver::Driver;

/// A browser call failed; the text is the browser's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlatformError(pub String);

impl From<wasm_bindgen::JsValue> for PlatformError {
    fn from(value: wasm_bindgen::JsValue) -> Self {
        use wasm_bindgen::JsCast;
        let text = value
            .dyn_ref::<js_sys::Error>()
            .map(|error| String::from(error.message()))
            .or_else(|| value.as_string())
            .unwrap_or_else(|| "the browser gave no reason".into());
        Self(text)
    }
}

/// The page's window. There is always one: this program runs in no worker.
#[allow(
    clippy::expect_used,
    reason = "the program is only ever started by a page"
)]
fn window() -> web_sys::Window {
    web_sys::window().expect("a page has a window")
}

fn document() -> Option<web_sys::Document> {
    window().document()
}

/// Milliseconds since the Unix epoch.
fn now() -> crate::wire::Millis {
    crate::wire::Millis(js_sys::Date::now() as u64)
}
