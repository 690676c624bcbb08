//! Leptos components. State comes in as signals ([`State`]), intent goes out through [`Dispatch`];
//! a component neither fetches nor parses nor formats.
//!
//! | folder | what it shows |
//! |---|---|
//! | `shell` | what is on every screen: bar, notices, help, keyboard; and which screen is on |
//! | `start` | the demonstration |
//! | `tasks` | the task list |
//! | `workbench` | a task and an agent |
//! | `rollout` | a kept run, and the list of them |
//! | `connect` | servers and the doctor |
//! | `share` | the share dialog |
//! | `models` | services, keys, and the model that runs |
//! | `stage` | a chart with its drafts, for every screen that has one |
//! | `transcript` | the conversation |
//! | `chart` | the chart itself |
//! | `signal` | signals and memos |
//! | `common` | small parts that several screens use |
//! | `element` | the one element type, and `view!`, which makes it |

#![allow(
    unreachable_pub,
    reason = "the component macro makes the type of its properties public"
)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::large_types_passed_by_value,
    reason = "components take their properties by value, and signals are handles"
)]
#![allow(
    clippy::similar_names,
    reason = "`state` and `stage`, `lines` and `line` are told apart"
)]

pub mod chart;
mod common;
mod connect;
mod element;
mod keys;
mod markdown;
mod models;
mod rollout;
mod share;
mod shell;
mod signal;
mod stage;
mod start;
pub mod state;
mod tasks;
#[cfg(test)]
mod tests;
mod transcript;
mod workbench;

pub use shell::App;
pub use state::{Dispatch, State};
