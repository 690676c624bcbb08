//! How long a link is, and where it still fits.

/// Where a link of some length fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Up to 1,900 characters: Discord cuts at 2,000, and the page's own address takes some.
    Chat,
    /// Up to 8,000 characters.
    Comment,
    /// Up to 60,000 characters: browsers take it, and little else.
    Browser,
    /// Longer: a file is the better way.
    File,
}

/// Where a link fits, by the characters of all of it, address included.
///
/// ```
/// use quayside::share::{Fit, fits};
/// assert_eq!(fits(1_236), Fit::Chat);
/// assert_eq!(fits(1_236).words(), "fits Discord, Slack, mail");
/// ```
pub fn fits(characters: usize) -> Fit {
    match characters {
        0..=1_900 => Fit::Chat,
        1_901..=8_000 => Fit::Comment,
        8_001..=60_000 => Fit::Browser,
        _ => Fit::File,
    }
}

impl Fit {
    /// The meter's colour, as a word for `data-fit`.
    pub fn colour(self) -> &'static str {
        match self {
            Self::Chat => "green",
            Self::Comment => "yellow",
            Self::Browser => "orange",
            Self::File => "red",
        }
    }

    /// What the meter says beside the number.
    pub fn words(self) -> &'static str {
        match self {
            Self::Chat => "fits Discord, Slack, mail",
            Self::Comment => "fits Slack and GitHub",
            Self::Browser => "browser to browser",
            Self::File => "too long for most places: download the file instead",
        }
    }

    /// Whether the dialog offers the file before the link.
    pub fn is_file_first(self) -> bool {
        self == Self::File
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_end_where_they_say() {
        use Fit::{Browser, Chat, Comment, File};
        let bands = [0, 1_900, 1_901, 8_000, 8_001, 60_000, 60_001].map(fits);
        assert_eq!(
            bands,
            [Chat, Chat, Comment, Comment, Browser, Browser, File]
        );
        assert!(fits(usize::MAX).is_file_first() && !fits(60_000).is_file_first());
    }
}
