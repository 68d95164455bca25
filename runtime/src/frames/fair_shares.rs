//! Max-min fair sharing of bandwidths.

use serde::{Deserialize, Serialize};

/// Use of a shared bandwidth, in bytes per byte of payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Use {
    /// Index of the bandwidth.
    pub resource: usize,
    /// Bytes per byte of payload; 2 for a copy within one memory, which reads and writes it.
    pub weight: u64,
}

/// Demand for bandwidth: a rate limit and the bandwidths that it uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demand<'a> {
    /// Maximum payload rate in bytes per second.
    pub limit: u64,
    pub uses: &'a [Use],
}

/// Returns the payload rate of each demand in bytes per second: equal for all, except where a demand's limit or a
/// bandwidth that it uses allows less; the others share the rest. Rounded down, so no bandwidth is ever exceeded.
pub(crate) fn fair_shares(capacities: &[u64], demands: &[Demand<'_>]) -> Vec<u64> {
    let mut rates: Vec<Option<u64>> = vec![None; demands.len()];
    let mut left = capacities.to_vec();
    while rates.iter().any(Option::is_none) {
        let open = |rates: &[Option<u64>], at: usize| rates[at].is_none();
        let mut weights = vec![0_u64; capacities.len()];
        for demand in (0..demands.len()).filter(|at| open(&rates, *at)).map(|at| &demands[at]) {
            demand.uses.iter().for_each(|used| weights[used.resource] += used.weight);
        }
        let share = |resource: usize| left[resource].checked_div(weights[resource]).unwrap_or(u64::MAX);
        let ceiling =
            |demand: &Demand<'_>| demand.uses.iter().map(|used| share(used.resource)).fold(demand.limit, u64::min);
        let ceilings: Vec<u64> = demands.iter().map(ceiling).collect();
        // The demands with the lowest ceiling get that rate; the other demands share the remaining bandwidth.
        let level = (0..demands.len()).filter(|at| open(&rates, *at)).map(|at| ceilings[at]).min().unwrap_or(0);
        for at in 0..demands.len() {
            if open(&rates, at) && ceilings[at] <= level {
                rates[at] = Some(level);
                demands[at].uses.iter().for_each(|used| left[used.resource] -= used.weight * level);
            }
        }
    }
    rates.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn uses(resources: usize) -> impl Strategy<Value = Vec<Use>> {
        let used = (0..resources, 1_u64..3).prop_map(|(resource, weight)| Use { resource, weight });
        proptest::collection::vec(used, 0..3)
    }

    proptest! {
        #[test]
        fn no_bandwidth_is_exceeded_and_none_is_left_that_somebody_could_use(
            capacities in proptest::collection::vec(0_u64..100_000, 3),
            wanted in proptest::collection::vec((1_u64..50_000, uses(3)), 1..8),
        ) {
            let demands: Vec<Demand<'_>> =
                wanted.iter().map(|(limit, uses)| Demand { limit: *limit, uses }).collect();
            let rates = fair_shares(&capacities, &demands);
            let mut left = capacities.clone();
            let mut weights = [0; 3];
            for (demand, rate) in demands.iter().zip(&rates) {
                prop_assert!(*rate <= demand.limit);
                for used in demand.uses {
                    prop_assert!(left[used.resource] >= used.weight * rate, "{rates:?}");
                    left[used.resource] -= used.weight * rate;
                    weights[used.resource] += used.weight;
                }
            }
            // A demand below its limit uses a bandwidth whose rest is less than one more byte for each of its users.
            for (demand, rate) in demands.iter().zip(&rates) {
                let held = demand.uses.iter().any(|used| left[used.resource] < weights[used.resource]);
                prop_assert!(*rate == demand.limit || held, "{rates:?} of {wanted:?}, {left:?} left");
            }
        }
    }

    #[test]
    fn what_one_demand_cannot_use_the_others_get() {
        let link = [Use { resource: 0, weight: 1 }];
        let demands = [10, 1000, 1000].map(|limit| Demand { limit, uses: &link });
        assert_eq!(fair_shares(&[110], &demands), [10, 50, 50]);
    }
}
