//! The run message by message, with the chart in step, and the address that tells what is looked at.

use crate::app::{Intent, Look};
use crate::ui::common::Stepper;
use crate::ui::element::{live, view};
use crate::ui::signal::{Effect, Memo, RwSignal, Signal};
use crate::ui::stage::Stage;
use crate::ui::state::{EntrySignal, RunSignals, use_dispatch};
use crate::view::replay::Course;
use crate::view::shortcuts::Action;
use leptos::prelude::*;
use std::time::Duration;

/// How long a message stays while the run is played.
const STAY: Duration = Duration::from_millis(1_400);

/// Where one is in a finished run. Copied freely.
#[derive(Clone, Copy)]
pub(super) struct Replay {
    course: Memo<Course>,
    /// Message and plan that were gone to; none: the last.
    gone: RwSignal<(Option<usize>, Option<usize>)>,
    playing: RwSignal<bool>,
    /// Counts the times that playing began.
    rounds: StoredValue<u64>,
}

impl Replay {
    /// Begins with a look.
    pub(super) fn new(run: RunSignals, look: Look) -> Self {
        let course = Memo::new(move |_| {
            run.entries.with(|entries| {
                let newest =
                    |entry: &EntrySignal| entry.entry.with(|entry| entry.kind.newest_draft());
                Course::of(entries.iter().map(newest))
            })
        });
        Self {
            course,
            gone: RwSignal::new((look.message, look.draft)),
            playing: RwSignal::new(false),
            rounds: StoredValue::new(0),
        }
    }

    fn last(self) -> usize {
        self.course.with(Course::messages)
    }

    /// The message on show, from 1; 0 where there is none.
    pub(super) fn message(self) -> usize {
        let (message, draft) = self.gone.get();
        let told = || draft.and_then(|draft| self.course.with(|course| course.message_of(draft)));
        let last = self.last();
        message.or_else(told).map_or(last, |at| at.min(last))
    }

    /// The plan on show; `sent` have been in all.
    pub(super) fn draft(self, sent: usize) -> usize {
        let (message, draft) = self.gone.get();
        let stood = || message.map(|message| self.course.with(|course| course.draft_at(message)));
        draft.or_else(stood).map_or(sent, |draft| draft.min(sent))
    }

    /// Goes to a message; the chart follows.
    pub(super) fn to_message(self, message: usize) {
        let message = message.clamp(1, untrack(|| self.last()).max(1));
        if untrack(|| self.message()) != message || untrack(|| self.gone.get().0).is_none() {
            self.gone.set((Some(message), None));
        }
    }

    /// Goes to a plan; the transcript follows.
    pub(super) fn to_draft(self, draft: usize) {
        self.gone.set((None, Some(draft)));
    }

    fn walk(self, by: isize) {
        let now = untrack(|| self.message());
        self.to_message(now.saturating_add_signed(by));
    }

    /// Plays from the message on show, or from the first when the last one is, or holds.
    fn play(self) {
        let playing = !self.playing.get_untracked();
        self.playing.set(playing);
        if playing {
            if untrack(|| self.message() >= self.last()) {
                self.to_message(1);
            }
            let round = self.rounds.get_value() + 1;
            self.rounds.set_value(round);
            self.follow(round);
        }
    }

    /// The next message, a while from now, as long as this round plays.
    fn follow(self, round: u64) {
        set_timeout(
            move || {
                // By now the screen may be another.
                if self.rounds.try_get_value() != Some(round) || !self.playing.get_untracked() {
                    return;
                }
                if untrack(|| self.message() < self.last()) {
                    self.walk(1);
                    self.follow(round);
                } else {
                    self.playing.set(false);
                }
            },
            STAY,
        );
    }

    /// Takes an action of the keyboard, if it is one of these.
    pub(super) fn act(self, action: Action) -> bool {
        let play = action == Action::Play;
        if play {
            self.play();
        }
        play
    }

    /// Tells the app what is looked at, after each change of it.
    pub(super) fn tell(self, stage: Stage) {
        let dispatch = use_dispatch();
        let look = Memo::new(move |_| {
            let (message, draft) = self.gone.get();
            Look {
                message,
                hour: stage.hour(),
                draft,
                difference: stage.shows_difference(),
            }
        });
        let first = look.get_untracked();
        let told = StoredValue::new(first);
        Effect::new(move || {
            let now = look.get();
            if told.get_value() != now {
                told.set_value(now);
                dispatch.send(Intent::Look(now));
            }
        });
    }
}

/// The ways from message to message.
#[component]
pub(super) fn ReplayBar(replay: Replay) -> impl IntoView {
    let last = Memo::new(move |_| replay.last());
    let here = Memo::new(move |_| replay.message());
    let words = Signal::derive(move || format!("Message {} of {}", here.get(), last.get()));
    let body = move || {
        view! {
            <div class="steps">
                <Stepper
                    back="Previous message"
                    forward="Next message"
                    here=words
                    can_back=Signal::derive(move || here.get() > 1)
                    can_forward=Signal::derive(move || here.get() < last.get())
                    step=Callback::new(move |by| replay.walk(by))
                />
                <label class="range">
                    <span class="visually-hidden">{move || format!("Message of the run, 1 to {}", last.get())}</span>
                    <input
                        type="range"
                        min="1"
                        max=move || last.get().to_string()
                        prop:value=move || here.get().to_string()
                        aria-valuetext=move || words.get()
                        on:input:target=move |event| {
                            replay.to_message(event.target().value().parse().unwrap_or(1));
                        }
                    />
                </label>
                <button type="button" title="Space" on:click=move |_| replay.play()>
                    {move || if replay.playing.get() { "Hold" } else { "Play the messages" }}
                </button>
            </div>
        }
        .into_any()
    };
    live(move || (last.get() > 1).then(&body))
}
