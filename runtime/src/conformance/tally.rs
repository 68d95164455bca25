//! Counting the cases of a check.

use super::FailingCase;
use crate::d3d12::alloc_info::AllocationKind;
use taut_schemas::{ResourceDesc, counted, grouped};

/// Why a check does not concern a driver.
#[derive(Debug)]
pub(crate) struct NotApplicable(pub String);

/// The cases of a check so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub cases: u64,
    pub failures: u64,
    /// Resources that the driver refused to create for reasons that are another check's matter.
    pub refused: u64,
    pub first_failure: Option<FailingCase>,
}

impl Tally {
    /// Counts a case; `what` says what was found and expected, if it was not as it should be.
    pub fn judge(&mut self, desc: &ResourceDesc, kind: AllocationKind, what: Option<String>) {
        self.count(Some((*desc, kind)), what);
    }

    /// Counts a case that is no allocation of Direct3D 12; `what` is as for `judge`.
    pub fn judge_other(&mut self, what: Option<String>) {
        self.count(None, what);
    }

    fn count(&mut self, allocation: Option<(ResourceDesc, AllocationKind)>, what: Option<String>) {
        self.cases += 1;
        if let Some(what) = what {
            self.failures += 1;
            self.first_failure.get_or_insert(FailingCase { allocation, what });
        }
    }

    /// The outcome in words.
    pub fn detail(&self) -> String {
        let refused = match self.refused {
            0 => String::new(),
            count => format!("; {count} more that the driver refused to create were not judged"),
        };
        match &self.first_failure {
            Some(first) => {
                format!("{} of {}: {}{refused}", grouped(self.failures), counted(self.cases, "case"), first.what)
            }
            None => format!("{}{refused}", counted(self.cases, "case")),
        }
    }
}
