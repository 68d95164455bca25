//! Tests of the graphics kernel: start of adapters, and user-mode queries (rules C-01 to C-08).

use proptest::prelude::*;
use std::sync::Arc;
use taut_runtime::{EventLog, Execute, Kernel, Machine, Profile, Revision, Settings, Wddm, driver};
use taut_schemas::{
    AdapterId, Call, CrossAdapterTier, DeviceId, DisplayMode, HResult, HResultCode, KmtQueryAdapterInfoType,
    MessageSeverity, NtStatus, QueriedAdapterInfo, VidMmCaps, Wddm13Caps, WddmVersion, d3d12, d3dkmt, dxgkddi, machine,
    mark,
};

const ADAPTER: AdapterId = AdapterId::FIRST;

/// Machine whose adapters have these drivers, with the events of the last call.
struct Adapters {
    machine: Machine<'static>,
    tap: EventLog,
}

impl Adapters {
    fn of(profiles: &[Profile]) -> Adapters {
        let drivers = profiles.iter().map(|profile| Arc::from(driver(profile))).collect();
        let machine = Machine::with_adapters(Settings::default(), drivers).unwrap();
        Adapters { machine, tap: EventLog::default() }
    }

    fn set(&mut self, key: &str, value: &str) {
        self.machine.settings = self.machine.settings.with(key, value).unwrap();
    }

    fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.tap.events.clear();
        self.machine.call(call, &mut self.tap)
    }

    fn start(&mut self, adapter: AdapterId) -> NtStatus {
        self.call(&machine::StartAdapter { adapter })
    }

    fn query(&mut self, info_type: KmtQueryAdapterInfoType, size_bytes: u32) -> QueriedAdapterInfo {
        let (adapter, private_driver_data_size_bytes) = (ADAPTER, size_bytes);
        self.call(&d3dkmt::D3DKMTQueryAdapterInfo { adapter, info_type, private_driver_data_size_bytes })
    }

    fn word(&mut self, info_type: KmtQueryAdapterInfoType) -> Option<u32> {
        let answer = self.query(info_type, 4);
        assert_eq!(answer.status == NtStatus::SUCCESS, !answer.private_driver_data.0.is_empty());
        Some(u32::from_le_bytes(answer.private_driver_data.0.try_into().ok()?))
    }

    fn tier(&mut self) -> Option<CrossAdapterTier> {
        self.word(KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT).map(CrossAdapterTier)
    }

    fn create_device(&mut self) -> HResult<DeviceId> {
        self.call(&d3d12::CreateDevice { adapter: ADAPTER, ..Default::default() })
    }

    /// Returns the messages of the last call.
    fn messages(&self) -> Vec<(MessageSeverity, String)> {
        let messages = self.tap.marks::<mark::DebugMessage>().into_iter();
        messages.map(|message| (message.severity, message.description)).collect()
    }
}

/// Returns a profile with these tier bits, copies first.
fn with_tiers(wddm: WddmVersion, [copy, texture, scanout]: [bool; 3]) -> Profile {
    let mut profile = Profile::named("igpu-tier3").unwrap();
    profile.caps.cross_adapter_row_major_texture = false;
    profile.kernel = Some(Kernel {
        wddm_version: Wddm(wddm),
        cross_adapter_resource: copy,
        cross_adapter_resource_texture: texture,
        cross_adapter_resource_scanout: scanout,
        flip_caps: Vec::new(),
        hybrid_integrated: false,
        hybrid_discrete: false,
        check_multiplane_overlay_support3: true,
    });
    profile
}

/// Tier bits without a gap.
const WITHOUT_GAP: [[bool; 3]; 4] =
    [[false, false, false], [true, false, false], [true, true, false], [true, true, true]];

fn combinations() -> impl Iterator<Item = [bool; 3]> {
    (0..8).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0])
}

#[test]
fn c01_x14_of_the_eight_combinations_of_tiers_four_start_and_the_others_name_the_missing_one() {
    let mut started = Vec::new();
    for tiers in combinations() {
        let mut machine = Adapters::of(&[with_tiers(WddmVersion::WDDM_3_0, tiers)]);
        let status = machine.start(ADAPTER);
        let reported = machine.messages();
        match WITHOUT_GAP.contains(&tiers) {
            false => {
                let [copy, ..] = tiers;
                assert_eq!(status, NtStatus::INVALID_PARAMETER);
                let missing = if copy { "without tier TEXTURE" } else { "without tier COPY" };
                assert!(reported.iter().any(|(_, text)| text.contains(missing)), "{tiers:?}: {reported:?}");
                assert_eq!(machine.tier(), None);
                assert_eq!(machine.create_device(), Err(HResultCode::DXGI_ERROR_UNSUPPORTED));
            }
            true => {
                assert_eq!((status, reported), (NtStatus::SUCCESS, Vec::new()), "{tiers:?}");
                started.push(machine.tier().unwrap());
            }
        }
    }
    assert_eq!(
        started,
        [CrossAdapterTier::NONE, CrossAdapterTier::COPY, CrossAdapterTier::TEXTURE, CrossAdapterTier::SCANOUT]
    );
}

#[test]
fn c02_below_wddm_2_9_the_bits_of_the_later_tiers_are_ignored_with_a_warning() {
    for wddm in [WddmVersion::WDDM_1_3, WddmVersion::WDDM_2_8] {
        for tiers in combinations() {
            let [copy, texture, scanout] = tiers;
            let mut machine = Adapters::of(&[with_tiers(wddm, tiers)]);
            assert_eq!(machine.start(ADAPTER), NtStatus::SUCCESS);
            let reported = machine.messages();
            assert_eq!(reported.len(), usize::from(texture) + usize::from(scanout), "{reported:?}");
            assert!(reported.iter().all(|(severity, _)| *severity == MessageSeverity::WARNING));
            assert_eq!(machine.tier(), Some(if copy { CrossAdapterTier::COPY } else { CrossAdapterTier::NONE }));
        }
    }
}

#[test]
fn c03_the_wddm_1_3_cap_is_the_bit_of_copies() {
    for tiers in WITHOUT_GAP {
        let mut machine = Adapters::of(&[with_tiers(WddmVersion::WDDM_3_0, tiers)]);
        machine.start(ADAPTER);
        let caps = Wddm13Caps(machine.word(KmtQueryAdapterInfoType::WDDM_1_3_CAPS).unwrap());
        assert_eq!(caps.contains(Wddm13Caps::SUPPORT_CROSS_ADAPTER_RESOURCE), tiers[0]);
    }
    let hybrid = |name: &str| {
        let mut machine = Adapters::of(&[Profile::named(name).unwrap()]);
        machine.start(ADAPTER);
        Wddm13Caps(machine.word(KmtQueryAdapterInfoType::WDDM_1_3_CAPS).unwrap())
    };
    assert!(hybrid("igpu-tier1").contains(Wddm13Caps::IS_HYBRID_INTEGRATED_GPU));
    assert!(hybrid("dgpu").contains(Wddm13Caps::IS_HYBRID_DISCRETE_GPU));
}

#[test]
fn c03_x15_a_question_with_too_little_room_or_of_an_older_system_is_an_invalid_parameter() {
    let tier = KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT;
    let mut machine = Adapters::of(&[Profile::named("igpu-tier3").unwrap()]);
    assert_eq!(machine.query(tier, 4).status, NtStatus::INVALID_HANDLE, "it has not started");
    machine.start(ADAPTER);
    for (size_bytes, status) in
        [(0, NtStatus::INVALID_PARAMETER), (3, NtStatus::INVALID_PARAMETER), (8, NtStatus::SUCCESS)]
    {
        assert_eq!(machine.query(tier, size_bytes).status, status, "{size_bytes} bytes");
    }
    assert_eq!(machine.query(KmtQueryAdapterInfoType(1), 4096).status, NtStatus::INVALID_PARAMETER);
    machine.set("os_wddm_version", "2.8");
    assert_eq!(machine.query(tier, 4).status, NtStatus::INVALID_PARAMETER);
    assert_eq!(machine.query(KmtQueryAdapterInfoType::WDDM_1_3_CAPS, 4).status, NtStatus::SUCCESS);
}

#[test]
fn c04_a_hybrid_integrated_driver_without_scan_out_starts_and_fails_the_kit_alone() {
    let mut machine = Adapters::of(&[Profile::named("faulty-hybrid-tier").unwrap()]);
    assert_eq!(machine.start(ADAPTER), NtStatus::SUCCESS);
    assert_eq!(machine.tier(), Some(CrossAdapterTier::TEXTURE));
    assert!(machine.create_device().is_ok());
}

#[test]
fn c05_a_driver_that_is_not_hybrid_may_have_any_tier() {
    for bits in 0..4 {
        let mut machine = Adapters::of(&[with_tiers(WddmVersion::WDDM_3_1, [bits > 0, bits > 1, bits > 2])]);
        assert_eq!(machine.start(ADAPTER), NtStatus::SUCCESS);
        assert_eq!(machine.tier(), Some(CrossAdapterTier(bits)));
    }
}

#[test]
fn c06_a_second_adapter_that_comes_and_goes_changes_no_answer() {
    let mut machine = Adapters::of(&["igpu-tier3", "dgpu"].map(|name| Profile::named(name).unwrap()));
    machine.start(ADAPTER);
    let before = machine.tier();
    let second = AdapterId(2);
    for _ in 0..2 {
        assert_eq!(machine.start(second), NtStatus::SUCCESS);
        assert_eq!(machine.tier(), before);
        assert_eq!(machine.call(&machine::StopAdapter { adapter: second }), NtStatus::SUCCESS);
        assert_eq!(machine.tier(), before);
    }
}

#[test]
fn c07_overlay_support_is_queried_once_at_adapter_start() {
    let mut machine = Adapters::of(&[Profile::named("igpu-tier3").unwrap()]);
    machine.start(ADAPTER);
    let codes: Vec<u16> = machine.tap.events.iter().map(|(code, _)| code.id()).collect();
    let ids = [dxgkddi::DriverEntry::ID, dxgkddi::DxgkDdiStartDevice::ID, dxgkddi::DxgkDdiQueryAdapterInfo::ID];
    assert_eq!(codes, ids.into_iter().flat_map(|id| [id, id]).collect::<Vec<_>>());
}

#[test]
fn c08_x14_a_device_needs_the_textures_that_its_user_mode_driver_promises() {
    for (promised, tier) in [false, true].into_iter().flat_map(|promised| (0..4).map(move |tier| (promised, tier))) {
        let mut profile = with_tiers(WddmVersion::WDDM_3_0, [tier > 0, tier > 1, tier > 2]);
        profile.caps.cross_adapter_row_major_texture = promised;
        let mut machine = Adapters::of(&[profile]);
        machine.start(ADAPTER);
        let broken = promised && tier < 2;
        let wanted = if broken { Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR) } else { Ok(DeviceId(1)) };
        assert_eq!(machine.create_device(), wanted, "promised {promised}, tier {tier}");
        machine.set("kernel_tier_refusal", "E_FAIL");
        assert_eq!(machine.create_device(), if broken { Err(HResultCode::E_FAIL) } else { Ok(DeviceId(1)) });
    }
}

#[test]
fn c08_without_a_kernel_mode_driver_a_device_depends_on_none() {
    let mut profile = Profile::named("faulty-cap-over-tier").unwrap();
    profile.kernel = None;
    assert_eq!(Adapters::of(&[profile]).create_device(), Ok(DeviceId(1)));
}

#[test]
fn c08_the_kernel_mode_driver_of_an_adapter_that_was_never_started_is_queried_from_revision_5_on() {
    let queries = |machine: &Adapters| machine.tap.started::<dxgkddi::DxgkDdiQueryAdapterInfo>().len();
    for (promised, tier) in [false, true].into_iter().flat_map(|promised| (0..4).map(move |tier| (promised, tier))) {
        for (wddm, has_textures) in [(WddmVersion::WDDM_3_0, tier > 1), (WddmVersion::WDDM_2_8, false)] {
            let mut profile = with_tiers(wddm, [tier > 0, tier > 1, tier > 2]);
            profile.caps.cross_adapter_row_major_texture = promised;
            let mut machine = Adapters::of(&[profile]);
            machine.machine.settings.revision = Revision::CHAIN_OWNERS;
            assert_eq!(machine.create_device(), Ok(DeviceId(1)), "traces of revision 3");
            assert_eq!(queries(&machine), 0);
            let mut profile = with_tiers(wddm, [tier > 0, tier > 1, tier > 2]);
            profile.caps.cross_adapter_row_major_texture = promised;
            let mut machine = Adapters::of(&[profile]);
            let refused = promised && !has_textures;
            let wanted = if refused { Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR) } else { Ok(DeviceId(1)) };
            assert_eq!(machine.create_device(), wanted, "promised {promised}, tier {tier}, {wddm:?}");
            assert_eq!(queries(&machine), usize::from(promised));
        }
    }
}

#[test]
fn an_adapter_starts_and_stops_once_and_a_missing_one_does_neither() {
    let mut machine = Adapters::of(&[Profile::named("igpu-tier3").unwrap()]);
    let stop = |adapter| machine::StopAdapter { adapter };
    assert_eq!(machine.call(&stop(ADAPTER)), NtStatus::INVALID_DEVICE_STATE);
    assert_eq!(machine.start(ADAPTER), NtStatus::SUCCESS);
    assert_eq!(machine.start(ADAPTER), NtStatus::DEVICE_ALREADY_ATTACHED);
    assert_eq!(machine.call(&stop(ADAPTER)), NtStatus::SUCCESS);
    assert_eq!(machine.create_device(), Err(HResultCode::DXGI_ERROR_UNSUPPORTED));
    assert_eq!(machine.start(ADAPTER), NtStatus::SUCCESS, "it comes again");
    for adapter in [AdapterId::NULL, AdapterId(2), AdapterId(u64::MAX)] {
        assert_eq!(machine.start(adapter), NtStatus::NO_SUCH_DEVICE, "{adapter:?}");
        assert_eq!(machine.call(&stop(adapter)), NtStatus::INVALID_DEVICE_STATE, "{adapter:?}");
    }
    let mut bare = Adapters::of(&[Profile::named("reference").unwrap()]);
    assert_eq!(bare.start(ADAPTER), NtStatus::NOT_SUPPORTED);
}

proptest! {
    /// For any queries in any order: answers have the requested size or none, and only started adapters answer.
    #[test]
    fn any_order_of_starts_stops_and_questions_is_answered(steps in proptest::collection::vec((0_u8..3, 0_u64..4, 0_u32..100, 0_u32..9), 1..60)) {
        let mut machine = Adapters::of(&["igpu-tier3", "dgpu"].map(|name| Profile::named(name).unwrap()));
        let mut started = [false; 2];
        for (step, adapter, info_type, size_bytes) in steps {
            let id = AdapterId(adapter);
            let slot = (1..=2).contains(&adapter).then(|| adapter as usize - 1);
            match step {
                0 => {
                    let fine = machine.start(id) == NtStatus::SUCCESS;
                    prop_assert_eq!(fine, slot.is_some_and(|at| !started[at]));
                    slot.into_iter().for_each(|at| started[at] = true);
                }
                1 => {
                    let fine = machine.call(&machine::StopAdapter { adapter: id }) == NtStatus::SUCCESS;
                    prop_assert_eq!(fine, slot.is_some_and(|at| started[at]));
                    slot.into_iter().for_each(|at| started[at] = false);
                }
                _ => {
                    let info_type = KmtQueryAdapterInfoType(info_type);
                    let known = KmtQueryAdapterInfoType::NAMES.iter().any(|(value, _)| *value == info_type.0);
                    let call = d3dkmt::D3DKMTQueryAdapterInfo { adapter: id, info_type, private_driver_data_size_bytes: size_bytes };
                    let answer = machine.call(&call);
                    let fine = slot.is_some_and(|at| started[at]) && known && size_bytes >= 4;
                    prop_assert_eq!(answer.status == NtStatus::SUCCESS, fine);
                    prop_assert_eq!(answer.private_driver_data.0.len(), if fine { 4 } else { 0 });
                }
            }
        }
    }
}

#[test]
fn c12_a_hybrid_system_has_one_discrete_adapter_with_copies_and_no_display_and_an_integrated_one_with_the_panel() {
    let hybrid = |machine: &mut Adapters, adapter: AdapterId| {
        let info_type = KmtQueryAdapterInfoType::WDDM_1_3_CAPS;
        let call = d3dkmt::D3DKMTQueryAdapterInfo { adapter, info_type, private_driver_data_size_bytes: 4 };
        let answer = machine.call(&call).private_driver_data.0;
        let caps = Wddm13Caps(u32::from_le_bytes(answer.try_into().unwrap()));
        [Wddm13Caps::IS_HYBRID_INTEGRATED_GPU, Wddm13Caps::IS_HYBRID_DISCRETE_GPU].map(|bit| caps.contains(bit))
    };
    let started = |names: &[&str], panel: Option<AdapterId>| {
        let profiles: Vec<Profile> = names.iter().map(|name| Profile::named(name).unwrap()).collect();
        let mut machine = Adapters::of(&profiles);
        for adapter in (1..=names.len() as u64).map(AdapterId) {
            assert_eq!(machine.start(adapter), NtStatus::SUCCESS);
        }
        if let Some(adapter) = panel {
            let mode = DisplayMode { width: 1920, height: 1080, refresh_millihertz: 60_000, ..DisplayMode::default() };
            assert_eq!(machine.call(&machine::ConnectDisplay { adapter, mode }), NtStatus::SUCCESS);
        }
        (1..=names.len() as u64).map(|adapter| hybrid(&mut machine, AdapterId(adapter))).collect::<Vec<_>>()
    };
    let (none, integrated, discrete) = ([false, false], [true, false], [false, true]);
    assert_eq!(started(&["igpu-tier3", "dgpu"], Some(ADAPTER)), [integrated, discrete]);
    // With the panel on the discrete adapter, neither is part of a hybrid system.
    assert_eq!(started(&["igpu-tier3", "dgpu"], Some(AdapterId(2))), [none, none]);
    // Of two discrete adapters, the first belongs to the hybrid system.
    assert_eq!(started(&["igpu-tier3", "dgpu", "dgpu"], Some(ADAPTER)), [integrated, discrete, none]);
}

/// Returns the names of set bits.
fn flags(bits: u32, names: &[(u32, &str)]) -> String {
    let set = names.iter().filter(|(bit, _)| *bit != 0 && bits & bit == *bit);
    set.map(|(_, name)| *name).collect::<Vec<_>>().join(" | ")
}

/// Example of the document: both queries, with all events when the adapter starts and when it is queried.
#[test]
fn c03_d3dkmt_query_adapter_info_answers_as_the_document_calls_it() {
    let mut golden = String::new();
    for name in ["igpu-tier1", "igpu-tier2", "igpu-tier3", "dgpu"] {
        golden += &format!("{name}\n");
        let mut machine = Adapters::of(&[Profile::named(name).unwrap()]);
        let status = machine.start(ADAPTER);
        golden += &format!("  StartAdapter {{ adapter: 1 }} = {status:?}\n");
        for (call, answer) in
            machine.tap.started::<dxgkddi::DriverEntry>().iter().zip(machine.tap.stopped::<dxgkddi::DriverEntry>())
        {
            golden += &format!("    {call:?}\n      = {answer:?}\n");
        }
        let codes = machine.tap.started::<dxgkddi::DxgkDdiQueryAdapterInfo>();
        for (call, answer) in codes.iter().zip(machine.tap.stopped::<dxgkddi::DxgkDdiQueryAdapterInfo>()) {
            let bits = flags(answer.memory_management_caps.0, VidMmCaps::NAMES);
            golden += &format!("    {call:?}\n      = {answer:?}\n      MemoryManagementCaps: {bits}\n");
        }
        for info_type in [KmtQueryAdapterInfoType::CROSSADAPTERRESOURCE_SUPPORT, KmtQueryAdapterInfoType::WDDM_1_3_CAPS]
        {
            let answer = machine.query(info_type, 4);
            let word = u32::from_le_bytes(answer.private_driver_data.0.clone().try_into().unwrap());
            let read = match info_type {
                KmtQueryAdapterInfoType::WDDM_1_3_CAPS => flags(word, Wddm13Caps::NAMES),
                _ => format!("{:?}", CrossAdapterTier(word)),
            };
            let bytes = &answer.private_driver_data.0;
            let status = answer.status;
            golden += &format!(
                "  D3DKMTQueryAdapterInfo {{ adapter: 1, {info_type:?}, 4 bytes }}\n    = {status:?}, {bytes:?}: {read}\n"
            );
            assert!(machine.tap.events.is_empty(), "the driver is not asked again");
        }
    }
    insta::assert_snapshot!("d3dkmt_query_adapter_info", golden);
}
