//! Advance of simulated time.

use super::frame_end::frame_ended;
use super::presents::{AtRefresh, Presents};
use super::state::DisplayState;
use crate::context::Context;
use taut_schemas::FlipCaps;

impl DisplayState {
    /// Advances simulated time; returns the time of the next event.
    pub(super) fn advance(&mut self, context: &mut Context<'_>, until_ns: u64) -> u64 {
        // Drivers may have started or stopped since the last advance.
        self.update_unchecked_flips();
        let Presents { displays, chains, simulation, .. } = &mut self.presents;
        let Some(simulation) = simulation else { return u64::MAX };
        let mut ends = Vec::new();
        // One event at a time, so that marks are in order of time.
        loop {
            let at_ns = simulation.next_at_ns().map_or(until_ns, |next| next.min(until_ns));
            let mut compositor = AtRefresh { context: &mut *context, displays, chains };
            simulation.advance(at_ns, &mut compositor, &mut ends);
            for end in ends.drain(..) {
                if let Some(chain) = chains.get_mut(&end.chain) {
                    chain.application.ended(&end);
                    let route = chain.route(displays.get(chain.display as usize));
                    let comparison = chain.comparer.compare(context, &end, route);
                    context.mark(&frame_ended(&end, route, comparison));
                }
            }
            if simulation.now_ns() >= until_ns && simulation.next_at_ns().is_none_or(|next| next > until_ns) {
                return simulation.next_at_ns().unwrap_or(u64::MAX);
            }
        }
    }

    fn update_unchecked_flips(&mut self) {
        let unasked: Vec<(u64, Option<bool>)> = self
            .presents
            .chains
            .iter()
            .map(|(id, chain)| {
                let kernel = self.started(chain.display_adapter);
                let flips = kernel.is_some_and(|kernel| kernel.caps.flip_caps.contains(FlipCaps::FLIP_INDEPENDENT));
                let has_check = kernel.is_some_and(|kernel| kernel.functions.check_multiplane_overlay_support3);
                (*id, (!has_check).then_some(flips))
            })
            .collect();
        for (id, flips) in unasked {
            if let Some(chain) = self.presents.chains.get_mut(&id) {
                chain.flips_without_check = flips;
            }
        }
    }
}
