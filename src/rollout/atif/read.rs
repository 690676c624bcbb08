//! A trajectory as a record, whichever agent made it.

use super::FACTS;
use crate::rollout::depth::is_deeper;
use crate::rollout::{Message, Record, RecordCall, Step, plan_value};
use crate::wire::json::{compact, read as parse};
use serde_json::{Map, Value, json};

/// Deepest text of a plan or an answer that becomes a value; deeper ones stay texts.
const DEEPEST: usize = 100;

/// The record of a trajectory; it is lenient, as all reading of records is. Nested trajectories
/// and pictures are left out.
pub fn read(trajectory: &Value) -> Record {
    let mut reader = Reader::default();
    for step in list(trajectory, "steps") {
        reader.step(step);
    }
    // The facts are read by the reader of records, which knows all their forms.
    let mut fields = Map::new();
    for name in FACTS {
        if let Some(fact) = trajectory.get("extra").and_then(|extra| extra.get(name)) {
            fields.insert(name.to_owned(), fact.clone());
        }
    }
    let at = |path: &str| trajectory.pointer(path).cloned().unwrap_or_default();
    for (name, path) in [
        ("model", "/agent/model_name"),
        ("episode_id", "/session_id"),
    ] {
        fields.insert(name.to_owned(), at(path));
    }
    if !fields.contains_key("started") {
        fields.insert("started".into(), at("/steps/0/timestamp"));
    }
    fields.insert("turns".into(), json!(reader.turns));
    fields.insert(
        "usage".into(),
        json!({
            "input_tokens": at("/final_metrics/total_prompt_tokens"),
            "output_tokens": at("/final_metrics/total_completion_tokens"),
        }),
    );
    fields.insert("messages".into(), Value::Array(Vec::new()));
    let record = Record::from_value(Value::Object(fields)).unwrap_or_default();
    Record {
        messages: reader.messages,
        steps: reader.steps,
        ..record
    }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let items = value.get(name).and_then(Value::as_array);
    items.map(Vec::as_slice).unwrap_or_default()
}

/// The value of a text, unless a record could not hold it.
fn shallow(text: &str) -> Option<Value> {
    parse(text).filter(fits)
}

fn fits(value: &Value) -> bool {
    !is_deeper(value, DEEPEST)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A text, or the texts of its parts.
fn content(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        Some(other) => compact(other),
    }
}

#[derive(Default)]
struct Reader {
    messages: Vec<Message>,
    steps: Vec<Step>,
    turns: u32,
}

impl Reader {
    fn step(&mut self, step: &Value) {
        let said = content(step.get("message"));
        let results = step
            .get("observation")
            .map_or(&[][..], |seen| list(seen, "results"));
        match text(step, "source") {
            "agent" => self.turn(step, said, results),
            "user" => self.messages.push(Message::user(said)),
            _ => match step.get("extra").and_then(|extra| extra.get("message")) {
                Some(other) => self.messages.push(Message::from_json(other.clone())),
                // A step that only carries what came from the environment says nothing itself.
                None if said.is_empty() && !results.is_empty() => {}
                None => self.messages.push(Message::system(said)),
            },
        }
        let calls = list(step, "tool_calls");
        for (place, result) in results.iter().enumerate() {
            self.answer(
                result,
                of_id(calls, place, "tool_call_id", text(result, "source_call_id")),
            );
        }
    }

    fn turn(&mut self, step: &Value, said: String, results: &[Value]) {
        self.turns = self.turns.saturating_add(1);
        let calls = list(step, "tool_calls");
        self.messages.push(Message::Assistant {
            content: said,
            reasoning: text(step, "reasoning_content").to_owned(),
            stop: step
                .get("extra")
                .map_or("", |extra| text(extra, "stop"))
                .to_owned(),
            tool_calls: calls.iter().map(call).collect(),
            extra: Map::new(),
        });
        for (place, call) in calls.iter().enumerate() {
            let tool = text(call, "function_name");
            if !matches!(tool, "check_plan" | "submit_plan") {
                continue;
            }
            let Some(plan) = call.get("arguments").and_then(|sent| sent.get("plan")) else {
                continue;
            };
            let id = text(call, "tool_call_id");
            let result = of_id(results, place, "source_call_id", id);
            let answer = result.map(|result| content(result.get("content")));
            let answer = answer.unwrap_or_default();
            self.steps.push(Step {
                turn: self.turns,
                tool: tool.to_owned(),
                plan: Some(plan_value(plan))
                    .filter(fits)
                    .unwrap_or_else(|| plan.clone()),
                result: shallow(&answer).unwrap_or_else(|| json!({"text": answer})),
                extra: Map::new(),
            });
        }
    }

    fn answer(&mut self, result: &Value, call: Option<&Value>) {
        let lost = result.get("extra").unwrap_or(&Value::Null);
        let (id, name) = match text(result, "source_call_id") {
            "" => (text(lost, "tool_call_id"), text(lost, "name")),
            id => (id, call.map_or("", |call| text(call, "function_name"))),
        };
        let answer = content(result.get("content"));
        self.messages.push(Message::tool(id, name, answer));
    }
}

/// Most items that are searched for an id.
const MOST_SEARCHED: usize = 1000;

/// The item whose `name` is `id`: mostly the one at the same place.
fn of_id<'a>(items: &'a [Value], place: usize, name: &str, id: &str) -> Option<&'a Value> {
    let has_id = |item: &&Value| !id.is_empty() && text(item, name) == id;
    let same = items.get(place).filter(has_id);
    same.or_else(|| items.iter().take(MOST_SEARCHED).find(has_id))
}

fn call(call: &Value) -> RecordCall {
    let raw = call
        .get("extra")
        .and_then(|extra| extra.get("raw_arguments"));
    RecordCall {
        id: text(call, "tool_call_id").to_owned(),
        name: text(call, "function_name").to_owned(),
        arguments: match (raw, call.get("arguments")) {
            (Some(Value::String(raw)), _) => raw.clone(),
            (_, Some(arguments)) => compact(arguments),
            _ => "{}".to_owned(),
        },
        extra: Map::new(),
    }
}
