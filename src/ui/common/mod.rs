//! Small parts that several screens use.

mod facts;
mod field;
mod fold;
mod parts;
mod sort;
mod tabs;
mod title;

pub(super) use facts::{Facts, SaidLine};
pub(super) use field::{Choice, NumberField, TextField};
pub(super) use fold::Fold;
pub(super) use parts::{Empty, Problem, Skeleton, Stepper};
pub(super) use sort::SortHead;
pub(super) use tabs::{TabPanel, Tabs};
pub(super) use title::{Title, Visits};
