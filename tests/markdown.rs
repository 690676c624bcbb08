//! The page's Markdown reader against a maintained one, pulldown-cmark, which weighs 44 kB of the
//! page's 350 and so only stands here: on each document both give the same tree.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by stopping"
)]

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use quayside::berth::{pack, situation};
use quayside::view::markdown::{self, Block, Inline, MOST_DEPTH, plain};

/// What models and environments write: each kind of block and of inline words, and their mixtures.
const DOCUMENTS: [&str; 40] = [
    "",
    "plain words",
    "two\nlines of one paragraph",
    "two\n\nparagraphs",
    "a hard  \nbreak and a\\\nbackslash one",
    "# One\n## Two\n### Three #\n#### Four\n##### Five\n###### Six",
    "Set\n===\n\nUnder\n---",
    "#no heading, ####### neither",
    "- a\n- b\n- c",
    "* a\n\n* b\n\n  more of b",
    "1. one\n2. two\n3. three",
    "7) seven\n8) eight",
    "- a\n  - b\n    - c\n- d",
    "- a\n\n      code in an item\n",
    "1. a\n   - b\n   - c\n2. d",
    "> quoted\n> twice\nlazily",
    "> - a list\n> - in a quotation",
    "```json\n{\"plan\": []}\n```",
    "~~~\n``` inside\n~~~",
    "    indented code\n    of two lines",
    "```\nnever closed",
    "***\n---\n___",
    "| id | ship |\n|---|---:|\n| 0 | A |\n| 1 | B |",
    "| a \\| b | c |\n|:-:|---|\n| `x|y` | |",
    "| no | table |\n| at | all |",
    "**strong** and *emphasised* and ***both***",
    "__strong__ and _emphasised_, snake_case_word",
    "2 * 3 * 4 = 24, 5*6*7",
    "a ** b ** c, **not closed",
    "`code` and ``co`de`` and `not closed",
    "~~gone~~ words",
    "[words](https://a.example/x) and [more](<b c> \"title\")",
    "![a *crane*](https://spy.example/1.png)",
    "<https://a.example> and <https://b.example/?q=1>",
    "a <b>raw</b> &amp; word",
    "<div>\nraw block\n</div>\n\nafter",
    "<script>alert(1)</script>\n",
    "\\*not emphasised\\* \\# not a heading",
    "Draft 1: **5 problems**.\n\n1. WREN: hour 81, *7 cranes*\n2. TERN: `sec 15`\n\nNext I check.",
    "a\n# b\n- c\n> d\n```\ne\n```\nf",
];

/// The tree with neighbouring texts as one text, which look the same.
fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let words = |words: Vec<Inline>| {
        let mut out = Vec::new();
        append(&mut out, words);
        out
    };
    let cells = |row: Vec<Vec<Inline>>| row.into_iter().map(words).collect::<Vec<_>>();
    blocks
        .into_iter()
        .map(|block| match block {
            Block::Heading(level, inner) => Block::Heading(level, words(inner)),
            Block::Paragraph(inner) => Block::Paragraph(words(inner)),
            Block::List(start, items) => {
                Block::List(start, items.into_iter().map(joined).collect())
            }
            Block::Table(head, rows) => {
                Block::Table(cells(head), rows.into_iter().map(cells).collect())
            }
            Block::Quote(inner) => Block::Quote(joined(inner)),
            block => block,
        })
        .collect()
}

#[test]
fn both_readers_give_the_same_tree() {
    for document in DOCUMENTS {
        assert_eq!(
            joined(markdown::parse(document)),
            joined(parse(document)),
            "{document:?}"
        );
    }
}

#[test]
fn both_readers_give_the_same_tree_of_what_a_model_is_told() {
    let task = pack::first();
    for document in [
        situation::write(&task),
        situation::instructions(&task, 10, 24),
    ] {
        assert_eq!(joined(markdown::parse(&document)), joined(parse(&document)));
    }
}

/// Reads a text.
fn parse(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    Reader {
        events: Parser::new_ext(text, options),
    }
    .blocks(0)
}

struct Reader<'a> {
    events: Parser<'a>,
}

impl<'a> Reader<'a> {
    /// Everything up to the end of the container that is open.
    fn blocks(&mut self, depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        // Pieces that stand in a container without a paragraph of their own (tight lists).
        let mut loose = Vec::new();
        let mut flattened = 0_usize;
        while let Some(event) = self.events.next() {
            match event {
                Event::End(_) if flattened > 0 => {
                    flattened -= 1;
                    close(&mut loose, &mut out);
                }
                Event::End(_) => break,
                Event::Rule => {
                    close(&mut loose, &mut out);
                    out.push(Block::Rule);
                }
                Event::Start(tag) if is_inline(&tag) => self.span(&tag, depth, &mut loose),
                Event::Start(_) if depth >= MOST_DEPTH => {
                    flattened += 1;
                    close(&mut loose, &mut out);
                }
                Event::Start(tag) => {
                    close(&mut loose, &mut out);
                    let block = self.block(&tag, depth + 1);
                    out.extend(block);
                }
                event => piece(event, &mut loose),
            }
        }
        close(&mut loose, &mut out);
        out
    }

    fn block(&mut self, tag: &Tag<'a>, depth: usize) -> Vec<Block> {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => vec![Block::Paragraph(self.words(depth))],
            Tag::Heading { level, .. } => vec![Block::Heading(*level as u8, self.words(depth))],
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                vec![Block::Code(
                    plain(&self.words(depth)).trim_end_matches('\n').to_owned(),
                )]
            }
            Tag::BlockQuote(_) => vec![Block::Quote(self.blocks(depth))],
            Tag::List(start) => {
                let mut items = Vec::new();
                while let Some(event) = self.events.next() {
                    match event {
                        Event::End(TagEnd::List(_)) => break,
                        Event::Start(_) => items.push(self.blocks(depth)),
                        _ => {}
                    }
                }
                vec![Block::List(*start, items)]
            }
            Tag::Table(_) => {
                let (mut head, mut rows) = (Vec::new(), Vec::new());
                while let Some(event) = self.events.next() {
                    match event {
                        Event::End(TagEnd::Table) => break,
                        Event::Start(Tag::TableHead) => head = self.cells(depth),
                        Event::Start(_) => rows.push(self.cells(depth)),
                        _ => {}
                    }
                }
                vec![Block::Table(head, rows)]
            }
            _ => self.blocks(depth),
        }
    }

    fn cells(&mut self, depth: usize) -> Vec<Vec<Inline>> {
        let mut cells = Vec::new();
        while let Some(event) = self.events.next() {
            match event {
                Event::End(TagEnd::TableRow | TagEnd::TableHead) => break,
                Event::Start(_) => cells.push(self.words(depth)),
                _ => {}
            }
        }
        cells
    }

    /// The pieces up to the end of the element that is open.
    fn words(&mut self, depth: usize) -> Vec<Inline> {
        let mut out = Vec::new();
        let mut flattened = 0_usize;
        while let Some(event) = self.events.next() {
            match event {
                Event::End(_) if flattened > 0 => flattened -= 1,
                Event::End(_) => break,
                Event::Start(_) if depth >= MOST_DEPTH => flattened += 1,
                Event::Start(tag) => self.span(&tag, depth, &mut out),
                event => piece(event, &mut out),
            }
        }
        out
    }

    /// An inline element, its start tag already read.
    fn span(&mut self, tag: &Tag<'a>, depth: usize, out: &mut Vec<Inline>) {
        let words = self.words(depth + 1);
        match tag {
            Tag::Strong => out.push(Inline::Strong(words)),
            Tag::Emphasis => out.push(Inline::Emphasis(words)),
            Tag::Link { dest_url, .. } => {
                let same = plain(&words).trim() == dest_url.trim_start_matches("mailto:");
                append(out, words);
                if !same && !dest_url.is_empty() {
                    push_text(out, &format!(" ({dest_url})"));
                }
            }
            Tag::Image { .. } => push_text(out, &plain(&words)),
            _ => append(out, words),
        }
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Strong | Tag::Emphasis | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

/// A piece that is no element.
fn piece(event: Event<'_>, out: &mut Vec<Inline>) {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => push_text(out, &text),
        Event::Code(text) => out.push(Inline::Code(text.into_string())),
        Event::SoftBreak => push_text(out, " "),
        Event::HardBreak => out.push(Inline::Break),
        _ => {}
    }
}

/// Neighbouring texts are one text.
fn append(out: &mut Vec<Inline>, words: Vec<Inline>) {
    for word in words {
        match word {
            Inline::Text(text) => push_text(out, &text),
            word => out.push(word),
        }
    }
}

fn push_text(out: &mut Vec<Inline>, more: &str) {
    match out.last_mut() {
        Some(Inline::Text(text)) => text.push_str(more),
        _ => out.push(Inline::Text(more.to_owned())),
    }
}

fn close(loose: &mut Vec<Inline>, out: &mut Vec<Block>) {
    if !loose.is_empty() {
        out.push(Block::Paragraph(std::mem::take(loose)));
    }
}
