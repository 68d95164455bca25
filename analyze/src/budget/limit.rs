//! One limit: a figure, a comparison, a bound.

use super::Allowance;
use crate::render::{binary_bytes, suggestion};
use crate::reports::{REPORTS, Unit};
use serde_json::Value;
use std::fmt;

/// Comparison of a figure with its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

/// Longer signs first, because the first match is used.
const SIGNS: [(&str, Operator); 6] = [
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

/// Figures that no longer exist, and the figures that replace them.
const RETIRED: [(&str, &str); 4] = [
    ("pgo.converged", "`pgo.fit_to_measure` says whether what was measured may be compared"),
    ("pgo.judged_by", "`pgo.unfit.cause` says why a run is not stable"),
    ("pgo.passes", "`pgo.mode_calls` counts calls, and `pgo.presents` frames played"),
    ("pgo.passes_recorded", "`pgo.mode_calls` counts calls, and `pgo.presents` frames played"),
];

/// Keys of limits relative to a baseline.
pub(super) const MORE_THAN_BASELINE: &str = "max_more_than_baseline";
pub(super) const LESS_THAN_BASELINE: &str = "max_less_than_baseline";

/// Units of numbers, and their factors.
pub(super) const UNITS: [(&str, f64); 6] =
    [("KiB", 1024.0), ("MiB", 1048576.0), ("GiB", 1073741824.0), ("TiB", 1099511627776.0), ("B", 1.0), ("%", 0.01)];

/// Bound of a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A number.
    Number(f64),
    /// A boolean.
    Truth(bool),
    /// The baseline's value, with an allowed difference.
    Baseline(Allowance),
}

/// A limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// The figure: a report's name and a path in its figures, `alignment.peak.waste_ratio`.
    pub figure: String,
    pub comparison: Operator,
    pub bound: Bound,
    /// The limit as written in the budget.
    pub text: String,
    /// Line of the budget file, from 1.
    pub line: usize,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = SIGNS.iter().find(|(_, comparison)| comparison == self).map_or("", |(sign, _)| sign);
        f.write_str(sign)
    }
}

impl Limit {
    /// Reads `alignment.peak.waste_ratio <= 10 %`.
    ///
    /// # Errors
    /// A text with what was expected and found.
    pub(super) fn parse(text: &str, line: usize) -> Result<Limit, String> {
        let at = text
            .find(['<', '>', '=', '!'])
            .ok_or_else(|| format!("expected a figure, one of < <= == != >= > and a number, found {text:?}"))?;
        let (figure, rest) = text.split_at(at);
        let figure = figure.trim();
        let (sign, comparison) = SIGNS.into_iter().find(|(sign, _)| rest.starts_with(sign)).ok_or_else(|| {
            let found: String = rest.chars().take_while(|c| "<>=!".contains(*c)).collect();
            format!("expected one of < <= == != >= >, found `{found}`")
        })?;
        let bound = bound(rest[sign.len()..].trim())?;
        if matches!(bound, Bound::Truth(_)) && !matches!(comparison, Operator::Equal | Operator::Unequal) {
            return Err(format!("true and false can be compared with == and != only, found `{sign}`"));
        }
        let limit = Limit { figure: figure.to_owned(), comparison, bound, text: text.trim().to_owned(), line };
        limit.check_report()?;
        Ok(limit)
    }

    /// Builds a limit relative to a baseline: `figure` at most the baseline's plus the allowance, or at least minus it.
    ///
    /// # Errors
    /// A text with what was expected and found.
    pub(super) fn relative(figure: String, key: &str, allowance: &str, line: usize) -> Result<Limit, String> {
        let (comparison, words) = match key {
            MORE_THAN_BASELINE => (Operator::LessOrEqual, "more"),
            _ => (Operator::GreaterOrEqual, "less"),
        };
        let bound = Bound::Baseline(Allowance::parse(allowance)?);
        let text = format!("{figure} at most {} {words} than the baseline", allowance.trim());
        let limit = Limit { figure, comparison, bound, text, line };
        limit.check_report()?;
        Ok(limit)
    }

    /// True if the limit needs a baseline.
    pub fn is_relative(&self) -> bool {
        matches!(self.bound, Bound::Baseline(_))
    }

    /// The bound as a number, for a baseline of this value.
    pub(super) fn bound_by(&self, baseline: f64) -> Option<f64> {
        match (self.bound, self.comparison) {
            (Bound::Baseline(allowance), Operator::GreaterOrEqual) => Some(baseline - allowance.of(baseline)),
            (Bound::Baseline(allowance), _) => Some(baseline + allowance.of(baseline)),
            _ => None,
        }
    }

    /// Name of the figure's report.
    pub fn report(&self) -> &str {
        self.figure.split('.').next().unwrap_or_default()
    }

    fn check_report(&self) -> Result<(), String> {
        let known = REPORTS.iter().map(|report| report.name());
        let (report, rest) = self.figure.split_once('.').unwrap_or((&self.figure, ""));
        let Some(report) = REPORTS.iter().find(|known| known.name() == report) else {
            return Err(format!("there is no report `{report}`: {}", suggestion(report, known)));
        };
        if let Some((_, now)) = RETIRED.iter().find(|(known, _)| *known == self.figure) {
            return Err(format!("there is no figure `{}` any more: {now}", self.figure));
        }
        if rest.is_empty() {
            return Err(format!(
                "expected a figure of the report, as in `{}.…`, found `{}`",
                report.name(),
                self.figure
            ));
        }
        Ok(())
    }

    /// True if a value is within the limit; `None` if it is of another type than the bound. For a relative limit,
    /// `bound` is the result of [`bound_by`](Self::bound_by).
    pub(super) fn holds(&self, value: &Value, bound: Bound) -> Option<bool> {
        let order = match (bound, value) {
            (Bound::Truth(bound), Value::Bool(found)) => found.partial_cmp(&bound),
            (Bound::Number(bound), Value::Number(found)) => found.as_f64()?.partial_cmp(&bound),
            _ => return None,
        }?;
        Some(match self.comparison {
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Equal => order.is_eq(),
            Operator::Unequal => order.is_ne(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Greater => order.is_gt(),
        })
    }

    /// Formats a value of the figure for people.
    pub fn written(&self, value: &Value) -> String {
        self.unit().text(value)
    }

    /// Formats a value of the figure without the exact number of bytes.
    pub(super) fn brief(&self, value: &Value) -> String {
        match (self.unit(), value.as_u64()) {
            (Unit::Bytes, Some(bytes)) => binary_bytes(bytes),
            _ => self.written(value),
        }
    }

    /// Unit of the figure.
    pub(super) fn unit(&self) -> Unit {
        let (report, place) = self.figure.split_once('.').unwrap_or((&self.figure, ""));
        let report = REPORTS.iter().find(|known| known.name() == report);
        report.and_then(|report| report.unit(place)).unwrap_or(Unit::Count)
    }
}

fn bound(text: &str) -> Result<Bound, String> {
    match text {
        "true" => return Ok(Bound::Truth(true)),
        "false" => return Ok(Bound::Truth(false)),
        _ => {}
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || ".-+_".contains(c) || c == 'e')).unwrap_or(text.len());
    let (number, unit) = (text[..end].replace('_', ""), text[end..].trim());
    let number: f64 = number.parse().map_err(|_| format!("expected a number, `true` or `false`, found {text:?}"))?;
    if unit.is_empty() {
        return Ok(Bound::Number(number));
    }
    let known = UNITS.iter().find(|(known, _)| *known == unit);
    let (_, factor) = known.ok_or_else(|| {
        let units = UNITS.map(|(unit, _)| unit);
        format!("there is no unit `{unit}`: {}", suggestion(unit, units.into_iter()))
    })?;
    Ok(Bound::Number(number * factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(text: &str) -> Limit {
        Limit::parse(text, 1).unwrap()
    }

    #[test]
    fn a_limit_is_a_figure_a_comparison_and_a_bound() {
        let limit = parsed("alignment.peak.waste_ratio <= 10 %");
        assert_eq!((limit.figure.as_str(), limit.comparison), ("alignment.peak.waste_ratio", Operator::LessOrEqual));
        assert_eq!(limit.bound, Bound::Number(0.1));
        assert_eq!(parsed("alignment.end.heap_bytes<1.5MiB").bound, Bound::Number(1_572_864.0));
        assert_eq!(parsed("health.complete == true").bound, Bound::Truth(true));
        assert_eq!(parsed("health.lost_events == 1_000").bound, Bound::Number(1000.0));
    }

    #[test]
    fn errors_in_limits_are_reported() {
        let wrong = |text| Limit::parse(text, 1).unwrap_err();
        assert!(wrong("alignment.peak").contains("expected a figure, one of"));
        assert!(wrong("alinment.peak.heaps <= 1").contains("did you mean `alignment`?"));
        assert!(wrong("alignment.peak.heaps <= many").contains("expected a number"));
        assert!(wrong("alignment.peak.heap_bytes <= 1 MB").contains("did you mean `MiB`?"));
        assert!(wrong("alignment.peak.heaps = 1").contains("found `=`"));
        assert!(wrong("health.complete < true").contains("== and !="));
        assert!(wrong("health <= 1").contains("health.…"));
    }

    fn held(text: &str, value: Value) -> Option<bool> {
        let limit = parsed(text);
        limit.holds(&value, limit.bound)
    }

    #[test]
    fn a_value_of_another_kind_neither_keeps_nor_breaks_a_limit() {
        assert_eq!(held("health.lost_events == 0", json!(0)), Some(true));
        assert_eq!(held("health.lost_events > 0", json!(0)), Some(false));
        assert_eq!(held("health.lost_events == 0", json!("0")), None);
        assert_eq!(held("health.complete != false", json!(true)), Some(true));
    }
}
