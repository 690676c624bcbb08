//! Rollouts on a pile, from which an index takes those it names.

use super::index::{Line, plain};
use super::{Found, Spot, Trouble};
use crate::order;
use std::ops::Range;

/// The rollouts that wait for an index to name them. A pile may have a hundred thousand lines of
/// one file in it, so nothing here looks at each of them for each line of an index.
pub(super) struct Pile {
    rest: Vec<Option<Found>>,
    /// Files, each with the places of its rollouts; a file that could not be read has none.
    files: Vec<(String, Range<usize>)>,
    /// Episode ids in order, each with its place.
    ids: Vec<(String, usize)>,
}

/// Most rollouts of one id that are looked at.
const ALIKE: usize = 64;

impl Pile {
    pub(super) fn new(found: Vec<Found>, troubles: &[Trouble]) -> Self {
        let mut files: Vec<(String, Range<usize>)> = Vec::new();
        let mut ids = Vec::new();
        let mut last = None;
        for (place, found) in found.iter().enumerate() {
            match files.last_mut() {
                Some((_, places)) if last == Some(&found.file) => places.end = place + 1,
                _ => files.push((plain(&found.file), place..place + 1)),
            }
            last = Some(&found.file);
            ids.push((found.rollout.record.episode_id.clone(), place));
        }
        let broken = troubles
            .iter()
            .filter(|trouble| trouble.spot == Spot::Whole);
        files.extend(broken.map(|trouble| (plain(&trouble.file), 0..0)));
        order::by(&mut ids, |one, other| one.0.cmp(&other.0));
        Self {
            rest: found.into_iter().map(Some).collect(),
            files,
            ids,
        }
    }

    /// Where the rollouts are that a line names: the one of its id, else all of its file. Nowhere
    /// (but not none) if they were taken before, or the file is there and can not be read.
    pub(super) fn chosen(&mut self, line: &Line, home: &str) -> Option<Range<usize>> {
        let place = self
            .files
            .iter()
            .position(|(name, _)| line.is_exactly(home, name));
        let place = place.or_else(|| {
            self.files
                .iter()
                .position(|(name, _)| line.is_likely(home, name))
        });
        let file = place.and_then(|place| self.files.get_mut(place));
        if !line.episode.is_empty() {
            let inside = file.as_ref().map(|(_, places)| places.clone());
            let first = self.ids.partition_point(|(id, _)| *id < line.episode);
            let alike = self.ids.iter().skip(first).take(ALIKE);
            let mut alike = alike.take_while(|(id, _)| *id == line.episode);
            let one = alike.find(|(_, place)| {
                inside.as_ref().is_none_or(|inside| inside.contains(place))
                    && self.rest.get(*place).is_some_and(Option::is_some)
            });
            if let Some((_, place)) = one {
                return Some(*place..place + 1);
            }
        }
        // What is taken as a whole is not looked through a second time.
        file.map(|(_, places)| std::mem::replace(places, 0..0))
    }

    pub(super) fn take(&mut self, places: Range<usize>) -> impl Iterator<Item = Found> + '_ {
        let places = self.rest.get_mut(places).unwrap_or_default();
        places.iter_mut().filter_map(Option::take)
    }

    /// Those that no index named.
    pub(super) fn rest(self) -> impl Iterator<Item = Found> {
        self.rest.into_iter().flatten()
    }
}
