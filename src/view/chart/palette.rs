//! Colours for files that leave the page: style sheets and their variables do not travel.
//! The values are those of `style/tokens.css`; a test compares the two.

use super::Role;

/// The colours of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named like the tokens they repeat")]
pub struct Palette {
    pub surface: &'static str,
    pub surface_2: &'static str,
    pub text: &'static str,
    pub text_muted: &'static str,
    pub line: &'static str,
    pub line_strong: &'static str,
    pub ship: &'static str,
    pub ship_line: &'static str,
    pub extra: &'static str,
    pub extra_line: &'static str,
    pub late: &'static str,
    pub late_line: &'static str,
    pub on_ship: &'static str,
    pub closed: &'static str,
    pub alongside: &'static str,
    pub wind_long: &'static str,
    pub wind_all: &'static str,
    pub wind_edge: &'static str,
    pub published: &'static str,
    pub problem: &'static str,
    pub on_problem: &'static str,
    pub diff: &'static str,
    pub on_diff: &'static str,
    pub used: &'static str,
}

/// How a mark is painted in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Paint {
    /// Fill colour; none when absent.
    pub fill: Option<&'static str>,
    /// Stroke colour; none when absent.
    pub stroke: Option<&'static str>,
    /// Stroke width.
    pub width: f64,
    /// Dashes, in the words of `stroke-dasharray`; solid when empty.
    pub dash: &'static str,
    /// Size of text; 0 for other forms.
    pub size: f64,
    /// Bold text.
    pub bold: bool,
}

impl Palette {
    /// The light theme.
    pub const LIGHT: Self = Self {
        surface: "#ffffff",
        surface_2: "#eef3f6",
        text: "#10232f",
        text_muted: "#47606f",
        line: "#d3dde3",
        line_strong: "#6d8594",
        ship: "#c9dff0",
        ship_line: "#2a6a98",
        extra: "#e0d6f3",
        extra_line: "#6a4a9c",
        late: "#ffdcb0",
        late_line: "#9c4a08",
        on_ship: "#0b2638",
        closed: "#5d6b75",
        alongside: "#4d7a74",
        wind_long: "#e4eef6",
        wind_all: "#c6dcec",
        wind_edge: "#5c89aa",
        published: "#55707f",
        problem: "#c01f2e",
        on_problem: "#ffffff",
        diff: "#0d6e5f",
        on_diff: "#ffffff",
        used: "#7fa9c6",
    };

    /// The dark theme.
    pub const DARK: Self = Self {
        surface: "#11212c",
        surface_2: "#182c39",
        text: "#e8f0f4",
        text_muted: "#a3b8c4",
        line: "#25394a",
        line_strong: "#6f8a9b",
        ship: "#1d4866",
        ship_line: "#7db8e0",
        extra: "#43316b",
        extra_line: "#bda2ea",
        late: "#613d14",
        late_line: "#f0a660",
        on_ship: "#eef6fb",
        closed: "#93a4af",
        alongside: "#7fb5ac",
        wind_long: "#182f42",
        wind_all: "#22445f",
        wind_edge: "#6c9cc0",
        published: "#8fa9b8",
        problem: "#ff7b80",
        on_problem: "#2b0408",
        diff: "#5fd3bd",
        on_diff: "#04231e",
        used: "#3d6c8c",
    };

    /// Each colour with the name of its token.
    #[cfg(test)]
    pub(super) fn named(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("surface", self.surface),
            ("surface-2", self.surface_2),
            ("text", self.text),
            ("text-muted", self.text_muted),
            ("line", self.line),
            ("line-strong", self.line_strong),
            ("ship", self.ship),
            ("ship-line", self.ship_line),
            ("extra", self.extra),
            ("extra-line", self.extra_line),
            ("late", self.late),
            ("late-line", self.late_line),
            ("on-ship", self.on_ship),
            ("closed", self.closed),
            ("alongside", self.alongside),
            ("wind-long", self.wind_long),
            ("wind-all", self.wind_all),
            ("wind-edge", self.wind_edge),
            ("published", self.published),
            ("problem", self.problem),
            ("on-problem", self.on_problem),
            ("diff", self.diff),
            ("on-diff", self.on_diff),
            ("used", self.used),
        ]
    }

    /// How a role is painted.
    #[expect(
        clippy::match_same_arms,
        reason = "one arm a role, in the order of the drawing"
    )]
    pub fn paint(&self, role: Role) -> Paint {
        let fill = |colour| Paint {
            fill: Some(colour),
            ..Paint::default()
        };
        let line = |colour, width, dash| Paint {
            stroke: Some(colour),
            width,
            dash,
            ..Paint::default()
        };
        let both = |inside, edge, width, dash| Paint {
            fill: Some(inside),
            ..line(edge, width, dash)
        };
        let text = |colour, size, bold| Paint {
            size,
            bold,
            ..fill(colour)
        };
        match role {
            Role::Day => fill(self.surface_2),
            Role::Grid => line(self.line, 0.5, ""),
            Role::DayLine => line(self.line_strong, 0.75, ""),
            Role::DayName => text(self.text, 11.0, true),
            Role::TickText | Role::SectionText => text(self.text_muted, 10.0, false),
            Role::Caption => text(self.text, 10.0, true),
            Role::WindLong => fill(self.wind_long),
            Role::WindAll => fill(self.wind_all),
            Role::WindEdge => line(self.wind_edge, 1.0, "2 3"),
            Role::Closed | Role::Alongside => both(self.surface_2, self.edge_of(role), 1.0, ""),
            Role::ClosedHatch => line(self.closed, 1.0, ""),
            Role::AlongsideHatch => line(self.alongside, 0.75, ""),
            Role::BlockText => text(self.text, 10.0, true),
            Role::Published => line(self.published, 1.25, "4 3"),
            Role::Wait => line(self.published, 1.5, ""),
            Role::WaitLate => line(self.late_line, 2.5, ""),
            Role::Bar => both(self.ship, self.ship_line, 1.25, ""),
            Role::BarExtra => both(self.extra, self.extra_line, 1.75, "5 3"),
            Role::Hold => both(self.surface, self.ship_line, 1.25, ""),
            Role::HoldLines => line(self.ship_line, 1.5, "3 3"),
            Role::Late => both(self.late, self.late_line, 1.25, ""),
            Role::LateHatch => line(self.late_line, 1.0, ""),
            Role::BarText => text(self.on_ship, 10.5, false),
            Role::Problem => line(self.problem, 3.0, ""),
            Role::Badge => both(self.problem, self.surface, 1.5, ""),
            Role::BadgeText => text(self.on_problem, 10.0, true),
            Role::Flag => both(self.problem, self.problem, 1.5, ""),
            Role::DockBy => line(self.problem, 2.0, "2 2"),
            Role::Cut => both(self.problem, self.surface, 1.0, ""),
            Role::LaneOutage => both(self.surface, self.late_line, 1.25, ""),
            Role::LaneWind => both(self.wind_all, self.wind_edge, 1.0, ""),
            Role::LaneClosed => both(self.surface_2, self.closed, 1.0, "3 2"),
            Role::LaneText => text(self.text, 10.0, false),
            Role::Used => fill(self.used),
            Role::Available => line(self.text, 1.5, ""),
            Role::Over => line(self.problem, 1.5, ""),
            Role::OverHatch => line(self.problem, 1.5, ""),
            Role::Before => line(self.diff, 1.5, "4 2"),
            Role::Old => line(self.diff, 1.5, "5 3"),
            Role::Arrow => line(self.diff, 2.0, ""),
            Role::TagBox => fill(self.diff),
            Role::TagText => text(self.on_diff, 10.0, true),
        }
    }

    fn edge_of(&self, role: Role) -> &'static str {
        if role == Role::Closed {
            self.closed
        } else {
            self.alongside
        }
    }
}
