//! The demonstration planner in conversation, driven by hand against the real tools, and what it
//! makes of the built-in tasks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails here says where"
)]

use quayside::berth::planner::Planner;
use quayside::berth::situation::{instructions, write};
use quayside::berth::{Checker, Task, pack, plan, tools};
use quayside::chat::{Delta, ToolCall, ToolSpec, Turn, Usage, empty_schema};
use quayside::provider::planner::PlannerModel;
use quayside::provider::{Model, ModelEvent, ToolResult};
use quayside::wire::{Effect, Input, Io, Millis, TimerId};
use serde_json::{Value, json};

fn specs(names: &[&str]) -> Vec<ToolSpec> {
    let spec = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        input_schema: empty_schema(),
    };
    names.iter().map(spec).collect()
}

const ALL: [&str; 3] = ["get_situation", "check_plan", "submit_plan"];

/// A conversation with the planner, and the pad its orders are written on.
struct Talk {
    model: PlannerModel,
    io: Io,
    slices: u32,
}

impl Talk {
    fn new(task: &Task, names: &[&str]) -> Self {
        let said = instructions(task, 10, 24);
        let mut model = PlannerModel::new(&said, &specs(names), 1);
        model.user(&format!("{}\nPlan this, then submit.", write(task)));
        Self::with(model)
    }

    fn with(model: PlannerModel) -> Self {
        Self {
            model,
            io: Io::new(Millis(0)),
            slices: 0,
        }
    }

    /// Lets one wait end; the turn, if it is complete.
    fn slice(&mut self) -> Option<Turn> {
        let effects = self.io.take();
        let [Effect::Wait(timer, Millis(0))] = effects[..] else {
            panic!("one wait of no length at a time, not {effects:?}");
        };
        let mut events = Vec::new();
        self.model
            .handle(&mut self.io, &Input::Timer(timer), &mut events);
        self.slices += 1;
        assert_deltas_make_the_turn(&events);
        events.into_iter().find_map(|event| match event {
            ModelEvent::Turn(turn) => Some(turn),
            _ => None,
        })
    }

    /// One whole turn.
    fn turn(&mut self) -> Turn {
        self.model.step(&mut self.io);
        loop {
            if let Some(turn) = self.slice() {
                assert!(self.io.out.is_empty());
                return turn;
            }
        }
    }

    fn answer(&mut self, call: &ToolCall, answer: &Value, turns: u32) {
        let text = format!("{answer}\n[{turns} turns left]");
        let call = call.clone();
        self.model.results(&[ToolResult { call, text }]);
    }
}

/// Text of a turn's last slice is what its deltas said (reasoning may have begun earlier).
fn assert_deltas_make_the_turn(events: &[ModelEvent]) {
    let Some(ModelEvent::Turn(turn)) = events.last() else {
        return;
    };
    let (mut text, mut reasoning, mut arguments) = (String::new(), String::new(), String::new());
    for event in events {
        match event {
            ModelEvent::Delta(Delta::Text(more)) => text.push_str(more),
            ModelEvent::Delta(Delta::Reasoning(more)) => reasoning.push_str(more),
            ModelEvent::Delta(Delta::Call {
                arguments: more, ..
            }) => arguments.push_str(more),
            _ => {}
        }
    }
    assert_eq!(turn.text, text);
    assert!(turn.reasoning.ends_with(&reasoning));
    assert_eq!(
        turn.calls.first().map_or("", |call| call.raw.as_str()),
        arguments
    );
    assert_eq!(turn.usage, Usage::default());
    let stop = if turn.calls.is_empty() {
        "end_turn"
    } else {
        "tool_calls"
    };
    assert_eq!(turn.stop, stop);
}

fn sent(turn: &Turn) -> (&str, Value) {
    assert_eq!(turn.calls.len(), 1, "{}", turn.text);
    let arguments = turn.calls[0].arguments.as_ref().unwrap();
    let plan = arguments.get("plan").cloned().unwrap_or_default();
    (turn.calls[0].name.as_str(), plan)
}

/// Plays an episode to its end; the turns and the reward.
fn episode(task: &Task, names: &[&str]) -> (Vec<Turn>, f64, u32) {
    let checker = Checker::new(task);
    let mut chat = Talk::new(task, names);
    let (mut turns, mut checks) = (Vec::new(), 10);
    loop {
        let turn = chat.turn();
        let (tool, plan) = sent(&turn);
        let left = 11 - turns.len() as u32;
        match tool {
            "check_plan" => {
                checks -= 1;
                let answer = tools::check_result(task, &checker, &plan, checks);
                chat.answer(&turn.calls[0], &answer, left);
            }
            "submit_plan" => {
                let submission = tools::submit_result(task, &checker, &plan);
                turns.push(turn);
                return (turns, submission.grade.reward, chat.slices);
            }
            other => panic!("called {other}"),
        }
        turns.push(turn);
        assert!(turns.len() < 12, "no end in sight");
    }
}

#[test]
fn two_drafts_and_a_submission_solve_the_first_task() {
    let task = pack::first();
    let (turns, reward, _) = episode(&task, &ALL);
    let tools: Vec<&str> = turns.iter().map(|turn| sent(turn).0).collect();
    assert_eq!(tools, ["check_plan", "check_plan", "submit_plan"]);
    assert!(reward >= 0.97, "{reward}");
    let checker = Checker::new(&task);
    let cost = |turn: &Turn| {
        let reading = plan::read(&sent(turn).1, &task).unwrap();
        assert_eq!(reading.problems, []);
        checker.check(&reading.plan).cost.unwrap()
    };
    assert!(cost(&turns[0]) > cost(&turns[1]));
    assert_eq!(cost(&turns[1]), cost(&turns[2]));
    for turn in &turns {
        println!("{}\n--\n{}\n==", turn.text, turn.reasoning);
        assert!(turn.text.lines().count() <= 5, "{}", turn.text);
    }
    assert!(
        turns[0].text.contains("arrives 7 h late"),
        "{}",
        turns[0].text
    );
}

#[test]
fn without_a_check_it_submits_its_best_at_once() {
    let task = pack::first();
    let (turns, reward, _) = episode(&task, &["submit_plan"]);
    assert_eq!(turns.len(), 1);
    assert!(reward >= 0.97, "{reward}");
}

#[test]
fn it_submits_on_the_last_turn() {
    let task = pack::first();
    let mut chat = Talk::new(&task, &ALL);
    let first = chat.turn();
    assert_eq!(sent(&first).0, "check_plan");
    let error = json!({"error": "try again later", "checks_left": 9});
    chat.answer(&first.calls[0], &error, 1);
    chat.model
        .user("No turns are left after this one. Hand it in.");
    assert_eq!(sent(&chat.turn()).0, "submit_plan");
}

#[test]
fn with_two_turns_left_the_first_draft_is_skipped() {
    let task = pack::first();
    let checker = Checker::new(&task);
    let mut chat = Talk::with(PlannerModel::new("", &specs(&ALL), 1));
    chat.model.user("hello");
    let asked = chat.turn();
    assert_eq!(sent(&asked).0, "get_situation");
    let call = asked.calls[0].clone();
    let text = format!("{}\n[2 turns left]", write(&task));
    chat.model.results(&[ToolResult { call, text }]);
    let turn = chat.turn();
    let (tool, plan) = sent(&turn);
    assert_eq!(tool, "check_plan");
    let answer = tools::check_result(&task, &checker, &plan, 9);
    assert!(answer["cost"].as_i64().unwrap() < 300);
    chat.answer(&turn.calls[0], &answer, 1);
    assert_eq!(sent(&chat.turn()), ("submit_plan", plan));
}

#[test]
fn used_up_checks_lead_to_a_submission() {
    let task = pack::first();
    let mut chat = Talk::new(&task, &ALL);
    let turn = chat.turn();
    chat.answer(&turn.calls[0], &tools::no_checks_left(), 9);
    assert_eq!(sent(&chat.turn()).0, "submit_plan");
}

#[test]
fn a_text_it_cannot_read_is_said_and_asked_for_once() {
    let mut chat = Talk::with(PlannerModel::new("", &specs(&ALL), 1));
    chat.model.user("Good morning.");
    let asked = chat.turn();
    assert_eq!(sent(&asked), ("get_situation", Value::Null));
    chat.answer(&asked.calls[0], &json!("still nothing"), 9);
    let turn = chat.turn();
    assert_eq!((turn.calls.len(), turn.stop.as_str()), (0, "end_turn"));
    assert!(
        turn.text.contains("does not say which sections"),
        "{}",
        turn.text
    );
    chat.model.user("Call a tool.");
    assert_eq!(chat.turn().calls, []);
}

/// A server whose rules are narrower than its text: it objects to any plan that berths ship 5
/// before hour 66, and gives different reasons.
#[test]
fn it_takes_the_servers_word_over_its_own() {
    let task = pack::first();
    let checker = Checker::new(&task);
    for kind in [
        "",
        "crane_count",
        "crane_pool",
        "overlap_ship",
        "no_move_window",
        "before_arrival",
    ] {
        let mut chat = Talk::new(&task, &ALL);
        let (mut checks, mut refused) = (10, Vec::new());
        loop {
            let turn = chat.turn();
            let (tool, plan) = sent(&turn);
            let slot = plan::read(&plan, &task).unwrap().plan.slot(5);
            let bad = slot.is_some_and(|slot| slot.hour < 66);
            if tool == "submit_plan" {
                assert!(!refused.contains(&plan) || checks == 0, "{kind}");
                assert!(
                    !bad || checks == 0,
                    "{kind}: {slot:?} after {} refusals",
                    refused.len()
                );
                assert!(!refused.is_empty());
                break;
            }
            checks -= 1;
            let mut answer = tools::check_result(&task, &checker, &plan, checks);
            if bad {
                answer["feasible"] = false.into();
                answer["cost"] = Value::Null;
                answer["violations"] = json!([{"ship": 5, "kind": kind, "problem": "no"}]);
                refused.push(plan);
            }
            chat.answer(&turn.calls[0], &answer, checks + 3);
        }
    }
}

#[test]
fn after_cancel_nothing_happens_and_the_turn_can_be_asked_for_again() {
    let task = pack::first();
    let checker = Checker::new(&task);
    let mut straight = Talk::new(&task, &ALL);
    let first = straight.turn();
    let answer = tools::check_result(&task, &checker, &sent(&first).1, 9);
    straight.answer(&first.calls[0], &answer, 11);
    let second = straight.turn();
    let slices = straight.slices;
    for at in (0..slices - 1).step_by(7) {
        let mut chat = Talk::new(&task, &ALL);
        let turn = chat.turn();
        chat.answer(&turn.calls[0], &answer, 11);
        chat.model.step(&mut chat.io);
        for _ in 0..at {
            assert_eq!(chat.slice(), None);
        }
        let waiting = chat.io.take();
        let [Effect::Wait(timer, _)] = waiting[..] else {
            panic!("{waiting:?}")
        };
        chat.model.cancel(&mut chat.io);
        assert_eq!(chat.io.take(), [Effect::CancelWait(timer)]);
        let mut events = Vec::new();
        for late in [timer, TimerId(timer.0 + 1)] {
            chat.model
                .handle(&mut chat.io, &Input::Timer(late), &mut events);
        }
        assert_eq!((events.len(), chat.io.out.len()), (0, 0));
        chat.model.cancel(&mut chat.io);
        assert_eq!(chat.io.out, []);
        if at == 7 {
            assert_eq!(chat.turn(), second);
        }
    }
}

#[test]
fn a_task_without_room_is_still_handed_in() {
    let mut task = pack::first();
    task.ships[3].sections = 99;
    let (turns, reward, _) = episode(&task, &ALL);
    assert!(turns[0].text.contains("no room found"), "{}", turns[0].text);
    assert!(turns.len() <= 5, "{}", turns.len());
    assert!(reward > 0.1 && reward < 0.2, "{reward}");
}

#[test]
fn the_planner_is_near_the_optimum_of_the_recorded_cases() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/berth");
    for name in [
        "cranes-06",
        "cranes-12",
        "cranes-20",
        "plain-10",
        "plain-18",
        "quiet-08",
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let case: Value = serde_json::from_str(&text).unwrap();
        let task: Task = serde_json::from_value(case["task"].clone()).unwrap();
        let optimum = case["reference"]["optimal_cost"].as_i64().unwrap();
        let mut planner = Planner::new(&task);
        planner.set_budget(20_000 * task.ships.len() as u64);
        while !planner.step(10_000).done {}
        let check = Checker::new(&task).check(&planner.best());
        assert_eq!(check.cost, planner.cost(), "{name}: {:?}", check.violations);
        assert!(planner.bound() <= optimum, "{name}");
        let cost = planner.cost().unwrap();
        assert!(
            cost >= optimum && cost * 20 <= optimum * 21,
            "{name}: {cost}, {optimum}"
        );
    }
}

/// Rewards of whole episodes over one tier of the built-in pack, printed as a table.
fn tier(name: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tasks/pack.json");
    let tasks = pack::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut sum, mut count) = (0.0, 0.0);
    for task in tasks.iter().filter(|task| task.difficulty == name) {
        let (turns, reward, slices) = episode(task, &ALL);
        let (id, ships) = (&task.task_id, task.ships.len());
        let optimum = task.reference.as_ref().unwrap().optimal_cost;
        let turns = turns.len();
        println!(
            "{id:14} {ships} ships, optimum {optimum}: {reward:.4} in {turns} turns, {slices} slices"
        );
        assert!(reward > 0.85, "{id}: {reward}");
        sum += reward;
        count += 1.0;
    }
    assert!(count > 0.0 && sum / count >= 0.97, "mean {}", sum / count);
}

#[test]
fn standard_tasks_earn_nearly_everything() {
    tier("standard");
}

#[test]
fn busy_tasks_earn_nearly_everything() {
    tier("busy");
}

#[test]
fn storm_tasks_earn_nearly_everything() {
    tier("storm");
}

#[test]
fn extreme_tasks_earn_nearly_everything() {
    tier("extreme");
}
