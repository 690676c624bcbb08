//! Holds the structure of `src/` together: what no compiler checks and no reader should have to.
//!
//! Reads every file under `src/` as text and fails on
//! - a path that points down the list of modules (or across from `ui` to `platform` and back),
//! - the browser or Leptos in a module that is compiled natively,
//! - `inner_html` and its kin: text from a model, a server or a link is text,
//! - `cfg(target…)` outside `lib.rs` and `main.rs`: the manifest and these two decide what is built where.
//!
//! Comments and the contents of strings do not count. It reads tokens, not Rust: paths that a macro puts together are
//! not seen.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "clippy does not take files under tests/ for test code"
)]

use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules from top to bottom. Each uses only what stands before it.
const ORDER: [&str; 17] = [
    "case", "order", "part", "chat", "wire", "settings", "berth", "env", "provider", "rollout",
    "episode", "share", "store", "view", "app", "ui", "platform",
];

/// Pairs that stay strangers although one stands below the other: `main.rs` brings them together.
const STRANGERS: [(&str, &str); 1] = [("platform", "ui")];

/// Modules that may speak to the browser. All others are compiled natively, without Leptos.
const IN_THE_PAGE: [&str; 2] = ["ui", "platform"];

/// Crates that a natively compiled module must not mention.
const BROWSER_CRATES: [&str; 8] = [
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "serde_wasm_bindgen",
    "gloo_net",
    "idb",
    "leptos",
];

/// Ways to turn text into markup.
const MARKUP_FROM_TEXT: [&str; 7] = [
    "inner_html",
    "set_inner_html",
    "innerHTML",
    "outer_html",
    "set_outer_html",
    "insert_adjacent_html",
    "set_html_unsafe",
];

#[derive(Debug, PartialEq, Eq)]
struct Fault {
    line: usize,
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Mark(char),
}

/// A source text as words and punctuation with their lines; comments gone, literals reduced to one `"` mark.
fn tokens(source: &str) -> Vec<(usize, Token)> {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut out, mut line, mut i) = (Vec::new(), 1, 0);
    while i < chars.len() {
        let start = i;
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                let mut depth = 0;
                while i < chars.len() {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => (depth, i) = (depth + 1, i + 2),
                        ('*', '/') => (depth, i) = (depth - 1, i + 2),
                        _ => i += 1,
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            '"' => {
                i = end_of_string(&chars, i);
                out.push((line, Token::Mark('"')));
            }
            '\'' => {
                // A character literal, or else a lifetime, whose name must not be taken for a word.
                if at(i + 1) == '\\' {
                    i += 3;
                    while i < chars.len() && at(i) != '\'' {
                        i += 1;
                    }
                    i += 1;
                } else if at(i + 2) == '\'' {
                    i += 3;
                } else {
                    i += 1;
                    while is_word(at(i)) {
                        i += 1;
                    }
                }
            }
            c if is_word(c) => {
                while is_word(at(i)) {
                    i += 1;
                }
                let word: String = chars[start..i].iter().collect();
                let prefix = matches!(word.as_str(), "r" | "b" | "br" | "c" | "cr");
                let hashes = (i..chars.len()).take_while(|&j| at(j) == '#').count();
                if prefix && at(i + hashes) == '"' && (hashes == 0 || word.ends_with('r')) {
                    i = if word.ends_with('r') {
                        end_of_raw_string(&chars, i + hashes, hashes)
                    } else {
                        end_of_string(&chars, i)
                    };
                    out.push((line, Token::Mark('"')));
                } else if word == "r" && hashes == 1 && is_word(at(i + 1)) {
                    i += 1; // a raw identifier: its name follows
                } else {
                    out.push((line, Token::Word(word)));
                }
            }
            c => {
                i += 1;
                if !c.is_whitespace() {
                    out.push((line, Token::Mark(c)));
                }
            }
        }
        line += chars[start..i.min(chars.len())]
            .iter()
            .filter(|&&c| c == '\n')
            .count();
    }
    out
}

fn end_of_string(chars: &[char], quote: usize) -> usize {
    let mut i = quote + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn end_of_raw_string(chars: &[char], quote: usize, hashes: usize) -> usize {
    let mut i = quote + 1;
    while i < chars.len() {
        let closes =
            chars[i] == '"' && (1..=hashes).all(|j| chars.get(i + j).is_some_and(|&c| c == '#'));
        if closes {
            return i + 1 + hashes;
        }
        i += 1;
    }
    i
}

/// Where a file stands in the tree of modules: `berth/rules/mod.rs` is `["berth", "rules"]`, `lib.rs` is `[]`.
fn module_path(file: &Path) -> Vec<String> {
    let mut path: Vec<String> = file
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if path
        .last()
        .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
    {
        path.pop();
    }
    path
}

/// Everything wrong with one file. `file` is relative to `src/`.
fn faults(file: &Path, source: &str) -> Vec<Fault> {
    let tokens = tokens(source);
    let path = module_path(file);
    let mut found = Vec::new();
    if let Some(home) = path.first() {
        if ORDER.contains(&home.as_str()) {
            paths(home, &path, &tokens, &mut found);
        } else {
            let what = format!("`{home}` is not in the list of modules (tests/layering.rs)");
            found.push(Fault { line: 1, what });
        }
        targets(&tokens, &mut found);
    }
    words(path.first().map(String::as_str), &tokens, &mut found);
    found.sort_by_key(|fault| fault.line);
    found
}

/// Follows `crate::`, `super::` and `self::` to the module they name.
fn paths(home: &str, file: &[String], tokens: &[(usize, Token)], found: &mut Vec<Fault>) {
    // Modules written inside this file, and the depth of braces at which each ends.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let mut depth = 0;
    let mut i = 0;
    while let Some((_, token)) = tokens.get(i) {
        match token {
            Token::Mark('{') => {
                if let (Some(Token::Word(name)), Some(Token::Word(keyword))) =
                    (before(tokens, i, 1), before(tokens, i, 2))
                    && keyword == "mod"
                {
                    inline.push((name.clone(), depth));
                }
                depth += 1;
            }
            Token::Mark('}') => {
                depth = depth.saturating_sub(1);
                if inline.last().is_some_and(|(_, end)| *end == depth) {
                    inline.pop();
                }
            }
            Token::Word(word) if is_root(word) && !follows_path(tokens, i) => {
                let mut here: Vec<String> = file.to_vec();
                here.extend(inline.iter().map(|(name, _)| name.clone()));
                i = use_tree(home, here, tokens, i, found);
                continue;
            }
            Token::Word(_) | Token::Mark(_) => {}
        }
        i += 1;
    }
}

fn is_root(word: &str) -> bool {
    matches!(word, "crate" | "super" | "self")
}

fn before(tokens: &[(usize, Token)], i: usize, steps: usize) -> Option<&Token> {
    i.checked_sub(steps)
        .and_then(|j| tokens.get(j))
        .map(|(_, token)| token)
}

fn is_mark(tokens: &[(usize, Token)], i: usize, mark: char) -> bool {
    tokens
        .get(i)
        .is_some_and(|(_, token)| *token == Token::Mark(mark))
}

fn is_separator(tokens: &[(usize, Token)], i: usize) -> bool {
    is_mark(tokens, i, ':') && is_mark(tokens, i + 1, ':')
}

/// Is the word at `i` the later part of a path?
fn follows_path(tokens: &[(usize, Token)], i: usize) -> bool {
    i >= 2 && is_separator(tokens, i - 2)
}

/// Walks one path, or a tree of paths in braces, that starts at `i` seen from module `here`. Returns where it ends.
fn use_tree(
    home: &str,
    mut here: Vec<String>,
    tokens: &[(usize, Token)],
    mut i: usize,
    found: &mut Vec<Fault>,
) -> usize {
    while let Some((line, Token::Word(word))) = tokens.get(i) {
        match word.as_str() {
            "crate" => here.clear(),
            "super" => {
                here.pop();
            }
            "self" => {}
            _ => {
                here.push(word.clone());
                judge(home, *line, &here, is_mark(tokens, i + 1, '!'), found);
                return i + 1;
            }
        }
        i += 1;
        // `self.field`, `pub(crate)`, `use super::x as y`: no path goes on here.
        if !is_separator(tokens, i) {
            return i;
        }
        i += 2;
    }
    if is_mark(tokens, i, '{') {
        i += 1;
        let mut depth = 1;
        let mut fresh = true; // at the start of a branch, where the path goes on from `here`
        while let Some((_, token)) = tokens.get(i) {
            match token {
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => depth -= 1,
                Token::Mark(',') if depth == 1 => {
                    fresh = true;
                    i += 1;
                    continue;
                }
                Token::Word(_) if fresh => {
                    fresh = false;
                    i = use_tree(home, here.clone(), tokens, i, found);
                    continue;
                }
                Token::Word(_) | Token::Mark(_) => {}
            }
            i += 1;
            if depth == 0 {
                break;
            }
        }
    } else if is_mark(tokens, i, '*') && here.is_empty() {
        let line = tokens[i].0;
        found.push(Fault {
            line,
            what: "a glob over the whole crate hides what is used".into(),
        });
    }
    i
}

/// May `home` use the module that `target` begins with?
fn judge(home: &str, line: usize, target: &[String], is_macro: bool, found: &mut Vec<Fault>) {
    let Some(other) = target.first().map(String::as_str) else {
        return;
    };
    if other == home || (is_macro && target.len() == 1) {
        return;
    }
    let place = |name: &str| ORDER.iter().position(|module| *module == name);
    let what = match (place(home), place(other)) {
        (_, None) => format!("`crate::{other}` is not in the list of modules (tests/layering.rs)"),
        (Some(mine), Some(theirs)) if theirs > mine => {
            format!("`{home}` uses `{other}`, which stands below it")
        }
        _ if STRANGERS.contains(&(home, other)) || STRANGERS.contains(&(other, home)) => {
            format!("`{home}` uses `{other}`: these two meet in main.rs only")
        }
        _ => return,
    };
    found.push(Fault { line, what });
}

/// `cfg(…)`, `cfg!(…)` and `cfg_attr(…)` that ask for the target.
fn targets(tokens: &[(usize, Token)], found: &mut Vec<Fault>) {
    for (i, (line, token)) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        if word != "cfg" && word != "cfg_attr" {
            continue;
        }
        let mut depth = 0;
        for (_, token) in &tokens[i + 1..] {
            match token {
                Token::Mark('!') if depth == 0 => {}
                Token::Mark('(') => depth += 1,
                Token::Mark(')') => depth -= 1,
                Token::Word(asked)
                    if asked.starts_with("target_") || asked == "unix" || asked == "windows" =>
                {
                    let what = format!("`{word}({asked}…)` belongs in lib.rs or main.rs");
                    found.push(Fault { line: *line, what });
                    break;
                }
                Token::Word(_) | Token::Mark(_) => {}
            }
            if depth == 0 && *token != Token::Mark('!') {
                break;
            }
        }
    }
}

/// Single words that must not be there.
fn words(home: Option<&str>, tokens: &[(usize, Token)], found: &mut Vec<Fault>) {
    let native = home.is_some_and(|home| !IN_THE_PAGE.contains(&home));
    for (i, (line, token)) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        if MARKUP_FROM_TEXT.contains(&word.as_str()) {
            found.push(Fault {
                line: *line,
                what: format!("`{word}` turns text into markup"),
            });
        }
        let names_crate = is_separator(tokens, i + 1)
            || matches!(before(tokens, i, 1), Some(Token::Word(keyword)) if keyword == "use" || keyword == "crate");
        if native
            && BROWSER_CRATES.contains(&word.as_str())
            && names_crate
            && !follows_path(tokens, i)
        {
            let what = format!(
                "`{word}` in `{}`, which is compiled natively",
                home.unwrap_or("")
            );
            found.push(Fault { line: *line, what });
        }
    }
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src/ can be listed") {
        let path = entry.expect("src/ can be listed").path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn the_source_keeps_to_its_layers() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    files.sort();
    assert!(!files.is_empty(), "src/ holds no Rust files");
    let mut report = String::new();
    for file in files {
        let name = file.strip_prefix(&src).expect("listed under src/");
        let source = fs::read_to_string(&file).expect("a source file is text");
        for fault in faults(name, &source) {
            write!(report, "\n  src/{}:{fault}", name.display()).expect("a string takes it");
        }
    }
    assert!(report.is_empty(), "{report}\n");
}

/// The checker itself, on small sources.
mod checker {
    use super::{Fault, faults};
    use std::path::Path;

    fn check(file: &str, source: &str) -> Vec<String> {
        faults(Path::new(file), source)
            .iter()
            .map(Fault::to_string)
            .collect()
    }

    #[test]
    fn using_what_stands_above_is_fine() {
        let source = "use crate::chat::Message;\nuse crate::{berth::Task, wire};\nfn f(x: crate::env::Session) {}";
        assert_eq!(check("episode/mod.rs", source), [""; 0]);
    }

    #[test]
    fn using_what_stands_below_is_found_with_its_line() {
        assert_eq!(
            check("chat/mod.rs", "//! Words.\n\nuse crate::wire::Frame;\n"),
            ["3: `chat` uses `wire`, which stands below it"]
        );
    }

    #[test]
    fn every_branch_of_a_group_is_followed() {
        assert_eq!(
            check(
                "berth/task.rs",
                "use crate::{\n    chat::{Call, Part as P},\n    view::Chart,\n    store,\n};"
            ),
            [
                "3: `berth` uses `view`, which stands below it",
                "4: `berth` uses `store`, which stands below it"
            ]
        );
    }

    #[test]
    fn a_path_in_the_middle_of_code_counts_like_an_import() {
        assert_eq!(
            check(
                "wire/sse.rs",
                "fn f() { let x = <crate::episode::Input>::new(); }"
            ),
            ["1: `wire` uses `episode`, which stands below it"]
        );
        assert_eq!(
            check("wire/sse.rs", "pub(crate) fn f(&self) { self.x; }"),
            [""; 0]
        );
    }

    #[test]
    fn super_is_counted_from_where_the_file_stands() {
        let source = "use super::super::super::view::Chart;";
        assert_eq!(
            check("berth/rules/pool.rs", source),
            ["1: `berth` uses `view`, which stands below it"]
        );
        assert_eq!(
            check("berth/rules/pool.rs", "use super::super::view::Chart;"),
            [""; 0]
        );
        assert_eq!(
            check(
                "berth/rules/mod.rs",
                "use super::super::{chat, view::Chart};"
            ),
            ["1: `berth` uses `view`, which stands below it"]
        );
        assert_eq!(
            check("berth/mod.rs", "use super::{chat, super::app};"),
            ["1: `berth` uses `app`, which stands below it"]
        );
    }

    #[test]
    fn a_module_inside_a_file_is_one_step_deeper_and_ends_with_its_brace() {
        let source = "mod tests { use super::view; fn f() { {} } }\nuse super::view;";
        assert_eq!(
            check("chat/mod.rs", source),
            ["2: `chat` uses `view`, which stands below it"]
        );
    }

    #[test]
    fn ui_and_platform_are_strangers() {
        assert_eq!(
            check("ui/app.rs", "use crate::platform::Driver;"),
            ["1: `ui` uses `platform`, which stands below it"]
        );
        assert_eq!(
            check("platform/driver.rs", "use crate::ui::App;"),
            ["1: `platform` uses `ui`: these two meet in main.rs only"]
        );
    }

    #[test]
    fn modules_outside_the_list_are_found() {
        assert_eq!(
            check("utils.rs", ""),
            ["1: `utils` is not in the list of modules (tests/layering.rs)"]
        );
        assert_eq!(
            check("chat.rs", "use crate::Helper;"),
            ["1: `crate::Helper` is not in the list of modules (tests/layering.rs)"]
        );
        assert_eq!(
            check("chat.rs", "crate::text!(1); $crate::text!(2);"),
            [""; 0]
        );
    }

    #[test]
    fn a_glob_over_the_crate_is_found() {
        assert_eq!(
            check("chat.rs", "use crate::*;"),
            ["1: a glob over the whole crate hides what is used"]
        );
        assert_eq!(check("chat/part.rs", "use super::*;"), [""; 0]);
    }

    #[test]
    fn comments_and_strings_do_not_count() {
        let source = r##"
            // use crate::view::A;
            /* use crate::view::B; /* nested */ use crate::view::C; */
            /// crate::view, inner_html, cfg(target_arch)
            fn f<'a>(x: &'a str) -> char {
                let _ = ("crate::view \" crate::view", r#"inner_html " crate::view"#, b"leptos::x");
                let (_, _) = ('"', '\'');
                let _ = '\u{7f}';
                'crate: loop { break 'crate; }
            }
        "##;
        assert_eq!(check("chat.rs", source), [""; 0]);
    }

    #[test]
    fn code_after_a_string_or_comment_counts_again() {
        for prefix in [
            "\"\\\\\"",
            "r\"\\\"",
            "r##\"\"#\"##",
            "'\"'",
            "b'\\''",
            "/* */",
            "&'a str",
        ] {
            assert_eq!(
                check("chat.rs", &format!("{prefix} crate::view::A")),
                ["1: `chat` uses `view`, which stands below it"],
                "after {prefix}"
            );
        }
    }

    #[test]
    fn the_browser_in_a_native_module_is_found() {
        assert_eq!(
            check(
                "view/chart.rs",
                "use web_sys::Element;\nfn f() { leptos::mount(); }"
            ),
            [
                "1: `web_sys` in `view`, which is compiled natively",
                "2: `leptos` in `view`, which is compiled natively"
            ]
        );
        assert_eq!(check("ui/app.rs", "use leptos::prelude::*;"), [""; 0]);
        assert_eq!(
            check("platform/fetch.rs", "use web_sys::Response;"),
            [""; 0]
        );
        // A word of one's own that happens to be called like a crate.
        assert_eq!(check("store/mod.rs", "let idb = 1; f(idb)"), [""; 0]);
    }

    #[test]
    fn markup_from_text_is_found_everywhere() {
        assert_eq!(
            check("ui/app.rs", "view! { <p inner_html=text/> }"),
            ["1: `inner_html` turns text into markup"]
        );
        assert_eq!(
            check("main.rs", "body.set_inner_html(x)"),
            ["1: `set_inner_html` turns text into markup"]
        );
    }

    #[test]
    fn the_target_is_asked_for_in_two_files_only() {
        let source = "#[cfg(not(target_arch = \"wasm32\"))]\nfn f() { if cfg!(unix) {} }";
        assert_eq!(check("lib.rs", source), [""; 0]);
        assert_eq!(check("main.rs", source), [""; 0]);
        assert_eq!(
            check("platform/timer.rs", source),
            [
                "1: `cfg(target_arch…)` belongs in lib.rs or main.rs",
                "2: `cfg(unix…)` belongs in lib.rs or main.rs"
            ]
        );
        assert_eq!(
            check(
                "chat.rs",
                "#[cfg_attr(target_family = \"wasm\", allow(x))] fn f() {}"
            ),
            ["1: `cfg_attr(target_family…)` belongs in lib.rs or main.rs"]
        );
        assert_eq!(
            check(
                "chat.rs",
                "#[cfg(test)] mod tests { fn f(target_x: u8) {} }"
            ),
            [""; 0]
        );
    }
}
