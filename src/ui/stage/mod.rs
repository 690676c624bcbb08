//! A chart with its drafts: which plan is shown, what changed, which hour and ship are looked at.

mod views;

use crate::berth::{Hour, ShipId};
use crate::ui::common::Stepper;
use crate::ui::element::view;
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::chart::Chart;
use crate::view::shortcuts::Action;
use crate::view::{Drafts, plan_view, words};
use leptos::prelude::*;
use std::sync::Arc;
pub(super) use views::{DraftMini, StageChart, StageProblems, StageShips};

/// What a chart screen shares with its parts. Copied freely.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    /// Task and plans.
    pub(super) drafts: Signal<Arc<Drafts>>,
    /// The plan on show: 0 is the published one, `n` the `n`-th sent.
    pub(super) step: Signal<usize>,
    /// Shows another one.
    pub(super) show: Callback<usize>,
    difference: RwSignal<bool>,
    chart: Memo<Chart>,
    ship: RwSignal<Option<ShipId>>,
    hour: RwSignal<Option<Hour>>,
}

impl Stage {
    /// A stage for these plans.
    pub(super) fn new(
        drafts: Signal<Arc<Drafts>>,
        step: Signal<usize>,
        show: Callback<usize>,
    ) -> Self {
        let difference = RwSignal::new(false);
        let chart = Memo::new(move |_| {
            let (step, difference) = (step.get(), difference.get());
            drafts.with(|drafts| plan_view::chart(drafts, step, difference))
        });
        let (ship, hour) = (RwSignal::new(None), RwSignal::new(None));
        Self {
            drafts,
            step,
            show,
            difference,
            chart,
            ship,
            hour,
        }
    }

    /// Begins with this hour line and difference.
    pub(super) fn look(self, hour: Option<Hour>, difference: bool) {
        self.hour.set(hour);
        self.difference.set(difference);
    }

    /// The hour line.
    pub(super) fn hour(self) -> Option<Hour> {
        self.hour.get()
    }

    /// The difference with the plan before is drawn.
    pub(super) fn shows_difference(self) -> bool {
        self.difference.get()
    }

    /// Takes an action of the keyboard, if it is for a chart.
    pub(super) fn act(self, action: Action) -> bool {
        match action {
            Action::PreviousDraft => self.walk(-1),
            Action::NextDraft => self.walk(1),
            Action::Difference => self.difference.update(|on| *on = !*on),
            _ => return false,
        }
        true
    }

    /// Problems of the plan on show.
    pub(super) fn problems(self) -> usize {
        self.chart.with(|chart| chart.problems.len())
    }

    /// There is something to draw.
    pub(super) fn is_drawable(self) -> bool {
        self.chart.with(Chart::is_drawable)
    }

    fn last(self) -> usize {
        self.drafts.with(|drafts| drafts.drafts.len())
    }

    fn walk(self, by: isize) {
        let last = untrack(|| self.last());
        let step = self
            .step
            .get_untracked()
            .saturating_add_signed(by)
            .min(last);
        self.show.run(step);
    }

    fn file_name(self, ending: &str) -> String {
        let step = self.step.get_untracked();
        self.drafts
            .with_untracked(|drafts| words::file_name(drafts, step, ending))
    }
}

/// The ways from plan to plan.
#[component]
pub(super) fn StageBar(stage: Stage) -> impl IntoView {
    let here = Signal::derive(move || {
        let step = stage.step.get();
        stage.drafts.with(|drafts| words::step_name(drafts, step))
    });
    view! {
        <div class="stage-bar">
            <Stepper
                back="Previous draft"
                forward="Next draft"
                here
                can_back=Signal::derive(move || stage.step.get() > 0)
                can_forward=Signal::derive(move || stage.step.get() < stage.last())
                step=Callback::new(move |by| stage.walk(by))
            />
            <Difference stage/>
        </div>
    }
    .into_any()
}

/// Whether the difference with the plan before is drawn.
#[component]
pub(super) fn Difference(stage: Stage) -> impl IntoView {
    view! {
        <button
            type="button"
            aria-pressed=move || if stage.difference.get() { "true" } else { "false" }
            title="Difference with the plan before (d)"
            on:click=move |_| stage.difference.update(|on| *on = !*on)
        >
            "Difference"
        </button>
    }
    .into_any()
}
