//! The page's addresses: what stands after `#`. Parse and print, side by side.
//!
//! | fragment | screen |
//! |---|---|
//! | `#/` | Start |
//! | `#/tasks?env=builtin&q=storm` | task list, filtered |
//! | `#/t/builtin/aldermouth-01` | workbench |
//! | `#/t/wss%3A%2F%2Fplay.example.org%2Fws/quay-1` | workbench on a server |
//! | `#/rollouts?q=storm`, `#/rollouts/3f2e73f0c592` | saved on this device |
//! | `#/r/1wd.….…` | a rollout inside the link ([`crate::share`]) |
//! | `#/r?src=https%3A%2F%2F…` | a rollout in a file elsewhere |
//! | `#/r?handed` | a rollout that another page handed over |
//! | `#/connect` | servers and the doctor |
//! | `#/models` | services, keys and models |
//!
//! `m` (message), `h` (hour), `d` (draft) and `v=diff` say what of a rollout is looked at ([`Look`]):
//! `#/rollouts/3f2e73f0c592?m=12&d=3`, `#/r/1wd.….…&h=104`.
//! A fragment comes from outside: whatever does not parse is [`Route::Unknown`], never an error.

/// A screen, with what it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// The demonstration.
    #[default]
    Start,
    /// The task list.
    Tasks {
        /// Words that a task must hold.
        filter: String,
    },
    /// A task and an agent.
    Workbench {
        /// Where the task is.
        place: Place,
        /// Task id; empty when the environment chooses.
        task: String,
    },
    /// Rollouts kept on this device.
    Rollouts {
        /// Words that a rollout must hold.
        filter: String,
    },
    /// One of them.
    Rollout {
        /// Its id.
        id: String,
        /// What of it is looked at.
        look: Look,
    },
    /// A rollout that is not on this device.
    Guest {
        /// Where it comes from.
        from: Origin,
        /// What of it is looked at.
        look: Look,
    },
    /// Servers.
    Connect,
    /// Services, keys and models.
    Models,
    /// Nothing of ours.
    Unknown(String),
}

/// Where a rollout comes from that is not on this device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is in the link: the code.
    Link(String),
    /// It is in a file elsewhere: the query, from `src=` on.
    File(String),
    /// Another page handed it over.
    Page,
}

/// What of a rollout is looked at. What is absent is the rollout's end, without an hour line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Message, from 1.
    pub message: Option<usize>,
    /// Hour of the week, from 0.
    pub hour: Option<crate::berth::Hour>,
    /// Draft; 0 is the published plan.
    pub draft: Option<usize>,
    /// The difference with the plan before is drawn.
    pub difference: bool,
}

impl Look {
    /// Takes what is about a look out of a query; gives the rest.
    fn read(query: &str) -> (Self, String) {
        let mut look = Self::default();
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("m", value)) => look.message = value.parse().ok().filter(|at| *at > 0),
                Some(("h", value)) => look.hour = value.parse().ok().filter(|hour| *hour >= 0),
                Some(("d", value)) => look.draft = value.parse().ok(),
                Some(("v", value)) => look.difference = value == "diff",
                _ => rest.push(pair),
            }
        }
        (look, rest.join("&"))
    }

    /// `m=12&d=3`; empty when all is as it opens.
    fn query(self) -> String {
        let mut parts = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                parts.push([name, &value].concat());
            }
        };
        add("m=", self.message.map(|at| at.to_string()));
        add("h=", self.hour.map(|at| at.to_string()));
        add("d=", self.draft.map(|at| at.to_string()));
        add("v=", self.difference.then(|| "diff".to_owned()));
        parts.join("&")
    }
}

/// `path`, and `query` behind it.
fn with_query(path: String, sign: &str, query: &str) -> String {
    if query.is_empty() {
        path
    } else {
        [&path, sign, query].concat()
    }
}

/// Where a task runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Inside the page.
    #[default]
    Builtin,
    /// On the server with this WebSocket address.
    Server(String),
}

impl Route {
    /// Reads a fragment, with or without its `#`.
    pub fn parse(fragment: &str) -> Self {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        let (path, query) = fragment.split_once('?').unwrap_or((fragment, ""));
        let path = path.strip_prefix('/').unwrap_or(path);
        if let Some(code) = path.strip_prefix("r/") {
            // What is looked at stands behind the code; some put a question mark before it.
            let (code, looks) = code.split_once('&').unwrap_or((code, query));
            return Self::Guest {
                from: Origin::Link(code.to_owned()),
                look: Look::read(looks).0,
            };
        }
        let parts: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
        match parts.as_slice() {
            [""] => Self::Start,
            ["t", "", ..] | ["rollouts", ""] => Self::Unknown(fragment.to_owned()),
            ["tasks"] => Self::Tasks {
                filter: query_value(query, "q").unwrap_or_default(),
            },
            ["t", place, rest @ ..] if rest.len() <= 1 => {
                let task = rest.first().map(|task| decode(task)).unwrap_or_default();
                let place = decode(place);
                let place = if place == "builtin" {
                    Place::Builtin
                } else {
                    Place::Server(place)
                };
                Self::Workbench { place, task }
            }
            ["rollouts"] => Self::Rollouts {
                filter: query_value(query, "q").unwrap_or_default(),
            },
            ["rollouts", id] => Self::Rollout {
                id: decode(id),
                look: Look::read(query).0,
            },
            ["r"] => {
                let (look, query) = Look::read(query);
                let from = match query.as_str() {
                    "handed" => Origin::Page,
                    _ => Origin::File(query),
                };
                Self::Guest { from, look }
            }
            ["connect"] => Self::Connect,
            ["models"] => Self::Models,
            _ => Self::Unknown(fragment.to_owned()),
        }
    }

    /// The fragment of this route, with its `#`.
    pub fn fragment(&self) -> String {
        match self {
            Self::Start => "#/".into(),
            Self::Tasks { filter } if filter.is_empty() => "#/tasks".into(),
            Self::Tasks { filter } => format!("#/tasks?q={}", encode(filter)),
            Self::Workbench { place, task } => {
                let place = match place {
                    Place::Builtin => "builtin".to_owned(),
                    Place::Server(address) => encode(address),
                };
                if task.is_empty() {
                    format!("#/t/{place}")
                } else {
                    format!("#/t/{place}/{}", encode(task))
                }
            }
            Self::Rollouts { filter } if filter.is_empty() => "#/rollouts".into(),
            Self::Rollouts { filter } => format!("#/rollouts?q={}", encode(filter)),
            Self::Rollout { id, look } => {
                with_query(format!("#/rollouts/{}", encode(id)), "?", &look.query())
            }
            Self::Guest { from, look } => match from {
                Origin::Link(code) => with_query(format!("#/r/{code}"), "&", &look.query()),
                Origin::File(query) => with_query(format!("#/r?{query}"), "&", &look.query()),
                Origin::Page => with_query("#/r?handed".into(), "&", &look.query()),
            },
            Self::Connect => "#/connect".into(),
            Self::Models => "#/models".into(),
            Self::Unknown(fragment) => format!("#{fragment}"),
        }
    }

    /// This rollout with another look; none for screens that show none.
    pub fn looking_at(&self, look: Look) -> Option<Self> {
        match self.clone() {
            Self::Rollout { id, .. } => Some(Self::Rollout { id, look }),
            Self::Guest { from, .. } => Some(Self::Guest { from, look }),
            _ => None,
        }
    }

    /// The document title of this screen.
    pub fn title(&self) -> String {
        match self {
            Self::Start => "Quayside".into(),
            Self::Tasks { .. } => "Tasks · Quayside".into(),
            Self::Workbench { task, .. } if task.is_empty() => "Workbench · Quayside".into(),
            Self::Workbench { task, .. } => format!("{task} · Quayside"),
            Self::Rollouts { .. } => "Rollouts · Quayside".into(),
            Self::Rollout { id, .. } => format!("Rollout {id} · Quayside"),
            Self::Guest { .. } => "Shared rollout · Quayside".into(),
            Self::Connect => "Connect · Quayside".into(),
            Self::Models => "Models · Quayside".into(),
            Self::Unknown(_) => "Not found · Quayside".into(),
        }
    }
}

fn query_value(query: &str, name: &str) -> Option<String> {
    query.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (key == name).then(|| decode(value))
    })
}

/// Percent-encodes everything but letters, digits and `-._~`.
fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            for half in [byte >> 4, byte & 15] {
                let digit = char::from_digit(half.into(), 16).unwrap_or_default();
                out.push(digit.to_ascii_uppercase());
            }
        }
    }
    out
}

/// Undoes percent-encoding; what is none stays as it is, and broken UTF-8 is replaced.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let pair = (byte == b'%')
            .then(|| Some((ahead.next()?, ahead.next()?)))
            .flatten();
        let hex = |digit: u8| char::from(digit).to_digit(16);
        match pair.and_then(|(high, low)| Some(hex(high)? * 16 + hex(low)?)) {
            Some(value) => {
                bytes.push(value as u8);
                rest = ahead;
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_server_address_survives_in_one_part_of_the_path() {
        let route = Route::Workbench {
            place: Place::Server("wss://play.example.org/x/ws".into()),
            task: "a/b c".into(),
        };
        assert_eq!(
            route.fragment(),
            "#/t/wss%3A%2F%2Fplay.example.org%2Fx%2Fws/a%2Fb%20c"
        );
        assert_eq!(Route::parse(&route.fragment()), route);
    }

    #[test]
    fn what_is_no_screen_of_ours_is_unknown() {
        assert_eq!(
            Route::parse("#/nowhere/x"),
            Route::Unknown("/nowhere/x".into())
        );
        assert_eq!(Route::parse(""), Route::Start);
        assert_eq!(Route::parse("#/t//x"), Route::Unknown("/t//x".into()));
    }

    #[test]
    fn a_percent_sign_that_starts_no_code_stays() {
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%41"), "%zzA");
    }

    proptest! {
        #[test]
        fn any_fragment_parses_and_prints_to_a_fixed_point(text in ".{0,40}") {
            let route = Route::parse(&text);
            prop_assert_eq!(Route::parse(&route.fragment()), route);
        }
        #[test]
        fn names_survive_the_path(task in "[^\u{0}]{1,20}", filter in ".{0,20}") {
            let route = Route::Workbench { place: Place::Builtin, task };
            prop_assert_eq!(Route::parse(&route.fragment()), route);
            let route = Route::Tasks { filter: filter.clone() };
            prop_assert_eq!(Route::parse(&route.fragment()), route);
            let route = Route::Rollouts { filter };
            prop_assert_eq!(Route::parse(&route.fragment()), route);
        }
    }
}
