//! A service's list of models, and the request that tells whether a key is good.
//!
//! - <https://platform.claude.com/docs/en/api/models-list>
//! - <https://developers.openai.com/api/reference/resources/models>
//! - <https://huggingface.co/docs/inference-providers/hub-api>
//! - <https://openrouter.ai/docs/api-reference/list-available-models>
//!
//! The four, and the servers that list only names, are told apart by their members: what is there
//! is read, whoever sent it.

use super::anthropic;
use super::format::Abilities;
use super::price::Price;
use crate::settings::Service;
use crate::settings::service::{Probe, Speaks};
use crate::wire::{HttpRequest, json};
use serde_json::{Value, json};

/// A model that a service offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listed {
    /// The name to ask for.
    pub id: String,
    /// Its name for people; the same where the service has no other.
    pub label: String,
    /// What it costs, where the service says so.
    pub price: Option<Price>,
    /// Whether it calls tools, where the service says so.
    pub tools: Option<bool>,
    /// What is known beyond that.
    pub abilities: Abilities,
    /// Most input tokens, where the service says so.
    pub context: Option<u64>,
}

/// Asks for the list. An open list is asked for without a key too.
pub fn request(service: &Service, base: &str) -> HttpRequest {
    let mut key = service.key_use();
    if let Some(key) = &mut key {
        key.needed &= service.probe == Probe::Models;
    }
    get(service, base, "/models").with_key(key)
}

fn get(service: &Service, base: &str, path: &str) -> HttpRequest {
    let url = format!("{base}{path}");
    match service.speaks {
        // It lists twenty unless it is asked for more.
        Speaks::Messages => anthropic::with_headers(HttpRequest::get(format!("{url}?limit=1000"))),
        _ => HttpRequest::get(url),
    }
}

/// Asks whether the key is good, as cheaply as the service allows. Where that takes a turn and no
/// `model` is chosen yet, the service's example is asked for. It may not exist there; that a bad key
/// is still told from a bad name (401 from 404 or 400) is the service's habit and not its promise.
pub fn probe(service: &Service, base: &str, model: Option<&str>) -> HttpRequest {
    let request = match service.probe {
        Probe::Models => get(service, base, "/models"),
        Probe::Path(path) => get(service, base, path),
        Probe::Turn => {
            let body = json!({
                "model": model.unwrap_or(service.example), "max_tokens": 1,
                "messages": [{"role": "user", "content": "Hi"}],
            });
            HttpRequest::post(format!("{base}/chat/completions"), body)
        }
    };
    request.with_key(service.key_use())
}

/// Reads a list. What has no name is left out.
pub fn read(body: &Value) -> Vec<Listed> {
    let models = body.get("data").unwrap_or(body).as_array();
    let mut all = Vec::new();
    for model in models.into_iter().flatten() {
        read_model(model, &mut all);
    }
    all
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name).and_then(Value::as_u64)
}

fn read_model(model: &Value, all: &mut Vec<Listed>) {
    let Some(id) = text(model, "id").filter(|id| !id.is_empty()) else {
        return;
    };
    if text(model, "lifecycle") == Some("retired") {
        return;
    }
    let label = text(model, "display_name").or(text(model, "name"));
    let contexts = ["max_input_tokens", "context_length", "max_model_len"];
    let adaptive = model.pointer("/capabilities/thinking/types/adaptive/supported");
    let parameters = model.get("supported_parameters").and_then(Value::as_array);
    let listed = Listed {
        id: id.to_owned(),
        label: label.unwrap_or(id).to_owned(),
        price: model.get("pricing").and_then(price_a_token),
        tools: parameters.map(|names| names.iter().any(|name| name == "tools")),
        abilities: Abilities {
            adaptive_thinking: adaptive == Some(&Value::Bool(true)),
        },
        context: contexts.iter().find_map(|name| count(model, name)),
    };
    match model.get("providers").and_then(Value::as_array) {
        None => all.push(listed),
        Some(providers) => read_routes(listed, providers, all),
    }
}

/// A model behind a router: the name alone, and with each provider that has it.
fn read_routes(mut listed: Listed, providers: &[Value], all: &mut Vec<Listed>) {
    let mut routes: Vec<Listed> = Vec::new();
    for provider in providers {
        let Some(name) = text(provider, "provider") else {
            continue;
        };
        let is_live = text(provider, "status").is_none_or(|status| status == "live");
        let tools = provider.get("supports_tools").and_then(Value::as_bool);
        routes.push(Listed {
            id: format!("{}:{name}", listed.id),
            label: format!("{} · {name}", listed.label),
            price: provider.get("pricing").and_then(price_a_million),
            tools: if is_live { tools } else { Some(false) },
            context: count(provider, "context_length"),
            ..listed
        });
    }
    // Which one the router takes is not known beforehand: what all agree on is known.
    let first = routes.first().map(|route| route.price).unwrap_or_default();
    let agreed = routes.iter().all(|route| route.price == first);
    listed.price = first.filter(|_| agreed);
    let any = |tools: Option<bool>| routes.iter().any(|route| route.tools == tools);
    listed.tools = match (any(Some(true)), any(None)) {
        (true, _) => Some(true),
        (_, true) => None,
        _ => Some(false),
    };
    listed.context = routes.iter().filter_map(|route| route.context).min();
    all.push(listed);
    all.append(&mut routes);
}

/// Numbers in USD per million tokens.
fn price_a_million(pricing: &Value) -> Option<Price> {
    let number = |name: &str| pricing.get(name).and_then(Value::as_f64);
    let input = number("input")?;
    Some(Price {
        input,
        output: number("output")?,
        cache_read: input,
        cache_write: input,
        long: None,
    })
}

/// Decimals in USD per token, as text. A negative one means that it depends.
fn price_a_token(pricing: &Value) -> Option<Price> {
    let number = |name: &str| {
        let text = text(pricing, name)?;
        // The exponent does the counting; a text that has one already is counted here.
        let shifted = json::read(&format!("{text}e6")).and_then(|number| number.as_f64());
        let number = shifted.or_else(|| Some(json::read(text)?.as_f64()? * 1e6))?;
        (number >= 0.0).then_some(number)
    };
    let input = number("prompt")?;
    Some(Price {
        input,
        output: number("completion")?,
        cache_read: number("input_cache_read").unwrap_or(input),
        cache_write: number("input_cache_write").unwrap_or(input),
        long: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::http::Method;

    fn service(word: &str) -> &'static Service {
        Service::find(word).unwrap()
    }

    fn one(model: &Value) -> Listed {
        let mut all = read(&json!({"object": "list", "data": [model]}));
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    fn named(id: &str) -> Listed {
        Listed {
            id: id.into(),
            label: id.into(),
            ..Listed::default()
        }
    }

    #[test]
    fn a_list_of_names_is_a_list() {
        let openai = json!({"id": "gpt-5.6", "object": "model", "created": 1, "owned_by": "x"});
        assert_eq!(one(&openai), named("gpt-5.6"));
        assert_eq!(read(&json!([{"id": "a"}, {"id": ""}, 7, {}])), [named("a")]);
        assert_eq!(read(&json!({"error": {"message": "no"}})), []);
    }

    #[test]
    fn vllm_says_how_much_fits() {
        let model = one(&json!({"id": "org/m", "max_model_len": 32_768}));
        assert_eq!(model.context, Some(32_768));
    }

    #[test]
    fn anthropic_says_what_thinking_a_model_knows() {
        let model = |lifecycle: &str, adaptive: bool| {
            json!({
                "type": "model", "id": "claude-sonnet-5-5", "display_name": "Claude Sonnet 5.5",
                "lifecycle": lifecycle, "max_input_tokens": 1_000_000, "max_tokens": 128_000,
                "capabilities": {"thinking": {"supported": true, "types": {
                    "adaptive": {"supported": adaptive}, "enabled": {"supported": false},
                }}},
            })
        };
        let listed = one(&model("active", true));
        assert_eq!(listed.label, "Claude Sonnet 5.5");
        assert_eq!(listed.context, Some(1_000_000));
        assert!(listed.abilities.adaptive_thinking);
        assert!(!one(&model("deprecated", false)).abilities.adaptive_thinking);
        assert_eq!(read(&json!({"data": [model("retired", true)]})), []);
    }

    #[test]
    fn a_router_lists_the_name_alone_and_each_provider() {
        let all = read(&json!({"data": [{"id": "org/m", "providers": [
            {"provider": "one", "status": "live", "context_length": 8192, "supports_tools": true,
             "pricing": {"input": 0.5, "output": 2}},
            {"provider": "two", "status": "staging", "context_length": 4096, "supports_tools": true,
             "pricing": {"input": 0.4, "output": 2}},
            {"provider": "three", "status": "live"},
        ]}]}));
        let ids: Vec<&str> = all.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(ids, ["org/m", "org/m:one", "org/m:two", "org/m:three"]);
        let tools: Vec<_> = all.iter().map(|model| model.tools).collect();
        assert_eq!(tools, [Some(true), Some(true), Some(false), None]);
        assert_eq!(all[0].price, None);
        assert_eq!(all[0].context, Some(4096));
        assert_eq!(
            all[1].price,
            Some(Price {
                input: 0.5,
                output: 2.0,
                cache_read: 0.5,
                cache_write: 0.5,
                long: None,
            })
        );
        assert_eq!(all[3].price, None);
    }

    #[test]
    fn a_router_with_one_price_has_that_price_for_the_name_alone() {
        let provider = |name: &str| json!({"provider": name, "pricing": {"input": 1, "output": 3}});
        let all = read(&json!([{"id": "m", "providers": [provider("a"), provider("b")]}]));
        assert_eq!(all[0].price.map(|price| price.output), Some(3.0));
        assert_eq!(all[0].tools, None);
        let nobody = read(&json!([{"id": "m", "providers": []}]));
        assert_eq!(nobody[0].tools, Some(false));
    }

    #[test]
    fn prices_per_token_are_decimals_as_text() {
        let model = |pricing: Value| {
            one(&json!({
                "id": "org/m", "name": "Org: M", "context_length": 200_000, "pricing": pricing,
                "supported_parameters": ["max_tokens", "tools"],
            }))
        };
        let listed = model(json!({
            "prompt": "0.000003", "completion": "1.5e-05", "request": "0",
            "input_cache_read": "0.0000003", "input_cache_write": "0.00000375",
        }));
        assert_eq!(listed.label, "Org: M");
        assert_eq!((listed.tools, listed.context), (Some(true), Some(200_000)));
        let price = listed.price.unwrap();
        assert_eq!(
            (price.input, price.cache_read, price.cache_write),
            (3.0, 0.3, 3.75)
        );
        assert!((price.output - 15.0).abs() < 1e-9);
        assert_eq!(
            model(json!({"prompt": "0", "completion": "0"})).price,
            Some(Price::default())
        );
        for unknown in ["-1", "", "free", "NaN"] {
            assert_eq!(
                model(json!({"prompt": unknown, "completion": "0"})).price,
                None
            );
        }
    }

    #[test]
    fn the_list_is_asked_for_with_the_key_of_a_turn() {
        let anthropic = service("anthropic");
        let asked = request(anthropic, anthropic.base);
        assert_eq!(asked.method, Method::Get);
        assert_eq!(asked.url, "https://api.anthropic.com/v1/models?limit=1000");
        assert_eq!(asked.headers.len(), 2);
        assert_eq!(asked.key, anthropic.key_use());
        let ollama = service("ollama");
        assert_eq!(request(ollama, ollama.base).key, None);
    }

    #[test]
    fn a_list_that_is_open_needs_no_key() {
        let needed = |word: &str| {
            request(service(word), "https://x.example")
                .key
                .unwrap()
                .needed
        };
        assert!(needed("openai"));
        assert!(!needed("hf") && !needed("openrouter") && !needed("vllm"));
    }

    #[test]
    fn a_key_is_tried_where_only_a_good_one_is_answered() {
        let openrouter = service("openrouter");
        let asked = probe(openrouter, openrouter.base, None);
        assert_eq!(asked.url, "https://openrouter.ai/api/v1/key");
        assert_eq!(asked.key, openrouter.key_use());
        let hf = service("hf");
        let asked = probe(hf, hf.base, Some("org/m"));
        assert_eq!(
            asked.url,
            "https://router.huggingface.co/v1/chat/completions"
        );
        let body = asked.body.unwrap();
        assert_eq!(body["max_tokens"], 1);
        assert_eq!(body["model"], "org/m");
        assert!(asked.key.unwrap().needed);
        let openai = service("openai");
        assert_eq!(
            probe(openai, openai.base, None),
            request(openai, openai.base)
        );
    }
}
