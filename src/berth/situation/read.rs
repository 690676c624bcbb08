//! From text to task. Works line by line on fixed fragments; unknown lines are kept aside.
//! Never fails on a line: only a text without a quay or without its ships gives no task.

use super::date::Day;
use super::line::{Rest, squeeze};
use super::rows::Table;
use super::write::TAIL;
use super::{MOST_UNREAD, Situation, SituationError};
use crate::berth::{Block, BlockKind, Outage, Task, Window};
use crate::case;

/// Longest text that is read, in bytes; work and memory are linear in it.
const MOST_BYTES: usize = 1 << 20;
/// Longest unread line that is kept, in characters.
const MOST_CHARACTERS: usize = 200;
/// Cranes assumed when a text has crane rules but no pool.
const ENOUGH_CRANES: i32 = 1000;

/// Reads a situation text of any server.
///
/// ```
/// let text = "# Stenhaven, north side - quay N1, week 9 of 2031\n\
///     The quay is sections 2-12 (about 40 m each).\n## Ships to berth\n\
///     | id | ship | length m | sections | arrives (hour) | hours alongside | planned berth (hour @ section) | planned departure (hour) |\n\
///     |---|---|---|---|---|---|---|---|\n\
///     | 0 | DOVANE ARC | 235 | 6 | 10 | 8 | 4 @ 2 | 12 |\n";
/// let situation = quayside::berth::situation::read(text)?;
/// assert_eq!(situation.task.ships[0].planned_section, Some(2));
/// assert_eq!(situation.unread, ["(not in the text) the date of hour 0"]);
/// # Ok::<(), quayside::berth::situation::SituationError>(())
/// ```
pub fn read(text: &str) -> Result<Situation, SituationError> {
    if text.len() > MOST_BYTES {
        return Err(SituationError::TooLong { bytes: text.len() });
    }
    let mut reader = Reader::default();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = squeeze(line);
        if !line.is_empty() && !reader.line(&line) {
            reader.unread.push(line);
        }
    }
    reader.finish()
}

/// Which part of the text a line stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Opening,
    Notices,
    Alongside,
    Closed,
    Limits,
    Ships,
    Unknown,
}

/// Parts by the beginning of their heading, in lower case.
const PARTS: [(&str, Part); 5] = [
    ("notices", Part::Notices),
    ("already alongside", Part::Alongside),
    ("closed sections", Part::Closed),
    ("quay cranes", Part::Limits),
    ("ships to berth", Part::Ships),
];

#[derive(Debug, Default)]
struct Reader {
    part: Part,
    task: Task,
    titled: bool,
    quay: Option<(i32, i32)>,
    limits: bool,
    /// ( start, end, available )
    available: Vec<(i32, i32, i32)>,
    /// Cranes of every ship alongside.
    common: Option<i32>,
    /// ( label, first, last, cranes ) of single ones.
    single: Vec<(String, i32, i32, i32)>,
    table: Table,
    unread: Vec<String>,
}

impl Reader {
    /// Takes one squeezed line that is not empty; false when it says nothing known.
    fn line(&mut self, line: &str) -> bool {
        if let Some(heading) = line.strip_prefix("##") {
            let heading = case::lower(heading.trim_start_matches('#').trim());
            let known = PARTS.iter().find(|(start, _)| heading.starts_with(start));
            self.part = known.map_or(Part::Unknown, |(_, part)| *part);
            self.limits |= self.part == Part::Limits;
            return known.is_some();
        }
        let item = line.strip_prefix("- ").map(Rest);
        match (self.part, item) {
            (Part::Opening, _) => self.opening(line),
            (Part::Notices, Some(notice)) => {
                self.task.notices.push(notice.0.to_owned());
                true
            }
            (Part::Alongside, Some(item)) => self.alongside(item).is_some(),
            (Part::Closed, Some(item)) => self.closed(item).is_some(),
            (Part::Limits, Some(item)) => self.limit(item).is_some(),
            (Part::Ships, _) => self.table.line(line),
            _ => false,
        }
    }

    fn opening(&mut self, line: &str) -> bool {
        if let Some(title) = line.strip_prefix("# ")
            && !self.titled
        {
            self.titled = self.title(title);
            return self.titled;
        }
        let mut known = false;
        if let Some(day) = Rest(line).after("Hour 0 is ").and_then(day) {
            self.task.week_start_utc = day.utc();
            known = true;
        }
        if let Some(rest) = Rest(line).after("The quay is sections ")
            && let Some((first, last, rest)) = rest.range()
        {
            self.quay = Some((first, last));
            if let Some((metres, _)) = rest.after("(about ").and_then(Rest::decimal) {
                self.task.section_m = metres;
            }
            known = true;
        }
        known
    }

    fn title(&mut self, title: &str) -> bool {
        let (place, week) = title.rsplit_once(", week ").unwrap_or((title, ""));
        let found = place.split_once(TAIL).or_else(|| {
            let (terminal, quay) = place.rsplit_once(" - quay ")?;
            Some((terminal.split(", ").next().unwrap_or(terminal), quay))
        });
        let Some((terminal, quay)) = found else {
            return false;
        };
        terminal.trim().clone_into(&mut self.task.terminal);
        quay.trim().clone_into(&mut self.task.quay);
        if let Some((week, _)) = Rest(week).number() {
            self.task.week = week;
        }
        true
    }

    fn alongside(&mut self, item: Rest<'_>) -> Option<()> {
        let (label, rest) = item.0.rsplit_once(": sections ")?;
        let (first, last, rest) = Rest(rest).range()?;
        let (end, rest) = rest.then("until hour ")?.number()?;
        let from = rest.then("(from hour ").and_then(Rest::number);
        self.task.blocks.push(Block {
            first,
            last,
            start: from.map_or(0, |(hour, _)| hour),
            end,
            kind: BlockKind::Alongside,
            label: label.to_owned(),
            cranes: 0,
        });
        Some(())
    }

    fn closed(&mut self, item: Rest<'_>) -> Option<()> {
        let (first, last, rest) = item.then("sections ")?.range()?;
        let (start, end, rest) = rest.after("hours ")?.range()?;
        self.task.blocks.push(Block {
            first,
            last,
            start,
            end,
            kind: BlockKind::Closed,
            label: rest.bracketed().to_owned(),
            cranes: 0,
        });
        Some(())
    }

    fn limit(&mut self, item: Rest<'_>) -> Option<()> {
        let rules = &mut self.task.rules;
        if let Some(rest) = item.then("The terminal has ") {
            let (pool, mut rest) = rest.number()?;
            rules.crane_pool = Some(pool);
            while let Some(next) = rest.after("From hour ") {
                rest = next;
                if let Some((start, end, after)) = hours(next)
                    && let Some((cranes, after)) = after.then("only ").and_then(Rest::number)
                {
                    self.available.push((start, end, cranes));
                    rest = after;
                }
            }
        } else if let Some(rest) = item.then("At most ") {
            let (limit, rest) = rest.number()?;
            rest.then("ships may berth or leave")?;
            rules.max_moves_per_hour = Some(limit);
        } else if let Some(rest) = item.then("A crane handles ") {
            let (rate, rest) = rest.number()?;
            rest.then("container moves per hour")?;
            rules.crane_rate = Some(rate).filter(|rate| *rate > 0);
        } else if let Some(rest) = item.then("No berthing or leaving for ") {
            let (min_length, rest) = match rest.then("ships of ") {
                Some(rest) => {
                    let (metres, rest) = rest.decimal()?;
                    (metres, rest.then("m or more")?)
                }
                None => (0.0, rest.then("all ships")?),
            };
            let (start, end, rest) = hours(rest.then("from hour ")?)?;
            let reason = rest.bracketed().to_owned();
            rules.no_moves.push(Window {
                start,
                end,
                min_length,
                reason,
            });
        } else if let Some(rest) = item.then("Each ship already alongside keeps ") {
            self.common = Some(rest.number()?.0);
        } else {
            let (who, rest) = item.0.rsplit_once(" keeps ")?;
            let (cranes, rest) = Rest(rest).number()?;
            rest.then("crane")?;
            let (label, sections) = who.rsplit_once(" on sections ")?;
            let (first, last, _) = Rest(sections).range()?;
            self.single.push((label.to_owned(), first, last, cranes));
        }
        Some(())
    }

    fn finish(mut self) -> Result<Situation, SituationError> {
        let (first, last) = self.quay.ok_or(SituationError::NoQuay)?;
        self.task.first_section = first;
        self.task.last_section = last;
        let mut assumed = Vec::new();
        let cranes = self.limits || self.table.tells_cranes();
        if cranes {
            self.crane_rules(&mut assumed);
        }
        let rate = self.task.rules.crane_rate;
        self.task.ships = self
            .table
            .ships(cranes, rate, &mut self.unread, &mut assumed)?;
        let mut unread = shortened(self.unread);
        let missing = [
            (!self.titled, "terminal, quay and week"),
            (self.task.week_start_utc.is_empty(), "the date of hour 0"),
            (self.task.section_m <= 0.0, "the length of a section"),
        ];
        for (_, fact) in missing.iter().filter(|(missing, _)| *missing) {
            unread.push(format!("(not in the text) {fact}"));
        }
        Ok(Situation {
            task: self.task,
            unread,
            assumed,
        })
    }

    fn crane_rules(&mut self, assumed: &mut Vec<String>) {
        let pool = self.task.rules.crane_pool.unwrap_or_else(|| {
            assumed.push(format!(
                "{ENOUGH_CRANES} quay cranes (the text has no number)"
            ));
            ENOUGH_CRANES
        });
        self.task.rules.crane_pool = Some(pool);
        for &(start, end, available) in &self.available {
            let cranes = pool.saturating_sub(available);
            self.task
                .rules
                .crane_outages
                .push(Outage { start, end, cranes });
        }
        let ships = self.task.blocks.iter_mut();
        let ships = ships.filter(|block| block.kind == BlockKind::Alongside);
        let mut single = std::mem::take(&mut self.single).into_iter().peekable();
        let mut untold = 0;
        for block in ships {
            let told = single.next_if(|(label, first, last, _)| {
                (label.as_str(), *first, *last) == (block.label.as_str(), block.first, block.last)
            });
            match told.map(|(.., cranes)| cranes).or(self.common) {
                Some(cranes) => block.cranes = cranes,
                None => untold += 1,
            }
        }
        if untold > 0 {
            assumed.push(format!("no cranes at {untold} ships already alongside"));
        }
    }
}

/// `N to hour N`.
fn hours(rest: Rest<'_>) -> Option<(i32, i32, Rest<'_>)> {
    let (start, rest) = rest.number()?;
    let (end, rest) = rest.then("to hour ")?.number()?;
    Some((start, end, rest))
}

/// `Monday 24 February 2031 …`.
fn day(rest: Rest<'_>) -> Option<Day> {
    let mut words = rest.0.split(' ').skip(1);
    Day::from_words(words.next()?, words.next()?, words.next()?)
}

/// The first lines, none of them longer than is worth showing.
fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let others = lines.len().saturating_sub(MOST_UNREAD);
    lines.truncate(MOST_UNREAD);
    for line in &mut lines {
        if let Some((end, _)) = line.char_indices().nth(MOST_CHARACTERS) {
            line.truncate(end);
            line.push('…');
        }
    }
    if others > 0 {
        lines.push(format!("({others} more lines)"));
    }
    lines
}
