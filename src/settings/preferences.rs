//! How a person wants the page: colours and keys. Kept on the device as plain words.

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light, whatever the system has.
    Light,
    /// Dark, whatever the system has.
    Dark,
}

impl Theme {
    /// All three, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The word that is kept, and that the page's root carries.
    pub fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Reads a kept word; anything else is the system's.
    pub fn parse(word: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|theme| theme.word() == word)
            .unwrap_or_default()
    }
}

/// What a person chose for the page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferences {
    /// Light or dark.
    pub theme: Theme,
    /// Single letters act as shortcuts.
    pub shortcuts: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            shortcuts: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theme_survives_its_word_and_nonsense_is_the_system() {
        for theme in Theme::ALL {
            assert_eq!(Theme::parse(theme.word()), theme);
        }
        assert_eq!(Theme::parse("sepia"), Theme::System);
    }
}
