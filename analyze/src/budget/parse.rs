//! Reads a budget file.

use super::{Budget, BudgetError, Limit};
use std::collections::BTreeMap;
use taut_schemas::nearest;
use toml::{Spanned, Value};

const KEYS: [&str; 2] = ["limits", "workloads"];
const WORKLOAD_KEYS: [&str; 1] = ["limits"];

type Table = BTreeMap<Spanned<String>, Spanned<Value>>;

impl Budget {
    /// Reads a budget from the text of its file.
    ///
    /// # Errors
    /// It is no TOML, has a key that a budget does not have, a value of the wrong type, or a limit that cannot be read.
    pub fn parse(text: &str) -> Result<Budget, BudgetError> {
        // Some editors begin a text with a mark of its byte order.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = Source { text };
        let table: Table = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            source.error(at, error.message().to_owned())
        })?;
        let mut budget = Budget::default();
        for (key, value) in &table {
            source.known_key(key, &KEYS)?;
            if key.get_ref() == "limits" {
                budget.limits = source.limits(value.get_ref(), value.span().start)?;
            } else {
                let Value::Table(workloads) = value.get_ref() else {
                    let found = value.get_ref().type_str();
                    return Err(source.error(
                        value.span().start,
                        format!("`workloads`: expected tables, as in [workloads.\"NAME\"], found {found}"),
                    ));
                };
                for (glob, workload) in workloads {
                    budget.workloads.push((glob.clone(), source.workload(glob, workload, value.span().start)?));
                }
            }
        }
        Ok(budget)
    }
}

struct Source<'a> {
    text: &'a str,
}

impl Source<'_> {
    fn error(&self, at: usize, reason: String) -> BudgetError {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        BudgetError::File { line, column, reason }
    }

    fn known_key(&self, key: &Spanned<String>, known: &[&str]) -> Result<(), BudgetError> {
        self.known_name(key.get_ref(), key.span().start, known)
    }

    fn known_name(&self, key: &str, at: usize, known: &[&str]) -> Result<(), BudgetError> {
        if known.contains(&key) {
            return Ok(());
        }
        let hint = match nearest(key, known.iter().copied()) {
            Some(other) => format!("did you mean `{other}`?"),
            None => format!("expected one of {}", known.join(", ")),
        };
        Err(self.error(at, format!("unknown key `{key}`: {hint}")))
    }

    fn workload(&self, glob: &str, workload: &Value, at: usize) -> Result<Vec<Limit>, BudgetError> {
        let at = self.find(&format!("\"{glob}\""), at);
        let Value::Table(table) = workload else {
            let found = workload.type_str();
            return Err(self.error(at, format!("workload `{glob}`: expected a table with `limits`, found {found}")));
        };
        let mut limits = Vec::new();
        for (key, value) in table {
            self.known_name(key, self.find(key, at), &WORKLOAD_KEYS)?;
            limits = self.limits(value, at)?;
        }
        Ok(limits)
    }

    /// The limits of a list that stands behind `at`.
    fn limits(&self, value: &Value, at: usize) -> Result<Vec<Limit>, BudgetError> {
        let Value::Array(elements) = value else {
            let found = value.type_str();
            return Err(self.error(at, format!("`limits`: expected a list of texts, found {found}")));
        };
        let mut limits = Vec::with_capacity(elements.len());
        let mut behind = at;
        for element in elements {
            let Value::String(text) = element else {
                let found = format!("{element} ({})", element.type_str());
                let at = self.find(&element.to_string(), behind);
                return Err(self.error(at, format!("`limits`: expected a text, found {found}")));
            };
            let start = self.find(text, behind);
            behind = start + if self.text[start..].starts_with(text.as_str()) { text.len() } else { 0 };
            let line = self.text[..start].matches('\n').count() + 1;
            limits.push(Limit::parse(text, line).map_err(|reason| self.error(start, reason))?);
        }
        Ok(limits)
    }

    /// Where a text stands behind `at`; `at` where it is written in another way.
    fn find(&self, text: &str, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.find(text)).map_or(at, |found| at + found)
    }
}
