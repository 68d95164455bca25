//! Conformance kit: the rules of the documents, each an executable check of a driver model.

use crate::progress::watched;
use crate::world::WorldOptions;
use crate::{Error, Progress, Step, alloc_info};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use taut_conformance::{self as conformance, CHECKS, FailingCase, Outcome, Status};
use taut_runtime::{Profile, Settings};

/// Options of the kit.
#[derive(Debug, Clone)]
pub struct HlkOptions {
    pub world: WorldOptions,
    /// Id of the only check to run; `None` for all.
    pub check: Option<String>,
}

/// Results of the checks.
pub struct HlkResults {
    pub profile: Profile,
    pub settings: Settings,
    pub outcomes: Vec<Outcome>,
}

/// Runs the checks on a driver.
///
/// # Errors
/// An option is wrong, or a profile cannot be read.
pub fn run(options: &HlkOptions, progress: &dyn Progress) -> Result<HlkResults, Error> {
    let (profile, settings) = options.world.single()?;
    let driver = taut_runtime::driver(&profile);
    let outcomes = match &options.check {
        None => {
            let checked = AtomicU64::new(0);
            let done = || checked.load(Ordering::Relaxed);
            watched(progress, Step { total: CHECKS.len() as u64, name: "checking", done: &done }, || {
                conformance::run_reporting(&*driver, &settings, &mut |_| {
                    checked.fetch_add(1, Ordering::Relaxed);
                })
            })
        }
        Some(id) => {
            let known = CHECKS.iter().map(|check| check.id);
            let check = conformance::check(id).ok_or_else(|| Error::unknown("check", id, known))?;
            vec![check.run(&*driver, &settings)]
        }
    };
    Ok(HlkResults { profile, settings, outcomes })
}

/// The failing case as an input line of `taut alloc-info`, if it is an allocation of Direct3D 12.
pub fn alloc_info_line(id: &str, case: &FailingCase) -> Option<Value> {
    let (desc, kind) = case.allocation?;
    Some(alloc_info::line(id, &[desc], kind))
}

impl HlkResults {
    /// True if the driver fails a check.
    pub fn has_failure(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.status == Status::Fail)
    }

    /// Number of cases of all checks.
    pub fn cases(&self) -> u64 {
        self.outcomes.iter().map(|outcome| outcome.cases).sum()
    }

    fn is_declared(&self, outcome: &Outcome) -> bool {
        self.profile.fails.iter().any(|named| named == outcome.check.id)
    }

    /// Ids of the checks that the profile declares as failing although its driver does not fail them.
    pub fn wrongly_declared(&self) -> impl Iterator<Item = &'static str> {
        let passes = self.outcomes.iter().filter(|outcome| outcome.status != Status::Fail);
        passes.filter(|outcome| self.is_declared(outcome)).map(|outcome| outcome.check.id)
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        let checks = self.outcomes.iter().map(|outcome| {
            let check = outcome.check;
            let line = outcome.first_failure.as_ref().and_then(|case| alloc_info_line(check.id, case));
            json!({
                "id": check.id,
                "title": check.title,
                "source": check.source,
                "status": outcome.status.name(),
                "detail": outcome.detail,
                "cases": outcome.cases,
                "failures": outcome.failures,
                "declared": self.is_declared(outcome),
                "alloc_info": line,
            })
        });
        json!({
            "driver": self.profile.name,
            "description": self.profile.description,
            "rules": self.settings.rules.name(),
            "checks": checks.collect::<Vec<_>>(),
        })
    }
}
