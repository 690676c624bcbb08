//! `OpenAI` Responses.
//!
//! - <https://developers.openai.com/api/reference/resources/responses>
//! - <https://developers.openai.com/api/docs/guides/streaming-responses>
//! - <https://developers.openai.com/api/docs/guides/function-calling>
//! - <https://developers.openai.com/api/docs/guides/reasoning>
//! - <https://developers.openai.com/api/docs/guides/prompt-caching>
//!
//! Nothing is stored at the service, so the history is all output items as they came: reasoning
//! with its encrypted content, messages with their phase, calls, and items nobody here knows.

use super::ToolResult;
use super::failure::{Class, Failure};
use super::format::{Answer, Ask, Format, TurnDecoder};
use crate::chat::{Delta, ToolCall, ToolSpec, Turn, Usage};
use crate::wire::json::Plain;
use crate::wire::{HttpRequest, json};
use serde_json::{Map, Value, json};

// Request

/// The format.
#[derive(Debug)]
pub struct OpenAiResponses;

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function", "name": spec.name,
        "description": spec.description, "parameters": spec.input_schema,
    })
}

impl Format for OpenAiResponses {
    fn request(&self, ask: &Ask<'_>) -> HttpRequest {
        let setting = ask.setting;
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| {
            body.insert(name.to_owned(), value);
        };
        put("model", ask.model.into());
        put("max_output_tokens", setting.max_tokens.into());
        put("stream", true.into());
        put("store", false.into());
        put("include", json!(["reasoning.encrypted_content"]));
        let effort = setting.effort.word().unwrap_or("medium");
        put("reasoning", json!({"effort": effort, "summary": "auto"}));
        // Other services that speak this may refuse what they do not know.
        if setting.base == setting.service.base {
            put("prompt_cache_key", setting.conversation.as_str().into());
        }
        if !setting.system.is_empty() {
            put("instructions", setting.system.as_str().into());
        }
        if !setting.tools.is_empty() {
            put("tools", setting.tools.iter().map(tool).collect());
        }
        put("input", ask.history.into());
        HttpRequest::post(format!("{}/responses", setting.base), body.into())
            .with_key(setting.service.key_use())
    }

    fn append(&self, history: &mut Vec<Value>, results: &[ToolResult], texts: &[String]) {
        for result in results {
            let (id, text) = (&result.call.id, &result.text);
            history.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
        }
        if !texts.is_empty() {
            let text = texts.join("\n\n");
            history
                .push(json!({"role": "user", "content": [{"type": "input_text", "text": text}]}));
        }
    }

    fn decoder(&self, _ask: &Ask<'_>) -> Box<dyn TurnDecoder> {
        Box::new(Decoder::default())
    }
}

// Decoder

/// What a streamed piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Text,
    Summary,
    /// Thoughts as they are, from models that show them.
    Thoughts,
    Arguments,
}

/// The events that carry a piece as their `delta`.
const PIECES: [(&str, Piece); 5] = [
    ("response.output_text.delta", Piece::Text),
    ("response.refusal.delta", Piece::Text),
    ("response.reasoning_summary_text.delta", Piece::Summary),
    ("response.reasoning_text.delta", Piece::Thoughts),
    ("response.function_call_arguments.delta", Piece::Arguments),
];

fn piece_of(kind: &str) -> Option<Piece> {
    let (_, piece) = PIECES.iter().find(|(name, _)| *name == kind)?;
    Some(*piece)
}

/// An output item.
#[derive(Debug, Default)]
struct Item {
    /// Its number at the service.
    index: u64,
    /// Its place among the calls, if it is one.
    call: Option<usize>,
    /// The part of which a piece was shown last, and whether that is a summary of thoughts.
    shown: Option<(bool, u64)>,
    /// The item once it is finished.
    done: Option<Value>,
}

/// A turn in the making.
#[derive(Debug, Default)]
struct Decoder {
    /// In the service's order.
    items: Vec<Item>,
    calls: usize,
    /// What has been shown.
    text: String,
    reasoning: String,
    /// The response that ends the turn, and its status unless it says so itself.
    last: Option<(Value, &'static str)>,
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let items = value.get(name).and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

/// The texts of a list of parts, one under the other.
fn lines(parts: &[Value]) -> String {
    let texts: Vec<&str> = parts.iter().map(|part| text_of(part, "text")).collect();
    texts.join("\n")
}

/// Adds an item to a turn. `half_written`: it is the last one before the output limit.
fn read(item: &Value, half_written: bool, turn: &mut Turn) {
    match text_of(item, "type") {
        "message" => {
            for part in list(item, "content") {
                turn.text.push_str(text_of(part, "text"));
                turn.text.push_str(text_of(part, "refusal"));
            }
        }
        "reasoning" => {
            let summary = lines(list(item, "summary"));
            if summary.is_empty() {
                turn.reasoning.push_str(&lines(list(item, "content")));
            } else {
                turn.reasoning.push_str(&summary);
            }
        }
        "function_call" => {
            let id = match text_of(item, "call_id") {
                "" => text_of(item, "id"),
                id => id,
            };
            let name = text_of(item, "name");
            let raw = match item.get("arguments") {
                Some(object @ Value::Object(_)) => json::compact(object),
                _ => text_of(item, "arguments").to_owned(),
            };
            let unfinished = text_of(item, "status") == "incomplete";
            turn.calls
                .push(if unfinished || half_written && raw.trim().is_empty() {
                    ToolCall::half_written(id, name, raw)
                } else {
                    ToolCall::from_raw(id, name, raw)
                });
        }
        _ => {}
    }
}

fn usage(response: &Value) -> Usage {
    let usage = response.get("usage").unwrap_or(&Value::Null);
    let details = usage.get("input_tokens_details").unwrap_or(&Value::Null);
    let count = |holder: &Value, name: &str| holder.get(name).and_then(Value::as_u64);
    Usage {
        input: count(usage, "input_tokens").unwrap_or_default(),
        output: count(usage, "output_tokens").unwrap_or_default(),
        cache_read: count(details, "cached_tokens").unwrap_or_default(),
        cache_write: count(details, "cache_write_tokens").unwrap_or_default(),
    }
}

impl Decoder {
    /// The item at `index`; mostly the last one.
    fn item(&mut self, index: u64) -> Option<&mut Item> {
        let before = self.items.iter().rposition(|item| item.index <= index);
        let known = before.and_then(|at| self.items.get(at));
        if known.is_none_or(|item| item.index != index) {
            let item = Item {
                index,
                ..Item::default()
            };
            self.items.insert(before.map_or(0, |at| at + 1), item);
        }
        self.items.iter_mut().rfind(|item| item.index == index)
    }

    fn show_text(&mut self, more: &str, deltas: &mut Vec<Delta>) {
        if !more.is_empty() {
            self.text.push_str(more);
            deltas.push(Delta::Text(more.to_owned()));
        }
    }

    fn show_reasoning(&mut self, more: &str, deltas: &mut Vec<Delta>) {
        if !more.is_empty() {
            self.reasoning.push_str(more);
            deltas.push(Delta::Reasoning(more.to_owned()));
        }
    }

    fn last_index(&self) -> u64 {
        self.items.last().map_or(0, |item| item.index)
    }

    /// Takes the event if it is a plain piece of an item, as nearly all of them are. False: it is
    /// something else, and nothing has happened.
    fn piece(&mut self, data: &str, deltas: &mut Vec<Delta>) -> bool {
        let (mut piece, mut index, mut part, mut more) = (None, None, 0, "");
        let is_plain = json::plain(data, &mut |path, value| {
            match (path, value) {
                (["type"], Plain::Text(text)) => {
                    piece = piece_of(text);
                    return piece.is_some();
                }
                (["output_index"], Plain::Whole(number)) => index = Some(number),
                (["summary_index" | "content_index"], Plain::Whole(number)) => part = number,
                (["delta"], Plain::Text(text)) => more = text,
                _ => {}
            }
            true
        });
        let piece = piece.filter(|_| is_plain);
        if let Some(piece) = piece {
            let index = index.unwrap_or(self.last_index());
            self.go_on(piece, index, part, &json::unescaped(more), deltas);
        }
        piece.is_some()
    }

    /// Takes a piece of the item at `index`. `part`: which of its summaries or texts goes on.
    fn go_on(&mut self, piece: Piece, index: u64, part: u64, more: &str, deltas: &mut Vec<Delta>) {
        let Some(item) = self.item(index) else {
            return;
        };
        // A summary says once more what the thoughts have said.
        if piece == Piece::Thoughts && item.shown.is_some_and(|(is_summary, _)| is_summary) {
            return;
        }
        let now = (piece == Piece::Summary, part);
        let before = item.shown.replace(now);
        match piece {
            Piece::Text => self.show_text(more, deltas),
            Piece::Arguments => deltas.extend(item.call.map(|index| Delta::Call {
                index,
                name: None,
                arguments: more.to_owned(),
            })),
            Piece::Summary | Piece::Thoughts => {
                if before.is_some_and(|before| before != now) {
                    self.show_reasoning("\n", deltas);
                }
                self.show_reasoning(more, deltas);
            }
        }
    }

    /// Shows what an item holds and no piece has shown.
    fn show_item(&mut self, index: u64, value: &Value, deltas: &mut Vec<Delta>) {
        let next = self.calls;
        let Some(item) = self.item(index) else {
            return;
        };
        let shown = item.shown.is_some();
        let is_new_call = item.call.is_none();
        let mut turn = Turn::default();
        read(value, false, &mut turn);
        if let Some(call) = turn.calls.pop() {
            let index = *item.call.get_or_insert(next);
            if !call.raw.is_empty() {
                item.shown.get_or_insert((false, 0));
            }
            if is_new_call || !shown {
                deltas.push(Delta::Call {
                    index,
                    name: is_new_call.then_some(call.name),
                    arguments: if shown { String::new() } else { call.raw },
                });
                self.calls += usize::from(is_new_call);
            }
        } else if !shown {
            if !(turn.text.is_empty() && turn.reasoning.is_empty()) {
                item.shown = Some((true, u64::MAX));
            }
            self.show_reasoning(&turn.reasoning, deltas);
            self.show_text(&turn.text, deltas);
        }
    }
}

impl TurnDecoder for Decoder {
    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<(), Failure> {
        if self.piece(data, deltas) {
            return Ok(());
        }
        let Some(mut event) = json::read(data) else {
            return Ok(());
        };
        let number = |name: &str| event.get(name).and_then(Value::as_u64);
        let index = number("output_index").unwrap_or(self.last_index());
        let part = number("summary_index").or(number("content_index"));
        let kind = event.get_mut("type").map(Value::take).unwrap_or_default();
        let mut take = |name: &str| event.get_mut(name).map(Value::take).unwrap_or_default();
        match kind.as_str().unwrap_or_default() {
            "response.output_item.added" => self.show_item(index, &take("item"), deltas),
            "response.output_item.done" => {
                let item = take("item");
                self.show_item(index, &item, deltas);
                if let Some(known) = self.item(index) {
                    known.done = Some(item);
                }
            }
            "response.completed" => self.last = Some((take("response"), "completed")),
            "response.incomplete" => self.last = Some((take("response"), "incomplete")),
            "response.failed" => return Err(failure(&take("response"))),
            "error" => return Err(failure(&event)),
            kind => {
                if let Some(piece) = piece_of(kind) {
                    let more = text_of(&event, "delta");
                    self.go_on(piece, index, part.unwrap_or_default(), more, deltas);
                }
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.last.is_some()
    }

    fn whole(&mut self, body: Value) -> Result<(), Failure> {
        if text_of(&body, "status") == "failed" || !body.get("output").is_some_and(Value::is_array)
        {
            return Err(failure(&body));
        }
        self.last = Some((body, "completed"));
        Ok(())
    }

    fn finish(&mut self) -> Result<Answer, Failure> {
        let (response, word) = self.last.take().unwrap_or_default();
        let stop = match text_of(&response, "status") {
            "" => word,
            status => status,
        };
        if !matches!(stop, "completed" | "incomplete") {
            return Err(Failure::truncated());
        }
        let details = response.get("incomplete_details").unwrap_or(&Value::Null);
        let mut turn = Turn {
            stop: stop.to_owned(),
            cut_off: stop == "incomplete" && text_of(details, "reason") == "max_output_tokens",
            usage: usage(&response),
            ..Turn::default()
        };
        let output = list(&response, "output");
        let items = std::mem::take(&mut self.items);
        let mut history: Vec<Value> = items.into_iter().filter_map(|item| item.done).collect();
        // Some servers send a response without its items, and some send items without their events.
        if history.len() < output.len() {
            history = output.to_vec();
        }
        if history.is_empty() {
            turn.text = std::mem::take(&mut self.text);
            turn.reasoning = std::mem::take(&mut self.reasoning);
        }
        let last = history.len();
        for (at, item) in history.iter().enumerate() {
            read(item, turn.cut_off && at + 1 == last, &mut turn);
        }
        let is_thought = |item: &Value| matches!(text_of(item, "type"), "reasoning" | "message");
        let says = !turn.text.is_empty() || !history.iter().all(is_thought);
        // Thoughts that lead to nothing are refused when they come back.
        if !says && !turn.cut_off {
            history.clear();
        }
        Ok(Answer {
            turn,
            history,
            goes_on: false,
        })
    }

    fn partial(&self) -> (String, String) {
        (self.text.clone(), self.reasoning.clone())
    }
}

// Failures

/// `{"error": {"code", "message"}}`, or the same without the shell, as the error event has it; or a
/// body without a turn.
fn failure(body: &Value) -> Failure {
    match body.get("error") {
        Some(error) if !error.is_null() => Failure::told(error),
        _ if body.get("message").is_some() => Failure::told(body),
        _ if text_of(body, "status") == "failed" => Failure::new(
            Class::Stream,
            "the response failed, and no reason came with it",
        ),
        _ => Failure::in_stream(body),
    }
}

#[cfg(test)]
mod tests;
