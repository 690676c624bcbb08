//! Files: any bytes under any names, several at once. A file is its name, a line end and its bytes; files are parted by
//! `00 FF 00`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quayside::rollout::{self, Found, Record, Source, Spot};
use quayside::share::{Choices, Outgoing};
use quayside_fuzz::{leaves_and_comes_back, packed_and_opened};

const BETWEEN: &[u8] = b"\x00\xFF\x00";

fuzz_target!(|bytes: &[u8]| {
    let files = files(bytes);
    let sources: Vec<Source<'_>> = files
        .iter()
        .map(|(name, bytes)| Source { name, bytes })
        .collect();
    let opened = rollout::open(&sources);
    assert_eq!(
        opened,
        rollout::open(&sources),
        "the same files open the same way"
    );
    for trouble in &opened.troubles {
        assert!(trouble.to_string().len() > trouble.file.len() + 2);
    }
    for found in &opened.found {
        leaves_and_comes_back(&found.rollout.record);
        shared(&found.rollout.record);
    }
    let records = || opened.found.iter().map(|found| &found.rollout.record);
    let lines = rollout::jsonl(records());
    let again = rollout::open(&[Source {
        name: "all.jsonl",
        bytes: lines.as_bytes(),
    }]);
    let read = again.found.iter().map(|found| &found.rollout.record);
    assert!(read.eq(records()), "lines say something else");
    if let [source] = sources.as_slice() {
        alone(source, &opened.found);
    }
});

fn files(bytes: &[u8]) -> Vec<(String, &[u8])> {
    let mut files = Vec::new();
    let mut rest = bytes;
    while files.len() < 8 {
        let end = rest
            .windows(BETWEEN.len())
            .position(|bytes| bytes == BETWEEN);
        let file = &rest[..end.unwrap_or(rest.len())];
        let name = file.iter().position(|byte| *byte == b'\n').unwrap_or(0);
        let (name, content) = file.split_at(name);
        let content = content.strip_prefix(b"\n").unwrap_or(content);
        files.push((String::from_utf8_lossy(name).into_owned(), content));
        let Some(end) = end else { break };
        rest = &rest[end + BETWEEN.len()..];
    }
    files
}

/// Each rollout of a file can be asked for alone.
fn alone(source: &Source<'_>, found: &[Found]) {
    for one in found.iter().take(3) {
        let number = match one.spot {
            Spot::Line(number) | Spot::Entry(number) => number,
            _ => 1,
        };
        let alone = rollout::open_at(source, number);
        assert_eq!(alone.as_ref(), Ok(one), "asked for alone it is another");
    }
    for number in [0, found.len() + 1, usize::MAX] {
        if let Err(trouble) = rollout::open_at(source, number) {
            assert!(!trouble.to_string().is_empty());
        }
    }
}

/// What was opened can be shared, everything of it and nothing.
fn shared(record: &Record) {
    let outgoing = Outgoing {
        record,
        task: None,
        server: "wss://play.example.org/ws",
    };
    for all in [true, false] {
        let choices = Choices {
            plans: all,
            words: all,
            reasoning: all,
            outputs: all,
            server: all,
        };
        let Some(opened) = packed_and_opened(&outgoing, choices) else {
            continue;
        };
        leaves_and_comes_back(&opened.record);
        assert_eq!(opened.record.model, record.model);
        assert_eq!(
            opened.record.steps.len(),
            if all { record.steps.len() } else { 0 }
        );
        if all {
            let outgoing = Outgoing {
                record: &opened.record,
                ..outgoing
            };
            let again = packed_and_opened(&outgoing, choices).expect("it was small enough before");
            assert_eq!(again.record, opened.record, "a link of a link differs");
        }
    }
}
