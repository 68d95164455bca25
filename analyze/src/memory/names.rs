//! Deduplicated names of heaps and resources.

use foldhash::HashMap;
use std::hash::BuildHasher;

/// Index of a name in [`Names`]; the default is the index of the empty name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NameIndex(pub(crate) u32);

/// Distinct names, concatenated in one buffer.
#[derive(Debug, Clone)]
pub struct Names {
    text: String,
    /// End of each name in `text`, in bytes; the first name is empty.
    ends: Vec<usize>,
    /// Indices by hash; a name whose hash is taken is stored at the next free hash.
    places: HashMap<u64, NameIndex>,
}

impl Default for Names {
    fn default() -> Self {
        Names { text: String::new(), ends: vec![0], places: HashMap::default() }
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Names) -> bool {
        // `places` follows from the names, and its hashes differ by run.
        self.text == other.text && self.ends == other.ends
    }
}

impl Eq for Names {}

impl Names {
    /// Returns the index of a name, which is added if it is new.
    pub fn add(&mut self, name: &str) -> NameIndex {
        if name.is_empty() {
            return NameIndex::default();
        }
        // Keyed by hash, so that the map holds no second copy of the names.
        let mut hash = self.places.hasher().hash_one(name);
        while let Some(known) = self.places.get(&hash) {
            if self.get(*known) == name {
                return *known;
            }
            hash = hash.wrapping_add(1);
        }
        let new = NameIndex(self.ends.len() as u32);
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.places.insert(hash, new);
        new
    }

    /// Returns the name with this index.
    pub fn get(&self, place: NameIndex) -> &str {
        let place = place.0 as usize;
        let start = place.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        self.ends.get(place).and_then(|end| self.text.get(start..*end)).unwrap_or_default()
    }

    /// Number of names, the empty one included.
    pub fn count(&self) -> usize {
        self.ends.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_name_has_one_place_and_comes_back_from_it(input in prop::collection::vec("[a-c]{0,3}", 0..60)) {
            let mut names = Names::default();
            let places: Vec<NameIndex> = input.iter().map(|name| names.add(name)).collect();
            for (name, place) in input.iter().zip(&places) {
                prop_assert_eq!(names.get(*place), name);
                prop_assert_eq!(names.add(name), *place);
            }
            let mut different: Vec<&String> = input.iter().filter(|name| !name.is_empty()).collect();
            different.sort();
            different.dedup();
            prop_assert_eq!(names.count(), different.len() + 1);
        }
    }
}
