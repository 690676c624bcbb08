//! Addresses of services: from what people paste to the one form that is asked and compared.
//!
//! | pasted | understood as |
//! |---|---|
//! | `localhost:8000` | `http://localhost:8000/v1` |
//! | `https://Proxy.example:443/llm/` | `https://proxy.example/llm` |
//! | `http://host:4000/v1/chat/completions` | `http://host:4000/v1` |

use crate::env::address::{self, AddressError, Hint};

/// What people paste with an address: the ends of what is asked there.
const ENDS: [&str; 4] = ["/chat/completions", "/responses", "/messages", "/models"];

/// Why a text is no address of a service. Each text says what to type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseError {
    /// The host or the port is none.
    #[error("{0}")]
    Address(AddressError),
    /// Another scheme, or what might be the name of something.
    #[error("a service is reached by http:// or https://. Type one of them and the host")]
    Scheme,
    /// A user name or password stands in it.
    #[error("no user name or password belongs into an address. Type the key into its own field")]
    Person,
    /// A query or a fragment stands behind it.
    #[error("leave out what follows ? or #")]
    Tail,
}

/// Reads whatever was pasted; nothing is the service's own address. What comes out reads as itself.
pub fn read(text: &str) -> Result<String, BaseError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(String::new());
    }
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    let web = ["", "http", "https"];
    if !web.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return Err(BaseError::Scheme);
    }
    let server = address::parse(text).map_err(|error| match error {
        AddressError::Ambiguous { .. } | AddressError::NotASpace | AddressError::Scheme(_) => {
            BaseError::Scheme
        }
        error => BaseError::Address(error),
    })?;
    for hint in &server.hints {
        match hint {
            Hint::CredentialsDropped => return Err(BaseError::Person),
            Hint::QueryDropped => return Err(BaseError::Tail),
            Hint::FromSpacePage => return Err(BaseError::Scheme),
            _ => {}
        }
    }
    let mut base = server.http_base;
    if let Some(short) = ENDS.iter().find_map(|end| base.strip_suffix(end)) {
        base.truncate(short.len());
    }
    if base == origin(&base) {
        base.push_str("/v1");
    }
    Ok(base)
}

/// Scheme, host and port of an address that [`read`] has made.
pub fn origin(base: &str) -> &str {
    let host = base.find("://").map_or(0, |at| at + 3);
    let rest = base.get(host..).unwrap_or_default();
    let end = rest.find('/').map_or(base.len(), |at| host + at);
    base.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_paste_has_one_form() {
        for (text, base) in [
            ("localhost:8000", "http://localhost:8000/v1"),
            (" http://localhost:8000/ ", "http://localhost:8000/v1"),
            ("proxy.example", "https://proxy.example/v1"),
            (
                "https://Proxy.example:443/llm/",
                "https://proxy.example/llm",
            ),
            ("http://h:4000/v1/chat/completions", "http://h:4000/v1"),
            ("http://h:4000/v1/models/", "http://h:4000/v1"),
            ("https://h.example/chat/completions", "https://h.example/v1"),
            ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
            ("", ""),
        ] {
            assert_eq!(read(text), Ok(base.into()), "{text}");
            assert_eq!(read(base), Ok(base.into()), "{base}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_service_is_explained() {
        for (text, error) in [
            ("ws://localhost:8000", BaseError::Scheme),
            ("javascript://x", BaseError::Scheme),
            ("litellm/v1", BaseError::Scheme),
            ("https://me:secret@proxy.example/v1", BaseError::Person),
            ("https://proxy.example/v1?key=x", BaseError::Tail),
            ("https://proxy.example/v1#x", BaseError::Tail),
            ("http://", BaseError::Address(AddressError::NoHost)),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        assert_eq!(origin("http://h:1/v1/x"), "http://h:1");
        assert_eq!(origin("https://h.example"), "https://h.example");
        assert_eq!(origin(""), "");
    }
}
