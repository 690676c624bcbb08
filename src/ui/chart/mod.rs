//! The plan chart on the page: one component per layer, back to front, and its companions.
//!
//! | component | what it shows |
//! |---|---|
//! | [`PlanChart`] | the chart with tools, strips and the hour slider |
//! | [`MiniChart`] | a thumbnail for tool cards and lists |
//! | [`ProblemsPanel`] | problems by rule; a click jumps to ship and hour |
//! | [`PlanTable`] | the table twin, with each ship's state at the hour line |
//! | [`ChangeList`] | the difference to an older plan, best change first |
//! | [`Legend`] | what the forms mean |
//!
//! All take the chart as a signal and the selection and the hour as signals of their own, so that
//! moving the hour line touches one attribute and one table column. Geometry, words and names come
//! from [`crate::view::chart`]; what leaves the page goes out through callbacks.

#![allow(
    unreachable_pub,
    reason = "the component macro makes the type of its properties public"
)]

mod changes;
mod hour;
mod keys;
mod legend;
mod marks;
mod mini;
mod plan_chart;
mod problems;
mod scroller;
mod stage;
mod table;
#[cfg(test)]
mod tests;
mod tools;
mod vessels;

pub use changes::ChangeList;
pub use legend::Legend;
pub use mini::MiniChart;
pub use plan_chart::PlanChart;
pub use problems::ProblemsPanel;
pub use table::PlanTable;

/// A file someone asked for. The page makes it with [`crate::view::chart::export`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// A picture of pixels.
    Png,
    /// A drawing.
    Svg,
}
