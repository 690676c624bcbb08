use super::archive::within;
use super::*;
use crate::rollout::Record;
use crate::rollout::tests::{any_json, mutated};
use crate::wire::Millis;
use proptest::prelude::*;
use serde_json::{Value, json};

fn open_text(text: &str) -> Opened {
    open_bytes(text.as_bytes())
}

fn open_bytes(bytes: &[u8]) -> Opened {
    open(&[Source {
        name: "a.json",
        bytes,
    }])
}

fn fault(bytes: &[u8]) -> FileError {
    open_bytes(bytes).troubles.remove(0).fault
}

fn saved(id: &str, text: &str) -> Saved {
    Saved {
        id: id.into(),
        name: "A name".into(),
        server: "builtin".into(),
        saved: Millis(1_900_000_000_123),
        record: Record::from_json(&json!({"messages": [{"role": "user", "content": text}]}))
            .unwrap(),
        extra: Map::new(),
    }
}

fn rollouts(opened: Opened) -> Vec<Saved> {
    assert_eq!(opened.troubles, []);
    opened
        .found
        .into_iter()
        .map(|found| found.rollout)
        .collect()
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_unread() {
    let bytes = vec![b'"'; 100 << 20];
    assert_eq!(fault(&bytes), FileError::TooLarge { bytes: 100 << 20 });
    assert_eq!(
        fault(&bytes).to_string(),
        "the file has 100 MB, and 32 MB is the most that this page opens. Split it into several files"
    );
}

#[test]
fn a_text_as_long_as_a_file_may_be_is_opened() {
    let around = r#"{"messages": [{"role": "user", "content": ""}]}"#;
    let long = "x".repeat(LIMIT - around.len());
    let text = around.replace("\"\"", &format!("\"{long}\""));
    assert_eq!(text.len(), LIMIT);
    assert_eq!(open_text(&text).found.len(), 1);
}

#[test]
fn deep_json_is_an_error_and_no_crash() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = open.repeat(1_000_000) + &close.repeat(1_000_000);
        assert_eq!(fault(deep.as_bytes()), FileError::TooDeep);
        assert_eq!(fault(open.repeat(1_000_000).as_bytes()), FileError::TooDeep);
        let inside = format!(
            "{{\"messages\": [], \"x\": {}1{}}}",
            open.repeat(126),
            close.repeat(126)
        );
        assert_eq!(fault(inside.as_bytes()), FileError::TooDeep);
    }
}

#[test]
fn what_was_opened_once_can_be_opened_again_however_deep() {
    let deep = format!(
        "{{\"messages\": [], \"x\": {}1{}}}",
        "[".repeat(119),
        "]".repeat(119)
    );
    let first = rollouts(open_text(&deep));
    let text = archives(&first).remove(0);
    assert_eq!(rollouts(open_text(&text)), first);
    let lines = jsonl([&first[0].record]);
    assert_eq!(rollouts(open_text(&lines))[0].record, first[0].record);
}

#[test]
fn a_thousand_bad_lines_are_told_twenty_times_and_counted() {
    let text = "{\"messages\": []}\n".to_owned() + &"broken\n".repeat(1000);
    let opened = open_text(&text);
    assert_eq!((opened.found.len(), opened.troubles.len()), (1, 21));
    assert_eq!(
        opened.troubles[20].to_string(),
        "a.json: 980 more parts of the file can not be read. Mend the first ones and open it again"
    );
}

#[test]
fn a_long_index_is_joined_without_looking_at_everything_for_every_line() {
    let lines: Vec<Value> = (0..20_000)
        .map(|n| json!({"episode_id": format!("{n:06}"), "messages": []}))
        .collect();
    let lines: String = lines.iter().map(|line| line.to_string() + "\n").collect();
    let index: Vec<Value> = (0..20_000)
        .rev()
        .map(|n| json!({"file": "all.jsonl", "episode_id": format!("{n:06}")}))
        .collect();
    let index = Value::from(index).to_string();
    let opened = open(&[
        Source {
            name: "all.jsonl",
            bytes: lines.as_bytes(),
        },
        Source {
            name: "index.json",
            bytes: index.as_bytes(),
        },
    ]);
    assert_eq!(opened.found.len(), 20_000);
    assert_eq!(opened.found[0].rollout.id, "019999");
    assert_eq!(opened.runs[0].present, 20_000);
}

#[test]
fn an_export_that_would_be_too_large_becomes_several_files() {
    let all = [
        saved("a", "short"),
        saved("b", &"long ".repeat(100)),
        saved("c", "short"),
    ];
    assert_eq!(within(&all, usize::MAX).len(), 1);
    let files = within(&all, 1400);
    assert_eq!(files.len(), 2);
    let again: Vec<Saved> = files
        .iter()
        .flat_map(|file| rollouts(open_text(file)))
        .collect();
    assert_eq!(again, all);
    assert_eq!(within(&[], 1400), [""; 0]);
}

#[test]
fn an_export_reads_as_its_description_says() {
    insta::assert_snapshot!(archives(&[saved("a", "One."), saved("b", "Two.")]).remove(0));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_export_of_several_loses_nothing(
        records in prop::collection::vec(mutated(), 0..5),
        names in prop::collection::vec("[a-z\"<\u{0}é]{0,4}", 5),
        at in any::<u64>(),
        limit in 0_usize..20_000,
    ) {
        let all: Vec<Saved> = records
            .iter()
            .zip(&names)
            .filter_map(|(record, name)| Some(Saved {
                id: name.clone() + "1",
                name: name.clone(),
                server: name.clone(),
                saved: Millis(at),
                record: Record::from_json(record).ok()?,
                extra: Map::new(),
            }))
            .collect();
        let files = within(&all, limit);
        let again: Vec<Saved> = files.iter().flat_map(|file| rollouts(open_text(file))).collect();
        prop_assert_eq!(&again, &all);
        let lines = jsonl(all.iter().map(|saved| &saved.record));
        let again: Vec<Record> = match all.len() {
            0 => Vec::new(),
            _ => rollouts(open_text(&lines)).into_iter().map(|saved| saved.record).collect(),
        };
        let records: Vec<Record> = all.into_iter().map(|saved| saved.record).collect();
        prop_assert_eq!(again, records);
    }

    #[test]
    fn a_damaged_record_is_opened_or_told(record in mutated()) {
        let opened = open_text(&record.to_string());
        prop_assert_eq!(opened.found.len() + opened.troubles.len(), 1);
    }

    #[test]
    fn any_json_is_opened_or_told(value in any_json()) {
        let opened = open_text(&value.to_string());
        for trouble in &opened.troubles {
            prop_assert!(trouble.to_string().starts_with("a.json"));
        }
        prop_assert!(opened.found.len() + opened.troubles.len() + opened.runs.len() > 0);
        let _ = open_at(&Source { name: "a.json", bytes: value.to_string().as_bytes() }, 1);
    }

    #[test]
    fn cut_and_spoilt_bytes_never_stop_the_page(
        record in mutated(),
        cut in any::<prop::sample::Index>(),
        spoilt in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        name in prop::sample::select(vec!["a.json", "a.jsonl", "index.json", "", "x/y\u{0}.json"]),
        number in 0_usize..4,
    ) {
        let mut bytes = record.to_string().into_bytes();
        for (at, byte) in spoilt {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        let source = Source { name, bytes: &bytes };
        let opened = open(&[source, source]);
        prop_assert!(opened.found.len() + opened.troubles.len() > 0);
        let _ = open_at(&source, number);
        let _ = needs(&bytes);
    }

    #[test]
    fn mending_gives_what_is_mended_no_further(text in "[NaIfinty\\-\"\\\\ud83e a:é]{0,20}") {
        if let Some(once) = super::mend::mended(&text) {
            prop_assert_eq!(super::mend::mended(&once), None);
        }
    }
}
