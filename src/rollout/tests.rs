use super::*;
use crate::chat::{ToolCall, Turn};
use proptest::prelude::*;
use serde_json::json;

fn started() -> Event {
    Event::Started {
        model: "demo:planner".into(),
        task_id: "quay-1".into(),
        episode_id: "0123456789ab".into(),
        at: Millis(1_709_210_096_000),
        turns: 4,
        place: Place {
            server: "builtin".into(),
            task: "quay-1".into(),
        },
    }
}

fn turn() -> Turn {
    Turn {
        text: "A draft.".into(),
        reasoning: "The long ship first.".into(),
        calls: vec![ToolCall::from_raw("c1", "check_plan", "{\"plan\": [1]}")],
        stop: "tool_calls".into(),
        usage: Usage {
            input: 100,
            output: 20,
            ..Usage::default()
        },
        ..Turn::default()
    }
}

fn ended(reason: EndReason) -> Event {
    Event::Ended {
        reason,
        reward: 0.5,
        last: Final {
            submitted: true,
            plan: json!([1]),
            grade: json!({"score": 0.5}),
            rubric: Some(json!({"feasible": 1.0})),
            extra: Map::new(),
        },
        at: Millis(1_709_210_103_260),
    }
}

fn whole() -> Vec<Event> {
    vec![
        started(),
        Event::Waits(Waiting::Connection),
        Event::Opened {
            metadata: json!({"situation": "Ships."}).as_object().unwrap().clone(),
            tools: vec![ToolSpec {
                name: "check_plan".into(),
                description: "Tests a draft.".into(),
                input_schema: crate::chat::empty_schema(),
            }],
        },
        Event::Said(Message::system("Rules.")),
        Event::Said(Message::user("Ships.")),
        Event::TurnBegan(1),
        Event::Waits(Waiting::Model),
        Event::Streamed(Delta::Reasoning("The long ".into())),
        Event::Streamed(Delta::Text("A dr".into())),
        Event::Streamed(Delta::Call {
            index: 1,
            name: Some("check_plan".into()),
            arguments: "{\"pl".into(),
        }),
        Event::Streamed(Delta::Call {
            index: 1,
            name: None,
            arguments: "an\"".into(),
        }),
        Event::Said(Message::assistant(&turn())),
        Event::Used(turn().usage),
        Event::Waits(Waiting::Tool("check_plan".into())),
        Event::Said(Message::tool("c1", "check_plan", "{\"ok\":true}")),
        Event::Stepped(Step {
            turn: 1,
            tool: "check_plan".into(),
            plan: json!([1]),
            result: json!({"ok": true}),
            extra: Map::new(),
        }),
        Event::Switched("one -> two (500: down)".into()),
        ended(EndReason::Submitted),
    ]
}

#[test]
fn a_folded_rollout_is_the_file_of_its_run() {
    insta::assert_snapshot!(Rollout::fold(&whole()).record.to_json_string());
}

#[test]
fn the_turn_under_way_shows_what_has_arrived_of_it() {
    let events = whole();
    let mut rollout = Rollout::fold(&events[..11]);
    insta::assert_debug_snapshot!((&rollout.live, &rollout.waiting, rollout.turn));
    rollout.apply(&events[11]);
    assert_eq!(rollout.live, None);
    assert_eq!(rollout.record.open_calls().len(), 1);
    rollout.apply(&events[14]);
    assert_eq!(rollout.record.open_calls().len(), 0);
}

#[test]
fn a_run_that_ends_in_the_middle_of_a_turn_keeps_what_arrived_for_display() {
    let mut events = whole()[..11].to_vec();
    events.push(ended(EndReason::Stopped));
    let rollout = Rollout::fold(&events);
    assert_eq!(rollout.unfinished.unwrap().text, "A dr");
    assert_eq!((rollout.live, rollout.waiting), (None, None));
    assert_eq!(rollout.record.messages.len(), 2);
}

#[test]
fn what_follows_an_ending_changes_nothing() {
    let mut rollout = Rollout::fold(&whole());
    let before = rollout.clone();
    for event in whole() {
        rollout.apply(&event);
    }
    assert_eq!(rollout, before);
}

#[test]
fn a_turn_asked_for_again_starts_from_nothing() {
    let mut rollout = Rollout::fold(&whole()[..11]);
    rollout.apply(&Event::Waits(Waiting::Retry {
        after: Millis(500),
        attempt: 2,
        of: 4,
        reason: "429".into(),
    }));
    assert!(rollout.live.unwrap().is_empty());
}

#[test]
fn a_task_that_was_not_named_gets_the_name_the_environment_gives() {
    let rollout = Rollout::fold(&[Event::Opened {
        metadata: json!({"task_id": "quay-7"}).as_object().unwrap().clone(),
        tools: Vec::new(),
    }]);
    assert_eq!(rollout.record.task_id, "quay-7");
}

#[test]
fn a_record_saved_while_running_ends_as_interrupted() {
    let record = Rollout::fold(&whole()[..15]).record;
    assert_eq!(record.end_reason, None);
    let record = record.interrupted(Millis(1_709_210_100_040));
    assert_eq!(record.end_reason.as_deref(), Some("interrupted"));
    assert!((record.seconds - 4.0).abs() < 1e-9);
    let over = Rollout::fold(&whole()).record;
    assert_eq!(over.clone().interrupted(Millis(0)), over);
}

#[test]
fn end_reasons_are_read_as_they_are_written() {
    for word in [
        "submitted",
        "no_tool_call",
        "turn_limit",
        "wall_clock",
        "tool_call_limit",
        "server_ended",
        "error",
        "stopped",
        "interrupted",
        "step_budget",
    ] {
        assert_eq!(EndReason::parse(word).as_str(), word);
    }
    assert_eq!(
        EndReason::parse("step_budget"),
        EndReason::Other("step_budget".into())
    );
}

#[test]
fn unknown_fields_survive_import_and_export() {
    let file = json!({
        "model": "m", "task_id": "t", "episode_id": "e", "started": "2024-02-29T12:34:56Z",
        "messages": [
            {"role": "system", "content": "a", "cache": true},
            {"role": "user", "content": "b", "name": "x"},
            {"role": "assistant", "content": "c", "reasoning": "", "stop": "", "tool_calls":
                [{"id": "1", "name": "n", "arguments": "{}", "type": "function"}], "refusal": null},
            {"role": "tool", "tool_call_id": "1", "name": "n", "content": "d", "ms": 12},
            {"role": "developer", "content": ["kept", {"as": "it is"}]},
            "not a message",
        ],
        "steps": [{"turn": 1, "tool": "check_plan", "plan": "[1]", "result": {}, "note": "n"}],
        "final": {"submitted": false, "plan": null, "grade": null, "rubric": null, "why": [1]},
        "reward": 0.5,
        "usage": {"input_tokens": 1, "output_tokens": 2, "cached_tokens": 3},
        "turns": 1, "end_reason": "turn_limit", "errors": [], "seconds": 1.5,
        "provider": "p", "run": {"max_turns": 4},
    });
    let record = Record::from_json(&file).unwrap();
    assert_eq!(record.to_json(), file);
    assert_eq!(record.plans(), [json!([1])]);
}

#[test]
fn a_file_with_little_in_it_gets_the_defaults() {
    let text = "\u{feff}{\"messages\": [{\"role\": \"assistant\", \"content\": null}]}";
    let record = Record::from_text(text).unwrap();
    assert_eq!(record.messages, [Message::assistant(&Turn::default())]);
    assert_eq!(record.usage, Usage::default());
    assert_eq!(record.end_reason, None);
}

#[test]
fn other_forms_of_known_fields_are_understood() {
    let record = Record::from_json(&json!({
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {"role": "assistant", "tool_calls":
                [{"id": "1", "function": {"name": "n", "arguments": {"plan": []}}}]},
        ],
        "reward": "0.25", "turns": 3.0, "seconds": null, "usage": "none", "errors": "one",
        "started": 0, "end_reason": null,
    }))
    .unwrap();
    assert_eq!(record.messages[0], Message::user("a\nb"));
    let Message::Assistant { tool_calls, .. } = &record.messages[1] else {
        panic!("not a model's turn");
    };
    assert_eq!(tool_calls[0].name, "n");
    assert_eq!(tool_calls[0].arguments, "{\"plan\":[]}");
    assert!((record.reward - 0.25).abs() < 1e-9);
    assert_eq!(record.turns, 3);
    assert_eq!(record.errors, ["one"]);
    assert_eq!(record.started, "1970-01-01T00:00:00Z");
}

#[test]
fn numbers_keep_their_last_digit() {
    let file =
        json!({"messages": [], "reward": 0.862_068_965_517_241_3, "x": 4.842_190_904_300_166e96});
    let again = Record::from_text(&file.to_string()).unwrap().to_json();
    assert_eq!(
        (&again["reward"], &again["x"]),
        (&file["reward"], &file["x"])
    );
}

#[test]
fn what_is_no_rollout_says_so() {
    assert_eq!(
        Record::from_text("{\n nope"),
        Err(RecordError::NotJson { line: 2, column: 2 })
    );
    assert_eq!(Record::from_text("[1]"), Err(RecordError::NotRollout));
    assert_eq!(
        Record::from_text("{\"messages\": 1}"),
        Err(RecordError::NotRollout)
    );
}

pub(super) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9{}\"]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let keys = prop::sample::select(vec![
            "role",
            "content",
            "tool_calls",
            "name",
            "arguments",
            "function",
            "plan",
            "turn",
            "submitted",
            "usage",
            "x",
        ]);
        let roles = prop::sample::select(vec!["system", "user", "assistant", "tool", "other"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            (roles, prop::collection::vec((keys, inner), 0..5)).prop_map(|(role, fields)| {
                let mut map = Map::new();
                map.insert("role".into(), role.into());
                map.extend(fields.into_iter().map(|(k, v)| (k.to_owned(), v)));
                Value::Object(map)
            }),
        ]
    })
}

/// A whole record with one to four of its values replaced by anything.
pub(super) fn mutated() -> impl Strategy<Value = Value> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), hostile()), 1..5);
    changes.prop_map(|changes| {
        let mut record = Rollout::fold(&whole()).record.to_json();
        for (at, value) in changes {
            let mut paths = Vec::new();
            paths_of(&record, String::new(), &mut paths);
            let path = &paths[at.index(paths.len())];
            *record.pointer_mut(path).unwrap() = value;
        }
        record
    })
}

fn hostile() -> impl Strategy<Value = Value> {
    let texts = prop::sample::select(vec![
        "</blockquote><script>alert(1)</script>",
        "```\n# Out\n```",
        "````json\n> # Out\r# Out too",
        "![x](http://a.example/x.png)",
        "=1+1",
        "\u{0}\u{feff}\u{2028}|a|\\|",
        "[{\"ship\": 0, \"berth_hour\": 1e300}]",
        "{\"plan\": {\"0\": [7, 4, 2]}}",
        "2024-02-30T23:59:60Z",
        "call_1",
    ]);
    prop_oneof![any_json(), texts.prop_map(Value::from)]
}

fn paths_of(value: &Value, here: String, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                paths_of(item, format!("{here}/{at}"), out);
            }
        }
        Value::Object(map) => {
            for (name, item) in map {
                paths_of(item, format!("{here}/{name}"), out);
            }
        }
        _ => {}
    }
    out.push(here);
}

fn any_event() -> impl Strategy<Value = Event> {
    let events = whole();
    let more = [
        Event::Waits(Waiting::Person),
        Event::Erred("network: gone".into()),
        Event::TurnBegan(2),
        Event::Said(Message::user("More.")),
        Event::Ended {
            reason: EndReason::Other("odd".into()),
            reward: f64::NAN,
            last: Final::default(),
            at: Millis(0),
        },
    ];
    // The endings are rare, so that most sequences have something to fold.
    let before = events[..17].to_vec();
    prop_oneof![
        30 => prop::sample::select(before),
        10 => prop::sample::select(more[..4].to_vec()),
        1 => prop::sample::select(vec![events[17].clone(), more[4].clone()]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_with_anything_in_it_is_read_and_written_alike(
        fields in prop::collection::vec((prop::sample::select(vec![
            "model", "task_id", "started", "steps", "final", "reward", "usage", "turns",
            "end_reason", "errors", "seconds", "provider_switches", "else",
        ]), any_json()), 0..8),
        messages in prop::collection::vec(any_json(), 0..5),
        steps in prop::collection::vec(any_json(), 0..3),
    ) {
        let mut file = Map::new();
        file.insert("steps".into(), steps.into());
        file.extend(fields.into_iter().map(|(k, v)| (k.to_owned(), v)));
        file.insert("messages".into(), messages.into());
        let record = Record::from_json(&Value::Object(file)).unwrap();
        let again = Record::from_text(&record.to_json_string()).unwrap();
        prop_assert_eq!(again, record);
    }

    #[test]
    fn folding_in_two_goes_is_folding_at_once(
        events in prop::collection::vec(any_event(), 0..40),
        at in any::<prop::sample::Index>(),
    ) {
        let at = at.index(events.len() + 1);
        let mut rollout = Rollout::fold(&events[..at]);
        for event in &events[at..] {
            rollout.apply(event);
        }
        prop_assert_eq!(rollout, Rollout::fold(&events));
    }

    #[test]
    fn the_record_is_a_valid_file_at_every_moment(
        events in prop::collection::vec(any_event(), 0..30),
    ) {
        let mut rollout = Rollout::default();
        for event in &events {
            rollout.apply(event);
            let read = Record::from_text(&rollout.record.to_json_string()).unwrap();
            prop_assert_eq!(&read, &rollout.record);
        }
    }
}
