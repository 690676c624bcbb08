//! What both sides of a link agree on beyond bytes: known words, bits, the mark of a task.

use crate::berth::{Task, situation};
use crate::episode::{CHECK, SUBMIT};
use crate::rollout::{part, plan_value};
use serde_json::{Value, json};

/// Words that a link writes as numbers: 0 none, 1 another word (as text after it), 2 the first of
/// the list, and so on. Lists grow at their ends only.
#[derive(Debug)]
pub(super) struct Known(pub(super) &'static [&'static str]);

/// What models' names begin with: providers. The rest of the name follows as a text.
pub(super) const PROVIDERS: Known = Known(&["anthropic:", "openai:", "hf:", "vllm:", "demo:"]);

/// Tools.
pub(super) const TOOLS: Known = Known(&["check_plan", "submit_plan", "get_situation"]);

/// How runs end.
pub(super) const END_REASONS: Known = Known(&[
    "submitted",
    "no_tool_call",
    "turn_limit",
    "wall_clock",
    "tool_call_limit",
    "server_ended",
    "spend_limit",
    "error",
    "stopped",
    "interrupted",
]);

/// Truth values as a number, the first as its lowest bit.
pub(super) fn bits(values: &[bool]) -> u64 {
    let one = |(value, place): (&bool, u32)| u64::from(*value) << place;
    values.iter().zip(0..).map(one).sum()
}

/// Whether calls of this tool hold a plan.
pub(super) fn takes_plan(tool: &str) -> bool {
    tool == CHECK || tool == SUBMIT
}

/// A plan as the value it comes to, however many texts and wrappings are round it: a link says it
/// once, and a link made from a link says the same.
pub(super) fn plan_of(sent: &Value) -> Value {
    let mut plan = plan_value(sent);
    // Each text inside a text is shorter than the one round it.
    while plan.is_string() {
        let inner = plan_value(&plan);
        if inner == plan {
            break;
        }
        plan = inner;
    }
    plan
}

/// A step's result, from the text that the tool answered.
pub(super) fn result_of(text: &str) -> Value {
    part(text).unwrap_or_else(|| json!({ "text": text }))
}

/// Three bytes by which a reader sees that its task of this name is the writer's: of the SHA-256
/// of its text and of what its grade is measured by.
pub(super) fn mark(task: &Task) -> [u8; 3] {
    let mut text = situation::write(task);
    if let Some(reference) = &task.reference {
        let costs = [reference.naive_cost, reference.optimal_cost];
        text.push_str(&crate::wire::json::compact(&json!(costs)));
    }
    let rules = [task.rules.reward.map(i64::from), task.rules.gap_k];
    text.push_str(&crate::wire::json::compact(&json!(rules)));
    super::digest::mark(&text)
}
