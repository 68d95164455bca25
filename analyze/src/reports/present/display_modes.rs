//! Modes of a display over time.

use crate::presents::{Display, ModeChange};
use taut_schemas::AdapterId;

/// A display mode with its start in nanoseconds of simulated time.
#[derive(Debug, Clone, Copy)]
struct Mode {
    from_ns: u64,
    width: u32,
    height: u32,
    refresh_millihertz: u64,
    rotation_degrees: u32,
}

impl Mode {
    fn refreshes_per_s(&self) -> f64 {
        self.refresh_millihertz as f64 / 1e3
    }

    /// Size of the desktop at 4 bytes per pixel.
    fn desktop_bytes(&self) -> f64 {
        f64::from(self.width) * f64::from(self.height) * 4.0
    }
}

/// Average rates of a display over a time range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DisplayRates {
    pub refreshes_per_s: f64,
    /// Scan-out traffic in bytes per second, if each refresh reads the whole desktop.
    pub desktop_bytes_per_s: f64,
}

/// A display and its modes.
#[derive(Debug, Clone)]
pub(super) struct DisplayModes {
    /// Id of the adapter that drives the display.
    pub adapter: AdapterId,
    /// Modes in order of their start; never empty.
    modes: Vec<Mode>,
}

impl DisplayModes {
    pub fn new(at_ns: u64, display: &Display) -> DisplayModes {
        let Display { adapter, width, height, refresh_millihertz, rotation_degrees } = *display;
        let mode = Mode { from_ns: at_ns, width, height, refresh_millihertz, rotation_degrees };
        DisplayModes { adapter, modes: vec![mode] }
    }

    /// Changes the mode. The runtime rejects invalid modes, which are ignored here.
    pub fn change(&mut self, at_ns: u64, change: &ModeChange) {
        let ModeChange { width, height, refresh_millihertz, rotation_degrees, .. } = *change;
        if width > 0 && height > 0 && refresh_millihertz > 0 {
            self.modes.push(Mode { from_ns: at_ns, width, height, refresh_millihertz, rotation_degrees });
        }
    }

    /// Time at which the display was added.
    pub fn added_at_ns(&self) -> u64 {
        self.modes[0].from_ns
    }

    /// Rotation of the panel at a time, in degrees.
    pub fn rotation_degrees(&self, at_ns: u64) -> u32 {
        let mode = self.modes.iter().rev().find(|mode| mode.from_ns <= at_ns).unwrap_or(&self.modes[0]);
        mode.rotation_degrees
    }

    /// Pixels of the current mode.
    pub fn pixels(&self) -> u64 {
        self.modes.last().map_or(0, |mode| u64::from(mode.width) * u64::from(mode.height))
    }

    /// Average rates over a time range; for an empty range, the rates of the mode at that time.
    pub fn shows(&self, from_ns: u64, to_ns: u64) -> DisplayRates {
        let ends = self.modes.iter().skip(1).map(|next| next.from_ns).chain([u64::MAX]);
        let stretches = self.modes.iter().zip(ends).map(|(mode, end_ns)| {
            // The first mode counts from the start of the simulation: the display has no other mode before.
            let begin_ns = if mode.from_ns == self.modes[0].from_ns { 0 } else { mode.from_ns };
            (mode, end_ns.min(to_ns).saturating_sub(begin_ns.max(from_ns)) as f64)
        });
        let whole = to_ns.saturating_sub(from_ns) as f64;
        if whole == 0.0 {
            let then = self.modes.iter().rev().find(|mode| mode.from_ns <= from_ns).unwrap_or(&self.modes[0]);
            let refreshes_per_s = then.refreshes_per_s();
            return DisplayRates { refreshes_per_s, desktop_bytes_per_s: refreshes_per_s * then.desktop_bytes() };
        }
        let mut sums = DisplayRates { refreshes_per_s: 0.0, desktop_bytes_per_s: 0.0 };
        for (mode, ns) in stretches {
            let refreshes_per_s = mode.refreshes_per_s() * (ns / whole);
            sums.refreshes_per_s += refreshes_per_s;
            sums.desktop_bytes_per_s += refreshes_per_s * mode.desktop_bytes();
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn display() -> DisplayModes {
        let rotation_degrees = 90;
        let display =
            Display { adapter: AdapterId(1), width: 100, height: 10, refresh_millihertz: 60_000, rotation_degrees };
        let mut display = DisplayModes::new(5, &display);
        display.change(
            1_000,
            &ModeChange { display: 0, width: 200, height: 10, refresh_millihertz: 120_000, rotation_degrees: 0 },
        );
        display.change(
            1_500,
            &ModeChange { display: 0, width: 0, height: 10, refresh_millihertz: 30_000, rotation_degrees },
        );
        display
    }

    #[test]
    fn refreshes_are_those_of_each_mode_for_as_long_as_it_held() {
        let refreshes = |(from_ns, to_ns)| display().shows(from_ns, to_ns).refreshes_per_s;
        assert_eq!([refreshes((0, 1_000)), refreshes((1_000, 9_000)), refreshes((0, 2_000))], [60.0, 120.0, 90.0]);
        assert_eq!([refreshes((0, 4_000)), refreshes((7, 7)), refreshes((1_000, 1_000))], [105.0, 60.0, 120.0]);
        let desktop = display().shows(0, 2_000).desktop_bytes_per_s;
        assert_eq!((desktop, display().pixels()), (30.0 * 4_000.0 + 60.0 * 8_000.0, 2_000));
        assert_eq!([0, 999, 1_000].map(|at_ns| display().rotation_degrees(at_ns)), [90, 90, 0]);
    }
}
