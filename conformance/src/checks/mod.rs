//! Checks of driver models, one file per subject, and their list.

mod adapter_queries;
mod background;
mod bench;
mod context_program;
mod contexts;
mod cross_adapter;
mod ddi_recorder;
mod direct_access;
mod existing;
mod hybrid_systems;
mod idempotent;
mod implicit_heap;
mod kernel;
mod never_worse;
mod overlay_planes;
mod range;
mod recordings;
mod sampled_textures;
mod scan_out;
mod shared_textures;
mod sweep;
mod tally;
mod tight_buffer;

use bench::Bench;
pub use tally::FailingCase;
use tally::{NotApplicable, Tally};
use taut_runtime::Settings;
use taut_runtime::inspect::CHECKED_RULES;
use taut_schemas::{Driver, HResultCode, Rule, rule};

/// A rule that a driver can be checked for.
#[derive(Debug)]
pub struct Check {
    /// Rule number, such as `A-52`.
    pub id: &'static str,
    /// Checked statement: the rule's sentence, or the part of the sentence that a driver can break.
    pub title: &'static str,
    /// Source of the rule: document and section.
    pub source: &'static str,
    run: Run,
}

type Run = fn(&mut Bench<'_>) -> Result<Tally, NotApplicable>;

/// All checks in order of their rules.
pub const CHECKS: &[Check] = &[
    Check::new(rule::A_50, cross_adapter::check),
    Check::new(rule::A_51, never_worse::check),
    Check::new(rule::A_52, tight_buffer::check),
    Check::new(rule::A_53, idempotent::check),
    Check::new(rule::A_54, implicit_heap::check),
    Check::new(rule::A_55, range::check),
    Check::new(rule::A_56, existing::check),
    Check::new(rule::B_07, background::writes_further),
    Check::new(rule::B_25, background::cost_is_constant),
    Check::new(rule::B_38, background::commit_scales_up),
    Check::new(rule::B_40, background::converges),
    Check::new(rule::B_41, background::decides_by_finished_work),
    Check { title: "a work item has at most one task in the queue", ..Check::new(rule::B_52, background::queues_once) },
    Check {
        title: "a driver renders without the results of cancelled tasks",
        ..Check::new(rule::B_53, background::survives_cancel)
    },
    Check {
        title: "the cancel callback of a queued task takes no lock that the driver holds while it queues tasks",
        ..Check::new(rule::B_55, background::releases_its_locks)
    },
    Check::new(rule::B_59, background::outputs_are_unchanged),
    Check::new(rule::B_63, background::does_nothing_when_cancelled),
    Check::new(rule::B_70, background::discards_dead_results),
    Check::new(rule::B_73, background::falls_back_to_generic),
    Check::new(rule::B_74, background::respects_its_estimates),
    Check {
        title: "the cross-adapter tiers have no gap, and the adapter starts",
        ..Check::new(rule::C_01, kernel::tiers_are_supersets)
    },
    Check::new(rule::C_02, kernel::reserved_bits_are_clear),
    Check::new(rule::C_03, adapter_queries::answers_are_those_of_the_caps),
    Check::new(rule::C_04, kernel::hybrid_integrated_scans_out),
    Check::new(rule::C_06, kernel::tier_is_the_adapters_own),
    Check {
        title: "a driver that scans out cross-adapter resources implements DxgkDdiCheckMultiPlaneOverlaySupport3 and DXGI's functions, and judges every plane and the post composition",
        ..Check::new(rule::C_07, overlay_planes::scan_out_can_be_checked)
    },
    Check {
        title: "the user-mode driver reports cross-adapter textures only if the kernel-mode driver supports them",
        ..Check::new(rule::C_08, kernel::promises_no_more_than_the_kernel)
    },
    Check {
        title: "a driver of tier 2 supports shader resource, unordered access and render target views in each scan-out format, and samples what another adapter wrote",
        ..Check::new(rule::C_09, shared_textures::views_what_is_scanned_out)
    },
    Check {
        title: "up to 1920 by 1080 and in six formats, a driver of tier 3 does not opt out of scan-out, and has every flip",
        ..Check::new(rule::C_10, scan_out::scans_out_minimum)
    },
    Check {
        title: "a hybrid adapter is the one that its caps name; from WDDM 2.9 on the discrete one has a dList DLL of less than 200 KB, which answers within 4 ms",
        ..Check::new(rule::C_12, hybrid_systems::is_the_hybrid_adapter_of_its_caps)
    },
    Check {
        title: "a driver that reports CrossAdapterRowMajorTextureSupported supports views of shared textures in every texture format",
        ..Check::new(rule::C_13, shared_textures::views_every_format)
    },
    Check {
        title: "a display scans out the cross-adapter resource itself, with its row pitch, and not a copy",
        ..Check::new(rule::C_20, scan_out::scans_the_resource_itself_out)
    },
    Check {
        title: "exactly one plane of a static check has the static-check flag, and the check changes no later answer",
        ..Check::new(rule::C_21, scan_out::static_check_leaves_nothing)
    },
    Check {
        title: "a check of multiplane overlay support changes no memory bandwidth, and runs at PASSIVE_LEVEL",
        ..Check::new(rule::C_22, scan_out::check_moves_no_bandwidth)
    },
    Check {
        title: "a static check depends on the configuration and not on earlier frames, and accepts nothing that a frame is refused",
        ..Check::new(rule::C_26, scan_out::static_check_depends_on_configuration)
    },
    Check {
        title: "a driver accesses no memory past the end of a handle",
        ..Check::new(rule::H_11, |bench| contexts::keeps_rule(bench, rule::H_11))
    },
    Check::new(rule::H_20, |bench| contexts::keeps_rule(bench, rule::H_20)),
    Check::new(rule::H_21, |bench| contexts::keeps_rule(bench, rule::H_21)),
    Check::new(rule::H_22, |bench| contexts::keeps_rule(bench, rule::H_22)),
    Check::new(rule::H_24, |bench| contexts::keeps_rule(bench, rule::H_24)),
    Check::new(rule::H_27, |bench| contexts::keeps_rule(bench, rule::H_27)),
    Check::new(rule::H_28, |bench| contexts::keeps_rule(bench, rule::H_28)),
    Check {
        title: "a driver that builds command lists reports their handle size",
        ..Check::new(rule::H_29, |bench| contexts::keeps_rule(bench, rule::H_29))
    },
    Check::new(rule::H_31, |bench| contexts::keeps_rule(bench, rule::H_31)),
    Check {
        title: "if one deferred context writes a cache line of the device's memory, no other context accesses it",
        ..Check::new(rule::H_32, |bench| contexts::keeps_rule(bench, rule::H_32))
    },
    Check::new(rule::H_37, |bench| contexts::keeps_rule(bench, rule::H_37)),
    Check::new(rule::H_38, |bench| contexts::keeps_rule(bench, rule::H_38)),
    Check {
        title: "two new contexts record equal calls as equal command lists",
        ..Check::new(rule::H_41, recordings::first_recordings_are_equal)
    },
    Check::new(rule::H_42, |bench| contexts::keeps_rule(bench, rule::H_42)),
    Check::new(rule::H_43, |bench| contexts::keeps_rule(bench, rule::H_43)),
    Check {
        title: "a recycled context records equal calls as equal command lists each time",
        ..Check::new(rule::H_44, recordings::later_recordings_are_equal)
    },
    Check {
        title: "a recording that fits a context's memory fits again after FinishCommandList",
        ..Check::new(rule::H_46, recordings::releases_budget)
    },
    Check {
        title: "a deferred context executes the commands that the command list recorded",
        ..Check::new(rule::H_59, |bench| contexts::keeps_rule(bench, rule::H_59))
    },
    Check::new(rule::H_60, |bench| contexts::keeps_rule(bench, rule::H_60)),
    Check {
        title: "each MAP_WRITE_DISCARD of a recording returns new memory",
        ..Check::new(rule::H_61, recordings::discards_get_new_addresses)
    },
    Check {
        title: "the immediate context executes the commands that the command list recorded",
        ..Check::new(rule::H_65, |bench| contexts::keeps_rule(bench, rule::H_65))
    },
    Check::new(rule::H_70, |bench| contexts::keeps_rule(bench, rule::H_70)),
    Check::new(rule::H_71, |bench| contexts::keeps_rule(bench, rule::H_71)),
    Check::new(rule::H_72, |bench| contexts::keeps_rule(bench, rule::H_72)),
    Check {
        title: "a recording that fits a new context fits a context that ran out of memory before",
        ..Check::new(rule::H_75, recordings::recovers)
    },
    Check {
        title: "a driver reports E_OUTOFMEMORY once",
        ..Check::new(rule::H_76, |bench| contexts::keeps_rule(bench, rule::H_76))
    },
    Check::new(rule::H_77, |bench| contexts::keeps_rule(bench, rule::H_77)),
    Check {
        title: "a free-threaded creation function writes only the created object",
        ..Check::new(rule::H_80, |bench| contexts::keeps_rule(bench, rule::H_80))
    },
    Check::new(rule::H_81, |bench| contexts::keeps_rule(bench, rule::H_81)),
    Check::new(rule::T_04, direct_access::binds),
    Check::new(rule::T_05, direct_access::shares_memory),
];

// A profile's `fails` accepts exactly the ids of the checks.
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

/// Returns the check with this id.
pub fn check(id: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.id == id)
}

/// Runs all checks of a driver in order, on one device.
pub fn run(driver: &dyn Driver, settings: &Settings) -> Vec<Outcome> {
    run_reporting(driver, settings, &mut |_| {})
}

/// Runs all checks, and passes each outcome to a callback as soon as it is known.
pub fn run_reporting(driver: &dyn Driver, settings: &Settings, report: &mut dyn FnMut(&Outcome)) -> Vec<Outcome> {
    match Bench::new(driver, settings) {
        Ok(mut bench) => CHECKS.iter().map(|check| check.on(&mut bench)).inspect(|outcome| report(outcome)).collect(),
        Err(code) => CHECKS.iter().map(|check| check.without_device(code)).collect(),
    }
}

/// Status of a driver in a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The driver keeps the rule in every case.
    Pass,
    /// The driver breaks the rule in some case.
    Fail,
    /// The rule does not concern the driver.
    NotApplicable,
}

impl Status {
    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::Fail => "fail",
            Status::NotApplicable => "not_applicable",
        }
    }
}

/// Outcome of a check.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub check: &'static Check,
    pub status: Status,
    /// Findings in words; the reason if the check does not apply.
    pub detail: String,
    /// Number of examined cases.
    pub cases: u64,
    /// Number of cases in which the driver broke the rule.
    pub failures: u64,
    pub first_failure: Option<FailingCase>,
}

impl Check {
    /// Creates the check of a whole rule.
    const fn new(rule: &'static Rule, run: Run) -> Check {
        Check { id: rule.id, title: rule.sentence, source: rule.source, run }
    }

    /// Runs this check alone. The runtime is lenient regardless of `settings`: a check continues after a violation.
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

    /// Returns the failed outcome for a driver whose device cannot be created.
    fn without_device(&'static self, code: HResultCode) -> Outcome {
        self.without_cases(Status::Fail, format!("the driver's device cannot be created: {code:?}"))
    }

    fn without_cases(&'static self, status: Status, detail: String) -> Outcome {
        Outcome { check: self, status, detail, cases: 0, failures: 0, first_failure: None }
    }
}
