//! Chat completions, as `OpenAI` made them up and everybody else serves them.
//!
//! - <https://developers.openai.com/api/reference/resources/chat/subresources/completions>
//! - <https://huggingface.co/docs/inference-providers/tasks/chat-completion>
//! - <https://openrouter.ai/docs/api-reference/streaming>
//! - <https://docs.vllm.ai/en/latest/features/reasoning_outputs.html>
//!
//! Servers differ in where they put reasoning, how they number and name tool calls, and how they
//! end. What is made of each deviation stands where it is handled. The history keeps text and
//! calls; reasoning is not sent back.

use super::failure::Failure;
use super::format::{Answer, Ask, Format, TurnDecoder};
use super::{ToolResult, notes};
use crate::chat::{Delta, ToolCall, ToolSpec, Turn, Usage};
use crate::wire::json::{self, ITEM, Plain};
use crate::wire::{HttpRequest, json::compact};
use serde_json::{Map, Value, json};

/// Characters a token after which the client ends a turn whose service ignores the limit.
const CHARACTERS_A_TOKEN: usize = 5;

/// The stop word of such a turn.
const OUR_CAP: &str = "length (harness cap)";

// Request

/// The format.
#[derive(Debug)]
pub struct OpenAiChat;

fn tool(spec: &ToolSpec) -> Value {
    json!({"type": "function", "function": {
        "name": spec.name, "description": spec.description, "parameters": spec.input_schema,
    }})
}

impl Format for OpenAiChat {
    fn request(&self, ask: &Ask<'_>) -> HttpRequest {
        let setting = ask.setting;
        let mut messages = Vec::with_capacity(ask.history.len() + 1);
        if !setting.system.is_empty() {
            messages.push(json!({"role": "system", "content": setting.system}));
        }
        messages.extend_from_slice(ask.history);
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| {
            body.insert(name.to_owned(), value);
        };
        put("model", ask.model.into());
        put("messages", messages.into());
        if !setting.tools.is_empty() {
            put("tools", setting.tools.iter().map(tool).collect());
        }
        put("max_tokens", setting.max_tokens.into());
        put("stream", true.into());
        put("stream_options", json!({"include_usage": true}));
        if let Some(effort) = setting.effort.word() {
            put("reasoning_effort", effort.into());
        }
        HttpRequest::post(format!("{}/chat/completions", setting.base), body.into())
            .with_key(setting.service.key_use())
    }

    fn append(&self, history: &mut Vec<Value>, results: &[ToolResult], texts: &[String]) {
        for result in results {
            let (id, text) = (&result.call.id, &result.text);
            history.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
        }
        if !texts.is_empty() {
            history.push(json!({"role": "user", "content": texts.join("\n\n")}));
        }
    }

    fn keep_notes(&self, history: &mut [Value], notes: &str) -> bool {
        let Some(Value::Object(last)) = history.last_mut() else {
            return false;
        };
        let text = |name: &str| last.get(name).and_then(Value::as_str);
        let is_empty = text("role") == Some("assistant") && text("content") == Some("");
        if !is_empty || last.contains_key("tool_calls") {
            return false;
        }
        last.insert("content".into(), notes::as_own_words(notes).into());
        true
    }

    fn decoder(&self, ask: &Ask<'_>) -> Box<dyn TurnDecoder> {
        let setting = ask.setting;
        let tools = setting.tools.iter().map(|tool| tool.name.clone());
        Box::new(Decoder {
            tools: tools.collect(),
            most: (setting.max_tokens as usize).saturating_mul(CHARACTERS_A_TOKEN),
            id_base: id_base(&setting.conversation, ask.history.len()),
            ..Decoder::default()
        })
    }
}

/// A number of its own for each turn of each conversation, for the ids of its calls.
fn id_base(conversation: &str, turn: usize) -> u32 {
    let bytes = conversation.bytes().chain(turn.to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

// Decoder

/// A tool call in the making.
#[derive(Debug, Default)]
struct Call {
    /// Its number at the service, where that numbers its calls.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// What the text that has been shown so far was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    /// Nothing: it may begin with `<think>`.
    #[default]
    Nothing,
    /// Thoughts after `<think>`.
    Thoughts,
    /// Text, unless a `</think>` comes after all.
    Open,
    /// Text for good.
    Text,
}

/// A turn in the making.
#[derive(Debug, Default)]
struct Decoder {
    /// Names of the tools there are.
    tools: Vec<String>,
    /// Characters of text and reasoning after which the turn is ended.
    most: usize,
    characters: usize,
    id_base: u32,
    text: String,
    /// How much of the text has been shown, and as what.
    shown: usize,
    shown_as: Shown,
    reasoning: String,
    calls: Vec<Call>,
    stop: String,
    usage: Usage,
    /// A stop word or the last event came.
    complete: bool,
    /// The last event came.
    over: bool,
}

const BEGIN: &str = "<think>";
const END: &str = "</think>";

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Text with its thoughts inside, as servers without a reasoning parser send it: what stands before
/// `</think>` is reasoning. Without that it is all text, unless it begins with `<think>`.
fn split_thoughts(text: &str) -> (String, String) {
    if let Some((thoughts, text)) = text.split_once(END) {
        (text.to_owned(), thoughts.replace(BEGIN, ""))
    } else if text.trim_start().starts_with(BEGIN) {
        (String::new(), text.replace(BEGIN, ""))
    } else {
        (text.to_owned(), String::new())
    }
}

impl Decoder {
    fn add_text(&mut self, more: &str, deltas: &mut Vec<Delta>) {
        self.characters += more.chars().count();
        self.text.push_str(more);
        if !self.reasoning.is_empty() {
            self.shown_as = Shown::Text;
        }
        let rest = self.text.get(self.shown..).unwrap_or_default();
        let mut at = 0;
        let mut show = |as_what: Shown, piece: &str| {
            if !piece.is_empty() {
                deltas.push(match as_what {
                    Shown::Thoughts => Delta::Reasoning(piece.to_owned()),
                    _ => Delta::Text(piece.to_owned()),
                });
            }
        };
        if self.shown_as == Shown::Nothing {
            let begun = rest.trim_start();
            if let Some(after) = begun.strip_prefix(BEGIN) {
                self.shown_as = Shown::Thoughts;
                at = rest.len() - after.len();
            } else if BEGIN.starts_with(begun) && rest.len() < 100 {
                // It may still become the tag.
                return;
            } else {
                self.shown_as = Shown::Open;
            }
        }
        let mut from = at;
        while self.shown_as != Shown::Text {
            let tail = rest.get(at..).unwrap_or_default();
            let Some(next) = tail.find('<') else { break };
            at += next;
            let tail = tail.get(next..).unwrap_or_default();
            if tail.starts_with(END) {
                show(self.shown_as, rest.get(from..at).unwrap_or_default());
                self.shown_as = Shown::Text;
                from = at + END.len();
            } else if END.starts_with(tail) {
                show(self.shown_as, rest.get(from..at).unwrap_or_default());
                self.shown += at;
                return;
            } else {
                at += 1;
            }
        }
        show(self.shown_as, rest.get(from..).unwrap_or_default());
        self.shown = self.text.len();
    }

    fn add_reasoning(&mut self, more: &str, deltas: &mut Vec<Delta>) {
        if !more.is_empty() {
            self.characters += more.chars().count();
            self.reasoning.push_str(more);
            deltas.push(Delta::Reasoning(more.to_owned()));
        }
    }

    /// Text, or a list of parts.
    fn add_content(&mut self, content: &Value, deltas: &mut Vec<Delta>) {
        match content {
            Value::String(text) => self.add_text(text, deltas),
            Value::Array(parts) => {
                for part in parts {
                    self.add_text(text_of(part, "text"), deltas);
                    match part.get("thinking") {
                        Some(Value::String(text)) => self.add_reasoning(text, deltas),
                        Some(Value::Array(thoughts)) => {
                            for thought in thoughts {
                                self.add_reasoning(text_of(thought, "text"), deltas);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Which call a piece belongs to; a new one if to none.
    fn place(&mut self, index: Option<u64>, id: &str, name: &str) -> usize {
        let is_same = |call: &Call| match index {
            Some(_) => call.index == index,
            // Without a number it is the call before, unless it has the id of another.
            None => id.is_empty() || call.id.is_empty() || call.id == id,
        };
        let found = self.calls.iter().rposition(is_same);
        let found = found.filter(|at| {
            self.calls.get(*at).is_some_and(|call| {
                let other_id = !id.is_empty() && !call.id.is_empty() && call.id != id;
                // A name after whole arguments, and no id to tell by, begins another call.
                let begins = id.is_empty() && !name.is_empty() && !call.name.is_empty();
                let is_whole = || {
                    call.arguments.trim_end().ends_with('}')
                        && json::read(&call.arguments).is_some()
                };
                !(other_id || begins && is_whole())
            })
        });
        found.unwrap_or_else(|| {
            self.calls.push(Call {
                index,
                ..Call::default()
            });
            self.calls.len() - 1
        })
    }

    /// Takes a piece of a call.
    fn add_call(&mut self, piece: &Value, deltas: &mut Vec<Delta>) {
        let function = piece.get("function").unwrap_or(piece);
        let (id, name) = (text_of(piece, "id"), text_of(function, "name"));
        let index = piece.get("index").and_then(Value::as_u64);
        let at = self.place(index, id, name);
        let tools = &self.tools;
        let Some(call) = self.calls.get_mut(at) else {
            return;
        };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        // A name is repeated, or it comes in pieces.
        if name != call.name && !tools.contains(&call.name) {
            call.name.push_str(name);
        }
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => text.clone(),
            Some(object @ Value::Object(_)) if call.arguments.is_empty() => compact(object),
            _ => String::new(),
        };
        call.arguments.push_str(&arguments);
        let name = (!name.is_empty()).then(|| call.name.clone());
        if name.is_some() || !arguments.is_empty() {
            deltas.push(Delta::Call {
                index: at,
                name,
                arguments,
            });
        }
    }

    /// Takes a `delta`, or a whole `message`.
    fn add(&mut self, delta: &Value, deltas: &mut Vec<Delta>) {
        // Some send both names, with the same in them.
        let names = ["reasoning_content", "reasoning"];
        let reasoning = names.map(|name| text_of(delta, name));
        let reasoning = reasoning.iter().find(|text| !text.is_empty());
        self.add_reasoning(reasoning.copied().unwrap_or_default(), deltas);
        if let Some(content) = delta.get("content") {
            self.add_content(content, deltas);
        }
        self.add_text(text_of(delta, "refusal"), deltas);
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for piece in calls.into_iter().flatten() {
            self.add_call(piece, deltas);
        }
        if let Some(piece) = delta.get("function_call").filter(|piece| piece.is_object()) {
            self.add_call(piece, deltas);
        }
    }

    /// Takes a chunk, or a whole completion; whether there was a choice in it.
    fn chunk(&mut self, chunk: &Value, deltas: &mut Vec<Delta>) -> Result<bool, Failure> {
        let choice = chunk.pointer("/choices/0");
        if let Some(failure) = Failure::reported(chunk).or(choice.and_then(Failure::reported)) {
            return Err(failure);
        }
        if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
            let count = |path: &str| usage.pointer(path).and_then(Value::as_u64);
            self.usage = Usage {
                input: count("/prompt_tokens").unwrap_or_default(),
                output: count("/completion_tokens").unwrap_or_default(),
                cache_read: count("/prompt_tokens_details/cached_tokens").unwrap_or_default(),
                cache_write: count("/prompt_tokens_details/cache_write_tokens").unwrap_or_default(),
            };
        }
        let Some(choice) = choice else {
            return Ok(false);
        };
        if let Some(delta) = choice.get("delta").or(choice.get("message")) {
            self.add(delta, deltas);
        }
        let stop = text_of(choice, "finish_reason");
        if !stop.is_empty() {
            stop.clone_into(&mut self.stop);
            self.complete = true;
        }
        Ok(true)
    }

    /// Takes a chunk that is a piece of text, reasoning or arguments and no more, as nearly all
    /// are; false: it is something else.
    fn piece(&mut self, data: &str, deltas: &mut Vec<Delta>) -> bool {
        let (mut text, mut reasoning, mut arguments, mut index) = (None, None, None, None);
        let put = |place: &mut Option<_>, value| place.replace(value).is_none();
        let is_plain = json::plain(data, &mut |path, value| match (path, value) {
            (["error" | "usage", ..], value) => value == Plain::Null && path.len() == 1,
            (["choices", ITEM, rest @ ..], value) => match (rest, value) {
                (["delta", "content"], Plain::Text(piece)) => put(&mut text, piece),
                (["delta", "reasoning_content" | "reasoning"], Plain::Text(piece)) => {
                    put(&mut reasoning, piece)
                }
                (["delta", "tool_calls", ITEM, "index"], Plain::Whole(number)) => {
                    index = Some(number);
                    true
                }
                (["delta", "tool_calls", ITEM, "function", "arguments"], Plain::Text(piece)) => {
                    put(&mut arguments, piece)
                }
                (["delta", "tool_calls", ITEM, "type"] | ["delta", "role"] | ["index"], _) => true,
                (_, value) => value == Plain::Null,
            },
            (["object" | "type"], value) => value != Plain::Text("error"),
            (path, _) => path.len() == 1 && path != ["choices"] && path != ["detail"],
        });
        // A piece of a call is told by its number alone; two thoughts in one may be the same.
        let call = self.calls.iter_mut().rposition(|call| call.index == index);
        if !is_plain || arguments.is_some() && (index.is_none() || call.is_none()) {
            return false;
        }
        if arguments.is_none() && index.is_some() {
            return false;
        }
        self.add_reasoning(&json::unescaped(reasoning.unwrap_or_default()), deltas);
        self.add_text(&json::unescaped(text.unwrap_or_default()), deltas);
        if let (Some(at), Some(piece)) = (call, arguments.filter(|piece| !piece.is_empty())) {
            let piece = json::unescaped(piece);
            if let Some(call) = self.calls.get_mut(at) {
                call.arguments.push_str(&piece);
            }
            deltas.push(Delta::Call {
                index: at,
                name: None,
                arguments: piece.into_owned(),
            });
        }
        true
    }

    fn is_capped(&self) -> bool {
        self.characters > self.most
    }

    /// Text and reasoning, wherever the reasoning stood.
    fn parts(&self) -> (String, String) {
        if self.reasoning.is_empty() {
            split_thoughts(&self.text)
        } else {
            (self.text.clone(), self.reasoning.clone())
        }
    }

    /// The calls, each with an id of its own.
    fn calls(&mut self, cut_off: bool) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = Vec::new();
        let open = std::mem::take(&mut self.calls);
        let last = open.len();
        for (at, mut call) in open.into_iter().enumerate() {
            while call.id.is_empty() || calls.iter().any(|other| other.id == call.id) {
                self.id_base = self
                    .id_base
                    .wrapping_mul(0x0019_660d)
                    .wrapping_add(0x3c6e_f35f);
                call.id = format!("call_{:08x}", self.id_base);
            }
            let is_half = cut_off && at + 1 == last && call.arguments.trim().is_empty();
            calls.push(if is_half {
                ToolCall::half_written(call.id, call.name, call.arguments)
            } else {
                ToolCall::from_raw(call.id, call.name, call.arguments)
            });
        }
        calls
    }
}

fn call_entry(call: &ToolCall) -> Value {
    let arguments = if call.raw.is_empty() { "{}" } else { &call.raw };
    let function = json!({"name": call.name, "arguments": arguments});
    json!({"id": call.id, "type": "function", "function": function})
}

impl TurnDecoder for Decoder {
    fn event(&mut self, data: &str, deltas: &mut Vec<Delta>) -> Result<(), Failure> {
        if self.piece(data, deltas) {
            return Ok(());
        }
        if data.trim() == "[DONE]" {
            (self.complete, self.over) = (true, true);
            return Ok(());
        }
        match json::read(data) {
            Some(chunk) => self.chunk(&chunk, deltas).map(|_| ()),
            None => Ok(()),
        }
    }

    fn is_full(&self) -> bool {
        self.over || self.is_capped()
    }

    fn whole(&mut self, body: Value) -> Result<(), Failure> {
        if !self.chunk(&body, &mut Vec::new())? {
            return Err(Failure::in_stream(&body));
        }
        self.complete = true;
        Ok(())
    }

    fn finish(&mut self) -> Result<Answer, Failure> {
        let is_capped = self.is_capped();
        if is_capped {
            OUR_CAP.clone_into(&mut self.stop);
            self.usage = Usage::default();
        } else if !self.complete {
            return Err(Failure::truncated());
        }
        let (text, reasoning) = self.parts();
        let stop = std::mem::take(&mut self.stop);
        let cut_off = stop.starts_with("length");
        let calls = self.calls(cut_off);
        let mut history = Vec::new();
        // An empty message is kept where notes may take its place, and nowhere else.
        if !text.is_empty() || !calls.is_empty() || cut_off && !reasoning.is_empty() {
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                let entries: Vec<Value> = calls.iter().map(call_entry).collect();
                if let Some(message) = message.as_object_mut() {
                    message.insert("tool_calls".into(), entries.into());
                }
            }
            history.push(message);
        }
        Ok(Answer {
            turn: Turn {
                text,
                reasoning,
                calls,
                stop,
                cut_off,
                usage: self.usage,
            },
            history,
            goes_on: false,
        })
    }

    fn partial(&self) -> (String, String) {
        self.parts()
    }
}

#[cfg(test)]
mod tests;
