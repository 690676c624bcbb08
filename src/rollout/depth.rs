//! How deep JSON is nested. It is read to a depth of 127, so what is put into something else must
//! leave room for that.

use serde_json::Value;

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
