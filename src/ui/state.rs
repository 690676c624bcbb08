//! What the components read: the app's state as signals, one per thing that changes by itself.
//!
//! [`State::publish`] is called at most once a frame with the app; it sets a signal only when its
//! value changed, and touches only the transcript entries whose version grew.

use crate::app::{
    App, Look, Notice, PageFacts, Place, Route,
    catalog::CatalogView,
    connect::ConnectView,
    kept::Shelf,
    models::ModelsView,
    sharing::{Dialog, Guest},
};
use crate::app::{Intent, runner::Runner};
use crate::part::Parts;
use crate::provider::prices::Prices;
use crate::store::{KeptRow, StoreFailure};
use crate::ui::signal::{ArcRwSignal, RwSignal};
use crate::view::{Briefing, Drafts, Entry, EntryKind, GradeCard, RunStatus};
use leptos::prelude::*;
use std::sync::Arc;

/// Sends a person's intent to the app. The only way out of a component.
#[derive(Clone, Copy)]
pub struct Dispatch(StoredValue<Box<dyn Fn(Intent)>, LocalStorage>);

impl Dispatch {
    /// Wraps the function that takes intents.
    pub fn new(send: impl Fn(Intent) + 'static) -> Self {
        Self(StoredValue::new_local(Box::new(send)))
    }
    /// Sends one.
    pub fn send(&self, intent: Intent) {
        self.0.with_value(|send| send(intent));
    }
}

/// The dispatch of this page.
pub fn use_dispatch() -> Dispatch {
    expect_context()
}

/// The state of this page.
pub fn use_state() -> State {
    expect_context()
}

/// One transcript entry that may still grow.
#[derive(Clone)]
pub struct EntrySignal {
    /// The entry's key within its run.
    pub key: usize,
    /// Grows with each new run in the same place, so that keys of two runs never meet.
    pub run: u64,
    /// The entry.
    pub entry: ArcRwSignal<Entry>,
}

/// One run's signals.
#[derive(Clone, Copy)]
pub struct RunSignals {
    /// Facts of the run bar.
    pub status: RwSignal<RunStatus>,
    /// Task and plans.
    pub drafts: RwSignal<Arc<Drafts>>,
    /// Transcript.
    pub entries: RwSignal<Vec<EntrySignal>>,
    /// Grade card, once it is over.
    pub grade: RwSignal<Option<GradeCard>>,
    /// What was told at the beginning.
    pub briefing: RwSignal<Briefing>,
    run: RwSignal<(String, u64)>,
}

impl RunSignals {
    fn new() -> Self {
        Self {
            status: RwSignal::default(),
            drafts: RwSignal::default(),
            entries: RwSignal::default(),
            grade: RwSignal::default(),
            briefing: RwSignal::default(),
            run: RwSignal::default(),
        }
    }

    /// Tool calls so far.
    pub fn calls(&self) -> usize {
        self.entries.with(|entries| {
            let calls = entries.iter().map(|entry| {
                entry.entry.with(|entry| match &entry.kind {
                    EntryKind::Turn { calls, .. } => calls.len(),
                    _ => 0,
                })
            });
            calls.sum()
        })
    }

    /// Takes over what changed of one run; `graded`: its grade may be shown.
    fn publish(&self, runner: &Runner, app: &App, graded: bool) {
        let model = &runner.model;
        let episode = &model.rollout.record.episode_id;
        if self.run.with_untracked(|(shown, _)| shown != episode) {
            self.run.update_untracked(|(shown, number)| {
                episode.clone_into(shown);
                *number += 1;
            });
            self.entries.set(Vec::new());
        }
        set_if_new(self.status, model.status(app.now()));
        if self
            .drafts
            .with_untracked(|shown| !shown.same(&model.drafts))
        {
            self.drafts.set(Arc::new(model.drafts.clone()));
        }
        set_if_new(self.grade, model.grade_card().filter(|_| graded));
        let number = self.run.with_untracked(|(_, number)| *number);
        let entries = &model.transcript.entries;
        self.entries.with_untracked(|shown| {
            for (old, new) in shown.iter().zip(entries) {
                if old
                    .entry
                    .with_untracked(|old| old.version != new.version || old.key != new.key)
                {
                    old.entry.set(new.clone());
                }
            }
        });
        if self.entries.with_untracked(Vec::len) != entries.len() {
            set_if_new(
                self.briefing,
                Briefing {
                    server: runner.server.clone(),
                    ..model.briefing()
                },
            );
            self.entries.update(|shown| {
                shown.truncate(entries.len());
                for entry in entries.iter().skip(shown.len()) {
                    shown.push(EntrySignal {
                        key: entry.key,
                        run: number,
                        entry: ArcRwSignal::new(entry.clone()),
                    });
                }
            });
        }
    }
}

/// The start screen's demonstration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemoView {
    /// Step on show.
    pub step: usize,
    /// Last step there is.
    pub last: usize,
    /// Steps follow by themselves.
    pub playing: bool,
    /// What the step shows, in words.
    pub text: String,
}

/// The page's state, as signals. Copied freely.
#[derive(Clone, Copy)]
pub struct State {
    /// Screen.
    pub route: RwSignal<Route>,
    /// What kind of page this is.
    pub page: RwSignal<PageFacts>,
    /// How far the parts of the program are.
    pub parts: RwSignal<Parts>,
    /// Demonstration.
    pub demo: RwSignal<DemoView>,
    /// The demonstration's run.
    pub demo_run: RunSignals,
    /// The workbench's run.
    pub run: RunSignals,
    /// A run is to begin as soon as all that it takes is here.
    pub run_waits: RwSignal<bool>,
    /// The task that the workbench's run is on.
    pub run_place: RwSignal<Option<(Place, String)>>,
    /// The rollout screen's run.
    pub opened: RunSignals,
    /// What of it the address asks to look at, and how often it has asked.
    pub look: RwSignal<(u64, Look)>,
    /// The rollout screen waits for the device.
    pub opening: RwSignal<bool>,
    /// The rollout is not on this device.
    pub not_found: RwSignal<bool>,
    /// Task lists.
    pub catalog: RwSignal<CatalogView>,
    /// Server and doctor.
    pub connect: RwSignal<ConnectView>,
    /// Services, keys and the chosen model.
    pub models: RwSignal<Arc<ModelsView>>,
    /// What models cost, once the list is here; and whether it is on its way.
    pub prices: RwSignal<(Option<Arc<Prices>>, bool)>,
    /// The share dialog, while it is open.
    pub sharing: RwSignal<Option<Dialog>>,
    /// A rollout from elsewhere.
    pub guest: RwSignal<Guest>,
    /// Rollouts on this device.
    pub saved: RwSignal<Option<Vec<KeptRow>>>,
    /// What stands beside their list.
    pub shelf: RwSignal<Shelf>,
    /// Sentence above the screen.
    pub notice: RwSignal<Option<Notice>>,
    /// Why nothing is kept, if so.
    pub unkept: RwSignal<Option<StoreFailure>>,
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// The state of a page that has not begun.
    pub fn new() -> Self {
        Self {
            route: RwSignal::default(),
            page: RwSignal::default(),
            parts: RwSignal::default(),
            demo: RwSignal::default(),
            demo_run: RunSignals::new(),
            run: RunSignals::new(),
            run_waits: RwSignal::default(),
            run_place: RwSignal::default(),
            opened: RunSignals::new(),
            look: RwSignal::default(),
            opening: RwSignal::default(),
            not_found: RwSignal::default(),
            catalog: RwSignal::default(),
            connect: RwSignal::default(),
            models: RwSignal::default(),
            prices: RwSignal::default(),
            sharing: RwSignal::default(),
            guest: RwSignal::default(),
            saved: RwSignal::default(),
            shelf: RwSignal::default(),
            notice: RwSignal::default(),
            unkept: RwSignal::default(),
        }
    }

    /// Takes over what changed.
    pub fn publish(&self, app: &App) {
        set_if_new(self.page, app.page().clone());
        set_if_new(self.parts, app.parts.clone());
        set_if_new(self.demo, demo_view(app));
        self.demo_run
            .publish(&app.demo.runner, app, app.demo.finished);
        self.run.publish(&app.run, app, true);
        set_if_new(self.run_waits, app.run_waits());
        set_if_new(self.run_place, app.run_place.clone());
        self.opened.publish(&app.opened, app, true);
        set_if_new(self.look, app.look);
        set_if_new(self.opening, app.opening.is_some());
        set_if_new(self.not_found, app.not_found);
        set_if_new(self.catalog, app.catalog.view());
        set_if_new(self.connect, app.connect.view(app.now()));
        let models = &app.models.view;
        if self
            .models
            .with_untracked(|shown| !Arc::ptr_eq(shown, models))
        {
            self.models.set(models.clone());
        }
        let prices = (app.prices.list.clone(), app.prices.is_loading());
        set_if_new(self.prices, prices);
        set_if_new(self.sharing, app.sharing.dialog.clone());
        set_if_new(self.guest, app.sharing.guest.clone());
        set_if_new(self.saved, app.saved.clone());
        set_if_new(self.shelf, app.shelf.clone());
        set_if_new(self.notice, app.notice.clone());
        set_if_new(self.unkept, app.unkept.clone());
        // Last: a new screen finds everything else in place.
        set_if_new(self.route, app.route.clone());
    }
}

fn demo_view(app: &App) -> DemoView {
    DemoView {
        step: app.demo.step,
        last: app.demo.last_step(),
        playing: app.demo.playing,
        text: app.demo.runner.model.step_text(app.demo.step),
    }
}

fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
