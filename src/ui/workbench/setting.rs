//! What all parts of the workbench share: which task, which run, what is chosen.

use crate::app::catalog::{CatalogView, PackState};
use crate::app::connect::ConnectView;
use crate::app::{Intent, Place};
use crate::settings::Limits;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::ui::stage::Stage;
use crate::ui::state::{Dispatch, use_state};
use crate::view::{Drafts, RunStatus, words};
use crate::wire::Millis;
use leptos::prelude::*;
use std::sync::Arc;

/// Whether the workbench can open.
#[derive(Clone, PartialEq)]
pub(super) enum Known {
    /// A link named a server; a person has to agree. The host.
    Confirm(String),
    /// The task may still come.
    Loading,
    /// It will not: why.
    Missing(String),
    /// All there.
    Here,
}

/// The workbench's common ground.
#[derive(Clone, Copy)]
pub(super) struct Bench {
    place: StoredValue<(Place, String)>,
    mine: Memo<bool>,
    status: RwSignal<RunStatus>,
    known: Memo<Known>,
    /// The chart and the drafts on it.
    pub(super) stage: Stage,
    /// The transcript stays at its end.
    pub(super) follow: RwSignal<bool>,
    /// Most turns.
    pub(super) turns: RwSignal<u64>,
    /// Time limit in minutes.
    pub(super) minutes: RwSignal<u64>,
    /// Instructions for an environment that gives none.
    pub(super) instructions: RwSignal<String>,
}

impl Bench {
    /// The workbench of a task.
    pub(super) fn new(place: Place, task: String) -> Self {
        let state = use_state();
        let place = StoredValue::new((place, task));
        let mine = Memo::new(move |_| state.run_place.with(|run| is_at(run.as_ref(), place)));
        let before = Memo::new(move |_| known_drafts(state.catalog, place));
        let drafts = Signal::derive(move || {
            let run = state.run.drafts.get();
            if mine.get() && run.task.is_some() {
                run
            } else {
                before.get()
            }
        });
        // None: the newest, as it comes.
        let chosen = RwSignal::new(None::<usize>);
        let step = Memo::new(move |_| {
            let last = drafts.with(|drafts| drafts.drafts.len());
            chosen.get().map_or(last, |step| step.min(last))
        });
        let show = Callback::new(move |step: usize| {
            let last = drafts.with_untracked(|drafts| drafts.drafts.len());
            chosen.set((step < last).then_some(step));
        });
        let defaults = Limits::default();
        Self {
            place,
            mine,
            status: state.run.status,
            known: Memo::new(move |_| known(state.catalog, state.connect, place)),
            stage: Stage::new(drafts, step.into(), show),
            follow: RwSignal::new(true),
            turns: RwSignal::new(u64::from(defaults.turns)),
            minutes: RwSignal::new(defaults.time.seconds() / 60),
            instructions: RwSignal::new(String::new()),
        }
    }

    /// Whether the workbench can open.
    pub(super) fn known(self) -> Known {
        self.known.get()
    }

    /// The task's name, as the heading has it.
    pub(super) fn name(self) -> String {
        let (_, task) = self.place.get_value();
        if task.is_empty() {
            "Whatever the server gives".into()
        } else {
            task
        }
    }

    /// The place, and the task in it.
    pub(super) fn place(self) -> (Place, String) {
        self.place.get_value()
    }

    /// The run on this page is one of this task.
    pub(super) fn mine(self) -> bool {
        self.mine.get()
    }

    /// A run of this task goes on.
    pub(super) fn is_running(self) -> bool {
        self.mine() && self.status.with(|status| status.running)
    }

    /// The task in a line.
    pub(super) fn facts(self) -> String {
        let (place, _) = self.place.get_value();
        self.stage
            .drafts
            .with(|drafts| words::task_line(drafts, matches!(place, Place::Builtin)))
    }

    /// `Checks left 9 of 10 · Turn 2 of 12`.
    pub(super) fn limits_left(self) -> String {
        if !self.mine() {
            return String::new();
        }
        self.status.with(words::limits_line)
    }

    /// Begins a run, unless one goes on.
    pub(super) fn run(self, dispatch: Dispatch) {
        if self.status.with_untracked(|status| status.running) {
            return;
        }
        let limits = Limits {
            turns: self.turns.get_untracked() as u32,
            time: Millis(self.minutes.get_untracked() * 60_000),
            ..Limits::default()
        };
        let typed = self.instructions.get_untracked();
        let instructions = (!typed.trim().is_empty()).then_some(typed);
        self.stage.show.run(usize::MAX);
        self.follow.set(true);
        dispatch.send(Intent::Run {
            limits,
            instructions,
        });
    }
}

fn is_at(run: Option<&(Place, String)>, place: StoredValue<(Place, String)>) -> bool {
    place.with_value(|place| run == Some(place))
}

/// Task and published plan before any run.
fn known_drafts(
    catalog: RwSignal<CatalogView>,
    place: StoredValue<(Place, String)>,
) -> Arc<Drafts> {
    let (place, id) = place.get_value();
    let task = catalog.with(|catalog| {
        let mut tasks = catalog.builtin.iter();
        tasks
            .find(|task| place == Place::Builtin && task.task_id == id)
            .cloned()
    });
    Arc::new(task.map(Drafts::of_task).unwrap_or_default())
}

fn known(
    catalog: RwSignal<CatalogView>,
    connect: RwSignal<ConnectView>,
    place: StoredValue<(Place, String)>,
) -> Known {
    let (place, id) = place.get_value();
    match place {
        Place::Server(address) => {
            let allowed =
                connect.with(|connect| connect.known.iter().any(|known| known.ws_url == address));
            if allowed {
                Known::Here
            } else {
                Known::Confirm(address)
            }
        }
        Place::Builtin => catalog.with(|catalog| {
            if catalog.builtin.iter().any(|task| task.task_id == id) {
                return Known::Here;
            }
            match &catalog.pack {
                PackState::Absent | PackState::Loading => Known::Loading,
                PackState::Loaded => Known::Missing(format!(
                    "There is no built-in task {id}. It may be a server's."
                )),
                PackState::Failed(reason) => Known::Missing(reason.clone()),
            }
        }),
    }
}
