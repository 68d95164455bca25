//! Side-by-side comparison of several traces: one row per figure, with deltas from the first trace.

mod rows;

use crate::render::{TextTable, binary_bytes, decimal_bytes, grouped, percent, percent_signed};
use crate::reports::alignment;
use crate::reports::verdict::{NO_VALUE, listed};
use rows::{ComparedMoment, ROWS, Row, Unit};
use serde::Serialize;
use serde_json::Value;

/// Figures of several traces side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Names of the traces. The first is the baseline.
    pub traces: Vec<String>,
    /// Summary sentence: key figures of the first and the last trace.
    pub sentence: String,
    pub rows: Vec<ComparedRow>,
    /// The largest cause of the change of memory at the peak, from the first to the last trace.
    #[serde(skip)]
    cause: Option<String>,
    /// Drivers of the traces, in their order; empty if they are not known.
    #[serde(skip)]
    drivers: Vec<String>,
}

/// One figure in each of the traces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedRow {
    /// Name of the report that contains the figure.
    pub report: &'static str,
    /// Short name for display.
    pub name: &'static str,
    /// Unit of the values: `bytes`, `ratio`, `count` or `truth`.
    pub unit: &'static str,
    /// The value in each trace.
    pub values: Vec<ComparedValue>,
    /// True if the summary sentence may use this row.
    #[serde(skip)]
    in_summary: bool,
    #[serde(skip)]
    moment: Option<ComparedMoment>,
}

/// A figure of one trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedValue {
    /// The value; null if the trace has none.
    pub value: Value,
    /// The value formatted for display.
    pub text: String,
    /// Difference from the first trace; `None` for the first trace itself and if either trace has no value.
    pub delta: Option<Delta>,
}

/// Difference between a trace's value and the first trace's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Delta {
    /// The difference, in the row's unit.
    pub value: f64,
    /// The difference relative to the first trace's value; `None` if that value is 0 and for figures that are ratios.
    pub ratio: Option<f64>,
    /// The difference for display: `-507 MiB`, `0`, `+2.00 points`.
    pub text: String,
    /// The relative difference for display: `-90.0 %`.
    pub ratio_text: String,
}

impl Comparison {
    /// Compares the reports of traces, as [`Findings::reports`](crate::Findings::reports) returns them. `None` for
    /// fewer than two traces and if no trace has a comparable figure.
    pub fn of(traces: &[(String, &Value)]) -> Option<Comparison> {
        if traces.len() < 2 {
            return None;
        }
        let found: Vec<(&Row, Vec<&Value>)> = ROWS
            .iter()
            .map(|row| (row, traces.iter().map(|(_, reports)| row.of(reports)).collect::<Vec<_>>()))
            .filter(|(_, values)| values.iter().any(|value| value.is_number() || value.is_boolean()))
            .collect();
        let rows: Vec<ComparedRow> = found.iter().map(|(row, values)| compared(row, values)).collect();
        let names: Vec<String> = traces.iter().map(|(name, _)| name.clone()).collect();
        let cause = match traces {
            [(_, first), .., (_, last)] => alignment::largest_growth(&last["alignment"], &first["alignment"]),
            _ => None,
        };
        let mut comparison = Comparison { traces: names, sentence: String::new(), rows, cause, drivers: Vec::new() };
        comparison.sentence = comparison.format_sentence(str::to_owned);
        (!comparison.rows.is_empty()).then_some(comparison)
    }

    /// Adds the drivers of the traces, so that the sentence names those of the first and the last trace if they differ.
    #[must_use]
    pub fn with_drivers(mut self, drivers: Vec<String>) -> Comparison {
        self.drivers = drivers;
        self.sentence = self.format_sentence(str::to_owned);
        self
    }

    /// Formats the summary sentence; `named` formats the name of a trace. Memory at the peak comes first, with the causes
    /// of its change.
    pub fn format_sentence(&self, named: impl Fn(&str) -> String) -> String {
        let (Some(first), Some(last)) = (self.traces.first(), self.traces.last()) else { return String::new() };
        let (mut first, mut last) = (named(first), named(last));
        if let (Some(before), Some(after)) = (self.drivers.first(), self.drivers.last())
            && before != after
        {
            first += &format!(" (driver {before})");
            last += &format!(" (driver {after})");
        }
        let (at_peak, others): (Vec<&ComparedRow>, Vec<&ComparedRow>) =
            self.summary_rows().partition(|row| row.moment == Some(ComparedMoment::Peak));
        let changes =
            |rows: Vec<&ComparedRow>| rows.into_iter().filter_map(ComparedRow::first_to_last).collect::<Vec<_>>();
        let (at_peak, others) = (changes(at_peak), changes(others));
        let texts = |changes: &[Change], has_moved: bool| {
            let chosen = changes.iter().filter(|change| change.has_moved == has_moved);
            chosen.map(|change| change.text.clone()).collect::<Vec<_>>()
        };
        if at_peak.is_empty() && others.is_empty() {
            return format!("{first} and {last} have no figures of memory or work in common.");
        }
        if at_peak.iter().chain(&others).all(|change| !change.has_moved) {
            return format!("{first} and {last} have equal {}.", listed(&texts(&[at_peak, others].concat(), false)));
        }
        let lead: Vec<String> = at_peak.iter().map(Change::with_unchanged).collect();
        let cause = self.cause.as_ref().map_or_else(String::new, |cause| format!(": {cause}"));
        let (moved, same) = (texts(&others, true), texts(&others, false));
        let segments = [
            (!lead.is_empty()).then(|| format!("{}{cause}", listed(&lead))),
            (!moved.is_empty()).then(|| listed(&moved)),
            (!same.is_empty()).then(|| format!("unchanged: {}", listed(&same))),
        ];
        let segments: Vec<String> = segments.into_iter().flatten().collect();
        format!("From {first} to {last}: {}.", segments.join("; "))
    }

    /// Rows of the summary sentence. Those of the moment with most placed resources are added only if the peak hides
    /// their change. Averages over time are none, because they differ between any two recordings.
    fn summary_rows(&self) -> impl Iterator<Item = &ComparedRow> {
        let moved = |moment: ComparedMoment| {
            let rows = self.rows.iter().filter(|row| row.in_summary && row.moment == Some(moment));
            let parts = rows.filter_map(|row| row.values.last()?.delta.as_ref()?.ratio);
            parts.map(f64::abs).fold(0.0, f64::max)
        };
        // Without a placed resource there is no such moment.
        let has_moment =
            self.rows.iter().filter(|row| row.moment == Some(ComparedMoment::MaxPlaced)).all(ComparedRow::has_amounts);
        let is_hidden = has_moment && moved(ComparedMoment::MaxPlaced) > moved(ComparedMoment::Peak) * 1.5 + 0.02;
        self.rows
            .iter()
            .filter(move |row| row.in_summary && (row.moment != Some(ComparedMoment::MaxPlaced) || is_hidden))
    }

    /// Caption of the table. It defines the two sums of memory, if the table has them.
    fn caption(&self) -> &'static str {
        if self.rows.iter().any(|row| row.moment == Some(ComparedMoment::Peak)) {
            "Figures of the traces, with changes from the first trace. Allocated: heaps and implicit heaps; resource memory: \
             the resources in them; waste in resources: alignment alone, without free memory of heaps"
        } else {
            "Figures of the traces, with changes from the first trace"
        }
    }

    /// A table with a column per trace and, after each column but the first, the change from the first trace. Rows
    /// whose values are all zero are omitted.
    pub fn table(&self) -> TextTable {
        let mut titles = vec![String::new()];
        for (place, name) in self.traces.iter().enumerate() {
            titles.push(name.clone());
            if place > 0 {
                titles.extend(["change".to_owned(), "%".to_owned()]);
            }
        }
        let mut table = TextTable::new(self.caption(), titles);
        for row in self.rows.iter().filter(|row| row.values.iter().any(|value| value.value.as_f64() != Some(0.0))) {
            table.row(row.name, row.cells());
        }
        table
    }
}

impl ComparedRow {
    /// Cells of the row's table line, after the name.
    pub fn cells(&self) -> Vec<String> {
        let mut cells = Vec::new();
        for (place, value) in self.values.iter().enumerate() {
            cells.push(value.text.clone());
            if place > 0 {
                let or_none = |text: Option<&String>| text.map_or_else(|| NO_VALUE.to_owned(), String::clone);
                cells.push(or_none(value.delta.as_ref().map(|delta| &delta.text)));
                cells.push(or_none(value.delta.as_ref().map(|delta| &delta.ratio_text)));
            }
        }
        cells
    }

    /// True if all values are numbers above 0.
    fn has_amounts(&self) -> bool {
        self.values.iter().all(|value| value.value.as_f64().is_some_and(|number| number > 0.0))
    }

    /// Formats the first and the last trace's value: `peak resource memory 564 MiB → 56.6 MiB (-90.0 %)`; `None` if either has no
    /// value.
    fn first_to_last(&self) -> Option<Change> {
        let (first, last) = (self.values.first()?, self.values.last()?);
        let delta = last.delta.as_ref()?;
        if delta.value == 0.0 {
            return Some(Change { text: format!("{} ({})", self.name, first.text), has_moved: false });
        }
        // The difference of ratios is shown in percentage points and has no relative part.
        let by = if delta.ratio.is_some() { &delta.ratio_text } else { &delta.text };
        Some(Change { text: format!("{} {} → {} ({by})", self.name, first.text, last.text), has_moved: true })
    }
}

/// A figure in the first and the last trace.
#[derive(Clone)]
struct Change {
    text: String,
    has_moved: bool,
}

impl Change {
    fn with_unchanged(&self) -> String {
        if self.has_moved { self.text.clone() } else { format!("{} unchanged", self.text) }
    }
}

fn compared(row: &Row, values: &[&Value]) -> ComparedRow {
    let text = |value: &Value| match (row.unit, value.as_f64()) {
        (Unit::Truth, _) => value.as_bool().map_or(NO_VALUE, |is| if is { "yes" } else { "no" }).to_owned(),
        (_, None) => NO_VALUE.to_owned(),
        (Unit::Bytes, Some(bytes)) => binary_bytes(bytes as u64),
        (Unit::Transferred, Some(bytes)) => decimal_bytes(bytes as u64),
        (Unit::Count, Some(count)) => grouped(count as u64),
        (Unit::Ratio, Some(ratio)) => percent(ratio),
        (Unit::Factor, Some(factor)) => format!("{factor:.2}"),
        (Unit::Nanoseconds, Some(ns)) => milliseconds(ns),
    };
    let first = values.first().and_then(|value| value.as_f64());
    let values = values.iter().enumerate().map(|(place, value)| ComparedValue {
        value: (*value).clone(),
        text: text(value),
        delta: match (place, first, value.as_f64()) {
            (1.., Some(first), Some(value)) => Some(delta(row.unit, first, value)),
            _ => None,
        },
    });
    ComparedRow {
        report: row.report,
        name: row.name,
        unit: row.unit.name(),
        values: values.collect(),
        in_summary: row.in_summary,
        moment: row.moment,
    }
}

fn milliseconds(ns: f64) -> String {
    format!("{:.3} ms", ns / 1e6)
}

fn delta(unit: Unit, first: f64, value: f64) -> Delta {
    let change = value - first;
    let sign = if change > 0.0 { "+" } else { "-" };
    let text = match unit {
        _ if change == 0.0 => "0".to_owned(),
        Unit::Bytes => format!("{sign}{}", binary_bytes(change.abs() as u64)),
        Unit::Transferred => format!("{sign}{}", decimal_bytes(change.abs() as u64)),
        Unit::Count => format!("{sign}{}", grouped(change.abs() as u64)),
        Unit::Factor => format!("{sign}{:.2}", change.abs()),
        Unit::Nanoseconds => format!("{sign}{}", milliseconds(change.abs())),
        Unit::Ratio | Unit::Truth => format!("{sign}{:.2} points", change.abs() * 100.0),
    };
    // The relative change of a ratio would be misread as a change in points.
    let ratio = (unit != Unit::Ratio && first != 0.0).then(|| change / first.abs());
    let ratio_text = match ratio {
        None => NO_VALUE.to_owned(),
        Some(ratio) => percent_signed(ratio),
    };
    Delta { value: change, ratio, text, ratio_text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reports(heap_bytes: u64, in_use_bytes: u64) -> Value {
        json!({"alignment": {
            "peak_real": {"real_bytes": heap_bytes},
            "peak": {"in_use_bytes": in_use_bytes, "waste_ratio": 0.5},
        }})
    }

    #[test]
    fn the_summary_leads_with_the_peak() {
        let (a, b) = (reports(600 << 20, 564 << 20), reports(600 << 20, 59_349_402));
        let found = Comparison::of(&[("classic".to_owned(), &a), ("tight".to_owned(), &b)]).unwrap();
        assert_eq!(
            found.sentence,
            "From classic to tight: peak allocated (600 MiB) unchanged and peak resource memory 564 MiB → 56.6 MiB (-90.0 %)."
        );
        let cells: Vec<_> = found.rows.iter().map(|row| (row.name, row.cells().join(" | "))).collect();
        assert_eq!(cells[0], ("peak allocated", "600 MiB | 600 MiB | 0 | 0 %".to_owned()));
        assert_eq!(cells[1], ("peak resource memory", "564 MiB | 56.6 MiB | -507 MiB | -90.0 %".to_owned()));
        assert_eq!(cells[2], ("  waste in resources", "50.0 % | 50.0 % | 0 | –".to_owned()));
    }

    #[test]
    fn a_change_that_the_peak_hides_is_added_to_the_summary() {
        let of = |max_placed: u64| {
            let mut found = reports(3400 << 20, 3200 << 20);
            found["alignment"]["peak_count"] = json!({"real_bytes": 600 << 20, "in_use_bytes": max_placed});
            found
        };
        let (a, b) = (of(564 << 20), of(59_349_402));
        let found = Comparison::of(&[("classic".to_owned(), &a), ("tight".to_owned(), &b)]).unwrap();
        assert_eq!(
            found.sentence,
            "From classic to tight: peak allocated (3.32 GiB) unchanged and peak resource memory (3.12 GiB) unchanged; \
             resource memory at peak placed count 564 MiB → 56.6 MiB (-90.0 %); unchanged: allocated at peak placed count \
             (600 MiB)."
        );
    }

    #[test]
    fn averages_over_time_are_in_the_table_and_never_in_the_summary() {
        let of = |average: u64| {
            let mut found = reports(600 << 20, 564 << 20);
            found["alignment"]["time_weighted"] = json!({"real_bytes": average, "in_use_bytes": average});
            found
        };
        let (a, b) = (of(273 << 20), of(299 << 20));
        let found = Comparison::of(&[("a".to_owned(), &a), ("b".to_owned(), &b)]).unwrap();
        assert_eq!(found.sentence, "a and b have equal peak allocated (600 MiB) and peak resource memory (564 MiB).");
        assert!(found.rows.iter().any(|row| row.name.starts_with("mean ")));
    }

    #[test]
    fn each_value_has_its_own_unit_as_in_the_summary() {
        let (a, b) = (reports(8 << 30, 3 << 20), reports(8 << 30, 700));
        let found = Comparison::of(&[("a".to_owned(), &a), ("b".to_owned(), &b)]).unwrap();
        assert_eq!(found.rows[0].cells()[..2], ["8.00 GiB", "8.00 GiB"]);
        assert_eq!(found.rows[1].cells(), ["3.00 MiB", "700 B", "-3.00 MiB", "-100.0 %"]);
    }

    #[test]
    fn a_change_too_small_for_the_unit_of_its_values_has_a_unit_of_its_own() {
        let (a, b) = (reports(8 << 30, 8 << 30), reports(8 << 30, (8 << 30) - 2048));
        let found = Comparison::of(&[("a".to_owned(), &a), ("b".to_owned(), &b)]).unwrap();
        assert_eq!(found.rows[1].cells(), ["8.00 GiB", "8.00 GiB", "-2.00 KiB", "> -0.01 %"]);
    }

    #[test]
    fn a_figure_missing_in_one_trace_has_no_delta() {
        let (a, b) = (reports(10, 10), json!({"alignment": {"not_applicable": "none"}}));
        let found = Comparison::of(&[("a".to_owned(), &a), ("b".to_owned(), &b)]).unwrap();
        assert!(found.rows.iter().all(|row| row.values[1].delta.is_none() && row.values[1].text == NO_VALUE));
        assert_eq!(found.sentence, "a and b have no figures of memory or work in common.");
        assert_eq!(Comparison::of(&[("a".to_owned(), &a)]), None);
    }

    #[test]
    fn a_change_from_zero_has_no_percentage() {
        let (a, b) = (reports(0, 0), reports(2048, 1024));
        let found = Comparison::of(&[("a".to_owned(), &a), ("b".to_owned(), &b)]).unwrap();
        assert_eq!(found.rows[1].cells(), ["0 B", "1.00 KiB", "+1.00 KiB", "–"]);
    }
}
