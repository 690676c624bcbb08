//! What the parts of one chart share: its signals, what is derived from them, and where it is
//! scrolled to.

use crate::berth::{Hour, ShipId};
use crate::ui::signal::{Memo, RwSignal, Signal};
use crate::view::chart::walk::{self, Way};
use crate::view::chart::{Chart, Layout, Picture, View, picture};
use leptos::wasm_bindgen::JsCast;
use leptos::{html, prelude::*, svg, web_sys};

/// The signals of one chart.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) chart: Signal<Chart>,
    pub(super) selected: RwSignal<Option<ShipId>>,
    pub(super) hour: RwSignal<Option<Hour>>,
    /// `None`: as large as [`View::first`] says.
    pub(super) zoom: RwSignal<Option<View>>,
    /// Number of the problem that `n` came to last.
    pub(super) problem: RwSignal<Option<u32>>,
    pub(super) viewport: Memo<f64>,
    pub(super) layout: Memo<Layout>,
    pub(super) picture: Memo<Picture>,
    pub(super) scroller: NodeRef<html::Div>,
    pub(super) plot: NodeRef<svg::Svg>,
}

impl Stage {
    pub(super) fn new(
        chart: Signal<Chart>,
        width: Signal<f64>,
        selected: RwSignal<Option<ShipId>>,
        hour: RwSignal<Option<Hour>>,
        zoom: RwSignal<Option<View>>,
    ) -> Self {
        let gutter = move || chart.with(|chart| Layout::new(chart, 1.0).gutter);
        // Room for the frame and the half of the slider's knob that stands out.
        let viewport = Memo::new(move |_| (width.get() - gutter() - 10.0).max(100.0));
        let px_per_hour = Memo::new(move |_| {
            let first = || chart.with(|chart| View::first(chart, viewport.get()));
            zoom.get().unwrap_or_else(first).px_per_hour
        });
        let layout = Memo::new(move |_| chart.with(|chart| Layout::new(chart, px_per_hour.get())));
        let picture = Memo::new(move |_| chart.with(|chart| picture(chart, &layout.get())));
        Self {
            chart,
            selected,
            hour,
            zoom,
            problem: RwSignal::new(None),
            viewport,
            layout,
            picture,
            scroller: NodeRef::new(),
            plot: NodeRef::new(),
        }
    }

    /// The view as it is now, scroll position included.
    pub(super) fn view(self) -> View {
        let scroll = self
            .scroller
            .get_untracked()
            .map_or(0, |scroller| scroller.scroll_left());
        View {
            px_per_hour: self
                .layout
                .with_untracked(|layout| layout.scale.px_per_hour),
            scroll: f64::from(scroll),
        }
    }

    /// Zooms and scrolls, the latter once the wider plot is in place.
    pub(super) fn show(self, view: View) {
        self.zoom.set(Some(view));
        request_animation_frame(move || self.scroll(view.scroll));
    }

    fn scroll(self, to: f64) {
        if let Some(scroller) = self.scroller.get_untracked() {
            scroller.set_scroll_left(to.round() as i32);
        }
    }

    /// Zooms by a factor about a point `at` pixels into the viewport; its middle if `None`.
    pub(super) fn zoom_by(self, factor: f64, at: Option<f64>) {
        let at = at.unwrap_or_else(|| self.viewport.get_untracked() / 2.0);
        self.show(self.view().zoom(factor, at));
    }

    /// The week of the hour line, or else the one that most is seen of.
    pub(super) fn fit_week(self) {
        let (view, viewport) = (self.view(), self.viewport.get_untracked());
        let hour = self
            .hour
            .get_untracked()
            .unwrap_or_else(|| view.centre(viewport));
        self.show(
            self.chart
                .with_untracked(|chart| View::week(chart, viewport, hour)),
        );
    }

    pub(super) fn fit_problems(self) {
        let viewport = self.viewport.get_untracked();
        self.show(
            self.chart
                .with_untracked(|chart| View::problems(chart, viewport)),
        );
    }

    /// Scrolls no further than needed to show a ship.
    pub(super) fn reveal(self, ship: ShipId) {
        let viewport = self.viewport.get_untracked();
        let span = self.picture.with_untracked(|picture| {
            let marks = picture.ships.iter().find(|marks| marks.ship == ship)?;
            Some((marks.x, marks.x + marks.w))
        });
        if let Some((from, to)) = span {
            let view = self.view();
            let shown = view.reveal(from, to, viewport);
            if (shown.scroll - view.scroll).abs() > 0.5 {
                self.scroll(shown.scroll);
            }
        }
    }

    /// Moves the selection, and the focus with it.
    pub(super) fn walk(self, way: Way) {
        let from = self.selected.get_untracked();
        if let Some(ship) = self
            .chart
            .with_untracked(|chart| walk::neighbour(chart, from, way))
        {
            self.selected.set(Some(ship));
            self.focus(ship);
        }
    }

    /// Goes to the next or previous problem: its ship and its hour.
    pub(super) fn next_problem(self, back: bool) {
        let from = self.problem.get_untracked();
        let found = self
            .chart
            .with_untracked(|chart| walk::problem(chart, from, back).cloned());
        if let Some(problem) = found {
            self.problem.set(Some(problem.number));
            self.hour.set(problem.hour.or(self.hour.get_untracked()));
            if let Some(ship) = problem.ship {
                self.selected.set(Some(ship));
                self.focus(ship);
            }
        }
    }

    fn focus(self, ship: ShipId) {
        let found = self.plot.get_untracked().and_then(|plot| {
            plot.query_selector(&format!("[data-ship=\"{ship}\"]"))
                .ok()
                .flatten()
        });
        if let Some(element) = found.and_then(|node| node.dyn_into::<web_sys::SvgElement>().ok()) {
            // An element that cannot take the focus keeps it where it is; nothing is lost.
            let _ = element.focus();
        }
        self.reveal(ship);
    }
}
