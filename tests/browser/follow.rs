//! The transcript on the mounted page: it follows its end, lets a reader go, and sets words once.

use super::{pause, until};
use quayside::app::{App, Fact, Intent, PageFacts, Place, Route};
use quayside::chat::{Delta, Turn};
use quayside::rollout::{Event, Message};
use quayside::settings::Limits;
use quayside::ui::{self, Dispatch, State};
use quayside::wire::Millis;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlInputElement};

const NOW: Millis = Millis(1_900_000_000_000);
const WORDS: &str = "Some **strong** words of a turn.\n\n";

/// A workbench with a run whose events come from the test.
struct Page {
    app: Rc<RefCell<App>>,
    state: State,
    place: Element,
}

impl Page {
    async fn new() -> Self {
        let mut app = App::default();
        app.report(NOW, Fact::Page(PageFacts::default()));
        let task = app.catalog.first.task_id.clone();
        let place = Place::Builtin;
        let route = Route::Workbench { place, task };
        app.report(NOW, Fact::Fragment(route.fragment()));
        let limits = Limits::default();
        let instructions = None;
        let run = Intent::Run {
            model: "demo:planner".into(),
            limits,
            instructions,
        };
        app.intend(NOW, run);
        let document = web_sys::window().unwrap().document().unwrap();
        let place = document.create_element("div").unwrap();
        let style = document.create_element("style").unwrap();
        style.set_text_content(Some(concat!(
            include_str!("../../style/reset.css"),
            include_str!("../../style/workbench.css"),
            // Whatever the window's size.
            ".transcript { max-block-size: 300px; overflow-y: auto; }"
        )));
        let inside = document.create_element("div").unwrap();
        place.append_child(&style).unwrap();
        place.append_child(&inside).unwrap();
        document.body().unwrap().append_child(&place).unwrap();
        let state = Rc::new(Cell::new(None));
        let made = state.clone();
        leptos::mount::mount_to(inside.unchecked_into(), move || {
            let state = State::new();
            made.set(Some(state));
            leptos::prelude::provide_context(state);
            leptos::prelude::provide_context(Dispatch::new(|_| ()));
            ui::App()
        })
        .forget();
        let page = Self {
            app: Rc::new(RefCell::new(app)),
            state: state.get().unwrap(),
            place,
        };
        page.show(&Event::TurnBegan(1)).await;
        page.show(&text(&WORDS.repeat(40))).await;
        page
    }

    /// Lets something happen, and the page paint it.
    async fn show(&self, event: &Event) {
        self.app.borrow_mut().run.model.apply(NOW, event);
        self.state.publish(&self.app.borrow());
        pause(80).await;
    }

    fn find(&self, selector: &str) -> Element {
        self.place.query_selector(selector).unwrap().unwrap()
    }

    fn list(&self) -> Element {
        self.find(".transcript")
    }

    /// Pixels below what is seen.
    fn left(&self) -> i32 {
        let list = self.list();
        list.scroll_height() - list.client_height() - list.scroll_top()
    }

    /// Whether the box "Follow the run" is ticked.
    fn follows(&self) -> bool {
        self.find(".run-actions input")
            .unchecked_into::<HtmlInputElement>()
            .checked()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.place.remove();
    }
}

fn text(words: &str) -> Event {
    Event::Streamed(Delta::Text(words.to_owned()))
}

#[wasm_bindgen_test]
async fn the_transcript_stays_at_its_end_while_it_grows() {
    let page = Page::new().await;
    for _ in 0..5 {
        page.show(&text(&WORDS.repeat(5))).await;
        assert!(
            page.list().scroll_top() > 0 && page.left() <= 1,
            "{}",
            page.left()
        );
    }
    assert!(page.follows());
}

#[wasm_bindgen_test]
async fn a_reader_who_goes_up_a_few_pixels_is_let_go_and_stays_where_he_is() {
    let page = Page::new().await;
    page.list().set_scroll_top(page.list().scroll_top() - 6);
    until(|| !page.follows()).await;
    let (place, height) = (page.list().scroll_top(), page.list().scroll_height());
    for _ in 0..5 {
        page.show(&text(&WORDS.repeat(5))).await;
    }
    assert!(page.list().scroll_height() > height);
    assert_eq!(page.list().scroll_top(), place);
    assert!(!page.follows());
}

#[wasm_bindgen_test]
async fn whoever_comes_back_to_the_end_is_taken_along_again() {
    let page = Page::new().await;
    page.list().set_scroll_top(40);
    until(|| !page.follows()).await;
    page.show(&text(&WORDS.repeat(5))).await;
    assert_eq!(page.list().scroll_top(), 40);
    page.list().set_scroll_top(page.list().scroll_height());
    until(|| page.follows()).await;
    page.show(&text(&WORDS.repeat(5))).await;
    assert!(page.left() <= 1, "{}", page.left());
}

#[wasm_bindgen_test]
async fn the_box_lets_go_and_takes_along_too() {
    let page = Page::new().await;
    page.find(".run-actions input")
        .unchecked_into::<HtmlInputElement>()
        .click();
    let place = page.list().scroll_top();
    page.show(&text(&WORDS.repeat(5))).await;
    assert_eq!(page.list().scroll_top(), place);
    page.find(".run-actions input")
        .unchecked_into::<HtmlInputElement>()
        .click();
    until(|| page.left() <= 1).await;
}

#[wasm_bindgen_test]
async fn words_are_set_once_and_stay_when_the_turn_is_complete() {
    let page = Page::new().await;
    page.show(&text("The **last** words.")).await;
    assert_eq!(
        page.find(".turn .plain").text_content().unwrap(),
        "The **last** words."
    );
    let first = page.find(".turn strong");
    let turn = Turn {
        text: format!("{}The **last** words.", WORDS.repeat(40)),
        ..Turn::default()
    };
    page.show(&Event::Said(Message::assistant(&turn))).await;
    assert!(first.is_connected() && page.find(".turn strong") == first);
    let words = page.find(".turn").text_content().unwrap();
    assert_eq!(
        (words.matches("strong").count(), words.contains("**")),
        (40, false),
        "{words}"
    );
    assert_eq!(page.find(".turn .plain").text_content().unwrap(), "");
}

#[wasm_bindgen_test]
async fn arguments_on_their_way_show_their_end_and_how_long_they_are() {
    let page = Page::new().await;
    for number in 0..200 {
        let name = (number == 0).then(|| "check_plan".to_owned());
        let arguments = format!("{{\"ship\": {number}}}, ");
        let index = 0;
        let delta = Delta::Call {
            index,
            name,
            arguments,
        };
        page.app
            .borrow_mut()
            .run
            .model
            .apply(NOW, &Event::Streamed(delta));
    }
    page.show(&text("x")).await;
    let call = page.find(".call").text_content().unwrap();
    assert!(
        call.contains("check_plan") && call.contains("{\"ship\": 199}"),
        "{call}"
    );
    assert!(
        call.contains("2,890 characters") && call.len() < 700,
        "{call}"
    );
}
