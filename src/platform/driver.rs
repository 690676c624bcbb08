//! The one driver. A fact or an intent goes into the app; the borrow ends; each order is carried
//! out; completions come back through the same door, later, from the event loop.

use super::{
    download, fetch::Fetches, files, keys::Keys, now, pack, page, socket::Sockets,
    storage::Storage, tabs::Tabs, timer,
};
use crate::app::{App, Fact, Intent, Order};
use crate::part;
use crate::wire::{Effect, Input};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen_futures::spawn_local;

/// Reads the app after every change, at most once a frame.
pub type Publish = Box<dyn Fn(&App)>;

/// The page's loop. The only `Rc` of the program.
pub struct Driver {
    app: RefCell<App>,
    publish: Publish,
    frame_ordered: Cell<bool>,
    sockets: Sockets,
    fetches: Fetches,
    keys: Rc<Keys>,
    timers: timer::Timers,
    storage: Storage,
    tabs: Tabs,
    guard: page::CloseGuard,
}

impl Driver {
    /// Starts the page: says what kind of page this is, and where the address bar points.
    pub fn start(publish: Publish) -> Rc<Self> {
        let keys = Rc::new(Keys::open());
        let driver = Rc::new_cyclic(|weak: &Weak<Self>| Self {
            app: RefCell::default(),
            publish,
            frame_ordered: Cell::new(false),
            sockets: Sockets::default(),
            fetches: Fetches::new(keys.clone()),
            keys,
            timers: timer::Timers::default(),
            storage: Storage::default(),
            tabs: {
                let weak = weak.clone();
                Tabs::open(move |text| {
                    if let Some(driver) = weak.upgrade() {
                        driver.report(Fact::Told(text));
                    }
                })
            },
            guard: page::CloseGuard::default(),
        });
        driver.report(Fact::Page(page::facts()));
        driver.report(Fact::Keys(driver.keys.states()));
        driver.report(Fact::Fragment(page::fragment()));
        let weak = Rc::downgrade(&driver);
        page::on_fragment(move |fragment| {
            if let Some(driver) = weak.upgrade() {
                driver.report(Fact::Fragment(fragment));
            }
        });
        let weak = Rc::downgrade(&driver);
        page::on_permission(move |state| {
            if let Some(driver) = weak.upgrade() {
                driver.report(Fact::Permission(state));
            }
        });
        let weak = Rc::downgrade(&driver);
        files::listen(move |fact| {
            if let Some(driver) = weak.upgrade() {
                driver.report(fact);
            }
        });
        let weak = Rc::downgrade(&driver);
        page::on_leaving(move || {
            if let Some(driver) = weak.upgrade() {
                driver.report(Fact::Leaving);
            }
        });
        driver.publish_now();
        driver
    }

    /// A person wants something.
    pub fn intend(self: &Rc<Self>, intent: Intent) {
        let orders = self.app.borrow_mut().intend(now(), intent);
        self.carry_out(orders);
    }

    /// Something happened.
    pub fn report(self: &Rc<Self>, fact: Fact) {
        let orders = self.app.borrow_mut().report(now(), fact);
        self.carry_out(orders);
    }

    fn input(self: &Rc<Self>, input: Input) {
        self.report(Fact::Wire(input));
    }

    fn carry_out(self: &Rc<Self>, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Wire(effect) => self.perform(effect),
                Order::Bring(part) => {
                    let driver = self.clone();
                    spawn_local(async move {
                        let came = part::bring(part).await.is_ok();
                        driver.report(Fact::Brought(part, came));
                    });
                }
                Order::Fragment(fragment) => page::set_fragment(&fragment),
                Order::Replace(fragment) => page::replace_fragment(&fragment),
                Order::Tell(text) => self.tabs.tell(&text),
                Order::Store(order) => {
                    let driver = self.clone();
                    self.storage
                        .order(order, move |answer| driver.report(Fact::Stored(answer)));
                }
                Order::Download { name, mime, text } => {
                    if self.keys.occur_in(text.as_bytes()) {
                        self.soon(Fact::HeldBack);
                    } else {
                        download::text(&name, &mime, &text);
                    }
                }
                Order::Copy(text) => {
                    if self.keys.occur_in(text.as_bytes()) {
                        self.soon(Fact::HeldBack);
                    } else {
                        let driver = self.clone();
                        files::copy(&text, move |done| driver.report(Fact::Copied(done)));
                    }
                }
                Order::Pack(ticket, work) => {
                    let driver = self.clone();
                    spawn_local(async move {
                        let result = pack::pack(work, &driver.keys).await;
                        driver.report(Fact::Packed(ticket, result));
                    });
                }
                Order::DownloadPng { name, svg } => download::png(name, &svg),
                Order::GuardClose(on) => self.guard.set(on),
                Order::Prefer(preferences) => page::prefer(preferences),
                Order::Remember(choices) => page::remember(&choices),
                Order::Keys(order) => {
                    self.keys.order(&order);
                    let driver = self.clone();
                    timer::soon(move || {
                        driver.report(Fact::Keys(driver.keys.states()));
                    });
                }
            }
        }
        self.order_frame();
    }

    /// Reports later: an order is never answered while it is carried out.
    fn soon(self: &Rc<Self>, fact: Fact) {
        let driver = self.clone();
        timer::soon(move || driver.report(fact));
    }

    fn perform(self: &Rc<Self>, effect: Effect) {
        let driver = self.clone();
        match effect {
            Effect::Open(id, url) => {
                self.sockets.open(id, &url, move |event| {
                    driver.input(Input::Socket(id, event));
                });
            }
            Effect::Send(id, text) => self.sockets.send(id, &text),
            Effect::Close(id) => self.sockets.close(id),
            Effect::Fetch(id, request) => {
                self.fetches.start(id, request, move |event| {
                    driver.input(Input::Http(id, event));
                });
            }
            Effect::Abort(id) => self.fetches.abort(id),
            Effect::Wait(id, length) => {
                self.timers
                    .wait(id, length, move || driver.input(Input::Timer(id)));
            }
            Effect::CancelWait(id) => self.timers.cancel(id),
        }
    }

    /// Publishes with the next frame; however many changes come before it, once.
    fn order_frame(self: &Rc<Self>) {
        if self.frame_ordered.replace(true) {
            return;
        }
        let driver = self.clone();
        timer::next_frame(move || {
            driver.frame_ordered.set(false);
            driver.publish_now();
        });
    }

    fn publish_now(&self) {
        (self.publish)(&self.app.borrow());
    }
}
