//! Which model: `provider:model[@effort]`, the form in records, links and settings.

use std::fmt;

/// Who makes the turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// The demonstration inside the page: no key, no network.
    Demo,
    /// Turns written down beforehand, for tests and examples.
    Scripted,
    /// Anthropic's Messages API.
    Anthropic,
    /// `OpenAI`'s Responses API.
    OpenAi,
    /// Chat completions through the Hugging Face router.
    Hf,
    /// Chat completions of a server that the person names.
    Vllm,
}

impl Service {
    /// All of them, in the order in which a form lists them.
    pub const ALL: [Self; 6] = [
        Self::Demo,
        Self::Scripted,
        Self::Anthropic,
        Self::OpenAi,
        Self::Hf,
        Self::Vllm,
    ];

    /// The word before the colon.
    pub fn word(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Scripted => "scripted",
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Hf => "hf",
            Self::Vllm => "vllm",
        }
    }

    /// Whether it works inside the page, without key and network.
    pub fn is_inside(self) -> bool {
        matches!(self, Self::Demo | Self::Scripted)
    }
}

/// How much a model should think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Whatever the service does by itself.
    #[default]
    Default,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// A model, as a person names it. Prints as it was written.
///
/// ```
/// use quayside::settings::{Effort, ModelSpec, Service};
/// let spec: ModelSpec = "anthropic:some-model@low".parse().unwrap();
/// assert_eq!((spec.service, spec.model.as_str()), (Service::Anthropic, "some-model"));
/// assert_eq!(spec.effort(), Effort::Low);
/// assert_eq!(spec.to_string(), "anthropic:some-model@low");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSpec {
    /// Who makes the turns.
    pub service: Service,
    /// The model's name at that service; may carry a route (see [`ModelSpec::routes`]).
    pub model: String,
    /// What stands after the first `@`; see [`ModelSpec::effort`].
    pub effort_word: Option<String>,
}

/// Why a spec is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing there.
    #[error("no model is named. Write provider:model, for example demo:planner")]
    Empty,
    /// The word before the colon is none of ours.
    #[error("\"{0}\" is no provider here. Write provider:model with one of {known}", known = known())]
    UnknownService(String),
    /// Nothing after the colon.
    #[error("which model of {word}? Write {word}:model", word = .0.word())]
    NoModel(Service),
    /// There is one demonstration.
    #[error("there is no demonstration \"{0}\". Write demo:planner")]
    UnknownDemo(String),
}

fn known() -> String {
    let words: Vec<_> = Service::ALL.map(Service::word).to_vec();
    words.join(", ")
}

impl ModelSpec {
    /// The demonstration planner.
    pub fn demo() -> Self {
        Self {
            service: Service::Demo,
            model: "planner".into(),
            effort_word: None,
        }
    }

    /// The effort asked for; a word that is none of the three asks for nothing.
    pub fn effort(&self) -> Effort {
        match self.effort_word.as_deref() {
            Some("low") => Effort::Low,
            Some("medium") => Effort::Medium,
            Some("high") => Effort::High,
            _ => Effort::Default,
        }
    }

    /// The names to ask for, in order: `org/name:one|two` means `org/name:one`, then `org/name:two`.
    /// Any other name stands alone.
    pub fn routes(&self) -> Vec<String> {
        match self.model.rsplit_once(':') {
            Some((name, route)) if route.contains('|') => route
                .split('|')
                .map(|part| format!("{name}:{part}"))
                .collect(),
            _ => vec![self.model.clone()],
        }
    }
}

impl std::str::FromStr for ModelSpec {
    type Err = SpecError;

    /// Splits at the first `@`, then at the first `:` before it.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(SpecError::Empty);
        }
        let (base, effort) = match text.split_once('@') {
            Some((base, effort)) => (base, Some(effort.to_owned())),
            None => (text, None),
        };
        let (word, model) = base.split_once(':').unwrap_or((base, ""));
        let service = Service::ALL.into_iter().find(|s| s.word() == word);
        let service = service.ok_or_else(|| SpecError::UnknownService(word.to_owned()))?;
        match (service, model) {
            (_, "") => Err(SpecError::NoModel(service)),
            (Service::Demo, other) if other != "planner" => {
                Err(SpecError::UnknownDemo(other.to_owned()))
            }
            _ => Ok(Self {
                service,
                model: model.to_owned(),
                effort_word: effort,
            }),
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.service.word(), self.model)?;
        match &self.effort_word {
            Some(word) => write!(f, "@{word}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_prints_as_it_was_written() {
        for text in [
            "demo:planner",
            "scripted:two-drafts",
            "anthropic:m@low",
            "openai:m@everything",
            "hf:org/m:one|two@high",
            "vllm:m@",
        ] {
            assert_eq!(text.parse::<ModelSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn effort_is_one_of_three_words_or_the_default() {
        let effort = |text: &str| text.parse::<ModelSpec>().unwrap().effort();
        assert_eq!(effort("openai:m@high"), Effort::High);
        assert_eq!(effort("openai:m@medium"), Effort::Medium);
        assert_eq!(effort("openai:m@everything"), Effort::Default);
        assert_eq!(effort("openai:m"), Effort::Default);
    }

    #[test]
    fn a_route_is_a_list_of_names_only_when_it_has_a_bar() {
        let routes = |text: &str| text.parse::<ModelSpec>().unwrap().routes();
        assert_eq!(routes("hf:org/m:one|two"), ["org/m:one", "org/m:two"]);
        assert_eq!(routes("hf:org/m:one"), ["org/m:one"]);
        assert_eq!(routes("hf:org/m"), ["org/m"]);
    }

    #[test]
    fn an_unknown_provider_is_told_which_there_are() {
        let error = "gpt:x".parse::<ModelSpec>().unwrap_err();
        assert_eq!(error, SpecError::UnknownService("gpt".into()));
        for service in Service::ALL {
            assert!(error.to_string().contains(service.word()), "{error}");
        }
    }

    #[test]
    fn a_spec_without_a_model_says_so() {
        assert_eq!(
            "hf:".parse::<ModelSpec>(),
            Err(SpecError::NoModel(Service::Hf))
        );
        assert_eq!(
            "demo:x".parse::<ModelSpec>(),
            Err(SpecError::UnknownDemo("x".into()))
        );
        assert_eq!(" ".parse::<ModelSpec>(), Err(SpecError::Empty));
    }
}
