//! The page's start: panic hook, state, driver, mount. Natively there is nothing to run.

#[cfg(target_arch = "wasm32")]
fn main() {
    use leptos::prelude::*;
    use quayside::platform::{Driver, panic};
    use quayside::ui::{self, Dispatch, State};

    panic::install();
    leptos::mount::mount_to_body(|| {
        // The page in two values: a reader of state, and a way to say what is wanted.
        let state = State::new();
        let driver = Driver::start(Box::new(move |app| state.publish(app)));
        provide_context(state);
        provide_context(Dispatch::new(move |intent| driver.intend(intent)));
        ui::App()
    });
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("Quayside runs in a browser: scripts/serve builds and serves it.");
}
