//! Waits and frames. A wait of 0 goes through a message channel: `setTimeout` is held to 4 ms when
//! nested and to a second in a hidden tab, which would stretch work in slices a hundredfold.

use super::under_way::UnderWay;
use super::window;
use crate::wire::{Millis, TimerId};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};

/// The waits under way.
#[derive(Default)]
pub struct Timers(Rc<RefCell<UnderWay<TimerId, Option<i32>>>>);

impl Timers {
    /// Calls `done` after `length`, unless cancelled before.
    pub fn wait(&self, id: TimerId, length: Millis, done: impl FnOnce() + 'static) {
        let waiting = self.0.clone();
        let fire = move || {
            let due = waiting.borrow_mut().remove(&id).is_some();
            if due {
                done();
            }
        };
        if length.0 == 0 {
            self.0.borrow_mut().insert(id, None);
            soon(fire);
        } else {
            let length = i32::try_from(length.0).unwrap_or(i32::MAX);
            let handle = window().set_timeout_with_callback_and_timeout_and_arguments_0(
                Closure::once_into_js(fire).unchecked_ref(),
                length,
            );
            self.0.borrow_mut().insert(id, handle.ok());
        }
    }

    /// Forgets a wait.
    pub fn cancel(&self, id: TimerId) {
        if let Some(Some(handle)) = self.0.borrow_mut().remove(&id) {
            window().clear_timeout_with_handle(handle);
        }
    }
}

/// Calls `work` from the event loop, as soon as it is free.
pub fn soon(work: impl FnOnce() + 'static) {
    thread_local! {
        static QUEUE: RefCell<std::collections::VecDeque<Box<dyn FnOnce()>>> = RefCell::default();
        static CHANNEL: Option<web_sys::MessageChannel> = channel();
    }
    fn channel() -> Option<web_sys::MessageChannel> {
        let channel = web_sys::MessageChannel::new().ok()?;
        let next = Closure::<dyn FnMut()>::new(|| {
            let work = QUEUE.with_borrow_mut(std::collections::VecDeque::pop_front);
            if let Some(work) = work {
                work();
            }
        });
        channel
            .port1()
            .set_onmessage(Some(next.as_ref().unchecked_ref()));
        next.forget(); // one for the life of the page
        Some(channel)
    }
    QUEUE.with_borrow_mut(|queue| queue.push_back(Box::new(work)));
    CHANNEL.with(|channel| {
        if let Some(channel) = channel {
            let _ = channel.port2().post_message(&JsValue::NULL);
        }
    });
}

/// Calls `work` before the next frame is painted.
pub fn next_frame(work: impl FnOnce() + 'static) {
    let work = Closure::once_into_js(work);
    let _ = window().request_animation_frame(work.unchecked_ref());
}
