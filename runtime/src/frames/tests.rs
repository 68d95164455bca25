//! Property tests: bytes are conserved, frames end once and in order, and time may advance in any steps.

use super::*;
use proptest::prelude::*;

/// Bandwidths of the tested machine in bytes per second.
const CAPACITIES: [u64; 2] = [13_000_000_000, 60_000_000_000];

/// Compositor that flips chains with even numbers, unless all are composed.
struct FlipsEvenChains {
    all_composed: bool,
}

impl Compositor for FlipsEvenChains {
    fn flips(&mut self, chain: u64) -> bool {
        chain.is_multiple_of(2) && !self.all_composed
    }
}

#[derive(Debug, Clone)]
struct Program {
    millihertz: u64,
    is_variable: bool,
    all_composed: bool,
    chains: u64,
    /// Chain, time since the previous present, rendering time, copied bytes, interval, tearing, copies.
    presents: Vec<(u64, u64, u64, u64, u32, bool, usize)>,
}

fn programs() -> impl Strategy<Value = Program> {
    let present =
        (0_u64..3, 0_u64..20_000_000, 0_u64..12_000_000, 0_u64..40_000_000, 0_u32..4, any::<bool>(), 0_usize..3);
    let presents = proptest::collection::vec(present, 1..40);
    (30_000_u64..240_000, any::<bool>(), any::<bool>(), presents).prop_map(
        |(millihertz, is_variable, all_composed, presents)| Program {
            millihertz,
            is_variable,
            all_composed,
            chains: 3,
            presents,
        },
    )
}

fn stages(render_ns: u64, bytes: u64, copies: usize) -> Vec<Stage> {
    let first = vec![Use { resource: 0, weight: 1 }, Use { resource: 1, weight: 1 }];
    let second = vec![Use { resource: 1, weight: 2 }];
    let limit = 20_000_000_000;
    let mut stages = vec![Stage::Work { engine: 0, ns: render_ns }];
    stages.extend((copies > 0).then_some(Stage::Copy { engine: 1, bytes, limit, uses: first }));
    stages.extend((copies > 1).then_some(Stage::Wait { ns: 20_000 }));
    stages.extend((copies > 1).then_some(Stage::Copy { engine: 2, bytes, limit, uses: second }));
    stages
}

/// Returns all frame ends of a program; time advances by at most `step_ns`.
fn run(program: &Program, step_ns: u64) -> Vec<FrameEnd> {
    let screen = Screen::new(program.millihertz, program.is_variable);
    let mut simulation = Simulation::new(CAPACITIES.to_vec(), 4, vec![screen]);
    let uses = vec![Use { resource: 1, weight: 2 }];
    let composition = vec![Stage::Copy { engine: 3, bytes: 16_384_000, limit: u64::MAX / 4, uses }];
    (0..program.chains).for_each(|chain| simulation.add_chain(chain, 0, composition.clone()));
    let mut compositor = FlipsEvenChains { all_composed: program.all_composed };
    let mut ends = Vec::new();
    let mut at_ns = 0;
    let mut numbers = [0; 3];
    for (chain, after_ns, render_ns, bytes, interval, may_tear, copies) in &program.presents {
        at_ns += after_ns;
        while simulation.now_ns() < at_ns {
            let until_ns = at_ns.min(simulation.now_ns() + step_ns);
            simulation.advance(until_ns, &mut compositor, &mut ends);
        }
        let number = numbers[*chain as usize];
        numbers[*chain as usize] += 1;
        let (stages, may_tear) = (stages(*render_ns, *bytes, *copies), *may_tear);
        simulation.present(Frame { chain: *chain, number, interval: *interval, may_tear, stages });
    }
    simulation.advance(at_ns + 60_000_000_000, &mut compositor, &mut ends);
    assert_eq!((0..program.chains).map(|chain| simulation.in_flight(chain)).sum::<usize>(), 0, "all ends in a minute");
    ends
}

/// Returns the frame ends of a chain that were shown.
fn shown(ends: &[FrameEnd], chain: u64) -> Vec<&FrameEnd> {
    ends.iter().filter(|end| end.chain == chain && end.outcome != SimulatedOutcome::Dropped).collect()
}

proptest! {
    #[test]
    fn every_frame_ends_once_and_is_shown_in_order(program in programs()) {
        let ends = run(&program, u64::MAX / 2);
        prop_assert_eq!(ends.len(), program.presents.len());
        let mut numbers: Vec<(u64, u64)> = ends.iter().map(|end| (end.chain, end.number)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        prop_assert_eq!(numbers.len(), program.presents.len());
        for chain in 0..program.chains {
            for pair in shown(&ends, chain).windows(2) {
                prop_assert!(pair[0].number < pair[1].number, "{pair:?}");
                let apart = pair[0].ended_at_ns < pair[1].ended_at_ns || pair[1].outcome == SimulatedOutcome::Torn;
                prop_assert!(apart, "two frames of a chain at one refresh: {pair:?}");
            }
        }
    }

    #[test]
    fn frames_are_shown_at_refreshes_after_they_are_ready(program in programs()) {
        let screen = Screen::new(program.millihertz, false);
        for end in run(&program, u64::MAX / 2) {
            let Some(ready) = end.ready_at_ns else { continue };
            prop_assert!(end.presented_at_ns <= ready && ready <= end.ended_at_ns || end.outcome == SimulatedOutcome::Dropped);
            prop_assert!(end.times.windows(2).all(|pair| pair[0].ended_at_ns <= pair[1].started_at_ns), "{end:?}");
            let at_refresh = screen.at_ns(screen.refresh_at(end.ended_at_ns)) == end.ended_at_ns;
            match end.outcome {
                SimulatedOutcome::Torn => prop_assert_eq!(end.ended_at_ns, ready),
                SimulatedOutcome::Flipped | SimulatedOutcome::Composed if !program.is_variable => prop_assert!(at_refresh, "{end:?}"),
                _ => {}
            }
            if end.outcome == SimulatedOutcome::Composed && !program.is_variable {
                prop_assert!(screen.refresh_at(end.ended_at_ns) > screen.refresh_at(ready), "one composition before");
            }
        }
    }

    #[test]
    fn time_may_go_on_in_any_steps(program in programs(), step_ns in 1_000_000_u64..50_000_000) {
        prop_assert_eq!(run(&program, step_ns), run(&program, u64::MAX / 2));
    }

    #[test]
    fn no_copy_is_faster_than_what_it_goes_through(program in programs()) {
        for end in run(&program, u64::MAX / 2) {
            let present = program.presents.iter().filter(|present| present.0 == end.chain).nth(end.number as usize);
            let Some((.., bytes, _, _, copies)) = present else { continue };
            for (place, ceiling) in [(1, CAPACITIES[0]), (3, 20_000_000_000)] {
                let Some(times) = end.times.get(place).filter(|_| *copies > place / 2) else { continue };
                let minimum = u128::from(*bytes) * 1_000_000_000 / u128::from(ceiling);
                prop_assert!(u128::from(times.ended_at_ns - times.started_at_ns) >= minimum, "{end:?}");
            }
        }
    }

    #[test]
    fn a_bandwidth_moves_no_more_than_its_rate(bytes in proptest::collection::vec(1_u64..50_000_000, 1..8)) {
        // All copies at once, each on its own engine, through one link.
        let mut simulation = Simulation::new(vec![8_000_000_000], bytes.len(), vec![Screen::new(60_000, false)]);
        for (engine, bytes) in bytes.iter().enumerate() {
            let (chain, uses) = (engine as u64, vec![Use { resource: 0, weight: 1 }]);
            simulation.add_chain(chain, 0, Vec::new());
            let stages = vec![Stage::Copy { engine, bytes: *bytes, limit: u64::MAX / 4, uses }];
            simulation.present(Frame { chain, number: 0, interval: 1, may_tear: false, stages });
        }
        let mut ends = Vec::new();
        simulation.advance(60_000_000_000, &mut FlipsEvenChains { all_composed: false }, &mut ends);
        let last = ends.iter().filter_map(|end| end.ready_at_ns).max().unwrap_or(0);
        let minimum = bytes.iter().sum::<u64>() as u128 * 1_000_000_000 / 8_000_000_000;
        // No earlier than the link allows, and no later than a nanosecond per change of the rates.
        prop_assert!((minimum..=minimum + 2 * bytes.len() as u128 + 1).contains(&u128::from(last)), "{last} {minimum}");
    }
}

#[test]
fn a_second_copy_makes_a_frame_later_by_itself_and_its_fence() {
    let of = |copies| {
        let presents = vec![(0, 0, 1_000_000, 16_384_000, 1, false, copies)];
        let program = Program { millihertz: 165_000, is_variable: true, all_composed: false, chains: 1, presents };
        run(&program, u64::MAX / 2)[0].ready_at_ns.unwrap_or(0)
    };
    // 16,384,000 bytes at 13 GB/s, and at 20 GB/s.
    assert_eq!(of(1), 1_000_000 + 1_260_308);
    assert_eq!(of(2) - of(1), 20_000 + 819_200);
}

#[test]
fn a_chain_that_goes_takes_its_frames_with_it() {
    let mut simulation = Simulation::new(vec![1000], 2, vec![Screen::new(60_000, false)]);
    simulation.add_chain(7, 0, Vec::new());
    let stages = || vec![Stage::Work { engine: 0, ns: 1_000_000_000 }];
    for number in 0..3 {
        simulation.present(Frame { chain: 7, number, interval: 1, may_tear: false, stages: stages() });
    }
    let ends = simulation.remove_chain(7);
    assert_eq!(
        ends.iter().map(|end| (end.number, end.outcome)).collect::<Vec<_>>(),
        [0, 1, 2].map(|n| (n, SimulatedOutcome::Dropped))
    );
    assert_eq!(simulation.in_flight(7), 0);
    let mut ends = Vec::new();
    simulation.advance(10_000_000_000, &mut FlipsEvenChains { all_composed: false }, &mut ends);
    assert_eq!(ends, []);
}

#[test]
fn a_copy_slows_down_when_scan_out_takes_of_its_memory() {
    let mut simulation = Simulation::new(vec![2_000_000_000], 1, vec![Screen::new(60_000, true)]);
    simulation.add_chain(0, 0, Vec::new());
    let uses = vec![Use { resource: 0, weight: 2 }];
    let stages = vec![Stage::Copy { engine: 0, bytes: 1_000_000, limit: u64::MAX / 4, uses }];
    simulation.present(Frame { chain: 0, number: 0, interval: 1, may_tear: false, stages });
    let mut ends = Vec::new();
    // Half of the bytes at 1 GB/s, the other half at 0.25 GB/s.
    simulation.advance(500_000, &mut FlipsEvenChains { all_composed: false }, &mut ends);
    simulation.set_capacity(0, 500_000_000);
    simulation.advance(10_000_000, &mut FlipsEvenChains { all_composed: false }, &mut ends);
    assert_eq!(ends.iter().filter_map(|end| end.ready_at_ns).collect::<Vec<_>>(), [500_000 + 2_000_000]);
}

/// Compositor that composes first, and flips after a number of queries.
struct FlipsAfter {
    queries: u32,
    flips_after: u32,
}

impl Compositor for FlipsAfter {
    fn flips(&mut self, _: u64) -> bool {
        self.queries += 1;
        self.queries > self.flips_after
    }
}

#[test]
fn frames_stay_in_order_where_composition_turns_into_scan_out() {
    for may_tear in [false, true] {
        for flips_after in 0..8 {
            let mut simulation = Simulation::new(vec![1_000_000_000], 2, vec![Screen::new(60_000, false)]);
            let composition = vec![Stage::Work { engine: 1, ns: 2_000_000 }];
            simulation.add_chain(7, 0, composition);
            let (mut compositor, mut ends) = (FlipsAfter { queries: 0, flips_after }, Vec::new());
            for number in 0..6 {
                simulation.advance(number * 9_000_000, &mut compositor, &mut ends);
                let stages = vec![Stage::Work { engine: 0, ns: 1_000_000 }];
                simulation.present(Frame { chain: 7, number, interval: 0, may_tear, stages });
            }
            simulation.advance(1_000_000_000, &mut compositor, &mut ends);
            assert_eq!(ends.len(), 6, "{ends:?}");
            for pair in shown(&ends, 7).windows(2) {
                let apart = pair[0].ended_at_ns < pair[1].ended_at_ns || pair[1].outcome == SimulatedOutcome::Torn;
                assert!(pair[0].number < pair[1].number && apart, "{flips_after}: {pair:?}");
            }
        }
    }
}
