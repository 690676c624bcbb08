//! The other pages of this browser: a channel that each of them hears, but not the one that speaks.

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{BroadcastChannel, MessageEvent};

/// The channel. Where there is none, each page is by itself.
pub struct Tabs(Option<BroadcastChannel>);

impl Tabs {
    /// Listens for the life of the page.
    pub fn open(report: impl Fn(String) + 'static) -> Self {
        let channel = BroadcastChannel::new(crate::store::DATABASE).ok();
        if let Some(channel) = &channel {
            let heard = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
                if let Some(text) = event.data().as_string() {
                    report(text);
                }
            });
            channel.set_onmessage(Some(heard.as_ref().unchecked_ref()));
            heard.forget(); // one for the life of the page
        }
        Self(channel)
    }

    /// Says something to the others.
    pub fn tell(&self, text: &str) {
        if let Some(channel) = &self.0 {
            let _ = channel.post_message(&JsValue::from_str(text));
        }
    }
}
