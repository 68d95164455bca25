//! Bundled workloads that present in simulated time: they follow the same rules, and show their intended effects.

use crate::present_programs::audit::Audit;
use crate::present_programs::replay_and_audit;
use taut_capture::Clock;
use taut_runtime::MachineProfile;
use taut_schemas::{FallbackReason, HybridPresentMode};
use taut_testkit::Recording;
use taut_workloads as workloads;

/// Records a workload on its machine and audits the recording.
fn audited(name: &str, overrides: &[(&str, &str)]) -> Audit {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("workload.taut");
    let machine = MachineProfile::named(workloads::machine(name).unwrap()).unwrap();
    let drivers = machine.drivers();
    let recording = Recording::on_machine(machine, &drivers).with_clock(Clock::Logical);
    replay_and_audit(&recording.record_workload(name, overrides, &file)).unwrap()
}

#[test]
fn an_adapter_that_goes_ends_every_frame_and_its_chain_is_removed() {
    for leaves in ["render", "display"] {
        for seed in ["1", "2", "3"] {
            let overrides = [("leaves", leaves), ("seed", seed), ("frames", "101"), ("size", "1920x1080")];
            let audit = audited("external-gpu", &overrides);
            assert_eq!(audit.removed, 1, "{leaves}");
            assert_eq!(audit.fates.iter().sum::<u64>(), 101, "{leaves}");
            assert!((1..=3).contains(&audit.fates[3]), "{leaves}: {:?} were on their way", audit.fates);
            assert_eq!(audit.paths, [2, 0, 1], "{leaves}: by itself, in one copy, by itself");
        }
    }
}

#[test]
fn d_05_referenced_buffers_are_not_resized_and_change_no_decision() {
    let audit = audited("resize-storm", &[("frames", "400"), ("every", "3"), ("referenced_percent", "50")]);
    let [resized, refused] = audit.resizes;
    assert_eq!((resized, audit.decisions.len() as u64), (134, resized + 1));
    assert!((30..100).contains(&refused), "{refused}");
    assert_eq!(audited("resize-storm", &[("frames", "60"), ("referenced_percent", "0")]).resizes[1], 0);
}

#[test]
fn c_26_one_copy_lasts_until_displays_take_the_bandwidth() {
    let audit = audited("multiple-displays", &[("frames", "150")]);
    let of_game: Vec<_> = audit.decisions.iter().filter(|decision| decision.swap_chain.0 == 1).collect();
    let ways: Vec<_> = of_game.iter().map(|decision| (decision.mode, decision.reason)).collect();
    let one = (HybridPresentMode::ONE_COPY_PATH_CASO, FallbackReason::NONE);
    let two = (HybridPresentMode::TWO_COPY_PATH, FallbackReason::STATIC_CHECK);
    assert_eq!(ways, [one, one, two]);
}

#[test]
fn c_28_direct3d_9_takes_two_copies_on_any_display_adapter() {
    let audit = audited("legacy-d3d9", &[("frames", "40"), ("format", "R16G16B16A16_FLOAT"), ("interval", "0")]);
    assert_eq!((audit.paths, audit.fates.iter().sum::<u64>()), ([0, 1, 0], 40));
}

#[test]
fn a_machine_with_one_adapter_has_none_to_plug_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("workload.taut");
    let machine = MachineProfile::named("desktop").unwrap();
    let drivers = machine.drivers();
    let recording = Recording::on_machine(machine, &drivers).with_clock(Clock::Logical);
    let audit = replay_and_audit(&recording.record_workload("external-gpu", &[("frames", "20")], &file)).unwrap();
    assert_eq!((audit.removed, audit.fates.iter().sum::<u64>(), audit.paths), (0, 20, [1, 0, 0]));
}
