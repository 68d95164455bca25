//! Tests of resources that adapters share, and their views (rules C-09 and C-13, A-14, X-30), on Direct3D 12
//! and as DXGI uses Direct3D 11 drivers.

use super::presents::named;
use proptest::prelude::*;
use std::sync::Arc;
use taut_conformance::{self as conformance, Status};
use taut_runtime::{EventLog, Execute, Kernel, Machine, Overlay, Profile, Settings, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, DeviceId, Dimension, HResult, HResultCode, HeapFlags, HeapProperties, HeapType, NtStatus, PrimaryDesc,
    PrimaryDriverFlags, ResourceDesc, ResourceFlags, ResourceId, SCAN_OUT_FORMATS, ShaderResourceViewDesc,
    SrvDimension, TextureLayout, TextureView, UavDimension, UnorderedAccessViewDesc, d3d12, d3d12_ddi, dxgi, dxgi_ddi,
    machine, mark,
};

const VIEWS: [TextureView; 3] =
    [TextureView::SHADER_RESOURCE, TextureView::UNORDERED_ACCESS, TextureView::RENDER_TARGET];
const ADAPTERS: [AdapterId; 2] = [AdapterId(1), AdapterId(2)];

struct Pair {
    machine: Machine<'static>,
    tap: EventLog,
}

impl Pair {
    /// Creates two adapters, the second of a plain discrete driver by default. Returns the statuses of their starts.
    fn new(profiles: [&Profile; 2]) -> (Pair, [NtStatus; 2]) {
        let drivers = profiles.iter().map(|profile| Arc::from(driver(profile))).collect();
        let machine = Machine::with_adapters(Settings::default(), drivers).unwrap();
        let mut pair = Pair { machine, tap: EventLog::default() };
        let started = ADAPTERS.map(|adapter| pair.call(&machine::StartAdapter { adapter }));
        (pair, started)
    }

    fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.tap.events.clear();
        self.machine.call(call, &mut self.tap)
    }

    fn device(&mut self, adapter: AdapterId) -> HResult<DeviceId> {
        self.call(&d3d12::CreateDevice { adapter, ..Default::default() })
    }

    fn create(&mut self, device: DeviceId, desc: ResourceDesc, heap_flags: HeapFlags) -> HResult<ResourceId> {
        self.call(&d3d12::CreateCommittedResource {
            device,
            heap_properties: HeapProperties { heap_type: HeapType::DEFAULT, ..HeapProperties::default() },
            heap_flags,
            desc,
            initial_state: 0,
            clear_value: None,
        })
    }

    fn view(&mut self, device: DeviceId, resource: ResourceId, view: TextureView, format: Format) -> HResult<()> {
        match view {
            TextureView::UNORDERED_ACCESS => self.call(&d3d12::CreateUnorderedAccessView {
                device,
                resource,
                counter_resource: ResourceId::NULL,
                desc: Some(UnorderedAccessViewDesc {
                    format,
                    view_dimension: UavDimension::TEXTURE2D,
                    ..Default::default()
                }),
            }),
            TextureView::RENDER_TARGET => self.call(&d3d12::CreateRenderTargetView { device, resource, format }),
            _ => self.call(&d3d12::CreateShaderResourceView {
                device,
                resource,
                desc: Some(ShaderResourceViewDesc {
                    format,
                    view_dimension: SrvDimension::TEXTURE2D,
                    ..Default::default()
                }),
            }),
        }
    }
}

const SHARED: HeapFlags = HeapFlags(HeapFlags::SHARED.0 | HeapFlags::SHARED_CROSS_ADAPTER.0);

/// Returns a row-major texture with every view that its format has.
fn texture(width: u64, height: u32, format: Format) -> ResourceDesc {
    let unordered = if format.is_srgb() { ResourceFlags::NONE } else { ResourceFlags::ALLOW_UNORDERED_ACCESS };
    ResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width,
        height,
        depth_or_array_size: 1,
        mip_levels: 1,
        format,
        sample_count: 1,
        layout: TextureLayout::ROW_MAJOR,
        flags: ResourceFlags::ALLOW_CROSS_ADAPTER | ResourceFlags::ALLOW_RENDER_TARGET | unordered,
        ..ResourceDesc::default()
    }
}

/// Returns a driver with these tier bits, copies first, whose user-mode part promises textures or not.
fn with_tiers([copy, textures, scanout]: [bool; 3], promises: bool) -> Profile {
    let mut profile = named("igpu-tier3");
    profile.caps.cross_adapter_row_major_texture = promises;
    if let Some(kernel) = &mut profile.kernel {
        *kernel = Kernel {
            cross_adapter_resource: copy,
            cross_adapter_resource_texture: textures,
            cross_adapter_resource_scanout: scanout,
            ..kernel.clone()
        };
    }
    profile
}

const LEGAL: [[bool; 3]; 4] = [[false; 3], [true, false, false], [true, true, false], [true; 3]];

fn combinations() -> impl Iterator<Item = [bool; 3]> {
    (0..8).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0])
}

#[test]
fn c09_all_combinations_of_tiers_by_all_six_formats_on_direct3d_12() {
    let mut viewed = 0;
    for (tiers, promises) in combinations().flat_map(|tiers| [false, true].map(|promises| (tiers, promises))) {
        let (mut pair, started) = Pair::new([&with_tiers(tiers, promises), &named("igpu-tier2")]);
        let is_legal = LEGAL.contains(&tiers);
        assert_eq!(started[0] == NtStatus::SUCCESS, is_legal, "{tiers:?}");
        let device = pair.device(ADAPTERS[0]);
        match (is_legal, promises && !tiers[1]) {
            (false, _) => assert_eq!(device, Err(HResultCode::DXGI_ERROR_UNSUPPORTED), "{tiers:?}"),
            (true, true) => assert_eq!(device, Err(HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR), "{tiers:?}"),
            (true, false) => assert!(device.is_ok(), "{tiers:?}"),
        }
        let (Ok(device), Ok(other)) = (device, pair.device(ADAPTERS[1])) else { continue };
        for format in SCAN_OUT_FORMATS {
            let created = pair.create(device, texture(640, 480, format), SHARED);
            assert_eq!(
                created.is_ok(),
                promises,
                "without the cap there are no row-major textures: {tiers:?} {format:?}"
            );
            let Ok(resource) = created else { continue };
            let handle = pair.call(&d3d12::CreateSharedHandle { device, resource }).unwrap();
            let opened = pair.call(&d3d12::OpenSharedHandle { device: other, handle }).unwrap();
            assert_eq!(pair.tap.started::<d3d12_ddi::OpenHeapAndResource>().len(), 1);
            for (device, resource) in [(device, resource), (other, opened)] {
                for view in VIEWS {
                    // Direct3D has no unordered access of sRGB (rule X-12).
                    let is_possible = view != TextureView::UNORDERED_ACCESS || !format.is_srgb();
                    let view_result = pair.view(device, resource, view, format);
                    let expected = if is_possible { Ok(()) } else { Err(HResultCode::E_INVALIDARG) };
                    assert_eq!(view_result, expected, "{tiers:?} {format:?} {view:?}");
                    viewed += usize::from(view_result.is_ok());
                }
            }
        }
    }
    // Tiers 2 and 3; six formats, two of which have two views; on two adapters.
    assert_eq!(viewed, 2 * (4 * 3 + 2 * 2) * 2);
}

#[test]
fn c09_what_an_adapter_of_tier_1_opens_it_copies_and_does_not_view_and_one_of_no_tier_does_not_open() {
    let (mut pair, _) = Pair::new([&named("igpu-tier3"), &named("dgpu")]);
    let [shares, copies] = ADAPTERS.map(|adapter| pair.device(adapter).unwrap());
    let resource = pair.create(shares, texture(100, 100, Format::R8G8B8A8_UNORM), SHARED).unwrap();
    let handle = pair.call(&d3d12::CreateSharedHandle { device: shares, resource }).unwrap();
    let opened = pair.call(&d3d12::OpenSharedHandle { device: copies, handle }).unwrap();
    assert_eq!(pair.call(&d3d12::GetDesc { resource: opened }), pair.call(&d3d12::GetDesc { resource }));
    for view in VIEWS {
        let view_result = pair.view(copies, opened, view, Format::R8G8B8A8_UNORM);
        assert_eq!(view_result, Err(HResultCode::E_INVALIDARG), "{view:?}");
        assert_eq!(pair.view(shares, resource, view, Format::R8G8B8A8_UNORM), Ok(()), "{view:?}");
    }
    assert_eq!(pair.call(&d3d12::ReleaseResource { resource: opened }), Ok(()));
    assert_eq!(pair.call(&d3d12::ReleaseResource { resource }), Ok(()));

    let (mut pair, _) = Pair::new([&named("igpu-tier3"), &with_tiers([false; 3], false)]);
    let [shares, other] = ADAPTERS.map(|adapter| pair.device(adapter).unwrap());
    let resource = pair.create(shares, texture(100, 100, Format::R8G8B8A8_UNORM), SHARED).unwrap();
    let handle = pair.call(&d3d12::CreateSharedHandle { device: shares, resource }).unwrap();
    assert_eq!(pair.call(&d3d12::OpenSharedHandle { device: other, handle }), Err(HResultCode::E_INVALIDARG));
}

#[test]
fn c09_only_committed_resources_of_shared_heaps_that_allow_it_are_shared() {
    let (mut pair, _) = Pair::new([&named("igpu-tier3"), &named("dgpu")]);
    let device = pair.device(ADAPTERS[0]).unwrap();
    let plain = ResourceDesc {
        layout: TextureLayout::UNKNOWN,
        flags: ResourceFlags::ALLOW_RENDER_TARGET,
        ..texture(64, 64, Format::R8G8B8A8_UNORM)
    };
    for (desc, heap_flags) in [(plain, SHARED), (texture(64, 64, Format::R8G8B8A8_UNORM), HeapFlags::NONE)] {
        let resource = pair.create(device, desc, heap_flags).unwrap();
        assert_eq!(pair.call(&d3d12::CreateSharedHandle { device, resource }), Err(HResultCode::E_INVALIDARG));
    }
    for handle in [0, 1, u64::MAX] {
        assert_eq!(pair.call(&d3d12::OpenSharedHandle { device, handle }), Err(HResultCode::E_HANDLE), "{handle}");
    }
}

#[test]
fn c09_views_are_of_the_resource_s_family_and_of_what_it_was_created_for() {
    let (mut pair, _) = Pair::new([&named("igpu-tier3"), &named("dgpu")]);
    let device = pair.device(ADAPTERS[0]).unwrap();
    let resource = pair.create(device, texture(64, 64, Format::B8G8R8A8_UNORM), SHARED).unwrap();
    // An sRGB view of a non-sRGB buffer (rule X-18).
    assert_eq!(pair.view(device, resource, TextureView::RENDER_TARGET, Format::B8G8R8A8_UNORM_SRGB), Ok(()));
    assert_eq!(pair.view(device, resource, TextureView::SHADER_RESOURCE, Format::UNKNOWN), Ok(()));
    let other = pair.view(device, resource, TextureView::SHADER_RESOURCE, Format::R8G8B8A8_UNORM);
    assert_eq!(other, Err(HResultCode::E_INVALIDARG));
    let for_shaders =
        ResourceDesc { flags: ResourceFlags::ALLOW_CROSS_ADAPTER, ..texture(64, 64, Format::B8G8R8A8_UNORM) };
    let resource = pair.create(device, for_shaders, SHARED).unwrap();
    let view_result = VIEWS.map(|view| pair.view(device, resource, view, Format::B8G8R8A8_UNORM).is_ok());
    assert_eq!(view_result, [true, false, false]);
}

#[test]
fn c09_x12_all_combinations_of_tiers_by_all_six_formats_as_dxgi_creates_them() {
    for tiers in combinations() {
        let (mut pair, _) = Pair::new([&with_tiers(tiers, false), &named("igpu-tier2")]);
        let adapter = ADAPTERS[0];
        for (format, is_primary) in SCAN_OUT_FORMATS.into_iter().flat_map(|format| [(format, false), (format, true)]) {
            let (width, height) = (1920, 1080);
            let create = dxgi::CreateCrossAdapterResource { adapter, width, height, format, is_primary };
            let created = pair.call(&create);
            if !LEGAL.contains(&tiers) {
                assert_eq!(created, Err(HResultCode::DXGI_ERROR_INVALID_CALL), "{tiers:?}");
                continue;
            }
            assert_eq!(created.is_ok(), tiers[0], "copies need tier 1: {tiers:?} {format:?}");
            let Ok(resource) = created else { continue };
            let desc = pair.tap.started::<dxgi_ddi::CreateResource>()[0].desc;
            assert_eq!(desc, PrimaryDesc::new(width, height, format));
            let open = dxgi::OpenCrossAdapterResource { adapter: ADAPTERS[1], resource };
            let of_other = dxgi::CreateCrossAdapterView {
                adapter: ADAPTERS[1],
                resource,
                view: TextureView::SHADER_RESOURCE,
                format,
            };
            assert_eq!(pair.call(&of_other), Err(HResultCode::DXGI_ERROR_INVALID_CALL), "it is not open there");
            assert_eq!(pair.call(&open), Ok(()));
            for (adapter, has_textures) in [(ADAPTERS[0], tiers[1]), (ADAPTERS[1], true)] {
                for view in VIEWS {
                    let view_result = pair.call(&dxgi::CreateCrossAdapterView { adapter, resource, view, format });
                    let is_possible = view != TextureView::UNORDERED_ACCESS || !format.is_srgb();
                    let expected = if has_textures && is_possible { Ok(()) } else { Err(HResultCode::E_INVALIDARG) };
                    assert_eq!(view_result, expected, "{tiers:?} {adapter:?} {format:?} {view:?}");
                }
            }
            assert_eq!(pair.call(&dxgi::ReleaseCrossAdapterResource { resource }), Ok(()));
            assert_eq!(pair.tap.started::<dxgi_ddi::DestroyResource>().len(), 2, "on both adapters");
            assert_eq!(pair.call(&open), Err(HResultCode::DXGI_ERROR_INVALID_CALL), "it is gone");
        }
    }
}

#[test]
fn c10_x13_opting_out_of_scan_out_is_a_violation_within_the_minimum() {
    let mut minimum = named("igpu-tier3");
    minimum.overlay = Some(Overlay::default());
    for (profile, size, is_violation) in [
        (minimum.clone(), (1920, 1080), None),
        (minimum.clone(), (1921, 1080), Some(false)),
        (minimum.clone(), (1920, 1081), Some(false)),
        // A portrait of the same area is beyond the minimum.
        (minimum, (1080, 1920), Some(false)),
        (named("faulty-opts-out"), (1920, 1080), Some(true)),
    ] {
        let (mut pair, _) = Pair::new([&profile, &named("dgpu")]);
        let (adapter, format) = (ADAPTERS[0], Format::B8G8R8A8_UNORM);
        let create = |is_primary| dxgi::CreateCrossAdapterResource {
            adapter,
            width: size.0,
            height: size.1,
            format,
            is_primary,
        };
        let view_result = pair.call(&create(true));
        let broken = pair.tap.marks::<mark::DriverViolation>();
        let flags = pair.tap.stopped::<dxgi_ddi::CreateResource>().remove(0).unwrap();
        assert_eq!(view_result.is_err(), is_violation.is_some(), "{size:?}");
        assert_eq!(flags == PrimaryDriverFlags::NO_SCANOUT, is_violation.is_some(), "{size:?}");
        assert_eq!(broken.len(), usize::from(is_violation == Some(true)), "{size:?}: {broken:?}");
        assert!(broken.iter().all(|violation| violation.rule == "C-10"));
        // Resources that are not scanned out can still be shared.
        assert!(pair.call(&create(false)).is_ok(), "{size:?}");
    }
}

#[test]
fn c09_and_c13_failures_name_the_missing_format() {
    let failure = |name: &str, id: &str| {
        let outcome = conformance::check(id).unwrap().run(&*driver(&named(name)), &Settings::default());
        assert_eq!(outcome.status, Status::Fail, "{name}");
        (outcome.failures, outcome.first_failure.unwrap().what)
    };
    let (failures, what) = failure("faulty-misses-format", "C-09");
    assert_eq!(failures, 3, "each of the three views");
    assert!(what.contains("R10G10B10A2_UNORM"), "{what}");
    let (failures, what) = failure("faulty-six-textures", "C-13");
    assert_eq!(failures, 8 * 3 * 2, "three views of eight other formats on two adapters");
    assert!(what.contains("R8_UNORM"), "{what}");
}

/// A driver that scans out this format besides the six, and views it or not.
fn scans_out_too(format: Format, is_viewed: bool) -> Profile {
    let mut profile = named("igpu-tier3");
    let name = format!("{format:?}");
    profile.faults.misses_a_texture_format = (!is_viewed).then(|| name.clone());
    profile.caps.cross_adapter_row_major_texture = false;
    profile.overlay.as_mut().unwrap().formats.push(name);
    profile
}

#[test]
fn c09_any_other_format_that_a_driver_scans_out_is_viewed_too() {
    let adapter = ADAPTERS[0];
    for format in [Format::R10G10B10_XR_BIAS_A2_UNORM, Format::R11G11B10_FLOAT, Format::B8G8R8X8_UNORM] {
        let create = dxgi::CreateCrossAdapterResource { adapter, width: 640, height: 480, format, is_primary: true };
        for (is_viewed, rules) in [(true, vec![]), (false, vec!["C-09".to_owned()])] {
            let profile = scans_out_too(format, is_viewed);
            let (mut pair, _) = Pair::new([&profile, &named("dgpu")]);
            let resource = pair.call(&create).unwrap();
            for view in VIEWS {
                let created = pair.call(&dxgi::CreateCrossAdapterView { adapter, resource, view, format });
                assert_eq!(created.is_ok(), is_viewed, "{format:?} {view:?}");
                let broken = pair.tap.marks::<mark::DriverViolation>();
                assert_eq!(
                    broken.into_iter().map(|broken| broken.rule).collect::<Vec<_>>(),
                    rules,
                    "{format:?} {view:?}"
                );
            }
            let status = conformance::check("C-09").unwrap().run(&*driver(&profile), &Settings::default()).status;
            assert_eq!(status, if is_viewed { Status::Pass } else { Status::Fail }, "{format:?}");
        }
        // A driver that does not scan it out opts out of the primary, and need not view what it shares.
        let (mut pair, _) = Pair::new([&named("igpu-tier3"), &named("dgpu")]);
        assert_eq!(pair.call(&create), Err(HResultCode::DXGI_ERROR_UNSUPPORTED), "{format:?}");
        assert_eq!(pair.tap.marks::<mark::DriverViolation>(), []);
    }
    // Other sizes of texels and block-compressed formats have no rows of a primary.
    for format in [Format::R8_UNORM, Format::BC7_UNORM, Format::R32G32_FLOAT, Format::NV12, Format::UNKNOWN] {
        let (mut pair, _) = Pair::new([&named("igpu-tier3"), &named("dgpu")]);
        let create = dxgi::CreateCrossAdapterResource { adapter, width: 640, height: 480, format, is_primary: true };
        assert_eq!(pair.call(&create), Err(HResultCode::E_INVALIDARG), "{format:?}");
    }
}

#[test]
fn c13_a_missing_texture_format_is_reported_when_it_is_viewed() {
    let (mut pair, _) = Pair::new([&named("faulty-six-textures"), &named("dgpu")]);
    let device = pair.device(ADAPTERS[0]).unwrap();
    let resource = pair.create(device, texture(64, 64, Format::R16_FLOAT), SHARED).unwrap();
    assert!(pair.view(device, resource, TextureView::SHADER_RESOURCE, Format::R16_FLOAT).is_err());
    let broken = pair.tap.marks::<mark::DriverViolation>();
    assert_eq!(broken.iter().map(|violation| violation.rule.as_str()).collect::<Vec<_>>(), ["C-13"]);
}

proptest! {
    /// a shared texture has an alignment of 64 KiB, and a size for rows that every adapter can read.
    #[test]
    fn a14_x30_a_shared_texture_keeps_its_alignment_and_has_room_for_rows_of_128_bytes_and_fours_of_rows(
        width in 1_u64..5000,
        height in 1_u32..3000,
        format in prop::sample::select(&SCAN_OUT_FORMATS[..]),
        name in prop::sample::select(vec!["igpu-tier3", "peer", "reference", "tightest", "sneaky"]),
        is_tight: bool,
    ) {
        // A driver with a texture layout of its own, and the kernel-mode part of one that shares textures.
        let mut profile = named(name);
        profile.kernel = named("igpu-tier3").kernel;
        profile.caps.cross_adapter_row_major_texture = true;
        let (mut pair, _) = Pair::new([&profile, &named("dgpu")]);
        let device = pair.device(ADAPTERS[0]).unwrap();
        let plain = texture(width, height, format);
        let flags = if is_tight { plain.flags | ResourceFlags::USE_TIGHT_ALIGNMENT } else { plain.flags };
        let desc = ResourceDesc { flags, ..plain };
        let query = d3d12::GetResourceAllocationInfo { device, visible_mask: 0, descs: vec![desc] };
        let info = pair.call(&query);
        if info.size_bytes != u64::MAX {
            let rows = PrimaryDesc::new(width as u32, height, format);
            prop_assert_eq!(info.alignment_bytes, 65_536);
            prop_assert!(info.size_bytes >= rows.allocation_bytes && info.size_bytes.is_multiple_of(4096));
            prop_assert!(rows.pitch_bytes.is_multiple_of(128));
            prop_assert!(rows.allocation_bytes >= rows.pitch_bytes * u64::from(height.next_multiple_of(4)));
        }
    }
}
