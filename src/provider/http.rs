//! A model behind an HTTP API: everything that the wire formats share. It keeps the history, sends
//! one request at a time, asks again or elsewhere before a stream has started, reads the stream
//! with its format's decoder, and gives up after a long silence.

use super::failure::{Class, Failure};
use super::format::{Answer, Ask, Format, Setting, TurnDecoder};
use super::{Model, ModelError, ModelEvent, ToolResult, notes};
use crate::chat::Turn;
use crate::wire::sse::EventStream;
use crate::wire::{CallId, Headers, HttpEvent, Input, Io, Millis, TimerId, json};
use serde_json::Value;

/// The longest silence: from the request to the head, and from byte to byte.
const SILENCE: Millis = Millis(900_000);

/// The most of an error's body that is read.
const MOST_ERROR: usize = 1 << 20;

/// The most of an answer without events that is kept.
const MOST_BODY: usize = 16 << 20;

/// First wait before asking again, in milliseconds; doubled each time.
const FIRST_WAIT: u64 = 500;

/// Longest such wait, in milliseconds.
const LONGEST_WAIT: u64 = 8000;

/// How often a turn that its service pauses is continued.
const MOST_CONTINUED: u32 = 8;

/// Most characters of a message in a report of a switch.
const SWITCH_MESSAGE: usize = 120;

/// An answer on its way.
struct Open {
    call: CallId,
    timer: TimerId,
    /// The last sign of life.
    heard: Millis,
    /// 0 before the head.
    status: u16,
    headers: Headers,
    /// What came before the first event.
    body: Vec<u8>,
    stream: EventStream,
    has_events: bool,
    decoder: Box<dyn TurnDecoder>,
}

/// What it is doing.
#[derive(Default)]
enum Phase {
    #[default]
    Idle,
    Asking(Open),
    BackingOff(TimerId),
}

/// The turn in the making.
#[derive(Default)]
struct Draft {
    /// The history before it, for when it fails: a format may change more than its end.
    before: Vec<Value>,
    /// Failed tries at the present route.
    tries: u32,
    /// How often the service paused.
    continued: u32,
    /// What it said before it paused.
    said: Turn,
}

/// How an answer has ended.
type Outcome = Result<Answer, Failure>;

/// The model.
pub struct HttpModel {
    format: &'static dyn Format,
    setting: Setting,
    host: String,
    /// Which of the setting's routes is asked now.
    route: usize,
    most_continued: u32,
    random: u64,
    history: Vec<Value>,
    results: Vec<ToolResult>,
    texts: Vec<String>,
    phase: Phase,
    draft: Draft,
    failed: Option<(Failure, (String, String))>,
}

impl HttpModel {
    /// A conversation that has not begun. `seed` spreads the waits of many pages.
    pub fn new(format: &'static dyn Format, setting: Setting, seed: u64) -> Self {
        let base = setting.base.as_str();
        let after_scheme = base.split_once("//").map_or(base, |(_, rest)| rest);
        let host = after_scheme.split('/').next().unwrap_or_default();
        // A name and a password may stand before it.
        let host = host.rsplit('@').next().unwrap_or_default();
        Self {
            format,
            host: host.to_owned(),
            setting,
            route: 0,
            most_continued: MOST_CONTINUED,
            random: seed,
            history: Vec::new(),
            results: Vec::new(),
            texts: Vec::new(),
            phase: Phase::Idle,
            draft: Draft::default(),
            failed: None,
        }
    }

    /// The same, for a turn at a time: one that its service pauses ends there.
    #[must_use]
    pub fn without_going_on(mut self) -> Self {
        self.most_continued = 0;
        self
    }

    /// Why the last turn failed, with the text and the reasoning that had come, for display.
    pub fn failure(&self) -> Option<(&Failure, &str, &str)> {
        let (failure, (text, reasoning)) = self.failed.as_ref()?;
        Some((failure, text, reasoning))
    }

    fn model(&self) -> &str {
        let route = self.setting.routes.get(self.route);
        route.map(String::as_str).unwrap_or_default()
    }

    fn send(&mut self, io: &mut Io) {
        let ask = Ask {
            setting: &self.setting,
            model: self.model(),
            history: &self.history,
        };
        let request = self.format.request(&ask);
        let decoder = self.format.decoder(&ask);
        self.phase = Phase::Asking(Open {
            call: io.fetch(request),
            timer: io.wait(SILENCE),
            heard: io.now,
            status: 0,
            headers: Headers::default(),
            body: Vec::new(),
            stream: EventStream::default(),
            has_events: false,
            decoder,
        });
    }

    /// A wait before the next try: doubled with each, and up to a quarter shorter.
    fn back_off(&mut self) -> Millis {
        let factor = 6_364_136_223_846_793_005;
        self.random = self.random.wrapping_mul(factor).wrapping_add(1);
        let full = LONGEST_WAIT.min(FIRST_WAIT << self.draft.tries.min(8));
        Millis(full - full * ((self.random >> 33) % 257) / 1024)
    }

    /// The answer is over.
    fn conclude(&mut self, io: &mut Io, outcome: Outcome, events: &mut Vec<ModelEvent>) {
        let phase = std::mem::take(&mut self.phase);
        match outcome {
            Ok(answer) => self.take(io, answer, events),
            Err(failure) => {
                let (text, reasoning) = match phase {
                    Phase::Asking(open) => open.decoder.partial(),
                    _ => Default::default(),
                };
                let said = &self.draft.said;
                let partial = (
                    format!("{}{text}", said.text),
                    format!("{}{reasoning}", said.reasoning),
                );
                self.fail(io, failure, partial, events);
            }
        }
    }

    fn take(&mut self, io: &mut Io, answer: Answer, events: &mut Vec<ModelEvent>) {
        self.history.extend(answer.history);
        let draft = &mut self.draft;
        let mut turn = answer.turn;
        turn.usage += draft.said.usage;
        if draft.continued > 0 {
            turn.text.insert_str(0, &draft.said.text);
            turn.reasoning.insert_str(0, &draft.said.reasoning);
            turn.calls.splice(0..0, draft.said.calls.drain(..));
        }
        if answer.goes_on && draft.continued < self.most_continued {
            draft.continued += 1;
            draft.tries = 0;
            draft.said = turn;
            self.send(io);
            return;
        }
        self.draft = Draft::default();
        self.texts.clear();
        self.results.clear();
        events.push(ModelEvent::Turn(turn));
    }

    fn fail(
        &mut self,
        io: &mut Io,
        failure: Failure,
        partial: (String, String),
        events: &mut Vec<ModelEvent>,
    ) {
        let has_begun = (200..300).contains(&failure.status);
        let (service, host) = (self.setting.service, self.host.as_str());
        let most = self.format.retries();
        if !has_begun && failure.asks_again() && self.draft.tries < most {
            let reason = failure.fact(service, host);
            let after = match failure.retry_after {
                Some(after) => after,
                None => self.back_off(),
            };
            self.draft.tries += 1;
            self.phase = Phase::BackingOff(io.wait(after));
            events.push(ModelEvent::Retry {
                after,
                attempt: self.draft.tries + 1,
                of: most + 1,
                reason,
            });
            return;
        }
        let is_refused = !has_begun && !matches!(failure.status, 0 | 429);
        if is_refused && self.route + 1 < self.setting.routes.len() {
            let message: String = failure.message.chars().take(SWITCH_MESSAGE).collect();
            let old = self.model().to_owned();
            self.route += 1;
            self.draft.tries = 0;
            let (new, status) = (self.model(), failure.status);
            let report = format!("{old} -> {new} ({status}: {message})");
            events.push(ModelEvent::Switched(report));
            self.send(io);
            return;
        }
        self.history = std::mem::take(&mut self.draft.before);
        events.push(ModelEvent::Failed(ModelError {
            kind: failure.class.word().to_owned(),
            message: failure.words(service, host),
        }));
        self.failed = Some((failure, partial));
    }
}

impl Open {
    /// Takes what the exchange reports; the outcome once it is over.
    fn handle(
        &mut self,
        io: &mut Io,
        event: &HttpEvent,
        events: &mut Vec<ModelEvent>,
    ) -> Option<Outcome> {
        self.heard = io.now;
        let outcome = match event {
            HttpEvent::Head { status, headers } => {
                self.status = *status;
                self.headers = headers.clone();
                return None;
            }
            HttpEvent::Bytes(bytes) if self.is_good() => {
                let outcome = self.read(bytes, events)?;
                io.abort(self.call);
                outcome
            }
            HttpEvent::Bytes(bytes) => {
                let room = MOST_ERROR.saturating_sub(self.body.len());
                self.body
                    .extend_from_slice(bytes.get(..room).unwrap_or(bytes));
                if self.body.len() < MOST_ERROR {
                    return None;
                }
                io.abort(self.call);
                self.end(io.now)
            }
            // A status that came is the better news.
            HttpEvent::Failed(failure) if self.status == 0 || self.is_good() => {
                Err(Failure::of_fetch(failure, self.status))
            }
            HttpEvent::End | HttpEvent::Failed(_) => self.end(io.now),
        };
        io.cancel_wait(self.timer);
        Some(outcome)
    }

    fn is_good(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Reads more of a good answer; the outcome once no more is wanted.
    fn read(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) -> Option<Outcome> {
        if !self.has_events && self.body.len() < MOST_BODY {
            self.body.extend_from_slice(bytes);
        }
        let (decoder, has_events) = (&mut self.decoder, &mut self.has_events);
        let mut deltas = Vec::new();
        let mut read = Ok(());
        self.stream.push(bytes, &mut |data| {
            *has_events = true;
            read = decoder.event(data, &mut deltas);
            read.is_ok() && !decoder.is_full()
        });
        if self.has_events {
            self.body = Vec::new();
        }
        events.extend(deltas.into_iter().map(ModelEvent::Delta));
        match read {
            Err(failure) => Some(Err(failure)),
            Ok(()) if self.decoder.is_full() => Some(self.decoder.finish()),
            Ok(()) => None,
        }
    }

    /// The answer has come to its end.
    fn end(&mut self, now: Millis) -> Outcome {
        if !self.is_good() {
            let (status, headers) = (self.status, &self.headers);
            return Err(Failure::of_answer(status, headers, &self.body, now));
        }
        if self.has_events {
            return self.decoder.finish();
        }
        let text = String::from_utf8_lossy(&self.body);
        let text = text.trim_start_matches('\u{feff}');
        if let Some(body) = json::read(text).filter(|body| !body.is_null()) {
            if let Some(failure) = Failure::reported(&body) {
                return Err(failure);
            }
            return self
                .decoder
                .whole(body)
                .and_then(|()| self.decoder.finish());
        }
        let kind = self.headers.get("content-type").unwrap_or_default();
        let what = if text.trim().is_empty() {
            "empty"
        } else {
            "no turn"
        };
        let kind = if kind.is_empty() { "not given" } else { kind };
        Err(Failure {
            status: self.status,
            ..Failure::new(
                Class::BadStream,
                format!("its answer is {what} (content type: {kind})"),
            )
        })
    }
}

impl Model for HttpModel {
    fn user(&mut self, text: &str) {
        self.texts.push(text.to_owned());
    }

    fn notes(&mut self, text: &str) {
        if !self.format.keep_notes(&mut self.history, text) {
            self.texts.push(notes::as_user_text(text));
        }
    }

    fn results(&mut self, results: &[ToolResult]) {
        self.results.extend_from_slice(results);
    }

    fn step(&mut self, io: &mut Io) {
        self.cancel(io);
        self.failed = None;
        self.draft = Draft {
            before: self.history.clone(),
            ..Draft::default()
        };
        self.format
            .append(&mut self.history, &self.results, &self.texts);
        self.send(io);
    }

    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<ModelEvent>) {
        match (&mut self.phase, input) {
            (Phase::Asking(open), Input::Http(call, event)) if *call == open.call => {
                if let Some(outcome) = open.handle(io, event, events) {
                    self.conclude(io, outcome, events);
                }
            }
            (Phase::Asking(open), Input::Timer(timer)) if *timer == open.timer => {
                // The wait is not begun anew with each byte: there can be a great many of them.
                let silent = io.now.since(open.heard);
                if silent < SILENCE {
                    open.timer = io.wait(SILENCE.since(silent));
                    return;
                }
                io.abort(open.call);
                let failure = Failure {
                    status: open.status,
                    retryable: true,
                    ..Failure::new(Class::Timeout, "15 minutes")
                };
                self.conclude(io, Err(failure), events);
            }
            (Phase::BackingOff(timer), Input::Timer(rings)) if timer == rings => self.send(io),
            _ => {}
        }
    }

    fn cancel(&mut self, io: &mut Io) {
        match std::mem::take(&mut self.phase) {
            Phase::Idle => return,
            Phase::Asking(open) => {
                io.abort(open.call);
                io.cancel_wait(open.timer);
            }
            Phase::BackingOff(timer) => io.cancel_wait(timer),
        }
        self.history = std::mem::take(&mut self.draft.before);
    }
}

#[cfg(test)]
mod tests;
