//! What values the constants of a pipeline state have had lately.

use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use taut_shaders::{SlotId, SlotProfile, TopValues, Word};

/// The slots that a variant takes as fixed, with their values.
pub(super) type Key = BTreeMap<SlotId, Word>;

/// For so many windows now, a slot has had this value.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Streak {
    word: Word,
    windows: u32,
}

/// For so many windows now, a slot has had these values and hardly any others.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Ways {
    words: Vec<Word>,
    windows: u32,
}

/// The sampled constants of a pipeline state, window by window: what was long ago does not count.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Windows {
    /// The window that is not full yet.
    current: SlotProfile,
    /// The one before it.
    last: SlotProfile,
    /// Sampled executions in the current one.
    executions: u32,
    /// Windows that have been full.
    closed: u32,
    /// By slot; none if its value was not stable in the last full window.
    streaks: Vec<Option<Streak>>,
    /// Slots that have a few values; none where nobody asks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ways: BTreeMap<SlotId, Ways>,
}

impl Windows {
    /// Of a shader with so many slots.
    pub fn new(slots: usize) -> Self {
        let [current, last] = [SlotProfile::new(slots), SlotProfile::new(slots)];
        Windows { current, last, executions: 0, closed: 0, streaks: vec![None; slots], ways: BTreeMap::new() }
    }

    /// Counts the constants of an execution.
    pub fn observe(&mut self, constants: &[Word], settings: &Background) {
        self.observe_some(constants, 1, settings);
    }

    /// Counts the same constants at most so often, no further than to the window's end; how often.
    pub fn observe_some(&mut self, constants: &[Word], times: u32, settings: &Background) -> u32 {
        let times = times.min(self.room(settings));
        self.current.observe(constants, times.into());
        self.executions += times;
        if self.executions >= settings.window_executions {
            self.close(settings);
        }
        times
    }

    /// Executions that are left to the window's end, at least one.
    pub fn room(&self, settings: &Background) -> u32 {
        settings.window_executions.saturating_sub(self.executions).max(1)
    }

    /// Nothing was ever counted.
    pub fn is_empty(&self) -> bool {
        self.closed == 0 && self.executions == 0
    }

    /// How many windows have been full.
    pub fn closed(&self) -> u32 {
        self.closed
    }

    fn close(&mut self, settings: &Background) {
        let share_permille = settings.stable_share_permille.into();
        if settings.split_ways > 1 {
            self.close_ways(settings);
        }
        let stable: Key = self.current.stable(1, share_permille).map(|stable| (stable.slot, stable.word)).collect();
        for (slot, streak) in (0..).map(SlotId).zip(&mut self.streaks) {
            let before = streak.take();
            *streak = stable.get(&slot).map(|word| {
                let before = before.filter(|before| before.word == *word).map_or(0, |before| before.windows);
                Streak { word: *word, windows: before.saturating_add(1) }
            });
        }
        std::mem::swap(&mut self.current, &mut self.last);
        self.current.clear();
        self.executions = 0;
        self.closed = self.closed.saturating_add(1);
    }

    fn close_ways(&mut self, settings: &Background) {
        let mut before = std::mem::take(&mut self.ways);
        let few = few_values(&self.current, settings).map(|(slot, words)| {
            let same = before.remove(&slot).filter(|before| before.words == words).map_or(0, |before| before.windows);
            (slot, Ways { words, windows: same.saturating_add(1) })
        });
        self.ways = few.collect();
    }

    /// The slots that have had the same few values, and hardly others, in the last so many full windows.
    pub fn ways(&self, windows: u32) -> BTreeMap<SlotId, Vec<Word>> {
        let ways = self.ways.iter().filter(|(_, ways)| ways.windows >= windows);
        ways.map(|(slot, ways)| (*slot, ways.words.clone())).collect()
    }

    /// The slots that had a few values lately, were they seen but once each.
    pub fn ways_seen(&self, settings: &Background) -> BTreeMap<SlotId, Vec<Word>> {
        few_values(&self.lately(), settings).collect()
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.streaks.len()
    }

    /// The current window and the one before it.
    fn lately(&self) -> SlotProfile {
        let mut lately = self.last.clone();
        lately.merge(&self.current);
        lately
    }

    /// The slots whose value has been the same in the last so many full windows.
    pub fn stable(&self, windows: u32) -> Key {
        let slots = (0..).map(SlotId).zip(&self.streaks);
        slots.filter_map(|(slot, streak)| streak.filter(|s| s.windows >= windows).map(|s| (slot, s.word))).collect()
    }

    /// The slots that mostly had one value lately, were they seen but once: the histogram scaled up, as a commit of
    /// results asks for (rule B-38). The share is what it is whatever the scale.
    pub fn seen(&self, share_permille: u64) -> Key {
        self.lately().stable(0, share_permille).map(|stable| (stable.slot, stable.word)).collect()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Windows::new(self.streaks.len());
    }
}

/// The slots that have from 2 to `split_ways` values which together have the share that a stable value has to have: the values in
/// order.
fn few_values(profile: &SlotProfile, settings: &Background) -> impl Iterator<Item = (SlotId, Vec<Word>)> {
    let (most, share) = (settings.split_ways as usize, u64::from(settings.stable_share_permille));
    (0..).map(SlotId).zip(profile.slots()).filter_map(move |(slot, values)| Some((slot, few(values, most, share)?)))
}

fn few(values: &TopValues, most: usize, share_permille: u64) -> Option<Vec<Word>> {
    let mut kept: Vec<_> = values.kept().to_vec();
    kept.sort_by_key(|value| (std::cmp::Reverse(value.least()), value.word));
    let mut covered = 0;
    let enough = kept.iter().position(|value| {
        covered += values.share_permille(value);
        // Each share is rounded down.
        covered + most as u64 > share_permille
    })?;
    let mut words: Vec<Word> = kept.into_iter().take(enough + 1).map(|value| value.word).collect();
    words.sort_unstable();
    (2..=most).contains(&words.len()).then_some(words)
}
