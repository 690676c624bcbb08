//! The table of ships: headings decide what a column means, rows may come in any order.

use super::line::Rest;
use super::{SituationError, hours_of_work, standard_cranes};
use crate::berth::Ship;
use crate::case;
use crate::order;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Id,
    Name,
    Length,
    Sections,
    Arrival,
    Handling,
    Moves,
    CraneHours,
    Cranes,
    Planned,
    Due,
    Notes,
    Unknown,
}

/// Columns by the beginning of their heading, in lower case.
const COLUMNS: [(&str, Column); 12] = [
    ("id", Column::Id),
    ("ship", Column::Name),
    ("length", Column::Length),
    ("sections", Column::Sections),
    ("arrives", Column::Arrival),
    ("hours alongside", Column::Handling),
    ("workload (crane", Column::CraneHours),
    ("workload", Column::Moves),
    ("cranes", Column::Cranes),
    ("planned berth", Column::Planned),
    ("planned departure", Column::Due),
    ("notes", Column::Notes),
];

/// One row as read: `workload` of the ship is still in the column's unit.
#[derive(Clone, Debug)]
struct Row {
    ship: Ship,
    /// The planned count, when the row names one.
    planned_cranes: Option<i32>,
    /// A note that is not understood.
    odd_note: Option<String>,
}

/// A table while its lines come in.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Table {
    /// Takes one squeezed line; false when it is no row, heading or rule of a table.
    pub(super) fn line(&mut self, line: &str) -> bool {
        let Some(inner) = line.strip_prefix('|') else {
            return false;
        };
        let inner = inner.strip_suffix('|').unwrap_or(inner);
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        if cells.iter().all(|cell| is_rule(cell)) {
            return true;
        }
        if self.columns.is_empty() {
            self.columns = cells.iter().map(|cell| column(cell)).collect();
            let complete = [Column::Id, Column::Name, Column::Sections, Column::Arrival]
                .iter()
                .all(|needed| self.columns.contains(needed));
            if !complete {
                self.columns.clear();
            }
            return complete;
        }
        match row(&self.columns, &cells) {
            Some(row) => {
                self.rows.push(row);
                true
            }
            None => false,
        }
    }

    /// Whether the table has the columns of a crane task.
    pub(super) fn tells_cranes(&self) -> bool {
        let of_cranes = [Column::Moves, Column::CraneHours, Column::Cranes];
        self.columns.iter().any(|column| of_cranes.contains(column))
    }

    /// The ships by id.
    pub(super) fn ships(
        self,
        cranes: bool,
        rate: Option<i32>,
        unread: &mut Vec<String>,
        assumed: &mut Vec<String>,
    ) -> Result<Vec<Ship>, SituationError> {
        if self.rows.is_empty() {
            return Err(SituationError::NoShips);
        }
        let in_moves = self.columns.contains(&Column::Moves);
        let rate = match rate {
            Some(rate) => rate,
            None if cranes && in_moves => {
                assumed.push("25 container moves an hour by a crane".to_owned());
                25
            }
            None => 1,
        };
        let mut rows = self.rows;
        order::by_key(&mut rows, |row| row.ship.id);
        let mut ships = Vec::with_capacity(rows.len());
        for (id, row) in rows.into_iter().enumerate() {
            match row.ship.id {
                given if given < id => return Err(SituationError::DuplicateShip { id: given }),
                given if given > id => return Err(SituationError::MissingShip { id }),
                _ => {}
            }
            let name = row.ship.name.clone();
            if let Some(note) = &row.odd_note {
                unread.push(format!("note of ship {id} ({name}): {note}"));
            }
            let rate = if in_moves { rate } else { 1 };
            ships.push(completed(row, cranes, rate, assumed));
        }
        Ok(ships)
    }
}

/// A ship with its work in crane-hours and its standard count.
fn completed(row: Row, cranes: bool, rate: i32, assumed: &mut Vec<String>) -> Ship {
    let mut ship = row.ship;
    let who = format!("ship {} ({})", ship.id, ship.name);
    if !cranes {
        if ship.handling < 1 {
            assumed.push(format!("one hour alongside for {who}"));
            ship.handling = 1;
        }
        return ship;
    }
    if ship.min_cranes.is_none() {
        assumed.push(format!("one crane for {who}"));
    }
    let least = ship.min_cranes.unwrap_or(1);
    ship.min_cranes = Some(least);
    ship.max_cranes = ship.max_cranes.or(Some(least));
    let given = ship.workload.unwrap_or(0);
    if ship.workload.is_none() {
        assumed.push(format!("no work for {who}"));
    } else if given % rate != 0 {
        assumed.push(format!("the crane-hours of {who}, rounded up"));
    }
    let workload = given / rate + i32::from(given % rate > 0);
    ship.workload = Some(workload);
    let standard = row.planned_cranes.unwrap_or_else(|| {
        let count = standard_cranes(&ship);
        assumed.push(format!("standard cranes of {who}: {count}, by its length"));
        count
    });
    ship.std_cranes = Some(standard);
    ship.handling = hours_of_work(workload, standard);
    ship
}

fn is_rule(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte == b'-' || byte == b':')
}

fn column(heading: &str) -> Column {
    let heading = case::lower(heading);
    COLUMNS
        .iter()
        .find(|(start, _)| heading.starts_with(start))
        .map_or(Column::Unknown, |(_, column)| *column)
}

fn row(columns: &[Column], cells: &[&str]) -> Option<Row> {
    let cell = |wanted| {
        let position = columns.iter().position(|column| *column == wanted)?;
        cells.get(position).copied().map(Rest)
    };
    let number = |wanted| cell(wanted)?.number().map(|(number, _)| number);
    let range = cell(Column::Cranes).and_then(|cell| {
        let range = cell.range().map(|(least, most, _)| (least, most));
        range.or_else(|| cell.number().map(|(count, _)| (count, count)))
    });
    let mut ship = Ship {
        id: usize::try_from(number(Column::Id)?).ok()?,
        name: cell(Column::Name)?.0.to_owned(),
        length_m: cell(Column::Length)
            .and_then(Rest::decimal)
            .map_or(0.0, |(m, _)| m),
        sections: number(Column::Sections).filter(|count| *count >= 1)?,
        arrival: number(Column::Arrival)?,
        handling: number(Column::Handling).unwrap_or(0),
        due: number(Column::Due)?,
        workload: [Column::Moves, Column::CraneHours]
            .into_iter()
            .find_map(|column| cell(column)?.amount())
            .map(|(work, _)| work),
        min_cranes: range.map(|(least, _)| least),
        max_cranes: range.map(|(_, most)| most),
        weight: 1,
        ..Ship::default()
    };
    let (planned_cranes, odd_note) = (
        cell(Column::Planned).and_then(|cell| planned(cell, &mut ship)),
        cell(Column::Notes).and_then(|cell| notes(cell.0, &mut ship)),
    );
    Some(Row {
        ship,
        planned_cranes,
        odd_note,
    })
}

/// `N @ N, N cranes`; gives the count.
fn planned(cell: Rest<'_>, ship: &mut Ship) -> Option<i32> {
    let (hour, rest) = cell.number()?;
    let (section, rest) = rest.then("@")?.number()?;
    ship.planned_hour = Some(hour);
    ship.planned_section = Some(section);
    rest.then(",")?.number().map(|(count, _)| count)
}

/// Reads what it knows; gives back the first note it does not.
fn notes(cell: &str, ship: &mut Ship) -> Option<String> {
    let mut odd = None;
    for note in cell
        .split(';')
        .map(str::trim)
        .filter(|note| !note.is_empty())
    {
        if !emergency(note, ship) && !priority(note, ship) {
            odd.get_or_insert_with(|| note.to_owned());
        }
    }
    odd
}

fn emergency(note: &str, ship: &mut Ship) -> bool {
    let read = || {
        let (hour, rest) = Rest(note).then("emergency: dock by hour ")?.number()?;
        let (penalty, _) = rest.then("(+")?.amount()?;
        Some((hour, penalty))
    };
    let Some((hour, penalty)) = read() else {
        return false;
    };
    ship.berth_deadline = Some(hour);
    ship.deadline_penalty = i64::from(penalty);
    true
}

fn priority(note: &str, ship: &mut Ship) -> bool {
    let weight = Rest(note)
        .then("priority: lateness x")
        .and_then(Rest::amount);
    if let Some((weight, _)) = weight {
        ship.weight = i64::from(weight);
    }
    weight.is_some()
}
