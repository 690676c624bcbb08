use super::*;
use crate::berth::{Ship, Task};
use crate::env::{TaskRef, address};
use crate::wire::{CallId, Effect, FetchFailure, Headers, HttpEvent, Input, Io, Millis};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Answers each request in turn; gives the requests and the end.
fn list(most: u32, answers: &[Answer]) -> (Vec<String>, TaskListing) {
    let server = address::parse("http://localhost:8000").unwrap();
    let mut lister = TaskLister::new(&server, most);
    let mut io = Io::new(Millis(0));
    lister.start(&mut io);
    let mut asked = Vec::new();
    let mut answers = answers.iter();
    loop {
        let effects = io.take();
        let request = effects.iter().find_map(|effect| match effect {
            Effect::Fetch(call, request) => Some((*call, request)),
            _ => None,
        });
        let (call, request) = request.expect("a request");
        let wait = effects.iter().find_map(|effect| match effect {
            Effect::Wait(timer, _) => Some(*timer),
            _ => None,
        });
        let body = request
            .body
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        asked.push(format!(
            "{} {body}",
            request.url.trim_start_matches("http://localhost:8000")
        ));
        let end = match answers.next().expect("an answer") {
            Answer::Json(status, value) => {
                let head = HttpEvent::Head {
                    status: *status,
                    headers: Headers::default(),
                };
                let bytes = HttpEvent::Bytes(value.to_string().into_bytes());
                let mut end = None;
                for event in [head, bytes, HttpEvent::End] {
                    end = end.or(lister.handle(&mut io, &Input::Http(call, event)));
                }
                end
            }
            Answer::Fails => {
                let failed = HttpEvent::Failed(FetchFailure::Unreachable);
                lister.handle(&mut io, &Input::Http(call, failed))
            }
            Answer::Never => lister.handle(&mut io, &Input::Timer(wait.unwrap())),
        };
        if let Some(end) = end {
            let late = Input::Http(call, HttpEvent::End);
            io.take();
            assert_eq!(lister.handle(&mut io, &late), None);
            lister.cancel(&mut io);
            assert_eq!(io.take(), []);
            return (asked, end);
        }
    }
}

#[derive(Clone, Debug)]
enum Answer {
    Json(u16, Value),
    Fails,
    Never,
}

fn ok(value: Value) -> Answer {
    Answer::Json(200, value)
}

fn reason(answers: &[Answer]) -> String {
    match list(200, answers).1 {
        TaskListing::CannotList(reason) => reason.to_string(),
        TaskListing::Listed(list) => panic!("{list:?}"),
    }
}

fn splits() -> [Answer; 2] {
    let splits =
        json!([{"name": "train", "type": "train"}, {"name": "hard", "type": "validation"}]);
    [ok(json!(["quay one"])), ok(splits)]
}

#[test]
fn splits_are_listed_in_order_up_to_the_bound() {
    let task = json!({"id": "t-0", "quay": "N1", "week": 9, "difficulty": "storm",
        "ships": [1, 2], "disruptions": [{"type": "late"}, {"type": "late"}, {"type": "wind"}]});
    let [one, two] = splits();
    let (asked, end) = list(
        3,
        &[
            one,
            two,
            ok(json!({"num_tasks": 2})),
            ok(json!({"tasks": [task, {"index": 1}]})),
            ok(json!({"num_tasks": 5})),
            Answer::Json(501, json!({"detail": "not implemented"})),
        ],
    );
    assert_eq!(
        asked,
        [
            "/list_environments ",
            "/quay%20one/splits ",
            "/quay%20one/num_tasks {\"split\":\"train\"}",
            "/quay%20one/task_range {\"split\":\"train\",\"start\":0,\"stop\":2}",
            "/quay%20one/num_tasks {\"split\":\"hard\"}",
            "/quay%20one/task_range {\"split\":\"hard\",\"start\":0,\"stop\":1}",
        ]
    );
    let TaskListing::Listed(list) = end else {
        panic!("{end:?}")
    };
    assert_eq!((list.environment.as_str(), list.left_out), ("quay one", 4));
    let names: Vec<_> = list
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(names, ["t-0", "train 1", "hard 0"]);
    let first = &list.entries[0];
    assert_eq!(first.task, TaskRef::Id("t-0".into()));
    assert_eq!(
        (first.ships, first.week, first.tier.as_str()),
        (Some(2), Some(9), "storm")
    );
    assert_eq!(first.disruptions, ["late", "wind"]);
    assert_eq!(
        list.entries[1].task,
        TaskRef::Index {
            split: "train".into(),
            index: 1
        }
    );
}

#[test]
fn each_way_of_having_no_list_is_told_apart() {
    assert!(reason(&[Answer::Fails]).contains("CORS"));
    assert!(reason(&[Answer::Never]).contains("20 s"));
    assert!(reason(&[Answer::Json(404, json!({}))]).contains("404"));
    assert!(reason(&[Answer::Json(500, json!({}))]).contains("500"));
    assert!(reason(&[ok(json!({"a": 1}))]).contains("no list of tasks"));
    assert!(reason(&[ok(json!(["q"])), Answer::Json(501, json!({}))]).contains("environment q"));
    assert!(reason(&[ok(json!(["q"])), ok(json!([]))]).contains("empty"));
    let [one, two] = splits();
    assert!(reason(&[one, two, Answer::Fails]).contains("CORS"));
    for answers in [
        [Answer::Fails],
        [Answer::Never],
        [Answer::Json(404, json!({}))],
    ] {
        assert!(reason(&answers).contains("Type a task id"));
    }
}

#[test]
fn what_was_listed_before_a_failure_is_kept() {
    let [one, two] = splits();
    let tasks = ok(json!({"tasks": [{"task_id": "a"}]}));
    let (_, end) = list(
        200,
        &[one, two, ok(json!({"num_tasks": 1})), tasks, Answer::Never],
    );
    assert!(matches!(end, TaskListing::Listed(list) if list.entries.len() == 1));
}

#[test]
fn cancelling_gives_the_request_and_the_wait_up() {
    let server = address::parse("http://localhost:8000").unwrap();
    let mut lister = TaskLister::new(&server, 200);
    let mut io = Io::new(Millis(0));
    lister.start(&mut io);
    io.take();
    lister.cancel(&mut io);
    assert!(matches!(
        io.take().as_slice(),
        [Effect::Abort(CallId(1)), Effect::CancelWait(_)]
    ));
    lister.start(&mut io);
    assert_eq!(io.take(), []);
}

#[test]
fn the_built_in_tasks_are_numbered_within_their_split() {
    let task = |id: &str, split: &str| Task {
        task_id: id.into(),
        split: split.into(),
        ships: vec![Ship::default()],
        disruptions: vec![json!({"type": "closed"})],
        ..Task::default()
    };
    let tasks = [task("a", "train"), task("b", "hard"), task("c", "train")];
    let entries = built_in(&tasks);
    let places: Vec<_> = entries.iter().map(|e| (e.name.as_str(), e.index)).collect();
    assert_eq!(places, [("a", Some(0)), ("b", Some(0)), ("c", Some(1))]);
    assert_eq!(entries[2].task, TaskRef::Id("c".into()));
    assert_eq!(entries[0].disruptions, ["closed"]);
}

fn answer() -> impl Strategy<Value = Answer> {
    let values = [
        json!(["q"]),
        json!([]),
        json!({"num_tasks": 2}),
        json!({"num_tasks": u64::MAX}),
        json!({"num_tasks": -1}),
        json!({"tasks": [null, "name", {"index": 9_000_000_000_u64}]}),
        json!([{"name": "s"}, "t", 3]),
    ];
    prop_oneof![
        8 => prop::sample::select(values.to_vec()).prop_map(ok),
        1 => prop::sample::select(vec![Answer::Fails, Answer::Never, Answer::Json(422, json!(1))]),
    ]
}

proptest! {
    #[test]
    fn any_answers_lead_to_an_end(answers in prop::collection::vec(answer(), 50)) {
        let (_, end) = list(5, &answers);
        if let TaskListing::Listed(list) = end {
            prop_assert!(list.entries.len() <= 5);
        }
    }
}
