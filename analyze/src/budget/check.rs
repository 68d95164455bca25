//! Checks limits against the figures of reports.

use super::failed_creations;
use super::former_keys::present_place;
use super::summary::summary;
use super::{Bound, Budget, BudgetError, Limit};
use crate::analysis::Analysis;
use crate::imported::is_imported;
use crate::render::{counted, did_you_mean};
use crate::reports::{BudgetChange, Found, REPORTS, Unit};
use serde::Serialize;
use serde_json::{Value, json};

/// Max figures that an error lists if none is near.
const NAMED: usize = 12;

/// Outcome of a limit's check.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOutcome {
    /// The figure is within the limit.
    Passed,
    /// The figure exceeds the limit.
    Broken(Broken),
    /// The report does not apply to the trace, or the figure has no value; with the reason.
    Skipped(String),
}

/// A broken limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Broken {
    pub found: Value,
    /// The value as text.
    pub found_text: String,
    /// The figure in words with its value, and its change since the baseline if there is one.
    pub summary: String,
    /// The largest contributors, largest first: changes since the baseline, causes of waste, resources, calls or
    /// messages.
    pub contributors: Vec<String>,
    /// The change that reduces the figure, with its saving in the unit of the figure; null if none is known.
    pub change: Option<String>,
}

impl Broken {
    /// The summary with the largest contributor.
    pub fn headline(&self) -> String {
        match self.contributors.first() {
            Some(first) => format!("{}: {first}", self.summary),
            None => self.summary.clone(),
        }
    }

    /// The contributors that the headline leaves out.
    pub fn other_contributors(&self) -> &[String] {
        self.contributors.get(1..).unwrap_or_default()
    }

    /// The lines under the headline: the change first, then the contributors that the headline leaves out.
    pub fn details(&self) -> Vec<String> {
        let change = self.change.iter().map(|change| format!("change: {change}"));
        change.chain(self.other_contributors().iter().cloned()).collect()
    }
}

/// A limit and the outcome of its check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checked {
    /// The limit as written in the budget.
    pub limit: String,
    /// Line of the budget file.
    pub line: usize,
    pub figure: String,
    /// The figure in words with its value, and its change since the baseline if there is one; null if it was not checked.
    pub summary: Option<String>,
    /// Outcome of the check.
    pub verdict: LimitOutcome,
}

impl Budget {
    /// Checks the limits for a workload; `reports` is the result of [`Findings::reports`](crate::Findings::reports).
    ///
    /// # Errors
    /// A limit is on a figure that does not exist, or that is of another type than its bound.
    pub fn check(&self, workload: &str, reports: &Value) -> Result<Vec<Checked>, BudgetError> {
        self.check_against(workload, reports, None)
    }

    /// As [`check`](Self::check), with a baseline: relative limits are checked against that trace's reports, and
    /// skipped without.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_against(
        &self,
        workload: &str,
        reports: &Value,
        baseline: Option<&Value>,
    ) -> Result<Vec<Checked>, BudgetError> {
        let world = CheckedWorld { baseline, ..CheckedWorld::default() };
        self.limits_for(workload).into_iter().map(|limit| check(limit, reports, &world)).collect()
    }

    /// As [`check_against`](Self::check_against), with the analysis, so that a broken limit on memory has contributors.
    /// `baseline_driver` is the driver of the baseline: a broken limit names it if the trace has another one.
    ///
    /// # Errors
    /// As [`check`](Self::check); or the trace was imported from Windows and lacks a report's events.
    pub fn check_trace(
        &self,
        workload: &str,
        reports: &Value,
        baseline: Option<&Value>,
        baseline_driver: Option<&str>,
        analysis: &Analysis,
    ) -> Result<Vec<Checked>, BudgetError> {
        let limits = self.limits_for(workload).into_iter();
        let driver = analysis.head().ok().map(|head| head.driver.as_str());
        let drivers = baseline_driver.zip(driver).filter(|(before, after)| before != after);
        let driver_change =
            drivers.map(|(before, after)| format!("the driver differs from the baseline's: {before} → {after}"));
        let world = CheckedWorld {
            baseline,
            analysis: Some(analysis),
            driver_change,
            failed_creations: failed_creations::count(analysis),
        };
        limits.map(|limit| check(limit, reports, &world)).collect()
    }
}

/// Traces that figures are checked against.
#[derive(Default)]
struct CheckedWorld<'a> {
    /// Reports of the baseline.
    baseline: Option<&'a Value>,
    analysis: Option<&'a Analysis>,
    /// Sentence on the drivers of both traces, if they differ.
    driver_change: Option<String>,
    /// Heaps and resources that a what-if failed to create; 0 for other traces.
    failed_creations: u64,
}

/// Value that exceeds a bound.
#[derive(Debug, Clone, Copy)]
struct Exceeding<'a> {
    value: &'a Value,
    bound: Bound,
}

/// A broken limit on a figure with this value.
fn broken(limit: &Limit, exceeding: Exceeding<'_>, reports: &Value, world: &CheckedWorld<'_>) -> Broken {
    let CheckedWorld { baseline, analysis, .. } = *world;
    let value = exceeding.value;
    let place = limit.figure.split_once('.').map_or("", |(_, place)| place);
    let report = REPORTS.iter().find(|report| report.name() == limit.report());
    let in_baseline = baseline.map(|baseline| &baseline[limit.report()]);
    let found = Found { figures: &reports[limit.report()], baseline: in_baseline, analysis };
    // The application's change is not the cause where the driver has changed.
    let for_change = Found { baseline: in_baseline.filter(|_| world.driver_change.is_none()), ..found };
    let contributors = report.map_or_else(Vec::new, |report| report.contributors(place, &found));
    Broken {
        found: value.clone(),
        found_text: limit.written(value),
        summary: summary(limit, value, baseline.and_then(|baseline| figure(baseline, &limit.figure))),
        contributors: world.driver_change.clone().into_iter().chain(contributors).collect(),
        change: report.and_then(|report| change(limit, exceeding, &report.budget_change(place, &for_change)?)),
    }
}

/// Formats a change with its saving; `None` if it does not reduce the figure.
fn change(limit: &Limit, exceeding: Exceeding<'_>, change: &BudgetChange) -> Option<String> {
    let Exceeding { value, bound } = exceeding;
    let before = value.as_f64()?;
    let saved = before - change.value;
    let number = |number: f64| if limit.unit() == Unit::Ratio { json!(number) } else { json!(number.round() as u64) };
    let after = number(change.value);
    let saving = match limit.unit() {
        Unit::Ratio => format!("{:.2} points", saved * 100.0),
        _ => limit.brief(&number(saved)),
    };
    let is_met =
        if limit.holds(&after, bound) == Some(true) { ", within the limit" } else { ", still above the limit" };
    let (before, after) = (limit.brief(value), limit.brief(&after));
    (saved > 0.0).then(|| format!("{}; saves {saving} ({before} → {after}{is_met})", change.action))
}

fn check(limit: &Limit, reports: &Value, world: &CheckedWorld<'_>) -> Result<Checked, BudgetError> {
    let CheckedWorld { baseline, analysis, failed_creations, .. } = *world;
    let limit = &Limit { figure: present_place(reports, &limit.figure), ..limit.clone() };
    let report = &reports[limit.report()];
    let mut checked_summary = None;
    let verdict = match report.get("not_applicable").and_then(Value::as_str) {
        // Events that Windows did not report are no proof that the limit holds.
        Some(why) if analysis.is_some_and(|analysis| is_imported(analysis.trace())) => {
            return Err(BudgetError::Imported {
                line: limit.line,
                figure: limit.figure.clone(),
                report: limit.report().to_owned(),
                why: why.to_owned(),
            });
        }
        Some(why) => LimitOutcome::Skipped(why.to_owned()),
        None if limit.report() == "alignment" && failed_creations > 0 => LimitOutcome::Skipped(format!(
            "{} of heaps or resources fail in this what-if, and the figure lacks them",
            counted(failed_creations, "creation")
        )),
        None => match figure(reports, &limit.figure) {
            None => match lacking(reports, &limit.figure) {
                Some(lacking) => LimitOutcome::Skipped(lacking),
                None => return Err(unknown(limit, report)),
            },
            Some(Value::Null) => LimitOutcome::Skipped("the figure has no value in this trace".to_owned()),
            Some(value) => match bound(limit, baseline) {
                _ if limit.is_relative() && !value.is_number() => return Err(kind(limit, value)),
                Err(why) => LimitOutcome::Skipped(why),
                Ok((bound, baseline_text)) => {
                    let holds = limit.holds(value, bound).ok_or_else(|| kind(limit, value))?;
                    let before = baseline.and_then(|baseline| figure(baseline, &limit.figure));
                    checked_summary = Some(summary(limit, value, before));
                    if holds {
                        LimitOutcome::Passed
                    } else {
                        let broken = broken(limit, Exceeding { value, bound }, reports, world);
                        LimitOutcome::Broken(Broken { found_text: broken.found_text + &baseline_text, ..broken })
                    }
                }
            },
        },
    };
    let (text, line, figure) = (limit.text.clone(), limit.line, limit.figure.clone());
    Ok(Checked { limit: text, line, figure, summary: checked_summary, verdict })
}

/// The bound of a limit, and a text on the baseline to append to the value; or the reason why there is none.
fn bound(limit: &Limit, baseline: Option<&Value>) -> Result<(Bound, String), String> {
    if !limit.is_relative() {
        return Ok((limit.bound, String::new()));
    }
    let Some(baseline) = baseline else {
        return Err("it is relative to a baseline, and none is given (--baseline FILE.taut)".to_owned());
    };
    if let Some(why) = baseline[limit.report()].get("not_applicable").and_then(Value::as_str) {
        return Err(format!("of the baseline: {why}"));
    }
    let found = figure(baseline, &limit.figure);
    let number = found.and_then(Value::as_f64).and_then(|number| limit.bound_by(number));
    match (found, number) {
        (Some(found), Some(number)) => {
            Ok((Bound::Number(number), format!(", in the baseline {}", limit.written(found))))
        }
        _ => Err("the baseline has no such figure".to_owned()),
    }
}

/// The figure at a path. An element of a list is addressed by its index or its name; every path below a null value is
/// null.
fn figure<'a>(reports: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(reports, |value, key| match value {
        Value::Array(elements) => match key.parse::<usize>() {
            Ok(number) => elements.get(number),
            Err(_) => elements.iter().find(|element| element["name"] == key),
        },
        Value::Null => Some(value),
        value => value.get(key),
    })
}

/// Names the list element of a path that the trace lacks; such a path is valid.
fn lacking(reports: &Value, place: &str) -> Option<String> {
    let list_of = |key: usize| place.match_indices('.').nth(key).map(|(at, _)| &place[..at]);
    let (list, key) = (0..).map_while(list_of).find_map(|list| match figure(reports, list) {
        Some(Value::Array(_)) => Some((list, place[list.len() + 1..].split('.').next()?)),
        _ => None,
    })?;
    let element = &place[..list.len() + 1 + key.len()];
    let name = list.rsplit('.').next().unwrap_or(list);
    figure(reports, element).is_none().then(|| format!("there is no `{key}` among the `{name}` of this trace"))
}

fn unknown(limit: &Limit, report: &Value) -> BudgetError {
    let mut figures = Vec::new();
    leaves(report, limit.report().to_owned(), &mut figures);
    let begins = figures
        .iter()
        .find(|figure| figure.starts_with(&limit.figure))
        .map(|figure| format!("did you mean `{figure}`?"));
    let known = match begins.or_else(|| did_you_mean(&limit.figure, figures.iter().map(String::as_str))) {
        Some(hint) => hint,
        None => {
            // The figures under the longest existing prefix of the path.
            let mut part = limit.figure.as_str();
            while let Some((shorter, _)) = part.rsplit_once('.') {
                part = shorter;
                let under: Vec<&str> =
                    figures.iter().map(String::as_str).filter(|figure| figure.starts_with(part)).take(NAMED).collect();
                if !under.is_empty() {
                    return unknown_among(limit, &under);
                }
            }
            "expected a figure of a report".to_owned()
        }
    };
    BudgetError::Figure { line: limit.line, figure: limit.figure.clone(), known }
}

fn unknown_among(limit: &Limit, figures: &[&str]) -> BudgetError {
    let known = format!("expected one such as {}", figures.join(", "));
    BudgetError::Figure { line: limit.line, figure: limit.figure.clone(), known }
}

/// Collects the paths of all numbers and booleans outside lists.
fn leaves(value: &Value, place: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| leaves(value, format!("{place}.{key}"), found)),
        Value::Number(_) | Value::Bool(_) => found.push(place),
        _ => {}
    }
}

fn kind(limit: &Limit, value: &Value) -> BudgetError {
    let found = match value {
        Value::Object(_) => "a group of figures".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => format!("{other}"),
    };
    let expected = match (limit.bound, value) {
        (_, Value::Object(_) | Value::Array(_)) => "a figure in it",
        (Bound::Baseline(_), _) => "a figure that is a number",
        (Bound::Number(_), Value::Bool(_)) => "`true` or `false` to compare with",
        _ => "a figure that is a number, or true or false",
    };
    BudgetError::Kind { line: limit.line, figure: limit.figure.clone(), found, expected }
}
