//! Dialogues about links and files, with a browser that packs and unpacks when it is asked to.

use crate::app::intent::{PackFailure, Packing};
use crate::app::sharing::{Export, Guest, Link};
use crate::app::tests::Page;
use crate::app::{Fact, Intent, Look, Order, Origin, Route, Shown};
use crate::rollout::Record;
use crate::share::{self, Choices, Codec, Form};
use crate::store::{Imported, Kept, StoreAnswer, StoreFailure, StoreOrder};
use crate::view::GradeCheck;
use crate::wire::{CallId, Effect, Headers, HttpEvent, Input};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;
use serde_json::json;

/// A page whose demonstration is over.
fn page() -> Page {
    let mut page = Page::new(crate::app::PageFacts {
        address: "https://quay.example.org/".into(),
        ..Default::default()
    });
    page.until(|app| app.demo.finished);
    page
}

/// Answers what the browser was asked to pack, but for gzip, which is given as it is.
fn pack(page: &mut Page) {
    for order in std::mem::take(&mut page.orders) {
        if let Order::Pack(ticket, work) = order {
            let result = match work {
                Packing::Deflate(bytes) => Ok(compress_to_vec(&bytes, 6)),
                Packing::Inflate(bytes) => {
                    decompress_to_vec(&bytes).map_err(|_| PackFailure::Damaged)
                }
                Packing::Gunzip(bytes) => Ok(bytes.get(2..).unwrap_or_default().to_vec()),
            };
            page.report(Fact::Packed(ticket, result));
        } else {
            page.orders.push(order);
        }
    }
}

fn link(page: &Page) -> Link {
    page.app
        .sharing
        .dialog
        .as_ref()
        .expect("the dialog is open")
        .link
        .clone()
}

/// The link of the demonstration.
fn shared(choices: Choices) -> String {
    let mut page = page();
    page.intend(Intent::Share(Shown::Demo, choices));
    pack(&mut page);
    match link(&page) {
        Link::Ready { url, .. } => url,
        other => panic!("{other:?}"),
    }
}

fn fragment(url: &str) -> String {
    format!("#{}", url.split_once('#').unwrap().1)
}

fn follow(fragment: &str) -> Page {
    let mut page = page();
    page.report(Fact::Fragment(fragment.to_owned()));
    pack(&mut page);
    page
}

fn problem(page: &Page) -> &str {
    match &page.app.sharing.guest {
        Guest::Problem(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_shared_run_opens_on_another_page_with_its_grade_recomputed() {
    let url = shared(Choices::default());
    assert!(url.starts_with("https://quay.example.org/#/r/1w"), "{url}");
    let other = follow(&fragment(&url));
    let Guest::Here(facts) = &other.app.sharing.guest else {
        panic!("{:?}", other.app.sharing.guest);
    };
    assert!(
        facts.trust.contains("recomputed in this browser"),
        "{facts:?}"
    );
    let card = other.app.opened.model.grade_card().unwrap();
    assert!(matches!(card.recomputed, GradeCheck::Same(_)), "{card:?}");
    assert!(other.app.opened.model.transcript.entries.len() > 2);
}

#[test]
fn a_reward_that_is_not_the_plans_own_is_flagged() {
    let source = page();
    let runner = &source.app.demo.runner;
    let mut record = runner.model.rollout.record.clone();
    record.reward = 0.25;
    let task = source.app.catalog.first.clone();
    let outgoing = share::Outgoing {
        record: &record,
        task: Some(&task),
        server: "builtin",
    };
    let parcel = share::pack(&outgoing, Choices::default()).unwrap();
    let code = share::link(parcel.form, Codec::Plain, &parcel.bytes, &parcel.check());
    let reader = follow(&share::fragment(&code));
    let card = reader.app.opened.model.grade_card().unwrap();
    assert!(
        matches!(card.recomputed, GradeCheck::Differs(_)),
        "{card:?}"
    );
}

#[test]
fn other_ticks_make_another_link_and_a_late_one_is_not_taken() {
    let mut page = page();
    page.intend(Intent::Share(Shown::Demo, Choices::default()));
    let late = page.orders.iter().find_map(|order| match order {
        Order::Pack(ticket, _) => Some(*ticket),
        _ => None,
    });
    let plans = Choices {
        words: false,
        ..Choices::default()
    };
    page.intend(Intent::Share(Shown::Demo, plans));
    page.orders
        .retain(|order| !matches!(order, Order::Pack(ticket, _) if Some(*ticket) == late));
    page.report(Fact::Packed(late.unwrap(), Ok(vec![1])));
    assert_eq!(link(&page), Link::Making);
    pack(&mut page);
    let Link::Ready { url, .. } = link(&page) else {
        panic!("{:?}", link(&page));
    };
    assert!(url.contains("#/r/1p"), "{url}");
    page.intend(Intent::CopyLink { markdown: false });
    assert!(page.orders.contains(&Order::Copy(url)));
    page.report(Fact::Copied(true));
    assert_eq!(page.app.sharing.dialog.as_ref().unwrap().copied, Some(true));
    page.intend(Intent::CloseShare);
    assert_eq!(page.app.sharing.dialog, None);
}

#[test]
fn what_looks_like_a_key_stops_a_link_and_a_stored_one_too() {
    let mut page = page();
    let record = &mut page.app.demo.runner.model.rollout.record;
    for message in &mut record.messages {
        if let crate::rollout::Message::Assistant { content, .. } = message {
            content.push_str(" sk-ant-api03-a1b2c3d4e5f6g7h8i9j0k1l2");
        }
    }
    page.intend(Intent::Share(Shown::Demo, Choices::default()));
    assert!(
        matches!(link(&page), Link::HeldBack(_)),
        "{:?}",
        link(&page)
    );
    assert!(
        !page
            .orders
            .iter()
            .any(|order| matches!(order, Order::Pack(..)))
    );
    // Without the words nothing of it is left.
    let plans = Choices {
        words: false,
        ..Choices::default()
    };
    page.intend(Intent::Share(Shown::Demo, plans));
    pack(&mut page);
    assert!(matches!(link(&page), Link::Ready { .. }));
    page.intend(Intent::Share(Shown::Demo, plans));
    let ticket = page.orders.iter().rev().find_map(|order| match order {
        Order::Pack(ticket, _) => Some(*ticket),
        _ => None,
    });
    page.report(Fact::Packed(ticket.unwrap(), Err(PackFailure::OwnKey)));
    assert!(matches!(link(&page), Link::HeldBack(_)));
    // A file waits for a second press.
    let files = |page: &Page| {
        page.orders
            .iter()
            .filter(|order| matches!(order, Order::Download { .. }))
            .count()
    };
    page.intend(Intent::DownloadRecord(Shown::Demo));
    assert_eq!(files(&page), 0);
    assert!(page.app.notice.as_ref().is_some_and(|notice| notice.bad));
    page.intend(Intent::DownloadRecord(Shown::Demo));
    assert_eq!(files(&page), 1);
    page.intend(Intent::Export(Shown::Demo, Export::Csv));
    assert_eq!(files(&page), 1);
}

#[test]
fn links_that_are_cut_damaged_or_too_large_say_so() {
    let fragment = fragment(&shared(Choices::default()));
    let cut = &fragment[..fragment.len() - 3];
    assert!(problem(&follow(cut)).contains("ends early"));
    let damaged = fragment.replace("1wd.", "1wd.A");
    problem(&follow(&damaged));
    assert!(problem(&follow("#/r/9wd.AAAA.AAAAAAAA")).contains('9'));
    let mut page = page();
    page.report(Fact::Fragment(fragment.clone()));
    let ticket = page.orders.iter().rev().find_map(|order| match order {
        Order::Pack(ticket, Packing::Inflate(_)) => Some(*ticket),
        _ => None,
    });
    page.report(Fact::Packed(ticket.unwrap(), Err(PackFailure::TooLarge)));
    assert!(problem(&page).contains("32 MiB"));
    // Leaving makes a late answer worthless.
    page.report(Fact::Fragment(fragment));
    page.intend(Intent::Go(Route::Start));
    pack(&mut page);
    assert_eq!(page.app.sharing.guest, Guest::Opening);
}

#[test]
fn a_rollout_from_a_link_is_kept_only_when_asked_to() {
    let mut page = follow(&fragment(&shared(Choices::default())));
    assert_eq!(kept(&page).len(), 0);
    page.intend(Intent::KeepGuest);
    let kept = kept(&page);
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].server, "builtin");
    let id = kept[0].id.clone();
    assert_eq!(id.len(), 12);
    assert_eq!(kept[0].record.episode_id, id);
    came(&mut page, 1, &id);
    assert_eq!(
        page.app.route,
        Route::Rollout {
            id,
            look: Look::default()
        }
    );
}

/// What shall be kept of what came.
fn kept(page: &Page) -> Vec<Kept> {
    let many = |order: &Order| match order {
        Order::Store(StoreOrder::PutMany(many)) => many.clone(),
        _ => Vec::new(),
    };
    page.orders.iter().flat_map(many).collect()
}

/// The device has kept it.
fn came(page: &mut Page, added: usize, last: &str) {
    page.report(Fact::Stored(StoreAnswer::Imported(Imported {
        added,
        last: last.into(),
        ..Imported::default()
    })));
}

fn asked(page: &Page) -> Vec<(CallId, String)> {
    let ask = |order: &Order| match order {
        Order::Wire(Effect::Fetch(id, request)) if !request.url.starts_with("tasks") => {
            Some((*id, request.url.clone()))
        }
        _ => None,
    };
    page.orders.iter().filter_map(ask).collect()
}

fn answer(page: &mut Page, status: u16, body: &[u8]) {
    let (call, _) = asked(page).pop().expect("a request");
    for event in [
        HttpEvent::Head {
            status,
            headers: Headers::default(),
        },
        HttpEvent::Bytes(body.to_vec()),
        HttpEvent::End,
    ] {
        page.report(Fact::Wire(Input::Http(call, event)));
    }
}

fn file() -> Vec<u8> {
    let lines = ["t-1", "t-2"].map(|task| {
        json!({"task_id": task, "episode_id": task, "messages": [{"role": "user", "content": "hello"}], "reward": 0.5})
            .to_string()
    });
    lines.join("\n").into_bytes()
}

#[test]
fn a_file_elsewhere_is_fetched_after_a_click_and_held_to_its_seal() {
    let bytes = file();
    let source = |more: &str| format!("#/r?src=https%3A%2F%2Ffiles.example.org%2Fa.jsonl{more}");
    let mut page = follow(&source("&i=1"));
    assert_eq!(asked(&page), []);
    assert!(
        matches!(&page.app.sharing.guest, Guest::Asks { origin, pinned: false, .. } if origin == "https://files.example.org")
    );
    page.intend(Intent::FetchGuest);
    page.intend(Intent::FetchGuest);
    assert_eq!(asked(&page).len(), 1);
    answer(&mut page, 200, &bytes);
    assert!(matches!(&page.app.sharing.guest, Guest::Here(_)));
    assert_eq!(page.app.opened.model.rollout.record.task_id, "t-2");

    let mut sealed = follow(&source(&format!("&sha256={}", share::seal(&bytes))));
    sealed.intend(Intent::FetchGuest);
    let mut packed = vec![0x1F, 0x8B];
    packed.extend_from_slice(&bytes);
    answer(&mut sealed, 200, &packed);
    problem(&sealed);
    let mut sealed = follow(&source(&format!("&sha256={}", share::seal(&packed))));
    sealed.intend(Intent::FetchGuest);
    answer(&mut sealed, 200, &packed);
    pack(&mut sealed);
    assert_eq!(sealed.app.opened.model.rollout.record.task_id, "t-1");

    let mut missing = follow(&source(""));
    missing.intend(Intent::FetchGuest);
    answer(&mut missing, 404, b"");
    assert!(problem(&missing).contains("files.example.org answered 404"));
    let mut left = follow(&source(""));
    left.intend(Intent::FetchGuest);
    left.intend(Intent::StopFetching);
    answer(&mut left, 200, &bytes);
    assert!(matches!(left.app.sharing.guest, Guest::Asks { .. }));
    problem(&follow("#/r?src=javascript%3Aalert(1)"));
}

#[test]
fn opened_files_are_kept_and_what_cannot_be_read_is_told() {
    let mut page = page();
    let one = json!({"task_id": "quay-9", "episode_id": "abc", "steps": [], "messages": []});
    let mut packed = vec![0x1F, 0x8B];
    packed.extend_from_slice(one.to_string().as_bytes());
    page.report(Fact::Files(vec![("one.json.gz".into(), packed)]));
    pack(&mut page);
    assert_eq!(kept(&page).len(), 1);
    came(&mut page, 1, "abc");
    assert!(matches!(&page.app.route, Route::Rollout { id, .. } if id == "abc"));
    assert_eq!(page.app.notice, None);

    page.report(Fact::Files(vec![
        ("many.jsonl".into(), file()),
        ("broken.json".into(), b"{".to_vec()),
    ]));
    assert_eq!(kept(&page).len(), 3);
    came(&mut page, 2, "t-2");
    assert!(matches!(page.app.route, Route::Rollouts { .. }));
    let notice = page.app.notice.clone().unwrap();
    assert!(
        notice.text.contains("2 rollouts") && notice.text.contains("broken.json"),
        "{notice:?}"
    );
}

#[test]
fn a_file_is_shown_also_where_nothing_can_be_kept() {
    let mut page = page();
    page.report(Fact::Files(vec![("many.jsonl".into(), file())]));
    page.report(Fact::Stored(StoreAnswer::Failed(StoreFailure::Full)));
    assert_eq!(page.app.opened.model.rollout.record.task_id, "t-1");
    assert!(matches!(&page.app.sharing.guest, Guest::Here(_)));
}

#[test]
fn another_page_hands_a_rollout_over() {
    let mut page = page();
    let handed = Fact::Handed("https://lab.example.org".into(), "x".into(), file());
    page.report(handed);
    assert_eq!(page.app.opened.model.rollout.record.task_id, "t-1");
    assert!(
        matches!(&page.app.sharing.guest, Guest::Here(facts) if facts.from == "https://lab.example.org")
    );
    assert_eq!(kept(&page).len(), 0);
    // The address bar tells of it, which is no other visit.
    page.report(Fact::Fragment("#/r?handed".into()));
    assert_eq!(page.app.opened.model.rollout.record.task_id, "t-1");
    // After a reload it is gone, and the page says so.
    let again = follow("#/r?handed");
    assert!(problem(&again).contains("handed over"));
}

#[test]
fn the_address_follows_what_is_looked_at_once_it_rests() {
    let mut page = follow(&fragment(&shared(Choices::default())));
    let replaced = |page: &Page| {
        let fragment = |order: &Order| match order {
            Order::Replace(fragment) => Some(fragment.clone()),
            _ => None,
        };
        page.orders.iter().filter_map(fragment).collect::<Vec<_>>()
    };
    for message in 1..=3 {
        page.intend(Intent::Look(Look {
            message: Some(message),
            ..Look::default()
        }));
    }
    assert_eq!(replaced(&page), [] as [String; 0]);
    while page.turn() {}
    let replaced = replaced(&page);
    assert_eq!(replaced.len(), 1);
    assert!(replaced[0].ends_with("&m=3"), "{replaced:?}");
    let Route::Guest {
        look,
        from: Origin::Link(code),
    } = Route::parse(&replaced[0])
    else {
        panic!("{replaced:?}");
    };
    assert_eq!(look.message, Some(3));
    assert_eq!(share::parse(&code).unwrap().form, Form::Words);
}

#[test]
fn a_record_says_the_same_after_it_went_through_a_file() {
    let page = page();
    let record = &page.app.demo.runner.model.rollout.record;
    let text = record.to_json_string();
    assert_eq!(
        Record::from_text(&text).unwrap().to_json(),
        record.to_json()
    );
}
