//! What the page is doing: intents and facts in, orders out, one state.
//!
//! [`App`] is the whole page without a browser. It owns the machines (episodes, the doctor, task
//! lists), hands every input to each of them (an input that is not theirs changes nothing), and
//! keeps what the screens read. It knows no component and no JavaScript.

pub mod catalog;
pub mod choice;
pub mod connect;
pub mod demo;
pub mod intent;
pub mod kept;
pub mod models;
mod outside;
pub mod prices;
pub mod route;
pub mod runner;
pub mod sharing;

pub use intent::{Fact, Intent, Order, PageFacts, Shown};
pub use route::{Look, Origin, Place, Route};

#[cfg(test)]
pub(crate) mod tests;

use crate::berth::Task;
use crate::env::openenv::OpenEnvSession;
use crate::env::{Reset, TaskRef};
use crate::episode::{Command, Setup};
use crate::part::{self, Part, Parts, Presence};
use crate::rollout::EndReason;
use crate::settings::{Choices, Limits};
use crate::store::tabs::Word;
use crate::store::{Kept, KeptRow, StoreFailure, StoreOrder};
use crate::view::money::Tariff;
use crate::wire::{Io, Millis, TimerId};
use catalog::Catalog;
use connect::Connect;
use demo::Demo;
use models::Models;
use prices::PriceList;
use runner::Runner;
use sharing::Sharing;
use std::sync::Arc;

/// How often the page looks at the clock while a run goes on.
const TICK: Millis = Millis(1_000);
/// How long a look rests before the address follows it.
const REST: Millis = Millis(400);

/// A sentence for the person, above the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Party, fact, next step.
    pub text: String,
    /// Something is wrong (and not merely worth saying).
    pub bad: bool,
}

/// The page's state.
#[derive(Default)]
pub struct App {
    io: Io,
    orders: Vec<Order>,
    page: PageFacts,
    tick: Option<TimerId>,
    guarded: bool,
    /// Screen on show.
    pub route: Route,
    /// Built-in tasks, and the server's list.
    pub catalog: Catalog,
    /// Server and doctor.
    pub connect: Connect,
    /// Services, keys and the chosen model.
    pub models: Models,
    /// What models cost.
    pub prices: PriceList,
    /// How far the parts of the program are.
    pub parts: Parts,
    /// Links, files and exports.
    pub sharing: Sharing,
    /// Wishes that wait for what shares.
    unshared: Vec<outside::Later>,
    /// A run that waits for the price list, or for a part of the program.
    pending: Option<Intent>,
    /// The start screen's demonstration.
    pub demo: Demo,
    /// The workbench's run.
    pub run: Runner,
    /// The task that the workbench's run is on: place and id.
    pub run_place: Option<(Place, String)>,
    /// The rollout screen's run.
    pub opened: Runner,
    /// What it was opened from.
    opened_from: Option<Kept>,
    /// What of it the address asks to look at, and how often it has asked.
    pub look: (u64, Look),
    /// What is looked at now, until the address says so.
    looked: Option<(TimerId, Look)>,
    /// The id that the rollout screen waits for.
    pub opening: Option<String>,
    /// The rollout asked for is not on this device.
    pub not_found: bool,
    /// Rollouts on this device, newest first; none before the first answer.
    pub saved: Option<Vec<KeptRow>>,
    /// What the Rollouts screen shows beside the list.
    pub shelf: kept::Shelf,
    desk: kept::Desk,
    /// A sentence above the screen.
    pub notice: Option<Notice>,
    /// Storage does not work: why.
    pub unkept: Option<StoreFailure>,
}

impl App {
    /// Takes a person's intent in; returns what the browser has to do.
    pub fn intend(&mut self, now: Millis, intent: Intent) -> Vec<Order> {
        self.io.now = now;
        self.obey(intent);
        self.finish()
    }

    /// Takes a fact in; returns what the browser has to do.
    pub fn report(&mut self, now: Millis, fact: Fact) -> Vec<Order> {
        self.io.now = now;
        match fact {
            Fact::Page(page) => self.begin(page),
            Fact::Fragment(fragment) => self.show(Route::parse(&fragment)),
            Fact::Stored(answer) => self.stored(answer),
            Fact::Told(text) => self.heard(&text),
            Fact::Leaving => self.leave(),
            Fact::Permission(state) => self.connect.permission_is(state),
            Fact::Keys(states) => self.models.keys_are(&states),
            Fact::Packed(ticket, result) => self.packed(ticket, &result),
            Fact::Copied(copied) => {
                if let Some(dialog) = &mut self.sharing.dialog {
                    dialog.copied = Some(copied);
                }
            }
            Fact::HeldBack => {
                self.notice = Some(Notice {
                    text: sharing::OWN_KEY.into(),
                    bad: true,
                });
            }
            Fact::Followed(route) => self.obey(Intent::Go(route)),
            Fact::Files(files) => self.take_files(files),
            Fact::Handed(origin, name, bytes) => self.handed(origin, name, bytes),
            Fact::Brought(part, came) => self.brought(part, came),
            Fact::Wire(input) => {
                if matches!(input, crate::wire::Input::Timer(timer) if self.tick == Some(timer)) {
                    self.tick = None;
                }
                if let crate::wire::Input::Timer(timer) = input {
                    self.tell_look(timer);
                }
                self.kept_timer(&input);
                self.demo.handle(&mut self.io, &input);
                let stored = self.run.handle(&mut self.io, &input);
                self.order_store(stored);
                if self.catalog.handle(&mut self.io, &input) {
                    self.reopen();
                    self.show_guest();
                }
                let (changed, order) = self.sharing.handle(&mut self.io, &input);
                self.orders.extend(order);
                if changed {
                    self.show_guest();
                }
                self.connect.handle(&mut self.io, &input);
                self.models.handle(&mut self.io, &input);
                if self.prices.handle(&mut self.io, &input) {
                    self.reckon_opened();
                    if let Some(run) = self.pending.take() {
                        self.obey(run);
                    }
                }
            }
        }
        self.finish()
    }

    /// A run waits for the price list, or for a part of the program.
    pub fn run_waits(&self) -> bool {
        self.pending.is_some()
    }

    /// The moment of the newest input.
    pub fn now(&self) -> Millis {
        self.io.now
    }

    /// What the page knows of itself.
    pub fn page(&self) -> &PageFacts {
        &self.page
    }

    fn begin(&mut self, page: PageFacts) {
        self.parts = Parts::new(page.in_parts);
        self.page = page;
        self.connect.set_page(&self.page);
        self.models.set_page(&self.page);
        self.begin_kept();
        self.play_demo();
    }

    fn play_demo(&mut self) {
        let id = self.episode_id();
        let auto = !self.page.reduced_motion;
        let first = self.catalog.first.clone();
        self.demo.run(&mut self.io, &first, id, auto);
    }

    fn obey(&mut self, intent: Intent) {
        match intent {
            Intent::Go(route) => {
                self.orders.push(Order::Fragment(route.fragment()));
                self.show(route);
            }
            Intent::Bring(part) => {
                self.has(part);
            }
            Intent::PlayDemo => self.play_demo(),
            Intent::PlayDemoSteps => self.demo.replay(&mut self.io),
            Intent::ShowDemoStep(step) => self.demo.show(&mut self.io, step),
            Intent::Run {
                model,
                limits,
                instructions,
            } => self.start_run(model, limits, instructions),
            Intent::Limit(limits) => self.choose(|choices| choices.limits = limits),
            Intent::Stop => {
                self.pending = None;
                self.command(Command::Stop);
            }
            Intent::Pause => self.command(Command::Pause),
            Intent::Resume => self.command(Command::Resume),
            Intent::UseServer(text) => {
                if self.connect.choose(&text) {
                    self.list_server_tasks();
                }
            }
            Intent::AllowServer(address) => {
                if self.connect.choose(&address) {
                    self.list_server_tasks();
                }
            }
            Intent::UseBuiltin => {
                self.connect.server = None;
                self.catalog.forget_server(&mut self.io);
            }
            Intent::ListServerTasks => self.list_server_tasks(),
            Intent::Diagnose(text) => self.connect.diagnose(&mut self.io, &text),
            Intent::CancelDiagnosis => self.connect.cancel(&mut self.io),
            Intent::DownloadRecord(shown) => self.download_record(shown),
            Intent::Download { name, mime, text } => {
                self.orders.push(Order::Download { name, mime, text });
            }
            Intent::DownloadPng { name, svg } => self.orders.push(Order::DownloadPng { name, svg }),
            Intent::Kept(wish) => self.obey_kept(wish),
            Intent::DismissNotice => self.notice = None,
            Intent::Look(look) => self.looks_at(look),
            Intent::Share(whose, ticks) => self.share(whose, ticks),
            Intent::CloseShare => self.sharing.close(),
            Intent::CopyLink { markdown } => self.copy_link(markdown),
            Intent::FetchGuest => self.sharing.fetch(&mut self.io),
            Intent::StopFetching => {
                let order = self.sharing.stop_fetching(&mut self.io);
                self.orders.extend(order);
            }
            Intent::KeepGuest => self.keep_guest(),
            Intent::Export(whose, form) => self.export(whose, form),
            Intent::Prefer(preferences) => {
                self.page.preferences = preferences;
                self.orders.push(Order::Prefer(preferences));
            }
            Intent::Models(wish) => {
                if let Some(services) = wish.forgets() {
                    self.tell(Word::Forgot(services));
                }
                let orders = self.models.obey(&mut self.io, wish);
                self.orders.extend(orders);
            }
        }
    }

    fn show(&mut self, route: Route) {
        let route = self.canonical(route);
        self.pending = None;
        if let Some((timer, _)) = self.looked.take() {
            self.io.cancel_wait(timer);
        }
        if route != self.route {
            // It speaks of the screen that it stands on.
            self.notice = None;
        }
        if matches!(route, Route::Workbench { .. } | Route::Models) {
            self.prices.load(&mut self.io);
        }
        let asks_model = !self.models.view.spec().service.is_inside();
        if route == Route::Models || asks_model && matches!(route, Route::Workbench { .. }) {
            self.has(Part::Models);
        }
        if !matches!(route, Route::Start | Route::Models) {
            self.has(Part::Screens);
        }
        self.sharing.close();
        if !matches!(route, Route::Guest { .. }) {
            self.sharing.leave(&mut self.io);
        }
        match &route {
            Route::Guest { from, look } => {
                self.look = (self.look.0 + 1, *look);
                self.opened = Runner::default();
                self.opened_from = None;
                self.catalog.load_pack(&mut self.io);
                let from = from.clone();
                if self.has(Part::Sharing) {
                    let order = self.sharing.visit(&mut self.io, &from);
                    self.orders.extend(order);
                    self.show_guest();
                }
            }
            Route::Tasks { .. }
            | Route::Workbench {
                place: Place::Builtin,
                ..
            } => {
                self.catalog.load_pack(&mut self.io);
                if matches!(route, Route::Tasks { .. }) {
                    self.list();
                }
            }
            Route::Rollouts { .. } => {
                self.list();
                self.order_store(vec![StoreOrder::Room]);
            }
            Route::Rollout { id, look } => {
                self.look = (self.look.0 + 1, *look);
                self.not_found = false;
                self.catalog.load_pack(&mut self.io);
                self.fetch(id.clone());
            }
            _ => {}
        }
        self.route = route;
    }

    /// The address follows what is looked at, once that rests: browsers refuse to change it often.
    fn looks_at(&mut self, look: Look) {
        if let Some((timer, _)) = self.looked.take() {
            self.io.cancel_wait(timer);
        }
        self.looked = Some((self.io.wait(REST), look));
    }

    fn tell_look(&mut self, timer: TimerId) {
        let Some((_, look)) = self.looked.take_if(|(waited, _)| *waited == timer) else {
            return;
        };
        if let Some(route) = self.route.looking_at(look) {
            self.orders.push(Order::Replace(route.fragment()));
        }
    }

    /// Whether a part of the program is here. One that is not is asked for.
    fn has(&mut self, part: Part) -> bool {
        match self.parts.presence(part) {
            Presence::Here => return true,
            Presence::Coming => {}
            Presence::Away | Presence::Failed => {
                self.parts.set(part, Presence::Coming);
                self.orders.push(Order::Bring(part));
            }
        }
        false
    }

    fn brought(&mut self, part: Part, came: bool) {
        let presence = if came {
            Presence::Here
        } else {
            Presence::Failed
        };
        self.parts.set(part, presence);
        if part == Part::Sharing {
            self.sharing_came(came);
        }
        // It waits for this part if for any: the other one stands before the Run button.
        match self.pending.take() {
            Some(run) if came => self.obey(run),
            Some(_) if part == Part::Models => {
                self.notice = Some(Notice {
                    text: part::FAILED.into(),
                    bad: true,
                });
            }
            waiting => self.pending = waiting,
        }
    }

    /// A link may name a server in any form that people paste: from here on it has one form,
    /// without user, query and fragment. What names no server is no screen of ours.
    fn canonical(&mut self, route: Route) -> Route {
        let Route::Workbench {
            place: Place::Server(text),
            task,
        } = route
        else {
            return route;
        };
        let Ok(server) = crate::env::address::parse(&text) else {
            return Route::Unknown(format!("/t/{text}"));
        };
        let written = server.ws_url != text;
        let route = Route::Workbench {
            place: Place::Server(server.ws_url),
            task,
        };
        if written {
            self.orders.push(Order::Fragment(route.fragment()));
        }
        route
    }

    /// The task of a built-in id, once its pack is here.
    pub fn task(&self, place: &Place, id: &str) -> Option<Arc<Task>> {
        match place {
            Place::Builtin => self.catalog.task(id),
            Place::Server(_) => None,
        }
    }

    /// Changes what the person chose, and has it remembered.
    fn choose(&mut self, change: impl FnOnce(&mut Choices)) {
        let choices = &mut Arc::make_mut(&mut self.models.view).choices;
        let before = choices.clone();
        change(choices);
        if *choices != before {
            self.orders.push(Order::Remember(choices.clone()));
        }
    }

    fn start_run(&mut self, model: String, limits: Limits, instructions: Option<String>) {
        // One run at a time; a second press can come before the first is shown.
        if self.run.is_running() {
            return;
        }
        let ready = choice::read(&model, &self.models.view, self.prices.list.as_deref());
        // The run bar says why; without a reason that it shows there is nothing to run.
        let Ok(ready) = ready else {
            return;
        };
        // It may have a price: a limit in dollars is then kept in dollars.
        let unpriced = ready.tariff == Tariff::Unknown && self.prices.is_loading();
        let apart = !ready.spec.service.is_inside() && !self.has(Part::Models);
        if unpriced || apart {
            self.pending = Some(Intent::Run {
                model,
                limits,
                instructions,
            });
            return;
        }
        let Route::Workbench { place, task: id } = self.route.clone() else {
            return;
        };
        let task = self.task(&place, &id);
        let (session, server): (Box<dyn crate::env::Session>, String) = match &place {
            Place::Builtin => (Runner::builtin(task.as_deref(), &id), "builtin".into()),
            Place::Server(address) => {
                // A link may name a server; only one that a person chose is connected to.
                let Some(server) = self.connect.allowed(address) else {
                    return;
                };
                (
                    Box::new(OpenEnvSession::new(server.clone(), limits)),
                    address.clone(),
                )
            }
        };
        // What was cut off is no longer the last run of this task.
        self.notice = None;
        let episode_id = self.episode_id();
        let limits = runner::fitting(limits, &ready);
        let Some(make_model) = runner::model(&ready, &limits, &episode_id, self.io.now.0) else {
            return;
        };
        let setup = Setup {
            model_spec: ready.spec.to_string(),
            reset: Reset {
                task: task_ref(&id),
                episode_id,
            },
            limits,
            price: ready.tariff.price(),
            fallback_instructions: instructions,
            place: crate::rollout::Place {
                server: server.clone(),
                task: id.clone(),
            },
        };
        self.run_place = Some((place, id));
        let run = runner::Run {
            setup,
            session,
            make_model,
            tariff: ready.tariff,
            task,
            server: &server,
        };
        let stored = self.run.start(&mut self.io, run);
        if ready.tariff != Tariff::Inside {
            self.choose(|choices| choices.ran(&ready.spec.to_string()));
        }
        self.order_store(stored);
    }

    fn command(&mut self, command: Command) {
        let stored = self.run.command(&mut self.io, command);
        self.order_store(stored);
    }

    fn list_server_tasks(&mut self) {
        if let Some(server) = &self.connect.server {
            self.catalog.list_server(&mut self.io, server);
        }
    }

    /// Shows a kept run. One without an end is shown as interrupted, unless it still goes on here.
    fn open(&mut self, kept: Kept) {
        let task = self.builtin_task(&kept.server, &kept.record);
        let server = if task.is_some() {
            "builtin"
        } else {
            &kept.server
        };
        let record = kept.record.clone();
        let goes_on = self.running_id() == Some(&kept.id) || self.runs_elsewhere(&kept.id);
        let record = if goes_on {
            record
        } else {
            record.interrupted(Millis(kept.saved))
        };
        self.opened = Runner::opened(&record, task, server);
        self.reckon_opened();
        self.want_prices();
        self.opened_from = Some(kept);
    }

    /// Has a rollout fetched for the rollout screen.
    fn fetch(&mut self, id: String) {
        self.opening = Some(id.clone());
        self.order_store(vec![StoreOrder::Get(id)]);
    }

    /// After a reload in the middle of a run: the newest run of this task was cut off, and is kept.
    fn offer_cut_off(&mut self) {
        let rows = self.saved.as_deref().unwrap_or_default();
        let Route::Workbench { place, task } = &self.route else {
            return;
        };
        let server = match place {
            Place::Builtin => "builtin",
            Place::Server(address) => address,
        };
        let newest = rows
            .iter()
            .find(|row| row.server == server && (task.is_empty() || row.task_id == *task));
        if newest.is_some_and(|row| row.end_reason == EndReason::Interrupted.as_str()) {
            self.notice = Some(Notice {
                text: "The last run of this task was cut off when the page closed. Everything up \
                       to its last message is kept: open Rollouts to see it."
                    .into(),
                bad: false,
            });
        }
    }

    /// The episode of the run that goes on.
    fn running_id(&self) -> Option<&String> {
        let id = &self.run.model.rollout.record.episode_id;
        self.run.is_running().then_some(id)
    }

    /// What was opened before the pack came can be graded now.
    fn reopen(&mut self) {
        if !self.opened.model.drafts.known
            && let Some(kept) = self
                .opened_from
                .take_if(|kept| matches!(kept.server.as_str(), "builtin" | ""))
        {
            self.open(kept);
        }
    }

    fn order_store(&mut self, orders: Vec<StoreOrder>) {
        self.orders.extend(orders.into_iter().map(Order::Store));
    }

    /// 12 hex digits that no other run of this page or device is likely to have.
    fn episode_id(&mut self) -> String {
        // splitmix64: a seed from the browser, spread so that consecutive ids share nothing.
        self.page.seed = self.page.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.page.seed ^ self.io.now.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        format!("{:012x}", (mixed ^ (mixed >> 31)) >> 16)
    }

    /// Screens that show what is kept look again.
    fn run_began_or_ended(&mut self) {
        match &self.route {
            Route::Rollouts { .. } => self.list(),
            Route::Rollout { id, .. } if *id == self.run.model.rollout.record.episode_id => {
                self.fetch(id.clone());
            }
            _ => {}
        }
    }

    /// Everything the browser has to do now.
    fn finish(&mut self) -> Vec<Order> {
        let running = self.run.is_running();
        if self.tick.is_none() && (running || self.connect.is_busy()) {
            self.tick = Some(self.io.wait(TICK));
        }
        if self.demo.finished && self.parts.presence(Part::Screens) == Presence::Away {
            // What people look at next. Before, it would keep the demonstration waiting.
            self.has(Part::Screens);
        }
        self.tell_runs();
        if running != self.guarded {
            self.guarded = running;
            self.orders.push(Order::GuardClose(running));
            self.run_began_or_ended();
        }
        let mut orders = std::mem::take(&mut self.orders);
        orders.extend(self.io.take().into_iter().map(Order::Wire));
        orders
    }
}

/// `split#3` asks by split and position, an empty text leaves the choice to the environment.
fn task_ref(id: &str) -> TaskRef {
    if id.is_empty() {
        return TaskRef::Unnamed;
    }
    match id
        .rsplit_once('#')
        .map(|(split, index)| (split, index.parse()))
    {
        Some((split, Ok(index))) => TaskRef::Index {
            split: split.to_owned(),
            index,
        },
        _ => TaskRef::Id(id.to_owned()),
    }
}

/// Letters, digits and dashes of a name, for a file name.
fn file_part(name: &str) -> String {
    let part: String = name
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '-'
            }
        })
        .take(60)
        .collect();
    if part.is_empty() {
        "unnamed".into()
    } else {
        part
    }
}
