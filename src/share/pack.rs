//! A record as the content of a link: only the fields named here, each said once.

use super::bytes::Writer;
use super::plans::{Plans, SPELLINGS, cost, spelled};
use super::words::{self, END_REASONS, Known, PROVIDERS, TOOLS, plan_of};
use super::{Choices, Form, Held, LinkError, MOST_INFLATED, Outgoing, Parcel};
use crate::rollout::{Message, Record, RecordCall, kept, utc_moment, utc_text};
use crate::wire::json::{compact, read};
use serde_json::Value;

/// Packs a rollout, as much of it as `choices` say.
///
/// # Errors
/// [`LinkError::TooLarge`] and [`LinkError::TooManyParts`]: the rollout goes into a file instead.
pub fn pack(outgoing: &Outgoing<'_>, choices: Choices) -> Result<Parcel, LinkError> {
    let held = Held::of(choices, outgoing);
    let mut packer = Packer {
        record: outgoing.record,
        held,
        out: Writer::new(),
        plans: Plans::default(),
        linked: Vec::new(),
        calls: Vec::new(),
    };
    packer.header(outgoing)?;
    if held.plans {
        packer.steps()?;
    }
    packer.last()?;
    if held.has_messages() {
        packer.messages()?;
    }
    if held.outputs {
        packer.outputs()?;
    }
    let bytes = packer.out.bytes;
    if bytes.len() > MOST_INFLATED {
        return Err(LinkError::TooLarge);
    }
    let form = held.form();
    Ok(Parcel { form, bytes })
}

struct Packer<'a> {
    record: &'a Record,
    held: Held,
    out: Writer,
    plans: Plans,
    /// For each step that a call has claimed, the call's number from 1.
    linked: Vec<usize>,
    /// The calls written so far: id, and the first answer.
    calls: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Packer<'a> {
    fn header(&mut self, outgoing: &Outgoing<'_>) -> Result<(), LinkError> {
        let (out, record) = (&mut self.out, self.record);
        out.number(self.held.bits());
        if let Some(task) = outgoing.task {
            out.bytes.extend(words::mark(task));
        }
        PROVIDERS.write_beginning(&record.model, out);
        out.text(&record.task_id);
        match utc_moment(&record.started) {
            Some(moment) if utc_text(moment) == record.started => {
                out.number(moment.seconds().saturating_add(1));
            }
            _ => {
                out.number(0);
                out.text(&record.started);
            }
        }
        END_REASONS.write(record.end_reason.as_deref(), out);
        out.number(record.turns.into());
        out.number(record.usage.input);
        out.number(record.usage.output);
        out.fraction(record.reward);
        if let Some(origin) = outgoing.origin().filter(|_| self.held.server) {
            out.text(&origin);
        }
        out.charge(1)
    }

    fn steps(&mut self) -> Result<(), LinkError> {
        let steps = &self.record.steps;
        self.out.count(steps.len());
        let mut turn = 0;
        for step in steps {
            self.out.charge(1)?;
            TOOLS.write(Some(&step.tool), &mut self.out);
            self.out.whole(i64::from(step.turn) - turn);
            turn = i64::from(step.turn);
            self.plans.write(&plan_of(&step.plan), &mut self.out)?;
        }
        Ok(())
    }

    fn last(&mut self) -> Result<(), LinkError> {
        let last = &self.record.last;
        let plan = Some(plan_of(&last.plan)).filter(|plan| self.held.plans && !plan.is_null());
        let newest = self.record.steps.last().map(|step| plan_of(&step.plan));
        let is_newest = plan.is_some() && plan == newest;
        let grade = Some(&last.grade).filter(|grade| self.held.graded() && !grade.is_null());
        let rubric = last.rubric.as_ref().filter(|_| self.held.graded());
        let bits = [
            last.submitted,
            plan.is_some(),
            is_newest,
            grade.is_some(),
            rubric.is_some(),
        ];
        self.out.number(words::bits(&bits));
        match plan {
            Some(plan) if is_newest => self.out.charge(cost(&plan))?,
            Some(plan) => self.plans.write(&plan, &mut self.out)?,
            None => {}
        }
        for value in grade.into_iter().chain(rubric) {
            self.out.json(&compact(&kept(value.clone())))?;
        }
        Ok(())
    }

    fn messages(&mut self) -> Result<(), LinkError> {
        let held = self.held;
        let messages = &self.record.messages;
        let begun = messages
            .iter()
            .position(|message| matches!(message, Message::Assistant { .. }));
        let mut before = messages.iter().take(begun.unwrap_or(usize::MAX));
        let prompted = before
            .clone()
            .position(|message| matches!(message, Message::System { .. }));
        let told = before.position(|message| matches!(message, Message::User { .. }));
        // What the built-in environment says comes after its prompt; the rest are notes of the loop,
        // also where a link has left both out before.
        let told = told.filter(|told| !held.builtin || prompted.is_some_and(|place| place < *told));
        let travels = |(place, message): &(usize, &Message)| match message {
            Message::System { .. } => held.system,
            Message::User { .. } if told == Some(*place) => held.situation,
            Message::User { .. } => held.words,
            Message::Assistant { .. } => held.has_turns(),
            Message::Tool { .. } => held.outputs,
            Message::Other(_) => false,
        };
        let messages: Vec<_> = messages.iter().enumerate().filter(travels).collect();
        self.out.count(messages.len());
        for (_, message) in messages {
            self.out.charge(1)?;
            self.message(message)?;
        }
        if held.has_turns() {
            self.out.fraction(self.record.seconds);
        }
        Ok(())
    }

    fn message(&mut self, message: &'a Message) -> Result<(), LinkError> {
        let out = &mut self.out;
        match message {
            Message::System { content, .. } => {
                out.count(0);
                out.text(content);
            }
            Message::User { content, .. } => {
                out.count(1);
                out.text(content);
            }
            Message::Assistant {
                content,
                reasoning,
                stop,
                tool_calls,
                ..
            } => {
                out.count(2);
                if self.held.words {
                    out.text(content);
                }
                if self.held.reasoning {
                    out.text(reasoning);
                }
                out.text(stop);
                out.count(tool_calls.len());
                for call in tool_calls {
                    self.call(call)?;
                }
            }
            Message::Tool {
                tool_call_id,
                name,
                content,
                ..
            } => {
                out.count(3);
                let call = self.calls.iter().rposition(|(id, _)| id == tool_call_id);
                out.charge_json(content)?;
                out.count(call.map_or(0, |place| place + 1));
                if let Some((_, answer)) = call.and_then(|place| self.calls.get_mut(place)) {
                    answer.get_or_insert(content);
                }
                TOOLS.write(Some(name), out);
                out.text(content);
            }
            Message::Other(_) => {}
        }
        Ok(())
    }

    fn call(&mut self, call: &'a RecordCall) -> Result<(), LinkError> {
        self.out.charge(1)?;
        self.calls.push((&call.id, None));
        TOOLS.write(Some(&call.name), &mut self.out);
        if !self.held.plans && words::takes_plan(&call.name) {
            self.out.count(2);
            return Ok(());
        }
        let next = self.record.steps.get(self.linked.len());
        let step = next.filter(|step| self.held.plans && step.tool == call.name);
        let Some(plan) = step.map(|step| plan_of(&step.plan)) else {
            return self.as_text(0, &call.arguments);
        };
        let exact = (0..SPELLINGS)
            .find(|way| spelled(&plan, *way).is_some_and(|arguments| arguments == call.arguments));
        // Without the tools' answers the conversation is for reading, and blanks do not count.
        let loose = || {
            let alike = spelling_of(&call.arguments, &plan);
            alike.filter(|_| !self.held.outputs)
        };
        // Without the model's words, of its arguments only the plan is left.
        let bare = || (!self.held.words && sends(&call.arguments, &plan)).then_some(0);
        if let Some(way) = exact.or_else(loose).or_else(bare) {
            self.out.charge(cost(&plan))?;
            self.out.count(3 + way);
            self.linked.push(self.calls.len());
        } else if sends(&call.arguments, &plan) {
            self.as_text(1, &call.arguments)?;
            self.linked.push(self.calls.len());
        } else {
            self.as_text(0, &call.arguments)?;
        }
        Ok(())
    }

    /// Arguments as they are, if the model's words travel.
    fn as_text(&mut self, how: usize, arguments: &str) -> Result<(), LinkError> {
        if !self.held.words {
            self.out.count(2);
            return Ok(());
        }
        self.out.charge_json(arguments)?;
        self.out.count(how);
        self.out.text(arguments);
        Ok(())
    }

    fn outputs(&mut self) -> Result<(), LinkError> {
        if self.held.plans {
            for (place, step) in self.record.steps.iter().enumerate() {
                let answer = self
                    .linked
                    .get(place)
                    .and_then(|number| self.calls.get(number.checked_sub(1)?)?.1)
                    .filter(|answer| words::result_of(answer) == step.result);
                if step.result.is_null() {
                    self.out.count(0);
                } else if let Some(answer) = answer {
                    self.out.charge_json(answer)?;
                    self.out.count(1);
                } else {
                    self.out.count(2);
                    self.out.json(&compact(&kept(step.result.clone())))?;
                }
            }
        }
        let (out, record) = (&mut self.out, self.record);
        out.text(&record.episode_id);
        for lines in [&record.errors, &record.provider_switches] {
            out.count(lines.len());
            for line in lines {
                out.charge(1)?;
                // What failed names hosts: whole only where the server's address may be known.
                let kind = line.split([':', '(']).next().unwrap_or_default();
                out.text(if self.held.server {
                    line
                } else {
                    kind.trim_end()
                });
            }
        }
        Ok(())
    }
}

/// Whether this argument text sends this plan.
fn sends(arguments: &str, plan: &Value) -> bool {
    let value = read(arguments);
    value.is_some_and(|value| value.get("plan").map(plan_of).as_ref() == Some(plan))
}

/// The spelling that says the same as this argument text, with other blanks or in another order.
fn spelling_of(arguments: &str, plan: &Value) -> Option<usize> {
    let value = read(arguments)?;
    let sent = value
        .as_object()
        .filter(|map| map.len() == 1)?
        .get("plan")?;
    match sent {
        Value::String(_) => (plan_of(sent) == *plan && !plan.is_string()).then_some(2),
        sent => (sent == plan).then_some(0),
    }
}

impl Form {
    /// The form that holds this much.
    pub(super) fn of(held: Held) -> Self {
        match held {
            Held { outputs: true, .. } => Self::Full,
            held if held.has_turns() => Self::Words,
            _ => Self::Plans,
        }
    }
}

impl Known {
    /// A text that begins with a word of the list: the word's place, and the rest as text.
    fn write_beginning(&self, text: &str, out: &mut Writer) {
        let mut beginnings = self.0.iter().zip(2..);
        let known = beginnings.find_map(|(word, place)| Some((place, text.strip_prefix(word)?)));
        let (number, rest) = known.unwrap_or((1, text));
        out.count(number);
        out.text(rest);
    }

    /// A word of the list by its place, another one as text, none as 0.
    fn write(&self, word: Option<&str>, out: &mut Writer) {
        let Some(word) = word else {
            out.count(0);
            return;
        };
        if let Some(place) = self.0.iter().position(|known| *known == word) {
            out.count(place + 2);
        } else {
            out.count(1);
            out.text(word);
        }
    }
}
