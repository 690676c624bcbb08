//! Which tasks there are: the one that came with the page, the built-in pack on demand, and the
//! list of a server where the page may read it.

use crate::berth::{Task, pack};
use crate::env::TaskRef;
use crate::env::address::ServerAddress;
use crate::env::tasks::{TaskEntry, TaskLister, TaskListing};
use crate::view::tasks::TaskRow;
use crate::wire::{CallId, HttpEvent, HttpRequest, Input, Io};
use std::sync::Arc;

/// Where the pack lies, relative to the page.
const PACK: &str = "tasks/pack.json";
/// The most tasks of a server that are listed.
const MOST_LISTED: u32 = 200;

/// How far the pack is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PackState {
    /// Not asked for yet.
    #[default]
    Absent,
    /// On its way.
    Loading,
    /// Here.
    Loaded,
    /// It did not come: why.
    Failed(String),
}

/// What a server lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ServerList {
    /// It was not asked.
    #[default]
    Absent,
    /// It is being asked.
    Loading,
    /// Its tasks, and how many more there are.
    Listed(Vec<TaskRow>, u32),
    /// It lists none to this page: why, and the way on.
    CannotList(String),
}

/// What the task screen shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogView {
    /// Built-in tasks known so far.
    pub builtin: Arc<Vec<Arc<Task>>>,
    /// How far the pack is.
    pub pack: PackState,
    /// The server's list.
    pub server: ServerList,
}

/// Task lists.
pub struct Catalog {
    /// The task that came with the page.
    pub first: Arc<Task>,
    tasks: Arc<Vec<Arc<Task>>>,
    pack: PackState,
    call: Option<(CallId, u16, Vec<u8>)>,
    lister: Option<TaskLister>,
    server: ServerList,
}

impl Default for Catalog {
    fn default() -> Self {
        let first = Arc::new(pack::first());
        Self {
            tasks: Arc::new(vec![first.clone()]),
            first,
            pack: PackState::Absent,
            call: None,
            lister: None,
            server: ServerList::Absent,
        }
    }
}

impl Catalog {
    /// A built-in task, if it is here.
    pub fn task(&self, id: &str) -> Option<Arc<Task>> {
        self.tasks.iter().find(|task| task.task_id == id).cloned()
    }

    /// Asks for the pack, unless it is here or on its way.
    pub fn load_pack(&mut self, io: &mut Io) {
        if matches!(self.pack, PackState::Loading | PackState::Loaded) {
            return;
        }
        self.pack = PackState::Loading;
        self.call = Some((io.fetch(HttpRequest::get(PACK)), 0, Vec::new()));
    }

    /// Asks a server for its list.
    pub fn list_server(&mut self, io: &mut Io, server: &ServerAddress) {
        self.forget_server(io);
        let mut lister = TaskLister::new(server, MOST_LISTED);
        lister.start(io);
        self.lister = Some(lister);
        self.server = ServerList::Loading;
    }

    /// Forgets the server's list.
    pub fn forget_server(&mut self, io: &mut Io) {
        if let Some(mut lister) = self.lister.take() {
            lister.cancel(io);
        }
        self.server = ServerList::Absent;
    }

    /// Takes an input that may be its own; true when it brought the pack.
    pub fn handle(&mut self, io: &mut Io, input: &Input) -> bool {
        if let Some(lister) = &mut self.lister
            && let Some(listing) = lister.handle(io, input)
        {
            self.lister = None;
            self.server = server_list(listing);
        }
        let Some((call, status, body)) = &mut self.call else {
            return false;
        };
        match input {
            Input::Http(id, event) if id == call => match event {
                HttpEvent::Head { status: got, .. } => *status = *got,
                HttpEvent::Bytes(bytes) => body.extend_from_slice(bytes),
                HttpEvent::End => {
                    let read = if *status == 200 {
                        std::str::from_utf8(body)
                            .map_err(|error| error.to_string())
                            .and_then(|text| pack::read(text).map_err(|error| error.to_string()))
                    } else {
                        Err(format!("this site answered {status} for {PACK}"))
                    };
                    self.settle(read);
                    return self.pack == PackState::Loaded;
                }
                HttpEvent::Failed(failure) => {
                    let text = format!("This site did not send the built-in tasks: {failure}");
                    self.settle(Err(text));
                }
            },
            _ => {}
        }
        false
    }

    fn settle(&mut self, read: Result<Vec<Task>, String>) {
        self.call = None;
        match read {
            Ok(tasks) => {
                self.tasks = Arc::new(tasks.into_iter().map(Arc::new).collect());
                self.pack = PackState::Loaded;
            }
            Err(reason) => self.pack = PackState::Failed(reason),
        }
    }

    /// Whether the pack may still bring a task.
    pub fn is_loading(&self) -> bool {
        self.pack == PackState::Loading
    }

    /// What the task screen shows.
    pub fn view(&self) -> CatalogView {
        CatalogView {
            builtin: self.tasks.clone(),
            pack: self.pack.clone(),
            server: self.server.clone(),
        }
    }
}

fn server_list(listing: TaskListing) -> ServerList {
    match listing {
        TaskListing::Listed(list) => {
            ServerList::Listed(list.entries.iter().map(server_row).collect(), list.left_out)
        }
        TaskListing::CannotList(reason) => ServerList::CannotList(reason.to_string()),
    }
}

/// The line of a server's task. A task without an id of its own is asked for by `split#position`.
fn server_row(entry: &TaskEntry) -> TaskRow {
    TaskRow {
        id: match &entry.task {
            TaskRef::Id(id) => id.clone(),
            TaskRef::Index { split, index } => format!("{split}#{index}"),
            TaskRef::Unnamed => String::new(),
        },
        quay: entry.quay.clone(),
        week: entry.week.unwrap_or_default(),
        weeks: 1,
        tier: entry.tier.clone(),
        split: entry.split.clone(),
        ships: entry.ships,
        disruptions: Some(entry.disruptions.len()),
        best: None,
    }
}
