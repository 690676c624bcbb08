//! Markdown of strangers (environments, models, records) as a small owned tree.
//!
//! In: any text. Out: [`Block`]s that `ui::markdown` turns into elements. Nothing in the tree can
//! become markup, load something or open by itself: raw HTML stays text, an image is its alt text,
//! a link is its words with the address in parentheses. Nesting deeper than [`MOST_DEPTH`] is
//! flattened, and a text longer than [`MOST_BYTES`] is shown as it is, so that no text can be made
//! to stop the page.
//!
//! What is read is `CommonMark` as people and models write it: headings, paragraphs, nested lists,
//! quotations, code, tables, rules, emphasis, code spans, links and images, the named entities that
//! matter. Left out is what only a document with links needs: reference definitions stay text.

mod block;
mod inline;

/// How deep containers may be nested before they are flattened.
pub const MOST_DEPTH: usize = 12;
/// Longer texts are not read as Markdown.
pub const MOST_BYTES: usize = 400_000;

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading, its level from 1 to 6.
    Heading(u8, Vec<Inline>),
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list; a number where it starts when it is ordered.
    List(Option<u64>, Vec<Vec<Block>>),
    /// A table: header cells, then rows of cells.
    Table(Vec<Vec<Inline>>, Vec<Vec<Vec<Inline>>>),
    /// Code, or other text that keeps its spaces.
    Code(String),
    /// A quotation.
    Quote(Vec<Block>),
    /// A line across.
    Rule,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Text.
    Text(String),
    /// Code.
    Code(String),
    /// Strong words.
    Strong(Vec<Inline>),
    /// Emphasised words.
    Emphasis(Vec<Inline>),
    /// A line break.
    Break,
}

/// Reads a text.
pub fn parse(text: &str) -> Vec<Block> {
    if text.len() > MOST_BYTES {
        return vec![Block::Code(text.to_owned())];
    }
    // A tab at the beginning of a line counts as four spaces.
    let text: String = text.lines().map(without_tabs).collect();
    let lines: Vec<&str> = text.lines().collect();
    block::read(&lines, 0)
}

/// The line with spaces for tabs in front, and an end.
fn without_tabs(line: &str) -> String {
    let rest = line.trim_start_matches([' ', '\t']);
    let front = line.strip_suffix(rest).unwrap_or_default();
    format!("{}{rest}\n", front.replace('\t', "    "))
}

/// The words of some pieces, without emphasis.
pub fn plain(words: &[Inline]) -> String {
    let mut out = String::new();
    for word in words {
        match word {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Strong(words) | Inline::Emphasis(words) => out.push_str(&plain(words)),
            Inline::Break => out.push(' '),
        }
    }
    out
}

fn push_text(out: &mut Vec<Inline>, more: &str) {
    match out.last_mut() {
        _ if more.is_empty() => {}
        Some(Inline::Text(text)) => text.push_str(more),
        _ => out.push(Inline::Text(more.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(words: &str) -> Vec<Inline> {
        vec![Inline::Text(words.into())]
    }

    fn depth(blocks: &[Block]) -> usize {
        blocks
            .iter()
            .map(|block| match block {
                Block::Quote(inner) => 1 + depth(inner),
                Block::List(_, items) => {
                    1 + items.iter().map(|item| depth(item)).max().unwrap_or(0)
                }
                _ => 1,
            })
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn a_situation_reads_as_headings_lists_and_tables() {
        let blocks = parse("# Quay\n\n- one\n- **two**\n\n| id | ship |\n|---|---|\n| 0 | A |\n");
        assert_eq!(
            blocks,
            [
                Block::Heading(1, text("Quay")),
                Block::List(
                    None,
                    vec![
                        vec![Block::Paragraph(text("one"))],
                        vec![Block::Paragraph(vec![Inline::Strong(text("two"))])],
                    ]
                ),
                Block::Table(
                    vec![text("id"), text("ship")],
                    vec![vec![text("0"), text("A")]]
                ),
            ]
        );
    }

    #[test]
    fn raw_html_stays_text() {
        assert_eq!(
            parse("a <img src=x onerror=alert(1)> b"),
            [Block::Paragraph(text("a <img src=x onerror=alert(1)> b"))]
        );
        assert_eq!(
            parse("<script>alert(1)</script>\n"),
            [Block::Paragraph(text("<script>alert(1)</script>\n"))]
        );
    }

    #[test]
    fn a_link_shows_where_it_leads_and_leads_nowhere() {
        assert_eq!(
            parse("[prize](javascript:alert(1))"),
            [Block::Paragraph(text("prize (javascript:alert(1))"))]
        );
        assert_eq!(
            parse("<https://a.example>"),
            [Block::Paragraph(text("https://a.example"))]
        );
    }

    #[test]
    fn an_image_is_its_alt_text() {
        assert_eq!(
            parse("![a *crane*](https://spy.example/1.png)"),
            [Block::Paragraph(text("a crane"))]
        );
    }

    #[test]
    fn code_keeps_its_spaces_and_its_angle_brackets() {
        assert_eq!(
            parse("```json\n{ <a> }\n```"),
            [Block::Code("{ <a> }".into())]
        );
    }

    #[test]
    fn nesting_is_bounded() {
        let hostile = format!("{}deep", "> ".repeat(20_000));
        assert!(depth(&parse(&hostile)) <= MOST_DEPTH + 1);
        let hostile = (0..300).fold(String::new(), |text, level| {
            text + &"  ".repeat(level) + "- x\n"
        });
        assert!(depth(&parse(&hostile)) <= 2 * MOST_DEPTH);
        let hostile = format!("{}x{}", "*a **b ".repeat(5_000), "** c*".repeat(5_000));
        assert!(!parse(&hostile).is_empty());
    }

    #[test]
    fn a_very_long_text_is_shown_as_it_is() {
        let long = "# a\n".repeat(MOST_BYTES);
        assert!(matches!(parse(&long).as_slice(), [Block::Code(_)]));
    }

    #[test]
    fn lists_nest_go_on_lazily_and_end_where_their_sign_changes() {
        let item = |words: &str| vec![Block::Paragraph(text(words))];
        assert_eq!(
            parse("1. one\n2. two\n   - deep\n     er\n\n   para\n3) three\nlazy"),
            [
                Block::List(
                    Some(1),
                    vec![
                        item("one"),
                        vec![
                            Block::Paragraph(text("two")),
                            Block::List(None, vec![item("deep er")]),
                            Block::Paragraph(text("para")),
                        ],
                    ]
                ),
                Block::List(Some(3), vec![item("three lazy")]),
            ]
        );
        assert_eq!(parse("text\n2. a"), [Block::Paragraph(text("text 2. a"))]);
    }

    #[test]
    fn emphasis_is_where_words_begin_and_end() {
        let em = |words: &str| Inline::Emphasis(text(words));
        let plain = |words: &str| Inline::Text(words.into());
        let reads = |words: &str, expected: &[Inline]| {
            assert_eq!(
                parse(words),
                [Block::Paragraph(expected.to_vec())],
                "{words}"
            );
        };
        reads("5*3*2 = 30", &[plain("5"), em("3"), plain("2 = 30")]);
        reads("2 * 3 * 4, x_y_z", &[plain("2 * 3 * 4, x_y_z")]);
        reads(
            "***a** b*",
            &[Inline::Emphasis(vec![
                Inline::Strong(text("a")),
                plain(" b"),
            ])],
        );
        reads(
            "**a *b* c**",
            &[Inline::Strong(vec![plain("a "), em("b"), plain(" c")])],
        );
        reads("~~g~~ \\*h\\*", &[plain("g *h*")]);
        reads(
            "`` a ` b `` `c",
            &[Inline::Code("a ` b".into()), plain(" `c")],
        );
        reads("a  \nb\nc", &[plain("a"), Inline::Break, plain("b c")]);
        reads("R&amp;D &#65; &nope;", &[plain("R&D A &nope;")]);
    }

    #[test]
    fn a_table_ends_a_paragraph_and_evens_its_rows() {
        assert_eq!(
            parse("Plan:\n| a | b\n|:-|-:|\n| `x\\|y`\n| 1 | 2 | 3 |\n\nend"),
            [
                Block::Paragraph(text("Plan:")),
                Block::Table(
                    vec![text("a"), text("b")],
                    vec![
                        vec![vec![Inline::Code("x|y".into())], vec![]],
                        vec![text("1"), text("2")],
                    ]
                ),
                Block::Paragraph(text("end")),
            ]
        );
    }

    #[test]
    fn headings_rules_quotations_and_code() {
        assert_eq!(
            parse("A\n===\n## b ##\n***\n> q\nlazy\n\n    code\n\n      more\nend"),
            [
                Block::Heading(1, text("A")),
                Block::Heading(2, text("b")),
                Block::Rule,
                Block::Quote(vec![Block::Paragraph(text("q lazy"))]),
                Block::Code("code\n\n  more".into()),
                Block::Paragraph(text("end")),
            ]
        );
        assert_eq!(
            parse("~~~\nunclosed\n\n```"),
            [Block::Code("unclosed\n\n```".into())]
        );
    }

    proptest! {
        #[test]
        fn any_text_reads(text in "([-#>*_`|\\[\\]()!<a ]|\n|[0-9]\\. ){0,200}") {
            let _ = parse(&text);
        }
    }
}
