//! Anthropic Messages.
//!
//! - <https://platform.claude.com/docs/en/api/messages>
//! - <https://platform.claude.com/docs/en/build-with-claude/streaming>
//! - <https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons>
//! - <https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking>
//! - <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>
//!
//! The history is the content blocks as they came: thinking is bound to everything before it, so
//! no block is changed, moved or made up. Left out are texts without a character, which the
//! service refuses, and turns that hold nothing for anyone to read or run.

use super::ToolResult;
use super::failure::Failure;
use super::format::{Answer, Ask, Format, TurnDecoder};
use crate::chat::{Delta, ToolCall, ToolSpec, Turn, Usage};
use crate::wire::json::Plain;
use crate::wire::{HttpRequest, json};
use serde_json::{Map, Value, json};

/// The version of the API whose rules this file follows.
const VERSION: &str = "2026-10-21";

// Request

/// The format.
#[derive(Debug)]
pub struct Anthropic;

/// Adds what every request to the service carries, and every page's request in particular.
pub(super) fn with_headers(request: HttpRequest) -> HttpRequest {
    request
        .with_header("anthropic-version", VERSION)
        .with_header("anthropic-dangerous-direct-browser-access", "true")
}

fn tool(spec: &ToolSpec) -> Value {
    json!({"name": spec.name, "description": spec.description, "input_schema": spec.input_schema})
}

/// A text as content; none without a character, which the service refuses.
fn block(text: &String) -> Option<Value> {
    (!text.is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn result_block(result: &ToolResult) -> Value {
    let content: Vec<Value> = block(&result.text).into_iter().collect();
    json!({"type": "tool_result", "tool_use_id": result.call.id, "content": content})
}

impl Format for Anthropic {
    fn retries(&self) -> u32 {
        4
    }

    fn request(&self, ask: &Ask<'_>) -> HttpRequest {
        let setting = ask.setting;
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| {
            body.insert(name.to_owned(), value);
        };
        put("model", ask.model.into());
        put("max_tokens", setting.max_tokens.into());
        put("stream", true.into());
        if setting.caches {
            put("cache_control", json!({"type": "ephemeral"}));
        }
        if let Some(effort) = setting.effort.word() {
            put("output_config", json!({"effort": effort}));
        }
        if setting.abilities.adaptive_thinking {
            // Without the second word some models send thinking that nobody can read.
            let thinking = json!({"type": "adaptive", "display": "summarized"});
            put("thinking", thinking);
        }
        if !setting.system.is_empty() {
            put("system", setting.system.as_str().into());
        }
        if !setting.tools.is_empty() {
            put("tools", setting.tools.iter().map(tool).collect());
        }
        put("messages", ask.history.into());
        let request = HttpRequest::post(format!("{}/messages", setting.base), body.into());
        with_headers(request).with_key(setting.service.key_use())
    }

    fn append(&self, history: &mut Vec<Value>, results: &[ToolResult], texts: &[String]) {
        let texts = texts.iter().filter_map(block);
        let content: Vec<Value> = results.iter().map(result_block).chain(texts).collect();
        if !content.is_empty() {
            history.push(json!({"role": "user", "content": content}));
        }
    }

    fn decoder(&self, _ask: &Ask<'_>) -> Box<dyn TurnDecoder> {
        Box::new(Decoder::default())
    }
}

// Decoder

/// What grows in a block while it is streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grows {
    Text,
    Thinking,
    Input,
    /// Nothing that is known: such a block comes whole.
    Nothing,
}

/// The event that carries a piece of a block.
const DELTA: &str = "content_block_delta";

/// The kinds of pieces that are text: what they belong to, and the member that holds it.
const PIECES: [(&str, Grows, &str); 3] = [
    ("text_delta", Grows::Text, "text"),
    ("thinking_delta", Grows::Thinking, "thinking"),
    ("input_json_delta", Grows::Input, "partial_json"),
];

/// A content block.
#[derive(Debug)]
struct Block {
    /// Its number at the service.
    index: u64,
    /// As it came first.
    start: Map<String, Value>,
    grows: Grows,
    /// What came since, and with the block if that is a text.
    grown: String,
    /// Its place among the client's calls, if it is one.
    call: Option<usize>,
    closed: bool,
}

/// A turn in the making.
#[derive(Debug, Default)]
struct Decoder {
    blocks: Vec<Block>,
    calls: usize,
    stop: Option<String>,
    usage: Counts,
    over: bool,
}

/// Running totals, as last reported.
#[derive(Debug, Default)]
struct Counts {
    fresh: u64,
    read: u64,
    written: u64,
    output: u64,
}

impl Counts {
    fn take(&mut self, usage: &Value) {
        let put = |name: &str, count: &mut u64| {
            if let Some(number) = usage.get(name).and_then(Value::as_u64) {
                *count = number;
            }
        };
        put("input_tokens", &mut self.fresh);
        put("cache_read_input_tokens", &mut self.read);
        put("cache_creation_input_tokens", &mut self.written);
        put("output_tokens", &mut self.output);
    }

    fn usage(&self) -> Usage {
        let cached = self.read.saturating_add(self.written);
        Usage {
            input: self.fresh.saturating_add(cached),
            output: self.output,
            cache_read: self.read,
            cache_write: self.written,
        }
    }
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

impl Block {
    fn show(&self, name: Option<String>, more: &str, deltas: &mut Vec<Delta>) {
        let piece = match (self.grows, self.call) {
            (Grows::Input, Some(index)) => Delta::Call {
                index,
                name,
                arguments: more.to_owned(),
            },
            _ if more.is_empty() => return,
            (Grows::Text, _) => Delta::Text(more.to_owned()),
            (Grows::Thinking, _) => Delta::Reasoning(more.to_owned()),
            _ => return,
        };
        deltas.push(piece);
    }

    fn grow(&mut self, what: Grows, more: &str, deltas: &mut Vec<Delta>) {
        if what == self.grows && !more.is_empty() {
            self.grown.push_str(more);
            self.show(None, more, deltas);
        }
    }

    /// Takes a piece that is no plain text.
    fn take(&mut self, kind: &str, delta: &mut Value) {
        let mut piece = |name: &str| delta.get_mut(name).map(Value::take);
        match kind {
            "signature_delta" => {
                if let Some(signature) = piece("signature") {
                    self.start.insert("signature".into(), signature);
                }
            }
            "citations_delta" => {
                if let Some(citation) = piece("citation") {
                    match self.start.get_mut("citations") {
                        Some(Value::Array(citations)) => citations.push(citation),
                        _ => {
                            self.start.insert("citations".into(), vec![citation].into());
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The block as the history keeps it, and the call that it is.
    fn finish(&mut self, half_written: bool) -> (Value, Option<ToolCall>) {
        let mut block = std::mem::take(&mut self.start);
        let grown = std::mem::take(&mut self.grown);
        let mut put = |name: &str, value: Value| {
            block.insert(name.to_owned(), value);
        };
        match self.grows {
            Grows::Text => put("text", grown.into()),
            Grows::Thinking => put("thinking", grown.into()),
            Grows::Nothing => {}
            Grows::Input => {
                let text = |name: &str| {
                    let text = block.get(name).and_then(Value::as_str);
                    text.unwrap_or_default().to_owned()
                };
                let (id, name) = (text("id"), text("name"));
                let whole = block.get("input").filter(|input| !is_empty(input));
                let raw = match whole {
                    _ if !grown.trim().is_empty() => grown,
                    Some(input) => json::compact(input),
                    None if half_written => String::new(),
                    None => "{}".to_owned(),
                };
                let call = if raw.is_empty() {
                    ToolCall::half_written(id, name, raw)
                } else {
                    ToolCall::from_raw(id, name, raw)
                };
                let input = call.arguments.clone().unwrap_or_default();
                block.insert("input".into(), input.into());
                return (block.into(), self.call.map(|_| call));
            }
        }
        (block.into(), None)
    }
}

fn is_empty(input: &Value) -> bool {
    match input {
        Value::Null => true,
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

impl Decoder {
    fn open(&mut self, index: u64, block: Value, deltas: &mut Vec<Delta>) {
        let Value::Object(mut start) = block else {
            return;
        };
        let kind = start.get("type").and_then(Value::as_str);
        let is_call = kind == Some("tool_use");
        let (what, field) = match kind {
            Some("text") => (Grows::Text, "text"),
            Some("thinking") => (Grows::Thinking, "thinking"),
            _ if is_call || start.contains_key("input") => (Grows::Input, ""),
            _ => (Grows::Nothing, ""),
        };
        let grown = match start.get_mut(field) {
            Some(Value::String(text)) => std::mem::take(text),
            _ => String::new(),
        };
        let name = start.get("name").and_then(Value::as_str).map(str::to_owned);
        let block = Block {
            index,
            start,
            grows: what,
            grown,
            call: is_call.then_some(self.calls),
            closed: false,
        };
        self.calls += usize::from(is_call);
        block.show(name, &block.grown, deltas);
        self.blocks.push(block);
    }

    fn block(&mut self, index: Option<u64>) -> Option<&mut Block> {
        let mut blocks = self.blocks.iter_mut().rev();
        blocks.find(|block| index.is_none_or(|index| block.index == index))
    }

    /// Takes the event if it is a plain piece of a block, as nearly all of them are. False: it is
    /// something else, and nothing has happened.
    fn piece(&mut self, data: &str, deltas: &mut Vec<Delta>) -> bool {
        let (mut index, mut kind, mut more) = (None, "", "");
        let is_plain = json::plain(data, &mut |path, value| {
            match (path, value) {
                (["type"], Plain::Text(text)) => return text == DELTA,
                (["index"], Plain::Whole(number)) => index = Some(number),
                (["delta", "type"], Plain::Text(text)) => kind = text,
                (["delta", "text" | "thinking" | "partial_json"], Plain::Text(text)) => more = text,
                _ => {}
            }
            true
        });
        let piece = PIECES.iter().find(|(name, ..)| is_plain && *name == kind);
        if let (Some((_, what, _)), Some(block)) = (piece, self.block(index)) {
            block.grow(*what, &json::unescaped(more), deltas);
        }
        piece.is_some()
    }

    fn parts(&self, what: Grows) -> String {
        let parts = self.blocks.iter().filter(|block| block.grows == what);
        parts.map(|block| block.grown.as_str()).collect()
    }

    fn take_stop(&mut self, holder: &Value) {
        if let Some(stop) = holder.get("stop_reason").and_then(Value::as_str) {
            self.stop = Some(stop.to_owned());
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
        let index = event.get("index").and_then(Value::as_u64);
        let mut take = |name: &str| event.get_mut(name).map(Value::take).unwrap_or_default();
        match take("type").as_str().unwrap_or_default() {
            DELTA => {
                let mut delta = take("delta");
                let kind = delta.get_mut("type").map(Value::take).unwrap_or_default();
                let kind = kind.as_str().unwrap_or_default();
                let Some(block) = self.block(index) else {
                    return Ok(());
                };
                match PIECES.iter().find(|(name, ..)| *name == kind) {
                    Some((_, what, field)) => block.grow(*what, text_of(&delta, field), deltas),
                    None => block.take(kind, &mut delta),
                }
            }
            "content_block_start" => {
                let next = self.blocks.len() as u64;
                self.open(index.unwrap_or(next), take("content_block"), deltas);
            }
            "content_block_stop" => {
                if let Some(block) = self.block(index) {
                    block.closed = true;
                }
            }
            "message_start" => {
                if let Some(usage) = take("message").get("usage") {
                    self.usage.take(usage);
                }
            }
            "message_delta" => {
                self.take_stop(&take("delta"));
                self.usage.take(&take("usage"));
            }
            "message_stop" => self.over = true,
            "error" => return Err(failure(&event)),
            _ => {}
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.over
    }

    fn whole(&mut self, mut body: Value) -> Result<(), Failure> {
        let Some(Value::Array(blocks)) = body.get_mut("content").map(Value::take) else {
            return Err(failure(&body));
        };
        for (index, block) in blocks.into_iter().enumerate() {
            self.open(index as u64, block, &mut Vec::new());
        }
        for block in &mut self.blocks {
            block.closed = true;
        }
        self.take_stop(&body);
        if let Some(usage) = body.get("usage") {
            self.usage.take(usage);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<Answer, Failure> {
        let Some(stop) = self.stop.take() else {
            return Err(Failure::truncated());
        };
        let cut_off = matches!(
            stop.as_str(),
            "max_tokens" | "model_context_window_exceeded"
        );
        let refused = stop == "refusal";
        let mut turn = Turn {
            text: self.parts(Grows::Text),
            reasoning: self.parts(Grows::Thinking),
            usage: self.usage.usage(),
            cut_off,
            ..Turn::default()
        };
        let mut content = Vec::new();
        // Whether there is more than thoughts.
        let mut says = false;
        let last = self.blocks.len();
        for (at, block) in self.blocks.iter_mut().enumerate() {
            if block.grows == Grows::Text && block.grown.is_empty() {
                continue;
            }
            let half_written = !block.closed || cut_off && at + 1 == last;
            let (block, call) = block.finish(half_written);
            says |= !matches!(text_of(&block, "type"), "thinking" | "redacted_thinking");
            content.push(block);
            turn.calls.extend(call.filter(|_| !refused));
        }
        let mut answer = Answer {
            goes_on: stop == "pause_turn" && says && turn.calls.is_empty(),
            ..Answer::default()
        };
        // A refused turn that stays makes the service refuse every later request too.
        if !refused && (says || cut_off && !content.is_empty()) {
            let message = json!({"role": "assistant", "content": content});
            answer.history.push(message);
        }
        turn.stop = stop;
        answer.turn = turn;
        Ok(answer)
    }

    fn partial(&self) -> (String, String) {
        (self.parts(Grows::Text), self.parts(Grows::Thinking))
    }
}

// Failures

/// `{"type": "error", "error": {"type", "message", "details"?}, "request_id"}`, or a body without a turn.
fn failure(body: &Value) -> Failure {
    Failure::in_stream(body)
}

#[cfg(test)]
mod tests;
