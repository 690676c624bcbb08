//! The content of a link as a record. Whoever wrote it may mean ill: every number is checked
//! against what is there before anything is made of it.

use super::bytes::Reader;
use super::plans::{Plans, cost, spelled};
use super::words::{self, END_REASONS, Known, PROVIDERS, TOOLS};
use super::{Claims, Form, Held, LinkError, Opened, origin};
use crate::chat::Usage;
use crate::rollout::{Final, Message, Record, RecordCall, Step, utc_text};
use crate::wire::Millis;
use serde_json::{Map, Value, json};

/// Seconds of the last moment that a record can write, the end of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

/// Reads the content of a link with this form.
pub(super) fn read(form: Form, bytes: &[u8]) -> Result<Opened, LinkError> {
    let mut from = Reader::new(bytes);
    let held = Held::from_bits(from.number()?).filter(|held| held.form() == form);
    let held = held.ok_or(LinkError::Damaged)?;
    let claims = claims(&mut from, held)?;
    let mut unpacker = Unpacker {
        from,
        held,
        plans: Plans::default(),
        steps: Vec::new(),
        linked: Vec::new(),
        calls: Vec::new(),
    };
    if held.plans {
        unpacker.steps()?;
    }
    let last = unpacker.last()?;
    let (mut messages, mut seconds) = (Vec::new(), 0.0);
    if held.has_messages() {
        messages = unpacker.messages()?;
        if held.has_turns() {
            seconds = unpacker.from.fraction()?;
        }
    }
    let mut record = Record {
        model: claims.model.clone(),
        task_id: claims.task_id.clone(),
        started: claims.started.clone(),
        last,
        reward: claims.reward,
        usage: Usage {
            input: claims.input_tokens,
            output: claims.output_tokens,
            ..Usage::default()
        },
        turns: claims.turns,
        end_reason: claims.end_reason.clone(),
        seconds,
        extra: shared(form, held),
        ..Record::default()
    };
    if held.outputs {
        unpacker.outputs(&messages, &mut record)?;
    }
    if !unpacker.from.is_empty() {
        return Err(LinkError::Damaged);
    }
    record.messages = messages;
    record.steps = unpacker.steps;
    Ok(Opened {
        form,
        held,
        record,
        claims,
    })
}

/// What the record says of its way here.
fn shared(form: Form, held: Held) -> Map<String, Value> {
    let letter = form.letter().to_string();
    let mut extra = Map::new();
    let shared = json!({"form": letter, "left_out": held.left_out()});
    extra.insert("shared".into(), shared);
    extra
}

fn claims(from: &mut Reader<'_>, held: Held) -> Result<Claims, LinkError> {
    let mut mark = None;
    if held.builtin {
        mark = from.take(3)?.try_into().ok();
    }
    let claims = Claims {
        mark,
        model: PROVIDERS.read_beginning(from)?,
        task_id: from.text()?.to_owned(),
        started: match from.number()? {
            0 => from.text()?.to_owned(),
            second => {
                let second = second - 1;
                if second > LAST_SECOND {
                    return Err(LinkError::Damaged);
                }
                utc_text(Millis(second * 1000))
            }
        },
        // No word is no reason, in files too.
        end_reason: END_REASONS.read(from)?.filter(|word| !word.is_empty()),
        turns: from.small()?,
        input_tokens: from.number()?,
        output_tokens: from.number()?,
        reward: from.fraction()?,
        server: None,
    };
    let mut server = None;
    if held.server {
        let text = from.text()?;
        // Not an address with more in it than it says.
        server = origin(text).filter(|origin| origin == text);
        if server.is_none() {
            return Err(LinkError::Damaged);
        }
    }
    from.charge(1)?;
    Ok(Claims { server, ..claims })
}

struct Unpacker<'a> {
    from: Reader<'a>,
    held: Held,
    plans: Plans,
    steps: Vec<Step>,
    /// For each step that a call has claimed, the call's place.
    linked: Vec<usize>,
    /// For each call, the place of the message that first answers it.
    calls: Vec<Option<usize>>,
}

impl Unpacker<'_> {
    fn steps(&mut self) -> Result<(), LinkError> {
        let count = self.from.count(3)?;
        let mut turn = 0_i64;
        for _ in 0..count {
            self.from.charge(1)?;
            let tool = TOOLS.read(&mut self.from)?.unwrap_or_default();
            turn = turn.wrapping_add(self.from.whole()?);
            self.steps.push(Step {
                turn: u32::try_from(turn).map_err(|_| LinkError::Damaged)?,
                tool,
                plan: self.plans.read(&mut self.from)?,
                ..Step::default()
            });
        }
        Ok(())
    }

    fn last(&mut self) -> Result<Final, LinkError> {
        let bits = self.from.number()?;
        let has = |bit: u32| bits >> bit & 1 == 1;
        let [submitted, planned, newest, graded, explained] = [0, 1, 2, 3, 4].map(has);
        if bits > 31 || newest && !planned {
            return Err(LinkError::Damaged);
        }
        let plan = if newest {
            let plan = self.steps.last().map(|step| step.plan.clone());
            let plan = plan.ok_or(LinkError::Damaged)?;
            self.from.charge(cost(&plan))?;
            plan
        } else if planned {
            self.plans.read(&mut self.from)?
        } else {
            Value::Null
        };
        let mut value = |there: bool| there.then(|| self.from.json()).transpose();
        Ok(Final {
            submitted,
            plan,
            grade: value(graded)?.unwrap_or_default(),
            rubric: value(explained)?,
            extra: Map::new(),
        })
    }

    fn messages(&mut self) -> Result<Vec<Message>, LinkError> {
        let count = self.from.count(2)?;
        let mut messages = Vec::new();
        for place in 0..count {
            self.from.charge(1)?;
            messages.push(self.message(place)?);
        }
        Ok(messages)
    }

    fn message(&mut self, place: usize) -> Result<Message, LinkError> {
        let from = &mut self.from;
        match from.number()? {
            0 => Ok(Message::system(from.text()?)),
            1 => Ok(Message::user(from.text()?)),
            2 if self.held.has_turns() => {
                let mut text = |there: bool| {
                    let text = there.then(|| from.text()).transpose()?;
                    Ok(text.unwrap_or_default().to_owned())
                };
                let content = text(self.held.words)?;
                let reasoning = text(self.held.reasoning)?;
                let stop = text(true)?;
                let count = from.count(2)?;
                let mut tool_calls = Vec::new();
                for _ in 0..count {
                    tool_calls.push(self.call()?);
                }
                Ok(Message::Assistant {
                    content,
                    reasoning,
                    stop,
                    tool_calls,
                    extra: Map::new(),
                })
            }
            3 if self.held.outputs => {
                let number = usize::try_from(from.number()?).map_err(|_| LinkError::Damaged)?;
                let name = TOOLS.read(from)?.unwrap_or_default();
                let content = from.text()?;
                from.charge_json(content)?;
                let mut id = String::new();
                if let Some(call) = number.checked_sub(1) {
                    let answered = self.calls.get_mut(call).ok_or(LinkError::Damaged)?;
                    answered.get_or_insert(place);
                    id = call_id(number);
                }
                Ok(Message::tool(id, name, content))
            }
            _ => Err(LinkError::Damaged),
        }
    }

    fn call(&mut self) -> Result<RecordCall, LinkError> {
        self.from.charge(1)?;
        let place = self.calls.len();
        self.calls.push(None);
        let name = TOOLS.read(&mut self.from)?.unwrap_or_default();
        let how = self.from.number()?;
        let arguments = match how {
            0 | 1 => {
                let text = self.from.text()?;
                self.from.charge_json(text)?;
                text.to_owned()
            }
            2 => String::new(),
            _ => {
                let step = self.steps.get(self.linked.len());
                let plan = &step.ok_or(LinkError::Damaged)?.plan;
                self.from.charge(cost(plan))?;
                let spelling = usize::try_from(how - 3).ok();
                let text = spelling.and_then(|spelling| spelled(plan, spelling));
                text.ok_or(LinkError::Damaged)?
            }
        };
        if how == 1 || how > 2 {
            self.linked.push(place);
        }
        Ok(RecordCall {
            id: call_id(place + 1),
            name,
            arguments,
            extra: Map::new(),
        })
    }

    fn outputs(&mut self, messages: &[Message], record: &mut Record) -> Result<(), LinkError> {
        for (place, step) in self.steps.iter_mut().enumerate() {
            step.result = match self.from.number()? {
                0 => Value::Null,
                1 => {
                    let call = self.linked.get(place);
                    let answer = call.and_then(|call| self.calls.get(*call).copied().flatten());
                    let message = answer.and_then(|answer| messages.get(answer));
                    let Some(Message::Tool { content, .. }) = message else {
                        return Err(LinkError::Damaged);
                    };
                    self.from.charge_json(content)?;
                    words::result_of(content)
                }
                2 => self.from.json()?,
                _ => return Err(LinkError::Damaged),
            };
        }
        self.from.text()?.clone_into(&mut record.episode_id);
        for lines in [&mut record.errors, &mut record.provider_switches] {
            for _ in 0..self.from.count(1)? {
                self.from.charge(1)?;
                lines.push(self.from.text()?.to_owned());
            }
        }
        Ok(())
    }
}

/// The name of a call by its number, from 1.
fn call_id(number: usize) -> String {
    format!("c{number}")
}

impl Known {
    /// The text whose beginning [`Known`] wrote as a number.
    fn read_beginning(&self, from: &mut Reader<'_>) -> Result<String, LinkError> {
        let beginning = match from.number()?.checked_sub(2) {
            Some(place) => {
                let word = usize::try_from(place)
                    .ok()
                    .and_then(|place| self.0.get(place));
                *word.ok_or(LinkError::Damaged)?
            }
            None => "",
        };
        Ok(beginning.to_owned() + from.text()?)
    }

    /// The word that [`Known`] wrote as a number.
    fn read(&self, from: &mut Reader<'_>) -> Result<Option<String>, LinkError> {
        match from.number()? {
            0 => Ok(None),
            1 => Ok(Some(from.text()?.to_owned())),
            number => {
                let place = usize::try_from(number - 2).ok();
                let word = place.and_then(|place| self.0.get(place));
                Ok(Some((*word.ok_or(LinkError::Damaged)?).to_owned()))
            }
        }
    }
}
