//! What a typed model comes to: whether it can run now, what it costs, and which others there are.

use super::models::ModelsView;
use crate::provider::format::Abilities;
use crate::provider::price::Price;
use crate::provider::prices::Prices;
use crate::settings::{ModelSpec, SpecError};
use crate::view::money::Tariff;

/// A model that can run now.
#[derive(Clone, Debug, PartialEq)]
pub struct Ready {
    /// The spec.
    pub spec: ModelSpec,
    /// Where its service is; empty for one inside the page.
    pub base: String,
    /// What is known of it.
    pub abilities: Abilities,
    /// What it costs.
    pub tariff: Tariff,
    /// The most tokens that it writes in a turn, where that is known.
    pub max_output: Option<u64>,
}

/// Why a typed model cannot run.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// The text names none: how to write one.
    Spec(String),
    /// Its service cannot be asked now: what to do under Models, and what is known of its price.
    Service(String, Tariff),
}

/// What a typed model comes to. Prices of the service's own list come before those of the page's.
pub fn read(text: &str, models: &ModelsView, prices: Option<&Prices>) -> Result<Ready, Unfit> {
    let spec: ModelSpec = text
        .parse()
        .map_err(|error: SpecError| Unfit::Spec(error.to_string()))?;
    if spec.service.word == "scripted" {
        let text = "\"scripted\" is for tests. Write demo:planner, or a model of a service";
        return Err(Unfit::Spec(text.to_owned()));
    }
    // The name without its route: one price stands for all of them.
    let known = prices.and_then(|prices| prices.find(spec.service.word, &spec.model));
    let tariff = |own: Option<Price>| match own.or(known.map(|known| known.price)) {
        _ if spec.service.is_inside() => Tariff::Inside,
        Some(price) => Tariff::Known(price),
        None => Tariff::Unknown,
    };
    let setting = models.setting_for(&spec);
    let (base, mut abilities, own) =
        setting.map_err(|error| Unfit::Service(error.to_string(), tariff(None)))?;
    abilities.adaptive_thinking |= known.is_some_and(|known| known.abilities.adaptive_thinking);
    let tariff = tariff(own);
    Ok(Ready {
        spec,
        base,
        abilities,
        tariff,
        max_output: known.and_then(|known| known.max_output),
    })
}

/// What a model of a record costs by the page's list.
pub fn listed_tariff(model: &str, prices: Option<&Prices>) -> Tariff {
    let Ok(spec) = model.parse::<ModelSpec>() else {
        return Tariff::Unknown;
    };
    if spec.service.is_inside() {
        return Tariff::Inside;
    }
    let known = prices.and_then(|prices| prices.find(spec.service.word, &spec.model));
    known.map_or(Tariff::Unknown, |known| Tariff::Known(known.price))
}

/// Models to choose from: the planner, those that ran before, and those of services that have a
/// key, as listed by the service or by the price list.
pub fn offers(models: &ModelsView, prices: Option<&Prices>) -> Vec<String> {
    let mut offers = vec![ModelSpec::demo().to_string()];
    let mut offer = |spec: String| {
        if !offers.contains(&spec) {
            offers.push(spec);
        }
    };
    models.choices.before.iter().cloned().for_each(&mut offer);
    for card in &models.cards {
        let word = card.service.word;
        let listed = card.listed.iter().map(|model| model.id.as_str());
        let mut own = |id: &str| offer(format!("{word}:{id}"));
        listed.for_each(&mut own);
        if card.key.held
            && card.listed.is_empty()
            && let Some(prices) = prices
        {
            prices.models(word).for_each(&mut own);
        }
    }
    offers
}
