//! A model that says what was written down for it: for tests, examples and the end-to-end run.
//! It answers through timers, one piece at a time, and keeps what it was asked.

use super::{Model, ModelError, ModelEvent, ToolResult, notes};
use crate::chat::{Delta, ToolCall, Turn};
use crate::wire::{Input, Io, Millis, TimerId};
use std::collections::VecDeque;

/// One message of a conversation, neutral of any wire format.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A user text.
    User(String),
    /// A turn of the model.
    Model {
        /// Text; after a cut-off turn possibly its notes.
        text: String,
        /// Calls.
        calls: Vec<ToolCall>,
    },
    /// A tool's answer.
    Tool(ToolResult),
}

/// Where notes of a cut-off turn go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotesGo {
    /// Into a user text.
    #[default]
    ToUserText,
    /// Into the turn's own empty message, as chat completions do it.
    ToOwnMessage,
}

/// What the model says to one `step`, in order. The list should end in `Turn` or `Failed`; one
/// that does not is a model that falls silent.
pub type Lines = Vec<ModelEvent>;

/// A turn as a stream would bring it: reasoning, text and calls, then the turn itself.
pub fn streamed(turn: Turn) -> Lines {
    let mut lines = Vec::new();
    if !turn.reasoning.is_empty() {
        lines.push(ModelEvent::Delta(Delta::Reasoning(turn.reasoning.clone())));
    }
    if !turn.text.is_empty() {
        lines.push(ModelEvent::Delta(Delta::Text(turn.text.clone())));
    }
    for (index, call) in turn.calls.iter().enumerate() {
        lines.push(ModelEvent::Delta(Delta::Call {
            index,
            name: Some(call.name.clone()),
            arguments: call.raw.clone(),
        }));
    }
    lines.push(ModelEvent::Turn(turn));
    lines
}

/// The model.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    script: VecDeque<Lines>,
    saying: VecDeque<ModelEvent>,
    timer: Option<TimerId>,
    pace: Millis,
    notes_go: NotesGo,
    history: Vec<Heard>,
    texts: Vec<String>,
    asked: Vec<Vec<Heard>>,
}

impl Scripted {
    /// A model that answers one `step` after the other with the entries of `script`.
    pub fn new(script: impl IntoIterator<Item = Lines>) -> Self {
        Self {
            script: script.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The same, with a wait before each piece.
    #[must_use]
    pub fn with_pace(mut self, pace: Millis) -> Self {
        self.pace = pace;
        self
    }

    /// The same, with another place for notes.
    #[must_use]
    pub fn with_notes(mut self, notes_go: NotesGo) -> Self {
        self.notes_go = notes_go;
        self
    }

    /// The whole conversation at each `step` so far.
    pub fn asked(&self) -> &[Vec<Heard>] {
        &self.asked
    }

    fn wait_for_next(&mut self, io: &mut Io, length: Millis) {
        self.timer = (!self.saying.is_empty()).then(|| io.wait(length));
    }

    fn keep(&mut self, turn: &Turn) {
        self.history.push(Heard::Model {
            text: turn.text.clone(),
            calls: turn.calls.clone(),
        });
    }
}

impl Model for Scripted {
    fn user(&mut self, text: &str) {
        self.texts.push(text.to_owned());
    }

    fn notes(&mut self, text: &str) {
        match (self.notes_go, self.history.last_mut()) {
            (NotesGo::ToOwnMessage, Some(Heard::Model { text: own, .. })) if own.is_empty() => {
                *own = notes::as_own_words(text);
            }
            _ => self.texts.push(notes::as_user_text(text)),
        }
    }

    fn results(&mut self, results: &[ToolResult]) {
        self.history
            .extend(results.iter().cloned().map(Heard::Tool));
    }

    fn step(&mut self, io: &mut Io) {
        self.cancel(io);
        self.history.extend(self.texts.drain(..).map(Heard::User));
        self.asked.push(self.history.clone());
        let lines = self.script.pop_front().unwrap_or_else(|| {
            vec![ModelEvent::Failed(ModelError {
                kind: "script".into(),
                message: format!("the script has no turn {}. Add one", self.asked.len()),
            })]
        });
        self.saying = lines.into();
        self.wait_for_next(io, self.pace);
    }

    fn handle(&mut self, io: &mut Io, input: &Input, events: &mut Vec<ModelEvent>) {
        let Input::Timer(timer) = input else { return };
        if self.timer != Some(*timer) {
            return;
        }
        self.timer = None;
        let Some(event) = self.saying.pop_front() else {
            return;
        };
        let pause = match &event {
            ModelEvent::Retry { after, .. } => *after,
            _ => self.pace,
        };
        if let ModelEvent::Turn(turn) = &event {
            self.keep(turn);
        }
        if matches!(event, ModelEvent::Turn(_) | ModelEvent::Failed(_)) {
            self.saying.clear();
        }
        self.wait_for_next(io, pause);
        events.push(event);
    }

    fn cancel(&mut self, io: &mut Io) {
        self.saying.clear();
        if let Some(timer) = self.timer.take() {
            io.cancel_wait(timer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Effect;

    fn talk(text: &str) -> Turn {
        Turn {
            text: text.into(),
            stop: "stop".into(),
            ..Turn::default()
        }
    }

    /// Lets waits end until there are none; gives their lengths and what was said.
    fn listen(model: &mut Scripted, io: &mut Io) -> (Vec<u64>, Vec<ModelEvent>) {
        let (mut waits, mut said) = (Vec::new(), Vec::new());
        while let Some(effect) = io.out.pop() {
            if let Effect::Wait(timer, length) = effect {
                waits.push(length.0);
                model.handle(io, &Input::Timer(timer), &mut said);
            }
        }
        (waits, said)
    }

    #[test]
    fn a_turn_comes_in_pieces_and_then_whole() {
        let mut io = Io::new(Millis(0));
        let mut model = Scripted::new([streamed(talk("Hm."))]).with_pace(Millis(40));
        model.step(&mut io);
        let (waits, said) = listen(&mut model, &mut io);
        assert_eq!(waits, [40, 40]);
        assert_eq!(said[0], ModelEvent::Delta(Delta::Text("Hm.".into())));
        assert_eq!(said[1], ModelEvent::Turn(talk("Hm.")));
    }

    #[test]
    fn a_retry_waits_as_long_as_it_says() {
        let retry = ModelEvent::Retry {
            after: Millis(500),
            attempt: 2,
            of: 3,
            reason: "429".into(),
        };
        let mut io = Io::new(Millis(0));
        let mut model = Scripted::new([vec![retry, ModelEvent::Turn(talk("Now."))]]);
        model.step(&mut io);
        assert_eq!(listen(&mut model, &mut io).0, [0, 500]);
    }

    #[test]
    fn after_the_script_every_turn_fails() {
        let mut io = Io::new(Millis(0));
        let mut model = Scripted::new([]);
        model.step(&mut io);
        let (_, said) = listen(&mut model, &mut io);
        assert!(matches!(&said[..], [ModelEvent::Failed(error)] if error.kind == "script"));
    }

    #[test]
    fn a_cancelled_turn_is_never_said() {
        let mut io = Io::new(Millis(0));
        let mut model = Scripted::new([streamed(talk("Hm."))]);
        model.step(&mut io);
        let orders = io.take();
        let [Effect::Wait(timer, _)] = orders[..] else {
            panic!("one wait was expected: {orders:?}");
        };
        model.cancel(&mut io);
        assert_eq!(io.take(), [Effect::CancelWait(timer)]);
        let mut said = Vec::new();
        model.handle(&mut io, &Input::Timer(timer), &mut said);
        assert_eq!(said, []);
    }

    #[test]
    fn texts_wait_for_the_next_step_and_follow_the_results() {
        let call = ToolCall::from_raw("c", "look", "");
        let turn = Turn {
            calls: vec![call.clone()],
            ..Turn::default()
        };
        let mut io = Io::new(Millis(0));
        let mut model = Scripted::new([streamed(turn)]);
        model.user("Begin.");
        model.step(&mut io);
        listen(&mut model, &mut io);
        let result = ToolResult {
            call,
            text: "seen".into(),
        };
        model.user("Last turn.");
        model.results(std::slice::from_ref(&result));
        model.step(&mut io);
        let last = model.asked().last().unwrap();
        assert_eq!(last[0], Heard::User("Begin.".into()));
        assert_eq!(last[2], Heard::Tool(result));
        assert_eq!(last[3], Heard::User("Last turn.".into()));
    }

    #[test]
    fn notes_take_the_place_of_an_empty_message_or_are_a_user_text() {
        for (notes_go, text, own) in [
            (NotesGo::ToOwnMessage, "", true),
            (NotesGo::ToOwnMessage, "Some text.", false),
            (NotesGo::ToUserText, "", false),
        ] {
            let mut io = Io::new(Millis(0));
            let mut model = Scripted::new([streamed(talk(text))]).with_notes(notes_go);
            model.step(&mut io);
            listen(&mut model, &mut io);
            model.notes("Half a thought");
            model.step(&mut io);
            let Heard::Model { text: kept, .. } = &model.asked()[1][0] else {
                panic!("the first message is the model's");
            };
            assert_eq!(kept.contains("Half a thought"), own);
            assert_eq!(model.asked()[1].len(), if own { 1 } else { 2 });
        }
    }
}
