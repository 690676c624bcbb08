//! One episode and what is shown of it, on whichever screen.

use crate::berth::Task;
use crate::env::{Session, builtin::BuiltinSession};
use crate::episode::{Command, Episode, Setup};
use crate::provider::planner::PlannerModel;
use crate::rollout::{Event, Record};
use crate::store::{Kept, StoreOrder};
use crate::view::RunModel;
use crate::wire::{Input, Io};
use std::sync::Arc;

/// The keyless model inside the page.
pub const PLANNER: &str = "demo:planner";

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
    /// Begins an episode of the planner, in place of whatever was here.
    pub fn start(
        &mut self,
        io: &mut Io,
        setup: Setup,
        session: Box<dyn Session>,
        task: Option<Arc<Task>>,
        server: &str,
    ) -> Vec<StoreOrder> {
        let mut stored = self.command(io, Command::Stop);
        let seed = io.now.0;
        let mut episode = Episode::new(
            setup,
            session,
            Box::new(move |instructions, tools| {
                Box::new(PlannerModel::new(instructions, tools, seed))
            }),
        );
        server.clone_into(&mut self.server);
        self.model = RunModel::new(task);
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
            server: self.server.clone(),
            saved: io.now.0,
            record,
        }
    }
}
