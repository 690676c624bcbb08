//! Lines into blocks. A container's lines are cut out and read again, one level deeper.

use super::inline;
use super::{Block, MOST_DEPTH};

/// Elements that begin a block of raw markup, which then lasts until an empty line.
const MARKUP: [&str; 24] = [
    "!--",
    "?",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "details",
    "div",
    "dl",
    "form",
    "h1",
    "h2",
    "h3",
    "head",
    "html",
    "iframe",
    "ol",
    "p",
    "pre",
    "script",
    "style",
    "table",
    "ul",
];

/// Reads the lines of a container, or of the whole text.
pub(super) fn read(lines: &[&str], depth: usize) -> Vec<Block> {
    let mut out = Vec::new();
    let mut rest = lines;
    while let [line, more @ ..] = rest {
        if line.trim().is_empty() {
            rest = more;
            continue;
        }
        let (block, taken) = block(rest, line, depth);
        match block {
            // Two lists of the same kind side by side are one only if nothing ended the first.
            Some(block) => out.push(block),
            None => out.extend(read_flat(rest.get(..taken).unwrap_or_default())),
        }
        rest = rest.get(taken.max(1)..).unwrap_or_default();
    }
    out
}

/// Containers that are nested too deep: their words, without what makes them containers.
fn read_flat(lines: &[&str]) -> Option<Block> {
    let words: Vec<&str> = lines
        .iter()
        .map(|line| line.trim_start_matches(['>', ' ']))
        .collect();
    (!words.concat().is_empty()).then(|| Block::Paragraph(inline::read(&words.join("\n"))))
}

/// The block that begins here, and how many lines it takes; none where nesting ends.
fn block(lines: &[&str], line: &str, depth: usize) -> (Option<Block>, usize) {
    let trimmed = line.trim_start();
    if indent(line) >= 4 {
        return indented(lines);
    }
    if let Some(fence) = Fence::of(line) {
        return fence.code(lines);
    }
    if let Some((level, words)) = heading(trimmed) {
        return (Some(Block::Heading(level, inline::read(words))), 1);
    }
    if is_rule(trimmed) {
        return (Some(Block::Rule), 1);
    }
    if trimmed.starts_with('>') {
        let (inner, taken) = quoted(lines);
        let inner = (depth < MOST_DEPTH).then(|| Block::Quote(read(&inner, depth + 1)));
        return (inner, taken);
    }
    if let Some(marker) = Marker::of(line) {
        return list(lines, marker, depth);
    }
    if is_markup(trimmed) {
        let taken = lines
            .iter()
            .take_while(|line| !line.trim().is_empty())
            .count();
        let text: String = lines
            .iter()
            .take(taken)
            .flat_map(|line| [line, "\n"])
            .collect();
        return (
            Some(Block::Paragraph(vec![super::Inline::Text(text)])),
            taken,
        );
    }
    table(lines).unwrap_or_else(|| paragraph(lines))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The line without up to `most` spaces in front.
fn unindented(line: &str, most: usize) -> &str {
    line.get(indent(line).min(most)..).unwrap_or_default()
}

fn indented(lines: &[&str]) -> (Option<Block>, usize) {
    let inside = |line: &&&str| indent(line) >= 4 || line.trim().is_empty();
    let taken = lines.iter().take_while(inside).count();
    let text: Vec<&str> = lines
        .iter()
        .take(taken)
        .map(|line| unindented(line, 4))
        .collect();
    let text = text.join("\n");
    (
        Some(Block::Code(text.trim_end_matches('\n').to_owned())),
        taken,
    )
}

/// The line that opens code.
struct Fence {
    sign: char,
    many: usize,
    indent: usize,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let words = line.trim_start();
        let sign = words
            .chars()
            .next()
            .filter(|sign| matches!(sign, '`' | '~'))?;
        let info = words.trim_start_matches(sign);
        let many = words.len() - info.len();
        let sound = many >= 3 && indent(line) < 4 && !(sign == '`' && info.contains('`'));
        sound.then(|| Self {
            sign,
            many,
            indent: indent(line),
        })
    }

    fn closes(&self, line: &str) -> bool {
        let words = line.trim();
        indent(line) < 4 && words.len() >= self.many && words.chars().all(|sign| sign == self.sign)
    }

    fn code(&self, lines: &[&str]) -> (Option<Block>, usize) {
        let inside: Vec<&str> = lines
            .iter()
            .skip(1)
            .take_while(|line| !self.closes(line))
            .map(|line| unindented(line, self.indent))
            .collect();
        let text = inside.join("\n");
        let code = Block::Code(text.trim_end_matches('\n').to_owned());
        (Some(code), (inside.len() + 2).min(lines.len()))
    }
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    if !(1..=6).contains(&level) || !(words.is_empty() || words.starts_with(' ')) {
        return None;
    }
    let words = words.trim();
    let closed = words.trim_end_matches('#');
    let words = if closed.is_empty() || closed.ends_with(' ') {
        closed.trim_end()
    } else {
        words
    };
    Some((level as u8, words))
}

fn is_rule(line: &str) -> bool {
    let mut signs = line.chars().filter(|sign| *sign != ' ');
    let Some(first) = signs.next().filter(|sign| matches!(sign, '-' | '*' | '_')) else {
        return false;
    };
    signs.clone().count() >= 2 && signs.all(|sign| sign == first)
}

/// Raw markup that stands for itself: a known element, or one tag alone on its line.
fn is_markup(line: &str) -> bool {
    let Some(tag) = line.strip_prefix('<') else {
        return false;
    };
    let name = tag.trim_start_matches('/');
    let end = name.find(|sign: char| !sign.is_ascii_alphanumeric());
    let (name, after) = name.split_at(end.unwrap_or(name.len()));
    let known = MARKUP.iter().any(|known| {
        name.eq_ignore_ascii_case(known)
            || (!known.starts_with(|sign: char| sign.is_ascii_alphabetic())
                && tag.starts_with(known))
    });
    let alone = tag
        .find('>')
        .is_some_and(|end| end + 1 == tag.trim_end().len());
    known || (alone && !name.is_empty() && !after.starts_with([':', '@', '.', '+', '-']))
}

/// Whether a line begins something else, so that it does not continue a paragraph.
fn interrupts(line: &str) -> bool {
    let words = line.trim_start();
    indent(line) < 4
        && (words.starts_with('>')
            || heading(words).is_some()
            || is_rule(words)
            || Fence::of(line).is_some()
            || Marker::of(line).is_some_and(|marker| marker.interrupts)
            || is_markup(words) && !words.starts_with("</"))
}

/// The lines of a quotation without their signs; a paragraph may go on without them.
fn quoted<'a>(lines: &[&'a str]) -> (Vec<&'a str>, usize) {
    let mut inner: Vec<&str> = Vec::new();
    for line in lines {
        let words = line.trim_start();
        match words.strip_prefix('>') {
            Some(words) if indent(line) < 4 => inner.push(words.strip_prefix(' ').unwrap_or(words)),
            _ if !words.is_empty() && continues(inner.last()) && !interrupts(line) => {
                inner.push(words);
            }
            _ => break,
        }
    }
    let taken = inner.len();
    (inner, taken)
}

/// Whether a line without the container's signs can go on where this line ended.
fn continues(last: Option<&&str>) -> bool {
    last.is_some_and(|last| !last.trim().is_empty() && Fence::of(last).is_none())
}

/// What stands before the words of a list's item.
#[derive(Clone, Copy)]
struct Marker {
    /// The sign after the number, or the sign itself.
    sign: char,
    number: Option<u64>,
    /// Where the words begin.
    width: usize,
    /// Whether it can end a paragraph.
    interrupts: bool,
}

impl Marker {
    fn of(line: &str) -> Option<Self> {
        let words = line.trim_start_matches(' ');
        let before = line.len() - words.len();
        let digits = words.len()
            - words
                .trim_start_matches(|sign: char| sign.is_ascii_digit())
                .len();
        let (digits, rest) = words.split_at_checked(digits)?;
        let mut rest = rest.chars();
        let sign = rest.next()?;
        let bullet = digits.is_empty() && matches!(sign, '-' | '*' | '+');
        let numbered = (1..=9).contains(&digits.len()) && matches!(sign, '.' | ')');
        let rest = rest.as_str();
        if before >= 4 || !(bullet || numbered) || !(rest.is_empty() || rest.starts_with(' ')) {
            return None;
        }
        let number = digits.parse().ok();
        let spaces = match indent(rest) {
            _ if rest.trim().is_empty() => 1,
            spaces @ 1..=4 => spaces,
            _ => 1,
        };
        Some(Self {
            sign,
            number,
            width: before + digits.len() + 1 + spaces,
            interrupts: !rest.trim().is_empty() && number.is_none_or(|number| number == 1),
        })
    }
}

fn list(lines: &[&str], first: Marker, depth: usize) -> (Option<Block>, usize) {
    let mut items = Vec::new();
    let mut taken = 0;
    let mut next = Some(first);
    while let Some(marker) = next {
        let rest = lines.get(taken..).unwrap_or_default();
        let (inner, many) = item(rest, marker);
        taken += many;
        if depth < MOST_DEPTH {
            items.push(read(&inner, depth + 1));
        }
        next = lines
            .get(taken)
            .filter(|line| !is_rule(line.trim_start()))
            .and_then(|line| Marker::of(line))
            .filter(|marker| marker.sign == first.sign);
    }
    let list = (depth < MOST_DEPTH).then_some(Block::List(first.number, items));
    (list, taken)
}

/// The lines of an item without their indent, and how many there are with empty ones behind.
fn item<'a>(lines: &[&'a str], marker: Marker) -> (Vec<&'a str>, usize) {
    let mut inner: Vec<&str> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let empty = line.trim().is_empty();
        if at == 0 || indent(line) >= marker.width || (empty && at > 0) {
            // An item that begins with an empty line has nothing after a second one.
            if empty && inner.iter().all(|line| line.trim().is_empty()) && at > 0 {
                break;
            }
            inner.push(line.get(marker.width.min(line.len())..).unwrap_or_default());
        } else if continues(inner.last()) && !interrupts(line) && Marker::of(line).is_none() {
            inner.push(line.trim_start());
        } else {
            break;
        }
    }
    let taken = inner.len();
    (inner, taken)
}

/// The cells of a table's row.
fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, sign) in line.char_indices() {
        if sign == '|' && !escaped {
            cells.push(line.get(start..at).unwrap_or_default().trim());
            start = at + 1;
        }
        escaped = sign == '\\' && !escaped;
    }
    let last = line.get(start..).unwrap_or_default().trim();
    if !last.is_empty() {
        cells.push(last);
    }
    cells
}

/// Whether a table's head and the line below it stand here.
fn is_table(lines: &[&str]) -> bool {
    let [head, rule, ..] = lines else {
        return false;
    };
    let sound = |cell: &str| {
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.chars().all(|sign| sign == '-')
    };
    let rules = cells(rule);
    head.contains('|')
        && rule.contains(['|', ':'])
        && rules.len() == cells(head).len()
        && rules.into_iter().all(sound)
}

fn table(lines: &[&str]) -> Option<(Option<Block>, usize)> {
    let [head, _, rows @ ..] = lines else {
        return None;
    };
    if !is_table(lines) {
        return None;
    }
    let heads = cells(head);
    let many = rows
        .iter()
        .take_while(|line| !line.trim().is_empty() && !interrupts(line))
        .count();
    let row = |line: &&str| {
        let mut row: Vec<_> = cells(line).into_iter().map(cell).collect();
        row.resize(heads.len(), Vec::new());
        row
    };
    let rows = rows.iter().take(many).map(row).collect();
    let heads = heads.iter().copied().map(cell).collect();
    Some((Some(Block::Table(heads, rows)), many + 2))
}

/// A cell's words. A stroke inside them was escaped, in code too.
fn cell(words: &str) -> Vec<super::Inline> {
    inline::read(&words.replace("\\|", "|"))
}

/// A paragraph, or a heading with a line below.
fn paragraph(lines: &[&str]) -> (Option<Block>, usize) {
    let mut words: Vec<&str> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if !words.is_empty() {
            let underline = indent(line) < 4 && !trimmed.is_empty();
            for (sign, level) in [('=', 1), ('-', 2)] {
                if underline && trimmed.chars().all(|one| one == sign) {
                    let many = words.len();
                    let words = inline::read(words.join("\n").trim_end());

                    return (Some(Block::Heading(level, words)), many + 1);
                }
            }
        }
        let ended = interrupts(line) || is_table(lines.get(at..).unwrap_or_default());
        if trimmed.is_empty() || !words.is_empty() && ended {
            break;
        }
        words.push(line.trim_start());
    }
    let taken = words.len();
    (
        Some(Block::Paragraph(inline::read(words.join("\n").trim_end()))),
        taken,
    )
}
