//! Hugging Face Spaces: from a page's address, or a name, to the server's own host.

use super::AddressError;

/// A Hugging Face Space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// What stands before `.hf.space`; the Space's API can be asked by it.
    pub subdomain: String,
    /// `OWNER/NAME`, when it was given. It cannot be read back from a subdomain.
    pub name: Option<String>,
}

const ENDING: &str = ".hf.space";

impl Space {
    /// The Space `owner/name`, if these can be such names.
    ///
    /// Its subdomain is both in lower case, every character outside `a-z0-9` turned into `-`.
    pub fn new(owner: &str, name: &str) -> Option<Self> {
        let sound = |part: &str| {
            part.chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
                && part.chars().any(|c| c.is_ascii_alphanumeric())
        };
        if !sound(owner) || !sound(name) {
            return None;
        }
        let name = format!("{owner}/{name}");
        let subdomain = name
            .to_ascii_lowercase()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        Some(Self {
            subdomain,
            name: Some(name),
        })
    }

    /// The Space a host belongs to.
    pub fn from_host(host: &str) -> Option<Self> {
        let subdomain = host.strip_suffix(ENDING)?;
        (!subdomain.is_empty()).then(|| Self {
            subdomain: subdomain.to_owned(),
            name: None,
        })
    }

    /// Where its server is.
    pub fn host(&self) -> String {
        format!("{}{ENDING}", self.subdomain)
    }

    /// What tells whether it is awake. Asked only when a person asks for a test.
    pub fn api(&self) -> String {
        match &self.name {
            Some(name) => format!("https://huggingface.co/api/spaces/{name}"),
            None => format!(
                "https://huggingface.co/api/spaces/by-subdomain/{}",
                self.subdomain
            ),
        }
    }
}

/// Whether a host is the site that shows Spaces.
pub(super) fn is_hub(host: &str) -> bool {
    matches!(
        host,
        "huggingface.co" | "www.huggingface.co" | "hf.co" | "www.hf.co"
    )
}

/// Owner and name from the path of a page of that site.
pub(super) fn hub_parts(parts: &[String]) -> Result<Vec<String>, AddressError> {
    let parts = match parts.split_first() {
        Some((first, rest)) if first == "api" => rest,
        _ => parts,
    };
    match parts {
        [spaces, owner, name, ..] if spaces == "spaces" => Ok(vec![owner.clone(), name.clone()]),
        _ => Err(AddressError::NotASpace),
    }
}
