//! Events of the file that have no description.

use super::figures::UndecodedFigures;
use serde_json::Value;
use taut_traces::Trace;

/// Name of records without a provider.
const KERNEL: &str = "Windows Kernel";

/// Numbers that the import stored in the workload parameters.
pub(super) struct Counts<'t> {
    trace: &'t Trace,
    entries: &'t [Value],
}

impl<'t> Counts<'t> {
    pub fn new(trace: &'t Trace) -> Self {
        let counts = trace.header().world.workload.parameters.get("counts").and_then(Value::as_array);
        Self { trace, entries: counts.map_or(&[], Vec::as_slice) }
    }

    /// Events of the file.
    pub fn file_events(&self) -> u64 {
        self.entries.iter().filter_map(|entry| entry["number"].as_u64()).fold(0, u64::saturating_add)
    }

    /// Kinds without a description, most frequent first.
    pub fn undecoded(&self) -> Vec<UndecodedFigures> {
        let is_undecoded = |entry: &&Value| entry["described"] == Value::Bool(false);
        let number = |entry: &Value, key: &str| entry[key].as_u64().unwrap_or_default();
        let kind = |entry: &Value| UndecodedFigures {
            provider: self.provider(entry["provider"].as_str()),
            id: number(entry, "id"),
            version: number(entry, "version"),
            events: number(entry, "number"),
        };
        let mut kinds: Vec<UndecodedFigures> = self.entries.iter().filter(is_undecoded).map(kind).collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.events));
        kinds
    }

    fn provider(&self, guid: Option<&str>) -> String {
        let Some(guid) = guid else { return KERNEL.to_owned() };
        let mut providers = self.trace.header().schema.providers.iter();
        let named = providers.find(|provider| provider.uuid.eq_ignore_ascii_case(guid));
        named.map_or_else(|| guid.to_owned(), |provider| provider.name.clone())
    }
}
