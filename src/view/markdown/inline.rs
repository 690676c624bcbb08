//! Words into pieces: emphasis, code, links as text.

use super::{Inline, MOST_DEPTH, plain, push_text};

/// Reads the words of a paragraph, a heading or a cell.
pub(super) fn read(text: &str) -> Vec<Inline> {
    within(text, 0)
}

fn within(text: &str, depth: usize) -> Vec<Inline> {
    let mut reader = Reader {
        text,
        at: 0,
        depth,
        open: Vec::new(),
        out: Vec::new(),
    };
    while let Some(sign) = reader.rest().chars().next() {
        reader.step(sign);
    }
    reader.close_all(0);
    reader.out
}

/// An emphasis that may yet end, and what stands before it.
struct Open {
    sign: char,
    many: usize,
    /// Signs on both sides could open or close.
    both: bool,
    before: Vec<Inline>,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    open: Vec<Open>,
    /// The pieces since the innermost emphasis that is open.
    out: Vec<Inline>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, sign: char) {
        let taken = match sign {
            '\\' => self.escape(),
            '`' => self.code(),
            '<' => self.markup(),
            '&' => self.entity(),
            '\n' => Some(self.line_break()),
            '*' | '_' | '~' => Some(self.emphasis(sign)),
            '!' if self.rest().starts_with("![") => self.link(1),
            '[' => self.link(0),
            _ => {
                let stops = ['\\', '`', '<', '&', '\n', '*', '_', '~', '!', '['];
                let rest = self.rest();
                let first = sign.len_utf8();
                let more = rest.get(first..).and_then(|more| more.find(stops));
                let end = more.map_or(rest.len(), |more| first + more);
                push_text(&mut self.out, rest.get(..end).unwrap_or_default());
                Some(end)
            }
        };
        self.at += taken.unwrap_or_else(|| {
            push_text(&mut self.out, sign.encode_utf8(&mut [0; 4]));
            sign.len_utf8()
        });
    }

    fn escape(&mut self) -> Option<usize> {
        let sign = self.rest().chars().nth(1)?;
        if sign == '\n' {
            self.out.push(Inline::Break);
        } else if sign.is_ascii_punctuation() {
            push_text(&mut self.out, sign.encode_utf8(&mut [0; 4]));
        } else {
            return None;
        }
        Some(2)
    }

    fn line_break(&mut self) -> usize {
        let before = self.text.get(..self.at).unwrap_or_default();
        if let Some(Inline::Text(text)) = self.out.last_mut() {
            text.truncate(text.trim_end_matches(' ').len());
        }
        if before.ends_with("  ") {
            self.out.push(Inline::Break);
        } else {
            push_text(&mut self.out, " ");
        }
        let next = self.rest();
        next.len() - next.trim_start_matches(['\n', ' ']).len()
    }

    fn code(&mut self) -> Option<usize> {
        let rest = self.rest();
        let inside = rest.trim_start_matches('`');
        let fence = rest.len() - inside.len();
        let mut at = 0;
        // The first run of as many signs ends it.
        while let Some(start) = inside.get(at..)?.find('`') {
            let run = inside.get(at + start..)?;
            let many = run.len() - run.trim_start_matches('`').len();
            if many == fence {
                let code = inside.get(..at + start)?.replace('\n', " ");
                let padded = code
                    .strip_prefix(' ')
                    .and_then(|code| code.strip_suffix(' '));
                let code = padded
                    .filter(|code| !code.trim().is_empty())
                    .unwrap_or(&code);
                self.out.push(Inline::Code(code.to_owned()));
                return Some(fence + at + start + many);
            }
            at += start + many;
        }
        push_text(&mut self.out, rest.get(..fence)?);
        Some(fence)
    }

    /// An address in angle brackets is its words; a tag is text, whatever stands in it.
    fn markup(&mut self) -> Option<usize> {
        let rest = self.rest();
        let inside = rest.get(1..rest.find('>')?)?;
        let name = inside.trim_start_matches(['/', '!', '?']);
        if !name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '-') {
            return None;
        }
        let words = if is_address(inside) {
            inside
        } else {
            rest.get(..inside.len() + 2)?
        };
        push_text(&mut self.out, words);
        Some(inside.len() + 2)
    }

    fn entity(&mut self) -> Option<usize> {
        let rest = self.rest();
        let name = rest.get(1..rest.find(';').filter(|end| *end < 10)?)?;
        let sign = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => '\u{a0}',
            _ => {
                let number = name.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(number) => u32::from_str_radix(number, 16),
                    None => number.parse(),
                };
                char::from_u32(code.ok()?).filter(|sign| *sign != '\0')?
            }
        };
        push_text(&mut self.out, sign.encode_utf8(&mut [0; 4]));
        Some(name.len() + 2)
    }

    /// Words in brackets with an address behind them; `sign` signs stand before an image's.
    fn link(&mut self, sign: usize) -> Option<usize> {
        if self.depth >= MOST_DEPTH {
            return None;
        }
        let rest = self.rest().get(sign + 1..)?;
        let end = closing(rest, '[', ']')?;
        let words = rest.get(..end)?;
        let target = rest.get(end + 1..)?.strip_prefix('(')?;
        let close = closing(target, '(', ')')?;
        let inside = target.get(..close)?.trim();
        let address = match inside.strip_prefix('<') {
            Some(address) => address.split('>').next()?,
            None => inside.split([' ', '\n']).next()?,
        };
        let words = within(words, self.depth + 1);
        if sign > 0 {
            push_text(&mut self.out, &plain(&words));
        } else {
            let same = plain(&words).trim() == address.trim_start_matches("mailto:");
            self.out.extend(words);
            if !same && !address.is_empty() {
                push_text(&mut self.out, &format!(" ({address})"));
            }
        }
        Some(sign + 1 + end + 2 + close + 1)
    }

    /// A run of signs: it ends what it can, and what is left may begin something.
    fn emphasis(&mut self, sign: char) -> usize {
        let rest = self.rest();
        let after = rest.trim_start_matches(sign);
        let run = rest.len() - after.len();
        let before = self
            .text
            .get(..self.at)
            .unwrap_or_default()
            .chars()
            .next_back();
        let (before, next) = (Side::of(before), Side::of(after.chars().next()));
        let left = next != Side::Space && (next == Side::Letter || before != Side::Letter);
        let right = before != Side::Space && (before == Side::Letter || next != Side::Letter);
        let (opens, closes) = match sign {
            '_' => (
                left && (!right || before == Side::Sign),
                right && (!left || next == Side::Sign),
            ),
            _ => (left, right),
        };
        let mut many = run;
        while closes && many > 0 {
            // Of three signs in a row, which belong together is not a question of each by itself.
            let odd = |open: &Open| {
                (open.both || opens && closes)
                    && (open.many + many).is_multiple_of(3)
                    && !many.is_multiple_of(3)
            };
            let fits =
                |open: &Open| open.sign == sign && !odd(open) && (sign != '~' || open.many == many);
            let Some(place) = self.open.iter().rposition(fits) else {
                break;
            };
            self.close_all(place + 1);
            let Some(mut open) = self.open.pop() else {
                break;
            };
            let inside = std::mem::take(&mut self.out);
            let width = open.many.min(many).min(2);
            let words = match (sign, width) {
                ('~', _) => inside,
                (_, 2) => vec![Inline::Strong(inside)],
                _ => vec![Inline::Emphasis(inside)],
            };
            many -= width;
            open.many -= width;
            if open.many > 0 {
                self.out = words;
                self.open.push(open);
            } else {
                self.out = open.before;
                for word in words {
                    match word {
                        Inline::Text(text) => push_text(&mut self.out, &text),
                        word => self.out.push(word),
                    }
                }
            }
        }
        if many > 0
            && opens
            && self.open.len() + self.depth < MOST_DEPTH
            && (sign != '~' || many < 3)
        {
            self.open.push(Open {
                sign,
                many,
                both: closes,
                before: std::mem::take(&mut self.out),
            });
        } else {
            push_text(&mut self.out, rest.get(..many).unwrap_or_default());
        }
        run
    }

    /// What was opened from `place` on and not ended is text after all.
    fn close_all(&mut self, place: usize) {
        while self.open.len() > place {
            let Some(open) = self.open.pop() else { return };
            let inside = std::mem::replace(&mut self.out, open.before);
            push_text(&mut self.out, &String::from(open.sign).repeat(open.many));
            for word in inside {
                match word {
                    Inline::Text(text) => push_text(&mut self.out, &text),
                    word => self.out.push(word),
                }
            }
        }
    }
}

fn is_address(inside: &str) -> bool {
    inside.contains([':', '@']) && !inside.contains([' ', '\n', '<']) && !inside.starts_with('/')
}

/// Where the bracket ends that was opened before `text`.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let (mut deep, mut escaped) = (0_usize, false);
    for (at, sign) in text.char_indices().take(2_000) {
        match sign {
            _ if escaped => {}
            _ if sign == open => deep += 1,
            _ if sign == close && deep == 0 => return Some(at),
            _ if sign == close => deep -= 1,
            _ => {}
        }
        escaped = sign == '\\' && !escaped;
    }
    None
}

/// What stands beside a run of signs.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Space,
    Sign,
    Letter,
}

impl Side {
    fn of(sign: Option<char>) -> Self {
        match sign {
            None => Self::Space,
            Some(sign) if sign.is_whitespace() => Self::Space,
            Some(sign) if sign.is_ascii_punctuation() => Self::Sign,
            // Dashes, quotation marks, points of other scripts.
            Some('¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '‐'..='‧' | '‰'..='⁞' | '、'..='〃') => {
                Self::Sign
            }
            Some(_) => Self::Letter,
        }
    }
}
