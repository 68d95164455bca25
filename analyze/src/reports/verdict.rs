//! What a report comes to: one sentence, and the three figures behind it.

use super::Definition;
use crate::render::{binary_bytes, binary_bytes_signed, grouped, percent};
use serde::Serialize;
use serde_json::{Value, json};

/// What a report comes to. The sentence is true of every trace: what is not known is not said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// One sentence.
    pub sentence: String,
    /// The figures behind it.
    pub figures: [Figure; 3],
    /// What follows from it for whoever reads it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A figure behind a verdict.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What it is, in a few words.
    pub name: &'static str,
    /// The figure; null if the trace has none.
    pub value: Value,
    /// What it counts: `bytes`, `ratio` or `count`.
    pub unit: &'static str,
    /// The figure as people read it, with its unit.
    pub text: String,
}

/// What a figure reads where there is none.
pub(crate) const NO_VALUE: &str = "–";

/// The key under which each report's figures hold its verdict.
pub(crate) const VERDICT: Definition = Definition {
    key: "verdict",
    meaning: "What the report comes to: one `sentence`, and the three `figures` behind it, each with `name`, `value` (null \
              without one), `unit` (bytes, ratio or count) and `text`, the value as people read it; and what to do about it, \
              `advice`, where that is known. Left out where there is nothing to report.",
};

impl Figure {
    /// A number of bytes.
    pub fn bytes(name: &'static str, bytes: u64) -> Figure {
        Figure { name, value: json!(bytes), unit: "bytes", text: binary_bytes(bytes) }
    }

    /// A difference of bytes.
    pub fn bytes_signed(name: &'static str, bytes: i64) -> Figure {
        Figure { name, value: json!(bytes), unit: "bytes", text: binary_bytes_signed(bytes) }
    }

    /// A number of things.
    pub fn count(name: &'static str, count: u64) -> Figure {
        Figure { name, value: json!(count), unit: "count", text: grouped(count) }
    }

    /// A number of things; none if the trace does not tell it.
    pub fn count_if_known(name: &'static str, count: Option<u64>) -> Figure {
        let text = count.map_or_else(|| NO_VALUE.to_owned(), grouped);
        Figure { name, value: json!(count), unit: "count", text }
    }

    /// A part of 1; none if the trace does not have it.
    pub fn ratio(name: &'static str, ratio: Option<f64>) -> Figure {
        let text = ratio.map_or_else(|| NO_VALUE.to_owned(), percent);
        Figure { name, value: json!(ratio), unit: "ratio", text }
    }

    /// The same with other words for people.
    #[must_use]
    pub fn told(self, text: impl Into<String>) -> Figure {
        Figure { text: text.into(), ..self }
    }
}

/// A sentence of parts, which says first if the trace may not tell everything.
pub(super) fn sentence(all_known: bool, text: &str) -> String {
    let mut letters = text.chars();
    let (first, rest) = (letters.next().unwrap_or_default(), letters.as_str());
    match all_known {
        true => format!("{}{rest}.", first.to_uppercase()),
        false => format!("As far as the trace tells, {first}{rest}."),
    }
}

/// Parts of a sentence: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_large_unless_something_may_be_missing() {
        assert_eq!(sentence(true, "all is well"), "All is well.");
        assert_eq!(sentence(false, "all is well"), "As far as the trace tells, all is well.");
    }

    #[test]
    fn parts_are_listed_as_people_do() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|n| listed(&parts[..n])), ["", "a", "a and b", "a, b and c"]);
    }

    #[test]
    fn a_figure_without_a_value_reads_as_such() {
        assert_eq!(Figure::ratio("x", None).text, NO_VALUE);
        assert_eq!(Figure::ratio("x", Some(0.25)).text, "25.0 %");
        assert_eq!(Figure::bytes_signed("x", -2048).text, "-2.00 KiB");
    }
}
