//! The services that make turns: one row each. A service that speaks a wire format we have is one
//! row more, and no new code.

use crate::wire::KeyUse;

/// How a service is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    /// Inside the page: no key, no network.
    Inside,
    /// Anthropic Messages.
    Messages,
    /// `OpenAI` Responses.
    Responses,
    /// Chat completions.
    Chat,
}

/// Whether a service wants a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// It has none.
    None,
    /// As its owner has set it up.
    Optional,
    /// It answers nobody without one.
    Needed,
}

/// The cheapest request that tells whether a key is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The model list: it is free, and only given to a good key.
    Models,
    /// The address below the base that tells about the key.
    Path(&'static str),
    /// A turn of one token: the model list is open to everyone.
    Turn,
}

/// A service.
#[derive(Debug, PartialEq, Eq)]
pub struct Service {
    /// The word before the colon of a spec.
    pub word: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// How it is spoken to.
    pub speaks: Speaks,
    /// Where it stands, with the version part; empty: the person names it.
    pub base: &'static str,
    /// Whether it wants a key.
    pub key: Key,
    /// What "Test key" sends.
    pub probe: Probe,
    /// A model name, as an example.
    pub example: &'static str,
    /// What its owner has to switch on before a page may call it; empty: nothing.
    pub switch: &'static str,
    /// Where keys come from; empty: from whoever runs it.
    pub keys_at: &'static str,
}

const ROW: Service = Service {
    word: "",
    label: "",
    speaks: Speaks::Chat,
    base: "",
    key: Key::Optional,
    probe: Probe::Models,
    example: "",
    switch: "",
    keys_at: "",
};

/// All of them, in the order in which a form lists them.
pub static SERVICES: [Service; 11] = [
    Service {
        word: "demo",
        label: "Planner inside the page",
        speaks: Speaks::Inside,
        key: Key::None,
        example: "planner",
        ..ROW
    },
    Service {
        word: "scripted",
        label: "Turns written down beforehand",
        speaks: Speaks::Inside,
        key: Key::None,
        ..ROW
    },
    Service {
        word: "anthropic",
        label: "Anthropic",
        speaks: Speaks::Messages,
        base: "https://api.anthropic.com/v1",
        key: Key::Needed,
        example: "claude-sonnet-5-5",
        switch: "An organization can forbid calls from a page; its owner allows them in the console, under settings.",
        keys_at: "console.anthropic.com",
        ..ROW
    },
    Service {
        word: "openai",
        label: "OpenAI",
        speaks: Speaks::Responses,
        base: "https://api.openai.com/v1",
        key: Key::Needed,
        example: "gpt-5.6",
        keys_at: "platform.openai.com",
        ..ROW
    },
    Service {
        word: "hf",
        label: "Hugging Face router",
        base: "https://router.huggingface.co/v1",
        key: Key::Needed,
        probe: Probe::Turn,
        example: "org/model:provider",
        switch: "The token needs the permission \"Make calls to Inference Providers\".",
        keys_at: "huggingface.co/settings/tokens",
        ..ROW
    },
    Service {
        word: "vllm",
        label: "vLLM",
        example: "the-model-it-serves",
        switch: "Start it with --enable-auto-tool-choice and --tool-call-parser NAME. Where --allowed-origins is \
                 given, it must name this page. With --api-key, a wrong key looks like no answer at all.",
        ..ROW
    },
    Service {
        word: "openrouter",
        label: "OpenRouter",
        base: "https://openrouter.ai/api/v1",
        key: Key::Needed,
        probe: Probe::Path("/key"),
        example: "org/model",
        keys_at: "openrouter.ai/keys",
        ..ROW
    },
    Service {
        word: "litellm",
        label: "LiteLLM proxy",
        base: "http://localhost:4000/v1",
        example: "a-model-of-its-list",
        switch: "Where LITELLM_CORS_ORIGINS is set, it must name this page.",
        ..ROW
    },
    Service {
        word: "ollama",
        label: "Ollama",
        base: "http://localhost:11434/v1",
        key: Key::None,
        example: "model:tag",
        switch: "Start it with OLLAMA_ORIGINS set to this page's origin, unless the page itself is on localhost.",
        ..ROW
    },
    Service {
        word: "llamacpp",
        label: "llama.cpp server",
        base: "http://localhost:8080/v1",
        example: "the-model-it-serves",
        switch: "Start it with --jinja, so that it calls tools. Some browsers do not send a key to it.",
        ..ROW
    },
    Service {
        word: "compatible",
        label: "Any OpenAI-compatible address",
        example: "a-model-of-its-list",
        switch: "It must allow this page's origin (CORS), with the headers Authorization and Content-Type.",
        ..ROW
    },
];

impl Service {
    /// The service behind a spec's word.
    pub fn find(word: &str) -> Option<&'static Self> {
        SERVICES.iter().find(|service| service.word == word)
    }

    /// Whether it works inside the page, without key and network.
    pub fn is_inside(&self) -> bool {
        self.speaks == Speaks::Inside
    }

    /// The key that its requests carry, and how.
    pub fn key_use(&self) -> Option<KeyUse> {
        (self.key != Key::None).then_some(KeyUse {
            slot: self.word,
            header: "authorization",
            prefix: "Bearer ",
            needed: self.key == Key::Needed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_whole() {
        for (at, service) in SERVICES.iter().enumerate() {
            assert!(Service::find(service.word) == Some(service), "{at}");
            assert!(!service.label.is_empty(), "{}", service.word);
            assert!(!service.word.contains([':', '@', '/', ' ']));
            let address = service.base;
            assert!(address.is_empty() || address.starts_with("http"));
            assert!(!address.ends_with('/'), "{address}");
        }
    }
}
