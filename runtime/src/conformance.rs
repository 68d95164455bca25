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
mod contexts;
mod cross_adapter;
mod direct_access;
mod existing;
mod idempotent;
mod implicit_heap;
mod kernel;
mod never_worse;
mod range;
mod recordings;
mod scan_out;
mod shared_textures;
mod sweep;
mod tally;
mod tight_buffer;
mod watched;

use crate::d3d12::alloc_info::AllocationKind;
use crate::driver::checked_rules::CHECKED_RULES;
use crate::settings::Settings;
use bench::Bench;
use tally::{NotApplicable, Tally};
use taut_schemas::{Driver, HResultCode, ResourceDesc, Rule, rule};

/// A rule that a driver keeps or does not.
#[derive(Debug)]
pub struct Check {
    /// The rule's number, such as `A-52`.
    pub id: &'static str,
    /// What is checked: the rule's sentence, or the part of it that a driver can break.
    pub title: &'static str,
    /// Where the rule comes from: document and section.
    pub source: &'static str,
    run: Run,
}

type Run = fn(&mut Bench<'_>) -> Result<Tally, NotApplicable>;

/// Every check, in order of its rule.
pub const CHECKS: &[Check] = &[
    Check::of(rule::A_50, cross_adapter::check),
    Check::of(rule::A_51, never_worse::check),
    Check::of(rule::A_52, tight_buffer::check),
    Check::of(rule::A_53, idempotent::check),
    Check::of(rule::A_54, implicit_heap::check),
    Check::of(rule::A_55, range::check),
    Check::of(rule::A_56, existing::check),
    Check::of(rule::B_07, background::writes_further),
    Check::of(rule::B_25, background::stays_the_same),
    Check::of(rule::B_38, background::commit_scales_up),
    Check::of(rule::B_40, background::converges),
    Check::of(rule::B_41, background::decides_by_finished_work),
    Check { title: "a context stands for one work item at a time", ..Check::of(rule::B_52, background::queues_once) },
    Check {
        title: "a driver whose tasks are cancelled goes on without them",
        ..Check::of(rule::B_53, background::survives_cancel)
    },
    Check {
        title: "what is cancelled while it is queued takes no lock that the driver holds there",
        ..Check::of(rule::B_55, background::lets_go_of_its_locks)
    },
    Check::of(rule::B_59, background::outputs_stay),
    Check::of(rule::B_63, background::does_nothing_when_cancelled),
    Check::of(rule::B_70, background::abandons_the_dead),
    Check::of(rule::B_73, background::falls_back),
    Check::of(rule::B_74, background::keeps_to_its_estimates),
    Check {
        title: "the tiers of cross-adapter resources have no gap, and the adapter starts",
        ..Check::of(rule::C_01, kernel::tiers_are_supersets)
    },
    Check::of(rule::C_02, kernel::reserved_bits_are_clear),
    Check::of(rule::C_04, kernel::hybrid_integrated_scans_out),
    Check::of(rule::C_06, kernel::tier_is_the_adapters_own),
    Check {
        title: "a driver that scans cross-adapter resources out has DxgkDdiCheckMultiPlaneOverlaySupport3 and pfnCreateResource",
        ..Check::of(rule::C_07, kernel::scan_out_can_be_checked)
    },
    Check {
        title: "the user-mode driver promises cross-adapter textures only where the kernel-mode driver has them",
        ..Check::of(rule::C_08, kernel::promises_no_more_than_the_kernel)
    },
    Check {
        title: "a driver of tier 2 has shader-resource, unordered-access and render-target views in each format of scan-out",
        ..Check::of(rule::C_09, shared_textures::views_what_is_scanned_out)
    },
    Check {
        title: "within 1920 by 1080 and in six formats, a driver of tier 3 does not opt out of scan-out",
        ..Check::of(rule::C_10, scan_out::scans_the_least_out)
    },
    Check {
        title: "a driver that says CrossAdapterRowMajorTextureSupported views shared textures in formats beyond scan-out's",
        ..Check::of(rule::C_13, shared_textures::views_every_format)
    },
    Check {
        title: "what a display scans out is the cross-adapter resource itself, every row by its pitch, and no copy of it",
        ..Check::of(rule::C_20, scan_out::scans_the_resource_itself_out)
    },
    Check {
        title: "a static check is about the plane with its flag, and changes no later answer",
        ..Check::of(rule::C_21, scan_out::static_check_leaves_nothing)
    },
    Check {
        title: "a static check goes by the configuration, not by earlier frames, and promises nothing that frames are refused",
        ..Check::of(rule::C_26, scan_out::static_check_goes_by_configuration)
    },
    Check {
        title: "memory behind the end of a handle is not touched",
        ..Check::of(rule::H_11, |bench| contexts::keeps(bench, rule::H_11))
    },
    Check::of(rule::H_20, |bench| contexts::keeps(bench, rule::H_20)),
    Check::of(rule::H_21, |bench| contexts::keeps(bench, rule::H_21)),
    Check::of(rule::H_22, |bench| contexts::keeps(bench, rule::H_22)),
    Check::of(rule::H_24, |bench| contexts::keeps(bench, rule::H_24)),
    Check::of(rule::H_27, |bench| contexts::keeps(bench, rule::H_27)),
    Check::of(rule::H_28, |bench| contexts::keeps(bench, rule::H_28)),
    Check {
        title: "a driver that builds command lists tells the size of their handles",
        ..Check::of(rule::H_29, |bench| contexts::keeps(bench, rule::H_29))
    },
    Check::of(rule::H_31, |bench| contexts::keeps(bench, rule::H_31)),
    Check {
        title: "no cache line of the device's memory is written by one deferred context and touched by another",
        ..Check::of(rule::H_32, |bench| contexts::keeps(bench, rule::H_32))
    },
    Check::of(rule::H_37, |bench| contexts::keeps(bench, rule::H_37)),
    Check::of(rule::H_38, |bench| contexts::keeps(bench, rule::H_38)),
    Check {
        title: "two contexts that were just created record the same calls as the same list",
        ..Check::of(rule::H_41, recordings::begins_alike)
    },
    Check::of(rule::H_42, |bench| contexts::keeps(bench, rule::H_42)),
    Check::of(rule::H_43, |bench| contexts::keeps(bench, rule::H_43)),
    Check {
        title: "a context that was recycled records the same calls as the same list each time",
        ..Check::of(rule::H_44, recordings::begins_anew)
    },
    Check {
        title: "what has fitted into a context once fits again after FinishCommandList",
        ..Check::of(rule::H_46, recordings::gives_back)
    },
    Check {
        title: "a list holds for a deferred context what it holds for the immediate one",
        ..Check::of(rule::H_59, |bench| contexts::keeps(bench, rule::H_59))
    },
    Check::of(rule::H_60, |bench| contexts::keeps(bench, rule::H_60)),
    Check {
        title: "every discard of a recording has memory of its own",
        ..Check::of(rule::H_61, recordings::discards_elsewhere)
    },
    Check {
        title: "a list that is executed is what it was made of",
        ..Check::of(rule::H_65, |bench| contexts::keeps(bench, rule::H_65))
    },
    Check::of(rule::H_70, |bench| contexts::keeps(bench, rule::H_70)),
    Check::of(rule::H_71, |bench| contexts::keeps(bench, rule::H_71)),
    Check::of(rule::H_72, |bench| contexts::keeps(bench, rule::H_72)),
    Check {
        title: "what has fitted into a new context fits into one that was out of memory",
        ..Check::of(rule::H_75, recordings::recovers)
    },
    Check {
        title: "memory is reported to be out once",
        ..Check::of(rule::H_76, |bench| contexts::keeps(bench, rule::H_76))
    },
    Check::of(rule::H_77, |bench| contexts::keeps(bench, rule::H_77)),
    Check {
        title: "a function that creates on any thread writes nothing but what it creates",
        ..Check::of(rule::H_80, |bench| contexts::keeps(bench, rule::H_80))
    },
    Check::of(rule::H_81, |bench| contexts::keeps(bench, rule::H_81)),
    Check::of(rule::T_04, direct_access::binds),
    Check::of(rule::T_05, direct_access::shares_memory),
];

// A profile may name every check, and nothing else, as what its driver fails.
const _: () = {
    assert!(CHECKS.len() == CHECKED_RULES.len(), "a check has to stand in the driver's list of checked rules");
    let mut at = 0;
    while at < CHECKS.len() {
        let (check, rule) = (CHECKS[at].id.as_bytes(), CHECKED_RULES[at].id.as_bytes());
        assert!(check.len() == rule.len(), "checks and checked rules are in one order");
        let mut letter = 0;
        while letter < check.len() {
            assert!(check[letter] == rule[letter], "checks and checked rules are in one order");
            letter += 1;
        }
        at += 1;
    }
};

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
    /// The check of a whole rule.
    const fn of(rule: &'static Rule, run: Run) -> Check {
        Check { id: rule.id, title: rule.sentence, source: rule.source, run }
    }

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
