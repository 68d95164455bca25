//! Lists that equal schema tables share: a process that opens hundreds of traces of one build holds one table.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A list that is copied when it is changed while others hold it too.
#[derive(Debug, Hash, PartialEq, Eq)]
pub struct Shared<T>(Arc<Vec<T>>);

impl<T> Shared<T> {
    /// True if both are the same list in memory.
    pub fn is_same(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A reference that does not keep the list.
    pub fn downgrade(&self) -> Weak<Vec<T>> {
        Arc::downgrade(&self.0)
    }

    /// The list's address, which no other list has while this one is held.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared(Arc::default())
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Shared<T> {
        Shared(Arc::new(list))
    }
}

impl<T> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Shared<T> {
        Vec::from_iter(items).into()
    }
}

impl<T> Deref for Shared<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(&mut self.0)
    }
}

impl<'a, T> IntoIterator for &'a Shared<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut Shared<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: Clone> IntoIterator for Shared<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shared<T>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into())
    }
}

/// Lists that are alive somewhere in the process.
pub(crate) struct LiveLists<T>(Mutex<HashMap<u64, Vec<Weak<Vec<T>>>>>);

impl<T: Hash + Eq> LiveLists<T> {
    pub fn new() -> LiveLists<T> {
        LiveLists(Mutex::default())
    }

    /// The list that is alive and equal to this one, or else this one, which others may get from now on.
    pub fn share(&self, list: &Shared<T>) -> Shared<T> {
        // The hash only finds candidates; lists are compared in full.
        let key = BuildHasherDefault::<DefaultHasher>::default().hash_one(&list.0);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let alive = |known: &Weak<Vec<T>>| known.upgrade().map(Shared);
        let candidates = all.get(&key).into_iter().flatten();
        if let Some(known) = candidates.filter_map(alive).find(|known| known.is_same(list) || known == list) {
            return known;
        }
        all.retain(|_, lists| {
            lists.retain(|known| known.strong_count() > 0);
            !lists.is_empty()
        });
        all.entry(key).or_default().push(list.downgrade());
        list.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_are_one_while_somebody_holds_one_and_different_lists_are_not() {
        let lists = LiveLists::new();
        let [one, equal, other] = [vec![1, 2], vec![1, 2], vec![1, 3]].map(Shared::from);
        let first = lists.share(&one);
        assert!(first.is_same(&one) && lists.share(&equal).is_same(&one) && lists.share(&other).is_same(&other));
        drop((first, one, other));
        assert!(lists.share(&equal).is_same(&equal));
        assert_eq!(lists.0.lock().map(|found| found.len()).ok(), Some(1));
    }

    #[test]
    fn a_change_of_a_shared_list_is_seen_by_nobody_else() {
        let one = Shared::from(vec![1, 2]);
        let mut changed = one.clone();
        changed.push(3);
        assert_eq!((&*one, &*changed), (&vec![1, 2], &vec![1, 2, 3]));
    }

    #[test]
    fn lists_of_equal_hashes_are_compared_in_full() {
        #[derive(PartialEq, Eq)]
        struct SameHash(u8);
        impl Hash for SameHash {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }
        let lists = LiveLists::new();
        let [one, other, equal] = [1, 2, 2].map(|number| Shared::from(vec![SameHash(number)]));
        assert!(lists.share(&one).is_same(&one) && lists.share(&other).is_same(&other));
        assert!(lists.share(&equal).is_same(&other));
    }
}
