//! The most frequent values of a stream, in constant memory.

use serde::{Deserialize, Serialize};

use crate::word::Word;

/// A value and how often it came, at least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopValue {
    /// The value.
    pub word: Word,
    /// It came at most so often.
    pub most: u64,
    /// So many of `most` may have been others.
    pub error: u64,
}

impl TopValue {
    /// It came at least so often.
    pub fn least(&self) -> u64 {
        self.most - self.error
    }
}

/// Counter of the most frequent words: *space-saving* (Metwally, Agrawal and El Abbadi, "Efficient computation of
/// frequent and top-k elements in data streams"). A word that takes the place of another inherits its count as error.
///
/// With [`TopValues::KEPT`] places, every word that came more than `total / KEPT` times is among them, and no error is
/// more than `total / KEPT`. Ties are decided by age and value, so equal streams give equal counters. Counts saturate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct TopValues {
    kept: Vec<TopValue>,
    total: u64,
}

impl TopValues {
    /// How many words are kept.
    pub const KEPT: usize = 4;

    /// Counts a word `times` times.
    pub fn observe(&mut self, word: Word, times: u64) {
        if times == 0 {
            return;
        }
        self.total = self.total.saturating_add(times);
        if let Some(known) = self.kept.iter_mut().find(|kept| kept.word == word) {
            known.most = known.most.saturating_add(times);
        } else if self.kept.len() < Self::KEPT {
            self.kept.push(TopValue { word, most: times, error: 0 });
        } else if let Some(rarest) = self.kept.iter_mut().min_by_key(|kept| kept.most) {
            *rarest = TopValue { word, most: rarest.most.saturating_add(times), error: rarest.most };
        }
    }

    /// Counts what another counter has counted (Agarwal and others, "Mergeable summaries"): the bounds of the class
    /// hold for the sum of both streams.
    pub fn merge(&mut self, other: &Self) {
        let (here, there) = (self.missing(), other.missing());
        let mut all: Vec<TopValue> = self.kept.iter().map(|kept| other.seen(kept, there)).collect();
        let unknown = other.kept.iter().filter(|kept| self.find(kept.word).is_none());
        all.extend(unknown.map(|kept| self.seen(kept, here)));
        all.sort_by_key(|kept| (std::cmp::Reverse(kept.most), kept.word));
        all.truncate(Self::KEPT);
        self.kept = all;
        self.total = self.total.saturating_add(other.total);
    }

    fn find(&self, word: Word) -> Option<&TopValue> {
        self.kept.iter().find(|kept| kept.word == word)
    }

    /// How often a word that is not kept may have come.
    fn missing(&self) -> u64 {
        if self.kept.len() < Self::KEPT { 0 } else { self.kept.iter().map(|kept| kept.most).min().unwrap_or(0) }
    }

    /// `value`, and what this counter knows of the same word.
    fn seen(&self, value: &TopValue, missing: u64) -> TopValue {
        let (most, error) = self.find(value.word).map_or((missing, missing), |here| (here.most, here.error));
        TopValue { most: value.most.saturating_add(most), error: value.error.saturating_add(error), ..*value }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// How many words were counted.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The words kept, in no order that matters.
    pub fn kept(&self) -> &[TopValue] {
        &self.kept
    }

    /// The word that came most often for certain; of several the least.
    pub fn top(&self) -> Option<&TopValue> {
        self.kept.iter().max_by_key(|kept| (kept.least(), std::cmp::Reverse(kept.word)))
    }

    /// How many thousandths of all words `value` is at least.
    pub fn share_permille(&self, value: &TopValue) -> u64 {
        (u128::from(value.least()) * 1000 / u128::from(self.total.max(1))) as u64
    }
}

/// A counter as stored; anything may be wrong with it.
#[derive(Serialize, Deserialize)]
struct Stored {
    kept: Vec<TopValue>,
    total: u64,
}

impl From<TopValues> for Stored {
    fn from(values: TopValues) -> Self {
        Self { kept: values.kept, total: values.total }
    }
}

impl TryFrom<Stored> for TopValues {
    type Error = String;

    fn try_from(Stored { kept, total }: Stored) -> Result<Self, String> {
        if kept.len() > Self::KEPT {
            return Err(format!("{} values, expected at most {}", kept.len(), Self::KEPT));
        }
        match kept.iter().find(|kept| kept.error > kept.most || kept.most > total) {
            Some(wrong) => Err(format!("{wrong:?}: expected error <= most <= {total}")),
            None => Ok(Self { kept, total }),
        }
    }
}
