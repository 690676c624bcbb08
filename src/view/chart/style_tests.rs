//! Style sheets against the roles and colours that exported files use.

use super::Palette;
use super::mark::ALL_ROLES;
use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../../style/tokens.css");
const CHART: &str = include_str!("../../../style/chart.css");

/// The colours of one scheme: `--name: light-dark(#light, #dark);`.
fn colours(scheme: usize) -> BTreeMap<&'static str, &'static str> {
    let pair = |line: &'static str| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(": ")?;
        let pair = value
            .strip_prefix("light-dark(")?
            .strip_suffix(");")?
            .split(", ");
        let colour = pair.clone().nth(scheme)?;
        (pair.count() == 2 && colour.starts_with('#')).then_some((name, colour))
    };
    TOKENS.lines().filter_map(pair).collect()
}

const LIGHT: usize = 0;
const DARK: usize = 1;

/// Luminance of `#rrggbb` after WCAG 2.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_role_is_styled() {
    for role in ALL_ROLES {
        let class = format!(".{}", role.class());
        let follows = |(at, _): (usize, &str)| {
            let next = CHART[at + class.len()..].chars().next();
            matches!(next, Some(' ' | ','))
        };
        assert!(CHART.match_indices(&class).any(follows), "{class}");
    }
}

#[test]
fn every_colour_has_its_dark_twin() {
    let plain = |line: &&str| line.contains('#') && !line.contains("light-dark(");
    assert_eq!(TOKENS.lines().find(plain), None);
    assert!(colours(DARK).keys().eq(colours(LIGHT).keys()));
    assert!(colours(LIGHT).len() > 30);
}

#[test]
fn exported_files_have_the_colours_of_the_page() {
    for (palette, scheme) in [(Palette::LIGHT, LIGHT), (Palette::DARK, DARK)] {
        let tokens = colours(scheme);
        for (name, value) in palette.named() {
            assert_eq!(tokens.get(name), Some(&value), "{name}");
        }
    }
}

#[test]
fn text_has_4_5_to_1_and_shapes_3_to_1() {
    let text = [
        ("text", "bg"),
        ("text", "surface"),
        ("text", "surface-2"),
        ("text", "accent-soft"),
        ("text", "wind-all"),
        ("text", "warn-soft"),
        ("text", "bad-soft"),
        ("text-muted", "bg"),
        ("text-muted", "surface"),
        ("text-muted", "surface-2"),
        ("accent", "surface"),
        ("accent", "bg"),
        ("accent-text", "accent"),
        ("accent-text", "accent-hover"),
        ("good", "surface"),
        ("warn", "surface"),
        ("warn", "warn-soft"),
        ("bad", "surface"),
        ("bad", "bad-soft"),
        ("on-ship", "ship"),
        ("on-ship", "extra"),
        ("on-ship", "late"),
        ("on-problem", "problem"),
        ("on-diff", "diff"),
        ("late-line", "surface"),
        ("problem", "surface"),
        ("problem", "accent-soft"),
        ("late-line", "accent-soft"),
    ];
    let shapes = [
        ("line-strong", "surface"),
        ("line-strong", "surface-2"),
        ("ship-line", "surface"),
        ("ship-line", "surface-2"),
        ("ship-line", "ship"),
        ("extra-line", "surface"),
        ("extra-line", "extra"),
        ("late-line", "late"),
        ("problem", "ship"),
        ("problem", "extra"),
        ("problem", "late"),
        ("problem", "surface-2"),
        ("problem", "wind-all"),
        ("closed", "surface-2"),
        ("alongside", "surface-2"),
        ("wind-edge", "surface"),
        ("published", "surface"),
        ("published", "surface-2"),
        ("published", "wind-all"),
        ("diff", "surface"),
        ("diff", "surface-2"),
        ("diff", "ship"),
        ("focus", "surface"),
        ("focus", "bg"),
        ("accent", "surface-2"),
        ("text", "used"),
    ];
    let mut faults = Vec::new();
    for (scheme, word) in [(LIGHT, "light"), (DARK, "dark")] {
        let tokens = colours(scheme);
        for (pairs, least) in [(&text[..], 4.5), (&shapes[..], 3.0)] {
            for (front, back) in pairs {
                let found = contrast(tokens[front], tokens[back]);
                if found < least {
                    faults.push(format!("{word} {front} on {back}: {found:.2} < {least}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
