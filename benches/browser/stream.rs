//! A turn of 100,000 pieces on the mounted page: app, state, transcript, styles. Pieces come as tasks
//! of 100, as chunks of a body do; the page takes over what changed once a frame, as the driver does.
//! A frame lasts from one animation frame to the next, so everything that holds it up counts:
//! folding, publishing, effects, style, layout, paint, and the end of the turn.

use quayside::app::{App, Fact, Intent, PageFacts, Place, Route};
use quayside::chat::{Delta, ToolCall, Turn};
use quayside::platform::timer::{next_frame, soon};
use quayside::rollout::{Event, Message, Waiting};
use quayside::settings::Limits;
use quayside::ui::{self, Dispatch, State};
use quayside::wire::Millis;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

/// Pieces in all, and at most before the next frame.
const RUNS: [(usize, usize); 3] = [(20_000, 500), (100_000, 1_000), (100_000, 100_000)];
/// Pieces in one task.
const CHUNK: usize = 100;
/// Frames looked at after the end of the turn.
const AFTER: usize = 20;

/// What is streamed.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Text,
    /// Text without a single line break.
    Line,
    /// Reasoning, folded away.
    Reasoning,
    /// Reasoning that a person unfolded.
    Open,
    Arguments,
}

/// The page's styles, and a transcript that scrolls whatever the window's size.
const STYLES: [&str; 8] = [
    include_str!("../../style/reset.css"),
    include_str!("../../style/tokens.css"),
    include_str!("../../style/base.css"),
    include_str!("../../style/layout.css"),
    include_str!("../../style/parts.css"),
    include_str!("../../style/chart.css"),
    include_str!("../../style/workbench.css"),
    ".transcript { max-block-size: 30rem; overflow-y: auto; }",
];

/// Words as a model writes them: sentences, paragraphs, lists, tables, code.
const WORDS: &str = "I move **WREN** to hour 81, because the tide is low until then and the next \
berth upstream is held by works for two more days.\n\n- cost: `128`, four less than before\n- \
problems: none that I can see\n\nThe cranes are the other question. With seven of them the quay is \
full from hour 60 to hour 72, and TERN has to wait.\n\n| ship | hour |\n|---|---|\n| TERN | 64 |\n\n\
```json\n{\"ship\": 4, \"hour\": 64}\n```\n\n1. Check the plan.\n2. Mend it.\n\nNow once more, slowly. ";

/// The `number`-th piece: five bytes of ever the same words.
fn piece(what: What, number: usize) -> String {
    let at = number * 5 % (WORDS.len() - 5);
    let text = &WORDS[at..at + 5];
    match what {
        What::Line => text.replace('\n', " "),
        What::Arguments => format!("{:>4},", number % 9999),
        _ => text.to_owned(),
    }
}

fn delta(what: What, number: usize) -> Delta {
    let text = piece(what, number);
    match what {
        What::Text | What::Line => Delta::Text(text),
        What::Reasoning | What::Open => Delta::Reasoning(text),
        What::Arguments => Delta::Call {
            index: 0,
            name: (number == 0).then(|| "check_plan".to_owned()),
            arguments: text,
        },
    }
}

/// The turn that the pieces were of.
fn turn(what: What, pieces: usize) -> Turn {
    let whole: String = (0..pieces).map(|number| piece(what, number)).collect();
    let mut turn = Turn {
        stop: "end_turn".into(),
        ..Turn::default()
    };
    match what {
        What::Text | What::Line => turn.text = whole,
        What::Reasoning | What::Open => turn.reasoning = whole,
        What::Arguments => turn
            .calls
            .push(ToolCall::from_raw("a", "check_plan", whole)),
    }
    turn
}

struct Bench {
    app: RefCell<App>,
    state: Cell<Option<State>>,
    what: What,
    pieces: usize,
    /// Most pieces before the next frame.
    pace: usize,
    sent: Cell<usize>,
    ahead: Cell<usize>,
    turn: RefCell<Option<Turn>>,
    after: Cell<usize>,
    last: Cell<f64>,
    frames: RefCell<Vec<f64>>,
    publishing: Cell<f64>,
}

fn now() -> f64 {
    web_sys::window().unwrap().performance().unwrap().now()
}

impl Bench {
    fn apply(&self, event: &Event) {
        let at = Millis(1_900_000_000_000 + now() as u64);
        self.app.borrow_mut().run.model.apply(at, event);
    }

    /// One task of pieces; the next one follows at once, unless a frame is due first.
    fn feed(self: &Rc<Self>) {
        let sent = self.sent.get();
        if sent >= self.pieces {
            if let Some(turn) = self.turn.take() {
                self.apply(&Event::Said(Message::assistant(&turn)));
                self.apply(&Event::Waits(Waiting::Tool("check_plan".into())));
            }
            return;
        }
        for number in sent..sent + CHUNK {
            self.apply(&Event::Streamed(delta(self.what, number)));
        }
        self.sent.set(sent + CHUNK);
        self.ahead.set(self.ahead.get() + CHUNK);
        if self.ahead.get() < self.pace {
            let bench = self.clone();
            soon(move || bench.feed());
        }
    }

    fn frame(self: &Rc<Self>, done: js_sys::Function) {
        let begin = now();
        self.frames
            .borrow_mut()
            .push(begin - self.last.replace(begin));
        self.state.get().unwrap().publish(&self.app.borrow());
        self.publishing.set(self.publishing.get() + now() - begin);
        if self.what == What::Open
            && let Some(fold) = web_sys::window()
                .unwrap()
                .document()
                .unwrap()
                .query_selector(".turn > details")
                .unwrap()
        {
            fold.set_attribute("open", "").unwrap();
        }
        if self.turn.borrow().is_none() {
            self.after.set(self.after.get() + 1);
        }
        if self.after.get() > AFTER {
            let _ = done.call0(&wasm_bindgen::JsValue::NULL);
            return;
        }
        if self.ahead.replace(0) >= self.pace || self.sent.get() >= self.pieces {
            let bench = self.clone();
            soon(move || bench.feed());
        }
        let bench = self.clone();
        next_frame(move || bench.frame(done));
    }
}

/// Streams one turn on a page of its own.
async fn stream(name: &str, what: What, pieces: usize, pace: usize) {
    let document = web_sys::window().unwrap().document().unwrap();
    let place = document.create_element("div").unwrap();
    let style = document.create_element("style").unwrap();
    style.set_text_content(Some(&STYLES.concat()));
    let page = document.create_element("div").unwrap();
    let _ = place.append_child(&style);
    let _ = place.append_child(&page);
    let _ = document.body().unwrap().append_child(&place);

    let bench = Rc::new(Bench {
        app: RefCell::default(),
        state: Cell::default(),
        what,
        pieces,
        pace,
        sent: Cell::default(),
        ahead: Cell::default(),
        turn: RefCell::new(Some(turn(what, pieces))),
        after: Cell::default(),
        last: Cell::default(),
        frames: RefCell::default(),
        publishing: Cell::default(),
    });
    {
        let mut app = bench.app.borrow_mut();
        let at = Millis(1_900_000_000_000);
        app.report(at, Fact::Page(PageFacts::default()));
        let task = app.catalog.first.task_id.clone();
        let place = Place::Builtin;
        app.report(
            at,
            Fact::Fragment(Route::Workbench { place, task }.fragment()),
        );
        let limits = Limits::default();
        let run = Intent::Run {
            model: "demo:planner".into(),
            limits,
            instructions: None,
        };
        app.intend(at, run);
    }
    bench.apply(&Event::Said(Message::system("You plan berths.")));
    bench.apply(&Event::Said(Message::user(
        "# Quay\n\n- one line\n".repeat(50),
    )));
    bench.apply(&Event::TurnBegan(1));
    bench.apply(&Event::Waits(Waiting::Model));
    let mounted = leptos::mount::mount_to(page.unchecked_into(), {
        let bench = bench.clone();
        move || {
            let state = State::new();
            state.publish(&bench.app.borrow());
            bench.state.set(Some(state));
            leptos::prelude::provide_context(state);
            leptos::prelude::provide_context(Dispatch::new(|_| ()));
            ui::App()
        }
    });
    // The page settles first.
    for _ in 0..30 {
        frame().await;
    }
    bench.last.set(now());
    let begin = now();
    let first = bench.clone();
    soon(move || first.feed());
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let bench = bench.clone();
        next_frame(move || bench.frame(resolve));
    });
    wasm_bindgen_futures::JsFuture::from(promise).await.unwrap();
    let whole = now() - begin;
    let frames = std::mem::take(&mut *bench.frames.borrow_mut());
    let mut sorted = frames.clone();
    sorted.sort_by(f64::total_cmp);
    let longest = frames.iter().position(|frame| Some(frame) == sorted.last());
    let shown = document.query_selector(".transcript").unwrap().unwrap();
    console_log!(
        "{name}, {pieces} pieces, {} a frame: longest frame {:.1} ms (the {}. of {}), median {:.1} ms, publishing {:.2} ms a frame, {whole:.0} ms in all, {} of {} pixels from the end",
        pace.min(pieces),
        sorted[sorted.len() - 1],
        longest.unwrap_or_default() + 1,
        sorted.len(),
        sorted[sorted.len() / 2],
        bench.publishing.get() / sorted.len() as f64,
        shown.scroll_height() - shown.client_height() - shown.scroll_top(),
        shown.scroll_height(),
    );
    drop(mounted);
    place.remove();
}

async fn frame() {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        next_frame(move || {
            let _ = resolve.call0(&wasm_bindgen::JsValue::NULL);
        });
    });
    wasm_bindgen_futures::JsFuture::from(promise).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_streamed_turn_of_100_000_pieces() {
    for (name, what) in [
        ("text", What::Text),
        ("text on one line", What::Line),
        ("reasoning, folded", What::Reasoning),
        ("reasoning, unfolded", What::Open),
        ("arguments", What::Arguments),
    ] {
        for (pieces, pace) in RUNS {
            stream(name, what, pieces, pace).await;
        }
    }
}
