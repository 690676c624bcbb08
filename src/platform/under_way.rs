//! What is under way, by its id: a handful of things, so a list.

/// Things by their ids.
pub(super) struct UnderWay<K, V>(Vec<(K, V)>);

impl<K, V> Default for UnderWay<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: PartialEq, V> UnderWay<K, V> {
    /// One more, in place of what had the same id.
    pub(super) fn insert(&mut self, id: K, thing: V) {
        self.remove(&id);
        self.0.push((id, thing));
    }

    /// Takes one out.
    pub(super) fn remove(&mut self, id: &K) -> Option<V> {
        let place = self.0.iter().position(|(other, _)| other == id)?;
        Some(self.0.swap_remove(place).1)
    }

    /// The one with this id.
    pub(super) fn get(&self, id: &K) -> Option<&V> {
        self.0
            .iter()
            .find_map(|(other, thing)| (other == id).then_some(thing))
    }

    /// Whether there is one with this id.
    pub(super) fn contains_key(&self, id: &K) -> bool {
        self.get(id).is_some()
    }
}
