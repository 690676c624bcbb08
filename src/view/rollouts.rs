//! The list of rollouts as a table: columns, filter, order; and the sentences beside it.

use super::format;
use super::words::{kept_state, model_name, moment, place_name};
use crate::case;
use crate::order;
use crate::store::{KeptRow, Room};
use std::cmp::Ordering;

/// A column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Column {
    /// When it began.
    #[default]
    Began,
    /// What the person calls it.
    Name,
    /// Task.
    Task,
    /// Model.
    Model,
    /// How it ended, or that it goes on.
    State,
    /// Model turns.
    Turns,
    /// Reward.
    Reward,
}

impl Column {
    /// All columns, in order.
    pub const ALL: [Self; 7] = [
        Self::Began,
        Self::Name,
        Self::Task,
        Self::Model,
        Self::State,
        Self::Turns,
        Self::Reward,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Began => "Began",
            Self::Name => "Name",
            Self::Task => "Task",
            Self::Model => "Model",
            Self::State => "State",
            Self::Turns => "Turns",
            Self::Reward => "Reward",
        }
    }

    /// Whether it holds numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Turns | Self::Reward)
    }

    fn compare(self, a: &KeptRow, b: &KeptRow) -> Ordering {
        match self {
            Self::Began => a.started.cmp(&b.started),
            // Those without a name come after those with one.
            Self::Name => (a.name.is_empty(), case::lower(&a.name))
                .cmp(&(b.name.is_empty(), case::lower(&b.name))),
            Self::Task => a.task_id.cmp(&b.task_id),
            Self::Model => model_name(&a.model).cmp(&model_name(&b.model)),
            Self::State => kept_state(a).text.cmp(&kept_state(b).text),
            Self::Turns => a.turns.cmp(&b.turns),
            Self::Reward => a.reward.total_cmp(&b.reward),
        }
    }
}

/// Which lines, in which order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Words that must all occur in a line.
    pub filter: String,
    /// Column that orders.
    pub column: Column,
    /// From the greatest to the least.
    pub descending: bool,
}

impl Default for Arrangement {
    /// The newest first.
    fn default() -> Self {
        Self {
            filter: String::new(),
            column: Column::Began,
            descending: true,
        }
    }
}

impl Arrangement {
    /// Orders by a column; the same one again turns the order round.
    pub fn sort_by(&mut self, column: Column) {
        self.descending = self.column == column && !self.descending;
        self.column = column;
    }

    /// `ascending`, `descending` or `none`, as a table says it.
    pub fn order_of(&self, column: Column) -> &'static str {
        match (self.column == column, self.descending) {
            (false, _) => "none",
            (true, false) => "ascending",
            (true, true) => "descending",
        }
    }

    /// The lines, filtered and ordered. What is equal keeps its order, which is the newest first.
    pub fn apply(&self, rows: &[KeptRow]) -> Vec<KeptRow> {
        let words: Vec<String> = self.filter.split_whitespace().map(case::lower).collect();
        let mut rows: Vec<KeptRow> = rows
            .iter()
            .filter(|row| {
                let text = words.is_empty().then(String::new);
                let text = text.unwrap_or_else(|| searched(row));
                words.iter().all(|word| text.contains(word))
            })
            .cloned()
            .collect();
        order::by(&mut rows, |a, b| {
            let order = self.column.compare(a, b);
            if self.descending {
                order.reverse()
            } else {
                order
            }
        });
        rows
    }
}

/// All that the filter looks at.
fn searched(row: &KeptRow) -> String {
    case::lower(&format!(
        "{} {} {} {} {} {} {} {}",
        row.name,
        row.task_id,
        row.model,
        model_name(&row.model),
        kept_state(row).text,
        moment(&row.started),
        place_name(&row.server),
        row.id,
    ))
}

/// What is kept and what room there is, in a line.
pub fn room_line(many: usize, room: Option<Room>, refused: bool) -> String {
    let mut line = format::count(many, "rollout", "rollouts");
    let Some(room) = room else {
        return line + ".";
    };
    if room.quota > 0 {
        let (used, quota) = (bytes(room.used), bytes(room.quota));
        line = format!("{line}, {used} of about {quota}");
    }
    line.push_str(match room.persistent {
        Some(true) => ". The browser keeps this until you clear it.",
        Some(false) if refused => {
            ". The browser did not agree to keep this: it does so for pages that are used often, \
             or bookmarked. It may clear this when space runs short; Export everything makes a copy."
        }
        Some(false) => ". The browser may clear this when space runs short.",
        None => ".",
    });
    line
}

/// What was deleted in this visit, in a line.
pub fn gone_line(gone: &[Vec<KeptRow>]) -> String {
    let many = gone.iter().map(Vec::len).sum();
    match gone {
        [step] if let [row] = step.as_slice() => format!("Deleted the rollout of {}.", title(row)),
        _ => format!("Deleted {}.", format::count(many, "rollout", "rollouts")),
    }
}

/// What the last step of deleting took, for a button that undoes it.
pub fn undo_label(gone: &[Vec<KeptRow>]) -> String {
    match gone.last().map(Vec::as_slice) {
        Some([row]) => format!("Undo, the rollout of {}", title(row)),
        Some(rows) => format!(
            "Undo, the last {}",
            format::count(rows.len(), "rollout", "rollouts")
        ),
        None => "Undo".into(),
    }
}

/// A rollout's moment, with its name where it has one.
pub fn title(row: &KeptRow) -> String {
    let began = moment(&row.started);
    if row.name.is_empty() {
        began
    } else {
        format!("{began}, {}", row.name)
    }
}

/// `3.4 MB`, `2 GB`: tenths below ten where there are some, whole numbers above.
pub fn bytes(number: u64) -> String {
    if number < 1000 {
        return format::count(number as usize, "byte", "bytes");
    }
    let mut unit = 1000;
    let mut names = ["kB", "MB", "GB"].into_iter();
    let mut name = names.next().unwrap_or_default();
    // What would be rounded up to a thousand is one of the next.
    while number >= unit * 1000 - unit / 2
        && let Some(next) = names.next()
    {
        unit *= 1000;
        name = next;
    }
    let tenths = (number / (unit / 10) + 1 - u64::from(number % (unit / 10) < unit / 20)).max(10);
    if tenths < 100 && !tenths.is_multiple_of(10) {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    } else {
        let whole = (number + unit / 2) / unit;
        format!("{} {name}", format::grouped(whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, name: &str, reward: f64, end: &str) -> KeptRow {
        KeptRow {
            id: id.into(),
            name: name.into(),
            model: "anthropic:claude".into(),
            task_id: format!("quay-{id}"),
            server: "builtin".into(),
            started: format!("2031-01-0{id}T10:00:00Z"),
            end_reason: end.into(),
            reward,
            ..KeptRow::default()
        }
    }

    /// The newest first, as the store lists them.
    fn rows() -> [KeptRow; 3] {
        [
            line("3", "", 0.5, "submitted"),
            line("2", "Zebra", 0.9, "running_elsewhere"),
            line("1", "ähre", 0.5, "stopped"),
        ]
    }

    fn ids(how: &Arrangement) -> Vec<String> {
        how.apply(&rows()).into_iter().map(|row| row.id).collect()
    }

    fn filtered(filter: &str) -> Vec<String> {
        ids(&Arrangement {
            filter: filter.into(),
            ..Arrangement::default()
        })
    }

    #[test]
    fn the_newest_stands_first_until_a_column_is_pressed() {
        let mut how = Arrangement::default();
        assert_eq!(ids(&how), ["3", "2", "1"]);
        assert_eq!(how.order_of(Column::Began), "descending");
        how.sort_by(Column::Began);
        assert_eq!(ids(&how), ["1", "2", "3"]);
        how.sort_by(Column::Reward);
        assert_eq!(ids(&how), ["3", "1", "2"]);
        how.sort_by(Column::Reward);
        assert_eq!(ids(&how), ["2", "3", "1"], "equal ones: the newest first");
        assert_eq!(how.order_of(Column::Reward), "descending");
        assert_eq!(how.order_of(Column::Began), "none");
    }

    #[test]
    fn names_sort_without_regard_to_capitals_and_the_nameless_last() {
        let mut how = Arrangement::default();
        how.sort_by(Column::Name);
        assert_eq!(ids(&how), ["2", "1", "3"]);
    }

    #[test]
    fn the_filter_looks_at_name_task_model_and_state() {
        assert_eq!(filtered("ÄHRE"), ["1"]);
        assert_eq!(filtered("quay-2"), ["2"]);
        assert_eq!(filtered("Claude"), ["3", "2", "1"]);
        assert_eq!(filtered("another tab"), ["2"]);
        assert_eq!(filtered("submitted claude"), ["3"]);
        assert_eq!(filtered("submitted zebra"), [""; 0]);
    }

    #[test]
    fn bytes_read_as_people_say_them() {
        for (number, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1 kB"),
            (3_449_999, "3.4 MB"),
            (3_450_000, "3.5 MB"),
            (9_949_999, "9.9 MB"),
            (9_960_000, "10 MB"),
            (999_499, "999 kB"),
            (999_500, "1 MB"),
            (2_000_000_000, "2 GB"),
            (5_000_000_000_000, "5,000 GB"),
        ] {
            assert_eq!(bytes(number), text, "{number}");
        }
    }

    #[test]
    fn the_room_is_said_as_far_as_it_is_known() {
        let room = |persistent| {
            Some(Room {
                used: 3_400_000,
                quota: 2_000_000_000,
                persistent,
            })
        };
        assert_eq!(room_line(1, None, false), "1 rollout.");
        assert_eq!(
            room_line(12, room(Some(false)), false),
            "12 rollouts, 3.4 MB of about 2 GB. The browser may clear this when space runs short."
        );
        assert!(room_line(12, room(Some(true)), true).ends_with("until you clear it."));
        assert!(room_line(12, room(Some(false)), true).contains("did not agree"));
        assert_eq!(room_line(2, Some(Room::default()), false), "2 rollouts.");
    }

    #[test]
    fn what_was_deleted_is_named_where_it_is_one() {
        let [a, b, c] = rows();
        assert_eq!(
            gone_line(&[vec![b.clone()]]),
            "Deleted the rollout of 2031-01-02 10:00 UTC, Zebra."
        );
        assert_eq!(
            gone_line(&[vec![a.clone()], vec![b]]),
            "Deleted 2 rollouts."
        );
        assert_eq!(
            undo_label(&[vec![c.clone()], vec![a.clone()]]),
            "Undo, the rollout of 2031-01-03 10:00 UTC"
        );
        assert_eq!(undo_label(&[vec![a, c]]), "Undo, the last 2 rollouts");
    }
}
