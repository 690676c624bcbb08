//! Path data: numbers as short as the eye allows, lines, boxes and hatching.

use std::fmt::Write as _; // Writing to a String cannot fail.

/// To a tenth of a pixel, which no eye tells apart and every attribute can say shortly.
pub(super) fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A pixel with one decimal, as short as it can be written.
pub(super) fn px(value: f64) -> String {
    let mut text = String::new();
    put_px(&mut text, value);
    text
}

/// The same at the end of a text. A picture holds some thousand numbers and is drawn while
/// someone drags, and whole numbers are written several times faster than fractions.
fn put_px(text: &mut String, value: f64) {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    let _ = match rest {
        0 => write!(text, "{sign}{whole}"),
        _ => write!(text, "{sign}{whole}.{rest}"),
    };
}

/// Path data in pixels.
#[derive(Debug, Default)]
pub(super) struct Pen(pub(super) String);

impl Pen {
    pub(super) fn to(&mut self, x: f64, y: f64) -> &mut Self {
        self.put("M", &[x, y])
    }
    pub(super) fn line(&mut self, x: f64, y: f64) -> &mut Self {
        self.put("L", &[x, y])
    }
    pub(super) fn across(&mut self, x: f64) -> &mut Self {
        self.put("H", &[x])
    }
    pub(super) fn down(&mut self, y: f64) -> &mut Self {
        self.put("V", &[y])
    }
    pub(super) fn close(&mut self) -> &mut Self {
        self.put("Z", &[])
    }
    pub(super) fn boxed(&mut self, x: f64, y: f64, w: f64, h: f64) -> &mut Self {
        self.to(x, y).across(x + w).down(y + h).across(x).close()
    }

    fn put(&mut self, letter: &str, values: &[f64]) -> &mut Self {
        self.0.push_str(letter);
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.0.push(' ');
            }
            put_px(&mut self.0, *value);
        }
        self
    }

    /// Diagonal lines in a box, `gap` apart: down to the left, or (`back`) down to the right.
    /// Lines rather than SVG patterns, which need ids that two charts on a page would share.
    pub(super) fn hatch(
        &mut self,
        x: f64,
        y: f64,
        w: f64,
        h: f64,
        gap: f64,
        back: bool,
    ) -> &mut Self {
        // Keeps the data bounded, whatever the box.
        let gap = gap.max((w + h) / 120.0);
        let mut offset = gap;
        while offset < w + h {
            let (x1, y1) = (offset.min(w), (offset - w).max(0.0));
            let (x2, y2) = ((offset - h).max(0.0), offset.min(h));
            if back {
                self.to(x + w - x1, y + y1).line(x + w - x2, y + y2);
            } else {
                self.to(x + x1, y + y1).line(x + x2, y + y2);
            }
            offset += gap;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_short() {
        let written: Vec<_> = [0.0, -0.04, 1.0, 1.25, 9.96, -3.5]
            .into_iter()
            .map(px)
            .collect();
        assert_eq!(written, ["0", "0", "1", "1.3", "10", "-3.5"]);
    }

    #[test]
    fn hatching_stays_in_its_box() {
        let mut pen = Pen::default();
        pen.hatch(0.0, 0.0, 10.0, 5.0, 4.0, false);
        assert_eq!(pen.0, "M4 0L0 4M8 0L3 5M10 2L7 5");
    }
}
