//! What all parts of the workbench share: which task, which run, what is chosen.

use crate::app::catalog::{CatalogView, PackState};
use crate::app::choice::{self, Ready, Unfit};
use crate::app::connect::ConnectView;
use crate::app::models::{ModelsView, Wish};
use crate::app::{Intent, Place};
use crate::env::builtin;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::ui::stage::Stage;
use crate::ui::state::{Dispatch, State, use_state};
use crate::view::money::{Ahead, Tariff};
use crate::view::{Drafts, RunStatus, form, words};
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
    waits: RwSignal<bool>,
    models: RwSignal<Arc<ModelsView>>,
    known: Memo<Known>,
    /// The chart and the drafts on it.
    pub(super) stage: Stage,
    /// The transcript stays at its end.
    pub(super) follow: RwSignal<bool>,
    /// The model's spec, as typed and left.
    pub(super) model: RwSignal<String>,
    /// What that comes to.
    pub(super) ready: Memo<Result<Ready, Unfit>>,
    /// The limits, as typed: see [`form::LABELS`].
    pub(super) fields: [RwSignal<String>; form::MANY],
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
        let choices = state.models.with_untracked(|models| models.choices.clone());
        let chosen = match choices.model.as_str() {
            "" => "demo:planner".to_owned(),
            _ => choices.model,
        };
        let model = RwSignal::new(chosen);
        Self {
            place,
            mine,
            status: state.run.status,
            waits: state.run_waits,
            models: state.models,
            known: Memo::new(move |_| known(state.catalog, state.connect, place)),
            stage: Stage::new(drafts, step.into(), show),
            follow: RwSignal::new(true),
            model,
            ready: Memo::new(move |_| model.with(|text| ready(state, text))),
            fields: form::texts(&choices.limits).map(RwSignal::new),
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

    /// A run of this task is to begin as soon as all that it takes is here.
    pub(super) fn waits(self) -> bool {
        self.waits.get()
    }

    /// A run of this task goes on, or is to begin.
    pub(super) fn is_running(self) -> bool {
        self.waits() || self.mine() && self.status.with(|status| status.running)
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

    /// What the chosen model costs; nothing is known of a text that names none.
    pub(super) fn tariff(self) -> Tariff {
        self.ready.with(|ready| match ready {
            Ok(Ready { tariff, .. }) | Err(Unfit::Service(_, tariff)) => *tariff,
            Err(Unfit::Spec(_)) => Tariff::Unknown,
        })
    }

    /// The limits as they stand in the fields; none while one of them is wrong.
    pub(super) fn limits(self) -> Option<crate::settings::Limits> {
        let texts = self.fields.map(|field| field.get());
        let so_far = self.models.with(|models| models.choices.limits);
        form::limits(&texts, self.tariff(), so_far)
    }

    /// A person has typed a model and left the field.
    pub(super) fn choose(self, dispatch: Dispatch, text: String) {
        let text = text.trim().to_owned();
        self.model.set(text.clone());
        dispatch.send(Intent::Models(Wish::Choose(text)));
    }

    /// About the price of a run with what is chosen now.
    pub(super) fn note(self) -> String {
        let waits = self
            .ready
            .with(|ready| matches!(ready, Err(Unfit::Spec(_))));
        let Some(limits) = self.limits().filter(|_| !waits) else {
            return String::new();
        };
        let tariff = self.tariff();
        let told = self.stage.drafts.with(|drafts| {
            let task = drafts.task.as_ref();
            task.map(|task| builtin::characters_told(task))
        });
        let ahead = told.map(|characters| Ahead {
            characters,
            turns: limits.turns,
            most_output: limits.tokens,
            tariff,
        });
        let most = self.ready.with(|ready| ready.as_ref().ok()?.max_output);
        form::note(ahead.as_ref(), tariff, most, limits.tokens)
    }

    /// Begins a run, unless one goes on or something in the run bar is wrong, which it says there.
    pub(super) fn run(self, dispatch: Dispatch) {
        if self.status.with_untracked(|status| status.running) {
            return;
        }
        let (Some(limits), true) = (
            untrack(|| self.limits()),
            self.ready.with_untracked(Result::is_ok),
        ) else {
            return;
        };
        let typed = self.instructions.get_untracked();
        let instructions = (!typed.trim().is_empty()).then_some(typed);
        self.stage.show.run(usize::MAX);
        self.follow.set(true);
        dispatch.send(Intent::Run {
            model: self.model.get_untracked(),
            limits,
            instructions,
        });
    }
}

/// What a typed model comes to.
fn ready(state: State, text: &str) -> Result<Ready, Unfit> {
    state.models.with(|models| {
        state
            .prices
            .with(|(prices, _)| choice::read(text, models, prices.as_deref()))
    })
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
