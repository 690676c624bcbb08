//! A record as a trajectory.

use super::{FACTS, VERSION};
use crate::chat::ToolCall;
use crate::order;
use crate::rollout::{Message, Record, RecordCall, Step, utc_moment, utc_text};
use crate::wire::json::compact;
use serde_json::{Map, Value, json};

/// The record as a trajectory.
///
/// ```
/// use quayside::rollout::{Message, Record, atif};
/// let record = Record { messages: vec![Message::user("Plan.")], ..Record::default() };
/// let trajectory = atif::atif(&record);
/// assert_eq!(trajectory["schema_version"], atif::VERSION);
/// assert_eq!(trajectory["steps"][0]["source"], "user");
/// ```
pub fn atif(record: &Record) -> Value {
    let mut writer = Writer {
        asks_a_model: !record.model.starts_with("demo:"),
        ids: own_ids(record),
        ..Writer::default()
    };
    for message in &record.messages {
        writer.message(message);
    }
    if record.messages.is_empty() {
        for step in &record.steps {
            writer.sent_plan(step);
        }
    }
    if writer.steps.is_empty() {
        // The form wants one step at least.
        writer.say("system", "Nothing was said.");
    }
    writer.close();
    if let (Some(started), Some(first)) = (utc_moment(&record.started), writer.steps.first_mut()) {
        set(first, "timestamp", json!(utc_text(started)));
    }
    let mut agent = json!({"name": "quayside", "version": env!("CARGO_PKG_VERSION")});
    if !record.model.is_empty() {
        set(&mut agent, "model_name", json!(record.model));
    }
    let mut metrics = json!({"total_steps": writer.steps.len()});
    if !record.usage.is_unknown() {
        set(
            &mut metrics,
            "total_prompt_tokens",
            json!(record.usage.input),
        );
        set(
            &mut metrics,
            "total_completion_tokens",
            json!(record.usage.output),
        );
    }
    let mut whole = json!({"schema_version": VERSION});
    if !record.episode_id.is_empty() {
        set(&mut whole, "session_id", json!(record.episode_id));
    }
    set(&mut whole, "agent", agent);
    set(&mut whole, "steps", Value::Array(writer.steps));
    set(&mut whole, "final_metrics", metrics);
    set(&mut whole, "extra", facts(record));
    whole
}

fn facts(record: &Record) -> Value {
    // Without the conversation, which is long and stands in the steps already.
    let short = Record {
        task_id: record.task_id.clone(),
        started: record.started.clone(),
        last: record.last.clone(),
        reward: record.reward,
        end_reason: record.end_reason.clone(),
        errors: record.errors.clone(),
        seconds: record.seconds,
        provider_switches: record.provider_switches.clone(),
        extra: record.extra.clone(),
        ..Record::default()
    };
    let mut facts = short.to_json();
    if let Value::Object(map) = &mut facts {
        map.retain(|name, _| FACTS.contains(&name.as_str()));
    }
    facts
}

/// The ids of all calls, in order.
fn own_ids(record: &Record) -> Vec<String> {
    let calls = record.messages.iter().filter_map(|message| match message {
        Message::Assistant { tool_calls, .. } => Some(tool_calls),
        _ => None,
    });
    let mut ids: Vec<String> = calls.flatten().map(|call| call.id.clone()).collect();
    order::by(&mut ids, Ord::cmp);
    ids
}

fn set(value: &mut Value, name: &str, field: Value) {
    if let Value::Object(map) = value {
        map.insert(name.to_owned(), field);
    }
}

#[derive(Default)]
struct Writer {
    steps: Vec<Value>,
    /// The ids of all calls, in order. One that is used twice says nothing and is replaced.
    ids: Vec<String>,
    /// The number that the last replaced id has.
    number: usize,
    /// The last turn's calls: their own id and the id given, until they are answered.
    open: Vec<Option<(String, String)>>,
    /// How many of these are answered without a gap.
    answered: usize,
    /// Answers to the last turn's calls.
    results: Vec<Value>,
    /// Whether the last step is a model's turn whose answers are still coming in.
    in_turn: bool,
    /// Whether each turn is a call of a model; the planner of the demonstration is none.
    asks_a_model: bool,
}

impl Writer {
    fn message(&mut self, message: &Message) {
        match message {
            Message::System { content, .. } => self.say("system", content),
            Message::User { content, .. } => self.say("user", content),
            Message::Assistant {
                content,
                reasoning,
                stop,
                tool_calls,
                ..
            } => {
                self.close();
                let mut step = self.step("agent", content);
                if !reasoning.is_empty() {
                    set(&mut step, "reasoning_content", json!(reasoning));
                }
                let calls: Vec<Value> = tool_calls.iter().map(|call| self.call(call)).collect();
                if !calls.is_empty() {
                    set(&mut step, "tool_calls", Value::Array(calls));
                }
                if self.asks_a_model {
                    set(&mut step, "llm_call_count", json!(1));
                }
                if !stop.is_empty() {
                    set(&mut step, "extra", json!({"stop": stop}));
                }
                self.steps.push(step);
                self.in_turn = true;
            }
            Message::Tool {
                tool_call_id,
                name,
                content,
                ..
            } => self.answer(tool_call_id, name, content),
            Message::Other(value) => {
                self.say("system", &compact(value));
                if let Some(step) = self.steps.last_mut() {
                    set(step, "extra", json!({"message": value}));
                }
            }
        }
    }

    fn step(&self, source: &str, message: &str) -> Value {
        json!({"step_id": self.steps.len() + 1, "source": source, "message": message})
    }

    /// A step that is a text and nothing else.
    fn say(&mut self, source: &str, message: &str) {
        self.close();
        let step = self.step(source, message);
        self.steps.push(step);
    }

    fn call(&mut self, call: &RecordCall) -> Value {
        let id = self.given_id(&call.id);
        self.open.push(Some((call.id.clone(), id.clone())));
        let parsed = ToolCall::from_raw("", "", call.arguments.as_str()).arguments;
        let mut written = json!({"tool_call_id": id, "function_name": call.name});
        let is_object = parsed.is_ok();
        set(&mut written, "arguments", parsed.unwrap_or_default().into());
        if !is_object {
            set(
                &mut written,
                "extra",
                json!({"raw_arguments": call.arguments}),
            );
        }
        written
    }

    /// The id of a call, if no other call has it; else a new one.
    fn given_id(&mut self, own: &str) -> String {
        let first = self.ids.partition_point(|id| id.as_str() < own);
        let is_twice = self.ids.get(first + 1).is_some_and(|id| id == own);
        if !own.is_empty() && !is_twice {
            return own.to_owned();
        }
        loop {
            self.number += 1;
            let id = format!("call_{}", self.number);
            if self.ids.binary_search(&id).is_err() {
                return id;
            }
        }
    }

    /// An answer: to the open call of that id, else to none.
    fn answer(&mut self, id: &str, name: &str, content: &str) {
        if !self.in_turn {
            self.say("system", "");
            self.in_turn = true;
        }
        let mut result = Map::new();
        let mut open = self.open.iter_mut().skip(self.answered);
        let call = open.find(|call| call.as_ref().is_some_and(|(own, _)| own == id));
        if let Some((_, given)) = call.and_then(Option::take) {
            result.insert("source_call_id".into(), json!(given));
        } else {
            result.insert("extra".into(), json!({"tool_call_id": id, "name": name}));
        }
        result.insert("content".into(), json!(content));
        self.results.push(Value::Object(result));
        while let Some(None) = self.open.get(self.answered) {
            self.answered += 1;
        }
    }

    /// Ends a turn: its answers go into its step.
    fn close(&mut self) {
        let results = std::mem::take(&mut self.results);
        if let (false, Some(step)) = (results.is_empty(), self.steps.last_mut()) {
            set(step, "observation", json!({"results": results}));
        }
        self.open.clear();
        self.answered = 0;
        self.in_turn = false;
    }

    /// A plan of a record that has no conversation, as the call and the answer it once was.
    fn sent_plan(&mut self, sent: &Step) {
        self.close();
        let arguments = compact(&json!({"plan": sent.plan_value()}));
        let call = RecordCall {
            name: sent.tool.clone(),
            arguments,
            ..RecordCall::default()
        };
        let mut step = self.step("agent", "");
        let call = self.call(&call);
        set(&mut step, "tool_calls", json!([call]));
        self.steps.push(step);
        self.in_turn = true;
        let answer = match &sent.result {
            Value::String(text) => text.clone(),
            other => compact(other),
        };
        self.answer("", &sent.tool, &answer);
    }
}
