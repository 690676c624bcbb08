//! The domain: berth planning along one quay.
//!
//! In: a [`Task`] and a plan in any JSON shape. Out: a [`Check`] (rules, costs), a grade, texts.
//! Everything is a pure function of whole hours and whole sections. Hours are half-open
//! (`[start, end)`), sections inclusive at both ends; hour 0 is the task's `week_start_utc`.
//! Knows nothing of servers, models or the page.

pub mod baseline;
pub mod check;
pub mod grade;
pub mod pack;
pub mod plan;
pub mod planner;
pub mod rules;
pub mod situation;
pub mod soundness;
pub mod task;
pub mod tools;

pub use check::{Check, Checker, ShipResult, Span, Strips};
pub use grade::{Grade, grade};
pub use plan::{ParseError, Plan, PlanProblem, Reading, Slot};
pub use rules::{Kind, Rule, Scratch, Violation};
pub use soundness::TaskProblem;
pub use task::{Block, BlockKind, Outage, Reference, Rules, Ship, Task, Window};

/// A whole hour after the task's hour 0; may be negative.
pub type Hour = i32;
/// A quay section's number.
pub type Section = i32;
/// A ship's position in `Task::ships`.
pub type ShipId = usize;
