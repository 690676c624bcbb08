//! HTTP requests as events: head, bytes as they come, end or failure. An aborted request says
//! nothing more. No cookies, no referrer, no cache. The one place where a key meets a request: it
//! goes to the origin that it is bound to, no redirect takes it any further, and no answer brings it
//! back.

use super::keys::Keys;
use super::under_way::UnderWay;
use crate::wire::http::Method;
use crate::wire::json::compact;
use crate::wire::{CallId, FetchFailure, Headers, HttpEvent, HttpRequest};
use gloo_net::http::{Request, RequestBuilder, Response};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, ReadableStreamDefaultReader};

/// The requests under way, and the keys that go with them. By default there are no keys.
#[derive(Default)]
pub struct Fetches {
    under_way: Rc<RefCell<UnderWay<CallId, Option<AbortController>>>>,
    keys: Rc<Keys>,
}

impl Fetches {
    /// Nothing under way; requests are given the keys that they need.
    pub fn new(keys: Rc<Keys>) -> Self {
        Self {
            under_way: Rc::default(),
            keys,
        }
    }

    /// Sends a request; `report` is called later, never from inside this call.
    pub fn start(&self, id: CallId, request: HttpRequest, report: impl Fn(HttpEvent) + 'static) {
        let abort = AbortController::new().ok();
        self.under_way.borrow_mut().insert(id, abort.clone());
        let under_way = self.under_way.clone();
        let keys = self.keys.clone();
        spawn_local(async move {
            let wanted = || under_way.borrow().contains_key(&id);
            let tell = |event| {
                if wanted() {
                    report(event);
                }
            };
            let last = match exchange(request, &keys, abort, &tell).await {
                Ok(()) => HttpEvent::End,
                Err(failure) => HttpEvent::Failed(failure),
            };
            tell(last);
            under_way.borrow_mut().remove(&id);
        });
    }

    /// Gives a request up.
    pub fn abort(&self, id: CallId) {
        if let Some(Some(abort)) = self.under_way.borrow_mut().remove(&id) {
            abort.abort();
        }
    }
}

async fn exchange(
    request: HttpRequest,
    keys: &Keys,
    abort: Option<AbortController>,
    tell: &impl Fn(HttpEvent),
) -> Result<(), FetchFailure> {
    // Taken now: a key that is forgotten meanwhile is still in what the service says of it.
    let mut veil = request.key.map(|used| keys.veil(&used)).unwrap_or_default();
    let response = send(request, keys, abort).await?;
    let headers = response.headers().entries().collect();
    tell(HttpEvent::Head {
        status: response.status(),
        headers: Headers(headers),
    });
    let Some(body) = response.body() else {
        return Ok(());
    };
    let reader: ReadableStreamDefaultReader = body
        .get_reader()
        .dyn_into()
        .map_err(|_| FetchFailure::Broken)?;
    loop {
        let chunk = JsFuture::from(reader.read())
            .await
            .map_err(|_| FetchFailure::Broken)?;
        let field = |name: &str| js_sys::Reflect::get(&chunk, &name.into()).ok();
        if field("done").is_none_or(|done| done.is_truthy()) {
            let rest = veil.end();
            if !rest.is_empty() {
                tell(HttpEvent::Bytes(rest));
            }
            return Ok(());
        }
        if let Some(bytes) =
            field("value").and_then(|value| value.dyn_into::<js_sys::Uint8Array>().ok())
        {
            tell(HttpEvent::Bytes(veil.push(bytes.to_vec())));
        }
    }
}

async fn send(
    request: HttpRequest,
    keys: &Keys,
    abort: Option<AbortController>,
) -> Result<Response, FetchFailure> {
    let mut builder: RequestBuilder = match request.method {
        Method::Get => Request::get(&request.url),
        Method::Post => Request::post(&request.url),
    };
    builder = builder
        .credentials(web_sys::RequestCredentials::Omit)
        .referrer_policy(web_sys::ReferrerPolicy::NoReferrer)
        .abort_signal(abort.map(|abort| abort.signal()).as_ref());
    if request.opaque {
        builder = builder.mode(web_sys::RequestMode::NoCors);
    }
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    if let Some(wanted) = &request.key
        && let Some(value) = keys.header(wanted, &request.url)?
    {
        // A redirect would take the header to an origin that nobody chose.
        builder = builder
            .redirect(web_sys::RequestRedirect::Error)
            .header(wanted.header, &value);
    }
    let request = match &request.body {
        Some(body) => builder.body(compact(body)),
        None => builder.build(),
    };
    request
        .map_err(|_| FetchFailure::BadAddress)?
        .send()
        .await
        .map_err(|_| FetchFailure::Unreachable)
}
