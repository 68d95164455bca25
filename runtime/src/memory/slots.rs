//! A table by ids that are never reused and are dense per adapter. Its pages are allocated with their first entry and
//! freed with their last.

use taut_schemas::AdapterId;

/// Entries per page.
const PAGE_ENTRIES: usize = 256;

/// A table by ids that are dense per adapter.
#[derive(Debug)]
pub(crate) struct Slots<T> {
    /// Pages by adapter index, then page index.
    pages: Vec<Vec<Option<Page<T>>>>,
    /// One empty page, reused so that a single object which is created and released repeatedly does not allocate each
    /// time.
    spare: Option<Page<T>>,
    len: usize,
}

#[derive(Debug)]
struct Page<T> {
    entries: Box<[Option<T>]>,
    used: usize,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { pages: Vec::new(), spare: None, len: 0 }
    }
}

impl<T> Slots<T> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The entry of `id`.
    pub fn get(&self, id: u64) -> Option<&T> {
        let (adapter, page, entry) = place(id);
        self.pages.get(adapter)?.get(page)?.as_ref()?.entries[entry].as_ref()
    }

    /// All entries, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        let pages = self.pages.iter().enumerate().flat_map(|(adapter, pages)| {
            let pages = pages.iter().enumerate();
            pages.filter_map(move |(at, page)| Some(((adapter, at), page.as_ref()?)))
        });
        pages.flat_map(|((adapter, at), page)| {
            let first = AdapterId(adapter as u64 + 1).numbers_from() + (at * PAGE_ENTRIES) as u64;
            (first..).zip(&*page.entries).filter_map(|(id, entry)| Some((id, entry.as_ref()?)))
        })
    }

    /// The entry of `id`.
    pub fn get_mut(&mut self, id: u64) -> Option<&mut T> {
        let (adapter, page, entry) = place(id);
        self.pages.get_mut(adapter)?.get_mut(page)?.as_mut()?.entries[entry].as_mut()
    }

    /// Sets the entry of `id`. The id must be close to the max id of its adapter so far: the page table grows up to it.
    pub fn insert(&mut self, id: u64, value: T) {
        let (adapter, page, entry) = place(id);
        if adapter >= self.pages.len() {
            self.pages.resize_with(adapter + 1, Vec::new);
        }
        let pages = &mut self.pages[adapter];
        if page >= pages.len() {
            pages.resize_with(page + 1, || None);
        }
        let found = pages[page].get_or_insert_with(|| self.spare.take().unwrap_or_else(Page::empty));
        let added = usize::from(found.entries[entry].replace(value).is_none());
        found.used += added;
        self.len += added;
    }

    /// Removes the entry of `id`.
    pub fn remove(&mut self, id: u64) -> Option<T> {
        let (adapter, page, entry) = place(id);
        let slot = self.pages.get_mut(adapter)?.get_mut(page)?;
        let found = slot.as_mut()?;
        let removed = found.entries[entry].take()?;
        found.used -= 1;
        self.len -= 1;
        if found.used == 0 {
            self.spare = slot.take();
        }
        Some(removed)
    }
}

impl<T> Page<T> {
    fn empty() -> Self {
        Page { entries: (0..PAGE_ENTRIES).map(|_| None).collect(), used: 0 }
    }
}

/// Adapter index, page index, and index in the page.
fn place(id: u64) -> (usize, usize, usize) {
    let (adapter, number) = AdapterId::split(id);
    let page = usize::try_from(number / PAGE_ENTRIES as u64).unwrap_or(usize::MAX);
    (adapter, page, (number % PAGE_ENTRIES as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn slots_are_a_map(steps in prop::collection::vec((0_u64..3, 0_u64..2000, any::<bool>()), 0..300)) {
            let (mut slots, mut map) = (Slots::default(), BTreeMap::new());
            for (at, (adapter, number, insert)) in steps.into_iter().enumerate() {
                let id = AdapterId(adapter + 1).numbers_from() + number;
                if insert {
                    slots.insert(id, at);
                    map.insert(id, at);
                } else {
                    prop_assert_eq!(slots.remove(id), map.remove(&id));
                }
                prop_assert_eq!(slots.len(), map.len());
                prop_assert!(slots.iter().eq(map.iter().map(|(id, at)| (*id, at))));
                prop_assert_eq!(slots.get(id), map.get(&id));
                prop_assert_eq!(slots.get_mut(id), map.get_mut(&id));
            }
            prop_assert_eq!(slots.get(u64::MAX), None);
            prop_assert_eq!(slots.remove(u64::MAX), None);
        }
    }
}
