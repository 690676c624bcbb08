//! The chart as SVG text: a file that stands alone, with its colours in it, and the first picture
//! of the page, with class names that style sheets colour.

use super::pen::px;
use super::{Chart, Form, Layout, Mark, Palette, Picture, Role, picture};
use std::fmt::Write as _; // Writing to a String cannot fail.

/// A standalone SVG file `width` pixels wide, or wider if hours would become too narrow to read.
pub fn svg(chart: &Chart, palette: &Palette, width: f64) -> String {
    let layout = fitted(chart, width, 4.0);
    let picture = picture(chart, &layout);
    let mut out = Writer {
        text: String::new(),
        palette: Some(palette),
    };
    let (w, h) = (
        px(layout.gutter + layout.width + 8.0),
        px(layout.height + 26.0),
    );
    out.raw(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
         viewBox=\"0 -22 {w} {h}\" role=\"img\" \
         font-family=\"system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif\">"
    ));
    out.element("title", &chart.title);
    out.element("desc", &chart.summary);
    out.raw(&format!(
        "<path fill=\"{}\" d=\"M0 -22h{w}v{h}H0Z\"/>",
        palette.surface
    ));
    let heading = format!("{}: {}", chart.title, chart.summary);
    out.raw(&format!(
        "<text x=\"8\" y=\"-8\" font-size=\"12\" fill=\"{}\">",
        palette.text
    ));
    out.escaped(&heading);
    out.raw("</text>");
    out.picture(&picture);
    out.raw("</svg>\n");
    out.text
}

/// The picture that stands in the page before the program runs: small, coloured by the page's
/// style sheets, without layers that only matter later.
pub fn static_svg(chart: &Chart) -> String {
    // A whole number of pixels an hour: whole coordinates are half as long.
    let layout = Layout::new(chart, fitted(chart, 1100.0, 2.0).scale.px_per_hour.floor());
    let picture = flat(picture(chart, &layout));
    let mut out = Writer {
        text: String::new(),
        palette: None,
    };
    let (w, h) = (px(layout.gutter + layout.width), px(layout.height));
    out.raw(&format!(
        "<svg class=\"plan-chart-still\" viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\""
    ));
    out.escaped(&format!("{}: {}", chart.title, chart.summary));
    out.raw("\">");
    out.picture(&picture);
    out.raw("</svg>");
    out.text
}

/// The same picture with all ships in one layer: their boxes, then their words, then what stands
/// above both. Neighbours of one role then are many, and say the role and their place once. No
/// box hides a word this way, nor did before: words keep clear of boxes.
fn flat(mut picture: Picture) -> Picture {
    let mut lower = Vec::new();
    let mut upper = Vec::new();
    for ship in &mut picture.ships {
        let (x, y) = (ship.x, ship.y);
        let take = |marks: &mut Vec<Mark>, into: &mut Vec<Mark>| {
            marks.retain_mut(|mark| {
                if let Form::Rect {
                    x: left, y: top, ..
                }
                | Form::Text {
                    x: left, y: top, ..
                } = &mut mark.form
                {
                    *left += x;
                    *top += y;
                    into.push(mark.clone());
                    return false;
                }
                !LATER.contains(&mark.role)
            });
        };
        take(&mut ship.marks, &mut lower);
        take(&mut ship.top, &mut upper);
    }
    let (words, boxes): (Vec<_>, Vec<_>) = lower
        .into_iter()
        .partition(|mark| matches!(mark.form, Form::Text { .. }));
    let ships = boxes.into_iter().chain(words).chain(upper);
    picture
        .waits
        .extend(ships.filter(|mark| !LATER.contains(&mark.role)));
    picture
}

fn fitted(chart: &Chart, width: f64, least: f64) -> Layout {
    let gutter = Layout::new(chart, 1.0).gutter;
    Layout::new(
        chart,
        ((width - gutter) / f64::from(chart.extent.hours().max(1))).max(least),
    )
}

/// What the first picture of the page leaves out: it is read before anything is drawn, so every
/// byte of it delays the page.
const LATER: [Role; 14] = [
    Role::Grid,
    Role::TickText,
    Role::SectionText,
    Role::Wait,
    Role::AlongsideHatch,
    Role::ClosedHatch,
    Role::HoldLines,
    Role::LateHatch,
    Role::Used,
    Role::Over,
    Role::OverHatch,
    Role::Badge,
    Role::BadgeText,
    Role::DockBy,
];

/// The word for where a text is held.
fn anchor(mark: &Mark) -> Option<&'static str> {
    match &mark.form {
        Form::Text { anchor, .. } => anchor.word(),
        _ => None,
    }
}

struct Writer<'a> {
    text: String,
    palette: Option<&'a Palette>,
}

impl Writer<'_> {
    fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Text and attribute values; characters that XML does not allow are left out.
    fn escaped(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.raw("&amp;"),
                '<' => self.raw("&lt;"),
                '>' => self.raw("&gt;"),
                '"' => self.raw("&quot;"),
                '\'' => self.raw("&#39;"),
                '\t' | '\n' | '\r' => self.raw(" "),
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => self.text.push(letter),
            }
        }
    }

    fn element(&mut self, name: &str, text: &str) {
        self.raw(&format!("<{name}>"));
        self.escaped(text);
        self.raw(&format!("</{name}>"));
    }

    fn picture(&mut self, picture: &Picture) {
        self.marks(&picture.gutter);
        self.raw(&format!(
            "<g transform=\"translate({})\">",
            px(picture.layout.gutter)
        ));
        for layer in [
            &picture.back,
            &picture.wind,
            &picture.blocks,
            &picture.outlines,
            &picture.waits,
        ] {
            self.marks(layer);
        }
        for top in [false, true] {
            for ship in &picture.ships {
                let marks = if top { &ship.top } else { &ship.marks };
                if marks.is_empty() {
                    continue;
                }
                let faded = if ship.faded { " opacity=\".3\"" } else { "" };
                let (x, y) = (px(ship.x), px(ship.y));
                self.raw(&format!("<g transform=\"translate({x} {y})\"{faded}>"));
                self.marks(marks);
                self.raw("</g>");
            }
        }
        for layer in [&picture.lane, &picture.strips, &picture.changes] {
            self.marks(layer);
        }
        self.raw("</g>");
    }

    /// Neighbours of one role share a group, which says the role once.
    fn marks(&mut self, marks: &[Mark]) {
        for run in marks.chunk_by(|a, b| a.role == b.role && anchor(a) == anchor(b)) {
            let Some(first) = run.first() else { continue };
            if self.palette.is_none() && LATER.contains(&first.role) {
                continue;
            }
            let grouped = run.len() > 1;
            if grouped {
                self.raw("<g");
                self.style(first.role);
                self.anchor(first);
                self.raw(">");
            }
            for mark in run {
                self.form(mark, !grouped);
            }
            if grouped {
                self.raw("</g>");
            }
        }
    }

    fn anchor(&mut self, mark: &Mark) {
        if let Some(word) = anchor(mark) {
            self.raw(&format!(" text-anchor=\"{word}\""));
        }
    }

    /// A length: to a tenth of a pixel in a file, whole in the first picture.
    fn length(&self, value: f64) -> String {
        px(if self.palette.is_some() {
            value
        } else {
            value.round()
        })
    }

    fn form(&mut self, mark: &Mark, alone: bool) {
        let (name, attributes, text) = match &mark.form {
            Form::Rect { x, y, w, h, r } => {
                let [x, y, w, h] = [x, y, w, h].map(|value| self.length(*value));
                // The style sheet rounds the corners of the first picture.
                let round = if *r > 0.0 && self.palette.is_some() {
                    format!(" rx=\"{}\"", px(*r))
                } else {
                    String::new()
                };
                // Zero is where a box stands anyway.
                let at = |name: &str, value: &str| match value {
                    "0" => String::new(),
                    _ => format!(" {name}=\"{value}\""),
                };
                let (x, y) = (at("x", &x), at("y", &y));
                let attributes = format!("{x}{y} width=\"{w}\" height=\"{h}\"{round}");
                ("rect", attributes, None)
            }
            Form::Path(data) => ("path", format!(" d=\"{data}\""), None),
            Form::Text {
                x, y, turned, text, ..
            } => {
                let [x, y] = [x, y].map(|value| self.length(*value));
                let attributes = if *turned {
                    format!(" transform=\"translate({x} {y})rotate(-90)\"")
                } else {
                    format!(" x=\"{x}\" y=\"{y}\"")
                };
                ("text", attributes, Some(text))
            }
        };
        self.raw(&format!("<{name}"));
        if alone {
            self.style(mark.role);
            self.anchor(mark);
        }
        self.raw(&attributes);
        match text {
            Some(text) => {
                self.raw(">");
                self.escaped(text);
                self.raw(&format!("</{name}>"));
            }
            None => self.raw("/>"),
        }
    }

    fn style(&mut self, role: Role) {
        let Some(palette) = self.palette else {
            self.raw(&format!(" class=\"{}\"", role.class()));
            return;
        };
        let paint = palette.paint(role);
        let mut attributes = format!(" fill=\"{}\"", paint.fill.unwrap_or("none"));
        if let Some(stroke) = paint.stroke {
            let _ = write!(
                attributes,
                " stroke=\"{stroke}\" stroke-width=\"{}\"",
                paint.width
            );
        }
        if !paint.dash.is_empty() {
            let _ = write!(attributes, " stroke-dasharray=\"{}\"", paint.dash);
        }
        if paint.size > 0.0 {
            let _ = write!(attributes, " font-size=\"{}\"", paint.size);
        }
        if paint.bold {
            attributes.push_str(" font-weight=\"600\"");
        }
        self.raw(&attributes);
    }
}
