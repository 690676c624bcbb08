//! The last look at what is about to leave: does a key stand in it?
//!
//! In: texts, and a way to ask for the keys that are kept ([`Stored`]; only `platform` has one,
//! and it hands out places, never values). Out: places. What is found is told by kind and length;
//! the secret itself is never repeated, nor any part of it beyond the letters its kind begins with.

use crate::rollout::{Message, Record};
use crate::wire::json::compact;
use serde_json::Value;
use std::fmt;
use std::ops::Range;

/// Finds kept keys in a text: calls back with the byte range of each. In tests and where no key
/// can be kept, `&|_, _| {}`.
pub type Stored<'a> = &'a dyn Fn(&str, &mut dyn FnMut(Range<usize>));

/// What a secret looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// One of the keys kept on this device.
    Stored,
    /// A key with a beginning that a service gives its keys.
    Key {
        /// The beginning.
        prefix: &'static str,
        /// Whose it is.
        whose: &'static str,
    },
    /// What follows `Bearer` or `Basic` in an Authorization header.
    Header,
    /// A JSON Web Token.
    Token,
    /// A private key in PEM form.
    Pem,
    /// A user name and a password in an address.
    Login,
}

/// A secret, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// What it looks like.
    pub kind: SecretKind,
    /// Bytes of the text.
    pub at: Range<usize>,
    /// Which text.
    pub place: Place,
}

/// A text of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// The only one there is.
    #[default]
    Text,
    /// Model, task, ids and the like.
    Facts,
    /// The text of a message, by position from 0.
    Message(usize),
    /// The reasoning of a message.
    Reasoning(usize),
    /// The arguments of a call: message, and call in it, from 0.
    Arguments(usize, usize),
    /// A step, by position from 0.
    Step(usize),
    /// The final plan and its grade.
    Final,
    /// What failed, and which providers took over.
    Errors,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("the text"),
            Self::Facts => f.write_str("the facts of the run"),
            Self::Message(place) => write!(f, "message {}", place + 1),
            Self::Reasoning(place) => write!(f, "the reasoning of message {}", place + 1),
            Self::Arguments(place, call) => {
                write!(f, "call {} of message {}", call + 1, place + 1)
            }
            Self::Step(place) => write!(f, "draft {}", place + 1),
            Self::Final => f.write_str("the final plan and its grade"),
            Self::Errors => f.write_str("the errors"),
        }
    }
}

impl fmt::Display for SecretKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("a key kept on this device"),
            Self::Key { prefix, whose } => write!(f, "a key of {whose} ({prefix}…)"),
            Self::Header => f.write_str("the value of an Authorization header"),
            Self::Token => f.write_str("a JSON Web Token (eyJ…)"),
            Self::Pem => f.write_str("a private key"),
            Self::Login => f.write_str("a user name and password in an address"),
        }
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.at.len();
        write!(f, "{} holds {}, {length} characters", self.place, self.kind)
    }
}

/// Beginnings of keys, the longer before the shorter that they begin with; whose; and the fewest
/// characters that follow.
const KEYS: [(&str, &str, usize); 15] = [
    ("sk-ant-", "Anthropic", 20),
    ("sk-or-", "OpenRouter", 20),
    ("sk-", "OpenAI or a service like it", 20),
    ("hf_", "Hugging Face", 20),
    ("api_org_", "Hugging Face", 20),
    ("gsk_", "Groq", 20),
    ("xai-", "xAI", 20),
    ("AIza", "Google", 30),
    ("AKIA", "Amazon Web Services", 16),
    ("ASIA", "Amazon Web Services", 16),
    ("github_pat_", "GitHub", 20),
    ("ghp_", "GitHub", 30),
    ("gho_", "GitHub", 30),
    ("glpat-", "GitLab", 16),
    ("xox", "Slack", 16),
];

/// Fewest characters that follow `Bearer` or `Basic`.
const HEADER: usize = 16;
/// Fewest letters and digits in a row, at least one of them a digit, that a key has somewhere.
const RUN: usize = 10;

/// Secrets in one text, in order, none inside another.
pub fn secrets(text: &str, stored: Stored<'_>) -> Vec<Secret> {
    let mut found = Vec::new();
    find(Place::Text, text, stored, &mut found);
    found
}

/// Secrets in every text of a record: what a link was packed from a record and opened again holds,
/// or a record that goes into a file.
pub fn secrets_in(record: &Record, stored: Stored<'_>) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut look = |place: Place, text: &str| find(place, text, stored, &mut found);
    let json = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => compact(other),
    };
    for text in [
        &record.model,
        &record.task_id,
        &record.episode_id,
        &record.started,
    ] {
        look(Place::Facts, text);
    }
    look(
        Place::Facts,
        record.end_reason.as_deref().unwrap_or_default(),
    );
    for map in [&record.extra, &record.usage_extra] {
        for value in map.values() {
            look(Place::Facts, &json(value));
        }
    }
    for (place, message) in record.messages.iter().enumerate() {
        look_at(place, message, &mut look);
    }
    for (place, step) in record.steps.iter().enumerate() {
        look(Place::Step(place), &step.tool);
        look(Place::Step(place), &json(&step.plan));
        look(Place::Step(place), &json(&step.result));
        for value in step.extra.values() {
            look(Place::Step(place), &json(value));
        }
    }
    let last = &record.last;
    let rubric = last.rubric.as_ref();
    for value in [&last.plan, &last.grade]
        .into_iter()
        .chain(rubric)
        .chain(last.extra.values())
    {
        look(Place::Final, &json(value));
    }
    for line in record.errors.iter().chain(&record.provider_switches) {
        look(Place::Errors, line);
    }
    found
}

fn look_at(place: usize, message: &Message, look: &mut dyn FnMut(Place, &str)) {
    let here = Place::Message(place);
    let extra = match message {
        Message::System { content, extra } | Message::User { content, extra } => {
            look(here, content);
            extra
        }
        Message::Assistant {
            content,
            reasoning,
            stop,
            tool_calls,
            extra,
        } => {
            look(here, content);
            look(here, stop);
            look(Place::Reasoning(place), reasoning);
            for (number, call) in tool_calls.iter().enumerate() {
                let here = Place::Arguments(place, number);
                for text in [&call.id, &call.name, &call.arguments] {
                    look(here, text);
                }
                for value in call.extra.values() {
                    look(here, &compact(value));
                }
            }
            extra
        }
        Message::Tool {
            tool_call_id,
            name,
            content,
            extra,
        } => {
            for text in [tool_call_id, name, content] {
                look(here, text);
            }
            extra
        }
        Message::Other(value) => {
            look(here, &compact(value));
            return;
        }
    };
    for value in extra.values() {
        look(here, &compact(value));
    }
}

fn find(place: Place, text: &str, stored: Stored<'_>, found: &mut Vec<Secret>) {
    let first = found.len();
    let mut add = |kind: SecretKind, at: Range<usize>| {
        found.push(Secret { kind, at, place });
    };
    stored(text, &mut |at| add(SecretKind::Stored, at));
    let bytes = text.as_bytes();
    let mut from = 0;
    while from < bytes.len() {
        let starts = from
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .is_none_or(|before| !before.is_ascii_alphanumeric());
        let rest = bytes.get(from..).unwrap_or_default();
        // A key begins where a word does; what begins with a sign can stand anywhere.
        let starts = starts || matches!(rest.first(), Some(b':' | b'-'));
        match starts.then(|| shape(rest)).flatten() {
            Some((kind, length)) => {
                add(kind, from..from + length);
                from += length;
            }
            None => from += 1,
        }
    }
    let mut ours = found.split_off(first);
    crate::order::by_key(&mut ours, |secret| {
        (secret.at.start, usize::MAX - secret.at.end)
    });
    let mut end = 0;
    for secret in ours {
        if secret.at.end > end {
            end = secret.at.end;
            found.push(secret);
        }
    }
}

/// A secret that begins here: its kind and its length in bytes.
fn shape(rest: &[u8]) -> Option<(SecretKind, usize)> {
    match rest.first()? {
        b's' | b'h' | b'a' | b'g' | b'x' | b'A' => key(rest).or_else(|| header(rest)),
        b'B' | b'b' => header(rest),
        b'e' => token(rest),
        b'-' => pem(rest),
        b':' => login(rest),
        _ => None,
    }
}

/// How many bytes in a row are of this kind.
fn run(rest: &[u8], of: impl Fn(u8) -> bool) -> usize {
    rest.iter().take_while(|byte| of(**byte)).count()
}

fn is_key_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// Whether a text of key characters looks drawn at random: digits among letters, and not only
/// words between hyphens.
fn is_random(tail: &[u8]) -> bool {
    let mut runs = tail.split(|byte| !byte.is_ascii_alphanumeric());
    runs.any(|run| run.len() >= RUN && run.iter().any(u8::is_ascii_digit))
}

fn key(rest: &[u8]) -> Option<(SecretKind, usize)> {
    for (prefix, whose, least) in KEYS {
        let Some(tail) = rest.strip_prefix(prefix.as_bytes()) else {
            continue;
        };
        let length = run(tail, is_key_sign);
        let tail = tail.get(..length)?;
        if length >= least && is_random(tail) {
            return Some((SecretKind::Key { prefix, whose }, prefix.len() + length));
        }
    }
    None
}

fn header(rest: &[u8]) -> Option<(SecretKind, usize)> {
    for word in ["bearer", "basic"] {
        let Some((given, tail)) = rest.split_at_checked(word.len()) else {
            continue;
        };
        if !given.eq_ignore_ascii_case(word.as_bytes()) {
            continue;
        }
        let blanks = run(tail, |byte| byte == b' ');
        let value = tail.get(blanks..)?;
        let length = run(value, |byte| {
            is_key_sign(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'=')
        });
        let value = value.get(..length)?;
        if blanks > 0 && length >= HEADER && is_random(value) {
            return Some((SecretKind::Header, word.len() + blanks + length));
        }
    }
    None
}

/// `eyJ….….…`: two JSON objects and a signature, as base64url.
fn token(rest: &[u8]) -> Option<(SecretKind, usize)> {
    let length = run(rest, |byte| is_key_sign(byte) || byte == b'.');
    let mut parts = rest.get(..length)?.split(|byte| *byte == b'.');
    let (head, body, seal) = (parts.next()?, parts.next()?, parts.next()?);
    let is_token = head.starts_with(b"eyJ")
        && body.starts_with(b"eyJ")
        && head.len() >= 12
        && seal.len() >= 16;
    let length = head.len() + body.len() + seal.len() + 2;
    is_token.then_some((SecretKind::Token, length))
}

fn pem(rest: &[u8]) -> Option<(SecretKind, usize)> {
    let head = rest.get(..rest.len().min(64))?;
    let tail = head.strip_prefix(b"-----BEGIN ")?;
    let label = run(tail, |byte| byte.is_ascii_uppercase() || byte == b' ');
    let label = tail.get(..label)?;
    let length = 11 + label.len();
    label
        .ends_with(b"PRIVATE KEY")
        .then_some((SecretKind::Pem, length))
}

/// `://user:password@`.
fn login(rest: &[u8]) -> Option<(SecretKind, usize)> {
    let tail = rest.strip_prefix(b"://")?;
    let length = run(tail, |byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'/' | b'@' | b'"' | b'?' | b'#' | b'\\')
    });
    let (user, rest) = tail.split_at_checked(length)?;
    let (name, password) = user.split_at_checked(user.iter().position(|byte| *byte == b':')?)?;
    let is_login = rest.first() == Some(&b'@') && !name.is_empty() && password.len() > 1;
    is_login.then_some((SecretKind::Login, 3 + length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{ToolCall, Turn};
    use proptest::prelude::*;

    const NONE: Stored<'static> = &|_, _| {};
    /// Looks like a key, is none: put together so that no scanner of sources takes it for one.
    const RANDOM: &str = "q7Lw2Zr9TnB4xKcV8mHd5sJg1YfP6eAu";

    fn kinds(text: &str) -> Vec<SecretKind> {
        secrets(text, NONE)
            .into_iter()
            .map(|secret| secret.kind)
            .collect()
    }

    #[test]
    fn each_beginning_of_a_key_is_known() {
        for (prefix, whose, _) in KEYS {
            let text = format!("set it to \"{prefix}{RANDOM}\" and go");
            let found = secrets(&text, NONE);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].kind, SecretKind::Key { prefix, whose });
            assert_eq!(&text[found[0].at.clone()], format!("{prefix}{RANDOM}"));
        }
    }

    #[test]
    fn headers_tokens_private_keys_and_logins_are_known() {
        let token = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{RANDOM}");
        assert_eq!(
            kinds(&format!("{{\"token\":\"{token}\"}}")),
            [SecretKind::Token]
        );
        assert_eq!(
            kinds(&format!("Authorization: Bearer {RANDOM}")),
            [SecretKind::Header]
        );
        assert_eq!(
            kinds(&format!("authorization: basic {RANDOM}==")),
            [SecretKind::Header]
        );
        let pem = "-----BEGIN RSA PRIVATE KEY-----\nMII";
        assert_eq!(kinds(pem), [SecretKind::Pem]);
        assert_eq!(
            kinds("from https://ann:pw@play.example.org/ws"),
            [SecretKind::Login]
        );
    }

    #[test]
    fn a_header_with_a_known_key_is_found_once() {
        assert_eq!(kinds(&format!("Bearer sk-{RANDOM}")), [SecretKind::Header]);
    }

    #[test]
    fn ordinary_words_are_no_secrets() {
        for text in [
            "a risk-averse plan with a task-list-for-the-night-shift-2025",
            "sk-learn-contrib-tutorial-for-beginners-2025",
            "the bearer of bad news, and bearer authentication-is-required1",
            "Basic arithmetic: basic understanding_of_the_problem",
            "eyJustAWord.eyJ.x and eyes",
            "-----BEGIN PUBLIC KEY-----",
            "https://play.example.org:8000/ws?a=b@c and mailto:ann@example.org",
            "hf_hub_download_with_a_long_function_name_1",
            "whisk-3fa85f6457174562b3fc2c963f66afa6",
            "AKIA is a beginning; so is xoxb-",
            "ASIAN ports, ASIA-EUROPE service 2025-2026-winter-schedule",
            "#/r/1pd.abc.def",
            "",
        ] {
            assert_eq!(kinds(text), [], "{text}");
        }
    }

    #[test]
    fn a_kept_key_is_found_whatever_it_looks_like() {
        let stored: Stored<'_> = &|text, found| {
            for (at, key) in text.match_indices("tea-for-two") {
                found(at..at + key.len());
            }
        };
        let found = secrets("ask for tea-for-two, tea-for-two!", stored);
        let places: Vec<_> = found.iter().map(|secret| secret.at.clone()).collect();
        assert_eq!(places, [8..19, 21..32]);
        assert_eq!(
            found[0].to_string(),
            "the text holds a key kept on this device, 11 characters"
        );
    }

    #[test]
    fn a_record_is_searched_in_every_corner_and_the_secret_is_not_repeated() {
        let key = format!("hf_{RANDOM}");
        let turn = Turn {
            text: format!("my key is {key}"),
            reasoning: key.clone(),
            calls: vec![ToolCall::from_raw(
                "1",
                "t",
                format!("{{\"key\": \"{key}\"}}"),
            )],
            ..Turn::default()
        };
        let record = Record {
            task_id: key.clone(),
            messages: vec![
                Message::system(key.as_str()),
                Message::assistant(&turn),
                Message::tool("1", "t", key.as_str()),
                Message::Other(key.as_str().into()),
            ],
            steps: vec![crate::rollout::Step {
                result: serde_json::json!({ "a": [key] }),
                ..crate::rollout::Step::default()
            }],
            errors: vec![key.clone()],
            ..Record::default()
        };
        let found = secrets_in(&record, NONE);
        let places: Vec<_> = found.iter().map(|secret| secret.place).collect();
        assert_eq!(
            places,
            [
                Place::Facts,
                Place::Message(0),
                Place::Message(1),
                Place::Reasoning(1),
                Place::Arguments(1, 0),
                Place::Message(2),
                Place::Message(3),
                Place::Step(0),
                Place::Errors,
            ]
        );
        for secret in found {
            assert!(!format!("{secret} {secret:?}").contains(&RANDOM[..4]));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_searched(text in "(sk-|hf_|Bearer |eyJ|://|-----BEGIN |[ -~é]){0,20}") {
            for secret in secrets(&text, NONE) {
                prop_assert!(text.get(secret.at).is_some());
            }
        }
    }
}
