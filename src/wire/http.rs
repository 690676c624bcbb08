//! HTTP as data: a request that names the key slot it needs (never the key), and what comes back.

use serde_json::Value;

/// Header names and values in order of arrival; names compare without case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(pub Vec<(String, String)>);

impl Headers {
    /// The first value under `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }
}

/// The verb of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Read.
    Get,
    /// Send a JSON body.
    Post,
}

/// Which key a request needs, and where it goes. The key itself is filled in by `platform` as it
/// sends, and only towards the origin that the person bound it to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// The key slot: the word of a service.
    pub slot: &'static str,
    /// The header that carries it.
    pub header: &'static str,
    /// What stands before it in that header.
    pub prefix: &'static str,
    /// Without a key the request is not sent at all.
    pub needed: bool,
}

/// A request, ready to be sent but for the key.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpRequest {
    /// The verb.
    pub method: Method,
    /// Absolute address, or one relative to the page.
    pub url: String,
    /// Headers without credentials.
    pub headers: Vec<(String, String)>,
    /// The JSON body of a POST.
    pub body: Option<Value>,
    /// The key it needs.
    pub key: Option<KeyUse>,
    /// Only learn whether something answers: an opaque answer is enough (`mode: "no-cors"`).
    pub opaque: bool,
}

impl HttpRequest {
    /// The same, with a key.
    #[must_use]
    pub fn with_key(mut self, key: Option<KeyUse>) -> Self {
        self.key = key;
        self
    }
    /// The same, with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
    /// A plain GET.
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: Method::Get,
            url: url.into(),
            headers: Vec::new(),
            body: None,
            key: None,
            opaque: false,
        }
    }
    /// A POST with a JSON body.
    pub fn post(url: impl Into<String>, body: Value) -> Self {
        Self {
            method: Method::Post,
            url: url.into(),
            headers: vec![("content-type".into(), "application/json".into())],
            body: Some(body),
            key: None,
            opaque: false,
        }
    }
}

/// What an HTTP exchange reports: one `Head`, any number of `Bytes`, then `End` or `Failed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpEvent {
    /// Status and headers are here. An opaque answer has status 0.
    Head {
        /// Status code.
        status: u16,
        /// Headers that the page may read.
        headers: Headers,
    },
    /// More of the body.
    Bytes(Vec<u8>),
    /// The body is complete.
    End,
    /// No answer, or the connection broke; nothing follows.
    Failed(FetchFailure),
}

/// Why there is no (complete) answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchFailure {
    /// The browser gives one error for a missing server, a refused origin (CORS) and a blocked address.
    #[error("the page could not reach it")]
    Unreachable,
    /// The connection broke after the head.
    #[error("the connection broke before the answer was complete")]
    Broken,
    /// No key is held for it; nothing was sent.
    #[error("no key is held for it")]
    NoKey,
    /// The key is bound to this other origin; nothing was sent.
    #[error("its key is for {0} only")]
    KeyElsewhere(String),
    /// The address is none that a page may ask.
    #[error("the address is not usable")]
    BadAddress,
}
