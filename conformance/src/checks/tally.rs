//! Counts of a check's cases.

use taut_runtime::AllocationKind;
use taut_schemas::{ResourceDesc, counted, grouped};

/// Reason why a check does not apply to a driver.
#[derive(Debug)]
pub(crate) struct NotApplicable(pub String);

/// A case in which a driver broke a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingCase {
    /// Resource and kind of allocation; `None` for rules that are not about Direct3D 12 allocations.
    pub allocation: Option<(ResourceDesc, AllocationKind)>,
    /// Found and expected values.
    pub what: String,
}

/// Cases of a check so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub cases: u64,
    pub failures: u64,
    /// Resources that the driver refused to create for reasons that other checks cover.
    pub refused: u64,
    pub first_failure: Option<FailingCase>,
}

impl Tally {
    /// Counts a case about an allocation. `what` is the description of a failure, with expected and found values.
    pub fn count_allocation(&mut self, desc: &ResourceDesc, kind: AllocationKind, what: Option<String>) {
        self.count(Some((*desc, kind)), what);
    }

    /// Counts a case about another property than an allocation. `what` is the description of a failure.
    pub fn count_result(&mut self, what: Option<String>) {
        self.count(None, what);
    }

    fn count(&mut self, allocation: Option<(ResourceDesc, AllocationKind)>, what: Option<String>) {
        self.cases += 1;
        if let Some(what) = what {
            self.failures += 1;
            self.first_failure.get_or_insert(FailingCase { allocation, what });
        }
    }

    /// Returns the outcome in words.
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
