//! A record as a report to read: Markdown, as GitHub shows it.
//!
//! Facts, verdict, plan, conversation. The headings are ours; every word of a model, a server or a
//! file stands in a quote, a fence or a cell (`words`), and cannot add to the structure.

mod words;

#[cfg(test)]
mod tests;

use super::table::{cell_text, plan_table};
use super::{EndReason, Message, Record, RecordCall};
use crate::settings::money::grouped;
use crate::wire::json::{compact, quoted, read};
use serde_json::{Value, json};
use words::{cell, code, fence, quote};

/// The record as a Markdown text.
pub fn markdown(record: &Record) -> String {
    let mut out = String::from("# Rollout of a berth plan\n\n");
    facts(record, &mut out);
    verdict(record, &mut out);
    plan(record, &mut out);
    conversation(record, &mut out);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// A line of a list: what, and its value.
fn item(name: &str, value: &str, out: &mut String) {
    out.push_str("- ");
    out.push_str(name);
    out.push_str(": ");
    out.push_str(value);
    out.push('\n');
}

fn facts(record: &Record, out: &mut String) {
    for (name, value) in [
        ("Task", &record.task_id),
        ("Model", &record.model),
        ("Episode", &record.episode_id),
        ("Started", &record.started),
    ] {
        if !value.is_empty() {
            item(name, &code(value), out);
        }
    }
    let turns = grouped(record.turns.into());
    item("Turns of the model", &turns, out);
    if !record.usage.is_unknown() {
        let [input, output] = [record.usage.input, record.usage.output].map(grouped);
        item("Tokens", &format!("{input} in, {output} out"), out);
    }
    item("Time", &(number(record.seconds) + " s"), out);
    for switch in &record.provider_switches {
        item("Provider changed", &code(switch), out);
    }
    out.push('\n');
}

fn number(number: f64) -> String {
    let text = compact(&json!(number));
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn verdict(record: &Record, out: &mut String) {
    out.push_str("## Verdict\n\n");
    item("Reward", &number(record.reward), out);
    item("Ended", &ending(record), out);
    let given = [
        ("Grade", Some(&record.last.grade)),
        ("Rubric", record.last.rubric.as_ref()),
    ];
    for (whose, values) in given {
        let Some(Value::Object(values)) = values else {
            continue;
        };
        for (name, value) in values {
            let name = format!("{whose}, {}", code(name));
            item(&name, &code(&cell_text(value)), out);
        }
    }
    for error in &record.errors {
        item("Error", &code(error), out);
    }
    out.push('\n');
}

fn ending(record: &Record) -> String {
    let Some(word) = &record.end_reason else {
        return "not yet".to_owned();
    };
    let known = match EndReason::parse(word) {
        EndReason::Submitted => "a plan was submitted",
        EndReason::NoToolCall => "the model called no tool",
        EndReason::TurnLimit => "all turns were used",
        EndReason::WallClock => "the time was up",
        EndReason::ToolCallLimit => "all tool calls were used",
        EndReason::ServerEnded => "the environment ended the episode",
        EndReason::SpendLimit => "the next request could have passed the spend limit",
        EndReason::Error => "something failed",
        EndReason::Stopped => "a person stopped it",
        EndReason::Interrupted => "the page was closed",
        EndReason::Other(word) => return code(&word),
    };
    known.to_owned()
}

fn plan(record: &Record, out: &mut String) {
    let sent = record.last_plan().unwrap_or_default();
    let table = plan_table(&sent);
    if table.columns.is_empty() {
        return;
    }
    let is_final = record.last.submitted;
    out.push_str(if is_final {
        "## Plan submitted\n\n"
    } else {
        "## Last draft\n\n"
    });
    row(table.columns.iter().map(|heading| cell(heading)), out);
    row(table.columns.iter().map(|_| "---".to_owned()), out);
    for cells in &table.rows {
        row(cells.iter().map(|value| cell(&cell_text(value))), out);
    }
    out.push('\n');
}

fn row(cells: impl Iterator<Item = String>, out: &mut String) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(&cell);
        out.push_str(" |");
    }
    out.push('\n');
}

fn conversation(record: &Record, out: &mut String) {
    if record.messages.is_empty() {
        return;
    }
    out.push_str("## Conversation\n\n");
    let mut turn = 0;
    for message in &record.messages {
        match message {
            Message::System { content, .. } => said("### Instructions", content, out),
            Message::User { content, .. } => said("### To the model", content, out),
            Message::Assistant {
                content,
                reasoning,
                stop,
                tool_calls,
                ..
            } => {
                turn += 1;
                out.push_str("### Turn ");
                out.push_str(&grouped(turn));
                out.push_str("\n\n");
                if !reasoning.trim().is_empty() {
                    out.push_str("Reasoning:\n\n");
                    quote(reasoning, out);
                }
                if !content.trim().is_empty() {
                    out.push_str("Answer:\n\n");
                    quote(content, out);
                }
                for call in tool_calls {
                    called(call, out);
                }
                if tool_calls.is_empty() && !stop.is_empty() {
                    out.push_str("Stopped because of ");
                    out.push_str(&code(stop));
                    out.push_str("\n\n");
                }
            }
            Message::Tool { name, content, .. } => {
                out.push_str("Result of ");
                out.push_str(&code(name));
                out.push_str(":\n\n");
                data(content, out);
            }
            Message::Other(value) => {
                out.push_str("### Another message\n\n");
                fence("json", &laid_out(value), out);
            }
        }
    }
}

fn said(heading: &str, content: &str, out: &mut String) {
    out.push_str(heading);
    out.push_str("\n\n");
    if !content.trim().is_empty() {
        quote(content, out);
    }
}

fn called(call: &RecordCall, out: &mut String) {
    out.push_str("Call of ");
    out.push_str(&code(&call.name));
    out.push_str(":\n\n");
    data(&call.arguments, out);
}

/// JSON laid out, or a text as it is.
fn data(text: &str, out: &mut String) {
    match read(text) {
        Some(value) => fence("json", &laid_out(&value), out),
        None => fence("text", text, out),
    }
}

/// JSON with a line for each entry of the plan or of whatever list there is: a plan of sixty ships
/// is sixty lines then, and not three hundred.
fn laid_out(value: &Value) -> String {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let fields = map.iter().map(|(name, value)| {
                let value = match value {
                    Value::Array(items) if !items.is_empty() => {
                        let items = items.iter().map(|item| "    ".to_owned() + &compact(item));
                        between("[", items, "  ]")
                    }
                    other => compact(other),
                };
                format!("  {}: {value}", quoted(name))
            });
            between("{", fields, "}")
        }
        Value::Array(items) if !items.is_empty() => between(
            "[",
            items.iter().map(|item| "  ".to_owned() + &compact(item)),
            "]",
        ),
        other => compact(other),
    }
}

fn between(open: &str, lines: impl Iterator<Item = String>, close: &str) -> String {
    let lines: Vec<String> = lines.collect();
    format!("{open}\n{}\n{close}", lines.join(",\n"))
}
