//! Dialogues with the page's state: facts and intents in, orders looked at, time passing by hand.

use super::intent::{KeyOrder, KeyState};
use super::kept::{RUNNING, RUNNING_ELSEWHERE, Wish};
use super::*;
use crate::store::tabs::{Call, SILENCE, Word};
use crate::store::{Imported, Room, StoreAnswer};
use crate::wire::{Effect, HttpEvent, Input, SocketId};

/// A browser made of nothing but a clock: it answers waits when their time comes.
pub(crate) struct Page {
    pub(crate) app: App,
    now: Millis,
    waits: Vec<(Millis, TimerId)>,
    /// Everything else that was ordered, in order.
    pub(crate) orders: Vec<Order>,
}

impl Page {
    pub(crate) fn new(facts: PageFacts) -> Self {
        let mut page = Self {
            app: App::default(),
            now: Millis(1_900_000_000_000),
            waits: Vec::new(),
            orders: Vec::new(),
        };
        page.report(Fact::Page(facts));
        page
    }

    pub(crate) fn report(&mut self, fact: Fact) {
        let orders = self.app.report(self.now, fact);
        self.take(orders);
    }

    pub(crate) fn intend(&mut self, intent: Intent) {
        let orders = self.app.intend(self.now, intent);
        self.take(orders);
    }

    fn take(&mut self, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Wire(Effect::Wait(timer, length)) => {
                    self.waits.push((Millis(self.now.0 + length.0), timer));
                }
                Order::Wire(Effect::CancelWait(timer)) => {
                    self.waits.retain(|(_, waiting)| *waiting != timer);
                }
                other => self.orders.push(other),
            }
        }
    }

    /// Lets the next wait end; false when there is none.
    pub(crate) fn turn(&mut self) -> bool {
        let next = self
            .waits
            .iter()
            .enumerate()
            .min_by_key(|(_, (at, timer))| (*at, *timer));
        let Some((index, _)) = next else { return false };
        let (at, timer) = self.waits.remove(index);
        self.now = self.now.max(at);
        self.report(Fact::Wire(Input::Timer(timer)));
        true
    }

    /// Lets time pass until `done`, for a bounded number of turns.
    pub(crate) fn until(&mut self, done: impl Fn(&App) -> bool) {
        for _ in 0..200_000 {
            if done(&self.app) {
                return;
            }
            assert!(self.turn(), "nothing is waited for, and it is not done");
        }
        panic!("it never came to that");
    }

    fn opened(&self) -> Vec<(SocketId, String)> {
        self.orders
            .iter()
            .filter_map(|order| match order {
                Order::Wire(Effect::Open(id, url)) => Some((*id, url.clone())),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn puts(&self) -> Vec<&Kept> {
        self.orders
            .iter()
            .filter_map(|order| match order {
                Order::Store(StoreOrder::Put(kept)) => Some(&**kept),
                _ => None,
            })
            .collect()
    }

    /// On the workbench of the task that came with the page.
    fn at_first_task() -> Self {
        let mut page = Self::new(PageFacts::default());
        let task = page.app.catalog.first.task_id.clone();
        page.intend(Intent::Go(Route::Workbench {
            place: Place::Builtin,
            task,
        }));
        page
    }
}

/// Runs a model with the default limits.
fn run_of(model: &str) -> Intent {
    Intent::Run {
        model: model.to_owned(),
        limits: Limits::default(),
        instructions: None,
    }
}

/// The list of what is kept.
fn rollouts() -> Route {
    Route::Rollouts {
        filter: String::new(),
    }
}

fn run() -> Intent {
    run_of(runner::PLANNER)
}

#[test]
fn the_page_begins_with_the_demonstration_and_the_list_of_what_is_kept() {
    let mut page = Page::new(PageFacts::default());
    assert!(page.orders.contains(&Order::Store(StoreOrder::List)));
    assert!(page.app.demo.playing);
    page.until(|app| !app.demo.playing);
    let card = page
        .app
        .demo
        .runner
        .model
        .grade_card()
        .expect("the demonstration is over");
    assert!(card.submitted && card.feasible == Some(true), "{card:?}");
    assert!(
        matches!(card.recomputed, crate::view::GradeCheck::Same(_)),
        "{card:?}"
    );
    assert_eq!(page.app.demo.step, page.app.demo.last_step());
    // It is over within five seconds of the page's clock, and is not kept.
    assert!(page.now.0 - 1_900_000_000_000 < 5_000);
    assert_eq!(page.puts().len(), 0);
}

#[test]
fn with_reduced_motion_the_newest_step_is_shown_and_nothing_plays() {
    let mut page = Page::new(PageFacts {
        reduced_motion: true,
        ..PageFacts::default()
    });
    page.until(|app| app.demo.runner.model.grade_card().is_some());
    assert!(!page.app.demo.playing);
    assert_eq!(page.app.demo.step, page.app.demo.last_step());
    page.intend(Intent::ShowDemoStep(0));
    assert_eq!(page.app.demo.step, 0);
    page.intend(Intent::PlayDemoSteps);
    page.until(|app| !app.demo.playing);
    assert_eq!(page.app.demo.step, page.app.demo.last_step());
}

#[test]
fn a_run_is_kept_after_every_event_and_guards_the_page_while_it_goes_on() {
    let mut page = Page::at_first_task();
    page.intend(run());
    assert!(page.orders.contains(&Order::GuardClose(true)));
    page.until(|app| !app.run.is_running());
    assert_eq!(page.orders.last(), Some(&Order::GuardClose(false)));
    let puts = page.puts();
    assert!(puts.len() > 5);
    assert!(
        puts.iter()
            .all(|kept| kept.id == puts[0].id && kept.server == "builtin")
    );
    assert_eq!(puts[0].record.end_reason, None);
    let last = puts.last().unwrap();
    assert_eq!(last.record.end_reason.as_deref(), Some("submitted"));
    assert!(last.record.reward > 0.9);
}

#[test]
fn stop_at_every_moment_ends_the_run_at_once_and_for_good() {
    for moment in 0..60 {
        let mut page = Page::at_first_task();
        page.intend(run());
        for _ in 0..moment {
            if page.app.run.is_running() {
                page.turn();
            }
        }
        if !page.app.run.is_running() {
            break;
        }
        page.intend(Intent::Stop);
        assert!(!page.app.run.is_running());
        let record = page.app.run.model.rollout.record.clone();
        assert_eq!(record.end_reason.as_deref(), Some("stopped"));
        for _ in 0..50 {
            page.turn();
        }
        assert_eq!(
            page.app.run.model.rollout.record, record,
            "after {moment} turns"
        );
    }
}

#[test]
fn a_link_that_names_a_server_opens_nothing_until_a_person_allows_it() {
    let mut page = Page::new(PageFacts::default());
    let address = "wss://play.example.org/ws";
    page.report(Fact::Fragment(
        "#/t/wss%3A%2F%2Fplay.example.org%2Fws/quay-1".into(),
    ));
    page.intend(run());
    for _ in 0..20 {
        page.turn();
    }
    assert_eq!(page.opened(), []);
    page.intend(Intent::AllowServer(address.into()));
    page.intend(run());
    let opened = page.opened();
    assert_eq!(
        opened
            .iter()
            .map(|(_, url)| url.as_str())
            .collect::<Vec<_>>(),
        [address]
    );
    page.intend(Intent::Stop);
    assert!(
        page.orders
            .contains(&Order::Wire(Effect::Close(opened[0].0)))
    );
}

#[test]
fn a_server_in_a_link_has_one_form_whatever_stands_there() {
    for text in [
        "http://h.example:1/x",
        "ws://u:p@h.example:1/x/ws/?token=s",
        "ws://h.example:1/x",
    ] {
        let mut page = Page::new(PageFacts::default());
        let place = Place::Server(text.into());
        let link = Route::Workbench {
            place,
            task: "t".into(),
        }
        .fragment();
        page.report(Fact::Fragment(link));
        let place = Place::Server("ws://h.example:1/x/ws".into());
        assert_eq!(
            page.app.route,
            Route::Workbench {
                place,
                task: "t".into()
            },
            "{text}"
        );
        assert!(
            page.orders
                .contains(&Order::Fragment(page.app.route.fragment()))
        );
        page.intend(Intent::AllowServer("ws://h.example:1/x/ws".into()));
        page.intend(run());
        assert_eq!(page.opened().len(), 1, "{text}");
    }
    for text in ["javascript:alert(1)", "not a url", " ", "OWNER/NAME"] {
        let mut page = Page::new(PageFacts::default());
        let place = Place::Server(text.into());
        page.report(Fact::Fragment(
            Route::Workbench {
                place,
                task: "t".into(),
            }
            .fragment(),
        ));
        assert!(matches!(page.app.route, Route::Unknown(_)), "{text}");
    }
}

#[test]
fn a_second_run_does_not_begin_while_one_goes_on() {
    let mut page = Page::at_first_task();
    page.intend(run());
    let id = page.app.run.model.rollout.record.episode_id.clone();
    page.intend(run());
    assert_eq!(page.app.run.model.rollout.record.episode_id, id);
    assert!(page.app.run.is_running());
}

#[test]
fn a_run_that_goes_on_is_listed_as_running_and_stays_deleted() {
    let mut page = Page::at_first_task();
    page.intend(run());
    let kept = page.puts().last().map(|kept| (*kept).clone()).unwrap();
    page.report(Fact::Stored(StoreAnswer::Listed(vec![kept.row()])));
    assert_eq!(page.app.saved.as_ref().unwrap()[0].end_reason, RUNNING);
    page.intend(Intent::Go(Route::Rollout {
        id: kept.id.clone(),
        look: Look::default(),
    }));
    page.report(Fact::Stored(StoreAnswer::Got(
        kept.id.clone(),
        Some(Box::new(kept.clone())),
    )));
    assert_eq!(page.app.opened.model.rollout.record.end_reason, None);
    page.intend(Intent::Kept(Wish::Delete(kept.id.clone())));
    assert!(!page.app.run.is_running());
    let deleted = page
        .orders
        .iter()
        .rposition(|order| *order == Order::Store(StoreOrder::Delete(vec![kept.id.clone()])));
    let put = page
        .orders
        .iter()
        .rposition(|order| matches!(order, Order::Store(StoreOrder::Put(_))));
    assert!(deleted > put, "nothing is kept again after the deletion");
}

#[test]
fn a_rollout_opened_before_the_pack_is_graded_when_it_comes() {
    let mut done = Page::at_first_task();
    done.intend(run());
    done.until(|app| !app.run.is_running());
    let mut kept = done.puts().last().map(|kept| (*kept).clone()).unwrap();
    kept.record.task_id = "second".into();
    let mut page = Page::new(PageFacts::default());
    page.intend(Intent::Go(Route::Rollout {
        id: kept.id.clone(),
        look: Look::default(),
    }));
    page.report(Fact::Stored(StoreAnswer::Got(
        kept.id.clone(),
        Some(Box::new(kept)),
    )));
    let recomputed = |page: &Page| page.app.opened.model.grade_card().unwrap().recomputed;
    assert_eq!(recomputed(&page), crate::view::GradeCheck::NotRecomputed);
    let call = page.orders.iter().find_map(|order| match order {
        Order::Wire(Effect::Fetch(call, _)) => Some(*call),
        _ => None,
    });
    let first = include_str!("../../data/tasks/first.json").replacen("\"first\"", "\"second\"", 1);
    let pack = format!("{{\"version\":1,\"port\":\"p\",\"tasks\":[{first}]}}");
    for event in [
        HttpEvent::Head {
            status: 200,
            headers: crate::wire::Headers::default(),
        },
        HttpEvent::Bytes(pack.into_bytes()),
        HttpEvent::End,
    ] {
        page.report(Fact::Wire(Input::Http(call.unwrap(), event)));
    }
    assert!(matches!(
        recomputed(&page),
        crate::view::GradeCheck::Same(_)
    ));
}

#[test]
fn a_run_that_the_page_left_is_shown_as_interrupted() {
    let mut page = Page::at_first_task();
    page.intend(run());
    let kept = page.puts().last().map(|kept| (*kept).clone()).unwrap();
    let id = kept.id.clone();
    let mut again = Page::new(PageFacts::default());
    again.intend(Intent::Go(Route::Rollout {
        id: id.clone(),
        look: Look::default(),
    }));
    assert!(
        again
            .orders
            .contains(&Order::Store(StoreOrder::Get(id.clone())))
    );
    again.report(Fact::Stored(StoreAnswer::Got(id, Some(Box::new(kept)))));
    let record = &again.app.opened.model.rollout.record;
    assert_eq!(record.end_reason.as_deref(), Some("interrupted"));
}

#[test]
fn a_reload_in_the_middle_of_a_run_says_where_it_is() {
    let mut page = Page::at_first_task();
    page.intend(run());
    let kept = page.puts().last().map(|kept| (*kept).clone()).unwrap();
    let after_reload = || {
        let mut again = Page::at_first_task();
        again.report(Fact::Stored(StoreAnswer::Listed(vec![kept.row()])));
        again.until(|app| app.notice.is_some());
        let notice = again.app.notice.as_ref();
        assert!(notice.is_some_and(|notice| notice.text.contains("cut off")));
        again
    };
    let mut left = after_reload();
    left.intend(Intent::Go(rollouts()));
    assert_eq!(left.app.notice, None, "it is about another screen's task");
    let mut again = after_reload();
    again.intend(run());
    assert_eq!(again.app.notice, None, "it is not the last run any more");
    let mut other = Page::new(PageFacts::default());
    other.report(Fact::Stored(StoreAnswer::Listed(vec![kept.row()])));
    other.until(|app| app.demo.finished);
    assert_eq!(other.app.notice, None, "only where the person left it");
}

#[test]
fn a_rollout_that_is_not_on_this_device_is_said_to_be_missing() {
    let mut page = Page::new(PageFacts::default());
    page.intend(Intent::Go(Route::Rollout {
        id: "nowhere".into(),
        look: Look::default(),
    }));
    page.report(Fact::Stored(StoreAnswer::Got("nowhere".into(), None)));
    assert!(page.app.not_found);
}

#[test]
fn when_the_pack_does_not_come_the_first_task_stays_and_the_reason_is_shown() {
    let mut page = Page::new(PageFacts::default());
    page.intend(Intent::Go(Route::Tasks {
        filter: String::new(),
    }));
    let call = page.orders.iter().find_map(|order| match order {
        Order::Wire(Effect::Fetch(call, request)) => Some((*call, request.url.clone())),
        _ => None,
    });
    let (call, url) = call.expect("the pack is asked for");
    assert_eq!(url, "tasks/pack.json");
    let head = HttpEvent::Head {
        status: 404,
        headers: crate::wire::Headers::default(),
    };
    page.report(Fact::Wire(Input::Http(call, head)));
    page.report(Fact::Wire(Input::Http(call, HttpEvent::End)));
    let view = page.app.catalog.view();
    assert_eq!(view.builtin.len(), 1);
    assert!(matches!(&view.pack, catalog::PackState::Failed(reason) if reason.contains("404")));
}

#[test]
fn ids_of_two_runs_are_twelve_hex_digits_and_differ() {
    let mut app = App::default();
    let ids = [app.episode_id(), app.episode_id()];
    assert_ne!(ids[0], ids[1]);
    for id in ids {
        assert!(
            id.len() == 12 && id.chars().all(|digit| digit.is_ascii_hexdigit()),
            "{id}"
        );
    }
}

#[test]
fn a_task_can_be_named_by_id_by_split_and_position_or_not_at_all() {
    assert_eq!(task_ref(""), TaskRef::Unnamed);
    assert_eq!(task_ref("quay-1"), TaskRef::Id("quay-1".into()));
    assert_eq!(
        task_ref("train#3"),
        TaskRef::Index {
            split: "train".into(),
            index: 3
        }
    );
    assert_eq!(task_ref("odd#name"), TaskRef::Id("odd#name".into()));
}

/// Answers an exchange with one body.
fn answer(page: &mut Page, url: &str, status: u16, body: &str) {
    let call = page.orders.iter().rev().find_map(|order| match order {
        Order::Wire(Effect::Fetch(call, request)) if request.url == url => Some(*call),
        _ => None,
    });
    let head = HttpEvent::Head {
        status,
        headers: crate::wire::Headers::default(),
    };
    for event in [
        head,
        HttpEvent::Bytes(body.as_bytes().to_vec()),
        HttpEvent::End,
    ] {
        page.report(Fact::Wire(Input::Http(
            call.expect("it is asked for"),
            event,
        )));
    }
}

const PRICES: &str = include_str!("../../data/prices/prices.json");

/// On the workbench of the first task, with a key for the service of a model.
fn at_first_task_with(model: &str) -> Page {
    let mut page = Page::at_first_task();
    let service = model.parse::<crate::settings::ModelSpec>().unwrap().service;
    page.report(Fact::Keys(vec![intent::KeyState {
        slot: service.word,
        held: true,
        origin: models::address::origin(service.base).to_owned(),
        ..intent::KeyState::default()
    }]));
    page
}

/// Requests to a service, with their bodies.
fn asked(page: &Page) -> Vec<(String, serde_json::Value)> {
    page.orders
        .iter()
        .filter_map(|order| match order {
            Order::Wire(Effect::Fetch(_, request)) if request.body.is_some() => {
                Some((request.url.clone(), request.body.clone().unwrap()))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn prices_are_fetched_for_the_workbench_and_never_for_the_start_screen() {
    let wants = |page: &Page| {
        let fetches = page.orders.iter().filter(|order| {
            matches!(order, Order::Wire(Effect::Fetch(_, request)) if request.url == "prices/prices.json")
        });
        fetches.count()
    };
    let mut page = Page::new(PageFacts::default());
    page.until(|app| !app.demo.playing);
    assert_eq!(wants(&page), 0);
    let mut page = Page::at_first_task();
    assert_eq!(wants(&page), 1);
    answer(&mut page, "prices/prices.json", 200, PRICES);
    assert!(page.app.prices.list.is_some());
    page.intend(Intent::Go(Route::Start));
    let route = page.app.catalog.first.task_id.clone();
    page.intend(Intent::Go(Route::Workbench {
        place: Place::Builtin,
        task: route,
    }));
    assert_eq!(wants(&page), 1, "once is enough");
}

#[test]
fn a_model_of_a_service_is_asked_at_its_address_under_its_name() {
    let mut page = at_first_task_with("openai:gpt-4o-2024-05-13@high");
    answer(&mut page, "prices/prices.json", 200, PRICES);
    page.intend(run_of("openai:gpt-4o-2024-05-13@high"));
    page.until(|app| !asked_of(app).is_empty());
    assert_eq!(asked_of(&page.app), "openai:gpt-4o-2024-05-13@high");
    while asked(&page).is_empty() && page.turn() {}
    let (url, body) = asked(&page).remove(0);
    assert!(url.starts_with("https://api.openai.com/v1/"), "{url}");
    assert_eq!(body["model"], "gpt-4o-2024-05-13");
    // The model writes no more than this, whatever the limit allows.
    assert_eq!(page.app.run.model.limits.unwrap().tokens, 4_096);
    assert_eq!(
        page.app.models.view.choices.before,
        ["openai:gpt-4o-2024-05-13@high"]
    );
    page.intend(Intent::Stop);
    let status = page.app.run.model.status(page.now);
    assert_eq!(status.money, "at least $0.00 in all");
}

fn asked_of(app: &App) -> String {
    app.run.model.rollout.record.model.clone()
}

#[test]
fn a_wrong_model_and_a_service_without_a_key_begin_nothing() {
    for model in [
        "",
        "gpt-5",
        "openai:",
        "openai:gpt-5.6",
        "scripted:x",
        "vllm:m",
    ] {
        let mut page = Page::at_first_task();
        answer(&mut page, "prices/prices.json", 200, PRICES);
        page.intend(run_of(model));
        assert!(!page.app.run.is_running(), "{model}");
        assert_eq!(page.puts().len(), 0, "{model}");
    }
}

#[test]
fn a_run_waits_for_the_price_list_and_then_begins_by_itself() {
    let mut page = at_first_task_with("openai:gpt-5.6");
    page.intend(run_of("openai:gpt-5.6"));
    assert!(!page.app.run.is_running());
    answer(&mut page, "prices/prices.json", 200, PRICES);
    assert!(page.app.run.is_running());
    assert!(page.app.run.model.bill.tariff.price().is_some());
}

#[test]
fn a_run_goes_on_without_a_price_list_that_does_not_come() {
    let mut page = at_first_task_with("openai:gpt-5.6");
    page.intend(run_of("openai:gpt-5.6"));
    answer(&mut page, "prices/prices.json", 404, "");
    assert!(page.app.run.is_running());
    assert_eq!(page.app.run.model.status(page.now).money, "price not known");
}

#[test]
fn another_screen_or_stop_takes_back_a_run_that_waits() {
    for intent in [Intent::Stop, Intent::Go(Route::Start)] {
        let mut page = at_first_task_with("openai:gpt-5.6");
        page.intend(run_of("openai:gpt-5.6"));
        page.intend(intent);
        answer(&mut page, "prices/prices.json", 200, PRICES);
        assert!(!page.app.run.is_running());
    }
}

#[test]
fn limits_are_remembered_once_they_changed() {
    let mut page = Page::at_first_task();
    let mut limits = page.app.models.view.choices.limits;
    let remembered = |page: &Page| {
        let orders = page.orders.iter();
        orders
            .filter(|order| matches!(order, Order::Remember(_)))
            .count()
    };
    page.intend(Intent::Limit(limits));
    assert_eq!(remembered(&page), 0);
    limits.turns = 3;
    page.intend(Intent::Limit(limits));
    assert_eq!(remembered(&page), 1);
    let choices = page.app.models.view.choices.clone();
    let again = Page::new(PageFacts {
        choices,
        ..PageFacts::default()
    });
    assert_eq!(again.app.models.view.choices.limits.turns, 3);
}

#[test]
fn models_to_choose_from_are_those_that_can_run() {
    let prices = crate::provider::prices::Prices::parse(PRICES);
    let offers = |page: &Page| choice::offers(&page.app.models.view, prices.as_ref());
    let mut page = Page::at_first_task();
    assert_eq!(offers(&page), ["demo:planner"]);
    std::sync::Arc::make_mut(&mut page.app.models.view)
        .choices
        .ran("vllm:m");
    assert_eq!(offers(&page), ["demo:planner", "vllm:m"]);
    let page = at_first_task_with("openai:x");
    let offers = offers(&page);
    assert!(offers.contains(&"openai:gpt-5.6".to_owned()));
    assert!(!offers.iter().any(|offer| offer.starts_with("anthropic:")));
}

fn brought(page: &mut Page) -> Vec<Part> {
    let orders = std::mem::take(&mut page.orders);
    let part = |order| match order {
        Order::Bring(part) => Some(part),
        _ => None,
    };
    orders.into_iter().filter_map(part).collect()
}

fn in_parts() -> Page {
    Page::new(PageFacts {
        in_parts: true,
        ..PageFacts::default()
    })
}

#[test]
fn the_other_screens_come_after_the_demonstration_or_when_one_is_opened() {
    let mut page = in_parts();
    page.until(|app| app.demo.playing && app.demo.step > 0);
    assert_eq!(
        brought(&mut page),
        [],
        "nothing keeps the demonstration waiting"
    );
    page.until(|app| app.demo.finished);
    page.turn();
    assert_eq!(brought(&mut page), [Part::Screens]);

    let mut page = in_parts();
    page.intend(Intent::Go(Route::Connect));
    page.intend(Intent::Go(rollouts()));
    assert_eq!(brought(&mut page), [Part::Screens], "asked for once");
    page.report(Fact::Brought(Part::Screens, false));
    assert_eq!(page.app.parts.presence(Part::Screens), Presence::Failed);
    page.intend(Intent::Bring(Part::Screens));
    page.report(Fact::Brought(Part::Screens, true));
    assert_eq!(page.app.parts.presence(Part::Screens), Presence::Here);
    page.intend(Intent::Go(Route::Connect));
    page.intend(Intent::Go(Route::Models));
    assert_eq!(brought(&mut page), [Part::Screens, Part::Models]);
}

/// On the workbench of a page in parts, with a server of the person's own to ask.
fn with_a_model_of_ones_own() -> Page {
    let mut page = in_parts();
    let task = page.app.catalog.first.task_id.clone();
    page.intend(Intent::Models(models::Wish::Address(
        "vllm",
        "http://localhost:8000".into(),
    )));
    page.intend(Intent::Go(Route::Workbench {
        place: Place::Builtin,
        task,
    }));
    page.report(Fact::Brought(Part::Screens, true));
    let prices = page.orders.iter().find_map(|order| match order {
        Order::Wire(Effect::Fetch(id, request)) if request.url.contains("prices") => Some(*id),
        _ => None,
    });
    let failed = HttpEvent::Failed(crate::wire::FetchFailure::Unreachable);
    page.report(Fact::Wire(Input::Http(prices.unwrap(), failed)));
    assert_eq!(
        brought(&mut page),
        [Part::Screens],
        "the planner needs no more"
    );
    page
}

#[test]
fn a_run_waits_for_the_part_that_asks_its_model() {
    let mut page = with_a_model_of_ones_own();
    page.intend(run_of("vllm:loader"));
    assert!(!page.app.run.is_running());
    assert_eq!(brought(&mut page), [Part::Models]);
    page.report(Fact::Brought(Part::Models, true));
    assert!(page.app.run.is_running());
}

#[test]
fn a_part_that_does_not_come_ends_the_waiting_with_a_next_step() {
    let mut page = with_a_model_of_ones_own();
    page.intend(run_of("vllm:loader"));
    page.report(Fact::Brought(Part::Models, false));
    assert!(!page.app.run.is_running());
    let notice = page.app.notice.clone().unwrap();
    assert!(
        notice.bad && notice.text.contains("Try again"),
        "{notice:?}"
    );
    page.report(Fact::Brought(Part::Screens, true));
    assert!(
        !page.app.run.is_running(),
        "it is not begun behind one's back"
    );
    page.intend(run_of("vllm:loader"));
    page.report(Fact::Brought(Part::Models, true));
    assert!(page.app.run.is_running());
}

#[test]
fn stop_ends_the_waiting_for_a_part() {
    let mut page = with_a_model_of_ones_own();
    page.intend(run_of("vllm:loader"));
    page.intend(Intent::Stop);
    page.report(Fact::Brought(Part::Models, true));
    assert!(!page.app.run.is_running());
}

#[test]
fn an_opened_rollout_is_reckoned_at_list_prices_and_a_list_that_does_not_come_is_asked_for_once() {
    let mut page = Page::new(PageFacts::default());
    let record = crate::rollout::Record {
        model: "anthropic:claude-sonnet-5-5".into(),
        ..Default::default()
    };
    page.intend(Intent::Go(Route::Rollout {
        id: "a".into(),
        look: Look::default(),
    }));
    let kept = Kept {
        id: "a".into(),
        server: "builtin".into(),
        record,
        ..Kept::default()
    };
    page.report(Fact::Stored(StoreAnswer::Got(
        "a".into(),
        Some(Box::new(kept)),
    )));
    let asked = |page: &Page| {
        let list = |order: &&Order| matches!(order, Order::Wire(Effect::Fetch(_, request)) if request.url.contains("prices"));
        page.orders.iter().filter(list).count()
    };
    assert_eq!(asked(&page), 1);
    let call = page.orders.iter().find_map(|order| match order {
        Order::Wire(Effect::Fetch(id, request)) if request.url.contains("prices") => Some(*id),
        _ => None,
    });
    let failed = HttpEvent::Failed(crate::wire::FetchFailure::Unreachable);
    page.report(Fact::Wire(Input::Http(call.unwrap(), failed)));
    assert_eq!(asked(&page), 1);
    assert_eq!(
        page.app.opened.model.status(page.now).money,
        "price not known"
    );
}

/// A page that shows a list of three, all of them over.
fn with_three() -> Page {
    let mut page = Page::new(PageFacts::default());
    page.intend(Intent::Go(rollouts()));
    // Asked for by the page's beginning and by its screen.
    for _ in 0..2 {
        page.report(Fact::Stored(StoreAnswer::Listed(three())));
    }
    page.orders.clear();
    page
}

fn three() -> Vec<KeptRow> {
    let row = |id: &str| KeptRow {
        id: id.into(),
        end_reason: "submitted".into(),
        ..KeptRow::default()
    };
    vec![row("c"), row("b"), row("a")]
}

fn listed(page: &Page) -> Vec<&str> {
    let rows = page.app.saved.iter().flatten();
    rows.map(|row| row.id.as_str()).collect()
}

/// What the page told the others, oldest first.
fn told(page: &Page) -> Vec<Word> {
    let texts = page.orders.iter().filter_map(|order| match order {
        Order::Tell(text) => Some(text),
        _ => None,
    });
    texts.map(|text| Call::parse(text).unwrap().word).collect()
}

fn say(page: &mut Page, word: Word) {
    let tab = "another".into();
    page.report(Fact::Told(Call { tab, word }.to_text()));
}

fn store(page: &Page, order: StoreOrder) -> bool {
    page.orders.contains(&Order::Store(order))
}

#[test]
fn what_was_deleted_comes_back_step_by_step_or_together() {
    let mut page = with_three();
    for id in ["a", "c"] {
        page.intend(Intent::Kept(Wish::Delete(id.into())));
        assert!(store(&page, StoreOrder::Delete(vec![id.into()])));
        page.report(Fact::Stored(StoreAnswer::Deleted(vec![id.into()])));
    }
    assert_eq!(listed(&page), ["b"]);
    assert_eq!(page.app.shelf.gone.len(), 2);
    assert!(told(&page).contains(&Word::Deleted(vec!["c".into()])));
    page.intend(Intent::Kept(Wish::Undo));
    assert!(store(&page, StoreOrder::PutBack(vec!["c".into()])));
    assert_eq!(page.app.shelf.gone.len(), 2, "not before it is back");
    page.report(Fact::Stored(StoreAnswer::Returned(vec!["c".into()])));
    assert_eq!(page.app.shelf.gone.len(), 1);
    page.intend(Intent::Kept(Wish::Delete("b".into())));
    page.report(Fact::Stored(StoreAnswer::Deleted(vec!["b".into()])));
    page.intend(Intent::Kept(Wish::UndoAll));
    let both = vec!["a".to_owned(), "b".to_owned()];
    assert!(store(&page, StoreOrder::PutBack(both.clone())));
    page.report(Fact::Stored(StoreAnswer::Returned(both)));
    assert!(page.app.shelf.gone.is_empty());
    assert_eq!(told(&page).last(), Some(&Word::Changed));
}

#[test]
fn delete_all_is_one_step_and_what_is_closed_is_forgotten() {
    let mut page = with_three();
    page.intend(Intent::Kept(Wish::DeleteAll));
    let all: Vec<String> = ["c", "b", "a"].map(str::to_owned).to_vec();
    assert!(store(&page, StoreOrder::Delete(all.clone())));
    page.report(Fact::Stored(StoreAnswer::Deleted(all.clone())));
    assert_eq!(page.app.shelf.gone.len(), 1);
    page.intend(Intent::Go(Route::Connect));
    page.intend(Intent::Go(rollouts()));
    assert_eq!(page.app.shelf.gone.len(), 1, "there is no hurry");
    page.intend(Intent::Kept(Wish::ForgetDeleted));
    assert!(store(&page, StoreOrder::Forget(all)));
    assert!(page.app.shelf.gone.is_empty());
}

#[test]
fn a_name_is_trimmed_and_kept_only_when_it_is_another() {
    let mut page = with_three();
    let rename = |name: &str| Intent::Kept(Wish::Rename("b".into(), name.into()));
    page.intend(rename("  the storm  "));
    assert!(store(
        &page,
        StoreOrder::Rename("b".into(), "the storm".into())
    ));
    assert_eq!(page.app.saved.as_ref().unwrap()[1].name, "the storm");
    page.orders.clear();
    page.intend(rename("the storm"));
    page.intend(Intent::Kept(Wish::Rename("gone".into(), "x".into())));
    assert_eq!(page.orders, []);
    page.intend(rename(&"x".repeat(500)));
    assert_eq!(page.app.saved.as_ref().unwrap()[1].name.len(), 120);
}

#[test]
fn the_filter_stands_in_the_address_and_is_no_step_back() {
    let mut page = with_three();
    page.intend(Intent::Kept(Wish::Filter("storm a".into())));
    assert_eq!(
        page.orders,
        [Order::Replace("#/rollouts?q=storm%20a".into())]
    );
    page.report(Fact::Fragment("#/rollouts?q=x".into()));
    assert_eq!(page.app.route.fragment(), "#/rollouts?q=x");
}

#[test]
fn a_list_is_ordered_once_for_all_who_ask_before_it_comes() {
    let mut page = with_three();
    let lists = |page: &Page| {
        let list = Order::Store(StoreOrder::List);
        page.orders.iter().filter(|order| **order == list).count()
    };
    for _ in 0..5 {
        say(&mut page, Word::Changed);
    }
    assert_eq!(lists(&page), 1);
    page.report(Fact::Stored(StoreAnswer::Listed(three())));
    assert_eq!(lists(&page), 2, "what changed meanwhile is not missed");
    page.report(Fact::Stored(StoreAnswer::Listed(three())));
    assert_eq!(lists(&page), 2);
    page.intend(Intent::Go(Route::Connect));
    say(&mut page, Word::Changed);
    assert_eq!(lists(&page), 2, "nobody looks at it");
}

#[test]
fn a_run_of_another_tab_is_running_there_and_cannot_be_deleted_here() {
    let mut page = with_three();
    let mut rows = three();
    rows[1].end_reason = "interrupted".into();
    say(&mut page, Word::Runs(vec!["b".into()]));
    page.report(Fact::Stored(StoreAnswer::Listed(rows)));
    let state = |page: &Page| page.app.saved.as_ref().unwrap()[1].end_reason.clone();
    assert_eq!(state(&page), RUNNING_ELSEWHERE);
    page.orders.clear();
    page.intend(Intent::Kept(Wish::Delete("b".into())));
    assert_eq!(page.orders, []);
    page.intend(Intent::Kept(Wish::DeleteAll));
    let others = vec!["c".to_owned(), "a".to_owned()];
    assert_eq!(page.orders, [Order::Store(StoreOrder::Delete(others))]);
    say(&mut page, Word::Runs(Vec::new()));
    assert_eq!(state(&page), "interrupted");
}

#[test]
fn a_tab_that_falls_silent_is_not_believed_for_ever() {
    let mut page = with_three();
    say(&mut page, Word::Runs(vec!["b".into()]));
    let state = |app: &App| app.saved.as_ref().unwrap()[1].end_reason.clone();
    assert_eq!(state(&page.app), RUNNING_ELSEWHERE);
    let began = page.now;
    page.until(|app| state(app) != RUNNING_ELSEWHERE);
    assert!(page.now.since(began) > SILENCE);
}

#[test]
fn a_run_of_another_tab_was_not_cut_off() {
    let mut first = Page::at_first_task();
    first.intend(run());
    let runs = told(&first).pop().unwrap();
    assert!(matches!(&runs, Word::Runs(ids) if ids.len() == 1));
    let kept = first.puts().last().map(|kept| (*kept).clone()).unwrap();
    let mut second = Page::at_first_task();
    assert_eq!(told(&second)[0], Word::Hello);
    first.orders.clear();
    say(&mut first, Word::Hello);
    assert_eq!(told(&first), std::slice::from_ref(&runs));
    second.report(Fact::Stored(StoreAnswer::Listed(vec![kept.row()])));
    say(&mut second, runs);
    for _ in 0..50 {
        second.turn();
    }
    assert_eq!(second.app.notice, None);
    // Shown, it is not called interrupted either; and it is fetched anew when it ends over there.
    let id = kept.id.clone();
    second.intend(Intent::Go(Route::Rollout {
        id: id.clone(),
        look: Look::default(),
    }));
    let got = StoreAnswer::Got(id.clone(), Some(Box::new(kept)));
    second.report(Fact::Stored(got));
    assert_eq!(second.app.opened.model.rollout.record.end_reason, None);
    second.orders.clear();
    say(&mut second, Word::Runs(Vec::new()));
    assert!(store(&second, StoreOrder::Get(id.clone())));
    say(&mut second, Word::Deleted(vec![id]));
    let notice = second.app.notice.as_ref().unwrap();
    assert!(notice.text.contains("deleted in another tab"));
}

#[test]
fn a_run_is_told_when_it_begins_now_and_then_and_when_it_ends() {
    let mut page = Page::at_first_task();
    page.orders.clear();
    page.intend(run());
    page.until(|app| !app.run.is_running());
    let runs: Vec<Word> = told(&page);
    assert!(matches!(&runs[0], Word::Runs(ids) if ids.len() == 1));
    assert_eq!(runs.last(), Some(&Word::Runs(Vec::new())));
    // A page that is closed in the middle says so.
    let mut page = Page::at_first_task();
    page.intend(run());
    page.report(Fact::Leaving);
    assert_eq!(told(&page).last(), Some(&Word::Runs(Vec::new())));
}

#[test]
fn a_full_disk_is_told_until_there_is_room_and_then_the_run_is_kept() {
    let mut page = Page::at_first_task();
    page.intend(run());
    page.report(Fact::Stored(StoreAnswer::Failed(StoreFailure::Full)));
    assert_eq!(page.app.unkept, Some(StoreFailure::Full));
    page.until(|app| !app.run.is_running());
    page.report(Fact::Stored(StoreAnswer::Listed(three())));
    assert_eq!(page.app.unkept, Some(StoreFailure::Full), "it can be read");
    let puts = page.puts().len();
    page.report(Fact::Stored(StoreAnswer::Deleted(vec!["a".into()])));
    assert_eq!(page.puts().len(), puts + 1);
    page.report(Fact::Stored(StoreAnswer::Changed));
    assert_eq!(page.app.unkept, None);
}

#[test]
fn an_older_tab_holds_the_list_up_and_a_newer_one_ends_it() {
    let mut page = Page::new(PageFacts::default());
    page.report(Fact::Stored(StoreAnswer::Failed(StoreFailure::Blocked)));
    assert_eq!(page.app.saved, None, "it is still to come");
    page.report(Fact::Stored(StoreAnswer::Listed(three())));
    assert_eq!((listed(&page).len(), &page.app.unkept), (3, &None));
    let mut page = Page::new(PageFacts::default());
    page.report(Fact::Stored(StoreAnswer::Failed(StoreFailure::Newer)));
    assert_eq!(page.app.saved, Some(Vec::new()));
}

#[test]
fn everything_is_saved_as_one_file_and_taken_in_again() {
    let mut page = with_three();
    page.intend(Intent::Kept(Wish::Export));
    assert_eq!(page.orders, [Order::Store(StoreOrder::GetAll)]);
    let kept = Kept {
        id: "a".into(),
        name: "mine".into(),
        server: "builtin".into(),
        saved: 5,
        ..Kept::default()
    };
    page.report(Fact::Stored(StoreAnswer::All(vec![kept.clone()])));
    let Some(Order::Download { name, text, .. }) = page.orders.pop() else {
        panic!("no file")
    };
    assert_eq!(name, "quayside-rollouts-2030-03-17.json");
    page.report(Fact::Files(vec![("all.json".into(), text.into_bytes())]));
    assert!(store(&page, StoreOrder::PutMany(vec![kept])));
    page.report(Fact::Stored(StoreAnswer::Imported(Imported {
        added: 2,
        same: 1,
        beside: 1,
        last: "a".into(),
    })));
    let notice = page.app.notice.clone().unwrap();
    assert_eq!(
        notice.text,
        "4 rollouts in the file; 2 kept here now; 1 here already, with the same content; \
         1 kept under a new id, because another rollout has theirs."
    );
    page.report(Fact::Files(vec![("x.json".into(), b"{}".to_vec())]));
    let notice = page.app.notice.clone().unwrap();
    assert!(notice.bad && notice.text.contains("x.json"), "{notice:?}");
}

#[test]
fn a_browser_that_does_not_agree_to_keep_everything_is_told_of() {
    let mut page = with_three();
    let room = |persistent| {
        Fact::Stored(StoreAnswer::Room(Room {
            used: 1,
            quota: 2,
            persistent,
        }))
    };
    page.report(room(Some(false)));
    assert!(!page.app.shelf.refused, "it was not asked");
    page.intend(Intent::Kept(Wish::Persist));
    assert!(store(&page, StoreOrder::Persist));
    page.report(room(Some(false)));
    assert!(page.app.shelf.refused);
    page.report(room(Some(true)));
    assert!(!page.app.shelf.refused);
}

#[test]
fn a_key_that_is_forgotten_in_one_page_is_forgotten_in_all() {
    let key = |slot, held| KeyState {
        slot,
        held,
        ..KeyState::default()
    };
    let forgets = |page: &Page, slot| {
        let order = Order::Keys(KeyOrder::Forget(slot));
        page.orders.contains(&order)
    };
    let mut page = with_three();
    page.report(Fact::Keys(vec![key("openai", true), key("hf", false)]));
    say(
        &mut page,
        Word::Forgot(vec!["hf".into(), "no-such-service".into()]),
    );
    assert!(!forgets(&page, "hf") && page.app.notice.is_none());
    say(&mut page, Word::Forgot(vec!["hf".into(), "openai".into()]));
    assert!(forgets(&page, "openai") && !forgets(&page, "hf"));
    assert!(page.app.notice.is_some());
    let heard = |page: &Page| told(page).contains(&Word::Forgot(vec!["openai".into()]));
    assert!(!heard(&page), "what was heard is not told again");
    page.intend(Intent::Models(models::Wish::ForgetKey("openai")));
    assert!(heard(&page));
}
