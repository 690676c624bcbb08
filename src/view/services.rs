//! What a service's answer comes to, in words: party, fact, next step. No word of the answer itself
//! is passed on: a server can echo the key that it was sent.

use super::words::{Said, Tone};
use crate::case::lower;
use crate::env::address::{self, border};
use crate::provider::listing::Listed;
use crate::settings::Service;
use crate::settings::service::{Key, Probe};
use crate::view::format::{count, grouped};
use crate::wire::FetchFailure;
use crate::wire::exchange::Reply;

/// What a test or a list came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The sentence.
    pub said: Said,
    /// What the reason can be, each with what to do; empty when the sentence says all.
    pub causes: Vec<String>,
}

impl Finding {
    /// A sentence that says all.
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            said: Said { tone, text },
            causes: Vec::new(),
        }
    }
}

/// What was asked of whom, and by whom.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The service.
    pub service: &'static Service,
    /// Its address.
    pub base: &'a str,
    /// A key went with it.
    pub with_key: bool,
    /// The models were asked for, not the key tested.
    pub list: bool,
    /// The page that asked.
    pub by: Asker,
}

/// What kind of page asks: that decides what a browser lets it reach.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asker {
    /// It was served over `https`.
    pub https: bool,
    /// It was served from this machine.
    pub local: bool,
}

/// Host and port of an address.
pub fn host(base: &str) -> &str {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

impl Asked<'_> {
    /// What the reply comes to; `listed`: how many models it names, where it is a list.
    pub fn finding(&self, reply: &Reply, listed: Option<usize>) -> Finding {
        let host = host(self.base);
        match reply {
            Reply::Answered(200..=299, _) => self.good(listed, reply.json().is_some()),
            Reply::Answered(status, body) => self.refused(*status, body),
            Reply::Failed(FetchFailure::Unreachable) => self.unreachable(),
            Reply::Failed(FetchFailure::NoKey) => bad(format!(
                "No key is held for {}, so nothing was sent. Type one first.",
                self.service.label
            )),
            Reply::Failed(FetchFailure::KeyElsewhere(origin)) => bad(format!(
                "The key is not for {host}, only for {}: nothing was sent.",
                self::host(origin)
            )),
            Reply::Failed(FetchFailure::BadAddress) => {
                bad(format!("{host} is no usable address. Check it for a slip."))
            }
            Reply::Failed(FetchFailure::Broken) => bad(format!(
                "{host} broke off in the middle of its answer. Try again."
            )),
            Reply::TimedOut => bad(format!(
                "{host} did not answer in time. Check that it is running, then try again."
            )),
            Reply::TooLarge => bad(format!(
                "{host} answered with more than a page should hold. Check the address."
            )),
        }
    }

    fn good(&self, listed: Option<usize>, json: bool) -> Finding {
        let host = host(self.base);
        let lists = self.list || self.service.probe == Probe::Models;
        if !json || (lists && listed.is_none()) {
            let what = if json { "a list of models" } else { "JSON" };
            return bad(format!(
                "{host} answered, but not with {what}: something else stands at that address. Check it; most end in /v1."
            ));
        }
        let mut text = match (self.list, self.with_key, self.service.key) {
            (false, true, Key::Needed) => format!("{host} took the key."),
            (false, true, _) => format!("{host} answered with this key."),
            _ => format!("{host} answered."),
        };
        if let Some(listed) = listed {
            text.push_str(" It lists ");
            text.push_str(&count(listed, "model", "models"));
            text.push('.');
        }
        Finding::new(Tone::Good, text)
    }

    fn refused(&self, status: u16, body: &[u8]) -> Finding {
        let host = host(self.base);
        let service = self.service;
        // The one sentence that is looked for, and only looked for (Anthropic).
        let forbidden = b"CORS requests are not allowed";
        let no_pages = body.windows(forbidden.len()).any(|part| part == forbidden);
        let fact = match status {
            401 | 403 if no_pages => "this organization forbids calls from a page.",
            401 if !self.with_key => "it wants a key. Type one.",
            401 if service.keys_at.is_empty() => {
                "the key was refused. Ask whoever runs it for one."
            }
            401 => "the key was refused. Copy it again, or make a new one.",
            402 => "there is no credit. See the billing of the account.",
            403 => "the key may not do this.",
            404 => "nothing is there. Check the address, most end in /v1, and the model's name.",
            400 | 422 => "it did not take the request. Check the model's name.",
            429 => "too many requests, or the quota is used up. Try again later.",
            500.. => "it is in trouble itself. Try again later.",
            _ => "that tells nothing about the key. Check the address.",
        };
        let mut finding = bad(format!("{host} answered {status}: {fact}"));
        if matches!(status, 401 | 403) {
            finding.causes.extend(said(service.switch));
        }
        finding
    }

    fn unreachable(&self) -> Finding {
        let mut finding = bad(format!(
            "{} could not be reached, and the browser does not tell the page why. It can be:",
            host(self.base)
        ));
        let causes = &mut finding.causes;
        if let Ok(server) = address::parse(self.base) {
            let concerns = border(self.by.https, self.by.local, &server);
            causes.extend(concerns.iter().map(ToString::to_string));
        }
        causes.push("It is not running, this device is offline, or the address has a slip.".into());
        causes.push("It does not let this page in (CORS).".into());
        if let Some(cause) = causes.last_mut()
            && !self.service.switch.is_empty()
        {
            cause.push(' ');
            cause.push_str(self.service.switch);
        }
        if self.with_key {
            causes.push(
                "It sends requests on to another address. With a key the page does not follow: \
                 give the address that it ends at."
                    .into(),
            );
        }
        finding
    }
}

fn bad(text: String) -> Finding {
    Finding::new(Tone::Bad, text)
}

fn said(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// What is known of a listed model besides its name: prices, context, tools.
pub fn about(model: &Listed) -> String {
    let mut parts = Vec::new();
    if model.label != model.id {
        parts.push(model.label.clone());
    }
    match &model.price {
        Some(price) => parts.push(format!(
            "{} in, {} out per million tokens",
            dollars(price.input),
            dollars(price.output)
        )),
        None => parts.push("price not known".into()),
    }
    if let Some(context) = model.context {
        parts.push(format!("{} tokens", grouped(context)));
    }
    if model.tools == Some(false) {
        parts.push("calls no tools".into());
    }
    parts.join(" · ")
}

/// The models whose name or label holds what was typed, each with its place in the list: at most
/// `most` of them, and how many there are. A whole name has been chosen already: then all are
/// offered again.
pub fn matching(listed: &[Listed], typed: &str, most: usize) -> (Vec<(usize, Listed)>, usize) {
    let typed = lower(typed.trim());
    let chosen = listed.iter().any(|model| lower(&model.id) == typed);
    let (mut shown, mut many) = (Vec::new(), 0);
    for (place, model) in listed.iter().enumerate() {
        if chosen || lower(&model.id).contains(&typed) || lower(&model.label).contains(&typed) {
            if many < most {
                shown.push((place, model.clone()));
            }
            many += 1;
        }
    }
    (shown, many)
}

/// `$3`, `$0.25`, `$0.075`: rounded to tenths of a cent.
fn dollars(usd: f64) -> String {
    let mills = (usd * 1000.0 + 0.5) as u64;
    let (whole, rest) = (mills / 1000, mills % 1000);
    let whole = grouped(whole);
    match rest {
        0 => format!("${whole}"),
        _ if rest % 10 == 0 => format!("${whole}.{:02}", rest / 10),
        _ => format!("${whole}.{rest:03}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(word: &str, base: &'static str) -> Asked<'static> {
        Asked {
            service: Service::find(word).unwrap(),
            base,
            with_key: true,
            list: false,
            by: Asker {
                https: true,
                local: false,
            },
        }
    }

    fn answered(word: &str, base: &'static str, status: u16, body: &str) -> Finding {
        asked(word, base).finding(&Reply::Answered(status, body.into()), None)
    }

    #[test]
    fn a_refusal_repeats_no_word_of_the_service() {
        let body = r#"{"error": {"message": "Incorrect API key: sk-planted"}}"#;
        let finding = answered("openai", "https://api.openai.com/v1", 401, body);
        assert_eq!(
            finding.said.text,
            "api.openai.com answered 401: the key was refused. Copy it again, or make a new one."
        );
        assert!(!format!("{finding:?}").contains("sk-planted"));
    }

    #[test]
    fn an_organization_that_forbids_pages_is_told_from_a_wrong_key() {
        let body = "CORS requests are not allowed for this Organization because of its settings";
        let finding = answered("anthropic", "https://api.anthropic.com/v1", 401, body);
        assert!(finding.said.text.contains("forbids calls from a page"));
        assert!(finding.causes[0].contains("console"), "{finding:?}");
    }

    #[test]
    fn an_html_page_is_no_good_answer() {
        let finding = answered("vllm", "http://localhost:8000/v1", 200, "<html>");
        assert_eq!(finding.said.tone, Tone::Bad);
        assert!(finding.said.text.contains("Check it"), "{finding:?}");
    }

    #[test]
    fn no_answer_names_what_it_can_be_and_the_switch_of_the_service() {
        let asked = asked("ollama", "http://192.168.0.9:11434/v1");
        let finding = asked.finding(&Reply::Failed(FetchFailure::Unreachable), None);
        let all = finding.causes.join("\n");
        assert!(all.contains("is encrypted (https)"), "{all}");
        assert!(all.contains("OLLAMA_ORIGINS"), "{all}");
        assert!(all.contains("not running"), "{all}");
    }

    #[test]
    fn a_list_is_narrowed_by_what_is_typed_and_whole_again_once_a_name_is_chosen() {
        let model = |id: &str| Listed {
            id: id.into(),
            ..Listed::default()
        };
        let listed: Vec<Listed> = ["org/One", "org/Two", "other/Two"].map(model).into();
        let ids = |typed: &str, most| {
            let (models, many) = matching(&listed, typed, most);
            (
                models
                    .into_iter()
                    .map(|(_, model)| model.id)
                    .collect::<Vec<_>>(),
                many,
            )
        };
        assert_eq!(ids("two", 1), (vec!["org/Two".into()], 2));
        assert_eq!(ids("org/one", 9).1, 3);
        assert_eq!(ids("nothing", 9), (vec![], 0));
    }

    #[test]
    fn dollars_are_as_short_as_they_are_exact() {
        let all: Vec<_> = [3.0, 0.25, 0.075, 1250.0, 0.0].map(dollars).into();
        assert_eq!(all, ["$3", "$0.25", "$0.075", "$1,250", "$0"]);
    }
}
