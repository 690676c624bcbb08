//! The chart with its heading, tools and hour in words.

use super::ExportKind;
use super::hour::HourWords;
use super::scroller::Scroller;
use super::stage::Stage;
use super::tools::Tools;
use crate::berth::{Hour, ShipId};
use crate::ui::element::view;
use crate::ui::signal::{Effect, Memo, RwSignal, Signal};
use crate::view::chart::{Chart, View};
use leptos::prelude::*;

/// A plan on its quay.
#[component]
pub fn PlanChart(
    /// What to draw.
    #[prop(into)]
    chart: Signal<Chart>,
    /// Width of the container in pixels.
    #[prop(into)]
    width: Signal<f64>,
    /// The selected ship; the roving tab stop.
    selected: RwSignal<Option<ShipId>>,
    /// The hour line.
    hour: RwSignal<Option<Hour>>,
    /// Zoom; give two charts the same signal and they share their time axis.
    #[prop(optional, default = RwSignal::new(None))]
    zoom: RwSignal<Option<View>>,
    /// Without tools and slider.
    #[prop(optional)]
    plain: bool,
    /// Enter or a double click on a ship.
    #[prop(optional)]
    on_details: Option<Callback<ShipId>>,
    /// A file is wanted.
    #[prop(optional)]
    on_export: Option<Callback<ExportKind>>,
) -> impl IntoView {
    let stage = Stage::new(chart, width, selected, hour, zoom);
    Effect::new(move || {
        if let Some(ship) = selected.get() {
            stage.reveal(ship);
        }
    });
    let drawable = Memo::new(move |_| chart.with(Chart::is_drawable));
    let head = Memo::new(move |_| chart.with(|chart| (chart.layer.clone(), chart.summary.clone())));
    let missing = Memo::new(move |_| chart.with(|chart| chart.missing.clone()));
    let tools = (!plain).then(|| view! { <Tools stage on_export /> }.into_any());
    let words = (!plain).then(|| view! { <HourWords stage /> }.into_any());
    view! {
        <figure class="plan-chart">
            <figcaption>
                <strong>{move || head.get().0}</strong>
                " "
                <span>{move || head.get().1}</span>
            </figcaption>
            {move || (!missing.with(Vec::is_empty)).then(|| view! {
                <ul class="pc-missing">
                    {move || missing.get().into_iter().map(|why| view! { <li>{why}</li> }).collect_view()}
                </ul>
            })}
            <div hidden=move || !drawable.get()>
                {tools}
                <Scroller stage plain on_details />
                {words}
            </div>
        </figure>
    }
}
