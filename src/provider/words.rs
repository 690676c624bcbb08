//! Failures in words: party, fact, next step.

use super::failure::{Class, Failure};
use crate::settings::Service;
use crate::settings::service::Key;

/// What a key begins with at services that mark their keys.
const KEY_MARKS: [&str; 4] = ["sk-", "sk_", "hf_", "gsk_"];

/// Fewest characters of a key.
const SHORTEST_KEY: usize = 8;

/// One line of at most `most` characters, in which no word looks like a key.
pub(super) fn clean(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut left = most;
    let mut after_bearer = false;
    for word in text.split_whitespace() {
        if left == 0 {
            out.push('…');
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        let joins = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
        let is_marked = word.split(|sign| !joins(sign)).any(|part| {
            part.len() >= SHORTEST_KEY && KEY_MARKS.iter().any(|mark| part.starts_with(mark))
        });
        let is_key = is_marked || after_bearer && word.len() >= SHORTEST_KEY;
        let bare = word.trim_matches(|sign: char| !sign.is_ascii_alphanumeric());
        after_bearer = bare.eq_ignore_ascii_case("bearer");
        if is_key {
            out.push_str("(a key)");
        } else {
            out.extend(word.chars().take(left));
        }
        left = left.saturating_sub(word.chars().count() + 1);
    }
    out
}

/// Party and fact.
pub(super) fn fact(failure: &Failure, service: &Service, host: &str) -> String {
    let message = failure.message.as_str();
    let mut text = match (failure.class, failure.status) {
        (Class::Key, _) => format!("Nothing was sent to {}: {message}", service.label),
        (Class::Network, 0) => format!("The page could not reach {host}"),
        (Class::Timeout, _) => format!("{host} gave no sign of life for {message}"),
        (Class::Truncated | Class::Network | Class::BadStream, _) | (_, 0) => {
            format!("{host}: {message}")
        }
        (_, 200) => format!("{host} reported an error in its answer: {message}"),
        (_, status) => format!("{host} answered {status}: {message}"),
    };
    if !text.ends_with(['.', '!', '?', '…']) {
        text.push('.');
    }
    text
}

/// The next step.
pub(super) fn advice(failure: &Failure, service: &Service, host: &str) -> String {
    let label = service.label;
    let step = match failure.class {
        Class::Key => "Enter its key under Models, or allow the one there for this address.",
        Class::Auth if service.key == Key::Needed => "Check its key under Models.",
        Class::Auth => "It wants a key: enter or check it under Models.",
        Class::Payment => "Pay in there, or choose another model under Models.",
        Class::Permission => {
            "The key does not allow this. Check what it may do, or choose another model."
        }
        Class::NotFound => "Check the model's name and the address under Models.",
        Class::TooLarge => {
            "The conversation is too long for it. Choose fewer turns, or another model."
        }
        Class::BadRequest => {
            "It does not take the request as it is. Choose another model or other limits."
        }
        Class::RateLimit => "Wait a while, then run again.",
        Class::Quota => "Waiting does not help. Raise the limit there, or choose another model.",
        Class::Overloaded | Class::Server | Class::Stream => {
            "The fault is on that side. Run again later, or choose another model."
        }
        Class::Truncated => "Run again.",
        Class::Timeout => "Run again, or choose another model.",
        Class::BadStream => "This address does not answer as a model does. Check it under Models.",
        Class::Network if failure.status != 0 => "Check the connection, then run again.",
        Class::Network => return unreachable(service, host),
    };
    // Elsewhere the switch is about CORS or tools, and who reads an answer has passed that.
    let explains =
        matches!(failure.class, Class::Auth | Class::Permission) && service.key == Key::Needed;
    if explains && !service.switch.is_empty() {
        return format!("{step} {label}: {}", service.switch);
    }
    step.to_owned()
}

/// What it can be that keeps a page from a service. The browser tells no more than that.
fn unreachable(service: &Service, host: &str) -> String {
    let mut text = String::from("The browser does not say why. ");
    text.push_str(if is_near(host) {
        "Is the server running there? Has this site been allowed to reach the local network (site \
         settings, left of the address)? From an https page some browsers, Safari among them, block \
         an http address: then download this page and run it locally."
    } else {
        "Is there a connection, and is the address under Models right? It may also refuse calls from \
         pages (CORS), or something on the way blocks them."
    });
    if !service.switch.is_empty() {
        text.push(' ');
        text.push_str(service.switch);
    }
    text
}

/// Whether a host is this machine or its network.
fn is_near(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default();
    let mut parts = name.split('.');
    let mut part = || parts.next().unwrap_or_default();
    let (first, second, third) = (part(), part(), part());
    let is_number = !third.is_empty() && third.bytes().all(|sign| sign.is_ascii_digit());
    match (first, second) {
        // A name without a domain, or an address in brackets.
        (_, "") => true,
        ("127" | "0" | "10", _) | ("192", "168") => is_number,
        ("172", second) => is_number && matches!(second.parse(), Ok(16_u8..32)),
        (_, second) => second == "local" && third.is_empty(),
    }
}
