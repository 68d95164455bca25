//! Checks of the settings of reports.

use taut_analyze::background::FitSettings;
use taut_schemas::HeapType;

/// Heap types that can have a budget.
const TYPES: [HeapType; 5] =
    [HeapType::DEFAULT, HeapType::UPLOAD, HeapType::READBACK, HeapType::CUSTOM, HeapType::GPU_UPLOAD];

/// Finds a heap type that can have a budget.
///
/// # Errors
/// There is no such type. The text names the expected ones.
pub fn heap_type(name: &str) -> Result<HeapType, String> {
    let named = |heap_type: &HeapType| format!("{heap_type:?}").eq_ignore_ascii_case(name);
    let names = TYPES.map(|heap_type| format!("{heap_type:?}")).join(", ");
    TYPES.into_iter().find(named).ok_or_else(|| format!("expected one of {names}"))
}

/// Checks the compression of scan-out reads.
///
/// # Errors
/// The ratio is not allowed. The text has the expected range, as that of [`energy`].
pub fn scan_out_ratio(ratio: f64) -> Result<f64, String> {
    let ratio = Some(ratio).filter(|ratio| *ratio > 0.0 && *ratio <= 1.0);
    ratio.ok_or_else(|| "expected a number above 0 and at most 1".to_owned())
}

/// Checks the energy of a byte.
///
/// # Errors
/// The energy is not allowed.
pub fn energy(picojoules: f64) -> Result<f64, String> {
    let energy = Some(picojoules).filter(|energy| energy.is_finite() && *energy >= 0.0);
    energy.ok_or_else(|| "expected a number that is not below 0".to_owned())
}

/// Conditions of a stable run: repeated frames, and the difference of their cost in percent; `None` for a default.
pub fn fit_settings(frames: Option<u64>, tolerance_percent: Option<f64>) -> FitSettings {
    let default = FitSettings::default();
    FitSettings {
        frames_needed: frames.unwrap_or(default.frames_needed),
        tolerance_ratio: tolerance_percent.map_or(default.tolerance_ratio, |percent| percent / 100.0),
    }
}
