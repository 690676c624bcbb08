//! Taking a pasted text apart: the address in it, its scheme, its path.

use super::AddressError;

/// Last parts of a path that are pages or endpoints of a server, not its prefix.
const ENDPOINTS: &[&str] = &[
    "web",
    "docs",
    "redoc",
    "openapi.json",
    "health",
    "metadata",
    "schema",
    "mcp",
    "harness",
    "reset",
    "step",
    "state",
    "list_environments",
];

/// The address within a line of a log, a command or a sentence.
pub(super) fn pick(text: &str) -> &str {
    let wrap = |c: char| matches!(c, '"' | '\'' | '`' | '<' | '>' | ',' | ';');
    if let Some(at) = text.find("://") {
        let before = text.get(..at).unwrap_or_default();
        let scheme = before
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '+');
        let start = at.saturating_sub(scheme.map(char::len_utf8).sum());
        let closes = before.contains('(');
        let from = text.get(start..).unwrap_or_default();
        return from
            .split(|c: char| c.is_whitespace() || wrap(c) || (closes && c == ')'))
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
    }
    text.trim_matches(|c: char| wrap(c) || c.is_whitespace())
}

/// Whether the scheme is a secure one, `None` without a scheme; and what follows.
pub(super) fn split_scheme(text: &str) -> Result<(Option<bool>, &str), AddressError> {
    if let Some(rest) = text.strip_prefix("//") {
        return Ok((None, rest.trim_start_matches('/')));
    }
    let Some((scheme, rest)) = text.split_once(":/") else {
        return Ok((None, text));
    };
    // `host:/path` and `host/a:/b` are no schemes.
    if scheme.contains(['/', '.', '@', '?', '#', ':']) {
        return Ok((None, text));
    }
    let secure = match scheme.to_ascii_lowercase().as_str() {
        "http" | "ws" => false,
        "https" | "wss" => true,
        "" => return Err(AddressError::NoHost),
        _ => return Err(AddressError::Scheme(scheme.chars().take(20).collect())),
    };
    Ok((Some(secure), rest.trim_start_matches('/')))
}

pub(super) fn cut_at<'a>(text: &'a str, marks: &[char]) -> (&'a str, Option<&'a str>) {
    match text.find(marks) {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at..)),
        None => (text, None),
    }
}

/// The parts of a path, without empty ones and with `.` and `..` followed.
pub(super) fn path_parts(path: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

/// Cuts `/ws` (as often as it stands there) or else one endpoint; true for an endpoint.
pub(super) fn cut_endpoint(parts: &mut Vec<String>) -> bool {
    let before = parts.len();
    while parts
        .last()
        .is_some_and(|part| part.eq_ignore_ascii_case("ws"))
    {
        parts.pop();
    }
    if parts.len() < before {
        return false;
    }
    let cut = |part: &String| ENDPOINTS.iter().any(|end| part.eq_ignore_ascii_case(end));
    parts.pop_if(|part| cut(part)).is_some()
}
