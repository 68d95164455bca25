//! Cases of calls with their expected results, from a file.

use crate::Error;
use crate::world::WorldOptions;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use taut_conformance::{Case, CaseError, CaseFile, CaseVerdict, Difference, UnsupportedStep, run_case};
use taut_runtime::Profile;
use taut_traces::read_text;

/// Result of a file of cases.
pub struct CaseResults {
    pub profile: Profile,
    pub cases: Vec<CaseResult>,
}

/// A case with its verdict.
pub struct CaseResult {
    pub case: Case,
    pub verdict: CaseVerdict,
}

/// Runs every case of a file, each on a fresh runtime.
///
/// # Errors
/// An option is wrong, or the file cannot be read.
pub fn run(path: &Path, world: &WorldOptions) -> Result<CaseResults, Error> {
    let (profile, settings) = world.single()?;
    let named = || path.display().to_string();
    let unread = |error: std::io::Error| Error::reading(error.kind(), error).context(named());
    let text = read_text(path).map_err(unread)?;
    let wrong = |error: CaseError| Error::input(error).context(named());
    let file = CaseFile::parse(&text).map_err(wrong)?;
    let judged = file.cases.into_iter().map(|case| {
        let driver = Arc::from(taut_runtime::driver(&profile));
        let verdict = run_case(&case, &driver, &settings);
        CaseResult { case, verdict }
    });
    let cases = judged.collect();
    Ok(CaseResults { profile, cases })
}

impl CaseResult {
    /// Differences from the expected results; empty if the case passes or is not supported.
    pub fn differences(&self) -> &[Difference] {
        if let CaseVerdict::Fail(found) = &self.verdict { found } else { &[] }
    }

    /// The first step that is not supported.
    pub fn unsupported(&self) -> Option<&UnsupportedStep> {
        if let CaseVerdict::Unsupported(step) = &self.verdict { Some(step) } else { None }
    }

    /// The case with its first step that differs or is not supported; null in a case that passes.
    fn json(&self) -> Value {
        let first = self.differences().first();
        let (status, step, expected, found) = match &self.verdict {
            CaseVerdict::Pass => ("pass", Value::Null, Value::Null, Value::Null),
            CaseVerdict::Fail(_) => (
                "fail",
                first.map_or(Value::Null, |first| json!(first.step)),
                first.map_or(Value::Null, |first| first.expected.clone()),
                first.map_or(Value::Null, |first| first.found.clone()),
            ),
            CaseVerdict::Unsupported(UnsupportedStep { step, reason }) => {
                ("unsupported", json!(step), Value::Null, json!(reason))
            }
        };
        json!({
            "id": self.case.id,
            "class": self.case.class,
            "status": status,
            "step": step,
            "expected": expected,
            "found": found,
        })
    }
}

impl CaseResults {
    /// Number of cases with a difference.
    pub fn differing(&self) -> usize {
        self.cases.iter().filter(|result| !result.differences().is_empty()).count()
    }

    /// Number of cases that are not supported.
    pub fn unsupported(&self) -> usize {
        self.cases.iter().filter(|result| result.unsupported().is_some()).count()
    }

    /// The cases and differences as JSON.
    pub fn json(&self) -> Value {
        let differences = self.cases.iter().flat_map(|result| {
            result.differences().iter().map(|difference| {
                json!({
                    "case": difference.case,
                    "class": result.case.class,
                    "step": difference.step,
                    "what": difference.what,
                    "expected": difference.expected,
                    "found": difference.found,
                })
            })
        });
        json!({
            "driver": self.profile.name,
            "cases": self.cases.iter().map(CaseResult::json).collect::<Vec<_>>(),
            "differences": differences.collect::<Vec<_>>(),
        })
    }
}
