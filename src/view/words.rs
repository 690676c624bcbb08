//! Verdicts and grades in words: what cards, bars and lists say. The tone goes beside the words,
//! never in their place.

use super::{
    CallCard, Draft, Drafts, Entry, EntryKind, GradeCard, GradeCheck, RunModel, RunStatus, format,
};
use crate::berth::situation;
use crate::case;
use crate::settings::Limits;
use crate::store::KeptRow;

/// How good the news is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Neither.
    #[default]
    Plain,
    /// Good.
    Good,
    /// To be looked at.
    Warn,
    /// Bad.
    Bad,
}

impl Tone {
    /// The word in `data-tone`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

/// Words with their tone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Tone.
    pub tone: Tone,
    /// Words.
    pub text: String,
}

fn said(tone: Tone, text: impl Into<String>) -> Said {
    Said {
        tone,
        text: text.into(),
    }
}

/// A fact of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub label: &'static str,
    /// The value.
    pub value: String,
    /// What to hold it against; may be empty.
    pub note: String,
}

fn fact(label: &'static str, value: impl Into<String>, note: impl Into<String>) -> Fact {
    Fact {
        label,
        value: value.into(),
        note: note.into(),
    }
}

/// What came of a draft: `5 problems`, `Feasible, cost 48`, or why it could not be used.
pub fn verdict(draft: &Draft) -> Said {
    if let Some(error) = &draft.verdict.error {
        return said(Tone::Bad, format::excerpt(error, 160));
    }
    let many = draft.problem_count();
    if many > 0 || draft.verdict.feasible == Some(false) {
        return said(Tone::Bad, format::count(many, "problem", "problems"));
    }
    match (draft.verdict.feasible, draft.verdict.cost) {
        (Some(true), Some(cost)) => said(Tone::Good, format!("Feasible, cost {}", signed(cost))),
        (Some(true), None) => said(Tone::Good, "Feasible"),
        _ => said(Tone::Plain, "No verdict"),
    }
}

/// The name of a draft: `Draft 2`, or `Submitted plan`.
pub fn draft_name(draft: &Draft) -> String {
    if draft.submitted {
        "Submitted plan".into()
    } else {
        format!("Draft {}", draft.number)
    }
}

/// The name of a step: 0 is the published plan.
pub fn step_name(drafts: &Drafts, step: usize) -> String {
    step.checked_sub(1)
        .and_then(|index| drafts.drafts.get(index))
        .map_or_else(|| "Published plan".into(), |draft| draft_name(draft))
}

/// How a step stands: the published plan by the page's check, drafts by their verdict.
pub fn step_verdict(drafts: &Drafts, step: usize) -> Said {
    if let Some(draft) = step
        .checked_sub(1)
        .and_then(|index| drafts.drafts.get(index))
    {
        return verdict(draft);
    }
    match &drafts.published {
        Some(published) if published.1.violations.is_empty() => said(Tone::Good, "No problems"),
        Some(published) => said(
            Tone::Bad,
            format::count(published.1.violations.len(), "problem", "problems"),
        ),
        None => said(Tone::Plain, "The task is not read yet"),
    }
}

/// The name of a file with a picture of a step.
pub fn file_name(drafts: &Drafts, step: usize, ending: &str) -> String {
    let task = drafts
        .task
        .as_ref()
        .map_or("plan", |task| task.task_id.as_str());
    let name = case::lower(&format!("{task} {}", step_name(drafts, step)));
    let plain: String = name
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect();
    format!("{plain}.{ending}")
}

/// What the page has to say beside the environment's verdict, where the two differ.
pub fn difference(draft: &Draft) -> Option<String> {
    let check = draft.check.as_ref().filter(|_| draft.differs())?;
    let here = match check.cost {
        Some(cost) => format!("feasible, cost {}", signed(cost)),
        None => format::count(check.violations.len(), "problem", "problems"),
    };
    Some(format!(
        "This page finds otherwise: {here}. The environment is right; the page may lack a fact."
    ))
}

/// The facts of a grade card, in order.
pub fn grade_facts(card: &GradeCard) -> Vec<Fact> {
    let mut facts = vec![fact(
        "Reward",
        format::reward(card.reward),
        "1 is the best there is",
    )];
    match card.cost {
        Some(cost) => facts.push(fact("Cost", signed(cost), cost_note(card))),
        None if card.submitted => facts.push(fact("Cost", "none", "the plan breaks rules")),
        None => facts.push(fact("Cost", "none", "no plan was submitted")),
    }
    if let Some(cost) = card.optimal_cost {
        facts.push(fact("Optimum", signed(cost), "the least cost of any plan"));
    }
    facts.push(fact(
        "Tool calls",
        card.tool_calls.to_string(),
        format::count(card.turns as usize, "turn", "turns"),
    ));
    facts
}

fn cost_note(card: &GradeCard) -> String {
    match (card.cost, card.optimal_cost, card.naive_cost) {
        (Some(cost), Some(optimum), _) if cost == optimum => "equal to the optimum".into(),
        (_, _, Some(naive)) => format!("a naive re-plan costs {}", signed(naive)),
        _ => String::new(),
    }
}

/// Whether the page's own grade agrees.
pub fn grade_check(card: &GradeCard) -> Said {
    match card.recomputed {
        GradeCheck::Same(reward) => said(
            Tone::Good,
            format!(
                "Grade recomputed here: {}, same as claimed",
                format::reward(reward)
            ),
        ),
        GradeCheck::Differs(reward) => said(
            Tone::Bad,
            format!(
                "Grade recomputed here: {}, not the {} that is claimed",
                format::reward(reward),
                format::reward(card.reward)
            ),
        ),
        GradeCheck::NotRecomputed if card.submitted => said(
            Tone::Plain,
            "Grade as the environment gave it; this page cannot recompute it",
        ),
        GradeCheck::NotRecomputed => {
            said(Tone::Plain, "No plan was submitted, so nothing was graded")
        }
    }
}

/// The line at the top of a grade card or verdict bar.
pub fn grade_title(card: &GradeCard) -> Said {
    match (card.submitted, card.feasible) {
        (true, Some(true)) => said(Tone::Good, "Feasible plan submitted"),
        (true, Some(false)) => said(Tone::Bad, "Submitted, but it breaks rules"),
        (true, None) => said(Tone::Plain, "Plan submitted"),
        (false, _) => said(Tone::Warn, card.end.clone()),
    }
}

/// The limits of a run, as the task bar shows them.
pub fn limits_line(status: &RunStatus) -> String {
    let mut parts = Vec::new();
    if let Some(left) = status.checks_left {
        parts.push(match status.most_checks {
            Some(most) => format!("Checks left {left} of {most}"),
            None => format!("Checks left {left}"),
        });
    }
    if status.begun {
        parts.push(match status.most_turns {
            0 => format!("Turn {}", status.turn),
            most => format!("Turn {} of {most}", status.turn),
        });
    }
    let amounts = [&status.tokens, &status.money].into_iter();
    parts.extend(amounts.filter(|words| !words.is_empty()).cloned());
    parts.join(" · ")
}

/// A task in a line: quay, week, ships, what went wrong.
pub fn task_line(drafts: &Drafts, builtin: bool) -> String {
    let Some(task) = &drafts.task else {
        return if builtin {
            String::new()
        } else {
            "The task arrives with the server's first answer.".into()
        };
    };
    let mut parts = vec![format!("{}, quay {}", task.terminal, task.quay)];
    if task.week > 0 {
        parts.push(format!("week {}", task.week));
    }
    parts.push(format::count(task.ships.len(), "ship", "ships"));
    parts.push(format::count(
        task.notices.len(),
        "disruption",
        "disruptions",
    ));
    if !task.difficulty.is_empty() {
        parts.push(task.difficulty.clone());
    }
    parts.join(" · ")
}

/// The situation as the environment would tell it, before it did.
pub fn situation(drafts: &Drafts) -> String {
    drafts.task.as_ref().map_or_else(
        || "The situation arrives with the server's first answer.".into(),
        |task| situation::write(task),
    )
}

/// How long a run has taken so far.
pub fn elapsed(status: &RunStatus) -> String {
    format::duration(status.elapsed)
}

/// What broke a run, in a sentence or two; none where it ended in order.
pub fn broken(status: &RunStatus) -> Option<String> {
    if status.end_reason.as_deref() != Some("error") {
        return None;
    }
    let what = status
        .errors
        .last()
        .map_or("Something failed, without a reason.", String::as_str);
    let what = without_kind(what).trim_end_matches('.');
    Some(format!(
        "{what}. Transcript and drafts are kept; the reward does not count."
    ))
}

/// What is wrong with a typed position in a split; empty when nothing is.
pub fn index(text: &str) -> String {
    let read = Limits::read("Index", text, &(0..=1_000_000));
    read.err()
        .map_or_else(String::new, |error| error.to_string())
}

/// Why a run ended before its next request, in a sentence; none where its limit on spending held.
pub fn spent(status: &RunStatus) -> Option<String> {
    let ended = status.end_reason.as_deref() == Some("spend_limit");
    let why = status.errors.last().filter(|_| ended)?;
    let mut letters = without_kind(why).chars();
    let first = letters.next()?.to_ascii_uppercase();
    Some(format!("{first}{}.", letters.as_str()))
}

/// A run that ended because nobody told the model what to do.
pub fn needs_prompt(status: &RunStatus) -> bool {
    status
        .errors
        .last()
        .is_some_and(|error| error.starts_with("no_instructions"))
}

/// A record's errors begin with a word for machines; people read the rest.
fn without_kind(error: &str) -> &str {
    match error.split_once(": ") {
        Some((kind, rest)) if kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => rest,
        _ => error,
    }
}

/// Reward and cost in a line.
pub fn grade_line(card: &GradeCard) -> String {
    let mut parts = vec![format!("Reward {}", format::reward(card.reward))];
    if let Some(cost) = card.cost {
        parts.push(format!("cost {}", signed(cost)));
    }
    if let Some(naive) = card.naive_cost {
        parts.push(format!("naive {}", signed(naive)));
    }
    if let Some(optimum) = card.optimal_cost {
        parts.push(format!("optimum {}", signed(optimum)));
    }
    parts.push(format::count(card.tool_calls, "tool call", "tool calls"));
    parts.join(" · ")
}

/// `Problems`, or `Problems 5` where there are some.
pub fn counted(what: &str, many: usize) -> String {
    if many == 0 {
        what.to_owned()
    } else {
        format!("{what} {many}")
    }
}

/// A tool call on one line of the list of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLine {
    /// Turn.
    pub turn: String,
    /// Tool.
    pub tool: String,
    /// What came of it.
    pub said: Said,
}

/// The calls of an entry.
pub fn calls(entry: &Entry, drafts: &Drafts) -> Vec<CallLine> {
    let EntryKind::Turn { turn, calls, .. } = &entry.kind else {
        return Vec::new();
    };
    calls
        .iter()
        .map(|card| {
            let draft = card
                .draft
                .and_then(|number| drafts.drafts.get(number.checked_sub(1)?));
            CallLine {
                turn: turn.to_string(),
                tool: card.name.clone(),
                said: call_line(card, draft.map(AsRef::as_ref)),
            }
        })
        .collect()
}

/// The name of a model, as people say it.
pub fn model_name(spec: &str) -> String {
    match spec {
        "demo:planner" => "Planner, no key needed".into(),
        "" => "–".into(),
        other => other.to_owned(),
    }
}

/// The facts under a rollout.
pub fn run_facts(status: &RunStatus, server: &str, started: &str) -> Vec<Fact> {
    let mut facts = vec![
        fact("Model", model_name(&status.model), ""),
        fact("Task", status.task_id.clone(), ""),
        fact("Environment", place_name(server), ""),
        fact("Began", moment(started), ""),
        fact("Took", format::duration(status.elapsed), ""),
        fact("Turns", status.turn.to_string(), ""),
        fact(
            "Tokens",
            format!(
                "{} read, {} written",
                format::grouped(status.input_tokens),
                format::grouped(status.output_tokens)
            ),
            "",
        ),
    ];
    if !status.money.is_empty() {
        facts.push(fact(
            "Cost",
            status.money.clone(),
            "by the page's price list",
        ));
    }
    facts
}

/// `builtin` or a server's address, as people read it.
pub fn place_name(server: &str) -> String {
    if server == "builtin" || server.is_empty() {
        "built in".into()
    } else {
        server.to_owned()
    }
}

/// `2026-11-30T12:00:05Z` as `2026-11-30 12:00 UTC`; anything else as it is.
pub fn moment(started: &str) -> String {
    match (started.get(..10), started.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => started.to_owned(),
    }
}

/// How a kept run ended.
pub fn kept_state(row: &KeptRow) -> Said {
    let text = super::run::end_text(&row.end_reason);
    match row.end_reason.as_str() {
        "running" => said(Tone::Plain, "Running"),
        "running_elsewhere" => said(Tone::Plain, "Running in another tab"),
        "submitted" => said(Tone::Good, text),
        "interrupted" | "stopped" | "spend_limit" => said(Tone::Warn, text),
        _ => said(Tone::Bad, text),
    }
}

/// What a call did, on one line.
pub fn call_line(card: &CallCard, draft: Option<&Draft>) -> Said {
    match (draft, &card.result) {
        (Some(draft), _) => verdict(draft),
        (None, Some(result)) => said(Tone::Plain, format::excerpt(result.trim(), 96)),
        (None, None) if card.typed.chars() > 0 => said(
            Tone::Plain,
            format!(
                "arguments so far: {} characters",
                format::grouped(card.typed.chars())
            ),
        ),
        (None, None) => said(Tone::Plain, "waiting for the answer"),
    }
}

/// The label of hidden reasoning.
pub fn reasoning_label(turn: u32, chars: u64) -> String {
    let many = format::grouped(chars);
    format!("Reasoning, turn {turn}, {many} characters")
}

/// A text for the model that is short enough to stand open: a note of the loop, a person's words.
const NOTE: usize = 400;

/// Whether an entry is such a note.
pub fn is_note(entry: &Entry) -> bool {
    matches!(&entry.kind, EntryKind::User { text } if text.len() <= NOTE)
}

/// The label of an entry that is no turn.
pub fn told_label(entry: &Entry) -> String {
    let count = |text: &str| text.chars().count() as u64;
    let (what, chars) = match &entry.kind {
        EntryKind::System { text } => ("Instructions".to_owned(), count(text)),
        EntryKind::User { text } => ("Situation".to_owned(), count(text)),
        EntryKind::Orphan { name, text } => (format!("Answer of {name}"), count(text)),
        EntryKind::Turn { text, .. } => ("Turn".to_owned(), text.chars()),
    };
    format!("{what}, {} characters", format::grouped(chars))
}

/// The problems of a draft, one line each: the environment's words where it gave some.
pub fn problem_lines(draft: &Draft) -> Vec<String> {
    let told = draft
        .verdict
        .problems
        .iter()
        .map(|(_, _, text)| text.clone());
    let entries = draft.verdict.entry_problems.iter().cloned();
    told.chain(entries).collect()
}

/// A whole number with a real minus sign and grouped thousands.
pub fn signed(number: i64) -> String {
    let digits = format::grouped(number.unsigned_abs());
    if number < 0 {
        format!("−{digits}")
    } else {
        digits
    }
}

/// A link to a run as Markdown: `[busy-01 by Planner, no key needed, reward 0.944](https://…)`.
pub fn markdown_link(model: &RunModel, url: &str) -> String {
    let record = &model.rollout.record;
    let title = [
        &record.task_id,
        " by ",
        &model_name(&record.model),
        ", reward ",
        &format::reward(record.reward),
    ]
    .concat();
    let mut text = String::from("[");
    for character in title.chars() {
        if "[]\\`*_<>".contains(character) {
            text.push('\\');
        }
        text.push(if character.is_control() {
            ' '
        } else {
            character
        });
    }
    text.push_str("](");
    text.push_str(url);
    text.push(')');
    text
}

/// What a link leaves out, and what never travels.
pub fn not_shared(left_out: &[&str]) -> String {
    let mut text = String::from("Not included: ");
    for part in left_out {
        text.push_str(part);
        text.push_str(", ");
    }
    text.push_str("keys, server password, your other runs.");
    text
}

/// What came of opened files, and the first `told` of what could not be read.
pub fn opened_files(read: &str, troubles: &[String], told: usize) -> String {
    let mut text = read.trim_end_matches('.').to_owned() + ".";
    for trouble in troubles.iter().take(told) {
        text.push(' ');
        text.push_str(trouble);
        text.push('.');
    }
    if let Some(more @ 1..) = troubles.len().checked_sub(told) {
        text.push_str(&[" And ", &more.to_string(), " more."].concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moment_of_a_run_reads_without_its_letters() {
        assert_eq!(moment("2026-11-30T12:00:05Z"), "2026-11-30 12:00 UTC");
        assert_eq!(moment("yesterday"), "yesterday");
    }

    #[test]
    fn reasoning_is_counted_in_characters() {
        assert_eq!(
            reasoning_label(2, 4_100),
            "Reasoning, turn 2, 4,100 characters"
        );
    }

    #[test]
    fn a_grade_that_does_not_add_up_is_bad_news() {
        let card = GradeCard {
            reward: 0.9,
            submitted: true,
            feasible: Some(true),
            cost: Some(12),
            naive_cost: Some(90),
            optimal_cost: Some(12),
            recomputed: GradeCheck::Differs(0.5),
            tool_calls: 3,
            turns: 3,
            end: String::new(),
        };
        assert_eq!(grade_check(&card).tone, Tone::Bad);
        assert_eq!(
            grade_check(&card).text,
            "Grade recomputed here: 0.500, not the 0.900 that is claimed"
        );
        assert_eq!(grade_facts(&card)[1].note, "equal to the optimum");
    }

    #[test]
    fn the_word_for_machines_before_an_error_is_not_shown() {
        let status = RunStatus {
            end_reason: Some("error".into()),
            errors: vec!["no_instructions: nothing says what to do.".into()],
            ..RunStatus::default()
        };
        assert!(needs_prompt(&status));
        assert!(
            broken(&status)
                .unwrap()
                .starts_with("nothing says what to do. ")
        );
        assert_eq!(
            without_kind("example.org: gone: away"),
            "example.org: gone: away"
        );
    }

    #[test]
    fn negative_numbers_have_a_minus_sign() {
        assert_eq!(signed(-1234), "−1,234");
    }
}
