use super::tabs::{Call, Others, SILENCE, Word};
use super::*;
use crate::rollout;
use crate::wire::Millis;
use proptest::prelude::*;
use serde_json::Map;

fn kept(id: &str) -> Kept {
    Kept {
        id: id.into(),
        name: "the good one".into(),
        server: "builtin".into(),
        saved: 1_900_000_000_123,
        record: Record {
            task_id: "t".into(),
            started: "2031-01-02T00:00:00Z".into(),
            turns: 3,
            reward: 0.1 + 0.2,
            ..Record::default()
        },
    }
}

#[test]
fn an_entry_survives_the_database_and_its_name_lies_in_the_line() {
    let kept = kept("a");
    let entry = kept.entry();
    assert_eq!(entry.get("name"), None);
    let mut back = Kept::from_json(&entry).unwrap();
    assert_eq!(back.name, "");
    back.name = KeptRow::from_json(&kept.row().to_json()).unwrap().name;
    assert_eq!(back, kept);
    assert_eq!(KeptRow::from_json(&kept.row().to_json()), Some(kept.row()));
    assert_eq!(Kept::from_json(&json!({"id": 1})), None);
}

#[test]
fn a_kept_run_without_an_end_lists_as_interrupted() {
    assert_eq!(kept("a").row().end_reason, "interrupted");
}

#[test]
fn steps_lead_from_each_version_to_the_next() {
    let versions: Vec<u32> = schema::STEPS.iter().map(|step| step.version).collect();
    assert_eq!(versions, [1, 2]);
    assert_eq!(versions.last(), Some(&VERSION));
    let made = |old| schema::due(old).map(|step| step.makes).collect::<Vec<_>>();
    assert_eq!(made(0), [ROLLOUTS, ROWS]);
    assert_eq!(made(1), [ROWS]);
    assert!(made(VERSION).is_empty());
}

#[test]
fn an_entry_of_version_1_is_read_and_gets_its_line() {
    // As a page of version 1 kept it.
    let old = json!({
        "id": "3f2e73f0c592", "server": "builtin", "saved": 1_900_000_000_123_u64,
        "record": {
            "model": "demo:planner", "task_id": "t", "episode_id": "3f2e73f0c592",
            "started": "2031-01-02T00:00:00Z", "messages": [], "steps": [],
            "final": {"submitted": false, "plan": null, "grade": null}, "reward": 0.25,
            "usage": {"input_tokens": 7, "output_tokens": 8}, "turns": 2, "end_reason": null,
            "errors": [], "seconds": 1.5, "provider": {"of": "mine"},
        },
    });
    let fill = schema::due(1).find_map(|step| step.fill).unwrap();
    assert_eq!(fill.from, ROLLOUTS);
    let row = KeptRow::from_json(&(fill.make)(&old).unwrap()).unwrap();
    assert_eq!((row.name.as_str(), row.turns, row.reward), ("", 2, 0.25));
    assert_eq!(row.end_reason, "interrupted");
    let read = Kept::from_json(&old).unwrap();
    assert_eq!(read.record.to_json(), old["record"]);
    assert_eq!((fill.make)(&json!({"id": "x", "record": 3})), None);
}

#[test]
fn the_newest_stands_first_and_of_one_second_the_one_saved_last() {
    let row = |id: &str, started: &str, saved| KeptRow {
        id: id.into(),
        started: started.into(),
        saved,
        ..KeptRow::default()
    };
    let mut rows = [
        row("a", "2031", 1),
        row("b", "2032", 1),
        row("c", "2032", 2),
    ];
    newest_first(&mut rows);
    assert_eq!(rows.map(|row| row.id), ["c", "b", "a"]);
}

#[test]
fn a_rollout_whose_id_is_taken_gets_the_next_one() {
    let ids: Vec<String> = ids_for("a").take(3).collect();
    assert_eq!(ids, ["a", "a-2", "a-3"]);
    let mut other = kept("a");
    other.name.clear();
    other.saved = 0;
    assert!(kept("a").same(&other), "names and moments aside");
    other.record.turns = 4;
    assert!(!kept("a").same(&other));
}

#[test]
fn a_record_that_is_nested_to_the_limit_comes_back() {
    let deep = format!("{}{}", "[".repeat(125), "]".repeat(125));
    let text = format!("{{\"messages\": [], \"deep\": {deep}}}");
    let record = Record::from_text(&text).unwrap();
    let kept = Kept {
        record,
        ..kept("a")
    };
    assert_eq!(
        Kept::from_json(&kept.entry()).map(|back| back.record),
        Some(kept.record)
    );
}

#[test]
fn what_pages_say_to_each_other_reads_back_and_noise_does_not() {
    for word in [
        Word::Hello,
        Word::Runs(vec!["a".into(), "b".into()]),
        Word::Changed,
        Word::Deleted(vec!["\"".into()]),
        Word::Forgot(vec!["openai".into()]),
    ] {
        let call = Call {
            tab: "7".into(),
            word,
        };
        assert_eq!(Call::parse(&call.to_text()), Some(call));
    }
    for noise in [
        "",
        "{}",
        "[1]",
        "{\"tab\":1,\"word\":\"hello\"}",
        "{\"tab\":\"a\",\"word\":\"x\"}",
    ] {
        assert_eq!(Call::parse(noise), None, "{noise}");
    }
}

#[test]
fn runs_of_a_page_that_fell_silent_are_forgotten() {
    let mut others = Others::default();
    assert!(others.hear(Millis(0), "x".into(), vec!["a".into()]));
    assert!(!others.hear(Millis(9), "x".into(), vec!["a".into()]));
    assert!(others.runs("a") && !others.runs("b"));
    assert!(!others.forget_silent(Millis(9 + SILENCE.0)));
    assert!(others.forget_silent(Millis(10 + SILENCE.0)));
    assert!(others.is_empty());
    others.hear(Millis(0), "x".into(), vec!["a".into()]);
    assert!(others.hear(Millis(1), "x".into(), Vec::new()));
    assert!(!others.runs("a"));
}

/// Any JSON, as a file may hold it.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e300_f64..1e300).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,8}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A record with known fields of any kind and unknown ones everywhere.
fn record_value() -> impl Strategy<Value = Value> {
    let object = || prop::collection::vec((".{0,8}", json_value()), 0..4);
    let known = (
        json_value(),
        json_value(),
        json_value(),
        ".{0,20}",
        object(),
    );
    (known, prop::collection::vec(json_value(), 0..4), object()).prop_map(
        |((reward, plan, end, text, call), other, extra)| {
            let mut file = extra.into_iter().collect::<Map<_, _>>();
            let mut message = call.into_iter().collect::<Map<_, _>>();
            message.insert("role".into(), json!("assistant"));
            message.insert("content".into(), json!(text));
            let mut messages = other;
            messages.push(Value::Object(message));
            file.insert("messages".into(), Value::Array(messages));
            file.insert(
                "steps".into(),
                json!([{"turn": 1, "plan": plan, "mine": end}]),
            );
            file.insert("reward".into(), reward);
            file.insert("end_reason".into(), end);
            Value::Object(file)
        },
    )
}

proptest! {
    #[test]
    fn what_is_exported_is_imported_without_loss(
        files in prop::collection::vec((record_value(), "[a-z0-9]{1,12}", ".{0,10}", 1_u64..1 << 50), 1..4),
    ) {
        let kept: Vec<Kept> = files
            .into_iter()
            .map(|(value, id, name, saved)| Kept {
                id,
                name,
                server: "wss://play.example.org/ws".into(),
                saved,
                record: Record::from_json(&value).unwrap(),
            })
            .collect();
        let file = rollout::archives(&kept.iter().cloned().map(Saved::from).collect::<Vec<_>>()).concat();
        let opened = rollout::open(&[rollout::Source { name: "a", bytes: file.as_bytes() }]);
        let back: Vec<Kept> = opened.found.into_iter().map(|found| found.rollout.into()).collect();
        prop_assert_eq!(opened.troubles, []);
        prop_assert_eq!(&back, &kept);
        for kept in kept {
            let there = Kept::from_json(&kept.entry()).unwrap();
            prop_assert_eq!(compact(&there.record.to_json()), compact(&kept.record.to_json()));
        }
    }

    #[test]
    fn no_text_breaks_the_reader(text in ".{0,60}") {
        let _ = Call::parse(&text);
    }
}
