//! The task: a quay, its ships, what is in the way, and the rules in force.
//! The JSON form is that of the reference; hours and sections are whole numbers. Reading is
//! lenient where nothing can go wrong by it: unknown fields are ignored, a field with a default
//! may be absent or null, and a `reference` without both costs is none. Whether the numbers make
//! sense is a separate question, answered by [`Task::problems`].

mod json;

use super::{Hour, Section, Slot};
use serde::Serialize;
use serde_json::Value;

/// One planning task.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// Unique name.
    pub task_id: String,
    /// The set it belongs to; no effect on rules.
    pub split: String,
    /// Quay label.
    pub quay: String,
    /// Terminal label.
    pub terminal: String,
    /// First section of the quay, inclusive; need not be 1.
    pub first_section: Section,
    /// Last section of the quay, inclusive.
    pub last_section: Section,
    /// Length of a section in metres; display only.
    pub section_m: f64,
    /// ISO week; display only.
    pub week: i32,
    /// What hour 0 is, `YYYY-MM-DDT00:00:00Z`; display only.
    pub week_start_utc: String,
    /// Ships; a ship's id is its position.
    pub ships: Vec<Ship>,
    /// Rectangles of quay that nobody else may use.
    pub blocks: Vec<Block>,
    /// What went wrong, in words.
    pub notices: Vec<String>,
    /// What went wrong, as data (`type` and details).
    pub disruptions: Vec<Value>,
    /// Tier name.
    pub difficulty: String,
    /// Crane, movement and wind limits, and the reward version.
    pub rules: Rules,
    /// Stored costs and plans; never shown before the end of an episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
}

/// A ship to berth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ship {
    /// Its position in `Task::ships`.
    pub id: usize,
    /// Name; not necessarily unique.
    pub name: String,
    /// Registry number; display only.
    pub imo: String,
    /// Metres; decides which wind windows bind it.
    pub length_m: f64,
    /// Consecutive sections it needs, at least 1.
    pub sections: Section,
    /// Earliest berthing hour, delays included.
    pub arrival: Hour,
    /// Hours alongside when crane rules do not apply.
    pub handling: Hour,
    /// When the published plan had it berth; `None` for an unscheduled call.
    pub planned_hour: Option<Hour>,
    /// The first section it had there; `None` for an unscheduled call.
    pub planned_section: Option<Section>,
    /// Planned departure.
    pub due: Hour,
    /// Display only.
    pub from_port: String,
    /// Display only.
    pub to_port: String,
    /// Metres; display only.
    pub beam_m: Option<f64>,
    /// Metres; display only.
    pub draught_m: Option<f64>,
    /// Crane-hours of work; crane tasks only.
    pub workload: Option<i32>,
    /// Fewest cranes that may work it.
    pub min_cranes: Option<i32>,
    /// Most cranes that may work it.
    pub max_cranes: Option<i32>,
    /// Count of the published plan, and the default of a plan entry.
    pub std_cranes: Option<i32>,
    /// Multiplies the cost of lateness.
    pub weight: i64,
    /// Emergency: last hour to berth free of penalty.
    pub berth_deadline: Option<Hour>,
    /// Cost of each hour berthed after that.
    pub deadline_penalty: i64,
}

/// Written out for the sake of `weight`, which is 1 where nothing is said.
impl Default for Ship {
    fn default() -> Self {
        Self {
            id: 0,
            name: String::new(),
            imo: String::new(),
            length_m: 0.0,
            sections: 0,
            arrival: 0,
            handling: 0,
            planned_hour: None,
            planned_section: None,
            due: 0,
            from_port: String::new(),
            to_port: String::new(),
            beam_m: None,
            draught_m: None,
            workload: None,
            min_cranes: None,
            max_cranes: None,
            std_cranes: None,
            weight: 1,
            berth_deadline: None,
            deadline_penalty: 0,
        }
    }
}

impl Ship {
    /// Cranes of the published plan; 1 where a (then unsound) task does not say.
    pub fn standard_cranes(&self) -> i32 {
        self.std_cranes.unwrap_or(1)
    }
}

/// Whether a block is a ship or a closure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    /// A ship already there at hour 0: holds cranes, moves once, at its end.
    Alongside,
    /// Sections out of use. Anything that is not `alongside` counts as this.
    #[default]
    Closed,
}

/// A rectangle of quay and hours that is taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Block {
    /// First section, inclusive.
    pub first: Section,
    /// Last section, inclusive.
    pub last: Section,
    /// First hour.
    pub start: Hour,
    /// The hour it is free again.
    pub end: Hour,
    /// Ship or closure.
    pub kind: BlockKind,
    /// The ship's name, or the reason.
    pub label: String,
    /// Cranes that ship occupies in every hour; crane tasks only.
    pub cranes: i32,
}

/// Limits in force. Without a `crane_pool` every crane, movement and wind rule is off.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rules {
    /// Quay cranes; present and not 0 means crane rules are in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crane_pool: Option<i32>,
    /// Container moves per crane-hour; display only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crane_rate: Option<i32>,
    /// Cranes missing for some hours; those that coincide add up.
    pub crane_outages: Vec<Outage>,
    /// Berthings plus departures per hour; absent or 0: no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves_per_hour: Option<i32>,
    /// Hours in which some ships neither berth nor leave.
    pub no_moves: Vec<Window>,
    /// Reward version: 3 and 2 select those, anything else is version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward: Option<i32>,
    /// Constant of reward version 3; 100 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_k: Option<i64>,
}

/// Cranes missing in `[start, end)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outage {
    /// First hour.
    pub start: Hour,
    /// The hour they are back.
    pub end: Hour,
    /// How many are missing.
    pub cranes: i32,
}

/// Hours `[start, end)` in which ships of at least `min_length` metres neither berth nor leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Window {
    /// First hour.
    pub start: Hour,
    /// The hour it is over.
    pub end: Hour,
    /// Metres; a ship exactly this long is bound. 0: every ship.
    pub min_length: f64,
    /// Why, in words.
    pub reason: String,
}

/// Stored costs of a task whose optimum is known, and plans that reach them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reference {
    /// Cost of the naive re-plan.
    pub naive_cost: i64,
    /// Least cost of any feasible plan.
    pub optimal_cost: i64,
    /// Whether an exact solver proved it.
    pub proven_optimal: bool,
    /// One plan that reaches `optimal_cost`, a slot per ship in id order; may be empty.
    pub optimal_plan: Vec<Slot>,
    /// The naive re-plan, a slot per ship in id order; may be empty.
    pub naive_plan: Vec<Slot>,
}

impl Task {
    /// Whether crane rules (pool, movements, wind) are in force.
    pub fn has_cranes(&self) -> bool {
        self.rules.crane_pool.is_some_and(|pool| pool != 0)
    }
    /// The last hour the chart needs: the end of the week the latest due hour or block falls in,
    /// at least one week and at most three.
    pub fn horizon(&self) -> Hour {
        let last = self
            .ships
            .iter()
            .map(|ship| ship.due.max(ship.arrival))
            .chain(self.blocks.iter().map(|block| block.end))
            .max()
            .unwrap_or(0);
        (last.div_euclid(168) + 1).clamp(1, 3) * 168
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Task {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn absent_and_null_fields_take_their_defaults() {
        let task = read(json!({
            "blocks": null, "rules": null, "notices": null,
            "ships": [{"name": "A"}, {"weight": null, "from_port": null}, {"weight": 3}],
        }));
        let weights: Vec<i64> = task.ships.iter().map(|ship| ship.weight).collect();
        assert_eq!(weights, [1, 1, 3]);
        assert!(task.blocks.is_empty() && !task.has_cranes());
    }

    #[test]
    fn any_block_that_is_not_alongside_is_closed() {
        let task = read(json!({"blocks": [
            {"kind": "alongside"}, {"kind": "closed"}, {"kind": "dredging"}, {},
        ]}));
        let kinds: Vec<BlockKind> = task.blocks.iter().map(|block| block.kind).collect();
        let closed = BlockKind::Closed;
        assert_eq!(kinds, [BlockKind::Alongside, closed, closed, closed]);
    }

    #[test]
    fn a_reference_without_both_costs_is_none() {
        assert_eq!(read(json!({"reference": {}})).reference, None);
        assert_eq!(read(json!({"reference": null})).reference, None);
        assert_eq!(
            read(json!({"reference": {"naive_cost": 3}})).reference,
            None
        );
        let full = read(json!({"reference": {
            "naive_cost": 3, "optimal_cost": 2, "lower_bound": 1,
            "optimal_plan": [{"ship": 0, "berth_hour": 4, "section": 5}], "naive_plan": null,
        }}));
        let reference = full.reference.unwrap();
        assert_eq!((reference.naive_cost, reference.optimal_cost), (3, 2));
        let slot = Slot {
            hour: 4,
            section: 5,
            cranes: 0,
        };
        assert_eq!(reference.optimal_plan, [slot]);
    }

    #[test]
    fn a_pool_of_zero_switches_crane_rules_off() {
        assert!(!read(json!({"rules": {"crane_pool": 0}})).has_cranes());
        assert!(!read(json!({"rules": {"crane_pool": null}})).has_cranes());
        assert!(read(json!({"rules": {"crane_pool": 1}})).has_cranes());
    }
}
