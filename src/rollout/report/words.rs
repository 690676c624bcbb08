//! Texts from outside, put into Markdown so that they stay what they are.
//!
//! Three ways: quoted (`> `), fenced, and as code within a line. What a text holds can leave none
//! of them: a quote has its mark on each line, a fence is longer than any run of backticks inside,
//! and outside of fences no text brings markup or an address of a picture with it.

/// Prose as a quote. Its own Markdown works inside; HTML and pictures become plain text.
pub(super) fn quote(text: &str, out: &mut String) {
    for line in tidy(text).trim_end().split('\n') {
        out.push('>');
        if !line.is_empty() {
            out.push(' ');
        }
        out.push_str(&line.replace('<', "&lt;").replace("![", "!&#91;"));
        out.push('\n');
    }
    out.push('\n');
}

/// A text in a fence.
pub(super) fn fence(language: &str, text: &str, out: &mut String) {
    let text = tidy(text);
    let marks = "`".repeat(longest_run(&text).max(2) + 1);
    out.push_str(&marks);
    out.push_str(language);
    out.push('\n');
    out.push_str(&text);
    if !text.ends_with('\n') && !text.is_empty() {
        out.push('\n');
    }
    out.push_str(&marks);
    out.push_str("\n\n");
}

/// A text as code within a line; its line ends become blanks.
pub(super) fn code(text: &str) -> String {
    let text = tidy(text).replace('\n', " ");
    if text.trim().is_empty() {
        return "(empty)".to_owned();
    }
    let marks = "`".repeat(longest_run(&text) + 1);
    // A blank on either side is taken off again; it keeps a backtick of the text apart.
    let is_plain = !text.starts_with(['`', ' ']) && !text.ends_with(['`', ' ']);
    let blank = if is_plain { "" } else { " " };
    format!("{marks}{blank}{text}{blank}{marks}")
}

/// A text as a cell of a table: no sign in it has a meaning.
pub(super) fn cell(text: &str) -> String {
    let mut out = String::new();
    for sign in tidy(text).chars() {
        match sign {
            '\n' | '\t' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '~' | '>' | '#' | '$' => {
                out.push('\\');
                out.push(sign);
            }
            _ => out.push(sign),
        }
    }
    out
}

/// One form of line end, and no sign that Markdown replaces by itself.
fn tidy(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.replace('\0', "\u{fffd}")
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    for sign in text.chars() {
        run = if sign == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
