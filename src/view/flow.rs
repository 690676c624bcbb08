//! A text while it grows at its end, in pieces that never change once they are there.
//!
//! In: more text, in portions of any size. Out: [`Piece`]s, cut where Markdown's blocks begin, so
//! that each can be read and set by itself, once; and behind them the words of the block that is
//! not finished yet, to be shown as they come. Where it is cut depends on the text alone: the text of
//! a finished turn has the pieces that its stream had, and nothing on the page has to be set anew.
//!
//! Pieces are shared (`Arc`): a copy of a long text costs little, and more text costs what it adds.

use std::sync::Arc;

/// From here on a piece ends with its line, whatever block it is in; bytes.
const LARGE: usize = 16_384;
/// Words of an unfinished block are handed out in portions of about this size; bytes.
const PORTION: usize = 2_048;
/// What a line is shows in its first bytes, in its first one where that is a letter.
const TELLING: usize = 80;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its words.
    pub text: Arc<str>,
    /// The middle of a long code block: no Markdown.
    pub code: bool,
}

impl Piece {
    /// The words of code, without the fence that ends it.
    pub fn code_words(&self) -> &str {
        let text = self.text.trim_end();
        let last = text.rfind('\n').map_or(0, |at| at + 1);
        let fence = text.get(last..).and_then(|line| Fence::of(line, false));
        let words = fence.and_then(|fence| text.get(last..).filter(|line| fence.ends(line)));
        if words.is_some() {
            text.get(..last).unwrap_or_default().trim_end()
        } else {
            text
        }
    }
}

/// Code between fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fence {
    sign: char,
    many: usize,
    /// It may belong to an item of a list.
    inside: bool,
}

/// A text that grows.
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts of the line and the piece under way"
)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    pieces: Vec<Piece>,
    portions: Vec<Arc<str>>,
    /// What comes after the portions.
    rest: String,
    /// Where the line under way begins in `rest`.
    line: usize,
    /// It is known what this line is.
    told: bool,
    /// Bytes since the last piece.
    size: usize,
    /// The unfinished piece has words.
    full: bool,
    /// The line before was empty.
    gap: bool,
    /// The unfinished piece is code from its first word.
    code: bool,
    fence: Option<Fence>,
    /// This may be raw markup, which no fence ends.
    raw: bool,
    /// It can no longer be told where code ends, so only large pieces are cut.
    lost: bool,
    chars: u64,
    /// Which text this is, of those that stood in one place.
    series: u32,
}

impl Flow {
    /// A text that is complete.
    pub fn of(text: &str) -> Self {
        let mut flow = Self::default();
        flow.push(text);
        flow.finish();
        flow
    }

    /// Takes more text in.
    pub fn push(&mut self, more: &str) {
        for sign in more.chars() {
            self.take(sign);
        }
    }

    /// Nothing follows: what is left is the last piece.
    pub fn finish(&mut self) {
        if !self.told && self.line < self.rest.len() {
            self.tell();
        }
        if self.size > 0 {
            self.line = self.rest.len();
            self.cut();
        }
    }

    /// Another text takes the place of this one. Where it is the same one, nothing changes.
    pub fn replace(&mut self, text: &str) {
        self.finish();
        if !self.is(text) {
            let series = self.series.wrapping_add(1);
            *self = Self::of(text);
            self.series = series;
        }
    }

    /// Forgets the text.
    pub fn clear(&mut self) {
        if self.chars > 0 {
            let series = self.series.wrapping_add(1);
            *self = Self::default();
            self.series = series;
        }
    }

    /// The finished pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The words after them, but for the [`Self::rest`].
    pub fn portions(&self) -> &[Arc<str>] {
        &self.portions
    }

    /// The newest words; a few kilobytes at most.
    pub fn rest(&self) -> &str {
        &self.rest
    }

    /// Which text this is: grows when another one takes its place.
    pub fn series(&self) -> u32 {
        self.series
    }

    /// How long it is, in characters.
    pub fn chars(&self) -> u64 {
        self.chars
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.chars == 0
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.parts().collect()
    }

    fn parts(&self) -> impl Iterator<Item = &str> {
        let pieces = self.pieces.iter().map(|piece| &*piece.text);
        let portions = self.portions.iter().map(|portion| &**portion);
        pieces.chain(portions).chain(std::iter::once(&*self.rest))
    }

    fn is(&self, text: &str) -> bool {
        let mut left = Some(text);
        for part in self.parts() {
            left = left.and_then(|left| left.strip_prefix(part));
        }
        left == Some("")
    }

    fn take(&mut self, sign: char) {
        self.rest.push(sign);
        self.chars += 1;
        self.size += sign.len_utf8();
        let end = sign == '\n';
        let line = self.rest.get(self.line..).unwrap_or_default();
        let word = line.starts_with(|sign: char| sign.is_ascii_alphabetic());
        if !self.told && (end || word || line.len() >= TELLING) {
            self.told = true;
            self.tell();
        }
        if end {
            self.line = self.rest.len();
            self.told = false;
        }
        // A line that does not end is parted between words, or anywhere if it has none.
        let apart = end || (self.told && sign == ' ');
        let over = |most: usize, have: usize| have >= most && (apart || have >= 2 * most);
        if over(LARGE, self.size) {
            self.line = self.rest.len();
            self.cut();
        } else if over(PORTION, self.rest.len()) {
            self.portions.push(std::mem::take(&mut self.rest).into());
            self.line = 0;
        }
    }

    /// The line has shown what it is.
    fn tell(&mut self) {
        let line = self.rest.get(self.line..).unwrap_or_default();
        let words = line.trim_start_matches([' ', '\t']);
        let inside = words.len() < line.len();
        let ended = line.ends_with('\n');
        let gap = line.trim().is_empty();
        let begins = self.gap && !inside && !gap;
        let marked = is_item(words);
        let fence = Fence::of(words, inside);
        let raw = !gap && self.fence.is_none() && (self.raw || words.starts_with('<'));
        match (self.fence, fence) {
            (Some(open), _) if open.ends(words) && ended => {
                // A fence further out than the one that it would end: whose is it?
                self.lost |= open.inside && !inside;
                self.fence = None;
                if self.code {
                    self.line = self.rest.len();
                    self.gap = true;
                    self.cut();
                    return;
                }
            }
            // The item that the code was in has ended, or has not.
            (Some(open), _) => self.lost |= open.inside && !inside && !gap,
            (None, fence) => {
                self.lost |= fence.is_some() && (!ended || self.raw);
                if begins && !marked && self.full && !self.lost {
                    self.cut();
                }
                self.fence = fence;
            }
        }
        self.gap = gap;
        self.full |= !gap;
        self.raw = raw;
    }

    /// Makes a piece of everything before the line under way.
    fn cut(&mut self) {
        let rest = self.rest.split_off(self.line.min(self.rest.len()));
        let mut text: String = self
            .portions
            .drain(..)
            .map(|portion| portion.to_string())
            .collect();
        text.push_str(&std::mem::replace(&mut self.rest, rest));
        self.pieces.push(Piece {
            text: text.into(),
            code: self.code,
        });
        self.line = 0;
        self.size = self.rest.len();
        self.full = false;
        self.code = self.fence.is_some_and(|fence| !fence.inside);
    }
}

impl Fence {
    fn of(words: &str, inside: bool) -> Option<Self> {
        let sign = words
            .chars()
            .next()
            .filter(|sign| matches!(sign, '`' | '~'))?;
        let info = words.trim_start_matches(sign);
        let many = words.len() - info.len();
        (many >= 3 && !(sign == '`' && info.contains('`'))).then_some(Self { sign, many, inside })
    }

    fn ends(self, words: &str) -> bool {
        let words = words.trim_end();
        words.len() >= self.many && words.chars().all(|sign| sign == self.sign)
    }
}

/// Whether a line begins an item of a list. It may belong to the list before the empty line.
fn is_item(words: &str) -> bool {
    let rest = words.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let mut signs = rest.chars();
    let sign = signs.next();
    let marker = if rest.len() < words.len() {
        matches!(sign, Some('.' | ')'))
    } else {
        matches!(sign, Some('-' | '+' | '*'))
    };
    marker && matches!(signs.next(), None | Some(' ' | '\t' | '\n'))
}

/// The end of a text that grows, for what is only looked at while it comes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    end: String,
    chars: u64,
}

impl Tail {
    /// How much of it is kept, in bytes; twice as much for a while.
    const KEPT: usize = 240;

    /// Takes more text in.
    pub fn push(&mut self, more: &str) {
        self.chars += more.chars().count() as u64;
        let from = more.len().saturating_sub(2 * Self::KEPT);
        self.end.push_str(after(more, from));
        if self.end.len() > 2 * Self::KEPT {
            let end = after(&self.end, self.end.len() - Self::KEPT).to_owned();
            self.end = end;
        }
    }

    /// The newest words.
    pub fn end(&self) -> &str {
        &self.end
    }

    /// How long the whole text is, in characters.
    pub fn chars(&self) -> u64 {
        self.chars
    }
}

/// The text from the first character at or after a byte.
fn after(text: &str, byte: usize) -> &str {
    (byte..=text.len())
        .find_map(|byte| text.get(byte..))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::markdown::{Block, parse};
    use proptest::prelude::*;

    fn set(flow: &Flow) -> Vec<Block> {
        let pieces = flow.pieces().iter();
        pieces.flat_map(|piece| parse(&piece.text)).collect()
    }

    fn texts(flow: &Flow) -> Vec<&str> {
        flow.pieces().iter().map(|piece| &*piece.text).collect()
    }

    #[test]
    fn a_paragraph_is_a_piece_once_the_next_one_begins() {
        let mut flow = Flow::default();
        flow.push("One.\n\nTw");
        assert_eq!((texts(&flow), flow.rest()), (vec!["One.\n\n"], "Tw"));
        flow.push("o.\n\n- ");
        assert_eq!(
            (texts(&flow), flow.rest()),
            (vec!["One.\n\n"], "Two.\n\n- ")
        );
        flow.push("a\n\nE");
        assert_eq!(flow.pieces().len(), 2);
    }

    #[test]
    fn the_last_words_are_a_piece_too() {
        let mut flow = Flow::default();
        flow.push("One.\n\nTwo.\n");
        assert_eq!((texts(&flow), flow.rest()), (vec!["One.\n\n"], "Two.\n"));
        flow.finish();
        assert_eq!(texts(&flow), ["One.\n\n", "Two.\n"]);
    }

    #[test]
    fn what_an_empty_line_does_not_end_stays_together() {
        for text in [
            "- a\n\n- b\n\n  c\n",
            "1. a\n\n2. b\n",
            "```\na\n\nb\n```\n",
            "- x\n\n  ```\n  a\n\n  b\n  ```\n",
        ] {
            assert_eq!(texts(&Flow::of(text)), [text]);
        }
    }

    #[test]
    fn long_code_goes_on_as_code_until_its_fence() {
        let text = format!("```\n{}```\nafter\n\nend", "a line\n\n".repeat(5_000));
        let flow = Flow::of(&text);
        let code: Vec<bool> = flow.pieces().iter().map(|piece| piece.code).collect();
        assert_eq!(code, [false, true, true, false, false]);
        assert_eq!(flow.text(), text);
        assert_eq!(
            set(&Flow::of("after\n\nend")),
            set(&flow)[set(&flow).len() - 2..]
        );
    }

    #[test]
    fn no_portion_and_no_piece_is_larger_than_a_frame_can_bear() {
        for word in ["word ", "word", "word\n", "ä\n\n"] {
            let mut flow = Flow::default();
            for _ in 0..40_000 {
                flow.push(word);
                assert!(flow.rest().len() <= 2 * PORTION && flow.size <= 2 * LARGE);
            }
            flow.finish();
            assert_eq!(flow.text(), word.repeat(40_000));
            assert!(
                flow.pieces()
                    .iter()
                    .all(|piece| piece.text.len() <= 2 * LARGE)
            );
        }
    }

    #[test]
    fn the_same_text_changes_nothing_and_another_one_is_told_apart() {
        let mut flow = Flow::default();
        flow.push("One.\n\nTwo.");
        let mut other = flow.clone();
        flow.replace("One.\n\nTwo.");
        assert_eq!((flow.series(), flow.pieces().len()), (0, 2));
        other.replace("One");
        assert_eq!((other.series(), other.text()), (1, "One".to_owned()));
        other.clear();
        assert_eq!((other.series(), other.is_empty()), (2, true));
    }

    #[test]
    fn the_end_of_a_text_is_kept_and_all_of_it_counted() {
        let mut tail = Tail::default();
        for _ in 0..10_000 {
            tail.push("{\"é");
        }
        tail.push(&"ü".repeat(5_000));
        assert_eq!(tail.chars(), 35_000);
        assert!(tail.end().len() <= 2 * Tail::KEPT && tail.end().ends_with("üü"));
    }

    /// Lines that begin, continue and end blocks.
    const LINES: [&str; 22] = [
        "",
        "",
        "",
        "word",
        "more words",
        "# head",
        "- item",
        "  - inner",
        "* * *",
        "12) item",
        "  in an item",
        "    far in",
        "> quoted",
        "```",
        "```json",
        "  ```",
        "~~~",
        "---",
        "| a | b |",
        "|---|---|",
        "<div>",
        "`a` **b",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]
        #[test]
        fn pieces_read_one_by_one_are_the_text_read_at_once(lines in prop::collection::vec(0..LINES.len(), 0..24)) {
            let text: String = lines.iter().flat_map(|line| [LINES[*line], "\n"]).collect();
            prop_assert_eq!(set(&Flow::of(&text)), parse(&text));
        }

        #[test]
        fn portions_of_any_size_give_the_same_pieces(
            lines in prop::collection::vec(0..LINES.len(), 0..24),
            many in 1..400_usize,
            sizes in prop::collection::vec(1..90_usize, 1..9),
        ) {
            let text: String = lines.iter().map(|line| LINES[*line].repeat(many) + "\n").collect();
            let signs: Vec<char> = text.chars().collect();
            let (mut flow, mut rest) = (Flow::default(), &signs[..]);
            for size in sizes.iter().cycle() {
                let (portion, more) = rest.split_at((*size).min(rest.len()));
                flow.push(&portion.iter().collect::<String>());
                rest = more;
                if rest.is_empty() {
                    break;
                }
            }
            flow.finish();
            prop_assert_eq!(flow, Flow::of(&text));
        }
    }
}
