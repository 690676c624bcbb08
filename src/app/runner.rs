//! One episode and what is shown of it, on whichever screen.

use super::choice::Ready;
use crate::berth::Task;
use crate::env::{Session, builtin::BuiltinSession};
use crate::episode::{Command, Episode, MakeModel, Setup};
use crate::part::in_part;
use crate::provider::format::Setting;
use crate::provider::http::HttpModel;
use crate::provider::planner::PlannerModel;
use crate::rollout::{Event, Record};
use crate::settings::{Limits, SpendLimit};
use crate::store::{Kept, StoreOrder};
use crate::view::RunModel;
use crate::view::money::Tariff;
use crate::wire::{Input, Io};
use std::sync::Arc;

/// The keyless model inside the page.
pub const PLANNER: &str = "demo:planner";

/// What a run begins with.
pub struct Run<'a> {
    /// For the episode.
    pub setup: Setup,
    /// The environment.
    pub session: Box<dyn Session>,
    /// The model.
    pub make_model: MakeModel,
    /// What it costs.
    pub tariff: Tariff,
    /// The task, where the page knows it.
    pub task: Option<Arc<Task>>,
    /// `builtin`, or the server's address.
    pub server: &'a str,
}

/// Makes the planner.
pub fn planner(seed: u64) -> MakeModel {
    Box::new(move |instructions, tools| Box::new(PlannerModel::new(instructions, tools, seed)))
}

/// The limits as they hold for this model: it is not asked for more than it can write, and one
/// inside the page has nothing to spend.
pub fn fitting(limits: Limits, ready: &Ready) -> Limits {
    let most = ready
        .max_output
        .map_or(u32::MAX, |most| u32::try_from(most).unwrap_or(u32::MAX));
    Limits {
        tokens: limits.tokens.min(most),
        spend: match ready.tariff {
            Tariff::Inside => SpendLimit::default(),
            _ => limits.spend,
        },
        ..limits
    }
}

/// Makes the model; none as long as the part of the program is away that it needs. `conversation`
/// is a name for it that no other has.
pub fn model(ready: &Ready, limits: &Limits, conversation: &str, seed: u64) -> Option<MakeModel> {
    if ready.spec.service.is_inside() {
        return Some(planner(seed));
    }
    over_http(ready, limits, conversation, seed)?
}

in_part! { models, fn over_http(
    ready: &Ready,
    limits: &Limits,
    conversation: &str,
    seed: u64,
) -> Option<MakeModel> {
    let spec = &ready.spec;
    let format = crate::provider::format(spec.service.speaks)?;
    let setting = Setting {
        service: spec.service,
        base: ready.base.clone(),
        routes: spec.routes(),
        effort: spec.effort(),
        max_tokens: limits.tokens,
        caches: limits.turns > 1,
        abilities: ready.abilities,
        system: String::new(),
        tools: Vec::new(),
        conversation: conversation.to_owned(),
    };
    Some(Box::new(move |instructions, tools| {
        let setting = Setting {
            system: instructions.to_owned(),
            tools: tools.to_vec(),
            ..setting
        };
        Box::new(HttpModel::new(format, setting, seed))
    }))
} }

/// A run: nothing yet, an episode under way, a finished one, or a record from the store.
#[derive(Default)]
pub struct Runner {
    episode: Option<Episode>,
    /// What the screens read.
    pub model: RunModel,
    /// `builtin`, or the server's address.
    pub server: String,
}

impl Runner {
    /// Begins an episode, in place of whatever was here.
    pub fn start(&mut self, io: &mut Io, run: Run<'_>) -> Vec<StoreOrder> {
        let mut stored = self.command(io, Command::Stop);
        run.server.clone_into(&mut self.server);
        self.model = RunModel::new(run.task);
        self.model.bill.tariff = run.tariff;
        self.model.limits = Some(run.setup.limits);
        let mut episode = Episode::new(run.setup, run.session, run.make_model);
        let mut events = Vec::new();
        episode.start(io, &mut events);
        self.episode = Some(episode);
        stored.extend(self.take(io, &events));
        stored
    }

    /// A session with the built-in environment.
    pub fn builtin(task: Option<&Task>, id: &str) -> Box<dyn Session> {
        Box::new(BuiltinSession::new(task.cloned(), id))
    }

    /// A run that is over, from its record.
    pub fn opened(record: &Record, task: Option<Arc<Task>>, server: &str) -> Self {
        Self {
            episode: None,
            model: RunModel::from_record(record, task),
            server: server.to_owned(),
        }
    }

    /// Hands an input on; it may not be this run's.
    pub fn handle(&mut self, io: &mut Io, input: &Input) -> Vec<StoreOrder> {
        let mut events = Vec::new();
        if let Some(episode) = &mut self.episode {
            episode.handle(io, input, &mut events);
        }
        self.take(io, &events)
    }

    /// Hands a person's order on.
    pub fn command(&mut self, io: &mut Io, command: Command) -> Vec<StoreOrder> {
        let mut events = Vec::new();
        if let Some(episode) = &mut self.episode {
            episode.command(io, command, &mut events);
        }
        self.take(io, &events)
    }

    /// Whether it goes on.
    pub fn is_running(&self) -> bool {
        self.episode
            .as_ref()
            .is_some_and(|episode| !episode.is_over())
    }

    /// Folds events in. Anything that is more than display is kept at once, so that a page that
    /// goes away in the next moment loses nothing.
    fn take(&mut self, io: &Io, events: &[Event]) -> Vec<StoreOrder> {
        let mut durable = false;
        for event in events {
            durable |= !matches!(event, Event::Streamed(_) | Event::Waits(_));
            self.model.apply(io.now, event);
        }
        if durable {
            vec![StoreOrder::Put(Box::new(self.kept(io)))]
        } else {
            Vec::new()
        }
    }

    /// The run as it is kept.
    pub fn kept(&self, io: &Io) -> Kept {
        let record = self.model.rollout.record.clone();
        Kept {
            id: record.episode_id.clone(),
            name: String::new(),
            server: self.server.clone(),
            saved: io.now.0,
            record,
        }
    }
}
