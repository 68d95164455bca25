//! Stores survive folding into runs and walking.

use proptest::prelude::*;
use taut_schemas::{StoreFolder, StoreRun, StoreRuns, StoreRunsError};

type Stores = Vec<(u64, u32)>;

fn folded(stores: &[(u64, u32)]) -> Vec<StoreRun> {
    let mut folder = StoreFolder::default();
    stores.iter().for_each(|(offset, size)| folder.push(*offset, *size));
    folder.take()
}

fn walked(runs: &[StoreRun]) -> Result<Stores, StoreRunsError> {
    let runs = StoreRuns::new(runs, 1 << 24)?;
    let mut stores = Vec::new();
    runs.for_each(|offset, size| stores.push((offset, size)));
    assert_eq!(runs.len(), stores.len() as u64);
    Ok(stores)
}

#[test]
fn nested_loops_become_a_few_runs() {
    // Rows of Y-tiles with channel-select swizzle: odd columns have bit 6 flipped, which makes every level alternate.
    let mut stores = Vec::new();
    for y in 0..256_u64 {
        for column in 0..256_u64 {
            let tile = (y / 32) * 32 + column / 8;
            let offset = tile << 12 | (column % 8) << 9 | (y % 32) << 4;
            stores.push((offset ^ (offset >> 9 & 1) << 6, 16));
        }
    }
    let runs = folded(&stores);
    assert_eq!(walked(&runs), Ok(stores));
    assert!(runs.len() < 16, "{runs:#?}");
}

#[test]
fn stores_without_repetition_are_unchanged() {
    let stores: Stores = (0..200_u64).map(|at| (at * at * at, 1 + at as u32 % 7)).collect();
    assert_eq!(walked(&folded(&stores)), Ok(stores));
    assert_eq!(folded(&[]), []);
}

proptest! {
    #[test]
    fn any_stores_survive(stores in prop::collection::vec((0_u64..64, 1_u32..3), 0..400)) {
        prop_assert_eq!(walked(&folded(&stores)), Ok(stores));
    }

    #[test]
    fn any_loops_survive(
        body in prop::collection::vec((any::<u64>(), prop::sample::select(vec![1_u32, 4, 16])), 1..6),
        loops in prop::collection::vec((1_u64..7, any::<i16>()), 0..4),
    ) {
        let mut stores: Stores = body;
        for (count, stride) in loops {
            let round = stores.clone();
            for number in 1..count {
                let distance = (i64::from(stride) as u64).wrapping_mul(number);
                stores.extend(round.iter().map(|(offset, size)| (offset.wrapping_add(distance), *size)));
            }
        }
        prop_assert_eq!(walked(&folded(&stores)), Ok(stores));
    }

    /// Any runs of a file are walked within the limit, or refused.
    #[test]
    fn any_runs_end(
        runs in prop::collection::vec((any::<u64>(), 0_u32..3, prop_oneof![0_u64..9, any::<u64>()], any::<u64>(), 0_u32..4), 0..40)
    ) {
        let runs: Vec<_> = runs
            .into_iter()
            .map(|(offset_bytes, size_bytes, repeat_count, stride, body_count)| StoreRun {
                offset_bytes, size_bytes, repeat_count, stride, body_count,
            })
            .collect();
        if let Ok(sound) = StoreRuns::new(&runs, 10_000) {
            let mut stores = 0;
            sound.for_each(|_, _| stores += 1);
            prop_assert_eq!(stores, sound.len());
        }
    }
}

#[test]
fn invalid_runs_are_refused() {
    let run = StoreRun { offset_bytes: 0, size_bytes: 4, repeat_count: 1, stride: 0, body_count: 0 };
    let refused = |runs: &[StoreRun]| StoreRuns::new(runs, 100).map(drop);
    assert_eq!(refused(&[StoreRun { repeat_count: 0, ..run }]), Err(StoreRunsError::Empty { at: 0 }));
    assert_eq!(refused(&[StoreRun { repeat_count: 101, ..run }]), Err(StoreRunsError::Many { max: 100 }));
    let looped = StoreRun { size_bytes: 0, body_count: 1, ..run };
    assert_eq!(refused(&[run, looped]), Err(StoreRunsError::Body { at: 1, left_runs: 0, found: 1 }));
    let deep: Vec<_> = (0..40).rev().map(|body_count| StoreRun { body_count, ..looped }).collect();
    assert!(matches!(refused(&deep), Err(StoreRunsError::Deep { .. })));
}
