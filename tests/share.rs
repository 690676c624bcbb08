//! Links as they arrive, and rollouts as they leave. Each file in `tests/cases/share` is a link with
//! what must come of it; adding a file adds a test.

#![allow(clippy::unwrap_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::expect_used, reason = "a test stops where it goes wrong")]
#![allow(clippy::indexing_slicing, reason = "a test stops where it goes wrong")]
#![allow(clippy::panic, reason = "a test stops where it goes wrong")]

use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use quayside::berth::{Plan, Slot, Task, pack as tasks};
use quayside::chat::{ToolCall, Turn, Usage};
use quayside::env::builtin::BuiltinSession;
use quayside::env::{Reset, TaskRef};
use quayside::episode::{Episode, MakeModel, Setup};
use quayside::provider::planner::PlannerModel;
use quayside::provider::scripted::{Scripted, streamed};
use quayside::rollout::{Event, Message, Place, Record, Rollout};
use quayside::settings::Limits;
use quayside::share::{self, Choices, Codec, LinkError, MOST_INFLATED, Opened, Outgoing};
use quayside::wire::json::spaced;
use quayside::wire::{Effect, Input, Io, Millis};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the page does with a code: the part between `parse` and `open` is the browser's.
fn read(code: &str) -> Result<Opened, LinkError> {
    let sealed = share::parse(code)?;
    let bytes = match sealed.codec {
        Codec::Plain => sealed.payload,
        Codec::Deflate => decompress_to_vec_with_limit(&sealed.payload, MOST_INFLATED)
            .map_err(|_| LinkError::Damaged)?,
    };
    share::open(sealed.form, &bytes, &sealed.check)
}

/// The code of a link, deflated as `CompressionStream` does it (level 6).
fn code(outgoing: &Outgoing<'_>, choices: Choices) -> String {
    let parcel = share::pack(outgoing, choices).unwrap();
    parcel.code(&compress_to_vec(&parcel.bytes, 6))
}

fn ticks(words: bool, reasoning: bool, outputs: bool) -> Choices {
    Choices {
        plans: true,
        words,
        reasoning,
        outputs,
        server: false,
    }
}

/// Plays an episode in the built-in environment to its end.
fn play(task: &Task, spec: &str, turns: u32, make_model: MakeModel) -> Record {
    let setup = Setup {
        model_spec: spec.into(),
        reset: Reset {
            task: TaskRef::Id(task.task_id.clone()),
            episode_id: "5c0ffee5c0de".into(),
        },
        limits: Limits {
            turns,
            ..Limits::default()
        },
        price: None,
        fallback_instructions: None,
        place: Place::default(),
    };
    let session = BuiltinSession::new(Some(task.clone()), task.task_id.as_str());
    let mut episode = Episode::new(setup, Box::new(session), make_model);
    let mut io = Io::new(Millis(1_770_091_506_000));
    let (mut events, mut inputs) = (Vec::<Event>::new(), VecDeque::new());
    episode.start(&mut io, &mut events);
    loop {
        for effect in io.take() {
            if let Effect::Wait(timer, Millis(0)) = effect {
                inputs.push_back(Input::Timer(timer));
            }
        }
        let Some(input) = inputs.pop_front() else {
            break;
        };
        episode.handle(&mut io, &input, &mut events);
    }
    assert!(episode.is_over(), "the episode waits for something");
    Rollout::fold(&events).record
}

/// The demonstration: the planner on the task that comes with the page.
fn demonstration() -> (Task, Record) {
    let task = tasks::first();
    let make: MakeModel =
        Box::new(|said, tools| Box::new(PlannerModel::new(said, tools, 1_770_091_506_000)));
    let record = play(&task, "demo:planner", 12, make);
    (task, record)
}

/// Numbers that look drawn at random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// A model that goes from the naive plan to the best one known, in so many calls: each draft sets
/// some ships right and moves one or two others.
fn stepwise(task: &Task, calls: usize) -> Record {
    let reference = task.reference.as_ref().unwrap();
    let mut dice = Dice(calls as u64);
    let mut slots: Vec<Slot> = reference.naive_plan.clone();
    let wrong: Vec<usize> = (0..slots.len())
        .filter(|ship| slots[*ship] != reference.optimal_plan[*ship])
        .collect();
    let mut turns = Vec::new();
    for call in 0..calls {
        let is_last = call + 1 == calls;
        let plan = Plan {
            slots: slots.iter().copied().map(Some).collect(),
        };
        let sign = |dice: &mut Dice| {
            let signs = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789";
            char::from(signs[dice.below(signs.len())])
        };
        let id: String = (0..22).map(|_| sign(&mut dice)).collect();
        let tool = if is_last { "submit_plan" } else { "check_plan" };
        let arguments = spaced(&json!({"plan": plan.to_json(task)}));
        turns.push(streamed(Turn {
            text: format!(
                "Draft {} keeps more ships where they were; checking it.",
                call + 1
            ),
            calls: vec![ToolCall::from_raw(format!("toolu_01{id}"), tool, arguments)],
            stop: "tool_use".into(),
            usage: Usage {
                input: 9_000 + 2_113 * call as u64,
                output: 1_537,
                ..Usage::default()
            },
            ..Turn::default()
        }));
        // The submission is the last draft.
        if call + 2 < calls {
            let share = wrong.len().div_ceil(calls - 1);
            for ship in wrong.iter().skip(call * share).take(share) {
                slots[*ship] = reference.optimal_plan[*ship];
            }
            let ship = dice.below(slots.len());
            slots[ship].hour += dice.below(12) as i32;
        }
    }
    let model = Scripted::new(turns);
    let make: MakeModel = Box::new(move |_, _| Box::new(model));
    play(task, "anthropic:claude-opus-4-5@high", 24, make)
}

fn named(id: &str) -> Task {
    let pack = include_str!("../data/tasks/pack.json");
    let all = tasks::read(pack).unwrap();
    all.into_iter().find(|task| task.task_id == id).unwrap()
}

/// Without ids, which a link makes anew.
fn nameless(record: &Record) -> Vec<Message> {
    let mut messages = record.messages.clone();
    for message in &mut messages {
        match message {
            Message::Assistant { tool_calls, .. } => {
                for call in tool_calls {
                    call.id.clear();
                }
            }
            Message::Tool { tool_call_id, .. } => tool_call_id.clear(),
            _ => {}
        }
    }
    messages
}

#[test]
fn a_replayed_link_is_the_rollout_that_was_shared() {
    let (task, record) = demonstration();
    assert!(record.last.submitted && record.steps.len() > 1);
    let other = named("storm-03");
    for (task, record) in [(&task, record), (&other, stepwise(&other, 5))] {
        let outgoing = Outgoing {
            record: &record,
            task: Some(task),
            server: "builtin",
        };
        for choices in [
            ticks(false, false, false),
            ticks(true, false, false),
            ticks(true, true, false),
            ticks(true, true, true),
        ] {
            let opened = read(&code(&outgoing, choices)).unwrap();
            assert!(opened.is_of(task));
            let again = share::replay(&opened.record, task);
            assert_eq!(again.record.steps, record.steps);
            assert_eq!(again.record.last, record.last);
            assert_eq!(again.reward, Some(record.reward));
            if choices.reasoning {
                assert_eq!(nameless(&again.record), nameless(&record));
            }
        }
    }
}

#[test]
fn a_link_changed_anywhere_never_opens_as_something_else() {
    let (task, record) = demonstration();
    let outgoing = Outgoing {
        record: &record,
        task: Some(&task),
        server: "builtin",
    };
    let code = code(&outgoing, ticks(false, false, false));
    let whole = read(&code).unwrap();
    for at in 0..code.len() {
        let sign = if code.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        let mut changed = code.clone();
        changed.replace_range(at..=at, sign);
        // The last bits of a deflate stream may mean nothing.
        if let Ok(opened) = read(&changed) {
            assert_eq!(opened, whole, "character {at}");
        }
        let cut = read(&code[..at]);
        let is_cut = matches!(cut, Err(LinkError::Cut { .. } | LinkError::NotALink));
        assert!(is_cut, "{cut:?}");
    }
}

/// Links to runs like those that the design measured, and what their plans may weigh: a tenth more
/// than it found for plans only (190, 179, 286, 562 and 587 characters of payload).
#[test]
fn links_are_as_short_as_they_were_designed_to_be() {
    let (first, demo) = demonstration();
    let [plain, middle, large] = ["standard-02", "busy-04", "extreme-06"].map(named);
    let rows = [
        ("demonstration", &first, demo, 220),
        ("17 ships, 3 calls", &first, stepwise(&first, 3), 197),
        (
            "20 ships without cranes, 3 calls",
            &plain,
            stepwise(&plain, 3),
            209,
        ),
        ("30 ships, 5 calls", &middle, stepwise(&middle, 5), 314),
        ("60 ships, 11 calls", &large, stepwise(&large, 11), 618),
        ("60 ships, 12 calls", &large, stepwise(&large, 12), 645),
    ];
    let mut table = String::new();
    for (name, task, record, most) in rows {
        let known = Outgoing {
            record: &record,
            task: Some(task),
            server: "builtin",
        };
        let unknown = Outgoing {
            task: None,
            ..known
        };
        let size = |outgoing: &Outgoing<'_>, choices: Choices| {
            let raw = share::pack(outgoing, choices).unwrap().bytes.len();
            let code = code(outgoing, choices);
            let payload = code.split('.').nth(1).unwrap().len();
            (raw, payload, code.len(), share::fits(code.len() + 60))
        };
        let plans = size(&known, ticks(false, false, false));
        let file = record.to_json_string().len();
        writeln!(
            table,
            "{name}: file {file} bytes, {} calls",
            record.steps.len()
        )
        .unwrap();
        for (what, (raw, payload, whole, fit)) in [
            ("p", plans),
            ("w", size(&known, ticks(true, false, false))),
            ("w with reasoning", size(&known, ticks(true, true, false))),
            ("f", size(&known, ticks(true, true, true))),
            (
                "p, task not built in",
                size(&unknown, ticks(false, false, false)),
            ),
            (
                "w, task not built in",
                size(&unknown, ticks(true, false, false)),
            ),
            (
                "f, task not built in",
                size(&unknown, ticks(true, true, true)),
            ),
        ] {
            writeln!(
                table,
                "  {what}: {raw} bytes → {payload} payload characters, {whole} in all, {fit:?}"
            )
            .unwrap();
        }
        writeln!(table, "  allowed {most}").unwrap();
        assert!(
            plans.1 <= most,
            "{name}: {} characters, {most} allowed\n{table}",
            plans.1
        );
    }
    println!("{table}");
}

/// The facts of an opened link that a case may name.
fn facts(opened: &Opened) -> Value {
    let record = &opened.record;
    let said = |message: &Message| match message {
        Message::System { content, .. } => json!(["system", content]),
        Message::User { content, .. } => json!(["user", content]),
        Message::Assistant {
            content, reasoning, ..
        } => json!(["assistant", content, reasoning]),
        Message::Tool { content, .. } => json!(["tool", content]),
        Message::Other(_) => Value::Null,
    };
    json!({
        "form": opened.form.letter().to_string(),
        "model": record.model, "task_id": record.task_id, "started": record.started,
        "end_reason": record.end_reason, "reward": record.reward, "turns": record.turns,
        "input_tokens": record.usage.input, "output_tokens": record.usage.output,
        "server": opened.claims.server,
        "left_out": record.extra["shared"]["left_out"],
        "messages": record.messages.iter().map(said).collect::<Value>(),
        "calls": record.messages.iter().filter_map(|message| match message {
            Message::Assistant { tool_calls, .. } => Some(tool_calls),
            _ => None,
        }).flatten().map(|call| json!([call.id, call.name, call.arguments])).collect::<Value>(),
        "steps": record.steps.iter().map(|step| json!([step.turn, step.tool])).collect::<Value>(),
        "plans": record.plans(),
        "results": record.steps.iter().map(|step| step.result.clone()).collect::<Value>(),
        "final": record.last.to_json(),
        "errors": record.errors,
    })
}

/// The facts that replaying on the page's own task adds.
fn replayed(opened: &Opened) -> Value {
    let first = tasks::first();
    assert!(opened.is_of(&first), "another task than the page's");
    let again = share::replay(&opened.record, &first);
    let costs = again
        .record
        .steps
        .iter()
        .map(|step| step.result["cost"].clone());
    json!({
        "reward": again.reward,
        "costs": costs.collect::<Value>(),
        "quality": again.record.last.grade["quality"],
        "messages": again.record.messages.len(),
    })
}

#[test]
fn every_case_opens_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/share");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    assert!(files.len() >= 7);
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let case: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert!(case["why"].is_string(), "{name}");
        let opened = match (read(case["code"].as_str().unwrap()), case.get("error")) {
            (Ok(opened), None) => opened,
            (Err(error), Some(text)) => {
                assert_eq!(error.to_string(), text.as_str().unwrap(), "{name}");
                continue;
            }
            (read, _) => panic!("{name}: {read:?}"),
        };
        let mut facts = facts(&opened);
        if case["opens"].get("replayed").is_some() {
            facts["replayed"] = replayed(&opened);
        }
        for (fact, expected) in case["opens"].as_object().unwrap() {
            assert_eq!(&facts[fact], expected, "{name}: {fact}");
        }
    }
}

/// The README's program, as a reader of the README would run it.
#[test]
fn the_program_in_the_readme_writes_a_link_that_opens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, section) = readme.split_once("\n## The link format\n").unwrap();
    let (_, program) = section.split_once("\n```python\n").unwrap();
    let (program, _) = program.split_once("\n```\n").unwrap();
    let output = Command::new("python3").args(["-c", program]).output();
    let output = output.expect("python3 runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("#/r/1p0."), "{printed}");

    let opened = read(&printed).unwrap();
    let facts = facts(&opened);
    assert_eq!(facts["model"], "another program");
    assert_eq!(facts["started"], "2026-01-01T00:00:00Z");
    assert_eq!(facts["end_reason"], "submitted");
    assert_eq!(facts["reward"], 0.5);
    assert_eq!(facts["steps"], json!([[1, "submit_plan"]]));
    let slots = [[0, 0, 9, 2], [1, 21, 5, 1], [2, 23, 10, 3]];
    let plan: Value = slots
        .iter()
        .map(|[ship, hour, section, cranes]| {
            json!({"ship": ship, "berth_hour": hour, "section": section, "cranes": cranes})
        })
        .collect();
    assert_eq!(facts["plans"], json!([plan]));
    assert_eq!(facts["final"]["plan"], plan);
    assert_eq!(replayed(&opened)["quality"], 0.0, "three ships of many");
}

/// Prints what a new case may say: `CASE=1p0.… cargo test --test share show_a_code -- --ignored --nocapture`.
#[test]
#[ignore = "prints one link's facts, for writing a case"]
fn show_a_code() {
    let (task, record) = demonstration();
    let known = Outgoing {
        record: &record,
        task: Some(&task),
        server: "builtin",
    };
    let given = std::env::var("CASE").unwrap_or_else(|_| code(&known, Choices::default()));
    match read(&given) {
        Ok(opened) => println!("{given}\n{}", spaced(&facts(&opened))),
        Err(error) => println!("{given}\n{error}"),
    }
}
