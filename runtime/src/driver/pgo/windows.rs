//! Recent values of a pipeline state's constants.

use crate::driver::background_profile::Background;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use taut_shaders::{SlotId, SlotProfile, TopValues, Word};

/// Constants that a variant folds, with their values.
pub(super) type Key = BTreeMap<SlotId, Word>;

/// Value of a slot, and the number of consecutive windows with this value.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Streak {
    word: Word,
    windows: u32,
}

/// The few values of a slot, and the number of consecutive windows with exactly these values.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct FewValues {
    words: Vec<Word>,
    windows: u32,
}

/// Sampled constants by window: only recent windows count.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Windows {
    /// Window that is not full yet.
    current: SlotProfile,
    /// Last full window.
    last: SlotProfile,
    /// Sampled executions in the current window.
    executions: u32,
    /// Number of full windows so far.
    closed: u32,
    /// Streaks by slot; `None` if the value was not stable in the last full window.
    streaks: Vec<Option<Streak>>,
    /// Slots with few values; empty in drivers that do not split.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ways: BTreeMap<SlotId, FewValues>,
}

impl Windows {
    /// Creates windows for a shader with this number of slots.
    pub fn new(slots: usize) -> Self {
        let [current, last] = [SlotProfile::new(slots), SlotProfile::new(slots)];
        Windows { current, last, executions: 0, closed: 0, streaks: vec![None; slots], ways: BTreeMap::new() }
    }

    /// Counts the constants of an execution.
    pub fn observe(&mut self, constants: &[Word], settings: &Background) {
        self.observe_some(constants, 1, settings);
    }

    /// Counts the same constants up to `times` times, at most to the window's end. Returns the number of times.
    pub fn observe_some(&mut self, constants: &[Word], times: u32, settings: &Background) -> u32 {
        let times = times.min(self.room(settings));
        self.current.observe(constants, times.into());
        self.executions += times;
        if self.executions >= settings.window_executions {
            self.close(settings);
        }
        times
    }

    /// Returns the executions that remain in the window, at least one.
    pub fn room(&self, settings: &Background) -> u32 {
        settings.window_executions.saturating_sub(self.executions).max(1)
    }

    /// True if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.closed == 0 && self.executions == 0
    }

    /// Returns the number of full windows.
    pub fn closed(&self) -> u32 {
        self.closed
    }

    fn close(&mut self, settings: &Background) {
        let share_permille = settings.stable_share_permille.into();
        if settings.split_ways > 1 {
            self.close_few_values(settings);
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

    fn close_few_values(&mut self, settings: &Background) {
        let mut before = std::mem::take(&mut self.ways);
        let few = few_values(&self.current, settings).map(|(slot, words)| {
            let same = before.remove(&slot).filter(|before| before.words == words).map_or(0, |before| before.windows);
            (slot, FewValues { words, windows: same.saturating_add(1) })
        });
        self.ways = few.collect();
    }

    /// Returns the slots that have had the same few values in the last `windows` full windows.
    pub fn stable_few_values(&self, windows: u32) -> BTreeMap<SlotId, Vec<Word>> {
        let ways = self.ways.iter().filter(|(_, ways)| ways.windows >= windows);
        ways.map(|(slot, ways)| (*slot, ways.words.clone())).collect()
    }

    /// Returns the slots with few recent values, even if each was observed once only.
    pub fn recent_few_values(&self, settings: &Background) -> BTreeMap<SlotId, Vec<Word>> {
        few_values(&self.recent_profile(), settings).collect()
    }

    /// Returns the number of slots.
    pub fn slots(&self) -> usize {
        self.streaks.len()
    }

    /// Returns the values of the current and the previous window together.
    fn recent_profile(&self) -> SlotProfile {
        let mut recent_profile = self.last.clone();
        recent_profile.merge(&self.current);
        recent_profile
    }

    /// Returns the slots with the same value in the last `windows` full windows.
    pub fn stable(&self, windows: u32) -> Key {
        let slots = (0..).map(SlotId).zip(&self.streaks);
        slots.filter_map(|(slot, streak)| streak.filter(|s| s.windows >= windows).map(|s| (slot, s.word))).collect()
    }

    /// Returns the slots with one predominant recent value. There is no minimum number of samples, because a commit
    /// scales the histogram up (rule B-38), which does not change shares.
    pub fn predominant(&self, share_permille: u64) -> Key {
        self.recent_profile().stable(0, share_permille).map(|stable| (stable.slot, stable.word)).collect()
    }

    /// Removes all counts.
    pub fn clear(&mut self) {
        *self = Windows::new(self.streaks.len());
    }
}

/// Returns the slots with 2 to `split_ways` values that together have the share of a stable value, with the sorted
/// values.
fn few_values(profile: &SlotProfile, settings: &Background) -> impl Iterator<Item = (SlotId, Vec<Word>)> {
    let (max_values, share) = (settings.split_ways as usize, u64::from(settings.stable_share_permille));
    (0..)
        .map(SlotId)
        .zip(profile.slots())
        .filter_map(move |(slot, values)| Some((slot, few(values, max_values, share)?)))
}

fn few(values: &TopValues, max_values: usize, share_permille: u64) -> Option<Vec<Word>> {
    let mut stored: Vec<_> = values.words().to_vec();
    stored.sort_by_key(|value| (std::cmp::Reverse(value.min_count()), value.word));
    let mut covered = 0;
    let enough = stored.iter().position(|value| {
        covered += values.share_permille(value);
        // Each share is rounded down, so the sum may be short by one per value.
        covered + max_values as u64 > share_permille
    })?;
    let mut words: Vec<Word> = stored.into_iter().take(enough + 1).map(|value| value.word).collect();
    words.sort_unstable();
    (2..=max_values).contains(&words.len()).then_some(words)
}
