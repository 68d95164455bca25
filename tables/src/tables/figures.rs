//! `figures`: report figures, one per row.

use super::column::columns;
use super::frame::Frame;
use super::{Make, Table};
use crate::error::TableError;
use taut_analyze::export::{FlatFigure, flat_figures};
use taut_analyze::{Analysis, Findings, applicable_reports};

pub(super) const TABLE: Table = Table {
    name: "figures",
    description: "One row per figure of each report that applies to the trace, as `taut analyze` computes it.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::OfTrace(make),
};

columns! {
    row of rows: &FigureRows;
    report: Text, "Name of the report.", row.report.as_str();
    key: Text, "Path of the figure in the report, such as `peak.allocated_bytes` or `worst.0.name`.", row.figure.as_str();
    value: F64, "Value of a number; 1 or 0 for a boolean; else null.", number(row);
    text: Text, "Value of a text; else null.", row.value.as_str();
    unit: Text, "Unit, from the end of the key; null without a unit.", unit(&row.figure);
}

/// Units that keys end in; a unit comes before its own suffixes, so that the longest matches.
const UNITS: [&str; 8] = ["bytes_per_second", "bytes", "ns", "seconds", "millihertz", "percent", "ticks", "texels"];

/// Unit in the last name of a key: list elements are numbered, and have the list's unit.
fn unit(place: &str) -> Option<&'static str> {
    let name = place.rsplit('.').find(|name| !name.bytes().all(|byte| byte.is_ascii_digit()))?;
    let is_of = |unit: &&str| name.strip_suffix(*unit).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
    UNITS.into_iter().find(is_of)
}

fn number(figure: &FlatFigure) -> Option<f64> {
    figure.value.as_f64().or_else(|| figure.value.as_bool().map(|truth| f64::from(u8::from(truth))))
}

struct FigureRows(Vec<FlatFigure>);

fn make(analysis: &Analysis, frame: &mut Frame<'_>) -> Result<(), TableError> {
    let findings = Findings::of(analysis, &applicable_reports(analysis)?)?;
    fill(&FigureRows(flat_figures("", &findings.reports())), frame)
}

impl FigureRows {
    fn all(&self) -> impl Iterator<Item = &FlatFigure> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::unit;

    #[test]
    fn a_unit_is_the_end_of_the_last_name() {
        assert_eq!(unit("peak.allocated_bytes"), Some("bytes"));
        assert_eq!(unit("link.needed_bytes_per_second"), Some("bytes_per_second"));
        assert_eq!(unit("worst.0.latencies_ns.12"), Some("ns"));
        assert_eq!(unit("bytes"), Some("bytes"));
        assert_eq!(unit("megabytes"), None);
        assert_eq!(unit("worst.0.name"), None);
        assert_eq!(unit("0"), None);
    }
}
