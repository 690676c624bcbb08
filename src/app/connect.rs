//! Which server the page uses, and the connection doctor.

use super::PageFacts;
use crate::env::address::{self, ServerAddress};
use crate::env::doctor::{Doctor, Finding, PermissionState, Verdict};
use crate::wire::{Input, Io, Millis};

/// What the connect screen shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConnectView {
    /// The server in use.
    pub server: Option<ServerAddress>,
    /// Servers used since the page was opened, newest first.
    pub known: Vec<ServerAddress>,
    /// Why the address typed last cannot be used.
    pub address_problem: Option<String>,
    /// The doctor's findings so far, in order.
    pub findings: Vec<Finding>,
    /// What they come to, at the end.
    pub verdict: Option<&'static str>,
    /// The doctor is at work.
    pub busy: bool,
    /// What the doctor looks at, as it was understood.
    pub patient: Option<String>,
}

/// Server and doctor.
#[derive(Default)]
pub struct Connect {
    /// The server in use.
    pub server: Option<ServerAddress>,
    known: Vec<ServerAddress>,
    problem: Option<String>,
    doctor: Option<Doctor>,
    page: PageFacts,
    permission: Option<PermissionState>,
}

impl Connect {
    /// What kind of page this is decides what it may reach.
    pub fn set_page(&mut self, page: &PageFacts) {
        self.page = page.clone();
    }

    /// What the browser says of reaching this machine's own network.
    pub fn permission_is(&mut self, state: PermissionState) {
        self.permission = Some(state);
        if let Some(doctor) = &mut self.doctor {
            doctor.permission_is(state);
        }
    }

    /// Uses the server at this address, as typed. Opens nothing by itself.
    pub fn choose(&mut self, text: &str) -> bool {
        match address::parse(text) {
            Ok(server) => {
                self.problem = None;
                self.known.retain(|known| known.ws_url != server.ws_url);
                self.known.insert(0, server.clone());
                self.server = Some(server);
                true
            }
            Err(error) => {
                self.problem = Some(error.to_string());
                false
            }
        }
    }

    /// The server behind an address of a route, if a person chose it on this page.
    pub fn allowed(&self, address: &str) -> Option<&ServerAddress> {
        self.known.iter().find(|known| known.ws_url == address)
    }

    /// Sends the doctor to an address, as typed.
    pub fn diagnose(&mut self, io: &mut Io, text: &str) {
        self.cancel(io);
        let mut doctor = Doctor::new(text, self.page.https, self.page.local);
        if let Some(state) = self.permission {
            doctor.permission_is(state);
        }
        doctor.begin(io);
        self.doctor = Some(doctor);
    }

    /// Ends the doctor's visit.
    pub fn cancel(&mut self, io: &mut Io) {
        if let Some(doctor) = &mut self.doctor {
            doctor.cancel(io);
        }
    }

    /// Takes an input that may be its own.
    pub fn handle(&mut self, io: &mut Io, input: &Input) {
        if let Some(doctor) = &mut self.doctor {
            doctor.handle(io, input);
        }
    }

    /// The doctor is at work.
    pub fn is_busy(&self) -> bool {
        self.doctor.as_ref().is_some_and(|doctor| !doctor.is_done())
    }

    /// What the connect screen shows.
    pub fn view(&self, _now: Millis) -> ConnectView {
        ConnectView {
            server: self.server.clone(),
            known: self.known.clone(),
            address_problem: self.problem.clone(),
            findings: self
                .doctor
                .as_ref()
                .map(|doctor| doctor.findings().to_vec())
                .unwrap_or_default(),
            verdict: self
                .doctor
                .as_ref()
                .and_then(Doctor::verdict)
                .map(Verdict::text),
            busy: self.is_busy(),
            patient: self.doctor.as_ref().map(Doctor::patient),
        }
    }
}
