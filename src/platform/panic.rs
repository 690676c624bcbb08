//! The last words of a page that broke: what happened, where the run so far is, what to do.
//! A panic is a bug of ours; the program is dead after it, the browser is not.

use super::document;

/// Shows a banner and writes to the console when the program panics.
pub fn install() {
    std::panic::set_hook(Box::new(|panic| {
        web_sys::console::error_1(&panic.to_string().into());
        let Some(body) = document().and_then(|document| document.body()) else {
            return;
        };
        let Some(banner) = document().and_then(|document| document.create_element("p").ok()) else {
            return;
        };
        let _ = banner.set_attribute("role", "alert");
        let _ = banner.set_attribute("class", "crash-banner");
        banner.set_text_content(Some(
            "Quayside broke: this is a bug of the page, not of your run. Everything up to the last \
             message is kept on this device. Reload the page and open Rollouts to see it.",
        ));
        let _ = body.prepend_with_node_1(&banner);
    }));
}
