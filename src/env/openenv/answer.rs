//! What an observation means: a tool's answer, the beginning of an episode, a list of tools.
//!
//! A large result travels three times in one frame (`content`, `structured_content`, `data`); one
//! copy is moved out and the others are let go.

use crate::chat::{ToolSpec, empty_schema};
use crate::env::ToolAnswer;
use crate::wire::json::{compact, error_text, spaced};
use serde_json::{Map, Value, json};

/// The message a server gives when it has handed a silent session's place to somebody else.
const GIVEN_AWAY: &str = "MCP client is not available";

/// The session exists no longer, though its socket is open.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::env) struct Lost;

/// Whether an error's words mean [`Lost`].
pub(in crate::env) fn is_lost(message: &str) -> bool {
    message.contains(GIVEN_AWAY)
}

/// The `data` of an observation, taken apart. `reward`, `done` and `metadata` stand in `data`, or
/// else in `data.observation`.
#[derive(Debug, Default)]
pub(in crate::env) struct Observation {
    pub(in crate::env) reward: Option<f64>,
    pub(in crate::env) done: bool,
    pub(in crate::env) metadata: Map<String, Value>,
    /// The other fields of `data.observation`.
    pub(in crate::env) fields: Map<String, Value>,
}

impl Observation {
    pub(in crate::env) fn from_data(mut data: Map<String, Value>) -> Self {
        let mut fields = match data.remove("observation") {
            Some(Value::Object(fields)) => fields,
            None | Some(Value::Null) => Map::new(),
            Some(other) => Map::from_iter([("observation".to_owned(), other)]),
        };
        let inner = [
            fields.remove("reward"),
            fields.remove("done"),
            fields.remove("metadata"),
        ];
        let [inner_reward, inner_done, inner_metadata] = inner;
        let mut either = |name: &str, inner: Option<Value>| {
            data.remove(name).filter(|value| !value.is_null()).or(inner)
        };
        let reward = match either("reward", inner_reward) {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::Bool(yes)) => Some(f64::from(u8::from(yes))),
            _ => None,
        };
        let done = either("done", inner_done).is_some_and(|done| done == json!(true));
        let outer = match data.remove("metadata") {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        };
        let metadata = match inner_metadata {
            Some(Value::Object(map)) if outer.is_empty() => map,
            _ => outer,
        };
        Self {
            reward,
            done,
            metadata,
            fields,
        }
    }

    /// The tools it lists, `None` when it is no such list.
    pub(in crate::env) fn tools(&mut self) -> Option<Vec<ToolSpec>> {
        match self.fields.remove("tools") {
            Some(Value::Array(list)) => Some(list.into_iter().filter_map(tool).collect()),
            _ => None,
        }
    }

    /// Whether this can be the answer to a tool call, rather than a list of tools that comes late.
    pub(in crate::env) fn is_late_list(&self) -> bool {
        self.fields.contains_key("tools") && !self.fields.contains_key("result")
    }

    /// The answer to a tool call.
    pub(in crate::env) fn answer(mut self) -> Result<ToolAnswer, Lost> {
        let text = match failure(self.fields.remove("error")) {
            Some(message) if is_lost(&message) => return Err(Lost),
            Some(message) => error_text(&message),
            None => match self.fields.remove("result") {
                Some(Value::Null) | None => rest_text(self.fields),
                Some(result) => result_text(result),
            },
        };
        Ok(ToolAnswer {
            text,
            done: self.done,
            reward: self.reward,
            metadata: self.metadata,
        })
    }
}

/// A tool as a server describes it, in either spelling of its schema.
pub(in crate::env) fn tool(value: Value) -> Option<ToolSpec> {
    let Value::Object(mut map) = value else {
        return None;
    };
    let Some(Value::String(name)) = map.remove("name") else {
        return None;
    };
    let description = match map.remove("description") {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let input_schema = ["input_schema", "inputSchema"]
        .iter()
        .filter_map(|key| map.remove(*key))
        .find(Value::is_object)
        .unwrap_or_else(empty_schema);
    Some(ToolSpec {
        name,
        description,
        input_schema,
    })
}

/// The message of an `error` field, if it says that something failed.
fn failure(error: Option<Value>) -> Option<String> {
    match error? {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text),
        Value::Object(mut map) => match map.remove("message") {
            Some(Value::String(text)) => Some(text),
            _ if map.is_empty() => None,
            _ => Some(compact(&Value::Object(map))),
        },
        other => Some(compact(&other)),
    }
}

/// The answer of an environment that puts it beside the usual fields: those, as JSON.
fn rest_text(mut fields: Map<String, Value>) -> String {
    fields.remove("tool_name");
    fields.retain(|_, value| !value.is_null());
    if fields.is_empty() {
        "null".into()
    } else {
        spaced(&Value::Object(fields))
    }
}

fn result_text(result: Value) -> String {
    match result {
        Value::Object(mut map) if map.contains_key("content") || map.contains_key("data") => {
            let failed = ["is_error", "isError"]
                .iter()
                .any(|key| map.get(*key) == Some(&Value::Bool(true)));
            let text = shaped_text(&mut map);
            if failed && !says_error(&text) {
                error_text(&text)
            } else {
                text
            }
        }
        Value::Array(blocks) if !blocks.is_empty() && blocks.iter().all(is_block) => {
            Blocks::read(blocks).joined()
        }
        other => plain(other),
    }
}

/// Text blocks joined; when that is empty `data`, then `structured_content`, then what the other
/// blocks are.
fn shaped_text(map: &mut Map<String, Value>) -> String {
    let mut blocks = match map.remove("content") {
        Some(Value::Array(blocks)) => Blocks::read(blocks),
        Some(Value::String(text)) => Blocks {
            texts: vec![text],
            others: Vec::new(),
        },
        _ => Blocks::default(),
    };
    let spoken = !blocks.texts.is_empty();
    let joined = blocks.joined();
    if !joined.is_empty() {
        return joined;
    }
    let mut given = |name: &str| map.remove(name).filter(|value| !value.is_null());
    let data = given("data").or_else(|| given("structured_content"));
    match data.or_else(|| given("structuredContent")) {
        Some(value) => plain(value),
        None if spoken => String::new(),
        None if !blocks.others.is_empty() => blocks.others.join("\n"),
        None => "null".into(),
    }
}

/// Content blocks: texts, and what the others are (`[image/png]`).
#[derive(Default)]
struct Blocks {
    texts: Vec<String>,
    others: Vec<String>,
}

impl Blocks {
    fn read(list: Vec<Value>) -> Self {
        let mut blocks = Self::default();
        for block in list {
            let Value::Object(mut block) = block else {
                continue;
            };
            let kind = block.get("type").and_then(Value::as_str).unwrap_or("text");
            if kind == "text" {
                if let Some(Value::String(text)) = block.remove("text") {
                    blocks.texts.push(text);
                }
            } else {
                let media = block.get("mimeType").and_then(Value::as_str);
                blocks.others.push(format!("[{}]", media.unwrap_or(kind)));
            }
        }
        blocks
    }

    /// The texts with newlines between them; a single one is moved, not copied.
    fn joined(&mut self) -> String {
        match self.texts.as_mut_slice() {
            [only] => std::mem::take(only),
            texts => texts.join("\n"),
        }
    }
}

fn is_block(value: &Value) -> bool {
    value.get("type").is_some_and(Value::is_string)
        && value.get("text").is_some_and(Value::is_string)
}

fn says_error(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(map)) if map.contains_key("error"))
}

fn plain(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => spaced(&other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(data: Value) -> ToolAnswer {
        let Value::Object(data) = data else {
            panic!("an object")
        };
        Observation::from_data(data).answer().unwrap()
    }

    fn text(result: &Value) -> String {
        answer(json!({"observation": {"tool_name": "t", "error": null, "result": result}})).text
    }

    fn block(text: &str) -> Value {
        json!({"type": "text", "text": text, "annotations": null})
    }

    #[test]
    fn every_shape_of_a_result_has_its_text() {
        let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
        for (result, expected) in [
            (
                json!({"content": [block("{\"a\":1}")], "data": {"a": 1}}),
                "{\"a\":1}",
            ),
            (
                json!({"content": [block("a"), block("b")], "data": null}),
                "a\nb",
            ),
            (
                json!({"content": [block("see"), image], "data": null}),
                "see",
            ),
            (
                json!({"content": [], "structured_content": null, "data": null}),
                "null",
            ),
            (
                json!({"content": [block("")], "structured_content": {"result": ""}, "data": ""}),
                "",
            ),
            (json!({"content": [block("")], "data": null}), ""),
            (
                json!({"content": [block("{\"x\":NaN}")], "data": {"x": null}}),
                "{\"x\":NaN}",
            ),
            (
                json!({"content": [block("{'x': 3}")], "data": {"x": 3}}),
                "{'x': 3}",
            ),
            (json!({"content": [], "data": {"a": [1]}}), "{\"a\": [1]}"),
            (json!({"content": [], "data": "word"}), "word"),
            (
                json!({"content": [], "data": null, "structured_content": {"a": 1}}),
                "{\"a\": 1}",
            ),
            (json!({"content": [image], "data": null}), "[image/png]"),
            (json!({"content": "bare"}), "bare"),
            (json!("bare text"), "bare text"),
            (json!({"bare": "object"}), "{\"bare\": \"object\"}"),
            (json!([1, 2]), "[1, 2]"),
            (json!([]), "[]"),
            (json!([block("a"), block("b")]), "a\nb"),
            (json!(7), "7"),
            (json!(false), "false"),
            (
                json!({"content": [block("boom")], "is_error": true}),
                "{\"error\": \"boom\"}",
            ),
            (
                json!({"content": [block("{\"error\":\"x\"}")], "isError": true}),
                "{\"error\":\"x\"}",
            ),
        ] {
            assert_eq!(text(&result), expected, "{result}");
        }
    }

    #[test]
    fn an_error_replaces_the_result() {
        for (error, expected) in [
            (
                json!({"error_type": "timeout", "message": "too slow"}),
                "{\"error\": \"too slow\"}",
            ),
            (json!("no such tool"), "{\"error\": \"no such tool\"}"),
            (json!({"code": 3}), "{\"error\": \"{\\\"code\\\":3}\"}"),
        ] {
            let observation = json!({"error": error, "result": {"content": [block("x")]}});
            assert_eq!(
                answer(json!({"observation": observation, "reward": 0.5})).text,
                expected
            );
        }
        let lost =
            json!({"error": {"message": "MCP client is not available; environment is closed"}});
        let Value::Object(data) = json!({"observation": lost}) else {
            panic!()
        };
        assert_eq!(Observation::from_data(data).answer(), Err(Lost));
    }

    #[test]
    fn without_a_result_the_other_fields_are_the_answer() {
        let observation =
            json!({"tool_name": "t", "board": "x-o", "hint": null, "metadata": {"step": 1}});
        let answer = answer(json!({"observation": observation, "done": false}));
        assert_eq!(answer.text, "{\"board\": \"x-o\"}");
        assert_eq!(answer.metadata["step"], 1);
        assert_eq!(text(&Value::Null), "null");
    }

    #[test]
    fn reward_done_and_metadata_are_found_in_both_places() {
        let inside = json!({"reward": true, "done": true, "metadata": {"a": 1}, "result": "r"});
        for data in [
            json!({"observation": inside}),
            json!({"observation": inside, "reward": null, "metadata": {}}),
            json!({"observation": {"result": "r"}, "reward": 1, "done": true, "metadata": {"a": 1}}),
        ] {
            let answer = answer(data);
            assert_eq!(answer.reward, Some(1.0));
            assert!(answer.done);
            assert_eq!(answer.metadata["a"], 1);
        }
        let outer_wins = answer(json!({"observation": inside, "reward": 0.25, "done": false}));
        assert_eq!((outer_wins.reward, outer_wins.done), (Some(0.25), false));
        assert_eq!(answer(json!({"reward": "much"})).reward, None);
    }

    #[test]
    fn tools_come_in_two_spellings_and_with_gaps() {
        let list = json!({"observation": {"tools": [
            {"name": "a", "description": null, "input_schema": {"type": "object"}},
            {"name": "b", "description": "does b", "inputSchema": {"type": "object", "x": 1}},
            {"name": "c", "input_schema": null},
            {"description": "nameless"}, 3]}});
        let Value::Object(data) = list else { panic!() };
        let tools = Observation::from_data(data).tools().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(tools[0].description, "");
        assert_eq!(tools[1].input_schema["x"], 1);
        assert_eq!(tools[2].input_schema, empty_schema());
    }
}
