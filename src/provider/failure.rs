//! What can go wrong with a model API: a class, what the service said, whether to ask again, and
//! the sentences for a person.
//!
//! Services report errors in many shapes; they are read here, for all formats, from an answer
//! ([`Failure::of_answer`]) and from inside a good one ([`Failure::reported`]).

use super::words;
use crate::settings::Service;
use crate::wire::{FetchFailure, Headers, Millis, json, retry_after};
use serde_json::Value;

/// The longest wait that is granted to a service that asks for one.
pub const LONGEST_WAIT: Millis = Millis(120_000);

/// Most characters of a message that are kept.
const LONGEST_MESSAGE: usize = 1000;

/// Most characters of a body that is no error in any known shape.
const LONGEST_EXCERPT: usize = 300;

/// What kind of failure; names as in records (`rate_limit: …`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// 400, 422 and other 4xx.
    BadRequest,
    /// 401.
    Auth,
    /// 402.
    Payment,
    /// 403.
    Permission,
    /// 404.
    NotFound,
    /// 413.
    TooLarge,
    /// 429.
    RateLimit,
    /// A 429 that waiting does not cure.
    Quota,
    /// 529, 503 with that word.
    Overloaded,
    /// Other 5xx.
    Server,
    /// An error inside a 200 answer, of no better class.
    Stream,
    /// The answer ended before the turn was complete.
    Truncated,
    /// No answer, or the connection broke.
    Network,
    /// A 200 answer that holds no turn.
    BadStream,
    /// No sign of life within the time.
    Timeout,
    /// No key, or one that is bound to another origin: nothing was sent.
    Key,
}

impl Class {
    /// The class as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::Auth => "auth",
            Self::Payment => "payment",
            Self::Permission => "permission",
            Self::NotFound => "not_found",
            Self::TooLarge => "too_large",
            Self::RateLimit => "rate_limit",
            Self::Quota => "quota",
            Self::Overloaded => "overloaded",
            Self::Server => "server",
            Self::Stream => "stream_error",
            Self::Truncated => "truncated",
            Self::Network => "network",
            Self::BadStream => "bad_stream",
            Self::Timeout => "timeout",
            Self::Key => "key",
        }
    }
}

/// A failed request or answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Class.
    pub class: Class,
    /// HTTP status; 200 for an error inside a stream, 0 without an answer.
    pub status: u16,
    /// The service's word for the type of error.
    pub kind: Option<String>,
    /// The service's code, as text.
    pub code: Option<String>,
    /// The service's message, or what was seen; without party and advice.
    pub message: String,
    /// The same request may succeed later.
    pub retryable: bool,
    /// How long the service asks to wait.
    pub retry_after: Option<Millis>,
}

impl Failure {
    /// A failure without status and words of the service.
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self {
            class,
            status: 0,
            kind: None,
            code: None,
            message: message.into(),
            retryable: false,
            retry_after: None,
        }
    }

    /// What an answer with a status other than 2xx says.
    pub fn of_answer(status: u16, headers: &Headers, body: &[u8], now: Millis) -> Self {
        let text = String::from_utf8_lossy(body);
        let said = json::read(&text).and_then(|value| read(&value));
        let mut failure = said.unwrap_or_else(|| Self::new(Class::Server, excerpt(&text)));
        failure.status = status;
        failure.class = match (status, failure.better_class()) {
            (401, _) => Class::Auth,
            (402, _) => Class::Payment,
            (403, _) => Class::Permission,
            (404, _) => Class::NotFound,
            (413, _) => Class::TooLarge,
            (429, Some(Class::Quota)) => Class::Quota,
            (429, _) => Class::RateLimit,
            (503, Some(Class::Overloaded)) | (529, _) => Class::Overloaded,
            (500.., _) => Class::Server,
            _ => Class::BadRequest,
        };
        failure.retryable = match headers.get("x-should-retry") {
            // No wait lifts a cap on spending.
            _ if failure.class == Class::Quota => false,
            Some("true") => true,
            Some("false") => false,
            _ => matches!(status, 408 | 409 | 429 | 500..),
        };
        failure.retry_after = retry_after::wait(headers, now);
        failure
    }

    /// The error that an event, or a body under a good status, reports; none if it reports none.
    /// All shapes are known: an `error` member with an object or a text, `{"object": "error", …}`,
    /// `{"type": "error", …}` with or without an object inside, and `{"detail": …}`.
    pub fn reported(value: &Value) -> Option<Self> {
        let is_error = value.get("error").is_some_and(|error| !error.is_null())
            || ["object", "type"]
                .map(|name| text_of(value, name))
                .contains(&"error")
            || value.get("detail").is_some() && value.as_object().is_some_and(|map| map.len() == 1);
        if !is_error {
            return None;
        }
        let error = value.get("error").filter(|error| !error.is_null());
        Some(Self::told(error.unwrap_or(value)))
    }

    /// What an error inside a 200 answer says: an object with a message, or only that.
    pub fn told(error: &Value) -> Self {
        let failure = read(error);
        let mut failure =
            failure.unwrap_or_else(|| Self::new(Class::Stream, excerpt(&json::compact(error))));
        failure.status = 200;
        failure.class = failure.better_class().unwrap_or(Class::Stream);
        failure.retryable = matches!(
            failure.class,
            Class::Stream | Class::Server | Class::Overloaded | Class::RateLimit
        );
        failure
    }

    /// [`Failure::reported`] for an event or a body that can be nothing else than an error.
    pub fn in_stream(value: &Value) -> Self {
        Self::reported(value).unwrap_or_else(|| Self {
            status: 200,
            ..Self::new(
                Class::BadStream,
                format!(
                    "its answer holds no turn: {}",
                    excerpt(&json::compact(value))
                ),
            )
        })
    }

    /// An answer that ended cleanly before the turn was complete.
    pub fn truncated() -> Self {
        Self {
            status: 200,
            retryable: true,
            ..Self::new(
                Class::Truncated,
                "the answer ended before the turn was complete",
            )
        }
    }

    /// No answer, or one that broke off after a head with this `status`.
    pub fn of_fetch(failure: &FetchFailure, status: u16) -> Self {
        let class = match failure {
            FetchFailure::Unreachable | FetchFailure::Broken => Class::Network,
            FetchFailure::NoKey | FetchFailure::KeyElsewhere(_) => Class::Key,
            FetchFailure::BadAddress => Class::NotFound,
        };
        Self {
            status,
            retryable: class == Class::Network,
            ..Self::new(class, failure.to_string())
        }
    }

    /// Whether to ask again by itself, before a stream has started. Who was silent for so long is
    /// not asked once more.
    pub fn asks_again(&self) -> bool {
        self.retryable
            && self.class != Class::Timeout
            && self.retry_after.is_none_or(|wait| wait <= LONGEST_WAIT)
    }

    /// For a person: party and fact, `api.example.org answered 429: Too many requests.`
    pub fn fact(&self, service: &Service, host: &str) -> String {
        words::fact(self, service, host)
    }

    /// For a person: party, fact, next step. Holds no key.
    pub fn words(&self, service: &Service, host: &str) -> String {
        let (fact, advice) = (
            words::fact(self, service, host),
            words::advice(self, service, host),
        );
        format!("{fact} {advice}")
    }

    /// The class that the service's own words give.
    fn better_class(&self) -> Option<Class> {
        [&self.code, &self.kind]
            .into_iter()
            .flatten()
            .find_map(|word| class_of(word))
    }
}

/// What a service's word for an error, or the status that it repeats as a code, stands for.
fn class_of(word: &str) -> Option<Class> {
    let class = match word {
        "insufficient_quota"
        | "enforced_spend_limit_reached"
        | "contract_spend_limit_reached"
        | "billing_hard_limit_reached" => Class::Quota,
        "rate_limit_error"
        | "rate_limit_exceeded"
        | "rate_limit"
        | "ramp_limit_exceeded"
        | "429" => Class::RateLimit,
        "overloaded_error" | "overloaded" | "server_is_overloaded" | "529" => Class::Overloaded,
        "api_error" | "server_error" | "internal_server_error" | "timeout_error" => Class::Server,
        "invalid_request_error"
        | "invalid_prompt"
        | "context_length_exceeded"
        | "BadRequestError"
        | "400"
        | "422" => Class::BadRequest,
        "authentication_error" | "invalid_api_key" | "401" => Class::Auth,
        "billing_error" | "402" => Class::Payment,
        "permission_error" | "403" => Class::Permission,
        "not_found_error" | "model_not_found" | "404" => Class::NotFound,
        "request_too_large" | "413" => Class::TooLarge,
        _ => return None,
    };
    Some(class)
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Finds the message of an error, in whichever shape.
fn read(value: &Value) -> Option<Failure> {
    let value = match value {
        Value::Array(items) => items.first()?,
        value => value,
    };
    let error = match value.get("error") {
        None | Some(Value::Null) => value,
        Some(error) => error,
    };
    let message = match error {
        Value::String(message) => message.clone(),
        error => match (text_of(error, "message"), error.get("detail")) {
            ("", Some(detail)) => detail_text(detail),
            (message, _) => message.to_owned(),
        },
    };
    if message.is_empty() {
        return None;
    }
    let word = |value: Option<&Value>| match value? {
        Value::String(word) if !word.is_empty() && word != "error" => Some(word.clone()),
        Value::Number(number) => number.as_u64().map(|number| number.to_string()),
        _ => None,
    };
    let mut failure = Failure::new(Class::Stream, "");
    // A router that only passes the error on says in `raw` what it was.
    let raw = error.pointer("/metadata/raw").and_then(Value::as_str);
    failure.message = match raw {
        Some(raw) => words::clean(&format!("{message}: {raw}"), LONGEST_MESSAGE),
        None => words::clean(&message, LONGEST_MESSAGE),
    };
    failure.kind = word(error.get("type"));
    failure.code = word(error.pointer("/details/error_code")).or(word(error.get("code")));
    Some(failure)
}

/// `detail`, as a text, a list of what is wrong with the request, or anything else.
fn detail_text(detail: &Value) -> String {
    match detail {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let texts: Vec<&str> = items.iter().map(|item| text_of(item, "msg")).collect();
            texts.join("; ")
        }
        detail => match read(detail) {
            Some(failure) => failure.message,
            None => json::compact(detail),
        },
    }
}

/// The start of a body, without the tags of a web page.
fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let is_page = text.trim_start().starts_with('<');
    let mut in_tag = false;
    for sign in text.chars().take(20 * LONGEST_EXCERPT) {
        match sign {
            '<' if is_page => in_tag = true,
            '>' if in_tag => {
                in_tag = false;
                shown.push(' ');
            }
            _ if in_tag => {}
            sign => shown.push(sign),
        }
    }
    let shown = words::clean(&shown, LONGEST_EXCERPT);
    if shown.is_empty() {
        "no more than that".to_owned()
    } else {
        shown
    }
}

#[cfg(test)]
mod tests;
