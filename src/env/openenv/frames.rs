//! Frames of `/ws`: what is written, letter by letter, and what an incoming text is.
//!
//! Every frame is a JSON object with `type`. Requests carry exactly the fields below, because a
//! server refuses any other. Answers carry no id, but `mcp` hands back the one inside it.

use crate::env::{Reset, TaskRef};
use crate::wire::json::compact;
use serde_json::{Map, Value, json};

/// Ends the session on the server; no frame answers it.
pub(in crate::env) const CLOSE: &str = r#"{"type":"close"}"#;

/// `{"type":"reset","data":{…}}`; parts that were not chosen are left out.
pub(in crate::env) fn reset(reset: &Reset) -> String {
    let mut data = Map::new();
    match &reset.task {
        TaskRef::Id(id) => {
            data.insert("task_id".into(), json!(id));
        }
        TaskRef::Index { split, index } => {
            data.insert("split".into(), json!(split));
            data.insert("index".into(), json!(index));
        }
        TaskRef::Unnamed => {}
    }
    if !reset.episode_id.is_empty() {
        data.insert("episode_id".into(), json!(reset.episode_id));
    }
    compact(&json!({"type": "reset", "data": data}))
}

/// Asks how things stand. Every version answers, before and after a reset, and nothing changes.
pub(in crate::env) const STATE: &str = r#"{"type":"state"}"#;

/// Asks for the tools the way that gives calls a reward.
pub(in crate::env) fn list_tools() -> String {
    compact(&json!({"type": "step", "data": {"type": "list_tools"}}))
}

/// Calls a tool.
pub(in crate::env) fn call_tool(tool: &str, arguments: &Map<String, Value>) -> String {
    compact(&json!({
        "type": "step",
        "data": {"type": "call_tool", "tool_name": tool, "arguments": arguments},
    }))
}

/// Asks for the tools the other way; also what keeps a session alive while nothing else is asked.
pub(in crate::env) fn mcp_list(id: u32) -> String {
    compact(&json!({"type": "mcp", "data": {"jsonrpc": "2.0", "id": id, "method": "tools/list"}}))
}

/// An incoming text frame.
#[derive(Debug)]
pub(in crate::env) enum Frame {
    /// The answer to `reset` and `step`: its `data`.
    Observation(Map<String, Value>),
    /// A refusal.
    Error(Refusal),
    /// The answer to `mcp`: the JSON-RPC object.
    Mcp(Map<String, Value>),
    /// The answer to `state`, which only the doctor asks for.
    State,
    /// A frame of a type that answers nothing this client asks.
    Other,
    /// No OpenEnv frame at all: the beginning of it.
    Foreign(String),
}

/// An `error` frame.
#[derive(Debug)]
pub(in crate::env) struct Refusal {
    /// The server's code, such as `VALIDATION_ERROR`.
    pub(in crate::env) code: String,
    /// Its words, or its code when there are none.
    pub(in crate::env) message: String,
    data: Map<String, Value>,
}

impl Refusal {
    /// Whether the server closes the session after it.
    pub(in crate::env) fn is_final(&self) -> bool {
        matches!(
            self.code.as_str(),
            "CAPACITY_REACHED" | "FACTORY_ERROR" | "SESSION_ERROR"
        )
    }

    /// Sessions in use and sessions there are, when that is what was refused. A server that tells
    /// no numbers has one session, as they do by default.
    pub(in crate::env) fn capacity(&self) -> Option<(u32, u32)> {
        if self.code != "CAPACITY_REACHED" {
            return None;
        }
        let field = |name| {
            self.data
                .get(name)
                .and_then(Value::as_u64)
                .map(|n| n.min(9_999_999) as u32)
        };
        let told = field("active_sessions").zip(field("max_sessions"));
        Some(told.or_else(|| fraction(&self.message)).unwrap_or((1, 1)))
    }
}

/// The first `3/4` in a text.
fn fraction(text: &str) -> Option<(u32, u32)> {
    text.split(|c: char| !c.is_ascii_digit() && c != '/')
        .find_map(|word| {
            let (active, most) = word.split_once('/')?;
            Some((active.parse().ok()?, most.parse().ok()?))
        })
}

/// Reads an incoming text.
pub(in crate::env) fn read(text: &str) -> Frame {
    let Some(Value::Object(mut frame)) = parse(text) else {
        return Frame::Foreign(excerpt(text));
    };
    let Some(Value::String(kind)) = frame.remove("type") else {
        return Frame::Foreign(excerpt(text));
    };
    let data = match frame.remove("data") {
        Some(Value::Object(data)) => Some(data),
        _ => None,
    };
    match kind.as_str() {
        // Only a client says these: what sends them back is an echo.
        "reset" | "step" | "close" => return Frame::Foreign(excerpt(text)),
        "state" if data.is_none() => return Frame::Foreign(excerpt(text)),
        _ => {}
    }
    let data = data.unwrap_or_default();
    match kind.as_str() {
        "observation" => Frame::Observation(data),
        "mcp" => Frame::Mcp(data),
        "state" => Frame::State,
        "error" => {
            let word = |name| {
                data.get(name)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let (code, mut message) = (word("code"), word("message"));
            if message.is_empty() {
                message.clone_from(&code);
            }
            if message.is_empty() {
                message = "no reason given".into();
            }
            Frame::Error(Refusal {
                code,
                message,
                data,
            })
        }
        _ => Frame::Other,
    }
}

/// JSON, and as a second try the JSON that Python writes: `NaN`, `Infinity` and half surrogates.
fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(&repair(text)).ok())
}

fn repair(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        let token = ["NaN", "-Infinity", "Infinity"]
            .into_iter()
            .find(|t| rest.starts_with(t));
        match (quoted, c, token) {
            (false, _, Some(token)) => {
                length = token.len();
                out.push_str("null");
            }
            (true, '\\', _) => {
                let (escape, whole) = surrogate(rest).unwrap_or_else(|| {
                    let next = rest.chars().nth(1).map_or(0, char::len_utf8);
                    (length + next, true)
                });
                length = escape;
                out.push_str(if whole {
                    rest.get(..length).unwrap_or_default()
                } else {
                    "\\ufffd"
                });
            }
            _ => {
                quoted ^= c == '"';
                out.push(c);
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

/// Whether a surrogate escape stands at the front: how long it is, and whether its pair is whole.
fn surrogate(text: &str) -> Option<(usize, bool)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    match unit(0)? {
        0xd800..=0xdbff if unit(6).is_some_and(|low| (0xdc00..=0xdfff).contains(&low)) => {
            Some((12, true))
        }
        0xd800..=0xdfff => Some((6, false)),
        _ => None,
    }
}

/// The first characters of something, fit for a message.
pub(in crate::env) fn excerpt(text: &str) -> String {
    const MOST: usize = 120;
    let mut short: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    if short.trim().is_empty() {
        "(nothing)".into()
    } else {
        short
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_only_a_client_says_is_an_echo_and_no_frame() {
        for text in [STATE, CLOSE, &list_tools(), &reset(&Reset::default())] {
            assert!(matches!(read(text), Frame::Foreign(_)), "{text}");
        }
        assert!(matches!(
            read(r#"{"type":"state","data":{}}"#),
            Frame::State
        ));
        assert!(matches!(read(r#"{"type":"hello"}"#), Frame::Other));
    }

    #[test]
    fn a_frame_with_a_number_that_json_lacks_is_still_a_frame() {
        let text = r#"{"type":"observation","data":{"reward":NaN,"x":-Infinity,"s":"NaN \" NaN"}}"#;
        let Frame::Observation(data) = read(text) else {
            panic!("not read")
        };
        assert_eq!(data["reward"], Value::Null);
        assert_eq!(data["x"], Value::Null);
        assert_eq!(data["s"], "NaN \" NaN");
    }

    #[test]
    fn half_a_surrogate_becomes_a_mark_and_a_pair_stays() {
        let text = r#"{"type":"x","data":{"a":"\ud83d","b":"\ud83d\ude00","c":"\\ud83d"}}"#;
        let Some(Value::Object(frame)) = parse(text) else {
            panic!("not read")
        };
        assert_eq!(
            frame["data"],
            json!({"a": "\u{fffd}", "b": "😀", "c": "\\ud83d"})
        );
    }

    #[test]
    fn capacity_is_read_from_fields_or_from_words() {
        let full = |data: Value| {
            let text = json!({"type": "error", "data": data}).to_string();
            let Frame::Error(refusal) = read(&text) else {
                panic!("no error")
            };
            assert!(refusal.is_final());
            refusal.capacity().unwrap()
        };
        let code = "CAPACITY_REACHED";
        let message = "Server at capacity: 3/4 sessions active. Cannot accept new connections.";
        assert_eq!(
            full(json!({"code": code, "active_sessions": 64, "max_sessions": 64})),
            (64, 64)
        );
        assert_eq!(full(json!({"code": code, "message": message})), (3, 4));
        assert_eq!(full(json!({"code": code})), (1, 1));
    }

    #[test]
    fn an_excerpt_is_short_and_has_no_control_characters() {
        let long = excerpt(&"<html>\n".repeat(100));
        assert_eq!(long.chars().count(), 121);
        assert!(!long.contains('\n'));
        assert_eq!(excerpt(" \n"), "(nothing)");
    }

    proptest! {
        #[test]
        fn no_text_stops_the_reader(text in "(\\PC|[{}\"\\\\:,u0d8NaN])*") {
            let _ = read(&text);
        }

        #[test]
        fn repairing_sound_json_keeps_its_meaning(text in "\\PC*", key in "\\PC*") {
            let sound = json!({key: [text, 1, null]}).to_string();
            prop_assert_eq!(
                serde_json::from_str::<Value>(&repair(&sound)).unwrap(),
                serde_json::from_str::<Value>(&sound).unwrap()
            );
        }
    }
}
