//! The task list as a table: lines, filters, order. In: tasks and what is saved here. Out: rows in
//! order, ready to be placed.

use crate::berth::Task;
use crate::case;
use crate::order;
use crate::store::KeptRow;
use std::cmp::Ordering;

/// A line of the task list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskRow {
    /// Task id.
    pub id: String,
    /// Quay, with its terminal.
    pub quay: String,
    /// ISO week, 0 when not known.
    pub week: i32,
    /// Weeks that it spans.
    pub weeks: i32,
    /// Tier.
    pub tier: String,
    /// Split.
    pub split: String,
    /// Ships to berth, when known.
    pub ships: Option<usize>,
    /// What went wrong: number of notices, when known.
    pub disruptions: Option<usize>,
    /// Best reward of a run kept on this device.
    pub best: Option<f64>,
}

/// The line of a task whose data is here.
pub fn row(task: &Task) -> TaskRow {
    TaskRow {
        id: task.task_id.clone(),
        quay: format!("{}, quay {}", task.terminal, task.quay),
        week: task.week,
        weeks: task.horizon() / 168,
        tier: task.difficulty.clone(),
        split: task.split.clone(),
        ships: Some(task.ships.len()),
        disruptions: Some(task.notices.len()),
        best: None,
    }
}

/// A column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Column {
    /// Task id.
    #[default]
    Task,
    /// Quay.
    Quay,
    /// Week.
    Week,
    /// Tier.
    Tier,
    /// Number of ships.
    Ships,
    /// Number of disruptions.
    Disruptions,
    /// Best reward on this device.
    Best,
}

impl Column {
    /// All columns, in order.
    pub const ALL: [Self; 7] = [
        Self::Task,
        Self::Quay,
        Self::Week,
        Self::Tier,
        Self::Ships,
        Self::Disruptions,
        Self::Best,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Task => "Task",
            Self::Quay => "Quay",
            Self::Week => "Week",
            Self::Tier => "Tier",
            Self::Ships => "Ships",
            Self::Disruptions => "Disruptions",
            Self::Best => "Best reward here",
        }
    }

    /// Whether it holds numbers.
    pub fn is_number(self) -> bool {
        matches!(
            self,
            Self::Week | Self::Ships | Self::Disruptions | Self::Best
        )
    }

    /// What it shows of a line.
    pub fn cell(self, row: &TaskRow) -> String {
        let number = |value: Option<usize>| value.map_or_else(|| "–".into(), |n| n.to_string());
        match self {
            Self::Task => row.id.clone(),
            Self::Quay => row.quay.clone(),
            Self::Week if row.week == 0 => "–".into(),
            Self::Week if row.weeks > 1 => format!("{} (+{})", row.week, row.weeks - 1),
            Self::Week => row.week.to_string(),
            Self::Tier => row.tier.clone(),
            Self::Ships => number(row.ships),
            Self::Disruptions => number(row.disruptions),
            Self::Best => row.best.map_or_else(|| "–".into(), super::format::reward),
        }
    }

    fn compare(self, a: &TaskRow, b: &TaskRow) -> Ordering {
        match self {
            Self::Task => a.id.cmp(&b.id),
            Self::Quay => a.quay.cmp(&b.quay),
            Self::Week => a.week.cmp(&b.week),
            Self::Tier => tier_rank(&a.tier).cmp(&tier_rank(&b.tier)),
            Self::Ships => a.ships.cmp(&b.ships),
            Self::Disruptions => a.disruptions.cmp(&b.disruptions),
            Self::Best => a.best.unwrap_or(-1.0).total_cmp(&b.best.unwrap_or(-1.0)),
        }
    }
}

/// The tiers of the reference and of the built-in tasks in the order of their difficulty; others come after, by name.
fn tier_rank(tier: &str) -> (usize, &str) {
    let known = [
        "easy", "standard", "medium", "busy", "storm", "hard", "extreme", "xlong",
    ];
    (
        known
            .iter()
            .position(|name| *name == tier)
            .unwrap_or(known.len()),
        tier,
    )
}

/// Which lines, in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// Words that must all occur in a line.
    pub filter: String,
    /// Split; empty: all.
    pub split: String,
    /// Tier; empty: all.
    pub tier: String,
    /// Column that orders.
    pub column: Column,
    /// From the greatest to the least.
    pub descending: bool,
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

    /// The lines, filtered and ordered.
    pub fn apply(&self, rows: &[TaskRow]) -> Vec<TaskRow> {
        let words: Vec<String> = self.filter.split_whitespace().map(case::lower).collect();
        let mut rows: Vec<TaskRow> = rows
            .iter()
            .filter(|row| self.split.is_empty() || row.split == self.split)
            .filter(|row| self.tier.is_empty() || row.tier == self.tier)
            .filter(|row| {
                let text = case::lower(&format!(
                    "{} {} {} {}",
                    row.id, row.quay, row.tier, row.split
                ));
                words.iter().all(|word| text.contains(word))
            })
            .cloned()
            .collect();
        order::by(&mut rows, |a, b| {
            let order = self.column.compare(a, b);
            let order = if self.descending {
                order.reverse()
            } else {
                order
            };
            order.then_with(|| a.id.cmp(&b.id))
        });
        rows
    }
}

/// The splits and the tiers that occur, each once, in order.
pub fn choices(rows: &[TaskRow]) -> (Vec<String>, Vec<String>) {
    let mut splits: Vec<String> = rows.iter().map(|row| row.split.clone()).collect();
    let mut tiers: Vec<String> = rows.iter().map(|row| row.tier.clone()).collect();
    for list in [&mut splits, &mut tiers] {
        list.retain(|name| !name.is_empty());
    }
    order::by(&mut splits, Ord::cmp);
    splits.dedup();
    order::by(&mut tiers, |a, b| tier_rank(a).cmp(&tier_rank(b)));
    tiers.dedup();
    (splits, tiers)
}

/// Writes the best reward of each task that was run here into its line.
pub fn add_best(rows: &mut [TaskRow], kept: &[KeptRow]) {
    for row in rows {
        row.best = kept
            .iter()
            .filter(|kept| kept.task_id == row.id)
            .map(|kept| kept.reward)
            .max_by(f64::total_cmp);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, tier: &str, ships: usize) -> TaskRow {
        TaskRow {
            id: id.into(),
            tier: tier.into(),
            ships: Some(ships),
            ..TaskRow::default()
        }
    }
    fn ids(arrangement: &Arrangement, rows: &[TaskRow]) -> Vec<String> {
        arrangement
            .apply(rows)
            .into_iter()
            .map(|row| row.id)
            .collect()
    }

    #[test]
    fn a_second_press_on_a_column_turns_the_order_round() {
        let rows = [
            line("a", "hard", 30),
            line("b", "easy", 9),
            line("c", "easy", 30),
        ];
        let mut arrangement = Arrangement::default();
        arrangement.sort_by(Column::Ships);
        assert_eq!(ids(&arrangement, &rows), ["b", "a", "c"]);
        arrangement.sort_by(Column::Ships);
        assert_eq!(ids(&arrangement, &rows), ["a", "c", "b"]);
        assert_eq!(arrangement.order_of(Column::Ships), "descending");
        assert_eq!(arrangement.order_of(Column::Tier), "none");
    }

    #[test]
    fn tiers_go_by_difficulty_and_not_by_name() {
        let rows = [
            line("a", "hard", 1),
            line("b", "easy", 1),
            line("c", "new", 1),
        ];
        assert_eq!(choices(&rows).1, ["easy", "hard", "new"]);
    }

    #[test]
    fn every_word_of_the_filter_must_occur() {
        let rows = [line("quay-1", "easy", 1), line("quay-2", "hard", 1)];
        let arrangement = Arrangement {
            filter: "QUAY har".into(),
            ..Arrangement::default()
        };
        assert_eq!(ids(&arrangement, &rows), ["quay-2"]);
    }

    #[test]
    fn the_best_run_kept_here_counts() {
        let kept = |reward| KeptRow {
            task_id: "a".into(),
            reward,
            ..KeptRow::default()
        };
        let mut rows = [line("a", "easy", 1), line("b", "easy", 1)];
        add_best(&mut rows, &[kept(0.25), kept(0.75)]);
        assert_eq!(rows[0].best, Some(0.75));
        assert_eq!(Column::Best.cell(&rows[1]), "–");
    }
}
