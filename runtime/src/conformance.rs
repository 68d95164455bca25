//! The conformance kit: the documents' rules as checks that any driver model can be put to.
//!
//! Each check makes the runtime's own calls on the driver, over resources of every kind, and looks at what the API says
//! and at what is said at the driver interface, as the documents' HLK tests do. A new check is a function in a file of
//! its own and one entry in [`CHECKS`].
//!
//! ```
//! use taut_runtime::conformance::{self, Status};
//! use taut_runtime::{Profile, Settings, driver};
//!
//! let profile = Profile::named("faulty-buffer-size").ok_or("no such driver")?;
//! let check = conformance::check("A-52").ok_or("no such check")?;
//! let outcome = check.run(&*driver(&profile), &Settings::default());
//! assert_eq!(outcome.status, Status::Fail);
//! # Ok::<(), &'static str>(())
//! ```

mod background;
mod bench;
mod cross_adapter;
mod direct_access;
mod existing;
mod idempotent;
mod implicit_heap;
mod never_worse;
mod range;
mod sweep;
mod tally;
mod tight_buffer;
mod watched;

use crate::d3d12::alloc_info::AllocationKind;
use crate::settings::Settings;
use bench::Bench;
use tally::{NotApplicable, Tally};
use taut_schemas::{Driver, HResultCode, ResourceDesc};

/// A rule that a driver keeps or does not.
#[derive(Debug)]
pub struct Check {
    /// The rule's number, such as `A-52`.
    pub id: &'static str,
    /// The rule in a sentence.
    pub title: &'static str,
    /// Where the rule comes from: document and section.
    pub source: &'static str,
    run: fn(&mut Bench<'_>) -> Result<Tally, NotApplicable>,
}

/// Every check, in order of its rule.
pub const CHECKS: &[Check] = &[
    Check {
        id: "A-50",
        title: "with the cross-adapter flag, tight alignment changes nothing: 64 KiB, and 4 MiB for MSAA",
        source: "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 1st",
        run: cross_adapter::check,
    },
    Check {
        id: "A-51",
        title: "tight alignment is never worse than without the flag, small resources included",
        source: "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd",
        run: never_worse::check,
    },
    Check {
        id: "A-52",
        title: "tight buffers of any size get at most 256 bytes of alignment, and the driver's size is the width",
        source: "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd",
        run: tight_buffer::check,
    },
    Check {
        id: "A-53",
        title: "CheckResourceAllocationInfo answers the same question the same way",
        source: "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd: idempotency",
        run: idempotent::check,
    },
    Check {
        id: "A-54",
        title: "the heaps of committed resources, and no others, are marked IMPLICIT from DDI 0115, and are created",
        source: "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps",
        run: implicit_heap::check,
    },
    Check {
        id: "A-55",
        title: "tight alignments lie in the documents' ranges for placed and committed resources",
        source: "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges",
        run: range::check,
    },
    Check {
        id: "A-56",
        title: "CheckExistingResourceAllocationInfo says of what was created what was announced",
        source: "Direct3D 12 Tight Placed Resource Alignment, DDI: IMPORTANT",
        run: existing::check,
    },
    Check {
        id: "B-07",
        title: "FurtherMeasurementsDesired is written in every mode",
        source: "D3D12 Background Processing: SetBackgroundProcessingMode, FurtherMeasurementsDesired",
        run: background::writes_further,
    },
    Check {
        id: "B-25",
        title: "with profiling by the system disabled and the queue drained, the same frame costs the same",
        source: "D3D12 Background Processing: DISABLE_PROFILING_BY_SYSTEM",
        run: background::stays_the_same,
    },
    Check {
        id: "B-38",
        title: "a commit of results after one frame finds the specialisations of a long run",
        source: "D3D12 Background Processing: COMMIT_RESULTS, scaling of histograms",
        run: background::commit_scales_up,
    },
    Check {
        id: "B-40",
        title: "measuring the same frame again and again, no further measurements are desired in the end",
        source: "D3D12 Background Processing: FurtherMeasurementsDesired, steady state",
        run: background::converges,
    },
    Check {
        id: "B-41",
        title: "no decision rests on work that the graphics processor has not done",
        source: "D3D12 Background Processing: measurements (inferred)",
        run: background::decides_by_finished_work,
    },
    Check {
        id: "B-52",
        title: "a context stands for one work item at a time",
        source: "D3D12 Background Processing: QueueProcessingWorkCB",
        run: background::queues_once,
    },
    Check {
        id: "B-53",
        title: "a driver whose tasks are cancelled goes on without them",
        source: "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel",
        run: background::survives_cancel,
    },
    Check {
        id: "B-59",
        title: "tasks have no functional effect: outputs are the same without variants and with them",
        source: "D3D12 Background Processing: work items compile specialised variants",
        run: background::outputs_stay,
    },
    Check {
        id: "B-63",
        title: "what is cancelled while background work is disabled is not done in another way",
        source: "D3D12 Background Processing: DISABLE_BACKGROUND_WORK",
        run: background::does_nothing_when_cancelled,
    },
    Check {
        id: "B-70",
        title: "what is compiled for a pipeline state that is gone is abandoned",
        source: "D3D12 Background Processing: lifespan of pipeline states",
        run: background::abandons_the_dead,
    },
    Check {
        id: "B-73",
        title: "constants that a variant was not built for get the generic shader",
        source: "D3D12 Background Processing: variants selected by constant values",
        run: background::falls_back,
    },
    Check {
        id: "T-04",
        title: "CopyResource binds a pair of textures created for direct access, and copies any other",
        source: "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph",
        run: direct_access::binds,
    },
    Check {
        id: "T-05",
        title: "a direct-access staging texture has no memory of its own: Map points into the texture it is bound to",
        source: "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph",
        run: direct_access::shares_memory,
    },
];

/// The check of this id.
pub fn check(id: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.id == id)
}

/// Puts a driver to every check, in order, on one device.
pub fn run(driver: &dyn Driver, settings: &Settings) -> Vec<Outcome> {
    run_telling(driver, settings, &mut |_| {})
}

/// The same; each outcome is told as soon as it is there.
pub fn run_telling(driver: &dyn Driver, settings: &Settings, told: &mut dyn FnMut(&Outcome)) -> Vec<Outcome> {
    match Bench::new(driver, settings) {
        Ok(mut bench) => CHECKS.iter().map(|check| check.on(&mut bench)).inspect(|outcome| told(outcome)).collect(),
        Err(code) => CHECKS.iter().map(|check| check.without_device(code)).collect(),
    }
}

/// How a driver stands to a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It keeps the rule in every case.
    Pass,
    /// It breaks the rule in some case.
    Fail,
    /// The rule does not concern it.
    NotApplicable,
}

impl Status {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::NotApplicable => "not_applicable",
        }
    }
}

/// A case in which a driver broke a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingCase {
    /// The resource, and what it was to become; none where the rule is not about allocations of Direct3D 12.
    pub allocation: Option<(ResourceDesc, AllocationKind)>,
    /// What was found, and what was expected.
    pub what: String,
}

/// What a check found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The check.
    pub check: &'static Check,
    /// How the driver stands to it.
    pub status: Status,
    /// What was found, in words; why the check does not apply, if it does not.
    pub detail: String,
    /// How many cases were judged.
    pub cases: u64,
    /// In how many of them the driver broke the rule.
    pub failures: u64,
    /// The first of these.
    pub first_failure: Option<FailingCase>,
}

impl Check {
    /// Puts a driver to this check alone. The runtime is lenient whatever `settings` says: a check goes on after a
    /// violation.
    pub fn run(&'static self, driver: &dyn Driver, settings: &Settings) -> Outcome {
        match Bench::new(driver, settings) {
            Ok(mut bench) => self.on(&mut bench),
            Err(code) => self.without_device(code),
        }
    }

    fn on(&'static self, bench: &mut Bench<'_>) -> Outcome {
        match (self.run)(bench) {
            Ok(tally) => Outcome {
                status: if tally.failures == 0 { Status::Pass } else { Status::Fail },
                cases: tally.cases,
                failures: tally.failures,
                detail: tally.detail(),
                first_failure: tally.first_failure,
                check: self,
            },
            Err(NotApplicable(reason)) => self.without_cases(Status::NotApplicable, reason),
        }
    }

    /// A driver that no device can be made of keeps no rule.
    fn without_device(&'static self, code: HResultCode) -> Outcome {
        self.without_cases(Status::Fail, format!("the driver's device cannot be created: {code:?}"))
    }

    fn without_cases(&'static self, status: Status, detail: String) -> Outcome {
        Outcome { check: self, status, detail, cases: 0, failures: 0, first_failure: None }
    }
}
