//! The keyboard: which press means what. In: presses, with the moment. Out: [`Action`]s.
//! Holds the memory that two-press shortcuts need, and nothing else.

use crate::wire::Millis;

/// What a shortcut does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Show the help.
    Help,
    /// Go to the start screen.
    Start,
    /// Go to the task list.
    Tasks,
    /// Go to the rollouts.
    Rollouts,
    /// Put the cursor into the filter.
    Filter,
    /// To the next message.
    NextMessage,
    /// To the message before.
    PreviousMessage,
    /// To the draft before.
    PreviousDraft,
    /// To the next draft.
    NextDraft,
    /// Show what changed since the draft before, or stop showing it.
    Difference,
    /// Play, or hold.
    Play,
    /// Run.
    Run,
    /// Stop.
    Stop,
}

/// What the help says of each: keys, effect.
pub const LIST: [(&str, &str); 12] = [
    ("?", "this help"),
    ("g then s, t or r", "go to Start, Tasks or Rollouts"),
    ("/", "filter the tasks"),
    ("Ctrl + Enter", "run"),
    (". or Esc Esc", "stop"),
    ("j, k", "next, previous message"),
    ("[, ]", "previous, next draft"),
    ("d", "difference with the previous draft"),
    ("Space", "play the demonstration"),
    ("Arrow keys", "in the chart: from ship to ship"),
    ("Enter", "in the chart: a ship's details"),
    ("Tab", "to the next control"),
];

/// Where the focus was when a key was pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// Nowhere in particular.
    #[default]
    Page,
    /// On something that Space presses: a button, a link, a tab, a ship.
    Control,
    /// In a text, a number or a choice: letters belong to it.
    Field,
    /// In a dialog: the page behind it hears nothing.
    Dialog,
}

/// One key press.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Press<'a> {
    /// The key, as the browser names it.
    pub key: &'a str,
    /// Ctrl, or Command on a Mac.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
    /// Where the focus is.
    pub focus: Focus,
}

/// How long the second press of a pair may take.
const PAIR: Millis = Millis(1_200);

/// The keyboard's memory.
#[derive(Clone, Debug, Default)]
pub struct Shortcuts {
    last: Option<(Pair, Millis)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    Go,
    Escape,
}

impl Shortcuts {
    /// Takes a press in. `letters`: single letters act.
    pub fn press(&mut self, now: Millis, press: Press<'_>, letters: bool) -> Option<Action> {
        let begun = self
            .last
            .take()
            .filter(|(_, at)| now.since(*at) <= PAIR)
            .map(|(pair, _)| pair);
        if press.focus == Focus::Dialog {
            return None;
        }
        match press.key {
            "Enter" if press.ctrl => return Some(Action::Run),
            "Escape" if begun == Some(Pair::Escape) => return Some(Action::Stop),
            "Escape" => self.last = Some((Pair::Escape, now)),
            _ => {}
        }
        if press.ctrl || press.alt || press.focus == Focus::Field || !letters {
            return None;
        }
        if begun == Some(Pair::Go) {
            return match press.key {
                "s" => Some(Action::Start),
                "t" => Some(Action::Tasks),
                "r" => Some(Action::Rollouts),
                _ => None,
            };
        }
        match press.key {
            "g" => {
                self.last = Some((Pair::Go, now));
                None
            }
            "?" => Some(Action::Help),
            "/" => Some(Action::Filter),
            "j" => Some(Action::NextMessage),
            "k" => Some(Action::PreviousMessage),
            "[" => Some(Action::PreviousDraft),
            "]" => Some(Action::NextDraft),
            "d" => Some(Action::Difference),
            "." => Some(Action::Stop),
            " " if press.focus == Focus::Page => Some(Action::Play),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: &str) -> Press<'_> {
        Press {
            key,
            ..Press::default()
        }
    }

    #[test]
    fn letters_never_act_while_typing_or_when_switched_off() {
        let mut keys = Shortcuts::default();
        let typing = Press {
            focus: Focus::Field,
            ..press("d")
        };
        assert_eq!(keys.press(Millis(0), typing, true), None);
        assert_eq!(keys.press(Millis(0), press("d"), false), None);
        assert_eq!(
            keys.press(Millis(0), press("d"), true),
            Some(Action::Difference)
        );
        let browser = Press {
            ctrl: true,
            ..press("d")
        };
        assert_eq!(keys.press(Millis(0), browser, true), None);
    }

    #[test]
    fn a_pair_must_be_quick() {
        let mut keys = Shortcuts::default();
        assert_eq!(keys.press(Millis(0), press("g"), true), None);
        assert_eq!(
            keys.press(Millis(900), press("t"), true),
            Some(Action::Tasks)
        );
        assert_eq!(keys.press(Millis(1_000), press("g"), true), None);
        assert_eq!(keys.press(Millis(9_000), press("t"), true), None);
    }

    #[test]
    fn escape_twice_stops_even_while_typing_and_without_letters() {
        let mut keys = Shortcuts::default();
        let escape = Press {
            focus: Focus::Field,
            ..press("Escape")
        };
        assert_eq!(keys.press(Millis(0), escape, false), None);
        assert_eq!(keys.press(Millis(300), escape, false), Some(Action::Stop));
        assert_eq!(keys.press(Millis(500), escape, false), None);
    }

    #[test]
    fn space_on_a_button_is_the_buttons() {
        let mut keys = Shortcuts::default();
        let button = Press {
            focus: Focus::Control,
            ..press(" ")
        };
        assert_eq!(keys.press(Millis(0), button, true), None);
        assert_eq!(keys.press(Millis(0), press(" "), true), Some(Action::Play));
    }
}
