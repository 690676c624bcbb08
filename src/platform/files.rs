//! Files and rollouts that come to the page: chosen in a field, dropped, pasted, or handed over by
//! the page that opened or embeds this one.
//!
//! A field for files is any `input[type=file][data-open]`. Pasted text that is a link to this page
//! is followed, other text is opened like a file.
//!
//! Handing over: the other page posts `{quayside: "ping"}` until it is answered `{quayside:
//! "pong"}`, then `{quayside: "open", name, text}` or the same with `bytes` (an `ArrayBuffer`).
//! Messages of other windows are not heard.

use super::{document, window};
use crate::app::{Fact, Route};
use crate::rollout::LIMIT;
use js_sys::{Object, Reflect, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    ClipboardEvent, DragEvent, Element, Event, File, FileList, HtmlInputElement, MessageEvent,
};

type Report = Rc<dyn Fn(Fact)>;

/// Listens, for the life of the page.
pub(super) fn listen(report: impl Fn(Fact) + 'static) {
    let report: Report = Rc::new(report);
    on("change", &report, |event: &Event, report| {
        let Some(field) = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
        else {
            return;
        };
        if field.type_() == "file" && field.has_attribute("data-open") {
            take(field.files(), report);
            // The same file can be chosen again.
            field.set_value("");
        }
    });
    on("dragover", &report, |event: &Event, _| {
        if event.dyn_ref::<DragEvent>().is_some_and(carries_files) {
            event.prevent_default();
        }
    });
    on("drop", &report, |event: &Event, report| {
        let Some(event) = event.dyn_ref::<DragEvent>() else {
            return;
        };
        if carries_files(event) {
            event.prevent_default();
            take(event.data_transfer().and_then(|data| data.files()), report);
        }
    });
    on("paste", &report, |event: &Event, report| {
        let in_field = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
            .is_some_and(|element| {
                element
                    .closest("input, textarea")
                    .is_ok_and(|found| found.is_some())
            });
        let Some(data) = event
            .dyn_ref::<ClipboardEvent>()
            .and_then(ClipboardEvent::clipboard_data)
            .filter(|_| !in_field)
        else {
            return;
        };
        if data.files().is_some_and(|files| files.length() > 0) {
            take(data.files(), report);
        } else if let Ok(text) = data.get_data("text/plain")
            && !text.trim().is_empty()
        {
            report(pasted(text));
        }
    });
    on("message", &report, |event: &Event, report| {
        if let Some(event) = event.dyn_ref::<MessageEvent>() {
            heard(event, report);
        }
    });
}

fn on(name: &str, report: &Report, hear: impl Fn(&Event, &Report) + 'static) {
    let report = report.clone();
    let heard = Closure::<dyn FnMut(Event)>::new(move |event: Event| hear(&event, &report));
    let _ = window().add_event_listener_with_callback(name, heard.as_ref().unchecked_ref());
    heard.forget(); // one for the life of the page
}

fn carries_files(event: &DragEvent) -> bool {
    event
        .data_transfer()
        .is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

/// Text is a link to a rollout, or the contents of a file.
fn pasted(text: String) -> Fact {
    let link = text.trim().split_once("#/r").map(|(_, rest)| rest);
    match link
        .filter(|rest| rest.starts_with(['/', '?']) && !text.trim().contains(char::is_whitespace))
    {
        Some(rest) => Fact::Followed(Route::parse(&["#/r", rest].concat())),
        None => Fact::Files(vec![("the pasted text".to_owned(), text.into_bytes())]),
    }
}

/// Reads files. One that is too large to be opened is not read; its reader says so.
fn take(files: Option<FileList>, report: &Report) {
    let Some(files) = files.filter(|files| files.length() > 0) else {
        return;
    };
    let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
    let report = report.clone();
    spawn_local(async move {
        let mut read = Vec::with_capacity(files.len());
        for file in files {
            let most = LIMIT as f64 + 1.0;
            let Ok(part) = file.slice_with_f64_and_f64(0.0, most) else {
                continue;
            };
            let bytes = JsFuture::from(part.array_buffer()).await;
            let bytes = bytes.map(|buffer| Uint8Array::new(&buffer).to_vec());
            read.push((file.name(), bytes.unwrap_or_default()));
        }
        report(Fact::Files(read));
    });
}

fn heard(event: &MessageEvent, report: &Report) {
    let here: JsValue = window().into();
    let source: JsValue = event.source().map_or(JsValue::NULL, Into::into);
    let parent: JsValue = window()
        .parent()
        .ok()
        .flatten()
        .map_or(JsValue::NULL, Into::into);
    let opener = window().opener().unwrap_or(JsValue::NULL);
    if source.is_null() || source == here || (source != parent && source != opener) {
        return;
    }
    let data = event.data();
    let field = |name: &str| Reflect::get(&data, &name.into()).ok();
    let text = |name: &str| field(name).and_then(|value| value.as_string());
    match text("quayside").as_deref() {
        Some("ping") => {
            let answer = Object::new();
            let _ = Reflect::set(&answer, &"quayside".into(), &"pong".into());
            let source: web_sys::Window = source.unchecked_into();
            // Any page may know that there is a page here.
            let _ = source.post_message(&answer, "*");
        }
        Some("open") => {
            let bytes = match text("text") {
                Some(text) => text.into_bytes(),
                None => match field("bytes")
                    .and_then(|bytes| bytes.dyn_into::<js_sys::ArrayBuffer>().ok())
                {
                    Some(buffer) if (buffer.byte_length() as usize) <= LIMIT => {
                        Uint8Array::new(&buffer).to_vec()
                    }
                    _ => return,
                },
            };
            if bytes.len() <= LIMIT {
                let name = text("name").unwrap_or_else(|| "what was handed over".into());
                report(Fact::Handed(event.origin(), name, bytes));
            }
        }
        _ => {}
    }
}

/// Puts text into the clipboard; tells whether it is there.
pub(super) fn copy(text: &str, report: impl FnOnce(bool) + 'static) {
    // Pages without https have no clipboard.
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into())
        .ok()
        .and_then(|clipboard| clipboard.dyn_into::<web_sys::Clipboard>().ok());
    let written = clipboard.map(|clipboard| clipboard.write_text(text));
    spawn_local(async move {
        let done = match written {
            Some(written) => JsFuture::from(written).await.is_ok(),
            None => false,
        };
        report(done);
    });
}

/// The page's address without its fragment.
pub(super) fn address() -> String {
    let url = document()
        .and_then(|document| document.url().ok())
        .unwrap_or_default();
    url.split('#').next().unwrap_or_default().to_owned()
}
