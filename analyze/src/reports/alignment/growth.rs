//! Differences of a figure from a baseline, split into causes: the largest first.

use super::{AlignmentFigures, Cause, PeakClass, ResourceFigures, Snapshot};
use crate::render::{binary_bytes, counted, grouped};
use crate::reports::contributors::{NAMED, list};
use serde_json::Value;
use std::cmp::Reverse;

/// Parts of the memory at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Data,
    Rounding,
    Granularity,
    Padding,
    Holes,
    Tails,
    /// Memory shared by aliasing, which reduces the sum.
    Overlap,
}

/// A change of one part since the baseline.
pub(super) struct Growth {
    bytes: i128,
    pub text: String,
    /// True for requested bytes, which have no cause but the application's resources.
    pub is_data: bool,
}

/// Returns the changes since the baseline that add up to the change of the figure at a path in the report, the largest
/// growth first. `figures` and `baseline` are the figures of the report in both traces. Empty if
/// the figure is none of memory at the peak.
pub(super) fn growth(place: &str, figures: &Value, baseline: &Value) -> Vec<Growth> {
    let Some(kinds) = kinds(place, figures, baseline) else { return Vec::new() };
    let mut parts: Vec<Growth> = kinds.iter().flat_map(|kind| kind.growth(figures, baseline)).collect();
    parts.retain(|part| part.bytes != 0);
    let whole: i128 = parts.iter().map(|part| part.bytes).sum();
    // Parts that changed in the direction of the figure come first.
    parts.sort_by_key(|part| Reverse(if whole < 0 { -part.bytes } else { part.bytes }));
    parts.truncate(NAMED);
    parts
}

/// Resources that no longer use USE_TIGHT_ALIGNMENT, and the growth of a figure that the flag reverts.
pub(super) struct Restorable {
    pub resources: u64,
    pub bytes: i128,
}

/// Returns the resources that have lost the flag; `None` if the loss does not contribute to the growth of the figure at
/// this path.
pub(super) fn restorable(place: &str, figures: &Value, baseline: &Value) -> Option<Restorable> {
    let kinds = kinds(place, figures, baseline).filter(|kinds| kinds.contains(&Kind::Rounding))?;
    let sum = |kind: &Kind| kind.growth(figures, baseline).iter().map(|part| part.bytes).sum::<i128>();
    let whole: i128 = kinds.iter().map(sum).sum();
    let resources = lost_flags(figures, baseline);
    // Other parts may have shrunk, such as tails of heaps that tight resources did not fill.
    let bytes = sum(&Kind::Rounding).min(whole);
    (resources > 0 && bytes > 0).then_some(Restorable { resources, bytes })
}

/// Number of resources that no longer use USE_TIGHT_ALIGNMENT, over all classes at the peak: a resource without the flag
/// may be of another class.
fn lost_flags(figures: &Value, baseline: &Value) -> u64 {
    let sum = |figures: &Value, key: fn(&Class) -> u64| -> u64 {
        Cause::ALL.iter().map(|cause| key(&Class::new(figures, *cause))).sum()
    };
    let without = |figures: &Value| sum(figures, |class| class.resources - class.tight.min(class.resources));
    let lost = sum(baseline, |class| class.tight).saturating_sub(sum(figures, |class| class.tight));
    lost.min(without(figures))
}

/// The largest cause of the change of the peaks; `None` without a change.
pub(in crate::reports) fn largest_growth(figures: &Value, baseline: &Value) -> Option<String> {
    // Heaps and resources may have their peaks at different moments; the causes are those of the latter. Changes of
    // resources come first: heaps of fixed sizes hide them.
    let all = ["peak.in_use_bytes", "peak_real.real_bytes"];
    all.into_iter().find_map(|place| growth(place, figures, baseline).into_iter().next().map(|first| first.text))
}

/// The parts that add up to a figure; `None` for a figure that is not at the peak.
fn kinds(place: &str, figures: &Value, baseline: &Value) -> Option<&'static [Kind]> {
    use Kind::{Data, Granularity, Holes, Overlap, Padding, Rounding, Tails};
    let keys: Vec<&str> = place.split('.').collect();
    let [moment, key] = match keys[..] {
        ["peaks", key, "value"] => ["peaks", key],
        [moment, key] => [moment, key],
        _ => return None,
    };
    // A dump has no requested sizes.
    let has_data =
        |figures: &Value| !figures[AlignmentFigures::KEY.peak][ResourceFigures::KEY.requested_bytes].is_null();
    if ![figures, baseline].into_iter().all(|figures| at_peak(moment, key, figures) && has_data(figures)) {
        return None;
    }
    let kinds: &'static [Kind] = match key {
        "requested_bytes" => &[Data],
        "rounding_bytes" => &[Rounding],
        "allocated_bytes" => &[Data, Rounding],
        "in_use_bytes" => &[Data, Rounding, Granularity],
        "real_bytes" => &[Data, Rounding, Granularity, Padding, Holes, Tails, Overlap],
        "total_bytes" => &[Data, Rounding, Padding, Holes, Tails, Overlap],
        "waste_ratio" => &[Rounding, Granularity, Padding],
        "granularity_bytes" => &[Granularity],
        "padding_bytes" => &[Padding],
        "hole_bytes" => &[Holes],
        "tail_bytes" => &[Tails],
        _ => return None,
    };
    Some(kinds)
}

/// True if the figure `key` of `moment` has the value of the peak of resource memory.
pub(super) fn at_peak(moment: &str, key: &str, figures: &Value) -> bool {
    let peak = &figures[AlignmentFigures::KEY.peak];
    let at_stamp = &peak[Snapshot::KEY.at_stamp];
    let stamp = if moment == "peaks" { &figures[moment][key]["at_stamp"] } else { &figures[moment]["at_stamp"] };
    // A figure that is equal at both moments has the parts of the peak.
    let is_equal = moment != "peaks" && !peak[key].is_null() && figures[moment][key] == peak[key];
    !at_stamp.is_null() && (stamp == at_stamp || is_equal)
}

impl Kind {
    fn growth(self, figures: &Value, baseline: &Value) -> Vec<Growth> {
        let sum = |key: &str, name: &str| {
            let of = |figures: &Value| number(&figures[AlignmentFigures::KEY.peak][key]);
            vec![Growth::new(of(figures) - of(baseline), name)]
        };
        match self {
            Kind::Data => vec![data(figures, baseline)],
            Kind::Rounding => rounding(figures, baseline),
            Kind::Granularity => sum(
                ResourceFigures::KEY.granularity_bytes,
                "implicit heaps of committed resources, rounded up to pages",
            ),
            Kind::Padding => sum("padding_bytes", "padding before aligned resources in heaps"),
            Kind::Holes => sum("hole_bytes", "free gaps between resources in heaps"),
            Kind::Tails => sum("tail_bytes", "unused tails of heaps"),
            Kind::Overlap => {
                let of = |figures: &Value| number(&figures[AlignmentFigures::KEY.peak]["overlap_bytes"]);
                vec![Growth::new(of(baseline) - of(figures), "memory shared by aliasing")]
            }
        }
    }
}

impl Growth {
    fn new(bytes: i128, what: &str) -> Growth {
        Growth { bytes, text: format!("{} {what}", signed(bytes)), is_data: false }
    }
}

/// Change of the requested bytes, with the change of the number of resources.
fn data(figures: &Value, baseline: &Value) -> Growth {
    let peak = |figures: &Value, key: &str| number(&figures[AlignmentFigures::KEY.peak][key]);
    let of = |key: &str| peak(figures, key) - peak(baseline, key);
    let resources = match of(ResourceFigures::KEY.resources) {
        0 => String::new(),
        more => {
            let count = counted(u64::try_from(more.unsigned_abs()).unwrap_or(u64::MAX), "resource");
            let (count, noun) = count.split_once(' ').unwrap_or((&count, "resources"));
            format!(" in {count} {} {noun}", if more > 0 { "more" } else { "fewer" })
        }
    };
    Growth { is_data: true, ..Growth::new(of(ResourceFigures::KEY.requested_bytes), &format!("data{resources}")) }
}

/// Changes of the rounding, class by class.
fn rounding(figures: &Value, baseline: &Value) -> Vec<Growth> {
    let classes = |cause: &Cause| [figures, baseline].map(|figures| Class::new(figures, *cause));
    Cause::ALL.iter().map(|cause| of_class(*cause, classes(cause))).collect()
}

/// A class of resources at the peak; zero if there are none.
struct Class {
    resources: u64,
    tight: u64,
    rounding_bytes: i128,
}

impl Class {
    fn new(figures: &Value, cause: Cause) -> Class {
        let key = PeakClass::KEY;
        let mut classes = list(&figures[AlignmentFigures::KEY.peak_classes]).iter();
        let class = classes.find(|class| class[key.name] == cause.name()).unwrap_or(&Value::Null);
        let count = |key: &str| class[key].as_u64().unwrap_or_default();
        let rounding_bytes = number(&class[key.allocated_bytes]) - number(&class[key.requested_bytes]);
        Class { resources: count(key.resources), tight: count(key.tight), rounding_bytes }
    }

    /// Number of resources of a class, new and old, that have lost the tight flag.
    fn lost([new, old]: &[Class; 2]) -> u64 {
        old.tight.saturating_sub(new.tight).min(new.resources - new.tight.min(new.resources))
    }
}

fn of_class(cause: Cause, classes: [Class; 2]) -> Growth {
    // Resources that have lost or gained the flag explain the change better than the number of all resources.
    let lost = Class::lost(&classes);
    let [new, old] = classes;
    let bytes = new.rounding_bytes - old.rounding_bytes;
    let gained = new.tight.saturating_sub(old.tight).min(old.resources - old.tight.min(old.resources));
    let what = match (new.resources, old.resources) {
        _ if bytes > 0 && lost > 0 => {
            format!("{} that no longer {} USE_TIGHT_ALIGNMENT", cause.counted(lost), uses(lost))
        }
        _ if bytes < 0 && gained > 0 => {
            format!("{} that now {} USE_TIGHT_ALIGNMENT", cause.counted(gained), uses(gained))
        }
        (0, old) => format!("{} of the baseline, 0 in this trace", cause.counted(old)),
        (new, old) if new != old => format!("{}, {} in the baseline", cause.counted(new), grouped(old)),
        (new, _) => cause.counted(new),
    };
    Growth::new(bytes, &format!("rounding in {what}"))
}

fn uses(count: u64) -> &'static str {
    if count == 1 { "uses" } else { "use" }
}

fn number(value: &Value) -> i128 {
    value.as_i64().map_or_else(|| value.as_u64().unwrap_or_default().into(), i128::from)
}

fn signed(bytes: i128) -> String {
    let sign = if bytes < 0 { "-" } else { "+" };
    format!("{sign}{}", binary_bytes(u64::try_from(bytes.unsigned_abs()).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Figures of a report whose peak has one class of buffers and a tail.
    fn report((resources, tight, allocated_bytes): (u64, u64, u64), tail_bytes: u64) -> Value {
        json!({
            "peak": {"at_stamp": 7, "resources": resources, "requested_bytes": 100 * resources, "tail_bytes": tail_bytes},
            "peak_real": {"at_stamp": 9},
            "peak_classes": [{"name": "buffers_below_256_b", "resources": resources, "tight": tight,
                "requested_bytes": 100 * resources, "allocated_bytes": allocated_bytes}],
        })
    }

    #[test]
    fn resources_that_lost_the_tight_flag_are_named_and_the_largest_growth_comes_first() {
        let (baseline, new) = (report((8, 8, 2048), 0), report((9, 1, 524_544), 700_000));
        let parts = growth("peak.real_bytes", &new, &baseline);
        assert_eq!(parts.iter().map(|part| part.is_data).collect::<Vec<_>>(), [false, false, true]);
        assert_eq!(
            parts.into_iter().map(|part| part.text).collect::<Vec<_>>(),
            [
                "+684 KiB unused tails of heaps",
                "+510 KiB rounding in 7 buffers below 256 B that no longer use USE_TIGHT_ALIGNMENT",
                "+100 B data in 1 more resource",
            ]
        );
        let lost = restorable("peak.in_use_bytes", &new, &baseline).unwrap();
        assert_eq!((lost.resources, lost.bytes), (7, 524_544 - 900 - (2048 - 800)));
        assert!(restorable("peak.in_use_bytes", &baseline, &new).is_none(), "a figure that fell");
        assert!(restorable("peak.tail_bytes", &new, &baseline).is_none(), "no part of the figure");
        let [less] = &growth("peak.rounding_bytes", &baseline, &new)[..] else { panic!("one part") };
        assert_eq!(less.text, "-510 KiB rounding in 7 buffers below 256 B that now use USE_TIGHT_ALIGNMENT");
    }

    #[test]
    fn a_figure_at_another_moment_has_no_causes_at_the_peak() {
        let (baseline, new) = (report((8, 8, 2048), 0), report((8, 0, 524_288), 0));
        assert!(growth("peak_real.real_bytes", &new, &baseline).is_empty());
        let equal = |mut report: Value, bytes: u64| {
            report["peak"]["real_bytes"] = json!(bytes);
            report["peak_real"]["real_bytes"] = json!(bytes);
            report
        };
        let [equal_new, equal_baseline] = [equal(new.clone(), 524_288), equal(baseline.clone(), 2048)];
        assert!(!growth("peak_real.real_bytes", &equal_new, &equal_baseline).is_empty(), "equal at both moments");
        assert!(growth("time_weighted.real_bytes", &new, &baseline).is_empty());
        assert!(growth("peak.heaps", &new, &baseline).is_empty());
        let mut dump = new.clone();
        dump["peak"]["requested_bytes"] = Value::Null;
        assert!(growth("peak.real_bytes", &dump, &baseline).is_empty());
    }
}
