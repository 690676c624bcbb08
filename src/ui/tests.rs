//! Markup of whole screens, rendered natively from an app that was put into a state. The chart has
//! snapshots of its own; here it is one line, as is its table twin.

use super::{App, Dispatch, State};
use crate::app::intent::KeyState;
use crate::app::models::Wish;
use crate::app::runner::Runner;
use crate::app::{App as Page, Fact, Intent, PageFacts, Place};
use crate::provider::listing::Listed;
use crate::provider::price::Price;
use crate::rollout::Record;
use crate::store::{Kept, KeptRow, Room, StoreAnswer, StoreFailure};
use crate::wire::Millis;
use leptos::prelude::*;
use serde_json::json;

/// A page that has just been opened at an address.
fn page(fragment: &str) -> Page {
    let mut page = Page::default();
    page.report(Millis(1_000), Fact::Page(PageFacts::default()));
    page.report(Millis(1_000), Fact::Fragment(fragment.to_owned()));
    page
}

/// A finished run with one checked draft, by a model that says hostile things.
fn record() -> Record {
    let result = json!({"feasible": false, "checks_left": 9, "violations": [
        {"ship": 0, "kind": "missing", "problem": "UMBER TROWEL (ship 0) is not in the plan."}]});
    let say = |content: &str, id: &str, name: &str| {
        json!({"role": "assistant", "content": content, "reasoning": "a < b, so …", "stop": "tool_calls",
            "tool_calls": [{"id": id, "name": name, "arguments": "{\"plan\": []}"}]})
    };
    let answer = |id: &str, name: &str| json!({"role": "tool", "tool_call_id": id, "name": name, "content": result.to_string()});
    let step =
        |turn: u32, tool: &str| json!({"turn": turn, "tool": tool, "plan": [], "result": result});
    serde_json::from_value(json!({
        "model": "demo:planner", "task_id": "first", "episode_id": "0123456789ab",
        "started": "2026-11-30T12:00:00Z", "seconds": 3.2, "turns": 2, "reward": 0.0,
        "usage": {"input_tokens": 1200, "output_tokens": 340}, "end_reason": "submitted",
        "messages": [
            {"role": "system", "content": "You plan berths."},
            {"role": "user", "content": format!("# Quay\n{}", "- a line\n".repeat(60))},
            say("**Moved** <img src=x onerror=alert(1)>", "a", "check_plan"),
            answer("a", "check_plan"),
            {"role": "user", "content": "You have 1 turn left."},
            say("[Submit](javascript:alert(1))", "b", "submit_plan"),
            answer("b", "submit_plan"),
        ],
        "steps": [step(1, "check_plan"), step(2, "submit_plan")],
        "final": {"submitted": true, "plan": [], "grade": {}},
    }))
    .unwrap()
}

fn finished(page: &Page) -> Runner {
    Runner::opened(&record(), Some(page.catalog.first.clone()), "builtin")
}

fn kept(end: Option<&str>) -> Kept {
    let record = Record {
        end_reason: end.map(str::to_owned),
        ..record()
    };
    Kept {
        id: "0123456789ab".into(),
        name: String::new(),
        server: "builtin".into(),
        saved: 0,
        record,
    }
}

fn html(page: &Page) -> String {
    Owner::new().with(|| {
        let state = State::new();
        state.publish(page);
        provide_context(state);
        provide_context(Dispatch::new(|_| ()));
        outline(&App().into_view().to_html())
    })
}

/// One tag or text a line; without the framework's comments, the chart and its table.
fn outline(html: &str) -> String {
    let html = cut(
        html,
        "<figure class=\"plan-chart\"",
        "</figure>",
        "<figure/>",
    );
    let html = cut(
        &html,
        "<div role=\"region\" aria-label=\"Plan as a table\"",
        "</div>",
        "<plan-table/>",
    );
    let html = cut(&html, "<svg", "</svg>", "<svg/>");
    let html = cut(&html, "<!--", "-->", "").replace("<!>", "");
    let mut lines = String::new();
    for part in html.split_inclusive('>') {
        for (position, piece) in part.split('<').enumerate() {
            let piece = if position == 0 {
                piece.to_owned()
            } else {
                format!("<{piece}")
            };
            if !piece.trim().is_empty() {
                lines.push_str(piece.trim());
                lines.push('\n');
            }
        }
    }
    lines
}

fn cut(text: &str, from: &str, to: &str, instead: &str) -> String {
    let mut parts = text.split(from);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(instead);
        out.push_str(part.split_once(to).map_or("", |(_, rest)| rest));
    }
    out
}

/// What stands between `<main` and its end.
fn screen(page: &Page) -> String {
    let html = html(page);
    let begin = html.find("<main").unwrap();
    let end = html.find("</main>").unwrap();
    html[begin..end].to_owned()
}

#[test]
fn the_shell() {
    let mut page = page("#/nowhere");
    page.unkept = Some(StoreFailure::Full);
    insta::assert_snapshot!(html(&page));
}

#[test]
fn start_with_its_grade() {
    let mut page = page("#/");
    page.demo.runner = finished(&page);
    page.demo.step = 1;
    page.demo.finished = true;
    insta::assert_snapshot!(screen(&page));
}

#[test]
fn tasks_before_the_pack_is_here() {
    insta::assert_snapshot!(screen(&page("#/tasks?q=fir")));
}

#[test]
fn a_workbench_before_its_first_run() {
    insta::assert_snapshot!(screen(&page("#/t/builtin/first")));
}

#[test]
fn a_workbench_after_a_run() {
    let mut page = page("#/t/builtin/first");
    page.run = finished(&page);
    page.run_place = Some((Place::Builtin, "first".into()));
    insta::assert_snapshot!(screen(&page));
}

#[test]
fn a_run_that_broke_keeps_what_there_is_and_shows_ways_on() {
    let mut page = page("#/t/builtin/first");
    let record = Record {
        end_reason: Some("error".into()),
        errors: vec!["SessionError: play.example.org closed the connection (code 1006)".into()],
        ..record()
    };
    page.run = Runner::opened(&record, Some(page.catalog.first.clone()), "builtin");
    page.run_place = Some((Place::Builtin, "first".into()));
    let html = screen(&page);
    assert!(html.contains("Transcript and drafts are kept"), "{html}");
    assert!(html.contains("Start the task again"), "{html}");
}

#[test]
fn a_link_to_a_server_waits_for_a_click() {
    insta::assert_snapshot!(screen(&page(
        "#/t/wss%3A%2F%2Fplay.example.org%2Fws/quay-1"
    )));
}

#[test]
fn a_rollout() {
    let mut page = page("#/rollouts/0123456789ab");
    let answer = StoreAnswer::Got(
        "0123456789ab".into(),
        Some(Box::new(kept(Some("submitted")))),
    );
    page.report(Millis(2_000), Fact::Stored(answer));
    insta::assert_snapshot!(screen(&page));
}

#[test]
fn rollouts_none_and_some() {
    let mut page = page("#/rollouts");
    page.report(Millis(2_000), Fact::Stored(StoreAnswer::Listed(Vec::new())));
    assert!(screen(&page).contains("Nothing saved yet"));
    let row = |id: &str, name: &str, kept: Kept| KeptRow {
        id: id.into(),
        name: name.into(),
        ..kept.row()
    };
    let rows = vec![
        row("a", "the <good> one", kept(Some("submitted"))),
        row("b", "", kept(None)),
        row("c", "", kept(Some("stopped"))),
    ];
    page.report(Millis(2_000), Fact::Stored(StoreAnswer::Listed(rows)));
    let call = "{\"tab\":\"x\",\"word\":\"runs\",\"ids\":[\"b\"]}";
    page.report(Millis(2_000), Fact::Told(call.into()));
    let deleted = StoreAnswer::Deleted(vec!["c".into()]);
    page.report(Millis(2_000), Fact::Stored(deleted));
    let room = StoreAnswer::Room(Room {
        used: 3_400_000,
        quota: 2_000_000_000,
        persistent: Some(false),
    });
    page.report(Millis(2_000), Fact::Stored(room));
    insta::assert_snapshot!(screen(&page));
}

#[test]
fn connect_with_an_address_that_is_none() {
    let mut page = page("#/connect");
    page.intend(Millis(2_000), Intent::UseServer("what now".into()));
    insta::assert_snapshot!(screen(&page));
}

/// The models screen of a page that holds a key of `OpenAI`, after a wish.
fn models(wish: Wish) -> Page {
    let mut page = page("#/models");
    let key = KeyState {
        slot: "openai",
        held: true,
        kept: true,
        origin: "https://api.openai.com".into(),
        problem: None,
    };
    page.report(Millis(1_000), Fact::Keys(vec![key]));
    page.intend(Millis(1_000), Intent::Models(wish));
    page
}

/// One card of the models screen.
fn card(page: &Page, service: &str) -> String {
    let screen = screen(page);
    let begin = screen
        .find(&format!("role=\"group\" aria-label=\"{service}\""))
        .unwrap();
    let rest = &screen[begin..];
    rest.split_once("<div role=\"group\"")
        .map_or(rest, |(card, _)| card)
        .to_owned()
}

#[test]
fn models_without_any_key() {
    insta::assert_snapshot!(screen(&page("#/models")));
}

#[test]
fn a_card_with_a_key_that_is_being_tested() {
    let page = models(Wish::Test("openai", String::new()));
    insta::assert_snapshot!(card(&page, "OpenAI"));
}

#[test]
fn a_card_with_its_models_listed() {
    let mut page = models(Wish::Cancel("openai"));
    let model = |id: &str| Listed {
        id: id.into(),
        label: id.into(),
        ..Listed::default()
    };
    let priced = Listed {
        label: "Small".into(),
        price: Some(Price {
            input: 1.25,
            output: 10.0,
            ..Price::default()
        }),
        tools: Some(false),
        context: Some(128_000),
        ..model("gpt-small")
    };
    let cards = &mut std::sync::Arc::make_mut(&mut page.models.view).cards;
    let card = cards.iter_mut().find(|card| card.service.word == "openai");
    card.unwrap().listed = std::sync::Arc::new(vec![model("a <b>"), priced]);
    insta::assert_snapshot!(self::card(&page, "OpenAI"));
}

#[test]
fn a_card_that_asks_whether_its_key_may_go_elsewhere() {
    let mut page = models(Wish::Address("openai", "proxy.example".into()));
    page.intend(
        Millis(2_000),
        Intent::Models(Wish::Choose("openai:m@low".into())),
    );
    insta::assert_snapshot!(card(&page, "OpenAI"));
    assert!(screen(&page).contains("the key of OpenAI is for api.openai.com"));
}

#[test]
fn hostile_words_stay_words() {
    let mut page = page("#/t/builtin/first");
    page.run = finished(&page);
    page.run_place = Some((Place::Builtin, "first".into()));
    let html = html(&page);
    assert!(!html.contains("<img"), "{html}");
    assert!(!html.contains("href=\"javascript"), "{html}");
}

/// The run bar with a model of a service, once the prices are here.
fn run_bar(model: &str, with_key: bool) -> String {
    let mut page = page("#/t/builtin/first");
    let list = include_str!("../../data/prices/prices.json");
    page.prices.list = crate::provider::prices::Prices::parse(list).map(std::sync::Arc::new);
    if with_key {
        page.report(
            Millis(2_000),
            Fact::Keys(vec![KeyState {
                slot: "anthropic",
                held: true,
                origin: "https://api.anthropic.com".into(),
                ..KeyState::default()
            }]),
        );
    }
    page.intend(
        Millis(3_000),
        Intent::Models(Wish::Choose(model.to_owned())),
    );
    let html = screen(&page);
    let lines = html.lines().skip_while(|line| !line.contains("run-bar"));
    let lines = lines.take_while(|line| !line.contains("class=\"now\""));
    let is_offer = |line: &&str| !line.starts_with("<option") && *line != "</option>";
    lines.filter(is_offer).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_bar_with_a_model_whose_price_is_known() {
    insta::assert_snapshot!(run_bar("anthropic:claude-opus-5-5@high", true));
}

#[test]
fn a_run_bar_with_a_model_without_a_key_or_without_a_price() {
    let without_key = run_bar("anthropic:claude-opus-5-5", false);
    assert!(without_key.contains("aria-describedby=\"run-model-note\""));
    insta::assert_snapshot!(format!(
        "{without_key}\n\n{}",
        run_bar("ollama:gpt-oss:20b", false)
    ));
}
