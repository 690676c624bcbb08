//! Addresses of environment servers: from what people paste to what the page opens.
//!
//! In: any text. Out: a [`ServerAddress`] (one `/ws` address, one base for HTTP), or an
//! [`AddressError`] that says what to type instead. Pure; asks nobody. `border` tells what stands
//! between a page and an address before anything is opened.
//!
//! | pasted | opened |
//! |---|---|
//! | `http://host:8000`, `https://host/prefix/` | `ws://host:8000/ws`, `wss://host/prefix/ws` |
//! | `ws://…`, `wss://…`, with or without `/ws` | the same, with one `/ws` at the end |
//! | `localhost:8000`, `192.168.0.9:8000` | `ws://…/ws`; a public host without a scheme gets `wss` |
//! | `…/web`, `…/docs`, `…/health`, `…/mcp` | that last part is cut |
//! | `huggingface.co/spaces/OWNER/NAME` | `wss://owner-name.hf.space/ws` |
//! | `OWNER/NAME` | nothing yet: [`AddressError::Ambiguous`] asks |

mod border;
mod host;
mod space;
mod split;
#[cfg(test)]
mod tests;

pub use border::{Concern, border};
pub use host::Reach;
pub use space::Space;

use split::{cut_at, cut_endpoint, path_parts, pick, split_scheme};
use std::fmt;

/// The most characters that are looked at; a longer text is no address.
const MOST: usize = 2_000;

/// A server, ready to be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    /// The session's address: `ws://` or `wss://`, ending in `/ws`.
    pub ws_url: String,
    /// Where HTTP endpoints hang: `http://` or `https://`, without a slash at the end.
    pub http_base: String,
    /// Host and port, as shown and as named in messages.
    pub host: String,
    /// Whether the connection is encrypted.
    pub secure: bool,
    /// How far away the host is.
    pub reach: Reach,
    /// The Hugging Face Space behind it, if it is one.
    pub space: Option<Space>,
    /// What was left out or read in a certain way; empty when nothing was.
    pub hints: Vec<Hint>,
}

impl ServerAddress {
    /// The hints as one text, `None` when there are none.
    pub fn hint(&self) -> Option<String> {
        let texts: Vec<String> = self.hints.iter().map(ToString::to_string).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }
}

/// Something done to a pasted address that its owner should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A user name or password stood in it.
    CredentialsDropped,
    /// A query or a fragment stood in it.
    QueryDropped,
    /// A page or endpoint of the server was cut off its end.
    EndpointCut,
    /// `0.0.0.0` or `[::]` is where a server listens, not where it is reached.
    ListenAddress,
    /// No scheme was given: taken as unencrypted, because the host is near.
    AssumedPlain,
    /// No scheme was given: taken as encrypted.
    AssumedSecure,
    /// A Space's page was given; its own address is used.
    FromSpacePage,
    /// Spaces are only reached encrypted.
    MadeSecure,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CredentialsDropped => {
                "The user name and password were left out: browsers do not send them with a WebSocket."
            }
            Self::QueryDropped => "What followed ? or # was left out.",
            Self::EndpointCut => "The last part was a page of the server and was left out.",
            Self::ListenAddress => {
                "A server listens on that address; from this machine it is reached as localhost."
            }
            Self::AssumedPlain => "Read as http://, because the host is on this machine or near it.",
            Self::AssumedSecure => "Read as https://.",
            Self::FromSpacePage => "That is the Space's page; its server has its own address.",
            Self::MadeSecure => "Spaces are only reached over https://.",
        })
    }
}

/// Why a text is no address of a server. Each text says what to type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Nothing was typed.
    #[error("no address yet. Type one, for example localhost:8000")]
    Empty,
    /// Far too much was typed.
    #[error("that is too long for an address. Paste only the server's address")]
    TooLong,
    /// Two words round one slash: a Space, or a host with a path.
    #[error(
        "a Space? Then the address is {suggestion}. If {owner} is a host, put http:// before it"
    )]
    Ambiguous {
        /// What stands before the slash.
        owner: String,
        /// What stands behind it.
        name: String,
        /// The Space's address, ready to be used.
        suggestion: String,
    },
    /// A scheme that no server of ours has.
    #[error("{0}: is no scheme of an environment server. Use http, https, ws or wss")]
    Scheme(String),
    /// Nothing stands where the host should be.
    #[error("the address names no host. Type one, for example localhost:8000")]
    NoHost,
    /// The host cannot be one.
    #[error("no host can be called {0}. Check the address for a slip")]
    BadHost(String),
    /// The port cannot be one.
    #[error("the port must be a number from 1 to 65535, not {0}")]
    BadPort(String),
    /// A page of Hugging Face that is not a Space.
    #[error(
        "that page of Hugging Face is not a Space. A Space's address is huggingface.co/spaces/OWNER/NAME"
    )]
    NotASpace,
}

/// Reads whatever was pasted.
///
/// ```
/// use quayside::env::address::parse;
/// let server = parse("http://play.example.org/quay/web/").unwrap();
/// assert_eq!(server.ws_url, "ws://play.example.org/quay/ws");
/// assert_eq!(server.http_base, "http://play.example.org/quay");
/// ```
pub fn parse(text: &str) -> Result<ServerAddress, AddressError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(AddressError::Empty);
    }
    if text.chars().count() > MOST {
        return Err(AddressError::TooLong);
    }
    let text = pick(text).replace('\\', "/");
    let (scheme, rest) = split_scheme(&text)?;
    let mut hints = Vec::new();

    let (rest, tail) = cut_at(rest, &['?', '#']);
    if tail.is_some_and(|tail| tail.chars().any(|c| !matches!(c, '?' | '#'))) {
        hints.push(Hint::QueryDropped);
    }
    let (authority, path) = cut_at(rest, &['/']);
    let authority = match authority.rsplit_once('@') {
        Some((_, host)) => {
            hints.push(Hint::CredentialsDropped);
            host
        }
        None => authority,
    };
    let mut parts = path_parts(path.unwrap_or_default());

    if scheme.is_none() {
        if authority.eq_ignore_ascii_case("spaces") && parts.len() >= 2 {
            return from_page(&parts, hints);
        }
        if let Some(question) = ambiguous(authority, &parts) {
            return Err(question);
        }
    }
    let host::Place {
        name,
        port,
        reach,
        listen,
    } = host::read(authority)?;
    if space::is_hub(&name) {
        return from_page(&space::hub_parts(&parts)?, hints);
    }
    if listen {
        hints.push(Hint::ListenAddress);
    }
    if cut_endpoint(&mut parts) {
        hints.push(Hint::EndpointCut);
    }
    let space = Space::from_host(&name);
    let secure = match scheme {
        Some(secure) if !secure && space.is_some() => {
            hints.push(Hint::MadeSecure);
            true
        }
        Some(secure) => secure,
        None => {
            let plain = space.is_none() && (reach != Reach::Public || port == Some(80));
            hints.push(if plain {
                Hint::AssumedPlain
            } else {
                Hint::AssumedSecure
            });
            !plain
        }
    };
    let usual = if secure { 443 } else { 80 };
    let host = match port {
        Some(port) if port != usual => format!("{name}:{port}"),
        _ => name,
    };
    Ok(assemble(host, &parts, secure, reach, space, hints))
}

/// The address of a Space whose owner and name are known.
pub fn of_space(owner: &str, name: &str) -> Result<ServerAddress, AddressError> {
    from_page(&[owner.to_owned(), name.to_owned()], Vec::new())
}

fn from_page(parts: &[String], mut hints: Vec<Hint>) -> Result<ServerAddress, AddressError> {
    let [owner, name, ..] = parts else {
        return Err(AddressError::NotASpace);
    };
    let space = Space::new(owner, name).ok_or(AddressError::NotASpace)?;
    hints.push(Hint::FromSpacePage);
    let host = space.host();
    Ok(assemble(host, &[], true, Reach::Public, Some(space), hints))
}

fn assemble(
    host: String,
    parts: &[String],
    secure: bool,
    reach: Reach,
    space: Option<Space>,
    hints: Vec<Hint>,
) -> ServerAddress {
    let mut prefix = parts.join("/");
    if !prefix.is_empty() {
        prefix.insert(0, '/');
    }
    let s = if secure { "s" } else { "" };
    ServerAddress {
        ws_url: format!("ws{s}://{host}{prefix}/ws"),
        http_base: format!("http{s}://{host}{prefix}"),
        host,
        secure,
        reach,
        space,
        hints,
    }
}

/// `OWNER/NAME` without a scheme, a dot or a port could be a Space.
fn ambiguous(owner: &str, parts: &[String]) -> Option<AddressError> {
    let [name] = parts else { return None };
    let near = owner.contains(['.', ':', '[']) || owner.eq_ignore_ascii_case("localhost");
    let endpoint = cut_endpoint(&mut vec![name.clone()]) || name.eq_ignore_ascii_case("ws");
    if near || endpoint {
        return None;
    }
    let space = Space::new(owner, name)?;
    Some(AddressError::Ambiguous {
        owner: owner.to_owned(),
        name: name.clone(),
        suggestion: format!("https://{}", space.host()),
    })
}
