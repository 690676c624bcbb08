use super::*;
use crate::berth::{Reference, Rules, Ship};
use crate::env::ToolAnswer;
use crate::wire::Effect;
use serde_json::json;

fn task() -> Task {
    let ship = |id: usize, name: &str| Ship {
        id,
        name: name.into(),
        sections: 2,
        handling: 4,
        due: 4,
        planned_hour: Some(0),
        planned_section: Some(1),
        ..Ship::default()
    };
    Task {
        task_id: "two-ships".into(),
        split: "train".into(),
        first_section: 1,
        last_section: 4,
        week_start_utc: "2031-02-24T00:00:00Z".into(),
        ships: vec![ship(0, "Ada"), ship(1, "Bo")],
        reference: Some(Reference {
            naive_cost: 13,
            optimal_cost: 5,
            ..Reference::default()
        }),
        ..Task::default()
    }
}

struct Table {
    session: BuiltinSession,
    io: Io,
}

impl Table {
    fn set() -> Self {
        let mut table = Self {
            session: BuiltinSession::new(Some(task()), "two-ships"),
            io: Io::new(Millis(0)),
        };
        table.begin();
        table
    }

    fn begin(&mut self) -> Vec<SessionEvent> {
        let reset = Reset {
            episode_id: "3f2e73f0c592".into(),
            ..Reset::default()
        };
        self.session.begin(&mut self.io, &reset);
        self.fire()
    }

    /// Ends the one wait that was ordered, if one was.
    fn fire(&mut self) -> Vec<SessionEvent> {
        let mut events = Vec::new();
        for effect in self.io.take() {
            let Effect::Wait(timer, Millis(0)) = effect else {
                panic!("{effect:?}")
            };
            self.session
                .handle(&mut self.io, &Input::Timer(timer), &mut events);
        }
        events
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> ToolAnswer {
        self.session
            .call(&mut self.io, tool, arguments.as_object().unwrap());
        match self.fire().pop() {
            Some(SessionEvent::Answer(answer)) => answer,
            other => panic!("{other:?}"),
        }
    }
}

fn result(answer: &ToolAnswer) -> Value {
    serde_json::from_str(&answer.text).unwrap()
}

fn good() -> Value {
    json!({"plan": [
        {"ship": 0, "berth_hour": 0, "section": 1},
        {"ship": 1, "berth_hour": 0, "section": 3}]})
}

#[test]
fn the_beginning_is_like_a_servers() {
    let mut table = Table {
        session: BuiltinSession::new(Some(task()), "two-ships"),
        io: Io::new(Millis(0)),
    };
    let events = table.begin();
    let [
        SessionEvent::Ready {
            metadata,
            observation,
            tools,
        },
    ] = events.as_slice()
    else {
        panic!("{events:?}");
    };
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["get_situation", "check_plan", "submit_plan"]);
    assert!(observation.is_empty());
    assert!(
        metadata["instructions"]
            .as_str()
            .unwrap()
            .contains("10 checks")
    );
    assert!(
        metadata["situation"]
            .as_str()
            .unwrap()
            .contains("sections 1-4")
    );
    for (name, value) in [
        ("task_id", json!("two-ships")),
        ("split", json!("train")),
        ("episode_id", json!("3f2e73f0c592")),
        ("max_checks", json!(10)),
        ("max_tool_calls", json!(24)),
        ("checks_left", json!(10)),
        ("tool_calls_left", json!(24)),
    ] {
        assert_eq!(metadata[name], value, "{name}");
    }
    assert!(metadata.get("reference").is_none());
}

#[test]
fn cranes_are_asked_for_only_where_there_are_any() {
    let entry = |task: &Task| {
        let tools = offer::tools(task);
        tools[1].input_schema["properties"]["plan"]["anyOf"][0]["items"]["properties"].clone()
    };
    assert!(entry(&task()).get("cranes").is_none());
    let rules = Rules {
        crane_pool: Some(4),
        ..Rules::default()
    };
    assert!(entry(&Task { rules, ..task() }).get("cranes").is_some());
}

#[test]
fn a_submission_ends_the_episode_with_its_grade() {
    let mut table = Table::set();
    let draft = table.call("check_plan", &good());
    assert_eq!((draft.reward, draft.done), (Some(0.0), false));
    assert_eq!(result(&draft)["checks_left"], 9);
    assert_eq!(draft.metadata["checks_left"], 9);
    assert!(result(&draft).get("reward").is_none());

    let last = table.call("submit_plan", &good());
    assert_eq!((last.reward, last.done), (Some(1.0), true));
    assert_eq!(result(&last)["submitted"], true);
    assert_eq!(last.metadata["end_reason"], "submitted");
    assert_eq!(last.metadata["grade"]["cost"], 5);
    assert!(last.metadata["rubric"].is_object());

    for tool in ["check_plan", "submit_plan"] {
        let refused = table.call(tool, &good());
        assert!(result(&refused)["error"].as_str().unwrap().contains("over"));
        assert_eq!((refused.reward, refused.done), (None, true));
        assert_eq!(refused.metadata["tool_calls"], 2);
        assert!(refused.metadata.get("grade").is_none());
    }
    assert!(
        table
            .call("get_situation", &json!({}))
            .text
            .contains("sections 1-4")
    );
}

#[test]
fn the_eleventh_check_reads_nothing() {
    let mut table = Table::set();
    for left in (0..10).rev() {
        assert_eq!(
            result(&table.call("check_plan", &good()))["checks_left"],
            left
        );
    }
    let refused = table.call("check_plan", &good());
    assert!(result(&refused).get("checks_left").is_none());
    assert_eq!(refused.metadata["checks_left"], 0);
    assert_eq!(refused.metadata["tool_calls"], 11);
    assert!(!refused.done);
}

#[test]
fn the_last_call_is_answered_and_ends_the_episode() {
    let mut table = Table::set();
    for _ in 0..23 {
        assert!(!table.call("nope", &json!({})).done);
    }
    let last = table.call("get_situation", &json!({}));
    assert!(last.text.contains("sections 1-4"));
    assert_eq!((last.reward, last.done), (Some(0.0), true));
    assert_eq!(last.metadata["end_reason"], "tool_call_limit");
}

#[test]
fn a_submission_as_the_last_call_is_a_submission() {
    let mut table = Table::set();
    for _ in 0..23 {
        table.call("get_situation", &json!({}));
    }
    let last = table.call("submit_plan", &good());
    assert_eq!(last.reward, Some(1.0));
    assert_eq!(last.metadata["end_reason"], "submitted");
}

#[test]
fn wrong_arguments_use_a_call_and_no_check() {
    let mut table = Table::set();
    let entry = |entry: Value| json!({"plan": [entry]});
    for (tool, arguments, word) in [
        ("check_plan", json!({}), "needs"),
        ("check_plan", json!({"plan": [], "note": "x"}), "note"),
        ("check_plan", json!({"plan": {"0": [0, 1]}}), "list"),
        ("check_plan", json!({"plan": null}), "list"),
        ("check_plan", entry(json!([0, 0, 1])), "plan[0]"),
        (
            "check_plan",
            entry(json!({"ship": 0, "berth_hour": 1})),
            "section",
        ),
        (
            "check_plan",
            entry(json!({"ship": "Ada", "berth_hour": 1, "section": 1})),
            "ship",
        ),
        (
            "check_plan",
            entry(json!({"ship": 0, "berth_hour": 1.5, "section": 1})),
            "berth_hour",
        ),
        ("submit_plan", json!({}), "needs"),
        ("get_situation", json!({"x": 1}), "x"),
        ("Check_Plan", good(), "no tool"),
    ] {
        let answer = table.call(tool, &arguments);
        let error = result(&answer)["error"].as_str().unwrap().to_owned();
        assert!(error.contains(word), "{error}");
        assert_eq!(answer.metadata["checks_left"], 10);
        assert!(!answer.done);
    }
    assert_eq!(
        table.call("get_situation", &json!({})).metadata["tool_calls"],
        12
    );
}

#[test]
fn lists_are_put_in_order_and_texts_are_left_to_the_reader() {
    let mut table = Table::set();
    let list = json!({"plan": [
        {"ship": 0.0, "berth_hour": "0", "section": true, "cranes": null, "why": "calm"},
        {"ship": " 1 ", "berth_hour": false, "section": 3.0}]});
    assert_eq!(result(&table.call("check_plan", &list))["feasible"], true);
    let text = json!({"plan": "{\"Ada\": [0, 1], \"Bo\": [0, 3]}"});
    assert_eq!(result(&table.call("check_plan", &text))["feasible"], true);
    let unreadable = table.call("check_plan", &json!({"plan": "no plan"}));
    assert_eq!(result(&unreadable)["kind"], "invalid_json");
    let huge = json!({"plan": [{"ship": 0, "berth_hour": 1e300, "section": u64::MAX}]});
    let huge = result(&table.call("check_plan", &huge));
    assert_eq!(huge["entry_problems"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_task_that_is_not_known_fails_after_the_beginning() {
    let mut table = Table {
        session: BuiltinSession::new(None, "atlantis-9"),
        io: Io::new(Millis(0)),
    };
    assert_eq!(
        table.begin(),
        [SessionEvent::Failed(SessionError::UnknownTask(
            "atlantis-9".into()
        ))]
    );
    table
        .session
        .call(&mut table.io, "get_situation", &Map::new());
    table.session.close(&mut table.io);
    assert_eq!(table.io.take(), []);
}

#[test]
fn closing_forgets_the_answer_that_was_due() {
    let mut table = Table::set();
    table
        .session
        .call(&mut table.io, "get_situation", &Map::new());
    let Some(Effect::Wait(timer, _)) = table.io.take().pop() else {
        panic!("no wait")
    };
    table.session.close(&mut table.io);
    assert_eq!(table.io.take(), [Effect::CancelWait(timer)]);
    let mut events = Vec::new();
    table
        .session
        .handle(&mut table.io, &Input::Timer(timer), &mut events);
    assert_eq!(events, []);
    table.session.close(&mut table.io);
    assert_eq!(table.io.take(), []);
}
