//! How deep JSON is nested. It is read to a depth of 127, so what is put into something else must
//! leave room for that.

use crate::wire::json::{compact, read};
use serde_json::Value;

/// Deepest nesting of a rollout. JSON is read to a depth of 127, and an export of several rollouts
/// puts each three deeper: what was opened once can be opened again.
pub(super) const DEEPEST: usize = 120;

/// Deepest nesting of a plan, an answer or a grade: three lists and objects lie round it.
const DEEPEST_PART: usize = DEEPEST - 3;

/// The value of a JSON text, unless it is nested deeper than a record can hold.
pub fn part(text: &str) -> Option<Value> {
    read(text).filter(|value| !is_deeper(value, DEEPEST_PART))
}

/// A value as a record can hold it: one that is nested too deep becomes its text.
///
/// ```
/// use quayside::rollout::kept;
/// use serde_json::{Value, json};
/// assert_eq!(kept(json!([[1]])), json!([[1]]));
/// let deep = (0..200).fold(Value::Null, |inner, _| json!([inner]));
/// assert!(kept(deep).is_string());
/// ```
pub fn kept(value: Value) -> Value {
    if is_deeper(&value, DEEPEST_PART) {
        compact(&value).into()
    } else {
        value
    }
}

/// Whether lists and objects lie in each other more than `most` deep.
pub(super) fn is_deeper(value: &Value, most: usize) -> bool {
    let Some(inner) = most.checked_sub(1) else {
        return value.is_array() || value.is_object();
    };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper(item, inner)),
        Value::Object(map) => map.values().any(|item| is_deeper(item, inner)),
        _ => false,
    }
}
