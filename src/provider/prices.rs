//! The price list that the page carries (`data/prices`): what models of Anthropic and `OpenAI`
//! cost, how much they write, what they can do. See its README for the columns.

use super::format::Abilities;
use super::price::{Long, Price};
use crate::wire::json;
use serde_json::Value;

/// The list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prices(Value);

/// What the list knows of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// What it costs.
    pub price: Price,
    /// What it can do.
    pub abilities: Abilities,
    /// The most tokens that it writes in a turn.
    pub max_output: Option<u64>,
}

impl Prices {
    /// Reads the list; none where the text is no such list.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(json::read(text)?)
    }

    /// The same, of a text that is read already.
    pub fn read(list: Value) -> Option<Self> {
        let ours = list.get("version") == Some(&Value::from(1));
        (ours && list.get("models")?.is_object()).then_some(Self(list))
    }

    /// The day that the prices are of: `2026-12-01`.
    pub fn day(&self) -> &str {
        let day = self.0.get("day").and_then(Value::as_str);
        day.unwrap_or_default()
    }

    /// The models of a service, by the word of a spec.
    pub fn models(&self, service: &str) -> impl Iterator<Item = &str> {
        let rows = self.rows(service).into_iter();
        rows.flat_map(|rows| rows.keys().map(String::as_str))
    }

    fn rows(&self, service: &str) -> Option<&serde_json::Map<String, Value>> {
        self.0.get("models")?.get(service)?.as_object()
    }

    /// What is known of a model: under its own name, else without a date at its end, else without
    /// `-latest`. A tuned model (`ft:base:owner::id`) has the price of those of its base.
    pub fn find(&self, service: &str, model: &str) -> Option<Known> {
        let rows = self.rows(service)?;
        let tuned = model.strip_prefix("ft:").and_then(|rest| rest.find(':'));
        let model = tuned.and_then(|at| model.get(..at + 3)).unwrap_or(model);
        let plain = undated(model);
        let row = rows
            .get(model)
            .or_else(|| rows.get(plain))
            .or_else(|| rows.get(plain.strip_suffix("-latest")?))?;
        known(row)
    }
}

/// The name without `-20251001` or `-2025-10-01`.
fn undated(model: &str) -> &str {
    for form in ["-dddddddd", "-dddd-dd-dd"] {
        if let Some((name, end)) = model
            .len()
            .checked_sub(form.len())
            .and_then(|at| model.split_at_checked(at))
            && end
                .bytes()
                .zip(form.bytes())
                .all(|(is, should)| match should {
                    b'd' => is.is_ascii_digit(),
                    _ => is == should,
                })
        {
            return name;
        }
    }
    model
}

fn known(row: &Value) -> Option<Known> {
    let number = |at: usize| row.get(at).and_then(Value::as_f64);
    let whole = |at: usize| row.get(at).and_then(Value::as_u64);
    let input = number(0)?;
    let long = whole(7).and_then(|from| {
        Some(Long {
            from,
            input: number(8)?,
            output: number(9)?,
        })
    });
    Some(Known {
        price: Price {
            input,
            output: number(1)?,
            cache_read: number(2).unwrap_or(input),
            cache_write: number(3).unwrap_or(input),
            long,
        },
        abilities: Abilities {
            adaptive_thinking: whole(6) == Some(1),
        },
        max_output: whole(5),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices() -> Prices {
        Prices::parse(include_str!("../../data/prices/prices.json")).unwrap()
    }

    fn input(service: &str, model: &str) -> Option<f64> {
        Some(prices().find(service, model)?.price.input)
    }

    #[test]
    fn a_model_is_found_with_all_that_is_known() {
        let known = prices().find("anthropic", "claude-opus-5-5").unwrap();
        assert_eq!(
            known,
            Known {
                price: Price {
                    input: 4.0,
                    output: 20.0,
                    cache_read: 0.2,
                    cache_write: 5.0,
                    long: None,
                },
                abilities: Abilities {
                    adaptive_thinking: true
                },
                max_output: Some(128_000),
            }
        );
        assert!(!prices().day().is_empty());
    }

    #[test]
    fn a_cache_without_a_price_costs_what_input_costs() {
        let known = prices().find("openai", "gpt-5-pro").unwrap();
        let expected = Price {
            input: 15.0,
            output: 120.0,
            cache_read: 15.0,
            cache_write: 15.0,
            long: None,
        };
        assert_eq!(known.price, expected);
        assert!(!known.abilities.adaptive_thinking);
    }

    #[test]
    fn a_long_request_has_its_own_price_where_the_map_has_one() {
        let long = prices().find("openai", "gpt-5.6").unwrap().price.long;
        let expected = Long {
            from: 272_000,
            input: 2.0,
            output: 1.5,
        };
        assert_eq!(long, Some(expected));
    }

    #[test]
    fn a_date_and_latest_lead_to_the_model_and_a_date_of_its_own_comes_first() {
        assert_eq!(input("anthropic", "claude-haiku-4-5-20251001"), Some(1.0));
        assert_eq!(input("openai", "o3-2025-04-16"), Some(2.0));
        assert_eq!(input("openai", "gpt-4o-2024-05-13"), Some(5.0));
        assert_eq!(input("openai", "gpt-4o"), Some(2.5));
        assert_eq!(input("anthropic", "claude-opus-5-5-latest"), Some(4.0));
        assert_eq!(input("anthropic", "claude-sonnet-latest"), Some(2.0));
    }

    #[test]
    fn a_tuned_model_costs_what_tuned_ones_of_its_base_cost() {
        let name = "ft:gpt-4o-mini-2024-07-18:harbour::abc123";
        assert_eq!(input("openai", name), Some(0.3));
    }

    #[test]
    fn what_is_not_listed_is_not_known() {
        for name in [
            "",
            "gpt",
            "claude-opus-5-5-x",
            "ft:",
            "ft::",
            "-20251001",
            "é-20251001",
        ] {
            assert_eq!(input("openai", name), None, "{name}");
        }
        assert_eq!(input("openai", "claude-opus-5-5"), None);
        assert_eq!(input("hf", "gpt-5.6"), None);
    }

    #[test]
    fn every_row_of_the_list_is_whole() {
        let prices = prices();
        for service in ["anthropic", "openai"] {
            let models: Vec<&str> = prices.models(service).collect();
            assert!(models.len() > 15);
            for model in models {
                let known = prices.find(service, model).unwrap();
                assert!(known.price.output >= known.price.input, "{model}");
            }
        }
    }

    #[test]
    fn what_is_no_list_is_none() {
        for text in [
            "",
            "[]",
            "{\"version\": 2, \"models\": {}}",
            "{\"version\": 1}",
        ] {
            assert_eq!(Prices::parse(text), None, "{text}");
        }
    }
}
