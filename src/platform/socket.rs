//! `WebSocket`s as events. A socket that was closed by us, or dropped, reports nothing more.

use super::PlatformError;
use super::under_way::UnderWay;
use crate::wire::{SocketEvent, SocketId};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{BinaryType, CloseEvent, MessageEvent, WebSocket};

/// The open sockets.
#[derive(Default)]
pub struct Sockets(Rc<RefCell<UnderWay<SocketId, Open>>>);

struct Open {
    socket: WebSocket,
    // Kept so that the listeners live as long as the socket.
    _opened: Closure<dyn FnMut()>,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _closed: Closure<dyn FnMut(CloseEvent)>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        let _ = self.socket.close_with_code(1000);
    }
}

impl Sockets {
    /// Opens a socket; `report` is called later, never from inside this call.
    pub fn open(&self, id: SocketId, url: &str, report: impl Fn(SocketEvent) + 'static) {
        let socket = match WebSocket::new(url) {
            Ok(socket) => socket,
            Err(error) => {
                let reason = PlatformError::from(error).0;
                super::timer::soon(move || report(SocketEvent::Refused(reason)));
                return;
            }
        };
        socket.set_binary_type(BinaryType::Arraybuffer);
        let report = Rc::new(report);
        let tell = report.clone();
        let opened = Closure::<dyn FnMut()>::new(move || tell(SocketEvent::Opened));
        let tell = report.clone();
        let message = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
            let data = event.data();
            tell(match data.as_string() {
                Some(text) => SocketEvent::Text(text),
                None => SocketEvent::Binary(
                    data.dyn_ref::<js_sys::ArrayBuffer>()
                        .map_or(0, |buffer| buffer.byte_length() as usize),
                ),
            });
        });
        let sockets = self.0.clone();
        let closed = Closure::<dyn FnMut(_)>::new(move |event: CloseEvent| {
            // The entry holds this very closure: it goes only after the call is over.
            let sockets = sockets.clone();
            super::timer::soon(move || drop(sockets.borrow_mut().remove(&id)));
            report(SocketEvent::Closed {
                code: event.code(),
                reason: event.reason(),
            });
        });
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        let open = Open {
            socket,
            _opened: opened,
            _message: message,
            _closed: closed,
        };
        self.0.borrow_mut().insert(id, open);
    }

    /// Sends text; a socket that is not open ignores it (its `Closed` says why).
    pub fn send(&self, id: SocketId, text: &str) {
        if let Some(open) = self.0.borrow().get(&id)
            && open.socket.ready_state() == WebSocket::OPEN
        {
            let _ = open.socket.send_with_str(text);
        }
    }

    /// Closes a socket and forgets it; what it still says reaches nobody.
    pub fn close(&self, id: SocketId) {
        // Dropped later: the order may come from inside one of its own listeners.
        let gone = self.0.borrow_mut().remove(&id);
        super::timer::soon(move || drop(gone));
    }
}
