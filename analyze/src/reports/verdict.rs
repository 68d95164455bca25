//! The headline verdict of a report: one sentence with its three key figures.

use super::Definition;
use crate::render::{binary_bytes, binary_bytes_signed, grouped, percent};
use serde::Serialize;
use serde_json::{Value, json};

/// A report's headline verdict. The sentence makes no claim about data that the trace does not contain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    pub sentence: String,
    /// Key figures of the sentence.
    pub figures: [Figure; 3],
    /// Recommended action, if one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Verdict {
    /// The sentence and the advice.
    pub fn text(&self) -> String {
        match &self.advice {
            Some(advice) => format!("{} {advice}", self.sentence),
            None => self.sentence.clone(),
        }
    }
}

/// A key figure of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Short name for display.
    pub name: &'static str,
    /// The value; null if the trace has none.
    pub value: Value,
    /// Unit of `value`: `bytes`, `ratio` or `count`.
    pub unit: &'static str,
    /// The value formatted for display, with its unit.
    pub text: String,
}

/// Text of a missing value.
pub(crate) const NO_VALUE: &str = "–";

/// Key of the verdict among each report's figures.
pub(crate) const VERDICT: Definition = Definition {
    key: "verdict",
    meaning: "Summary of the report: a `sentence`, its three `figures`, each with `name`, `value` (null if unknown), `unit` (bytes, \
              ratio or count) and `text` (the formatted value), and `advice`, the recommended action, if there is one. Absent if \
              there is nothing to report.",
};

impl Figure {
    /// Creates a figure in bytes.
    pub fn bytes(name: &'static str, bytes: u64) -> Figure {
        Figure { name, value: json!(bytes), unit: "bytes", text: binary_bytes(bytes) }
    }

    /// Creates a figure for a signed difference in bytes.
    pub fn bytes_signed(name: &'static str, bytes: i64) -> Figure {
        Figure { name, value: json!(bytes), unit: "bytes", text: binary_bytes_signed(bytes) }
    }

    /// Creates a count.
    pub fn count(name: &'static str, count: u64) -> Figure {
        Figure { name, value: json!(count), unit: "count", text: grouped(count) }
    }

    /// Creates a count; null if the trace does not contain it.
    pub fn count_if_known(name: &'static str, count: Option<u64>) -> Figure {
        let text = count.map_or_else(|| NO_VALUE.to_owned(), grouped);
        Figure { name, value: json!(count), unit: "count", text }
    }

    /// Creates a ratio (1.0 is displayed as 100 %); null if the trace does not contain it.
    pub fn ratio(name: &'static str, ratio: Option<f64>) -> Figure {
        let text = ratio.map_or_else(|| NO_VALUE.to_owned(), percent);
        Figure { name, value: json!(ratio), unit: "ratio", text }
    }

    /// Replaces the display text.
    #[must_use]
    pub fn with_text(self, text: impl Into<String>) -> Figure {
        Figure { text: text.into(), ..self }
    }
}

/// Formats a verdict sentence, with a prefix if the trace may be incomplete.
pub(super) fn sentence(all_known: bool, text: &str) -> String {
    let mut letters = text.chars();
    let (first, rest) = (letters.next().unwrap_or_default(), letters.as_str());
    match all_known {
        true => format!("{}{rest}.", first.to_uppercase()),
        false => format!("Incomplete trace: {first}{rest}."),
    }
}

/// Joins items for display: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_capitalised_unless_the_trace_may_be_incomplete() {
        assert_eq!(sentence(true, "all is well"), "All is well.");
        assert_eq!(sentence(false, "all is well"), "Incomplete trace: all is well.");
    }

    #[test]
    fn items_are_joined_with_commas_and_and() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|n| listed(&parts[..n])), ["", "a", "a and b", "a, b and c"]);
    }

    #[test]
    fn a_figure_without_a_value_displays_a_dash() {
        assert_eq!(Figure::ratio("x", None).text, NO_VALUE);
        assert_eq!(Figure::ratio("x", Some(0.25)).text, "25.0 %");
        assert_eq!(Figure::bytes_signed("x", -2048).text, "-2.00 KiB");
    }
}
