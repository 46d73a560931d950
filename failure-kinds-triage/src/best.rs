//! The first few of many in an order, without room for all of them.

use std::cmp::Ordering;

/// Keeps the first so many of what it is given.
pub(crate) struct Best<T, F> {
    limit: usize,
    compare: F,
    /// At most twice the limit.
    items: Vec<T>,
    /// Whether all after the last of `items[..limit]` were dropped before.
    is_full: bool,
}

impl<T, F: Fn(&T, &T) -> Ordering> Best<T, F> {
    /// The first `limit` by `compare`, which is at least 1.
    pub(crate) const fn new(limit: usize, compare: F) -> Self {
        Self { limit, compare, items: Vec::new(), is_full: false }
    }

    pub(crate) fn add(&mut self, item: T) {
        if self.is_full && (self.compare)(&item, &self.items[self.limit - 1]).is_gt() {
            return;
        }
        self.items.push(item);
        if self.items.len() == 2 * self.limit {
            self.items.select_nth_unstable_by(self.limit - 1, &self.compare);
            self.items.truncate(self.limit);
            self.is_full = true;
        }
    }

    /// What was kept, in order.
    pub(crate) fn into_sorted(self) -> Vec<T> {
        let Self { limit, compare, mut items, .. } = self;
        items.sort_unstable_by(compare);
        items.truncate(limit);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_of_a_sorted_list(items in prop::collection::vec(any::<u8>(), 0..40), limit in 1_usize..6) {
            let mut best = Best::new(limit, u8::cmp);
            for item in &items {
                best.add(*item);
            }
            let mut sorted = items;
            sorted.sort_unstable();
            sorted.truncate(limit);
            prop_assert_eq!(best.into_sorted(), sorted);
        }
    }
}
