//! The page and the outside: what a press on Share, Copy or Export does, and what comes in by links,
//! files and other pages.

use super::intent::{PackFailure, Packing};
use super::kept::import_text;
use super::runner::Runner;
use super::sharing::guest::Ready;
use super::sharing::{Export, Files, Guest, Importing, work};
use super::{App, Look, Notice, Order, Origin, Route, Shown, file_part};
use crate::app::catalog::PackState;
use crate::app::choice;
use crate::berth::{Task, situation};
use crate::part::{self, Part};
use crate::rollout::{Message, Needs, Record, Saved, needs, utc_text};
use crate::share::{Choices, Outgoing};
use crate::store::{Imported, Kept, StoreOrder};
use crate::view::money::Tariff;
use crate::view::words;
use std::sync::Arc;

/// Most troubles of opened files that are told.
const TOLD: usize = 4;

impl App {
    fn shown(&self, whose: Shown) -> &Runner {
        match whose {
            Shown::Demo => &self.demo.runner,
            Shown::Run => &self.run,
            Shown::Opened => &self.opened,
        }
    }

    fn file_name(record: &Record, ending: &str) -> String {
        let (task, episode) = (file_part(&record.task_id), file_part(&record.episode_id));
        ["rollout-", &task, "-", &episode, ".", ending].concat()
    }

    /// Whether a file of this run may leave. One that seems to hold a key waits for a second press,
    /// for what looks like a key may be none; the person's own keys never leave (`platform`).
    fn may_leave(&mut self, whose: Shown, form: Option<Export>) -> bool {
        if self.sharing.warned.take() == Some((whose, form)) {
            return true;
        }
        let places = work::secrets(&self.shown(whose).model.rollout.record).unwrap_or_default();
        let Some(place) = places.first() else {
            return true;
        };
        self.sharing.warned = Some((whose, form));
        self.notice = Some(Notice {
            text: [
                "Nothing was saved yet: ",
                place,
                ". Whoever gets the file gets that too. Press the button again to save it all the same.",
            ]
            .concat(),
            bad: true,
        });
        false
    }

    /// Offers the record as a file.
    pub(super) fn download_record(&mut self, whose: Shown) {
        if !self.has(Part::Sharing) {
            self.unshared.push(Later::Download(whose));
            return;
        }
        if self.may_leave(whose, None) {
            self.offer_record(whose);
        }
    }

    fn offer_record(&mut self, whose: Shown) {
        let record = &self.shown(whose).model.rollout.record;
        let order = Order::Download {
            name: Self::file_name(record, "json"),
            mime: "application/json".into(),
            text: record.to_json_string(),
        };
        self.orders.push(order);
    }

    /// Offers the record in another form.
    pub(super) fn export(&mut self, whose: Shown, form: Export) {
        if !self.has(Part::Sharing) {
            self.unshared.push(Later::Export(whose, form));
            return;
        }
        if !self.may_leave(whose, Some(form)) {
            return;
        }
        let record = &self.shown(whose).model.rollout.record;
        let Some(file) = work::export(record, form) else {
            return;
        };
        let order = Order::Download {
            name: Self::file_name(record, file.ending),
            mime: file.mime.into(),
            text: file.text,
        };
        self.orders.push(order);
    }

    /// Opens the share dialog, or makes its link anew.
    pub(super) fn share(&mut self, whose: Shown, choices: Choices) {
        if !self.has(Part::Sharing) {
            self.unshared.push(Later::Share(whose, choices));
            return;
        }
        let runner = match whose {
            Shown::Demo => &self.demo.runner,
            Shown::Run => &self.run,
            Shown::Opened => &self.opened,
        };
        let record = &runner.model.rollout.record;
        let builtin = self.catalog.task(&record.task_id);
        let outgoing = Outgoing {
            record,
            task: builtin.as_deref().filter(|_| runner.server == "builtin"),
            server: &runner.server,
        };
        let order = self.sharing.share(whose, choices, &outgoing);
        self.orders.extend(order);
    }

    /// Puts the link into the clipboard.
    pub(super) fn copy_link(&mut self, markdown: bool) {
        let Some(dialog) = &mut self.sharing.dialog else {
            return;
        };
        dialog.copied = None;
        let Some(url) = dialog.url().map(ToOwned::to_owned) else {
            return;
        };
        let whose = dialog.whose;
        let text = if markdown {
            words::markdown_link(&self.shown(whose).model, &url)
        } else {
            url
        };
        self.orders.push(Order::Copy(text));
    }

    /// The browser has packed or unpacked.
    pub(super) fn packed(&mut self, ticket: u64, result: &Result<Vec<u8>, PackFailure>) {
        self.sharing.packed(ticket, result, &self.page.address);
        if self.sharing.unpacked(ticket, result) {
            self.show_guest();
        }
        self.unpacked_file(ticket, result);
    }

    /// What shares is here, or did not come.
    pub(super) fn sharing_came(&mut self, came: bool) {
        let later = std::mem::take(&mut self.unshared);
        if !came {
            for later in later {
                if let Later::Download(whose) = later {
                    // A run can always be saved, also when the page's server has gone.
                    self.offer_record(whose);
                } else {
                    self.notice = Some(Notice {
                        text: part::FAILED.into(),
                        bad: true,
                    });
                }
            }
            if matches!(self.route, Route::Guest { .. }) {
                self.sharing.guest = Guest::Problem(part::FAILED.into());
            }
            return;
        }
        if let Route::Guest { from, .. } = self.route.clone() {
            let order = self.sharing.visit(&mut self.io, &from);
            self.orders.extend(order);
            self.show_guest();
        }
        for later in later {
            match later {
                Later::Share(whose, choices) => self.share(whose, choices),
                Later::Download(whose) => self.download_record(whose),
                Later::ExportAll => self.want_all(),
                Later::Export(whose, form) => self.export(whose, form),
                Later::Files(files) => self.take_files(files),
                Later::Handed(origin, name, bytes) => self.handed(origin, name, bytes),
            }
        }
    }

    /// The task of a record, where it is one that is built into this page: the record says so, or
    /// tells the very situation of it.
    pub(super) fn builtin_task(&self, server: &str, record: &Record) -> Option<Arc<Task>> {
        let task = self.catalog.task(&record.task_id)?;
        let told = || {
            let situation = situation::write(&task);
            record.messages.iter().any(|message| {
                matches!(message, Message::User { content, .. } if content.contains(situation.trim()))
            })
        };
        (server == "builtin" || server.is_empty() && told()).then_some(task)
    }

    /// What the rollout on show costs, once the price list is here.
    pub(super) fn reckon_opened(&mut self) {
        let model = &mut self.opened.model;
        if model.rollout.record.model.is_empty() {
            return;
        }
        let list = self.prices.list.as_deref();
        let tariff = choice::listed_tariff(&model.rollout.record.model, list);
        model.reckon(tariff);
    }

    /// Asks for the price list, where the rollout on show may have a price.
    pub(super) fn want_prices(&mut self) {
        let tariff = choice::listed_tariff(&self.opened.model.rollout.record.model, None);
        if tariff == Tariff::Unknown && self.prices.list.is_none() {
            self.prices.load(&mut self.io);
        }
    }

    /// Shows a rollout from elsewhere, as far as it is here.
    pub(super) fn show_guest(&mut self) {
        if !matches!(self.route, Route::Guest { .. })
            && !matches!(self.sharing.guest, Guest::Here(_))
        {
            return;
        }
        let pending = matches!(self.catalog.view().pack, PackState::Loading);
        let task = self.sharing.visit.record.as_ref();
        let task = task.and_then(|(record, server)| self.builtin_task(server, record));
        let catalog = &self.catalog;
        let ready = self.sharing.ready(|id| catalog.task(id), task, pending);
        if let Some(Ready {
            record,
            task,
            server,
        }) = ready
        {
            self.opened = Runner::opened(&record, task, &server);
            self.reckon_opened();
            self.want_prices();
        }
    }

    /// Keeps the rollout from elsewhere on this device, and goes there.
    pub(super) fn keep_guest(&mut self) {
        let Guest::Here(facts) = &mut self.sharing.guest else {
            return;
        };
        facts.kept = true;
        let runner = &self.opened;
        let mut record = runner.model.rollout.record.clone();
        let server = runner.server.clone();
        if record.episode_id.is_empty() {
            record.episode_id = self.episode_id();
        }
        let look = self.looked.take().map_or(self.look.1, |(_, look)| look);
        let kept = Kept {
            id: record.episode_id.clone(),
            name: String::new(),
            server,
            saved: self.io.now.0,
            record,
        };
        self.keep(vec![kept], Vec::new(), look);
    }

    /// Keeps what came from elsewhere. What is here already stays as it is.
    fn keep(&mut self, rollouts: Vec<Kept>, troubles: Vec<String>, look: Look) {
        self.sharing.importing = Some(Importing {
            first: rollouts.first().cloned(),
            troubles,
            look,
        });
        self.order_store(vec![StoreOrder::PutMany(rollouts)]);
    }

    /// They are kept: one alone is shown, several are listed.
    pub(super) fn imported(&mut self, imported: &Imported) {
        let Some(importing) = self.sharing.importing.take() else {
            return;
        };
        let many = imported.added + imported.same + imported.beside;
        let route = if many == 1 {
            Route::Rollout {
                id: imported.last.clone(),
                look: importing.look,
            }
        } else {
            Route::Rollouts {
                filter: String::new(),
            }
        };
        self.obey(super::Intent::Go(route));
        if many != 1 || !importing.troubles.is_empty() {
            let read = import_text(imported);
            self.tell_opened(&read, &importing.troubles);
        }
    }

    /// They are not kept, since nothing can be kept here; the first is shown all the same.
    pub(super) fn not_imported(&mut self) {
        if let Some(Importing {
            first: Some(kept), ..
        }) = self.sharing.importing.take()
        {
            self.obey(super::Intent::Go(Route::Guest {
                from: Origin::Page,
                look: Look::default(),
            }));
            self.sharing.show_record(kept.record, kept.server, "a file");
            self.show_guest();
        }
    }

    fn tell_opened(&mut self, read: &str, troubles: &[String]) {
        self.notice = Some(Notice {
            text: words::opened_files(read, troubles, TOLD),
            bad: !troubles.is_empty(),
        });
    }

    /// Everything that is kept shall be saved as files.
    pub(super) fn want_all(&mut self) {
        if self.has(Part::Sharing) {
            self.order_store(vec![StoreOrder::GetAll]);
        } else {
            self.unshared.push(Later::ExportAll);
        }
    }

    /// Offers everything that is kept: as one file, unless it could not be read again.
    pub(super) fn export_all(&mut self, kept: Vec<Kept>) {
        let saved: Vec<Saved> = kept.into_iter().map(Saved::from).collect();
        let Some(files) = work::archives(&saved) else {
            return;
        };
        let day: String = utc_text(self.io.now).chars().take(10).collect();
        let many = files.len();
        for (at, text) in files.into_iter().enumerate() {
            let number = if many > 1 {
                ["-", &(at + 1).to_string()].concat()
            } else {
                String::new()
            };
            self.orders.push(Order::Download {
                name: ["quayside-rollouts-", &day, &number, ".json"].concat(),
                mime: "application/json".into(),
                text,
            });
        }
    }

    /// A person opened files.
    pub(super) fn take_files(&mut self, files: Vec<(String, Vec<u8>)>) {
        if !self.has(Part::Sharing) {
            self.unshared.push(Later::Files(files));
            return;
        }
        let (left, ready) = files
            .into_iter()
            .partition(|(_, bytes)| needs(bytes) == Needs::Gunzip);
        self.sharing.files = Some(Files {
            ready,
            left,
            troubles: Vec::new(),
            unpacking: None,
        });
        self.go_on_with_files();
    }

    fn go_on_with_files(&mut self) {
        let Some(files) = &mut self.sharing.files else {
            return;
        };
        if let Some((name, bytes)) = files.left.pop() {
            let ticket = self.sharing.ticket();
            if let Some(files) = &mut self.sharing.files {
                files.unpacking = Some((ticket, name));
            }
            self.orders
                .push(Order::Pack(ticket, Packing::Gunzip(bytes)));
            return;
        }
        let Some(files) = self.sharing.files.take() else {
            return;
        };
        let Some(read) = work::read(&files.ready) else {
            return;
        };
        let troubles: Vec<String> = files.troubles.into_iter().chain(read.troubles).collect();
        self.opened_files(read.found, troubles);
    }

    fn unpacked_file(&mut self, ticket: u64, result: &Result<Vec<u8>, PackFailure>) {
        let Some(files) = &mut self.sharing.files else {
            return;
        };
        let Some((_, name)) = files.unpacking.take_if(|(asked, _)| *asked == ticket) else {
            return;
        };
        match result {
            Ok(bytes) => files.ready.push((name, bytes.clone())),
            Err(failure) => files
                .troubles
                .push([&name, ": ", &failure.of_file()].concat()),
        }
        self.go_on_with_files();
    }

    /// Rollouts out of files are kept.
    fn opened_files(&mut self, found: Vec<Saved>, troubles: Vec<String>) {
        if found.is_empty() {
            self.tell_opened("No rollout was opened", &troubles);
            return;
        }
        let mut kept = Vec::with_capacity(found.len());
        for saved in found {
            let mut one = Kept::from(saved);
            if one.id.is_empty() {
                one.id = self.episode_id();
            }
            if one.saved == 0 {
                one.saved = self.io.now.0;
            }
            kept.push(one);
        }
        self.keep(kept, troubles, Look::default());
    }

    /// Another page handed a rollout over: it is shown, and kept only when the person says so.
    pub(super) fn handed(&mut self, origin: String, name: String, bytes: Vec<u8>) {
        if !self.has(Part::Sharing) {
            self.unshared.push(Later::Handed(origin, name, bytes));
            return;
        }
        self.obey(super::Intent::Go(Route::Guest {
            from: Origin::Page,
            look: Look::default(),
        }));
        match work::pick(&name, &bytes, 0) {
            None => {}
            Some(Ok(found)) => {
                let rollout = found.rollout;
                self.sharing
                    .show_record(rollout.record, rollout.server, &origin);
                self.show_guest();
            }
            Some(Err(problem)) => self.sharing.guest = Guest::Problem(problem),
        }
    }
}

/// What waits for the part of the program that shares.
#[derive(Debug)]
pub(super) enum Later {
    Download(Shown),
    Share(Shown, Choices),
    Export(Shown, Export),
    ExportAll,
    Files(Vec<(String, Vec<u8>)>),
    Handed(String, String, Vec<u8>),
}
