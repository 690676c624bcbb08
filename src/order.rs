//! Sorting lists that are short or sorted once, with one piece of code for all of them.
//!
//! The standard library's sorts are written out anew for each type that is sorted, some five
//! kilobytes each. Here the order is found over positions, by code that knows no type, and only the
//! swapping is written per type. The checker and the planner's search, which sort thousands of
//! times, have one that needs no room and is a tenth as long as the library's.

use std::cmp::Ordering;

/// Sorts by `compare`; what is equal keeps its order.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = sorted(items.len(), &|one, other| {
        let pair = items.get(one).zip(items.get(other));
        pair.map_or(Ordering::Equal, |(one, other)| compare(one, other))
    });
    arrange(&mut order, &mut |one, other| items.swap(one, other));
}

/// Sorts by a key; what has the same key keeps its order.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Distances for [`in_place`] after Ciura; from the last but one on, what is left to do is little.
const GAPS: [usize; 8] = [701, 301, 132, 57, 23, 10, 4, 1];

/// Sorts small values by a key, without room of its own; what has the same key keeps no order. A
/// Shell sort: for the lengths of plans, tens to hundreds, it is as fast as the library's.
pub fn in_place<T: Copy, K: Ord>(items: &mut [T], key: impl Fn(T) -> K) {
    for gap in GAPS {
        for at in gap..items.len() {
            let Some(item) = items.get(at).copied() else {
                break;
            };
            let mut place = at;
            while let Some(below) = place.checked_sub(gap)
                && let Some(other) = items.get(below).copied()
                && key(other) > key(item)
            {
                put(items, place, other);
                place = below;
            }
            put(items, place, item);
        }
    }
}

fn put<T>(items: &mut [T], place: usize, item: T) {
    if let Some(slot) = items.get_mut(place) {
        *slot = item;
    }
}

/// Positions in the order of what stands there: a merge sort from runs of one upwards.
fn sorted(many: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..many).collect();
    let mut width = 1;
    while width < many {
        let mut merged = Vec::with_capacity(many);
        for pair in order.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
            while let Some(&&one) = left.peek() {
                match right.peek() {
                    Some(&&other) if compare(other, one) == Ordering::Less => {
                        merged.push(other);
                        right.next();
                    }
                    _ => {
                        merged.push(one);
                        left.next();
                    }
                }
            }
            merged.extend(right);
        }
        order = merged;
        width *= 2;
    }
    order
}

/// Swaps until each place holds what `order` says, which is the places in order afterwards.
fn arrange(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for first in 0..order.len() {
        let mut place = first;
        while let Some(from) = order
            .get_mut(place)
            .map(|from| std::mem::replace(from, place))
        {
            if from == first {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut seed = 7_u64;
        for many in (0..70).chain([400, 1500]) {
            let mut items: Vec<(u64, usize)> = (0..many)
                .map(|at| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 60, at)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut swift = items.clone();
            in_place(&mut swift, |item| item);
            let mut all = items.clone();
            all.sort_unstable();
            assert_eq!(swift, all);
            by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }
}
