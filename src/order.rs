//! Sorting lists that are short or sorted once, with one piece of code for all of them.
//!
//! The standard library's sorts are written out anew for each type that is sorted, some five
//! kilobytes each. Here the order is found over positions, by code that knows no type, and only the
//! swapping is written per type. The checker and the planner's search, which sort thousands of
//! times, keep the faster ones.

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
        for many in 0..70 {
            let mut items: Vec<(u64, usize)> = (0..many)
                .map(|at| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 60, at)
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            by_key(&mut items, |item| item.0);
            assert_eq!(items, expected);
        }
    }
}
