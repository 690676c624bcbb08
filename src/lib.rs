//! Quayside: a browser playground for berth-planning agents.
//!
//! This page is the map. Data flows down the list, and a module uses only what stands above it
//! (`tests/layering.rs` holds that line):
//!
//! | module | what it holds |
//! |---|---|
//! | [`case`] | words without regard to capitals |
//! | [`order`] | sorting, with one piece of code for all lists |
//! | [`part`] | parts of the program that come when they are needed |
//! | [`chat`] | messages, tool specs and calls, usage: words neutral of any provider |
//! | [`wire`] | what crosses the page's border as plain data: effects, inputs, HTTP, ids, time |
//! | [`settings`] | what a person chose: model spec, limits, server addresses |
//! | [`berth`] | the domain: task, plan, rules, cost, grade, situation text, planner |
//! | [`env`] | sessions with environments: OpenEnv over `/ws`, and the one built in |
//! | [`provider`] | models in conversation: three wire formats over HTTP, prices, the demonstration planner, the scripted one |
//! | [`rollout`] | the record: append-only events, their fold, the file format |
//! | [`episode`] | the loop: observation → model → tools → record, with limits and Stop |
//! | [`share`] | links: a rollout as text and back, the scan for keys, the size meter |
//! | [`store`] | names, versions and shapes of what is kept on the device |
//! | [`view`] | view models: transcript, run bar, chart (scale, lanes, strips, difference) |
//! | [`app`] | what the page is doing: intents in, effects out, one state |
//! | `ui` | Leptos components; intents go out through a `Dispatch`, state comes in as signals |
//! | `platform` | the browser: the one driver that carries effects out |
//!
//! **Sans-io.** Everything down to [`app`] is a state machine: it is handed plain
//! [`wire::Input`]s together with the time, and returns plain [`wire::Effect`]s. It holds no
//! future, no clock, no randomness and no JavaScript value, so Stop is one input, a test is a
//! dialogue, and the log of inputs replays a run exactly. `platform::driver` carries effects out
//! and decides nothing; every completion comes back later, from the event loop.
//!
//! **Traits are for variation, never for I/O**: [`env::Session`] (which environment) and
//! [`provider::Model`] (which model; it need not be HTTP).

// The markup of a screen is one nested type; the native renderer computes its layout in one go.
#![recursion_limit = "256"]

pub mod app;
pub mod berth;
pub mod case;
pub mod chat;
pub mod env;
pub mod episode;
pub mod order;
pub mod part;
pub mod provider;
pub mod rollout;
pub mod settings;
pub mod share;
pub mod store;
pub mod view;
pub mod wire;

#[cfg(any(target_arch = "wasm32", feature = "markup"))]
pub mod ui;

#[cfg(target_arch = "wasm32")]
pub mod platform;
