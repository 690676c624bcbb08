use super::*;
use crate::rollout::tests::mutated;
use crate::rollout::{Message, Record};
use crate::wire::json::{indented, read as parse};
use proptest::prelude::*;
use serde_json::json;

fn recorded(name: &str) -> Record {
    let path = format!(
        "{}/tests/cases/episodes/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let file = parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    Record::from_json(&file["record"]).unwrap()
}

fn conversation(messages: &Value) -> Record {
    Record::from_json(&json!({ "messages": messages })).unwrap()
}

#[test]
fn a_run_becomes_a_trajectory() {
    let mut record = recorded("responses-talk-then-plan");
    record.started = "2026-01-02T03:04:05Z".into();
    insta::assert_snapshot!(indented(&atif(&record)));
}

#[test]
fn what_a_trajectory_can_hold_comes_back() {
    for name in [
        "anthropic-server-ends",
        "anthropic-two-drafts",
        "chat-broken-call-unknown-tool",
        "chat-cut-off-then-plan",
        "hf-fallback-last-turn",
        "responses-talk-then-plan",
    ] {
        let record = recorded(name);
        let again = read(&atif(&record));
        // Arguments are JSON there, so their blanks are not kept.
        let plain = |mut record: Record| {
            for message in &mut record.messages {
                if let Message::Assistant { tool_calls, .. } = message {
                    for call in tool_calls {
                        if let Some(value) = parse(&call.arguments) {
                            call.arguments = value.to_string();
                        }
                    }
                }
            }
            record
        };
        let mut again = plain(again);
        // A call that came after the end was never put to the environment; here it looks like one.
        again.steps.truncate(record.steps.len());
        assert_eq!(again, plain(record), "{name}");
    }
}

#[test]
fn ids_that_are_absent_or_used_twice_are_replaced() {
    let record = conversation(&json!([
        {"role": "assistant", "tool_calls": [{"id": "", "name": "a", "arguments": "{}"}, {"id": "call_1", "name": "b", "arguments": "{}"}]},
        {"role": "tool", "tool_call_id": "", "name": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "call_1", "name": "b", "content": "2"},
        {"role": "assistant", "tool_calls": [{"id": "x", "name": "a", "arguments": "{}"}, {"id": "x", "name": "b", "arguments": "{}"}]},
        {"role": "tool", "tool_call_id": "x", "name": "a", "content": "3"},
        {"role": "tool", "tool_call_id": "x", "name": "b", "content": "4"},
    ]));
    let trajectory = atif(&record);
    let ids = |step: usize, list: &str, name: &str| -> Vec<String> {
        let items = trajectory["steps"][step]
            .pointer(list)
            .unwrap()
            .as_array()
            .unwrap();
        items
            .iter()
            .map(|item| item[name].as_str().unwrap().to_owned())
            .collect()
    };
    for (step, expected) in [(0, ["call_2", "call_1"]), (1, ["call_3", "call_4"])] {
        assert_eq!(ids(step, "/tool_calls", "tool_call_id"), expected);
        assert_eq!(
            ids(step, "/observation/results", "source_call_id"),
            expected
        );
    }
}

#[test]
fn arguments_that_are_no_object_are_kept_as_text() {
    let record = conversation(
        &json!([{"role": "assistant", "tool_calls": [{"id": "1", "name": "a", "arguments": "[1"}]}]),
    );
    let call = &atif(&record)["steps"][0]["tool_calls"][0];
    assert_eq!(call["arguments"], json!({}));
    assert_eq!(call["extra"]["raw_arguments"], "[1");
    assert_eq!(read(&atif(&record)).messages, record.messages);
}

#[test]
fn an_answer_without_a_call_and_a_strange_message_find_a_place() {
    let record = conversation(&json!([
        {"role": "tool", "tool_call_id": "lost", "name": "a", "content": "1"},
        {"role": "developer", "content": "x"},
        {"role": "user", "content": "y"},
        {"role": "tool", "tool_call_id": "late", "name": "b", "content": "2"},
    ]));
    assert_eq!(read(&atif(&record)).messages, record.messages);
}

#[test]
fn plans_without_a_conversation_become_calls() {
    let record = Record::from_json(&json!({"steps": [
        {"turn": 1, "tool": "check_plan", "plan": [1], "result": {"ok": true}},
        {"turn": 2, "tool": "submit_plan", "plan": "text", "result": "done"},
    ]}))
    .unwrap();
    let again = read(&atif(&record));
    assert_eq!(again.steps[0], record.steps[0]);
    assert_eq!(
        (again.steps[1].plan.clone(), again.steps[1].result.clone()),
        (json!("text"), json!({"text": "done"}))
    );
}

#[test]
fn the_planner_of_the_demonstration_calls_no_model() {
    let mut record = conversation(&json!([{"role": "assistant", "content": "x"}]));
    assert_eq!(atif(&record)["steps"][0]["llm_call_count"], 1);
    record.model = "demo:planner".into();
    assert_eq!(atif(&record)["steps"][0].get("llm_call_count"), None);
}

#[test]
fn a_date_that_is_none_is_left_out() {
    let mut record = conversation(&json!([]));
    for (started, stamp) in [
        ("2024-02-30T00:00:00Z", Some("2024-03-01T00:00:00Z")),
        ("soon", None),
    ] {
        record.started = started.into();
        assert_eq!(atif(&record)["steps"][0]["timestamp"].as_str(), stamp);
        assert_eq!(read(&atif(&record)).started, started);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages_come_back_from_any_record(value in mutated()) {
        let Ok(record) = Record::from_json(&value) else {
            return Ok(());
        };
        let trajectory = atif(&record);
        prop_assert!(is_trajectory(&trajectory));
        for (at, step) in trajectory["steps"].as_array().unwrap().iter().enumerate() {
            prop_assert_eq!(&step["step_id"], &json!(at + 1));
        }
        let again = read(&trajectory);
        let kind = |message: &Message| match message {
            Message::System { content, .. } => ("system", content.clone()),
            Message::User { content, .. } => ("user", content.clone()),
            Message::Assistant { content, reasoning, .. } => ("model", content.clone() + "\n" + reasoning),
            Message::Tool { content, .. } => ("tool", content.clone()),
            Message::Other(value) => ("other", value.to_string()),
        };
        if !record.messages.is_empty() {
            let kinds = |record: &Record| record.messages.iter().map(kind).collect::<Vec<_>>();
            prop_assert_eq!(kinds(&again), kinds(&record));
        }
    }

    #[test]
    fn any_trajectory_is_a_record(value in mutated()) {
        let mut value = value;
        if let Value::Object(map) = &mut value {
            map.insert("schema_version".into(), json!("ATIF-v1.7"));
            let record = read(&value);
            let _ = atif(&record);
        }
    }
}
