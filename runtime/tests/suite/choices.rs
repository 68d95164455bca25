//! Tests of choices (rules) that no other test fails without.

use super::presents::{Laptop, full, named};
use super::world::{DEVICE, World};
use taut_conformance::{self as conformance, Status};
use taut_runtime::{Profile, Settings, Wddm, driver};
use taut_schemas::format::Format;
use taut_schemas::{
    Driver, DriverCall, DriverLayer, HResult, MultiplaneOverlayFlags, PrimaryDesc, PrimaryDriverFlags,
    SCAN_OUT_FORMATS, SupportedVersions, WddmVersion, d3d12, d3d12_ddi, dxgi_ddi, dxgkddi,
};

#[test]
fn x09_the_flag_of_static_checks_is_4_and_reaches_drivers_of_wddm_3_0() {
    assert_eq!(MultiplaneOverlayFlags::STATIC_CHECK.0, 4);
    let flags = |wddm| {
        let mut profile = named("igpu-tier3");
        profile.kernel.as_mut().unwrap().wddm_version = Wddm(wddm);
        let mut laptop = Laptop::with(&profile);
        laptop.create(full()).unwrap();
        let checks = laptop.tap.started::<dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3>();
        checks.iter().map(|overlay_check| overlay_check.check.flags.0).collect::<Vec<_>>()
    };
    assert_eq!(flags(WddmVersion::WDDM_2_9), Vec::<u32>::new());
    assert_eq!([flags(WddmVersion::WDDM_3_0), flags(WddmVersion::WDDM_3_1)], [[4], [4]]);
}

#[test]
fn c09_c10_x11_six_formats_are_required_and_a_seventh_is_allowed() {
    let seventh = Format::R10G10B10_XR_BIAS_A2_UNORM;
    assert!(SCAN_OUT_FORMATS.len() == 6 && !SCAN_OUT_FORMATS.contains(&seventh));
    let with_seventh = |profile: Profile| {
        let mut profile = profile;
        profile.overlay.as_mut().unwrap().formats.push("R10G10B10_XR_BIAS_A2_UNORM".to_owned());
        profile
    };
    let status = |profile: &Profile, id: &str| {
        conformance::check(id).unwrap().run(&*driver(profile), &Settings::default()).status
    };
    let scans_out = |profile: &Profile| {
        let adapter = taut_schemas::AdapterId::FIRST;
        let create = dxgi_ddi::CreateResource { adapter, desc: PrimaryDesc::new(640, 480, seventh) };
        create.dispatch(&*driver(profile)) == Ok(PrimaryDriverFlags::NONE)
    };
    for (profile, is_scanned_out) in [(named("igpu-tier3"), false), (with_seventh(named("igpu-tier3")), true)] {
        assert_eq!(["C-09", "C-10"].map(|id| status(&profile, id)), [Status::Pass; 2], "{is_scanned_out}");
        assert_eq!(scans_out(&profile), is_scanned_out);
    }
    for (missing, format) in SCAN_OUT_FORMATS.iter().enumerate() {
        let mut profile = with_seventh(named("igpu-tier3"));
        profile.overlay.as_mut().unwrap().formats.remove(missing);
        assert_eq!(status(&profile, "C-10"), Status::Fail, "without {format:?}");
    }
}

/// Driver that lists these versions of the DDI.
struct Versions(Box<dyn Driver>, Vec<u32>);

impl DriverLayer for Versions {
    taut_schemas::changes!(d3d12_ddi);

    fn below(&self) -> &dyn Driver {
        &*self.0
    }
}

impl d3d12_ddi::DeviceFuncsLayer for Versions {
    fn get_supported_versions(&self, _: &d3d12_ddi::GetSupportedVersions) -> HResult<SupportedVersions> {
        Ok(SupportedVersions { versions: self.1.clone() })
    }
}

#[test]
fn x23_the_ddi_0063_is_used_unless_0062_is_listed_without_it() {
    for (versions, expected) in
        [(&[115][..], [0, 1]), (&[62, 115], [1, 0]), (&[62, 63, 115], [0, 1]), (&[63, 115], [0, 1])]
    {
        let below = driver(&Profile::named("reference").unwrap());
        let mut world = World::with(Box::new(Versions(below, versions.to_vec())), Settings::default());
        world.call(&d3d12::SetBackgroundProcessingMode { device: DEVICE, ..Default::default() }).unwrap();
        let older = world.ddi::<d3d12_ddi::SetBackgroundProcessingMode0062>().len();
        let newer = world.ddi::<d3d12_ddi::SetBackgroundProcessingMode0063>().len();
        assert_eq!([older, newer], expected, "{versions:?}");
    }
}
