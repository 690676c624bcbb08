//! Which model: `provider:model[@effort]`, the form in records, links and settings.

use super::service::{SERVICES, Service};
use std::fmt;

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

impl Effort {
    /// The word that services know; none for their own default.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Default => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }
}

/// A model, as a person names it. Prints as it was written.
///
/// ```
/// use quayside::settings::{Effort, ModelSpec};
/// let spec: ModelSpec = "anthropic:some-model@low".parse().unwrap();
/// assert_eq!((spec.service.word, spec.model.as_str()), ("anthropic", "some-model"));
/// assert_eq!(spec.effort(), Effort::Low);
/// assert_eq!(spec.to_string(), "anthropic:some-model@low");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSpec {
    /// Who makes the turns.
    pub service: &'static Service,
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
    #[error("which model of {0}? Write {0}:model")]
    NoModel(&'static str),
    /// There is one demonstration.
    #[error("there is no demonstration \"{0}\". Write demo:planner")]
    UnknownDemo(String),
}

fn known() -> String {
    let words: Vec<_> = SERVICES.iter().map(|service| service.word).collect();
    words.join(", ")
}

impl ModelSpec {
    /// The demonstration planner.
    pub fn demo() -> Self {
        Self {
            service: &SERVICES[0],
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
        let service =
            Service::find(word).ok_or_else(|| SpecError::UnknownService(word.to_owned()))?;
        match (service.word, model) {
            (word, "") => Err(SpecError::NoModel(word)),
            ("demo", other) if other != "planner" => Err(SpecError::UnknownDemo(other.to_owned())),
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
        write!(f, "{}:{}", self.service.word, self.model)?;
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
        for service in &SERVICES {
            assert!(error.to_string().contains(service.word), "{error}");
        }
    }

    #[test]
    fn a_spec_without_a_model_says_so() {
        assert_eq!("hf:".parse::<ModelSpec>(), Err(SpecError::NoModel("hf")));
        assert_eq!(
            "demo:x".parse::<ModelSpec>(),
            Err(SpecError::UnknownDemo("x".into()))
        );
        assert_eq!(" ".parse::<ModelSpec>(), Err(SpecError::Empty));
    }
}
