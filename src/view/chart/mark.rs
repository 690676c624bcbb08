//! Marks: the chart in pixels, as a short list of forms with a role each. A role is a class name
//! on the page, where style sheets colour it, and a [`super::Paint`] in an exported file.

use super::pen::tenth;

/// What a mark means; decides how it is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the names are those of the drawing, back to front"
)]
pub enum Role {
    Day,
    Grid,
    DayLine,
    DayName,
    TickText,
    SectionText,
    Caption,
    WindLong,
    WindAll,
    WindEdge,
    Closed,
    ClosedHatch,
    Alongside,
    AlongsideHatch,
    BlockText,
    Published,
    Wait,
    WaitLate,
    Bar,
    BarExtra,
    Hold,
    HoldLines,
    Late,
    LateHatch,
    BarText,
    Problem,
    Badge,
    BadgeText,
    Flag,
    DockBy,
    Cut,
    LaneOutage,
    LaneWind,
    LaneClosed,
    LaneText,
    Used,
    Available,
    Over,
    OverHatch,
    Before,
    Old,
    Arrow,
    TagBox,
    TagText,
}

/// Every role, for tests that compare them with style sheets.
#[cfg(test)]
pub(super) const ALL_ROLES: [Role; 44] = [
    Role::Day,
    Role::Grid,
    Role::DayLine,
    Role::DayName,
    Role::TickText,
    Role::SectionText,
    Role::Caption,
    Role::WindLong,
    Role::WindAll,
    Role::WindEdge,
    Role::Closed,
    Role::ClosedHatch,
    Role::Alongside,
    Role::AlongsideHatch,
    Role::BlockText,
    Role::Published,
    Role::Wait,
    Role::WaitLate,
    Role::Bar,
    Role::BarExtra,
    Role::Hold,
    Role::HoldLines,
    Role::Late,
    Role::LateHatch,
    Role::BarText,
    Role::Problem,
    Role::Badge,
    Role::BadgeText,
    Role::Flag,
    Role::DockBy,
    Role::Cut,
    Role::LaneOutage,
    Role::LaneWind,
    Role::LaneClosed,
    Role::LaneText,
    Role::Used,
    Role::Available,
    Role::Over,
    Role::OverHatch,
    Role::Before,
    Role::Old,
    Role::Arrow,
    Role::TagBox,
    Role::TagText,
];

impl Role {
    /// The class that style sheets and the first picture use.
    pub fn class(self) -> &'static str {
        match self {
            Self::Day => "pc-day",
            Self::Grid => "pc-grid",
            Self::DayLine => "pc-day-line",
            Self::DayName => "pc-day-name",
            Self::TickText => "pc-tick",
            Self::SectionText => "pc-section",
            Self::Caption => "pc-caption",
            Self::WindLong => "pc-wind-long",
            Self::WindAll => "pc-wind-all",
            Self::WindEdge => "pc-wind-edge",
            Self::Closed => "pc-closed",
            Self::ClosedHatch => "pc-closed-hatch",
            Self::Alongside => "pc-alongside",
            Self::AlongsideHatch => "pc-alongside-hatch",
            Self::BlockText => "pc-block-text",
            Self::Published => "pc-published",
            Self::Wait => "pc-wait",
            Self::WaitLate => "pc-wait-late",
            Self::Bar => "pc-bar",
            Self::BarExtra => "pc-bar-extra",
            Self::Hold => "pc-hold",
            Self::HoldLines => "pc-hold-lines",
            Self::Late => "pc-late",
            Self::LateHatch => "pc-late-hatch",
            Self::BarText => "pc-bar-text",
            Self::Problem => "pc-problem",
            Self::Badge => "pc-badge",
            Self::BadgeText => "pc-badge-text",
            Self::Flag => "pc-flag",
            Self::DockBy => "pc-dock-by",
            Self::Cut => "pc-cut",
            Self::LaneOutage => "pc-lane-outage",
            Self::LaneWind => "pc-lane-wind",
            Self::LaneClosed => "pc-lane-closed",
            Self::LaneText => "pc-lane-text",
            Self::Used => "pc-used",
            Self::Available => "pc-available",
            Self::Over => "pc-over",
            Self::OverHatch => "pc-over-hatch",
            Self::Before => "pc-before",
            Self::Old => "pc-old",
            Self::Arrow => "pc-arrow",
            Self::TagBox => "pc-tag",
            Self::TagText => "pc-tag-text",
        }
    }
}

/// Where a text's anchor lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// At its beginning.
    #[default]
    Start,
    /// At its middle.
    Middle,
    /// At its end.
    End,
}

impl Anchor {
    /// The value of `text-anchor`; `None` for the default.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Start => None,
            Self::Middle => Some("middle"),
            Self::End => Some("end"),
        }
    }
}

/// A form in pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A rectangle.
    Rect {
        /// Left.
        x: f64,
        /// Top.
        y: f64,
        /// Width.
        w: f64,
        /// Height.
        h: f64,
        /// Corner radius.
        r: f64,
    },
    /// Path data; also lines and hatching.
    Path(String),
    /// A line of text.
    Text {
        /// Anchor.
        x: f64,
        /// Baseline.
        y: f64,
        /// Which part of it the anchor is.
        anchor: Anchor,
        /// Whether it runs upwards.
        turned: bool,
        /// The text.
        text: String,
    },
}

/// A form with its role.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it means.
    pub role: Role,
    /// What it looks like.
    pub form: Form,
}

impl Mark {
    #[expect(clippy::many_single_char_names, reason = "the names SVG gives them")]
    pub(super) fn rect(role: Role, x: f64, y: f64, w: f64, h: f64, r: f64) -> Self {
        let (x, y, w, h) = (tenth(x), tenth(y), tenth(w.max(0.5)), tenth(h.max(0.5)));
        Self {
            role,
            form: Form::Rect { x, y, w, h, r },
        }
    }
    pub(super) fn path(role: Role, data: String) -> Self {
        Self {
            role,
            form: Form::Path(data),
        }
    }
    pub(super) fn text(role: Role, x: f64, y: f64, anchor: Anchor, text: String) -> Self {
        let (x, y) = (tenth(x), tenth(y));
        Self {
            role,
            form: Form::Text {
                x,
                y,
                anchor,
                turned: false,
                text,
            },
        }
    }
    /// The same text, running upwards if `turned`.
    pub(super) fn turn(mut self, now: bool) -> Self {
        if let Form::Text { turned, .. } = &mut self.form {
            *turned = now;
        }
        self
    }
}
