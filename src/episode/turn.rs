//! Turns and their tool calls.

use super::spend::Spend;
use super::words::{self, Words};
use super::{Episode, Out, Phase};
use crate::chat::{ToolCall, Turn};
use crate::env::ToolAnswer;
use crate::provider::{Model, ToolResult};
use crate::rollout::{EndReason, Event, Final, Message, Step, Waiting, kept, part, plan_value};
use crate::wire::json::error_text;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;

/// Most characters of a cut-off turn's reasoning that are handed back; the end of it.
const LONGEST_NOTES: usize = 8000;

/// The conversation with the model, from the first turn to the last.
pub(super) struct Talk {
    pub(super) model: Box<dyn Model>,
    /// It waits before it asks again.
    pub(super) backs_off: bool,
    spend: Spend,
    words: Words,
    /// Turns finished.
    done: u32,
    /// Turns without a call, in a row.
    idle: u32,
}

impl Talk {
    pub(super) fn new(model: Box<dyn Model>, spend: Spend, words: Words) -> Self {
        Self {
            model,
            backs_off: false,
            spend,
            words,
            done: 0,
            idle: 0,
        }
    }

    fn results(&mut self, results: &[ToolResult]) {
        for result in results {
            self.spend.text(&result.text);
        }
        self.model.results(results);
    }
}

/// The calls of one turn, while they are answered in order.
pub(super) struct Calls {
    /// The one that the environment answers now.
    open: ToolCall,
    rest: VecDeque<ToolCall>,
    results: Vec<ToolResult>,
}

impl Episode {
    /// Begins the next turn, unless a limit or a person is before it.
    pub(super) fn next_turn(&mut self, mut talk: Talk, out: &mut Out<'_>) -> Phase {
        let most = self.setup.limits.turns;
        if talk.done >= most {
            return self.end(Phase::Asking(talk), EndReason::TurnLimit, out);
        }
        if self.clock.is_past(out.io.now) {
            return self.end(Phase::Asking(talk), EndReason::WallClock, out);
        }
        let is_last = talk.done + 1 == most;
        let note = is_last.then(|| talk.words.last_turn());
        if let Some(why) = talk.spend.forbids(note.unwrap_or_default()) {
            out.say(Event::Erred(format!("spend_limit: {why}")));
            return self.end(Phase::Asking(talk), EndReason::SpendLimit, out);
        }
        if self.hold {
            self.clock.pause(out.io);
            out.say(Event::Waits(Waiting::Person));
            return Phase::Paused(talk);
        }
        if is_last {
            tell(&mut talk, Words::last_turn, out);
        }
        out.say(Event::TurnBegan(talk.done + 1));
        out.say(Event::Waits(Waiting::Model));
        talk.backs_off = false;
        talk.model.step(out.io);
        Phase::Asking(talk)
    }

    /// The model has made a turn.
    pub(super) fn said(&mut self, mut talk: Talk, turn: Turn, out: &mut Out<'_>) -> Phase {
        out.say(Event::Said(Message::assistant(&turn)));
        out.say(Event::Used(turn.usage));
        talk.spend.made(&turn);
        if !turn.calls.is_empty() {
            talk.idle = 0;
            return self.next_call(talk, turn.calls.into(), Vec::new(), out);
        }
        talk.idle += 1;
        if talk.idle >= 2 || talk.done + 1 >= self.setup.limits.turns {
            return self.end(Phase::Asking(talk), EndReason::NoToolCall, out);
        }
        if is_cut_off(&turn) {
            let notes = tail(&turn.reasoning, LONGEST_NOTES);
            talk.spend.text(notes);
            talk.model.notes(notes);
            tell(&mut talk, Words::cut_off, out);
        } else {
            tell(&mut talk, Words::no_tool_call, out);
        }
        talk.done += 1;
        self.next_turn(talk, out)
    }

    /// Puts the next usable call to the environment; after the last one begins the next turn.
    fn next_call(
        &mut self,
        talk: Talk,
        mut rest: VecDeque<ToolCall>,
        mut results: Vec<ToolResult>,
        out: &mut Out<'_>,
    ) -> Phase {
        while let Some(call) = rest.pop_front() {
            match &call.arguments {
                Ok(arguments) => {
                    out.say(Event::Waits(Waiting::Tool(call.name.clone())));
                    self.session.call(out.io, &call.name, arguments);
                    let calls = Calls {
                        open: call,
                        rest,
                        results,
                    };
                    return Phase::Calling(talk, calls);
                }
                Err(error) => {
                    let text = error_text(&error.to_string());
                    let left = self.turns_left(&talk);
                    results.push(result(call, text, Some(left), out));
                }
            }
        }
        self.finish_turn(talk, &results, out)
    }

    fn finish_turn(&mut self, mut talk: Talk, results: &[ToolResult], out: &mut Out<'_>) -> Phase {
        talk.results(results);
        talk.done += 1;
        self.next_turn(talk, out)
    }

    fn turns_left(&self, talk: &Talk) -> u32 {
        self.setup.limits.turns.saturating_sub(talk.done + 1)
    }

    /// The environment has answered the open call.
    pub(super) fn answered(
        &mut self,
        mut talk: Talk,
        calls: Calls,
        answer: ToolAnswer,
        out: &mut Out<'_>,
    ) -> Phase {
        let Calls {
            open: call,
            rest,
            mut results,
        } = calls;
        let sent = call.arguments.as_ref().ok().and_then(|map| map.get("plan"));
        let plan = sent.map(plan_value).unwrap_or_default();
        let tool = call.name.clone();
        let left = (!answer.done).then(|| self.turns_left(&talk));
        results.push(result(call, answer.text.clone(), left, out));
        if tool == words::CHECK || tool == words::SUBMIT {
            out.say(Event::Stepped(Step {
                turn: talk.done + 1,
                tool: tool.clone(),
                plan: plan.clone(),
                result: step_result(&answer.text),
                extra: Map::new(),
            }));
        }
        if !answer.done {
            return self.next_call(talk, rest, results, out);
        }
        for late in rest {
            let text = error_text(words::EPISODE_OVER);
            results.push(result(late, text, None, out));
        }
        talk.model.results(&results);
        let reason = self.settle(&tool, plan, answer);
        self.end(Phase::Asking(talk), reason, out)
    }

    /// What the answer that ended the episode says of reward, final plan and reason.
    fn settle(&mut self, tool: &str, plan: Value, answer: ToolAnswer) -> EndReason {
        let mut metadata = answer.metadata;
        self.reward = answer.reward.filter(|r| r.is_finite()).unwrap_or_default();
        if tool == words::SUBMIT {
            self.last = Final {
                submitted: true,
                plan,
                grade: metadata.remove("grade").map(kept).unwrap_or_default(),
                rubric: metadata.remove("rubric").map(kept),
                extra: Map::new(),
            };
            return EndReason::Submitted;
        }
        match metadata.get("end_reason").and_then(Value::as_str) {
            None | Some("") => EndReason::ServerEnded,
            Some(word) => EndReason::parse(word),
        }
    }
}

/// Says a sentence of the loop to the model and into the record.
fn tell(talk: &mut Talk, sentence: impl FnOnce(Words) -> &'static str, out: &mut Out<'_>) {
    let text = sentence(talk.words);
    talk.spend.text(text);
    talk.model.user(text);
    out.say(Event::Said(Message::user(text)));
}

/// Records a result as the environment gave it; the model also reads how many turns are `left`.
fn result(call: ToolCall, text: String, left: Option<u32>, out: &mut Out<'_>) -> ToolResult {
    out.say(Event::Said(Message::tool(&call.id, &call.name, &text)));
    let text = match left {
        Some(left) => format!("{text}\n{}", words::turns_left(left)),
        None => text,
    };
    ToolResult { call, text }
}

fn step_result(text: &str) -> Value {
    part(text).unwrap_or_else(|| json!({"text": text}))
}

/// Whether the output limit cut the turn off while the model was thinking: the adapter says so, or
/// the stop word begins with `length`, as chat completions and written-down turns have it.
fn is_cut_off(turn: &Turn) -> bool {
    (turn.cut_off || turn.stop.starts_with("length")) && !turn.reasoning.is_empty()
}

/// The last `most` characters.
fn tail(text: &str, most: usize) -> &str {
    let start = text.char_indices().rev().nth(most.saturating_sub(1));
    start.and_then(|(at, _)| text.get(at..)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_too_deep_for_a_record_is_a_text() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(step_result(&deep(117)).is_array());
        assert_eq!(step_result(&deep(118)), json!({"text": deep(118)}));
    }

    #[test]
    fn notes_are_counted_in_characters_and_taken_from_the_end() {
        assert_eq!(tail("déjà-vu", 4), "à-vu");
        assert_eq!(tail("abc", 3), "abc");
        assert_eq!(tail("abc", 9), "abc");
    }
}
