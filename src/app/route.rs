//! The page's addresses: what stands after `#`. Parse and print, side by side.
//!
//! | fragment | screen |
//! |---|---|
//! | `#/` | Start |
//! | `#/tasks?env=builtin&q=storm` | task list, filtered |
//! | `#/t/builtin/aldermouth-01` | workbench |
//! | `#/t/wss%3A%2F%2Fplay.example.org%2Fws/quay-1` | workbench on a server |
//! | `#/rollouts`, `#/rollouts/3f2e73f0c592` | saved on this device |
//! | `#/connect` | servers and the doctor |
//! | `#/models` | services, keys and models |
//!
//! `m` (message), `h` (hour), `d` (draft) and `v=diff` are view state and stand in the query.
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
    Rollouts,
    /// One of them.
    Rollout {
        /// Its id.
        id: String,
    },
    /// Servers.
    Connect,
    /// Services, keys and models.
    Models,
    /// Nothing of ours.
    Unknown(String),
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
            ["rollouts"] => Self::Rollouts,
            ["rollouts", id] => Self::Rollout { id: decode(id) },
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
            Self::Rollouts => "#/rollouts".into(),
            Self::Rollout { id } => format!("#/rollouts/{}", encode(id)),
            Self::Connect => "#/connect".into(),
            Self::Models => "#/models".into(),
            Self::Unknown(fragment) => format!("#{fragment}"),
        }
    }

    /// The document title of this screen.
    pub fn title(&self) -> String {
        match self {
            Self::Start => "Quayside".into(),
            Self::Tasks { .. } => "Tasks · Quayside".into(),
            Self::Workbench { task, .. } if task.is_empty() => "Workbench · Quayside".into(),
            Self::Workbench { task, .. } => format!("{task} · Quayside"),
            Self::Rollouts => "Rollouts · Quayside".into(),
            Self::Rollout { id } => format!("Rollout {id} · Quayside"),
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
            let route = Route::Tasks { filter };
            prop_assert_eq!(Route::parse(&route.fragment()), route);
        }
    }
}
