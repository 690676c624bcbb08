//! What of a ship's name fits into its bar. Widths are estimated: a chart has no font to ask.

/// Text laid out for a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Lines, top to bottom; empty when nothing fits.
    pub lines: Vec<String>,
    /// Whether they run upwards, for bars that are narrow and high.
    pub turned: bool,
}

/// Width of a text by a rule of thumb for sans-serif fonts: 0.6 of the size a character.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.6
}

/// Lays out a name and a note (the crane count) in a box of `wide` × `high` pixels.
pub(super) fn lay(name: &str, note: &[String], wide: f64, high: f64, size: f64) -> Label {
    if name.trim().is_empty() {
        return Label::default();
    }
    let along = |wide: f64, high: f64| -> Option<Vec<String>> {
        let most = ((high - 3.0) / (size * 1.15)).floor() as usize;
        let fits = |text: &str| width(text, size) <= wide - 6.0;
        if most == 0 {
            return None;
        }
        let mut lines = if fits(name) {
            vec![name.to_owned()]
        } else {
            name.split_whitespace().map(str::to_owned).collect()
        };
        if lines.len() > most || lines.is_empty() || !lines.iter().all(|line| fits(line)) {
            return None;
        }
        if lines.len() < most {
            lines.extend(note.iter().find(|note| fits(note)).cloned());
        }
        Some(lines)
    };
    if let Some(lines) = along(wide, high) {
        return Label {
            lines,
            turned: false,
        };
    }
    if let Some(lines) = along(high, wide) {
        return Label {
            lines,
            turned: true,
        };
    }
    // The beginning of the name, if at least three letters of it can be seen.
    let room = ((wide.max(high) - 6.0) / (size * 0.6)).floor() as usize;
    let turned = high > wide;
    if room >= 4 && wide.min(high) >= size + 2.0 {
        let start: String = name.chars().take(room - 1).collect();
        return Label {
            lines: vec![format!("{}…", start.trim_end())],
            turned,
        };
    }
    Label::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, wide: f64, high: f64) -> (Vec<String>, bool) {
        let label = lay(
            name,
            &["4 cranes".to_owned(), "4".to_owned()],
            wide,
            high,
            10.0,
        );
        (label.lines, label.turned)
    }

    #[test]
    fn a_name_takes_the_largest_form_that_fits() {
        assert_eq!(
            lines("Ossel Vale", 80.0, 40.0),
            (vec!["Ossel Vale".into(), "4 cranes".into()], false)
        );
        assert_eq!(
            lines("Ossel Vale", 40.0, 40.0),
            (vec!["Ossel".into(), "Vale".into(), "4".into()], false)
        );
        assert_eq!(
            lines("Ossel Vale", 80.0, 15.0),
            (vec!["Ossel Vale".into()], false)
        );
        assert_eq!(
            lines("Ossel Vale", 20.0, 80.0),
            (vec!["Ossel Vale".into()], true)
        );
        assert_eq!(
            lines("Ossel Vale", 40.0, 14.0),
            (vec!["Osse…".into()], false)
        );
        assert_eq!(lines("Ossel Vale", 10.0, 10.0), (vec![], false));
        assert_eq!(lines(" ", 50.0, 50.0), (vec![], false));
    }
}
