//! Ranges of time.

/// Sorts ranges and merges adjacent ranges.
pub(crate) fn joined(mut stretches: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    stretches.retain(|(from, to)| from < to);
    stretches.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::with_capacity(stretches.len());
    for (from, to) in stretches {
        match joined.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(to),
            None => joined.push((from, to)),
        }
    }
    joined
}

/// Length of the parts of `from..to` that are in ranges that are [joined].
pub(crate) fn covered(stretches: &[(u64, u64)], from: u64, to: u64) -> u64 {
    let first = stretches.partition_point(|(_, end)| *end <= from);
    let within = stretches[first..].iter().take_while(|(begin, _)| *begin < to);
    within.map(|(begin, end)| (*end).min(to).saturating_sub((*begin).max(from))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn covered_equals_a_count_of_every_tick(
            raw in prop::collection::vec((0_u64..60, 0_u64..12), 0..20), from in 0_u64..70, length in 0_u64..40
        ) {
            let stretches: Vec<_> = raw.into_iter().map(|(from, length)| (from, from + length)).collect();
            let at = |tick: u64| stretches.iter().any(|(from, to)| (*from..*to).contains(&tick));
            let expected = (from..from + length).filter(|tick| at(*tick)).count() as u64;
            let joined = joined(stretches.clone());
            prop_assert!(joined.windows(2).all(|pair| pair[0].1 < pair[1].0));
            prop_assert_eq!(covered(&joined, from, from + length), expected);
        }
    }
}
