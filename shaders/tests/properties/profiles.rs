//! Property tests of the error bounds of the space-saving counter, against exact counts.

use std::collections::BTreeMap;

use proptest::prelude::*;
use taut_shaders::{SlotId, SlotProfile, TopValues, Word};

type Stream = Vec<(u8, u8)>;

fn stream() -> impl Strategy<Value = Stream> {
    // Few words are frequent, many are rare.
    let word = prop_oneof![3 => 0u8..3, 2 => 0u8..20];
    proptest::collection::vec((word, 0u8..4), 0..200)
}

fn counted(stream: &Stream) -> TopValues {
    let mut values = TopValues::default();
    stream.iter().for_each(|(word, times)| values.observe(Word(u32::from(*word)), u64::from(*times)));
    values
}

fn exact(streams: &[&Stream]) -> BTreeMap<Word, u64> {
    let mut counts = BTreeMap::new();
    for (word, times) in streams.iter().copied().flatten() {
        *counts.entry(Word(u32::from(*word))).or_default() += u64::from(*times);
    }
    counts
}

fn bounds_hold(values: &TopValues, exact: &BTreeMap<Word, u64>) -> Result<(), TestCaseError> {
    let total: u64 = exact.values().sum();
    let share = total / TopValues::STORED as u64;
    prop_assert_eq!(values.total(), total);
    for value in values.words() {
        let true_count = exact.get(&value.word).copied().unwrap_or(0);
        prop_assert!(value.min_count() <= true_count && true_count <= value.max_count, "{value:?} {true_count}");
        prop_assert!(value.error <= share, "{value:?} {share}");
    }
    for (word, count) in exact {
        let is_stored = values.words().iter().any(|value| value.word == *word);
        prop_assert!(is_stored || *count <= share, "{word:?} came {count} times of {total} and is not stored");
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_counter_keeps_its_bounds(stream in stream()) {
        bounds_hold(&counted(&stream), &exact(&[&stream]))?;
        prop_assert_eq!(counted(&stream), counted(&stream));
    }

    #[test]
    fn merged_counters_keep_the_bounds_of_both_streams(streams in proptest::collection::vec(stream(), 1..5)) {
        let mut merged = TopValues::default();
        streams.iter().for_each(|stream| merged.merge(&counted(stream)));
        bounds_hold(&merged, &exact(&streams.iter().collect::<Vec<_>>()))?;
        let text = serde_json::to_string(&merged).unwrap();
        prop_assert_eq!(serde_json::from_str::<TopValues>(&text).unwrap(), merged);
    }

    /// One execution and many equal ones give the same stable slots, once there are enough.
    #[test]
    fn b38_a_stationary_slot_is_stable_after_one_execution(words in proptest::collection::vec(any::<u32>(), 1..8), times in 1u64..1000) {
        let words: Vec<Word> = words.into_iter().map(Word).collect();
        let mut profile = SlotProfile::new(words.len());
        profile.observe(&words, times);
        let stable: Vec<(SlotId, Word)> = profile.stable(0, 950).map(|stable| (stable.slot, stable.word)).collect();
        prop_assert_eq!(stable, (0..).map(SlotId).zip(words.iter().copied()).collect::<Vec<_>>());
        prop_assert_eq!(profile.stable(times + 1, 950).count(), 0);
        profile.clear();
        prop_assert_eq!(profile.stable(0, 0).count(), 0);
    }
}

#[test]
fn a_slot_that_drifts_is_not_stable() {
    let mut profile = SlotProfile::new(2);
    (0..300).for_each(|frame| profile.observe(&[Word(7), Word(frame)], 1));
    let stable: Vec<_> = profile.stable(200, 950).collect();
    assert_eq!(stable.len(), 1);
    assert_eq!((stable[0].slot, stable[0].word, stable[0].share_permille), (SlotId(0), Word(7), 1000));
}

#[test]
fn a_counter_with_impossible_counts_is_not_read() {
    for wrong in [
        r#"{"kept":[{"word":1,"most":3,"error":4}],"total":9}"#,
        r#"{"kept":[{"word":1,"most":10,"error":0}],"total":9}"#,
    ] {
        assert!(serde_json::from_str::<TopValues>(wrong).is_err());
    }
}
