//! Differences between the present paths of two traces, by swap chain.

use super::FigureDiff;
use serde::Serialize;
use serde_json::Value;

/// A swap chain with other figures in the report `present`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SwapChainDiff {
    /// Index of the swap chain in both traces, in order of creation, from 1.
    pub place: u64,
    /// The differing figures, in the order of `COMPARED`; null where a trace lacks one. The median latency is among them
    /// even if it is equal: a saved copy may become wait for the refresh.
    pub figures: Vec<FigureDiff>,
}

/// Keys of the report's figures that are compared. Times are simulated, so equal inputs give equal times.
const COMPARED: &[&str] = &[
    "path",
    "reason",
    "width",
    "height",
    "format",
    "copies",
    "bytes_copied",
    "dram_gb_per_s",
    "link_gb_per_s",
    "latency.p50_ns",
    "latency.p95_ns",
    "latency.p99_ns",
    "latency.max_ns",
    "copy_1.p50_ns",
    "copy_2.p50_ns",
    "engine_wait.p50_ns",
    "sync.p50_ns",
    "composition.p50_ns",
    "refresh_wait.p50_ns",
    "frame_time.mean_ns",
    "frame_time.p50_ns",
    "frame_time.p95_ns",
    "frame_time.p99_ns",
    "low_1_percent_frames_per_s",
    "low_01_percent_frames_per_s",
    "stutter_ratio",
    "animation_error.p95_ns",
    "application",
    "as_logged",
    "otherwise",
    "not_played",
    "generated_frames",
    "frames",
    "frames_per_s",
    "flipped",
    "composed",
    "torn",
    "dropped",
];

/// Figure that is listed although it is equal.
const LATENCY: &str = "latency.p50_ns";

/// Compares the swap chains of two documents of reports.
pub fn diff_presents(a: &Value, b: &Value) -> Vec<SwapChainDiff> {
    let chains = |reports: &Value| -> Vec<Value> {
        let chains = reports.pointer("/present/swap_chains").and_then(Value::as_array);
        chains.cloned().unwrap_or_default()
    };
    let (chains_a, chains_b) = (chains(a), chains(b));
    let pairs = (0..chains_a.len().max(chains_b.len())).map(|place| (chains_a.get(place), chains_b.get(place)));
    let differences = (1..).zip(pairs).map(|(place, (a, b))| SwapChainDiff { place, figures: differences(a, b) });
    differences.filter(|chain| !chain.figures.is_empty()).collect()
}

fn differences(a: Option<&Value>, b: Option<&Value>) -> Vec<FigureDiff> {
    let of = |chain: Option<&Value>, key: &str| {
        let pointer = format!("/{}", key.replace('.', "/"));
        chain.and_then(|chain| chain.pointer(&pointer)).cloned().unwrap_or(Value::Null)
    };
    let figures = COMPARED.iter().map(|key| FigureDiff { figure: (*key).to_owned(), a: of(a, key), b: of(b, key) });
    let mut found: Vec<FigureDiff> =
        figures.filter(|one| one.a != one.b || one.figure == LATENCY && !one.a.is_null()).collect();
    if found.iter().all(|figure| figure.a == figure.b) {
        found.clear();
    }
    found
}

impl SwapChainDiff {
    /// A sentence on the most important differences: path, memory traffic, latency and frame times; others are only
    /// mentioned.
    pub(super) fn sentence(&self) -> String {
        let figure = |key: &str| self.figures.iter().find(|figure| figure.figure == key);
        let path_name = |value: &Value| value.as_str().map_or_else(|| "nothing".to_owned(), str::to_owned);
        let per_second = |value: &Value| value.as_f64().map_or_else(|| "–".to_owned(), |rate| format!("{rate:.3}"));
        let ms = |value: &Value| value.as_f64().map_or_else(|| "–".to_owned(), |ns| format!("{:.3}", ns / 1e6));
        let mut parts = Vec::new();
        if let Some(path) = figure("path") {
            parts.push(format!("{} became {}", path_name(&path.a), path_name(&path.b)));
        }
        if let Some(dram) = figure("dram_gb_per_s") {
            parts.push(format!("memory traffic {} became {} GB/s", per_second(&dram.a), per_second(&dram.b)));
        }
        if let Some(latency) = figure(LATENCY) {
            parts.push(match latency.a == latency.b {
                true => format!("median latency stayed {} ms", ms(&latency.a)),
                false => format!("median latency {} became {} ms", ms(&latency.a), ms(&latency.b)),
            });
        }
        if let Some(frame) = figure("frame_time.p50_ns") {
            parts.push(format!("p50 frame time {} became {} ms", ms(&frame.a), ms(&frame.b)));
        }
        if let Some(low) = figure("low_1_percent_frames_per_s") {
            let lows =
                [&low.a, &low.b].map(|low| low.as_f64().map_or_else(|| "–".to_owned(), |low| format!("{low:.1}")));
            parts.push(format!("1 % low {} became {} frames per second", lows[0], lows[1]));
        }
        if parts.is_empty() {
            parts.push("other figures differ".to_owned());
        }
        format!("of swap chain {} {}", self.place, parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reports(chains: &[Value]) -> Value {
        json!({ "present": { "swap_chains": chains } })
    }

    #[test]
    fn swap_chains_are_compared_by_path_traffic_and_simulated_time() {
        let two = json!({"path": "two copies", "copies": 2, "dram_gb_per_s": 10.5, "latency": {"p50_ns": 9_000_000}});
        let one = json!({"path": "one copy", "copies": 1, "dram_gb_per_s": 5.25, "latency": {"p50_ns": 8_000_000}});
        let found = diff_presents(&reports(std::slice::from_ref(&two)), &reports(&[one]));
        let keys: Vec<_> = found[0].figures.iter().map(|figure| figure.figure.as_str()).collect();
        assert_eq!((found.len(), keys), (1, vec!["path", "copies", "dram_gb_per_s", "latency.p50_ns"]));
        let sentence = "of swap chain 1 two copies became one copy, memory traffic 10.500 became 5.250 GB/s, \
                        median latency 9.000 became 8.000 ms";
        assert_eq!(found[0].sentence(), sentence);
        assert!(diff_presents(&reports(std::slice::from_ref(&two)), &reports(&[two])).is_empty());
    }

    #[test]
    fn the_median_latency_is_listed_although_it_is_equal() {
        let chain = |copies: u64| json!({"copies": copies, "latency": {"p50_ns": 30_900_000}});
        let found = diff_presents(&reports(&[chain(2)]), &reports(&[chain(1)]));
        let keys: Vec<_> = found[0].figures.iter().map(|figure| figure.figure.as_str()).collect();
        assert_eq!(keys, ["copies", LATENCY]);
        assert_eq!(found[0].sentence(), "of swap chain 1 median latency stayed 30.900 ms");
    }

    #[test]
    fn a_swap_chain_that_one_trace_lacks_is_a_difference() {
        let chain = json!({"path": "one copy", "copies": 1});
        let found = diff_presents(&json!({}), &reports(&[chain]));
        assert_eq!((found[0].place, &found[0].figures[0].a), (1, &Value::Null));
        assert_eq!(found[0].sentence(), "of swap chain 1 nothing became one copy");
    }
}
