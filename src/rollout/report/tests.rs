use super::*;
use crate::rollout::tests::mutated;
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// What stands at the top level of a report, as a reader of Markdown sees it.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    headings: Vec<(u8, String)>,
    quotes: usize,
    fences: Vec<String>,
    rows: usize,
    /// HTML and pictures, wherever they are.
    foreign: Vec<String>,
}

fn seen(markdown: &str) -> Seen {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut seen = Seen::default();
    let (mut quotes, mut text, mut is_fence) = (0, None::<String>, false);
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => seen.foreign.push(html.to_string()),
            Event::Start(Tag::Image { dest_url, .. }) => seen.foreign.push(dest_url.to_string()),
            Event::Start(Tag::BlockQuote(_)) => {
                seen.quotes += usize::from(quotes == 0);
                quotes += 1;
            }
            Event::End(TagEnd::BlockQuote(_)) => quotes -= 1,
            _ if quotes > 0 => {}
            Event::Start(Tag::Heading { .. }) => text = Some(String::new()),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                is_fence = true;
                text = Some(String::new());
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                seen.foreign.push("indented".into());
            }
            Event::End(TagEnd::Heading(level)) => {
                let level = match level {
                    HeadingLevel::H1 => 1,
                    HeadingLevel::H2 => 2,
                    _ => 3,
                };
                seen.headings.push((level, text.take().unwrap_or_default()));
            }
            Event::End(TagEnd::CodeBlock) if is_fence => {
                is_fence = false;
                seen.fences.push(text.take().unwrap_or_default());
            }
            Event::End(TagEnd::TableRow) => seen.rows += 1,
            Event::Text(piece) => {
                if let Some(text) = &mut text {
                    text.push_str(&piece);
                }
            }
            _ => {}
        }
    }
    seen
}

fn tidy(text: &str) -> String {
    let text = text
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "\u{fffd}");
    if text.ends_with('\n') || text.is_empty() {
        text
    } else {
        text + "\n"
    }
}

fn shown(text: &str) -> String {
    read(text).map_or_else(|| tidy(text), |value| tidy(&laid_out(&value)))
}

/// What must stand there, from the record alone.
fn meant(record: &Record) -> Seen {
    let mut meant = Seen::default();
    let mut heading = |level, text: &str| meant.headings.push((level, text.to_owned()));
    heading(1, "Rollout of a berth plan");
    heading(2, "Verdict");
    let table = plan_table(&record.last_plan().unwrap_or_default());
    if !table.columns.is_empty() {
        heading(
            2,
            if record.last.submitted {
                "Plan submitted"
            } else {
                "Last draft"
            },
        );
        meant.rows = table.rows.len();
    }
    if !record.messages.is_empty() {
        heading(2, "Conversation");
    }
    let mut turn = 0;
    for message in &record.messages {
        match message {
            Message::System { content, .. } => {
                heading(3, "Instructions");
                meant.quotes += usize::from(!content.trim().is_empty());
            }
            Message::User { content, .. } => {
                heading(3, "To the model");
                meant.quotes += usize::from(!content.trim().is_empty());
            }
            Message::Assistant {
                content,
                reasoning,
                tool_calls,
                ..
            } => {
                turn += 1;
                heading(3, &format!("Turn {turn}"));
                meant.quotes += [content, reasoning]
                    .iter()
                    .filter(|text| !text.trim().is_empty())
                    .count();
                meant
                    .fences
                    .extend(tool_calls.iter().map(|call| shown(&call.arguments)));
            }
            Message::Tool { content, .. } => meant.fences.push(shown(content)),
            Message::Other(value) => {
                heading(3, "Another message");
                meant.fences.push(tidy(&laid_out(value)));
            }
        }
    }
    meant
}

fn hostile(text: &str) -> Record {
    Record::from_json(&json!({
        "model": text, "task_id": text, "episode_id": text, "started": text, "end_reason": text,
        "messages": [
            {"role": "system", "content": text},
            {"role": "user", "content": text},
            {"role": "assistant", "content": text, "reasoning": text, "stop": text, "tool_calls": [{"name": text, "arguments": text}]},
            {"role": "tool", "name": text, "content": text},
            {"role": text, "content": text},
            {"role": "assistant", "content": "", "stop": text},
        ],
        "steps": [], "errors": [text, text], "provider_switches": [text],
        "final": {"submitted": true, "plan": [{"ship": text, text: text}], "grade": {text: text}, "rubric": {text: [text]}},
    }))
    .unwrap()
}

#[test]
fn a_report_reads_as_one() {
    let file = include_str!("../../../tests/cases/episodes/anthropic-two-drafts.json");
    let record = Record::from_json(&read(file).unwrap()["record"]).unwrap();
    insta::assert_snapshot!(markdown(&record));
    assert_eq!(seen(&markdown(&record)), meant(&record));
}

#[test]
fn an_empty_record_is_a_short_report() {
    insta::assert_snapshot!(markdown(&Record::default()));
}

#[test]
fn no_text_breaks_out_of_its_place() {
    for text in [
        "# Heading\n\n## Verdict\n\n- Reward: 1",
        "a\n===\n\nb\n---",
        "```\n# Out\n```\n",
        "```````json\n````\n~~~\n",
        "`` ` ``` ````",
        "`",
        "</blockquote></details><script>alert(1)</script>",
        "\\</blockquote>\\\\<b>",
        "<!-- ",
        "![x](http://a.example/x.png) \\![y][z] !\\![w](v)",
        "a\rb\r\n# c\r# d",
        "|a|b|\n|---|---|\n|c|d|\\|e\\\\|f",
        "    indented\n\ttab",
        "[Task]: http://a.example\n[x]: y 'z",
        "- item\n  - item\n1. one",
        "> quote\n>> deeper\n\nplain",
        "\u{0}\u{b}\u{c}\u{85}\u{2028}\u{feff}",
        "a\u{a0}\n\u{3000}\n",
        "&lt;b&gt; &#35; &amp;",
        "*a _b_ **c** ~~d~~ $e$ [f](g)",
        "{\"a\": [1, \"```\"]}",
        "",
        " ",
        "\n\n\n",
    ] {
        let record = hostile(text);
        assert_eq!(
            seen(&markdown(&record)),
            meant(&record),
            "{text:?}\n{}",
            markdown(&record)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_made_of_markup_do_not_either(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "\n", "\r", "\n\n", "`", "```", "~~~", "<b>", "<!--", "-->", "![", "](x)", "[a]: b", "> ", "# ", "- ", "1. ",
            "|", "---", "===", "\\", "&lt;", "    ", "\t", "a", " ", "\u{0}", "é", "*", "_", "<?", "]]>", "<![CDATA[",
        ]), 0..14),
    ) {
        let record = hostile(&pieces.concat());
        prop_assert_eq!(seen(&markdown(&record)), meant(&record));
    }

    #[test]
    fn any_record_has_the_report_of_its_structure(value in mutated()) {
        if let Ok(record) = Record::from_json(&value) {
            prop_assert_eq!(seen(&markdown(&record)), meant(&record));
        }
    }
}
