//! Interned names and texts, written once and then referred to by a number.

use super::packets::{InternedData, InternedName};
use foldhash::HashMap;

/// Max interned texts of each sort: later ones are written in place, so that memory stays bounded.
const TEXTS: usize = 1 << 16;

/// Max length of an interned text, in bytes.
const TEXT_BYTES: usize = 200;

/// Use of a text. Each sort has its own numbers, from 1.
#[derive(Debug, Clone, Copy)]
pub enum Sort {
    Category,
    EventName,
    AnnotationName,
    Text,
}

/// A name from the trace's schema table, with its number once it is written.
#[derive(Debug)]
pub struct Name {
    sort: Sort,
    text: String,
    iid: Option<u64>,
}

impl Name {
    pub fn new(sort: Sort, text: impl Into<String>) -> Name {
        Name { sort, text: text.into(), iid: None }
    }
}

/// Texts written so far, and texts that the next packet must define.
#[derive(Default)]
pub struct Interning {
    known: [HashMap<String, u64>; 4],
    pending: InternedData,
    is_pending: bool,
}

impl Interning {
    /// The number of a name from the schema table.
    pub fn name(&mut self, name: &mut Name) -> u64 {
        *name.iid.get_or_insert_with(|| self.known_or_new(name.sort, &name.text))
    }

    /// The number of a name from this program.
    pub fn fixed(&mut self, sort: Sort, text: &'static str) -> u64 {
        self.known_or_new(sort, text)
    }

    /// The number of a text from the trace; `None` if it has to be written in place.
    pub fn text(&mut self, sort: Sort, text: &str) -> Option<u64> {
        let known = &self.known[sort as usize];
        if known.len() >= TEXTS || text.len() > TEXT_BYTES {
            return known.get(text).copied();
        }
        Some(self.known_or_new(sort, text))
    }

    fn known_or_new(&mut self, sort: Sort, text: &str) -> u64 {
        let known = &mut self.known[sort as usize];
        if let Some(iid) = known.get(text) {
            return *iid;
        }
        let iid = known.len() as u64 + 1;
        known.insert(text.to_owned(), iid);
        let defined = match sort {
            Sort::Category => &mut self.pending.event_categories,
            Sort::EventName => &mut self.pending.event_names,
            Sort::AnnotationName => &mut self.pending.debug_annotation_names,
            Sort::Text => &mut self.pending.debug_annotation_string_values,
        };
        defined.push(InternedName { iid: Some(iid), name: Some(text.to_owned()) });
        self.is_pending = true;
        iid
    }

    /// The definitions that the next packet has to contain.
    pub fn take(&mut self) -> Option<InternedData> {
        std::mem::take(&mut self.is_pending).then(|| std::mem::take(&mut self.pending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_defined_once_and_each_sort_counts_for_itself() {
        let mut interning = Interning::default();
        assert_eq!([interning.text(Sort::Text, "a"), interning.text(Sort::Text, "b")], [Some(1), Some(2)]);
        assert_eq!((interning.fixed(Sort::Category, "a"), interning.text(Sort::Text, "a")), (1, Some(1)));
        let defined = interning.take().unwrap();
        assert_eq!((defined.debug_annotation_string_values.len(), defined.event_categories.len()), (2, 1));
        assert_eq!((interning.text(Sort::Text, "b"), interning.take()), (Some(2), None));
    }

    #[test]
    fn long_texts_and_too_many_are_not_remembered() {
        let mut interning = Interning::default();
        assert_eq!(interning.text(Sort::Text, &"x".repeat(TEXT_BYTES + 1)), None);
        (0..TEXTS + 10)
            .for_each(|number| assert_eq!(interning.text(Sort::Text, &number.to_string()).is_some(), number < TEXTS));
        assert_eq!(interning.text(Sort::Text, "7"), Some(8));
    }
}
