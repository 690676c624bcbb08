//! Plans inside a record: as models send them, brought to one form. Knows no rule of the domain.

use super::{Record, Step, kept, part};
use serde_json::Value;

/// A plan as it was sent, as a value: JSON text is parsed, a `{"plan": [...]}` round the list is
/// taken off, and what cannot be read, or not be held by a record, is kept as its text.
///
/// ```
/// use quayside::rollout::plan_value;
/// use serde_json::json;
/// assert_eq!(plan_value(&json!("{\"plan\": [1]}")), json!([1]));
/// assert_eq!(plan_value(&json!("not yet")), json!("not yet"));
/// ```
pub fn plan_value(sent: &Value) -> Value {
    let parsed = match sent {
        Value::String(text) => match part(text) {
            Some(value) => value,
            None => return sent.clone(),
        },
        other => kept(other.clone()),
    };
    match parsed.get("plan") {
        Some(list @ Value::Array(_)) => list.clone(),
        _ => parsed,
    }
}

impl Step {
    /// The plan in one form, however the file wrote it.
    pub fn plan_value(&self) -> Value {
        plan_value(&self.plan)
    }
}

impl Record {
    /// Every plan that was sent, in order and in one form.
    pub fn plans(&self) -> Vec<Value> {
        self.steps.iter().map(Step::plan_value).collect()
    }

    /// The plan that counts: the submitted one, else the last draft.
    pub fn last_plan(&self) -> Option<Value> {
        if self.last.submitted && !self.last.plan.is_null() {
            return Some(plan_value(&self.last.plan));
        }
        self.steps.last().map(Step::plan_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_wrapped_lists_and_their_texts_are_one_plan() {
        let list = json!([{"ship": "A", "hour": 1}]);
        for sent in [
            list.clone(),
            json!({"plan": list}),
            json!(list.to_string()),
            json!(json!({"plan": list}).to_string()),
        ] {
            assert_eq!(plan_value(&sent), list);
        }
    }

    #[test]
    fn a_plan_too_deep_for_a_record_is_a_text() {
        let text = "[".repeat(118) + &"]".repeat(118);
        let value = serde_json::from_str(&text).unwrap();
        assert_eq!(plan_value(&value), json!(text));
        assert_eq!(plan_value(&json!(text)), json!(text));
    }

    #[test]
    fn what_cannot_be_read_is_kept() {
        for sent in [
            json!(null),
            json!("[1,"),
            json!(3),
            json!({"plan": "later"}),
        ] {
            assert_eq!(plan_value(&sent), sent);
        }
    }
}
