//! Change that reduces a figure of memory at the peak, with the value of the figure after the change.

use super::causes::HEAP_STEP_BYTES;
use super::growth::{Restorable, at_peak, restorable};
use super::{AlignmentFigures, Cause, CauseFigures, Change, ChangeFigures};
use crate::render::counted;
use crate::reports::contributors::{list, text};
use crate::reports::verdict::listed;
use crate::reports::{BudgetChange, Found};
use serde_json::Value;

/// Returns the change that reduces the figure at a path in the report: to restore lost flags, or else the first change
/// that the causes of waste recommend. `None` for figures that neither reduces.
pub(super) fn budget_change(place: &str, found: &Found<'_>) -> Option<BudgetChange> {
    let key = reduced_key(place, found.figures)?;
    let peak = &found.figures[AlignmentFigures::KEY.peak];
    let lost = found.baseline.and_then(|baseline| restorable(place, found.figures, baseline));
    let reduction = match lost {
        Some(Restorable { resources, bytes }) => Reduction {
            action: format!("restore USE_TIGHT_ALIGNMENT in {}", counted(resources, "resource")),
            bytes,
            frees_inside_heaps: peak["placed"].as_u64().unwrap_or_default() > 0,
            // The baseline's heaps have the sizes that its resources need.
            heaps: 0,
        },
        None => recommended(key, found.figures)?,
    };
    let Reduction { action, bytes, frees_inside_heaps, heaps } = reduction;
    if key != "real_bytes" || !frees_inside_heaps {
        return Some(BudgetChange { action, value: reduced(key, peak, bytes)? });
    }
    let action = format!("{action} and create heaps of the sizes that they then need");
    Some(BudgetChange { action, value: reduced(key, peak, bytes - i128::from(heaps) * i128::from(HEAP_STEP_BYTES))? })
}

/// A change with its saving.
struct Reduction {
    action: String,
    bytes: i128,
    /// True if a part of the memory becomes free inside heaps, which stay allocated until they shrink.
    frees_inside_heaps: bool,
    /// Number of heaps that may then be up to a granule larger than their resources.
    heaps: u64,
}

/// Key of the figure at a path, if alignment contributes to it at the peak of resource memory.
fn reduced_key<'p>(place: &'p str, figures: &Value) -> Option<&'p str> {
    let (moment, key) = place.split_once('.')?;
    let known = ["real_bytes", "in_use_bytes", "allocated_bytes", "rounding_bytes", "waste_ratio"].contains(&key);
    (known && at_peak(moment, key, figures)).then_some(key)
}

/// First change of the causes, for all causes in a row that it reduces, with its saving in bytes.
fn recommended(key: &str, figures: &Value) -> Option<Reduction> {
    let (cause_key, change_key) = (CauseFigures::KEY, ChangeFigures::KEY);
    let change = |cause: &Value| Change::named(text(&cause[cause_key.changes][0][change_key.change]));
    let causes = list(&figures[AlignmentFigures::KEY.causes]);
    let first = change(causes.first()?)?;
    let mut subjects = Vec::new();
    let mut bytes: i128 = 0;
    let mut frees_inside_heaps = false;
    // New heaps are blocks: what placement does not reclaim is in their tails, which no other sizes avoid.
    let is_placement = matches!(first, Change::Placed | Change::PlacedTight);
    let amount = |figures: &Value, key: &str| i128::from(figures[key].as_u64().unwrap_or_default());
    for cause_figures in causes.iter().take_while(|cause| change(cause) == Some(first)) {
        let cause = Cause::named(text(&cause_figures[cause_key.name]))?;
        // Changes of free memory in heaps reduce none of these figures but the allocated memory.
        let is_in_resources = match cause {
            Cause::CommittedGranularity => ["waste_ratio", "in_use_bytes"].contains(&key),
            cause => cause.is_rounding(),
        };
        if key != "real_bytes" && !is_in_resources {
            return None;
        }
        subjects.push(cause.counted(cause_figures[cause_key.count].as_u64().unwrap_or_default()));
        let change = &cause_figures[cause_key.changes][0];
        let saving = amount(cause_figures, cause_key.cumulative_saving_bytes);
        let reclaimed = amount(change, change_key.reclaimed_bytes);
        frees_inside_heaps |= !is_placement && reclaimed < amount(change, change_key.saving_bytes);
        bytes += if is_placement && key == "real_bytes" { saving.min(reclaimed) } else { saving };
    }
    let heaps = figures[AlignmentFigures::KEY.peak]["heaps"].as_u64().unwrap_or_default();
    let action = format!("{} for {}", first.in_brief(), listed(&subjects));
    (bytes > 0).then_some(Reduction { action, bytes, frees_inside_heaps, heaps })
}

/// Value of the figure without these bytes of waste.
fn reduced(key: &str, peak: &Value, bytes: i128) -> Option<f64> {
    let number = |key: &str| peak[key].as_f64();
    let bytes = bytes as f64;
    if key != "waste_ratio" {
        return Some((number(key)? - bytes).max(0.0));
    }
    // The ratio's denominator contains the waste too.
    let wasted =
        ["rounding_bytes", "granularity_bytes", "padding_bytes"].iter().filter_map(|key| number(key)).sum::<f64>();
    let ratio = number(key).filter(|ratio| *ratio > 0.0)?;
    let whole = wasted / ratio;
    (whole > bytes).then(|| ((wasted - bytes) / (whole - bytes)).max(0.0))
}
