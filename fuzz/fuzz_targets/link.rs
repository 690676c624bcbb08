//! Links: any bytes as the text of one, and as the content of one whose check is right.

#![no_main]

use libfuzzer_sys::fuzz_target;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use quayside::berth::{Task, pack};
use quayside::share::{self, Choices, Codec, Form, Held, Opened, Outgoing};
use quayside_fuzz::{leaves_and_comes_back, packed_and_opened};
use std::sync::LazyLock;

static FIRST: LazyLock<Task> = LazyLock::new(pack::first);

/// The page inflates up to 32 MiB; so much would only make a search slow.
const MOST: usize = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        as_text(text);
    }
    let check = share::check(bytes);
    let forms = [Form::Plans, Form::Words, Form::Full];
    let opened = forms.map(|form| share::open(form, bytes, &check).ok());
    let opened: Vec<Opened> = opened.into_iter().flatten().collect();
    assert!(opened.len() < 2, "a content has one form");
    for opened in opened {
        look(&opened);
    }
});

fn as_text(text: &str) {
    let _ = share::source(text);
    let Ok(sealed) = share::parse(text) else {
        return;
    };
    let written = share::link(sealed.form, sealed.codec, &sealed.payload, &sealed.check);
    assert_eq!(share::parse(&written).as_ref(), Ok(&sealed));
    let content = match sealed.codec {
        Codec::Plain => sealed.payload,
        Codec::Deflate => match decompress_to_vec_with_limit(&sealed.payload, MOST) {
            Ok(content) => content,
            Err(_) => return,
        },
    };
    if let Ok(opened) = share::open(sealed.form, &content, &sealed.check) {
        look(&opened);
    }
}

/// What the page does with what it opened.
fn look(opened: &Opened) {
    leaves_and_comes_back(&opened.record);
    again(opened);
    if opened.is_of(&FIRST) {
        let replayed = share::replay(&opened.record, &FIRST);
        assert_eq!(replayed.record.steps.len(), opened.record.steps.len());
        assert_eq!(replayed.record.reward, opened.record.reward);
        assert!(
            replayed
                .reward
                .is_none_or(|reward| (0.0..=1.0).contains(&reward))
        );
        leaves_and_comes_back(&replayed.record);
    }
}

/// What was opened is shared again.
fn again(opened: &Opened) {
    let held = opened.held;
    let choices = Choices {
        plans: held.plans,
        words: held.words,
        reasoning: held.reasoning,
        outputs: held.outputs,
        server: held.server,
    };
    let send = |from: &Opened| {
        let outgoing = Outgoing {
            record: &from.record,
            task: held.builtin.then_some(&*FIRST),
            server: opened.claims.server.as_deref().unwrap_or("builtin"),
        };
        let sent = packed_and_opened(&outgoing, choices)?;
        assert_eq!(sent.held, Held::of(choices, &outgoing));
        Some(sent)
    };
    let Some(second) = send(opened) else { return };
    assert_eq!(second.record.reward, opened.record.reward);
    assert_eq!(second.record.plans(), opened.record.plans());
    let Some(third) = send(&second) else { return };
    assert_eq!(
        third.record, second.record,
        "a link of a link of a link differs"
    );
}
