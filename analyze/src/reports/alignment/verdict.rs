//! Headline verdict of the alignment report: allocated memory and data at the peak, and the change to make first.

use super::{AlignmentFigures, Cause, CauseFigures, Change, ChangeFigures, Snapshot};
use crate::head::Head;
use crate::render::{binary_bytes, binary_bytes_signed, counted, percent};
use crate::reports::verdict::{listed, sentence};
use crate::reports::{Figure, Verdict};

/// Builds the verdict; `when` formats the moment of a snapshot.
pub(super) fn verdict(figures: &AlignmentFigures, head: &Head, when: &dyn Fn(&Snapshot) -> String) -> Verdict {
    // Without resources in memory, heaps may still exist: the verdict then uses their peak.
    let empty = figures.peak.all.in_use_bytes == 0;
    let at = if empty { &figures.peak_real } else { &figures.peak };
    let gaps = &figures.gaps;
    let is_dump = gaps.resources_of_snapshot > 0;
    // A dump has no requested sizes; its sentence makes no claim about them.
    let unknown = gaps.resources_without_size
        + gaps.resources_without_texel_size
        + gaps.resources_without_heap
        + gaps.releases_of_unknown_objects;
    let (allocated, wasted) = (binary_bytes(at.real_bytes), wasted_bytes(at));
    let ratio = wasted as f64 / at.real_bytes.max(1) as f64;
    let text = if is_dump {
        let resources = binary_bytes(at.all.in_use_bytes);
        format!("the dump has {allocated} allocated for {resources} of resources{}", waste(wasted, ratio, "unused"))
    } else if empty {
        let unsized_resources = match gaps.resources_without_size {
            0 => String::new(),
            count => format!("; the trace has no size of {}", counted(count, "resource")),
        };
        format!("at peak ({}): {allocated} allocated in heaps without a resource{unsized_resources}", when(at))
    } else {
        let data = binary_bytes(at.all.requested_bytes);
        let shared = match at.layout.overlap_bytes {
            0 => String::new(),
            bytes => format!(" ({} shared by aliasing)", binary_bytes(bytes)),
        };
        let waste = waste(wasted, ratio, "wasted");
        let free = match free_bytes(at) {
            bytes if bytes == 0 || wasted <= 0 => String::new(),
            bytes => format!(", {} of it free inside heaps", binary_bytes(bytes)),
        };
        format!("at peak ({}): {allocated} allocated for {data} of data{shared}{waste}{free}", when(at))
    };
    let waste = Figure::bytes_signed(if is_dump { "unused" } else { "wasted" }, wasted);
    let text_of_waste = format!("{} ({})", waste.text, percent(ratio));
    Verdict {
        sentence: sentence(head.is_whole() && unknown == 0, &text),
        figures: [
            Figure::bytes("allocated", at.real_bytes),
            match is_dump {
                true => Figure::bytes("resources", at.all.in_use_bytes),
                false => Figure::bytes("data", at.all.requested_bytes),
            },
            waste.with_text(text_of_waste),
        ],
        advice: advice(&figures.causes),
    }
}

/// Waste at a moment: the sum of the causes.
fn wasted_bytes(at: &Snapshot) -> i64 {
    let free_bytes = i64::try_from(free_bytes(at)).unwrap_or(i64::MAX);
    at.all.waste_bytes(at.layout.padding_bytes).saturating_add(free_bytes)
}

/// Part of the waste that alignment does not cause: gaps between resources in heaps, and tails of heaps.
fn free_bytes(at: &Snapshot) -> u64 {
    at.layout.hole_bytes.saturating_add(at.layout.tail_bytes)
}

fn waste(bytes: i64, ratio: f64, participle: &str) -> String {
    match bytes {
        ..=0 => format!(", nothing {participle}"),
        bytes => format!(", {} {participle} ({})", binary_bytes_signed(bytes), percent(ratio)),
    }
}

/// The change that reclaims most allocated memory; if none reclaims any, the one with the largest saving inside heaps;
/// without changes, the cause with the largest waste.
fn advice(causes: &[CauseFigures]) -> Option<String> {
    // Causes are in descending order of reclaimed bytes and saving of their first change.
    let with_change: Vec<(&CauseFigures, &ChangeFigures)> =
        causes.iter().filter_map(|cause| Some((cause, cause.changes.first()?))).collect();
    let Some((_, change)) = with_change.first() else {
        let largest = causes.iter().max_by_key(|cause| cause.waste_bytes).filter(|cause| cause.waste_bytes > 0)?;
        let waste = binary_bytes_signed(largest.waste_bytes);
        return Some(format!("Largest cause: {}, {waste}; no known change reduces it.", subject(largest)));
    };
    let same = with_change.iter().take_while(|(_, other)| is_joined(change, other)).count().max(1);
    let joined = &with_change[..same];
    let subjects: Vec<String> = joined.iter().map(|(cause, _)| subject(cause)).collect();
    let saving = match joined {
        [(_, only)] => only.saving_bytes,
        several => several.iter().fold(0, |sum: u64, (cause, _)| sum.saturating_add(cause.cumulative_saving_bytes)),
    };
    let reclaimed = match change.reclaimed_bytes {
        0 => " inside heaps; heaps of smaller sizes then reclaim it".to_owned(),
        bytes if bytes == change.saving_bytes => String::new(),
        bytes => format!(" ({} reclaimed, the rest inside heaps)", binary_bytes(bytes)),
    };
    let brief = Change::named(change.change).map_or(change.change, Change::in_brief);
    let is_rounding = joined.iter().all(|(cause, _)| Cause::named(cause.name).is_some_and(Cause::is_rounding));
    let why = if is_rounding { ", whose sizes alignment rounds up" } else { "" };
    let saved = format!("{brief} saves {}{reclaimed}{}", binary_bytes(saving), with_placement(joined));
    Some(format!("Fix first: {}{why}; {saved}.", listed(&subjects)))
}

/// The second step after tight alignment of committed resources: placement saves the pages of their implicit heaps.
fn with_placement(joined: &[(&CauseFigures, &ChangeFigures)]) -> String {
    let more = joined.iter().map(|(cause, first)| {
        let is_tight = Change::named(first.change) == Some(Change::Tight);
        let placed = cause.changes.iter().find(|change| Change::named(change.change) == Some(Change::PlacedTight));
        match placed {
            Some(placed) if is_tight && first.reclaimed_bytes > 0 => {
                placed.saving_bytes.saturating_sub(first.saving_bytes)
            }
            _ => 0,
        }
    });
    match more.fold(0, u64::saturating_add) {
        0 => String::new(),
        bytes => format!(", and their placement in shared heaps up to {} more", binary_bytes(bytes)),
    }
}

/// True if the advice joins the causes of two first changes: the changes are the same one, and both reclaim all that
/// they save, or nothing, so that the sum has one statement on reclaimed memory.
fn is_joined(first: &ChangeFigures, other: &ChangeFigures) -> bool {
    let reclaims = |change: &ChangeFigures| match change.reclaimed_bytes {
        0 => Some(false),
        bytes if bytes == change.saving_bytes => Some(true),
        _ => None,
    };
    first.change == other.change && reclaims(first).is_some() && reclaims(first) == reclaims(other)
}

/// The resources, gaps or heaps of a cause, with their number.
pub(super) fn subject(cause: &CauseFigures) -> String {
    Cause::named(cause.name).map_or_else(|| cause.name.to_owned(), |known| known.counted(cause.count))
}
