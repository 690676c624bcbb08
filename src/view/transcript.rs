//! The transcript as entries, one per message, tool answers inside the card of their call.
//! In: rollout events, one at a time. Out: entries with a key and a version, so that a page
//! redraws only what changed. Holds text, never markup.
//!
//! A piece of a stream costs what it adds, and a copy of an entry that grows costs little: words of
//! a model are a [`Flow`], arguments on their way only a [`Tail`].

use super::{Flow, Tail};
use crate::chat::Delta;
use crate::rollout::{Event, Message, RecordCall, Waiting};
use crate::wire::json::compact;

/// One entry of the transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Stable identity within the run, from 0 upwards.
    pub key: usize,
    /// Grows with every change.
    pub version: u64,
    /// What it shows.
    pub kind: EntryKind,
}

/// What an entry shows.
#[allow(
    clippy::large_enum_variant,
    reason = "an entry is made once a message, and most are turns"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKind {
    /// The environment's instructions.
    System {
        /// Text.
        text: String,
    },
    /// What the model was told: the situation, a note of the loop, a person's words.
    User {
        /// Text.
        text: String,
    },
    /// One turn of the model.
    Turn {
        /// From 1.
        turn: u32,
        /// Answer text.
        text: Flow,
        /// Reasoning the service showed.
        reasoning: Flow,
        /// Why it stopped, in the provider's word.
        stop: String,
        /// Tool calls, in order.
        calls: Vec<CallCard>,
        /// Still arriving.
        live: bool,
    },
    /// A tool answer whose call is not in the record.
    Orphan {
        /// The tool.
        name: String,
        /// The answer.
        text: String,
    },
}

impl EntryKind {
    /// The newest draft that it sent.
    pub fn newest_draft(&self) -> Option<usize> {
        match self {
            Self::Turn { calls, .. } => calls.iter().filter_map(|call| call.draft).max(),
            _ => None,
        }
    }
}

/// A tool call and its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallCard {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Raw argument text, once it is complete.
    pub arguments: String,
    /// What came of it so far, or before the turn was broken off.
    pub typed: Tail,
    /// The answer, once there.
    pub result: Option<String>,
    /// Number of the draft it sent (from 1), when it sent one.
    pub draft: Option<usize>,
}

/// The transcript of a run, folded from its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// Entries in order.
    pub entries: Vec<Entry>,
    turn: u32,
    drafts: usize,
}

impl Transcript {
    /// Takes one event in.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::TurnBegan(turn) => self.begin_turn(*turn),
            Event::Streamed(delta) => self.stream(delta),
            Event::Said(message) => self.said(message),
            Event::Stepped(step) => {
                self.drafts += 1;
                self.mark_draft(&step.tool, self.drafts);
            }
            Event::Waits(Waiting::Retry { .. }) | Event::Switched(_) => self.forget_pieces(),
            Event::Ended { .. } => self.settle(),
            _ => {}
        }
    }

    fn begin_turn(&mut self, turn: u32) {
        self.turn = turn;
        self.push(EntryKind::Turn {
            turn,
            text: Flow::default(),
            reasoning: Flow::default(),
            stop: String::new(),
            calls: Vec::new(),
            live: true,
        });
    }

    fn push(&mut self, kind: EntryKind) {
        self.settle();
        self.entries.push(Entry {
            key: self.entries.len(),
            version: 0,
            kind,
        });
    }

    /// The live turn is over: an empty one disappears, another stays as it is.
    fn settle(&mut self) {
        let Some(last) = self.entries.last_mut() else {
            return;
        };
        let EntryKind::Turn {
            live,
            text,
            reasoning,
            calls,
            ..
        } = &mut last.kind
        else {
            return;
        };
        if !*live {
            return;
        }
        if text.is_empty() && reasoning.is_empty() && calls.is_empty() {
            self.entries.pop();
        } else {
            text.finish();
            reasoning.finish();
            *live = false;
            last.version += 1;
        }
    }

    /// The turn is asked for anew, so what had arrived of it does not count.
    fn forget_pieces(&mut self) {
        if let Some(Entry {
            version,
            kind:
                EntryKind::Turn {
                    text,
                    reasoning,
                    calls,
                    live: true,
                    ..
                },
            ..
        }) = self.entries.last_mut()
        {
            *version += 1;
            text.clear();
            reasoning.clear();
            calls.clear();
        }
    }

    fn stream(&mut self, delta: &Delta) {
        let Some(Entry {
            version,
            kind:
                EntryKind::Turn {
                    text,
                    reasoning,
                    calls,
                    live: true,
                    ..
                },
            ..
        }) = self.entries.last_mut()
        else {
            return;
        };
        *version += 1;
        match delta {
            Delta::Text(more) => text.push(more),
            Delta::Reasoning(more) => reasoning.push(more),
            Delta::Call {
                index,
                name,
                arguments,
            } => {
                // A stream may name positions with gaps; a bound keeps a hostile one small.
                if *index < 256 {
                    while calls.len() <= *index {
                        calls.push(CallCard::default());
                    }
                    if let Some(card) = calls.get_mut(*index) {
                        if let Some(name) = name {
                            card.name.clone_from(name);
                        }
                        card.typed.push(arguments);
                    }
                }
            }
        }
    }

    fn said(&mut self, message: &Message) {
        match message {
            Message::System { content, .. } => self.push(EntryKind::System {
                text: content.clone(),
            }),
            Message::User { content, .. } => self.push(EntryKind::User {
                text: content.clone(),
            }),
            Message::Assistant {
                content,
                reasoning,
                stop,
                tool_calls,
                ..
            } => {
                self.finish_turn(content, reasoning, stop, tool_calls);
            }
            Message::Tool {
                tool_call_id,
                name,
                content,
                ..
            } => self.answer(tool_call_id, name, content),
            Message::Other(value) => {
                self.push(EntryKind::Orphan {
                    name: "message".into(),
                    text: compact(value),
                });
            }
        }
    }

    fn finish_turn(&mut self, content: &str, said: &str, word: &str, made: &[RecordCall]) {
        if !matches!(
            self.entries.last(),
            Some(Entry {
                kind: EntryKind::Turn { live: true, .. },
                ..
            })
        ) {
            self.begin_turn(self.turn + 1);
        }
        let Some(Entry {
            version,
            kind:
                EntryKind::Turn {
                    text,
                    reasoning,
                    stop,
                    calls,
                    live,
                    ..
                },
            ..
        }) = self.entries.last_mut()
        else {
            return;
        };
        *version += 1;
        text.replace(content);
        reasoning.replace(said);
        word.clone_into(stop);
        *calls = made
            .iter()
            .map(|call| CallCard {
                id: call.id.clone(),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
                ..CallCard::default()
            })
            .collect();
        *live = false;
    }

    /// The newest call with this id (or this name, for files without ids) that has no answer yet.
    fn answer(&mut self, id: &str, name: &str, content: &str) {
        for entry in self.entries.iter_mut().rev() {
            let EntryKind::Turn { calls, .. } = &mut entry.kind else {
                continue;
            };
            let open = calls.iter_mut().find(|card| {
                card.result.is_none() && (card.id == id || (id.is_empty() && card.name == name))
            });
            if let Some(card) = open {
                card.result = Some(content.to_owned());
                entry.version += 1;
                return;
            }
        }
        self.push(EntryKind::Orphan {
            name: name.to_owned(),
            text: content.to_owned(),
        });
    }

    fn mark_draft(&mut self, tool: &str, number: usize) {
        for entry in &mut self.entries {
            let EntryKind::Turn { calls, .. } = &mut entry.kind else {
                continue;
            };
            // Steps come in the order of the calls that sent them.
            if let Some(card) = calls
                .iter_mut()
                .find(|card| card.draft.is_none() && card.name == tool && !refused(card))
            {
                card.draft = Some(number);
                entry.version += 1;
                return;
            }
        }
    }
}

/// A call that the loop answered itself sent no draft: its arguments were unusable.
fn refused(card: &CallCard) -> bool {
    !matches!(
        serde_json::from_str::<serde_json::Value>(if card.arguments.trim().is_empty() {
            "{}"
        } else {
            &card.arguments
        }),
        Ok(serde_json::Value::Object(_))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::Step;
    use serde_json::json;

    /// An event from the JSON that a record would hold.
    fn said(message: serde_json::Value) -> Event {
        Event::Said(Message::from_json(message))
    }
    fn assistant(id: &str, arguments: &str) -> Event {
        said(
            json!({"role": "assistant", "content": "draft", "stop": "tool_calls",
            "tool_calls": [{"id": id, "name": "check_plan", "arguments": arguments}]}),
        )
    }
    fn call(name: &str, arguments: &str) -> Event {
        Event::Streamed(Delta::Call {
            index: 0,
            name: (!name.is_empty()).then(|| name.to_owned()),
            arguments: arguments.to_owned(),
        })
    }
    fn stepped(turn: u32) -> Event {
        let step = json!({"turn": turn, "tool": "check_plan", "plan": [], "result": {}});
        Event::Stepped(Step::from_json(step))
    }
    fn fold(events: &[Event]) -> Transcript {
        let mut transcript = Transcript::default();
        for event in events {
            transcript.apply(event);
        }
        transcript
    }
    fn cards(transcript: &Transcript) -> Vec<&CallCard> {
        transcript
            .entries
            .iter()
            .flat_map(|entry| match &entry.kind {
                EntryKind::Turn { calls, .. } => calls.iter().collect(),
                _ => Vec::new(),
            })
            .collect()
    }

    #[test]
    fn streamed_text_is_replaced_by_the_finished_message() {
        let transcript = fold(&[
            Event::TurnBegan(1),
            Event::Streamed(Delta::Text("dra".into())),
            assistant("a", "{}"),
        ]);
        assert_eq!(transcript.entries.len(), 1);
        let EntryKind::Turn {
            text, live, turn, ..
        } = &transcript.entries[0].kind
        else {
            panic!()
        };
        assert_eq!((text.text(), *live, *turn), ("draft".into(), false, 1));
    }

    #[test]
    fn a_turn_that_is_asked_for_anew_begins_without_words() {
        let again = Event::Waits(Waiting::Retry {
            after: crate::wire::Millis(1),
            attempt: 2,
            of: 3,
            reason: String::new(),
        });
        for again in [again, Event::Switched("a -> b".into())] {
            let transcript = fold(&[
                Event::TurnBegan(1),
                Event::Streamed(Delta::Text("dra".into())),
                call("check_plan", "{\"pl"),
                again,
                Event::Streamed(Delta::Text("new".into())),
            ]);
            let EntryKind::Turn { text, calls, .. } = &transcript.entries[0].kind else {
                panic!()
            };
            assert_eq!((text.text(), calls.len()), ("new".into(), 0));
        }
    }

    #[test]
    fn arguments_on_their_way_are_counted_and_their_end_is_shown() {
        let mut events = vec![Event::TurnBegan(1), call("check_plan", "")];
        events.extend((0..9_999).map(|_| call("", "12345")));
        let transcript = fold(&events);
        let card = cards(&transcript)[0];
        assert_eq!(
            (card.name.as_str(), card.arguments.as_str()),
            ("check_plan", "")
        );
        assert_eq!(card.typed.chars(), 49_995);
        assert!(card.typed.end().ends_with("12345") && card.typed.end().len() < 1_000);
    }

    #[test]
    fn a_turn_that_is_broken_off_keeps_its_words() {
        let ended = Event::Ended {
            reason: crate::rollout::EndReason::Stopped,
            reward: 0.0,
            last: crate::rollout::Final::default(),
            at: crate::wire::Millis(1),
        };
        let transcript = fold(&[
            Event::TurnBegan(1),
            Event::Streamed(Delta::Text("dra".into())),
            ended,
        ]);
        let EntryKind::Turn { text, live, .. } = &transcript.entries[0].kind else {
            panic!()
        };
        assert_eq!((text.pieces().len(), *live), (1, false));
    }

    #[test]
    fn an_answer_and_a_draft_number_land_on_their_call() {
        let transcript = fold(&[
            assistant("a", "{\"plan\": []}"),
            stepped(1),
            said(
                json!({"role": "tool", "tool_call_id": "a", "name": "check_plan", "content": "{}"}),
            ),
        ]);
        assert_eq!(cards(&transcript)[0].result.as_deref(), Some("{}"));
        assert_eq!(cards(&transcript)[0].draft, Some(1));
    }

    #[test]
    fn a_call_with_unusable_arguments_gets_no_draft_number() {
        let transcript = fold(&[assistant("a", "{broken"), assistant("b", "{}"), stepped(2)]);
        assert_eq!(
            cards(&transcript)
                .iter()
                .map(|card| card.draft)
                .collect::<Vec<_>>(),
            [None, Some(1)]
        );
    }

    #[test]
    fn a_turn_that_said_nothing_leaves_no_entry() {
        let transcript = fold(&[
            Event::TurnBegan(1),
            said(json!({"role": "user", "content": "x"})),
        ]);
        assert_eq!(transcript.entries.len(), 1);
    }

    #[test]
    fn an_answer_without_a_call_is_shown_by_itself() {
        let orphan = json!({"role": "tool", "tool_call_id": "x", "name": "t", "content": "c"});
        let transcript = fold(&[said(orphan)]);
        assert!(matches!(
            transcript.entries[0].kind,
            EntryKind::Orphan { .. }
        ));
    }

    #[test]
    fn a_stream_that_names_a_far_position_does_not_grow_the_turn() {
        let transcript = fold(&[
            Event::TurnBegan(1),
            Event::Streamed(Delta::Call {
                index: 1_000_000,
                name: None,
                arguments: "x".into(),
            }),
        ]);
        assert!(cards(&transcript).is_empty());
    }
}
