//! Tasks from JSON, field by field. Derived readers of structs this large were written out by the
//! compiler for each source of JSON, thirty kilobytes of the page; this is one short one for all.

use super::super::{Slot, Task};
use super::{Block, BlockKind, Outage, Reference, Rules, Ship, Window};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::cell::Cell;

/// The fields of an object, and the first field that was of the wrong kind.
#[derive(Clone, Copy)]
struct Fields<'a> {
    value: &'a Value,
    fault: &'a Cell<Option<&'static str>>,
}

impl<'a> Fields<'a> {
    /// A field, unless it is absent or null.
    fn get(self, name: &str) -> Option<&'a Value> {
        self.value.get(name).filter(|value| !value.is_null())
    }

    fn blame(self, name: &'static str) {
        self.fault.set(self.fault.get().or(Some(name)));
    }

    fn whole(self, name: &'static str) -> Option<i64> {
        let value = self.get(name)?;
        let number = value.as_i64();
        if number.is_none() {
            self.blame(name);
        }
        number
    }

    /// A whole number of the size that hours and sections have.
    fn int(self, name: &'static str) -> Option<i32> {
        let number = self.whole(name)?;
        let small = i32::try_from(number).ok();
        if small.is_none() {
            self.blame(name);
        }
        small
    }

    fn hour(self, name: &'static str) -> i32 {
        self.int(name).unwrap_or_default()
    }

    fn float(self, name: &'static str) -> Option<f64> {
        let value = self.get(name)?;
        let number = value.as_f64();
        if number.is_none() {
            self.blame(name);
        }
        number
    }

    fn text(self, name: &'static str) -> String {
        match self.get(name) {
            None => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(_) => {
                self.blame(name);
                String::new()
            }
        }
    }

    fn items(self, name: &'static str) -> &'a [Value] {
        match self.get(name) {
            None => &[],
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.blame(name);
                &[]
            }
        }
    }

    fn list<T>(self, name: &'static str, read: impl Fn(Self) -> T) -> Vec<T> {
        let items = self.items(name).iter();
        items
            .map(|value| {
                if !(value.is_object() || value.is_array()) {
                    self.blame(name);
                }
                read(Self { value, ..self })
            })
            .collect()
    }
}

fn ship(from: Fields<'_>) -> Ship {
    let id = from.whole("id").map(usize::try_from);
    if let Some(Err(_)) = id {
        from.blame("id");
    }
    Ship {
        id: id.and_then(Result::ok).unwrap_or_default(),
        name: from.text("name"),
        imo: from.text("imo"),
        length_m: from.float("length_m").unwrap_or_default(),
        sections: from.hour("sections"),
        arrival: from.hour("arrival"),
        handling: from.hour("handling"),
        planned_hour: from.int("planned_hour"),
        planned_section: from.int("planned_section"),
        due: from.hour("due"),
        from_port: from.text("from_port"),
        to_port: from.text("to_port"),
        beam_m: from.float("beam_m"),
        draught_m: from.float("draught_m"),
        workload: from.int("workload"),
        min_cranes: from.int("min_cranes"),
        max_cranes: from.int("max_cranes"),
        std_cranes: from.int("std_cranes"),
        weight: from.whole("weight").unwrap_or(1),
        berth_deadline: from.int("berth_deadline"),
        deadline_penalty: from.whole("deadline_penalty").unwrap_or_default(),
    }
}

fn block(from: Fields<'_>) -> Block {
    Block {
        first: from.hour("first"),
        last: from.hour("last"),
        start: from.hour("start"),
        end: from.hour("end"),
        kind: match from.text("kind").as_str() {
            "alongside" => BlockKind::Alongside,
            _ => BlockKind::Closed,
        },
        label: from.text("label"),
        cranes: from.hour("cranes"),
    }
}

fn outage(from: Fields<'_>) -> Outage {
    Outage {
        start: from.hour("start"),
        end: from.hour("end"),
        cranes: from.hour("cranes"),
    }
}

fn window(from: Fields<'_>) -> Window {
    Window {
        start: from.hour("start"),
        end: from.hour("end"),
        min_length: from.float("min_length").unwrap_or_default(),
        reason: from.text("reason"),
    }
}

fn rules(from: Fields<'_>) -> Rules {
    Rules {
        crane_pool: from.int("crane_pool"),
        crane_rate: from.int("crane_rate"),
        crane_outages: from.list("crane_outages", outage),
        max_moves_per_hour: from.int("max_moves_per_hour"),
        no_moves: from.list("no_moves", window),
        reward: from.int("reward"),
        gap_k: from.whole("gap_k"),
    }
}

/// A slot as an object, or as `[hour, section, cranes]`.
fn slot(from: Fields<'_>) -> Slot {
    if let Value::Array(numbers) = from.value {
        let number = |at: usize| {
            let number = numbers.get(at).and_then(Value::as_i64);
            let number = number.and_then(|number| i32::try_from(number).ok());
            if number.is_none() && (at < 2 || at < numbers.len()) {
                from.blame("a plan's slot");
            }
            number.unwrap_or_default()
        };
        return Slot {
            hour: number(0),
            section: number(1),
            cranes: number(2),
        };
    }
    let (hour, section) = (
        from.int("berth_hour").or(from.int("hour")),
        from.int("section"),
    );
    if hour.is_none() || section.is_none() {
        from.blame("a plan's slot");
    }
    Slot {
        hour: hour.unwrap_or_default(),
        section: section.unwrap_or_default(),
        cranes: from.hour("cranes"),
    }
}

/// A reference is only worth keeping with both costs: servers that hide it send `{}`.
fn reference(from: Fields<'_>) -> Option<Reference> {
    let has = |key: &str| from.value.get(key).is_some_and(Value::is_number);
    (has("naive_cost") && has("optimal_cost")).then(|| Reference {
        naive_cost: from.whole("naive_cost").unwrap_or_default(),
        optimal_cost: from.whole("optimal_cost").unwrap_or_default(),
        proven_optimal: from.get("proven_optimal") == Some(&Value::Bool(true)),
        optimal_plan: from.list("optimal_plan", slot),
        naive_plan: from.list("naive_plan", slot),
    })
}

impl Task {
    /// Reads a task; the error names the field that is of the wrong kind.
    pub fn from_json(value: &Value) -> Result<Self, &'static str> {
        if !value.is_object() {
            return Err("the task itself");
        }
        let fault = Cell::new(None);
        let from = Fields {
            value,
            fault: &fault,
        };
        let part = |name: &str| Fields {
            value: value.get(name).unwrap_or(&Value::Null),
            fault: &fault,
        };
        let notice = |notice: &Value| {
            let text = notice.as_str().map(str::to_owned);
            text.unwrap_or_else(|| {
                from.blame("notices");
                String::new()
            })
        };
        let task = Self {
            task_id: from.text("task_id"),
            split: from.text("split"),
            quay: from.text("quay"),
            terminal: from.text("terminal"),
            first_section: from.hour("first_section"),
            last_section: from.hour("last_section"),
            section_m: from.float("section_m").unwrap_or_default(),
            week: from.hour("week"),
            week_start_utc: from.text("week_start_utc"),
            ships: from.list("ships", ship),
            blocks: from.list("blocks", block),
            notices: from.items("notices").iter().map(notice).collect(),
            disruptions: from.items("disruptions").to_vec(),
            difficulty: from.text("difficulty"),
            rules: rules(part("rules")),
            reference: reference(part("reference")),
        };
        fault.get().map_or(Ok(task), Err)
    }
}

impl<'de> Deserialize<'de> for Task {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_json(&value)
            .map_err(|field| D::Error::custom(format_args!("{field} is of the wrong kind")))
    }
}
