//! Reads a budget file.

use super::limit::{LESS_THAN_BASELINE, MORE_THAN_BASELINE};
use super::{Budget, BudgetError, Limit};
use crate::render::{did_you_mean, suggestion};
use crate::reports::REPORTS;
use std::collections::BTreeMap;
use toml::{Spanned, Value};

const LIMITS: &str = "limits";
const WORKLOADS: &str = "workloads";
const ALLOW_WALL_CLOCK: &str = "allow_wall_clock";
const BASELINE_KEYS: [&str; 2] = [MORE_THAN_BASELINE, LESS_THAN_BASELINE];

type Table = BTreeMap<Spanned<String>, Spanned<Value>>;

impl Budget {
    /// Reads a budget from the text of its file.
    ///
    /// # Errors
    /// The text is not TOML, has an unknown key, a value of the wrong type, or an invalid limit.
    pub fn parse(text: &str) -> Result<Budget, BudgetError> {
        // Some editors write a byte-order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = BudgetText { text };
        let table: Table = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            source.error(at, error.message().to_owned())
        })?;
        let mut budget = Budget::default();
        for (key, value) in &table {
            let at = value.span().start;
            source.known_name(key.get_ref(), key.span().start, &[LIMITS, WORKLOADS, ALLOW_WALL_CLOCK])?;
            match (key.get_ref().as_str(), value.get_ref()) {
                (LIMITS, value) => budget.limits.extend(source.limits(value, at)?),
                (ALLOW_WALL_CLOCK, Value::Boolean(allow)) => budget.allow_wall_clock = *allow,
                (ALLOW_WALL_CLOCK, other) => {
                    let found = other.type_str();
                    let reason = format!("`{ALLOW_WALL_CLOCK}`: expected true or false, found {found}");
                    return Err(source.error(at, reason));
                }
                (WORKLOADS, Value::Table(workloads)) => {
                    for (glob, workload) in workloads {
                        budget.workloads.push((glob.clone(), source.workload(glob, workload, at)?));
                    }
                }
                (WORKLOADS, other) => {
                    let found = other.type_str();
                    let reason = format!("`workloads`: expected tables, as in [workloads.\"NAME\"], found {found}");
                    return Err(source.error(at, reason));
                }
                (report, value) => source.relative(report, value, at, &mut budget.limits)?,
            }
        }
        // In file order: `Table` sorts by key.
        budget.limits.sort_by_key(|limit| limit.line);
        Ok(budget)
    }
}

struct BudgetText<'a> {
    text: &'a str,
}

impl BudgetText<'_> {
    fn error(&self, at: usize, reason: String) -> BudgetError {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        BudgetError::File { line, column, reason }
    }

    /// Checks that a key is one of `known`, or a report's name.
    fn known_name(&self, key: &str, at: usize, known: &[&str]) -> Result<(), BudgetError> {
        let reports = REPORTS.iter().map(|report| report.name());
        let known = || known.iter().copied().chain(reports.clone());
        if known().any(|name| name == key) {
            return Ok(());
        }
        Err(self.error(at, format!("unknown key `{key}`: {}", suggestion(key, known()))))
    }

    /// Reads limits relative to a baseline: a table by paths of figures, which may be nested tables as well.
    fn relative(&self, place: &str, value: &Value, at: usize, limits: &mut Vec<Limit>) -> Result<(), BudgetError> {
        let expected =
            || format!("expected {{ {MORE_THAN_BASELINE} = \"2 %\" }} or {{ {LESS_THAN_BASELINE} = \"2 %\" }}");
        let Value::Table(table) = value else {
            return Err(self.error(at, format!("`{place}`: {}, found {value} ({})", expected(), value.type_str())));
        };
        if table.is_empty() {
            return Err(self.error(at, format!("`{place}`: {}, found an empty table", expected())));
        }
        for (key, value) in table {
            let key_at = self.find(key, at);
            if BASELINE_KEYS.contains(&key.as_str()) {
                let allowance = match value {
                    Value::String(text) => text.clone(),
                    Value::Integer(_) | Value::Float(_) => value.to_string(),
                    other => {
                        let reason =
                            format!("`{place}`: `{key}`: {}, found {other} ({})", expected(), other.type_str());
                        return Err(self.error(key_at, reason));
                    }
                };
                let limit = Limit::relative(place.to_owned(), key, &allowance, self.line(key_at));
                limits.push(limit.map_err(|reason| self.error(key_at, format!("`{place}`: `{key}`: {reason}")))?);
            } else if !value.is_table() {
                let reason = match did_you_mean(key, BASELINE_KEYS) {
                    Some(hint) => format!("`{place}`: unknown key `{key}`: {hint}"),
                    None => format!("`{place}.{key}`: {}, found {value} ({})", expected(), value.type_str()),
                };
                return Err(self.error(key_at, reason));
            } else {
                self.relative(&format!("{place}.{key}"), value, key_at, limits)?;
            }
        }
        Ok(())
    }

    /// Line of a byte offset, from 1.
    fn line(&self, at: usize) -> usize {
        self.text.get(..at).unwrap_or_default().matches('\n').count() + 1
    }

    fn workload(&self, glob: &str, workload: &Value, at: usize) -> Result<Vec<Limit>, BudgetError> {
        let at = self.find(&format!("\"{glob}\""), at);
        let Value::Table(table) = workload else {
            let found = workload.type_str();
            return Err(self.error(at, format!("workload `{glob}`: expected a table with `limits`, found {found}")));
        };
        let mut limits = Vec::new();
        for (key, value) in table {
            let key_at = self.find(key, at);
            self.known_name(key, key_at, &[LIMITS])?;
            match key.as_str() {
                LIMITS => limits.extend(self.limits(value, at)?),
                report => self.relative(report, value, key_at, &mut limits)?,
            }
        }
        limits.sort_by_key(|limit| limit.line);
        Ok(limits)
    }

    /// Reads the limits of a list that begins after `at`.
    fn limits(&self, value: &Value, at: usize) -> Result<Vec<Limit>, BudgetError> {
        let Value::Array(elements) = value else {
            let found = value.type_str();
            return Err(self.error(at, format!("`limits`: expected a list of texts, found {found}")));
        };
        let mut limits = Vec::with_capacity(elements.len());
        let mut after = at;
        for element in elements {
            let Value::String(text) = element else {
                let found = format!("{element} ({})", element.type_str());
                let at = self.find(&element.to_string(), after);
                return Err(self.error(at, format!("`limits`: expected a text, found {found}")));
            };
            let start = self.find(text, after);
            after = start + if self.text[start..].starts_with(text.as_str()) { text.len() } else { 0 };
            limits.push(Limit::parse(text, self.line(start)).map_err(|reason| self.error(start, reason))?);
        }
        Ok(limits)
    }

    /// Offset of a text after `at`; `at` if the text is spelled differently in the file.
    fn find(&self, text: &str, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.find(text)).map_or(at, |found| at + found)
    }
}
