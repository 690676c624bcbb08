//! Links that point to a file: `#/r?src=<https URL>&sha256=<43 characters>&i=<n>`.
//!
//! In: the query of such a link. Out: where the file is and what it must be. Nothing is fetched
//! here, and nothing is fetched anywhere before a person has read [`Source::origin`] and clicked.
//!
//! | part | meaning |
//! |---|---|
//! | `src` | the file: `https`, or `http` on this machine; no user name, no fragment; percent-encoded |
//! | `sha256` | base64url of its SHA-256, as it lies there; without it any content is taken |
//! | `i` | for a file of lines, one rollout each: which one, from 0 |

use super::{base64, seal};
use crate::case::lower;

/// Longest address.
const MOST: usize = 4_000;
/// Characters of a SHA-256 as base64url.
const SEAL: usize = 43;

/// A file that a link points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its address.
    pub url: String,
    /// Scheme, host and port: what a person is asked about.
    pub origin: String,
    /// SHA-256 of the file as base64url.
    pub sha256: Option<String>,
    /// Which line of it, from 0.
    pub line: Option<usize>,
}

/// Why a link to a file cannot be followed, or its file not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// There is no `src`.
    #[error("this link names no file: src is missing. Ask for the link again")]
    NoSource,
    /// Neither `https` nor on this machine.
    #[error(
        "this link's file is not behind https, so it is not fetched. Download it and open it here"
    )]
    NotHttps,
    /// Not an address a browser would open as it looks.
    #[error("this link's file has an address that is none. Ask for the link again")]
    NotAnAddress,
    /// A user name stands before the host.
    #[error(
        "this link's file has a user name in its address, so it is not fetched. Ask for a public address"
    )]
    UserName,
    /// `sha256` is not 43 characters of base64url.
    #[error(
        "this link's sha256 is damaged or cut: it has {0} characters, not 43. Copy the link again"
    )]
    Seal(usize),
    /// `i` is no number.
    #[error("this link's i is no line number. Copy the link again")]
    Line,
    /// The file is another one.
    #[error(
        "the file has changed since this link was made: its SHA-256 differs. Ask for a new link"
    )]
    Changed,
    /// The file is shorter.
    #[error(
        "the file has {lines} lines, and this link asks for line {asked} (the first is 0). Change i in the link"
    )]
    NoSuchLine {
        /// Lines it has.
        lines: usize,
        /// The line asked for, from 0.
        asked: usize,
    },
}

/// Reads the query of a link, what stands behind `#/r?`; other names are let pass.
///
/// ```
/// use quayside::share::source;
/// let source = source("src=https%3A%2F%2Fgist.example.org%2Fa.jsonl&i=17").unwrap();
/// assert_eq!(source.origin, "https://gist.example.org");
/// assert_eq!(source.line, Some(17));
/// ```
///
/// # Errors
/// What is wrong with the link.
pub fn source(query: &str) -> Result<Source, SourceError> {
    let query = query.strip_prefix('?').unwrap_or(query);
    let value = |name: &str| {
        query.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=')?;
            (key == name).then_some(value)
        })
    };
    let url = value("src").filter(|url| !url.is_empty());
    let url = decoded(url.ok_or(SourceError::NoSource)?).ok_or(SourceError::NotAnAddress)?;
    let origin = origin(&url)?;
    let sha256 = value("sha256").map(str::to_owned);
    if let Some(text) = &sha256 {
        let is_seal = text.len() == SEAL && base64::read(text).is_some();
        if !is_seal {
            return Err(SourceError::Seal(text.chars().count()));
        }
    }
    let line = value("i").map(|line| line.parse().map_err(|_| SourceError::Line));
    Ok(Source {
        origin,
        sha256,
        line: line.transpose()?,
        url,
    })
}

/// Scheme, host and port of an address that may be fetched.
fn origin(url: &str) -> Result<String, SourceError> {
    // A browser drops some of these and turns others; nothing may look different to it and to us.
    let strange =
        |byte: u8| !byte.is_ascii_graphic() || matches!(byte, b'\\' | b'#' | b'"' | b'<' | b'>');
    if url.len() > MOST || url.bytes().any(strange) {
        return Err(SourceError::NotAnAddress);
    }
    let (scheme, rest) = url.split_once("://").ok_or(SourceError::NotAnAddress)?;
    let scheme = lower(scheme);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err(SourceError::UserName);
    }
    let (host, port) = host_and_port(authority).ok_or(SourceError::NotAnAddress)?;
    let is_here = host == "localhost"
        || host.ends_with(".localhost")
        || host == "127.0.0.1"
        || host == "[::1]";
    if scheme != "https" && !(scheme == "http" && is_here) {
        return Err(SourceError::NotHttps);
    }
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    Ok(format!("{scheme}://{host}{port}"))
}

/// The host in small letters, and the port if one is given.
fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let after_host = authority.rfind(']').map_or(0, |end| end + 1);
    let colon = authority
        .get(after_host..)?
        .find(':')
        .map(|at| at + after_host);
    let (host, port) = match colon {
        Some(at) => (authority.get(..at)?, Some(authority.get(at + 1..)?)),
        None => (authority, None),
    };
    let named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let numbered = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let is_host = match host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
    {
        Some(number) => !number.is_empty() && number.bytes().all(numbered),
        None => !host.is_empty() && !host.starts_with('.') && host.bytes().all(named),
    };
    let port = port.map(str::parse::<u16>).transpose().ok()?;
    is_host.then(|| (lower(host), port.filter(|port| *port != 0)))
}

/// Undoes percent-encoding; `None` where what comes out is not UTF-8 or a code is half.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push((digit()? * 16 + digit()?) as u8);
    }
    String::from_utf8(bytes).ok()
}

impl Source {
    /// Whether these bytes, as they came, are the file that the link means.
    ///
    /// # Errors
    /// [`SourceError::Changed`].
    pub fn verify(&self, bytes: &[u8]) -> Result<(), SourceError> {
        let is_same = self
            .sha256
            .as_ref()
            .is_none_or(|sha256| *sha256 == seal(bytes));
        is_same.then_some(()).ok_or(SourceError::Changed)
    }

    /// Whether the file may be another one tomorrow.
    pub fn is_pinned(&self) -> bool {
        self.sha256.is_some()
    }

    /// The query of the link, what stands behind `#/r?`.
    pub fn query(&self) -> String {
        let mut out = String::from("src=");
        for byte in self.url.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte) {
                out.push(char::from(byte));
            } else {
                out.push('%');
                for half in [byte >> 4, byte & 15] {
                    let digit = char::from_digit(half.into(), 16).unwrap_or_default();
                    out.push(digit.to_ascii_uppercase());
                }
            }
        }
        if let Some(sha256) = &self.sha256 {
            out.push_str("&sha256=");
            out.push_str(sha256);
        }
        if let Some(line) = self.line {
            out.push_str("&i=");
            out.push_str(&line.to_string());
        }
        out
    }
}

/// Whether a file is packed with gzip, by its first bytes.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1F, 0x8B])
}

/// Line `asked` (from 0) of a file of lines, blank ones not counted.
///
/// # Errors
/// [`SourceError::NoSuchLine`].
pub fn line(text: &str, asked: usize) -> Result<&str, SourceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    lines().nth(asked).ok_or_else(|| SourceError::NoSuchLine {
        lines: lines().count(),
        asked,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn origin_of(url: &str) -> Result<String, SourceError> {
        source(&format!("src={url}")).map(|source| source.origin)
    }

    #[test]
    fn the_origin_is_what_a_browser_would_open() {
        for (url, origin) in [
            (
                "https://Gist.Example.org/a?raw=1",
                "https://gist.example.org",
            ),
            ("HTTPS://example.org:8443", "https://example.org:8443"),
            ("http://localhost:8000/x.json", "http://localhost:8000"),
            ("http://127.0.0.1/x", "http://127.0.0.1"),
            ("http://[::1]:80/x", "http://[::1]:80"),
            ("https://[2001:db8::1]/x", "https://[2001:db8::1]"),
            (
                "https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%26d",
                "https://example.org",
            ),
        ] {
            assert_eq!(origin_of(url).as_deref(), Ok(origin));
        }
    }

    #[test]
    fn what_is_not_fetched_says_why() {
        use SourceError::{NoSource, NotAnAddress, NotHttps, UserName};
        for (url, error) in [
            ("", NoSource),
            ("http://example.org/a", NotHttps),
            ("http://localhost.example.org", NotHttps),
            ("ftp://example.org/a", NotHttps),
            ("javascript://example.org/%250aalert(1)", NotHttps),
            ("javascript:alert(1)", NotAnAddress),
            ("data:text/plain,x", NotAnAddress),
            ("https://ann:pw@example.org/a", UserName),
            ("https://example.org%40evil.example/a", UserName),
            ("https:\\\\example.org", NotAnAddress),
            ("https://example.org%5C@evil.example", NotAnAddress),
            ("https://exa%0Ample.org", NotAnAddress),
            ("https:///a", NotAnAddress),
            ("https://", NotAnAddress),
            ("https://example.org:99999/", NotAnAddress),
            ("https://example.org:x/", NotAnAddress),
            ("https://[::1/", NotAnAddress),
            ("https://ex%C3%A4mple.org", NotAnAddress),
            ("https://example.org/%zz", NotAnAddress),
            ("https://example.org/%", NotAnAddress),
            ("//example.org/a", NotAnAddress),
            ("https://example.org/a%23b", NotAnAddress),
        ] {
            assert_eq!(origin_of(url), Err(error), "{url}");
        }
        assert_eq!(source("i=3"), Err(NoSource));
    }

    #[test]
    fn seals_and_line_numbers_are_read_strictly() {
        let with = |rest: &str| source(&format!("src=https://a.example/x&{rest}"));
        assert_eq!(with("sha256=abc"), Err(SourceError::Seal(3)));
        assert_eq!(with("i=-1"), Err(SourceError::Line));
        assert_eq!(with("i=99999999999999999999999"), Err(SourceError::Line));
        let sealed = with(&format!("sha256={}&m=3", seal(b"x"))).unwrap();
        assert_eq!(sealed.verify(b"x"), Ok(()));
        assert_eq!(sealed.verify(b"y"), Err(SourceError::Changed));
        assert!(sealed.is_pinned() && sealed.line.is_none());
        assert_eq!(with("").unwrap().verify(b"any"), Ok(()));
    }

    #[test]
    fn lines_are_counted_without_blank_ones() {
        let text = "\u{feff}{\"a\":1}\r\n\n{\"b\":2}\n  \n";
        assert_eq!(line(text, 0), Ok("{\"a\":1}"));
        assert_eq!(line(text, 1), Ok("{\"b\":2}"));
        assert_eq!(
            line(text, 2),
            Err(SourceError::NoSuchLine { lines: 2, asked: 2 })
        );
        assert!(is_gzip(&[0x1F, 0x8B, 8]) && !is_gzip(b"{"));
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused(query in ".{0,60}") {
            let _ = source(&query);
        }
        #[test]
        fn a_source_survives_its_query(
            path in "[!-~&&[^\\\\#\"<>]]{0,20}", pinned in any::<bool>(),
            line in prop::option::of(any::<usize>()),
        ) {
            let url = format!("https://a.example/{path}");
            let sha256 = pinned.then(|| seal(b"x"));
            let origin = "https://a.example".to_owned();
            let whole = Source { url, origin, sha256, line };
            prop_assert_eq!(source(&whole.query()), Ok(whole));
        }
    }
}
