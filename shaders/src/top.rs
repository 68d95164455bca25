//! Most frequent values of a stream, in constant memory.

use serde::{Deserialize, Serialize};

use crate::word::Word;

/// A value with bounds of its frequency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopValue {
    pub word: Word,
    /// Upper bound of the frequency.
    #[serde(rename = "most")]
    pub max_count: u64,
    /// Maximum overestimation of `max_count`.
    pub error: u64,
}

impl TopValue {
    /// Returns the lower bound of the frequency.
    pub fn min_count(&self) -> u64 {
        self.max_count - self.error
    }
}

/// Counter of the most frequent words: *space-saving* (Metwally, Agrawal and El Abbadi, "Efficient computation of
/// frequent and top-k elements in data streams"). A word that replaces another inherits its count as error.
///
/// Every word that occurs more than `total / STORED` times is among the [`TopValues::STORED`] stored words, and no error
/// exceeds `total / STORED`. Ties are decided by age and value, so equal streams give equal counters. Counts saturate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct TopValues {
    words: Vec<TopValue>,
    total: u64,
}

impl TopValues {
    /// Number of words that are stored.
    pub const STORED: usize = 4;

    /// Counts a word `times` times.
    pub fn observe(&mut self, word: Word, times: u64) {
        if times == 0 {
            return;
        }
        self.total = self.total.saturating_add(times);
        if let Some(known) = self.words.iter_mut().find(|value| value.word == word) {
            known.max_count = known.max_count.saturating_add(times);
        } else if self.words.len() < Self::STORED {
            self.words.push(TopValue { word, max_count: times, error: 0 });
        } else if let Some(rarest) = self.words.iter_mut().min_by_key(|value| value.max_count) {
            *rarest = TopValue { word, max_count: rarest.max_count.saturating_add(times), error: rarest.max_count };
        }
    }

    /// Adds the counts of another counter (Agarwal and others, "Mergeable summaries"): the error bounds hold for the
    /// sum of both streams.
    pub fn merge(&mut self, other: &Self) {
        let (here, other_missing) = (self.missing(), other.missing());
        let mut all: Vec<TopValue> = self.words.iter().map(|value| other.seen(value, other_missing)).collect();
        let unknown = other.words.iter().filter(|value| self.find(value.word).is_none());
        all.extend(unknown.map(|value| self.seen(value, here)));
        all.sort_by_key(|value| (std::cmp::Reverse(value.max_count), value.word));
        all.truncate(Self::STORED);
        self.words = all;
        self.total = self.total.saturating_add(other.total);
    }

    fn find(&self, word: Word) -> Option<&TopValue> {
        self.words.iter().find(|value| value.word == word)
    }

    /// Returns the maximum frequency of a word that is not stored.
    fn missing(&self) -> u64 {
        if self.words.len() < Self::STORED {
            0
        } else {
            self.words.iter().map(|value| value.max_count).min().unwrap_or(0)
        }
    }

    /// Returns the sum of `value` and this counter's value of the same word.
    fn seen(&self, value: &TopValue, missing: u64) -> TopValue {
        let (max_count, error) = self.find(value.word).map_or((missing, missing), |here| (here.max_count, here.error));
        TopValue {
            max_count: value.max_count.saturating_add(max_count),
            error: value.error.saturating_add(error),
            ..*value
        }
    }

    /// Drops all counts.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns the number of counted words.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the stored words, in no particular order.
    pub fn words(&self) -> &[TopValue] {
        &self.words
    }

    /// Returns the word with the maximum lower bound; the smallest of several.
    pub fn top(&self) -> Option<&TopValue> {
        self.words.iter().max_by_key(|value| (value.min_count(), std::cmp::Reverse(value.word)))
    }

    /// Returns the lower bound of a value's share of all words, in permille.
    pub fn share_permille(&self, value: &TopValue) -> u64 {
        (u128::from(value.min_count()) * 1000 / u128::from(self.total.max(1))) as u64
    }
}

/// Deserialised counter, not validated.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(rename = "kept")]
    words: Vec<TopValue>,
    total: u64,
}

impl From<TopValues> for Stored {
    fn from(values: TopValues) -> Self {
        Self { words: values.words, total: values.total }
    }
}

impl TryFrom<Stored> for TopValues {
    type Error = String;

    fn try_from(Stored { words, total }: Stored) -> Result<Self, String> {
        if words.len() > Self::STORED {
            return Err(format!("{} values, expected at most {}", words.len(), Self::STORED));
        }
        match words.iter().find(|value| value.error > value.max_count || value.max_count > total) {
            Some(wrong) => Err(format!("{wrong:?}: expected error <= max_count <= {total}")),
            None => Ok(Self { words, total }),
        }
    }
}
