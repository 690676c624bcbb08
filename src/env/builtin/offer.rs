//! The tools on offer, and what their arguments must be.
//!
//! A plan is a text, which `berth` reads leniently, or a list of objects with whole numbers. Lists
//! are put in order here, as the servers this stands in for do: whole floats, digits in quotes and
//! truth values become numbers, other fields vanish. What cannot be put in order is refused before
//! any plan is read, so that it uses a call and no check.

use crate::berth::Task;
use crate::chat::ToolSpec;
use serde_json::{Map, Value, json};

/// A call that makes sense.
#[derive(Debug, PartialEq)]
pub(super) enum Request {
    Situation,
    Check(Value),
    Submit(Value),
}

/// A call that does not. The player reads the text.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("there is no tool {0}; the tools are get_situation, check_plan and submit_plan")]
    NoSuchTool(String),
    #[error("{tool} needs the argument plan")]
    PlanMissing { tool: &'static str },
    #[error("{tool} takes no argument {name}")]
    Extra { tool: &'static str, name: String },
    #[error("plan must be a list of objects, or such a list as a JSON text")]
    PlanShape,
    #[error("plan[{entry}] must be an object with ship, berth_hour and section")]
    EntryShape { entry: usize },
    #[error("plan[{entry}].{field} must be a whole number")]
    Field { entry: usize, field: &'static str },
}

/// The three tools. On tasks with cranes an entry may name their number.
pub(super) fn tools(task: &Task) -> Vec<ToolSpec> {
    let tool = |name: &str, description: &str, input_schema: Value| ToolSpec {
        name: name.into(),
        description: description.into(),
        input_schema,
    };
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    vec![
        tool(
            "get_situation",
            "The situation again, word for word as at the beginning: the quay, what is closed or \
             taken, and every ship to berth.",
            nothing,
        ),
        tool(
            "check_plan",
            "Tests a draft of the whole plan. Names each broken rule by ship, gives each ship's \
             departure, delay and cost, and the total cost when no rule is broken. Each test uses \
             one of a limited number of checks. It scores nothing.",
            plan_schema(task),
        ),
        tool(
            "submit_plan",
            "Hands in the final plan, is graded once and ends the episode. Only this scores.",
            plan_schema(task),
        ),
    ]
}

fn plan_schema(task: &Task) -> Value {
    let whole = |description: &str| json!({"type": "integer", "description": description});
    let mut fields = Map::new();
    fields.insert("ship".into(), whole("Id of the ship in the table."));
    fields.insert("berth_hour".into(), whole("Hour at which it berths."));
    fields.insert("section".into(), whole("First section it lies on."));
    if task.has_cranes() {
        let cranes = "Cranes that work it; left out, its planned number.";
        fields.insert("cranes".into(), whole(cranes));
    }
    json!({
        "type": "object",
        "properties": {"plan": {
            "description": "The whole plan: one entry for every ship, as a list or as JSON text.",
            "anyOf": [
                {"type": "array", "items": {
                    "type": "object",
                    "properties": fields,
                    "required": ["ship", "berth_hour", "section"],
                }},
                {"type": "string"},
            ],
        }},
        "required": ["plan"],
        "additionalProperties": false,
    })
}

/// What a call asks for.
pub(super) fn read(tool: &str, arguments: &Map<String, Value>) -> Result<Request, Refusal> {
    let plan = |tool| {
        if let Some(name) = arguments.keys().find(|name| *name != "plan") {
            return Err(Refusal::Extra {
                tool,
                name: name.chars().take(60).collect(),
            });
        }
        in_order(arguments.get("plan").ok_or(Refusal::PlanMissing { tool })?)
    };
    match tool {
        "get_situation" => match arguments.keys().next() {
            None => Ok(Request::Situation),
            Some(name) => {
                let name = name.chars().take(60).collect();
                Err(Refusal::Extra {
                    tool: "get_situation",
                    name,
                })
            }
        },
        "check_plan" => plan("check_plan").map(Request::Check),
        "submit_plan" => plan("submit_plan").map(Request::Submit),
        other => Err(Refusal::NoSuchTool(other.chars().take(60).collect())),
    }
}

fn in_order(plan: &Value) -> Result<Value, Refusal> {
    match plan {
        Value::String(_) => Ok(plan.clone()),
        Value::Array(entries) => entries.iter().enumerate().map(entry_in_order).collect(),
        _ => Err(Refusal::PlanShape),
    }
}

fn entry_in_order((entry, value): (usize, &Value)) -> Result<Value, Refusal> {
    let given = value.as_object().ok_or(Refusal::EntryShape { entry })?;
    let mut ordered = Map::new();
    for field in ["ship", "berth_hour", "section", "cranes"] {
        let number = match given.get(field) {
            None | Some(Value::Null) if field == "cranes" => continue,
            Some(value) => whole(value),
            None => None,
        };
        ordered.insert(field.into(), number.ok_or(Refusal::Field { entry, field })?);
    }
    Ok(Value::Object(ordered))
}

/// A whole number in any spelling; one too large for this machine stays as it is, for the reader
/// to say so.
fn whole(value: &Value) -> Option<Value> {
    /// Every whole number below it is exact as a float.
    const EXACT: f64 = 9e15;
    match value {
        Value::Bool(yes) => Some(json!(u8::from(*yes))),
        Value::Number(number) => match number.as_f64()? {
            float if !number.is_f64() || float.fract() != 0.0 => {
                (!number.is_f64()).then(|| value.clone())
            }
            float if float.abs() < EXACT => Some(json!(float as i64)),
            _ => Some(value.clone()),
        },
        Value::String(text) => text.trim().parse::<i64>().ok().map(|number| json!(number)),
        _ => None,
    }
}
