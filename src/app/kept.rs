//! What is kept on the device, as the page knows it: the list, what was deleted and can come back,
//! the room there is; and what the other pages of this browser say of it.

use super::{App, Notice, Order, Route};
use crate::store::tabs::{BEAT, Call, Others, Word};
use crate::store::{Imported, KeptRow, Room, StoreAnswer, StoreFailure, StoreOrder};
use crate::view::format::count;
use crate::wire::{Input, Millis, TimerId};

/// What the list says of a run that goes on here.
pub const RUNNING: &str = "running";

/// What the list says of a run that goes on in another page.
pub const RUNNING_ELSEWHERE: &str = "running_elsewhere";

/// How long a new page listens for runs of others before it says that one was cut off.
const LISTEN: Millis = Millis(250);

/// How often it looks whether another page fell silent.
const LOOK: Millis = Millis(30_000);

/// Longest name of a rollout, in characters.
const NAME: usize = 120;

/// What a person wants of what is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Delete a rollout.
    Delete(String),
    /// Delete all that are listed.
    DeleteAll,
    /// Put back what was deleted last.
    Undo,
    /// Put back all that was deleted.
    UndoAll,
    /// Nothing of what was deleted shall come back.
    ForgetDeleted,
    /// Give a rollout a name.
    Rename(String, String),
    /// Save everything as one file.
    Export,
    /// Ask the browser not to clear what is kept by itself.
    Persist,
    /// Words that narrow the list down; they stand in the address.
    Filter(String),
}

/// What the Rollouts screen shows beside the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shelf {
    /// What was deleted in this visit and can come back, step by step.
    pub gone: Vec<Vec<KeptRow>>,
    /// Room on the device, once it is known.
    pub room: Option<Room>,
    /// The browser was asked to keep everything, and did not agree.
    pub refused: bool,
}

/// What the page knows beside what it shows.
#[derive(Default)]
pub(super) struct Desk {
    /// This page's name among the others.
    tab: String,
    others: Others,
    look: Option<TimerId>,
    /// Until then others may say that a run is theirs.
    listening: Option<TimerId>,
    /// A list is on its way, and whether it will be old by then.
    listing: Option<bool>,
    /// What the others were told last, and when.
    told: (Vec<String>, Millis),
    asked_to_persist: bool,
}

impl App {
    /// A new page: what is there, and who else is?
    pub(super) fn begin_kept(&mut self) {
        self.desk.tab = format!("{:x}", self.page.seed);
        self.tell(Word::Hello);
        self.list();
    }

    /// Takes a person's wish.
    pub(super) fn obey_kept(&mut self, wish: Wish) {
        match wish {
            Wish::Delete(id) => self.delete(vec![id]),
            Wish::DeleteAll => {
                let rows = self.saved.iter().flatten();
                let ids = rows.map(|row| row.id.clone()).collect();
                self.delete(ids);
            }
            Wish::Undo => {
                let last = self.shelf.gone.last();
                let ids = last.map(ids).unwrap_or_default();
                self.order_store(vec![StoreOrder::PutBack(ids)]);
            }
            Wish::UndoAll => {
                let ids = ids(self.shelf.gone.iter().flatten());
                self.order_store(vec![StoreOrder::PutBack(ids)]);
            }
            Wish::ForgetDeleted => {
                let gone = std::mem::take(&mut self.shelf.gone);
                let ids = ids(gone.iter().flatten());
                self.order_store(vec![StoreOrder::Forget(ids)]);
            }
            Wish::Rename(id, name) => {
                let name: String = name.trim().chars().take(NAME).collect();
                let row = self.saved.iter_mut().flatten().find(|row| row.id == id);
                if let Some(row) = row
                    && row.name != name
                {
                    row.name.clone_from(&name);
                    self.order_store(vec![StoreOrder::Rename(id, name)]);
                }
            }
            Wish::Export => self.want_all(),
            Wish::Persist => {
                self.desk.asked_to_persist = true;
                self.order_store(vec![StoreOrder::Persist]);
            }
            Wish::Filter(filter) => {
                if let Route::Rollouts { filter: now } = &mut self.route
                    && *now != filter
                {
                    *now = filter;
                    self.orders.push(Order::Replace(self.route.fragment()));
                }
            }
        }
    }

    /// What goes on in another page stays: only there it can be stopped.
    fn delete(&mut self, mut ids: Vec<String>) {
        ids.retain(|id| !self.desk.others.runs(id));
        // A run that goes on would be kept again with its next event.
        if self.running_id().is_some_and(|id| ids.contains(id)) {
            self.command(crate::episode::Command::Stop);
        }
        if !ids.is_empty() {
            self.order_store(vec![StoreOrder::Delete(ids)]);
        }
    }

    /// Takes the storage's answer.
    pub(super) fn stored(&mut self, answer: StoreAnswer) {
        match answer {
            StoreAnswer::Listed(rows) => {
                self.listed(rows);
                // What can be read need not have room for more.
                self.unkept
                    .take_if(|failure| *failure != StoreFailure::Full);
            }
            StoreAnswer::Got(id, kept) if self.opening.as_ref() == Some(&id) => {
                self.opening = None;
                match kept {
                    Some(kept) => self.open(*kept),
                    None => self.not_found = true,
                }
            }
            StoreAnswer::Got(..) => {}
            StoreAnswer::All(kept) => self.export_all(kept),
            StoreAnswer::Changed => self.changed(),
            StoreAnswer::Deleted(ids) => self.deleted(ids),
            StoreAnswer::Returned(ids) => {
                for rows in &mut self.shelf.gone {
                    rows.retain(|row| !ids.contains(&row.id));
                }
                self.shelf.gone.retain(|rows| !rows.is_empty());
                self.changed();
            }
            StoreAnswer::Imported(imported) => {
                self.imported(&imported);
                self.changed();
            }
            StoreAnswer::Room(room) => {
                self.shelf.refused = self.desk.asked_to_persist && room.persistent == Some(false);
                self.shelf.room = Some(room);
            }
            StoreAnswer::Failed(failure) => {
                self.not_imported();
                self.desk.listing = None;
                // The list is still to come once the other page is closed.
                if failure != StoreFailure::Blocked {
                    self.saved.get_or_insert_default();
                }
                self.unkept = Some(failure);
            }
        }
    }

    /// Something was written, so there is room.
    fn changed(&mut self) {
        self.unkept = None;
        self.tell(Word::Changed);
        self.list_if_shown();
    }

    fn deleted(&mut self, ids: Vec<String>) {
        let was_full = self.unkept.take() == Some(StoreFailure::Full);
        let saved = self.saved.get_or_insert_default();
        let mut rows = std::mem::take(saved);
        let mut gone = Vec::new();
        rows.retain(|row| {
            let stays = !ids.contains(&row.id);
            if !stays {
                gone.push(row.clone());
            }
            stays
        });
        *saved = rows;
        if !gone.is_empty() {
            self.shelf.gone.push(gone);
        }
        let run = &self.run.model.rollout.record.episode_id;
        if was_full && !run.is_empty() && !ids.contains(run) {
            // What found no room before may find it now.
            let kept = self.run.kept(&self.io);
            self.order_store(vec![StoreOrder::Put(Box::new(kept))]);
        }
        self.tell(Word::Deleted(ids));
        self.list_if_shown();
    }

    /// Orders a list; one is enough for all who ask before it comes.
    pub(super) fn list(&mut self) {
        if let Some(again) = &mut self.desk.listing {
            *again = true;
        } else {
            self.desk.listing = Some(false);
            self.order_store(vec![StoreOrder::List]);
        }
    }

    fn list_if_shown(&mut self) {
        match self.route {
            Route::Rollouts { .. } => {
                self.list();
                self.order_store(vec![StoreOrder::Room]);
            }
            Route::Tasks { .. } => self.list(),
            _ => {}
        }
    }

    fn listed(&mut self, rows: Vec<KeptRow>) {
        let first = self.saved.is_none();
        self.saved = Some(rows);
        self.mark_running();
        if first {
            self.desk.listening = Some(self.io.wait(LISTEN));
        }
        if self.desk.listing.take() == Some(true) {
            self.list();
        }
    }

    /// Writes into the list which runs go on, and where.
    fn mark_running(&mut self) {
        let here = self.running_id().cloned();
        for row in self.saved.iter_mut().flatten() {
            let word = if here.as_ref() == Some(&row.id) {
                RUNNING
            } else if self.desk.others.runs(&row.id) {
                RUNNING_ELSEWHERE
            } else if [RUNNING, RUNNING_ELSEWHERE].contains(&row.end_reason.as_str()) {
                "interrupted"
            } else {
                continue;
            };
            word.clone_into(&mut row.end_reason);
        }
    }

    /// Whether this episode goes on in another page.
    pub(super) fn runs_elsewhere(&self, id: &str) -> bool {
        self.desk.others.runs(id)
    }

    // Other pages

    pub(super) fn tell(&mut self, word: Word) {
        let tab = self.desk.tab.clone();
        self.orders.push(Order::Tell(Call { tab, word }.to_text()));
    }

    /// Takes in what another page says.
    pub(super) fn heard(&mut self, text: &str) {
        let Some(Call { tab, word }) = Call::parse(text) else {
            return;
        };
        match word {
            Word::Hello => {
                if !self.desk.told.0.is_empty() {
                    self.tell(Word::Runs(self.desk.told.0.clone()));
                }
            }
            Word::Runs(ids) => {
                if self.desk.others.hear(self.io.now, tab, ids) {
                    self.others_changed();
                }
            }
            Word::Changed => self.list_if_shown(),
            Word::Deleted(ids) => {
                if let Route::Rollout { id, .. } = &self.route
                    && ids.contains(id)
                    && !self.not_found
                {
                    self.notice = Some(Notice {
                        text: "This rollout was deleted in another tab. It is still whole here: \
                               Download JSON saves it, and Undo in that tab puts it back."
                            .into(),
                        bad: false,
                    });
                }
                self.list_if_shown();
            }
            Word::Forgot(services) => {
                let orders = self.models.forgotten_elsewhere(&mut self.io, &services);
                if !orders.is_empty() {
                    self.notice = Some(Notice {
                        text: "Keys were forgotten in another tab, and so they are here.".into(),
                        bad: false,
                    });
                    self.orders.extend(orders);
                }
            }
        }
    }

    fn others_changed(&mut self) {
        self.mark_running();
        self.list_if_shown();
        // One that is shown may just have ended over there.
        if let Route::Rollout { id, .. } = &self.route
            && self.opening.is_none()
            && self.opened.model.rollout.record.end_reason.is_none()
        {
            let id = id.clone();
            self.fetch(id);
        }
        if self.desk.look.is_none() && !self.desk.others.is_empty() {
            self.desk.look = Some(self.io.wait(LOOK));
        }
    }

    /// The page goes away; it may come back.
    pub(super) fn leave(&mut self) {
        if !self.desk.told.0.is_empty() {
            self.tell(Word::Runs(Vec::new()));
        }
    }

    /// Tells the others of runs that began or ended, and now and then that one goes on.
    pub(super) fn tell_runs(&mut self) {
        let runs: Vec<String> = self.running_id().cloned().into_iter().collect();
        let (told, at) = &self.desk.told;
        let due = !runs.is_empty() && self.io.now.since(*at) >= BEAT;
        if due || runs != *told {
            self.desk.told = (runs.clone(), self.io.now);
            self.tell(Word::Runs(runs));
        }
    }

    /// A wait may have been for this.
    pub(super) fn kept_timer(&mut self, input: &Input) {
        let Input::Timer(timer) = input else { return };
        if self.desk.listening.take_if(|own| own == timer).is_some() {
            self.offer_cut_off();
        }
        if self.desk.look.take_if(|own| own == timer).is_some() {
            self.desk.others.forget_silent(self.io.now);
            self.others_changed();
        }
    }
}

fn ids<'a>(rows: impl IntoIterator<Item = &'a KeptRow>) -> Vec<String> {
    rows.into_iter().map(|row| row.id.clone()).collect()
}

pub(super) fn import_text(imported: &Imported) -> String {
    let Imported {
        added,
        same,
        beside,
        ..
    } = *imported;
    let all = added + same + beside;
    let mut text = format!("{} in the file", count(all, "rollout", "rollouts"));
    for (many, what) in [
        (added, "kept here now"),
        (same, "here already, with the same content"),
        (
            beside,
            "kept under a new id, because another rollout has theirs",
        ),
    ] {
        if many > 0 {
            text = format!("{text}; {many} {what}");
        }
    }
    text + "."
}
