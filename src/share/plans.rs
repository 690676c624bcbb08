//! Plans as bytes: columns of differences, and only what changed since the plan before.
//!
//! A plan begins with a number that says how it is written:
//!
//! | number | then |
//! |---|---|
//! | 0 | the plan as JSON text; for every plan that has another shape than the rows below |
//! | 1 | changes to the rows before: their number `k`, then columns of `k`: rows passed over since the last change, and wholes to add to hour, section and (where those rows have them) cranes |
//! | 2, 3 | rows: their number `n`, then columns of `n` wholes: hour minus the hour of the row above (0 above the first), section, and with 3 cranes; the ships are 0 … n−1 |
//! | 4, 5 | as 2 and 3, with a column before the others: ship minus the next one expected (0 for the first row, then the ship above plus 1) |
//!
//! Rows are entries `{"ship", "berth_hour", "section"}`, all with or all without `"cranes"`, whole
//! numbers each. Sums wrap at 64 bits. "The rows before" are those of the last plan written as 1 to 5.

use super::LinkError;
use super::bytes::{Reader, Writer};
use crate::wire::json::{compact, spaced};
use serde_json::{Map, Value, json};

/// Parts of the budget that a row costs: it becomes an object with up to four fields.
const ROW: usize = 4;

/// An entry: ship, hour, section, cranes (0 where there are none).
type Row = [i64; 4];

/// The rows of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Rows {
    cranes: bool,
    rows: Vec<Row>,
}

impl Rows {
    /// The rows of a plan that has exactly this shape.
    fn of(plan: &Value) -> Option<Self> {
        let entries = plan.as_array()?;
        let cranes = entries
            .first()
            .is_some_and(|one| one.get("cranes").is_some());
        let row = |entry: &Value| {
            let entry = entry.as_object()?;
            let field = |name: &str| entry.get(name).and_then(Value::as_i64);
            let count = if cranes { field("cranes")? } else { 0 };
            (entry.len() == 3 + usize::from(cranes)).then_some(())?;
            Some([
                field("ship")?,
                field("berth_hour")?,
                field("section")?,
                count,
            ])
        };
        let rows = entries.iter().map(row).collect::<Option<_>>()?;
        Some(Self { cranes, rows })
    }

    fn to_json(&self) -> Value {
        let entry = |[ship, hour, section, cranes]: &Row| {
            let mut entry = Map::new();
            entry.insert("ship".into(), (*ship).into());
            entry.insert("berth_hour".into(), (*hour).into());
            entry.insert("section".into(), (*section).into());
            if self.cranes {
                entry.insert("cranes".into(), (*cranes).into());
            }
            Value::Object(entry)
        };
        self.rows.iter().map(entry).collect()
    }

    fn ids(&self) -> impl Iterator<Item = i64> + '_ {
        self.rows.iter().map(|[ship, ..]| *ship)
    }

    fn is_numbered(&self) -> bool {
        self.ids().zip(0..).all(|(ship, place)| ship == place)
    }

    /// Columns of an entry that plans differ in.
    fn columns(&self) -> std::ops::Range<usize> {
        1..if self.cranes { 4 } else { 3 }
    }

    fn write_whole(&self, out: &mut Writer) {
        let numbered = self.is_numbered();
        out.count(2 + usize::from(self.cranes) + 2 * usize::from(!numbered));
        out.count(self.rows.len());
        if !numbered {
            let mut expected = 0_i64;
            for ship in self.ids() {
                out.whole(ship.wrapping_sub(expected));
                expected = ship.wrapping_add(1);
            }
        }
        let mut above = 0_i64;
        for [_, hour, ..] in &self.rows {
            out.whole(hour.wrapping_sub(above));
            above = *hour;
        }
        for [_, _, section, _] in &self.rows {
            out.whole(*section);
        }
        if self.cranes {
            for [.., cranes] in &self.rows {
                out.whole(*cranes);
            }
        }
    }

    /// As changes to `before`, if it has the same ships in the same order.
    fn write_changes(&self, before: &Self, out: &mut Writer) -> Option<()> {
        let alike = self.cranes == before.cranes && self.ids().eq(before.ids());
        alike.then_some(())?;
        let pairs = self.rows.iter().zip(&before.rows).enumerate();
        let changes: Vec<_> = pairs.filter(|(_, (row, old))| row != old).collect();
        out.count(1);
        out.count(changes.len());
        let mut next = 0;
        for (place, _) in &changes {
            out.count(place.saturating_sub(next));
            next = place + 1;
        }
        for column in self.columns() {
            for (_, (row, old)) in &changes {
                let pair = row.get(column).zip(old.get(column));
                out.whole(pair.map_or(0, |(row, old)| row.wrapping_sub(*old)));
            }
        }
        Some(())
    }

    fn read_whole(from: &mut Reader<'_>, how: u64) -> Result<Self, LinkError> {
        let cranes = how & 1 == 1;
        let numbered = how < 4;
        let columns = 2 + usize::from(cranes) + usize::from(!numbered);
        let count = from.count(columns)?;
        from.charge(count.saturating_mul(ROW))?;
        let mut rows: Vec<Row> = (0..count as i64).map(|ship| [ship, 0, 0, 0]).collect();
        if !numbered {
            let mut expected = 0_i64;
            for [ship, ..] in &mut rows {
                *ship = expected.wrapping_add(from.whole()?);
                expected = ship.wrapping_add(1);
            }
        }
        let mut above = 0_i64;
        for [_, hour, ..] in &mut rows {
            *hour = above.wrapping_add(from.whole()?);
            above = *hour;
        }
        for [_, _, section, _] in &mut rows {
            *section = from.whole()?;
        }
        if cranes {
            for [.., cranes] in &mut rows {
                *cranes = from.whole()?;
            }
        }
        Ok(Self { cranes, rows })
    }

    fn change(&mut self, from: &mut Reader<'_>) -> Result<(), LinkError> {
        from.charge(self.rows.len().saturating_mul(ROW))?;
        let columns = self.columns();
        let count = from.count(1 + columns.len())?;
        let mut places = Vec::new();
        let mut next = 0_usize;
        for _ in 0..count {
            let passed = usize::try_from(from.number()?).map_err(|_| LinkError::Damaged)?;
            let place = next.checked_add(passed).ok_or(LinkError::Damaged)?;
            if place >= self.rows.len() {
                return Err(LinkError::Damaged);
            }
            places.push(place);
            next = place + 1;
        }
        for column in columns {
            for place in &places {
                let row = self.rows.get_mut(*place);
                let number = row.and_then(|row| row.get_mut(column));
                let number = number.ok_or(LinkError::Damaged)?;
                *number = number.wrapping_add(from.whole()?);
            }
        }
        Ok(())
    }
}

/// Writes or reads one plan after the other, each on top of the one before.
#[derive(Debug, Default)]
pub(super) struct Plans {
    before: Option<Rows>,
}

impl Plans {
    pub(super) fn write(&mut self, plan: &Value, out: &mut Writer) -> Result<(), LinkError> {
        let Some(rows) = Rows::of(plan) else {
            out.count(0);
            out.charge_json(plan.as_str().unwrap_or_default())?;
            return out.json(&compact(plan));
        };
        out.charge(rows.rows.len().saturating_mul(ROW))?;
        let (mut whole, mut changes) = (Writer::new(), Writer::new());
        rows.write_whole(&mut whole);
        let before = self.before.as_ref();
        let alike = before.and_then(|before| rows.write_changes(before, &mut changes));
        let shorter = alike.is_some() && changes.bytes.len() < whole.bytes.len();
        let written = if shorter { changes } else { whole };
        out.bytes.extend(written.bytes);
        self.before = Some(rows);
        Ok(())
    }

    pub(super) fn read(&mut self, from: &mut Reader<'_>) -> Result<Value, LinkError> {
        match from.number()? {
            0 => {
                let plan = from.json()?;
                // Who asks the record for its plans reads such a text once more.
                from.charge_json(plan.as_str().unwrap_or_default())?;
                return Ok(plan);
            }
            1 => self
                .before
                .as_mut()
                .ok_or(LinkError::Damaged)?
                .change(from)?,
            how @ 2..=5 => self.before = Some(Rows::read_whole(from, how)?),
            _ => return Err(LinkError::Damaged),
        }
        Ok(self.before.as_ref().map(Rows::to_json).unwrap_or_default())
    }
}

/// Ways in which a call spells a plan in its arguments. A link names the way by its position.
pub(super) const SPELLINGS: usize = 6;

/// The argument text of a call that sends `plan`, spelled in one of [`SPELLINGS`] ways: an object
/// with the one field `plan`, that is the plan (0 compact, 1 with a blank after commas and colons)
/// or its text (2 both compact, 3 both with blanks, 4 only the text with blanks, 5 only the object).
pub(super) fn spelled(plan: &Value, spelling: usize) -> Option<String> {
    let object = |plan: Value| json!({ "plan": plan });
    Some(match spelling {
        0 => compact(&object(plan.clone())),
        1 => spaced(&object(plan.clone())),
        2 => compact(&object(compact(plan).into())),
        3 => spaced(&object(spaced(plan).into())),
        4 => compact(&object(spaced(plan).into())),
        5 => spaced(&object(compact(plan).into())),
        _ => return None,
    })
}

/// What a spelled plan costs of the budget.
pub(super) fn cost(plan: &Value) -> usize {
    match plan {
        Value::Array(items) => items.len().saturating_mul(ROW).saturating_add(1),
        // As large as it was when it was read, and charged then.
        _ => ROW,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(numbers: &[Row]) -> Value {
        let rows = numbers.to_vec();
        Rows { cranes: true, rows }.to_json()
    }

    fn written(plans: &[Value]) -> Vec<u8> {
        let mut out = Writer::new();
        let mut pen = Plans::default();
        for plan in plans {
            pen.write(plan, &mut out).unwrap();
        }
        out.bytes
    }

    fn read(bytes: &[u8], many: usize) -> Result<Vec<Value>, LinkError> {
        let mut from = Reader::new(bytes);
        let mut eye = Plans::default();
        (0..many).map(|_| eye.read(&mut from)).collect()
    }

    #[test]
    fn the_bytes_are_those_of_the_table() {
        let first = rows(&[[0, 10, 3, 2], [1, 8, 5, 2]]);
        let second = rows(&[[0, 10, 3, 2], [1, 12, 4, 2]]);
        let bytes = written(&[first.clone(), second.clone(), second.clone()]);
        #[rustfmt::skip]
        let expected = [
            3, 2, 20, 3, 6, 10, 4, 4,
            1, 1, 1, 8, 1, 0,
            1, 0,
        ];
        assert_eq!(bytes, expected);
        assert_eq!(read(&bytes, 3), Ok(vec![first, second.clone(), second]));
    }

    #[test]
    fn ships_in_another_order_and_plans_in_another_shape_survive() {
        let plans = [
            rows(&[[7, 1, 1, 1], [2, 1, 1, 1], [3, 0, 0, 0]]),
            json!({"0": [1, 2], "TARVIK": {"hour": 3, "section": 4}}),
            json!([{"ship": 0, "berth_hour": 1, "section": 1}]),
            json!([{"ship": 0, "berth_hour": 1, "section": 1, "note": "x"}]),
            json!([{"ship": 0, "berth_hour": 1.5, "section": 1}]),
            json!("no plan"),
            json!([]),
            Value::Null,
        ];
        assert_eq!(read(&written(&plans), 8), Ok(plans.to_vec()));
    }

    #[test]
    fn a_change_to_nothing_and_a_change_beyond_the_end_are_damage() {
        assert_eq!(read(&[1, 0], 1), Err(LinkError::Damaged));
        let bytes = [2, 1, 0, 0, 1, 1, 1, 0, 0];
        assert_eq!(read(&bytes, 2), Err(LinkError::Damaged));
        assert_eq!(read(&[6], 1), Err(LinkError::Damaged));
    }

    #[test]
    fn the_same_plan_over_and_over_comes_to_an_end() {
        let mut bytes = vec![2, 0xE8, 0x07];
        bytes.extend([0; 2000]);
        bytes.extend([1, 0].repeat(10_000));
        assert_eq!(read(&bytes, 10_000), Err(LinkError::TooManyParts));
    }

    #[test]
    fn a_call_is_spelled_in_six_ways() {
        let plan = json!([{"ship": 0}]);
        let ways: Vec<_> = (0..=SPELLINGS).map(|way| spelled(&plan, way)).collect();
        assert_eq!(ways[0].as_deref(), Some(r#"{"plan":[{"ship":0}]}"#));
        assert_eq!(ways[1].as_deref(), Some(r#"{"plan": [{"ship": 0}]}"#));
        assert_eq!(ways[3].as_deref(), Some(r#"{"plan": "[{\"ship\": 0}]"}"#));
        assert_eq!(ways[SPELLINGS], None);
    }

    fn row() -> impl Strategy<Value = Row> {
        prop_oneof![
            4 => [0..60_i64, -50..400_i64, 0..30_i64, 0..6_i64],
            1 => [any::<i64>(), any::<i64>(), any::<i64>(), any::<i64>()],
        ]
    }

    proptest! {
        #[test]
        fn any_plans_survive(
            plans in prop::collection::vec(
                (any::<bool>(), prop::collection::vec(row(), 0..8)), 0..5),
            changes in prop::collection::vec((any::<prop::sample::Index>(), row()), 0..4),
        ) {
            let mut all: Vec<Value> = Vec::new();
            for (cranes, mut rows) in plans {
                for row in &mut rows {
                    row[3] *= i64::from(cranes);
                }
                all.push(Rows { cranes, rows: rows.clone() }.to_json());
                for (at, row) in &changes {
                    if !rows.is_empty() {
                        let at = at.index(rows.len());
                        rows[at] = [rows[at][0], row[1], row[2], row[3] * i64::from(cranes)];
                    }
                }
                all.push(Rows { cranes, rows }.to_json());
            }
            prop_assert_eq!(read(&written(&all), all.len()), Ok(all));
        }
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&bytes, 5);
        }
    }
}
