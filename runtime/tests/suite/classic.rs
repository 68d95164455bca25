//! Tests of resources without the tight flag (rules ).

use super::descs::*;
use super::modified_answers::ModifiedAnswers;
use super::world::World;
use serde_json::Value;
use taut_runtime::placement::{Shape, estimate_tiles, is_small, tile_shape};
use taut_runtime::{RuleSet, Settings};
use taut_schemas::format::Format;
use taut_schemas::{DdiAllocationInfo, Dimension, HResultCode, MessageId, ResourceDesc, ResourceFlags, TextureLayout};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

#[test]
fn a01_default_alignments_are_64_kib_and_4_mib() {
    for driver in ["reference", "legacy", "peer", "large-pages"] {
        let mut world = World::new(driver);
        assert_eq!(world.info(buffer(1)).alignment_bytes, KIB_64);
        assert_eq!(world.info(texture(RGBA8, 4, 4)).alignment_bytes, KIB_64);
        assert_eq!(world.info(texture(RGBA8, 4096, 4096)).alignment_bytes, KIB_64);
        assert_eq!(world.info(msaa(RGBA8, 32, 32, 4)).alignment_bytes, MIB_4);
        assert_eq!(world.violations(), []);
    }
}

#[test]
fn a01_a_small_resource_may_request_the_smaller_alignment() {
    let mut world = World::new("legacy");
    let info = world.info(aligned(KIB_4, texture(RGBA8, 32, 32)));
    assert_eq!((info.size_bytes, info.alignment_bytes), (4096, KIB_4));
    assert_eq!(world.check().alignment_restriction_bytes, 4096);
    let info = world.info(aligned(KIB_64, msaa(RGBA8, 32, 32, 4)));
    assert_eq!((info.size_bytes, info.alignment_bytes), (KIB_64, KIB_64));
    assert_eq!(world.info(aligned(KIB_64, texture(RGBA8, 32, 32))).alignment_bytes, KIB_64);
    assert_eq!(world.info(aligned(MIB_4, msaa(RGBA8, 32, 32, 4))).alignment_bytes, MIB_4);
}

#[test]
fn a01_other_alignments_are_invalid() {
    let mut world = World::new("reference");
    let invalid = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    let not_small = MessageId::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE;
    let cases = [
        (aligned(KIB_4, buffer(16)), invalid, KIB_64),
        (aligned(MIB_4, buffer(16)), invalid, KIB_64),
        (aligned(1, buffer(16)), invalid, KIB_64),
        (aligned(256, texture(RGBA8, 32, 32)), invalid, KIB_64),
        (aligned(MIB_4, texture(RGBA8, 32, 32)), invalid, KIB_64),
        (aligned(KIB_4, texture(RGBA8, 1024, 1024)), not_small, KIB_64),
        (aligned(KIB_4, msaa(RGBA8, 32, 32, 4)), invalid, MIB_4),
        (aligned(KIB_64, msaa(RGBA8, 4096, 4096, 4)), not_small, MIB_4),
        (aligned(u64::MAX, buffer(16)), invalid, KIB_64),
    ];
    for (desc, id, alignment) in cases {
        let info = world.info(desc);
        assert_eq!((info.size_bytes, info.alignment_bytes), (INVALID, alignment), "{desc:?}");
        assert_eq!(world.message_ids(), [id], "{desc:?}");
        assert!(world.messages()[0].description.contains(&desc.alignment_bytes.to_string()));
        assert_eq!(world.committed(desc), Err(HResultCode::E_INVALIDARG));
        assert_eq!(world.message_ids(), [id], "{desc:?}");
    }
}

#[test]
fn a01_a_looser_answer_is_a_violation() {
    let modified_answers = ModifiedAnswers::aligning("reference", 1 << 17);
    let mut world = World::with(modified_answers, Settings::default());
    assert_eq!(world.info(buffer(1)).alignment_bytes, 1 << 17);
    let violation = &world.violations()[0];
    assert_eq!((violation.rule.as_str(), violation.lint), ("A-01", false));
    assert_eq!((violation.found, violation.min, violation.max), (1 << 17, KIB_64, KIB_64));
}

#[test]
fn a02_small_depends_on_layout_use_and_mip_0() {
    let small = |desc: ResourceDesc| is_small(&Shape::from(&desc), true);
    let base = texture(RGBA8, 128, 128);
    assert!(small(base));
    assert!(small(ResourceDesc { mip_levels: 8, ..base }), "mips do not matter");
    assert!(small(ResourceDesc { depth_or_array_size: 2048, ..base }), "array slices do not matter");
    assert!(!small(texture(RGBA8, 129, 128)), "20 tiles");
    assert!(!small(ResourceDesc { layout: TextureLayout::_64KB_UNDEFINED_SWIZZLE, ..base }));
    assert!(!small(ResourceDesc { flags: ResourceFlags::ALLOW_RENDER_TARGET, ..base }));
    assert!(!small(ResourceDesc { flags: ResourceFlags::ALLOW_DEPTH_STENCIL, ..base }));
    assert!(small(ResourceDesc { flags: ResourceFlags::ALLOW_UNORDERED_ACCESS, ..base }));
    assert!(!small(buffer(1)));
}

#[test]
fn a02_x05_an_msaa_texture_can_be_small_although_it_is_a_render_target() {
    let small = |desc: ResourceDesc, small_msaa| is_small(&Shape::from(&desc), small_msaa);
    assert!(small(msaa(RGBA8, 512, 512, 4), true));
    assert!(!small(msaa(RGBA8, 513, 512, 4), true), "72 tiles");
    assert!(!small(msaa(RGBA8, 512, 512, 4), false), "the other reading");
    let mut world = World::new("reference");
    assert_eq!(world.info(aligned(KIB_64, msaa(RGBA8, 32, 32, 4))).alignment_bytes, KIB_64);
    world.settings.small_msaa = false;
    assert_eq!(world.info(aligned(KIB_64, msaa(RGBA8, 32, 32, 4))).size_bytes, INVALID);
    assert_eq!(world.message_ids(), [MessageId::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE]);
}

#[test]
fn a03_tiles_have_the_published_shapes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/tile-shapes.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(cases.len(), 39);
    for case in cases {
        let number = |value: &Value| value.as_u64().unwrap();
        let dimension = match case["dim"].as_str().unwrap() {
            "1D" => Dimension::TEXTURE1D,
            "2D" => Dimension::TEXTURE2D,
            _ => Dimension::TEXTURE3D,
        };
        let format = Format::parse(case["format"].as_str().unwrap()).unwrap().info().unwrap();
        assert_eq!(u64::from(format.unit_bits), number(&case["bits_per_unit"]));
        let (across, down) = format.unit_texels;
        for (tile_bytes, shape) in [(KIB_4, &case["tile4k"]), (KIB_64, &case["tile64k"])] {
            let samples = number(&case["samples"]) as u32;
            let (width, height, depth) = tile_shape(format.unit_bits, dimension, samples, tile_bytes).unwrap();
            let texels = [width * u64::from(across), height * u64::from(down), depth];
            assert_eq!(texels.to_vec(), shape.as_array().unwrap().iter().map(number).collect::<Vec<_>>(), "{case}");
        }
    }
}

#[test]
fn a03_the_estimate_counts_whole_tiles_of_the_smaller_alignment() {
    let tiles = |desc: ResourceDesc| estimate_tiles(&Shape::from(&desc));
    assert_eq!(tiles(texture(RGBA8, 1, 1)), Some(1));
    assert_eq!(tiles(texture(RGBA8, 33, 32)), Some(2));
    assert_eq!(tiles(texture(Format::BC1_UNORM, 256, 512)), Some(16));
    assert_eq!(tiles(texture(Format::BC1_UNORM, 260, 512)), Some(24));
    assert_eq!(tiles(texture(Format::R8_UNORM, 512, 256)), Some(32));
    assert_eq!(tiles(msaa(RGBA8, 1152, 512, 2)), Some(18 * 4), "64 KiB tiles of 64 by 128");
    let volume =
        ResourceDesc { dimension: Dimension::TEXTURE3D, depth_or_array_size: 1, ..texture(Format::R8_UNORM, 256, 256) };
    assert_eq!(tiles(volume), Some(256), "a 3D tile is as deep as the texture is not");
    assert_eq!(tiles(buffer(1)), None);
    assert_eq!(tiles(texture(Format::R32G32B32_FLOAT, 11, 32)), Some(2), "three 32-bit texels each");
    assert_eq!(tiles(texture(Format::NV12, 64, 64)), Some(2), "luma and chroma");
}

#[test]
fn a04_sizes_are_multiples_of_the_alignment() {
    for driver in ["reference", "legacy", "peer"] {
        let mut world = World::new(driver);
        for width in [1, 65535, 65536, 65537, 120_000] {
            assert_eq!(world.info(buffer(width)).size_bytes, width.next_multiple_of(KIB_64));
        }
        for desc in [texture(RGBA8, 100, 100), msaa(RGBA8, 100, 100, 8), aligned(KIB_4, texture(RGBA8, 5, 5))] {
            let info = world.info(desc);
            assert!(info.size_bytes > 0 && info.size_bytes.is_multiple_of(info.alignment_bytes));
        }
    }
}

#[test]
fn a04_a_resource_without_size_is_a_violation() {
    let modified_answers =
        ModifiedAnswers::answering("reference", |_, _, info| DdiAllocationInfo { size_bytes: 0, ..info });
    let mut world = World::with(modified_answers, Settings::default());
    world.info(texture(RGBA8, 4, 4));
    assert_eq!(world.violations()[0].rule, "A-04");
}

#[test]
fn a19_rules_and_drivers_change_nothing_for_resources_without_the_flag() {
    let descs = [
        buffer(1000),
        aligned(KIB_4, texture(RGBA8, 32, 32)),
        // Whole tiles only: models differ in the layout of partial ones.
        texture(Format::BC7_UNORM, 512, 512),
        msaa(RGBA8, 640, 480, 8),
        aligned(KIB_4, buffer(1)),
    ];
    let mut legacy = World::new("legacy");
    let expected = descs.map(|desc| legacy.info(desc));
    for rules in RuleSet::ALL {
        let mut world = World::under("reference", rules);
        assert_eq!(descs.map(|desc| world.info(desc)), expected);
    }
}

#[test]
fn a25_a_tighter_answer_without_the_flag_is_a_lint() {
    let modified_answers = ModifiedAnswers::aligning("reference", 256);
    let mut world = World::with(modified_answers, Settings { strict: true, ..Settings::default() });
    let info = world.info(buffer(1));
    assert_eq!(info.alignment_bytes, KIB_64, "the API keeps the classic alignment");
    let lint = &world.violations()[0];
    assert_eq!((lint.rule.as_str(), lint.lint), ("A-25", true));
    assert_eq!((lint.found, lint.min, lint.max), (256, KIB_64, KIB_64));
    assert_eq!(world.info(buffer(1)).size_bytes, KIB_64, "a lint does not remove the device");
}

#[test]
fn swizzle_layouts_have_64_kib_msaa_or_not() {
    let mut world = World::new("reference");
    let layout = TextureLayout::_64KB_UNDEFINED_SWIZZLE;
    for desc in [texture(RGBA8, 64, 64), msaa(RGBA8, 64, 64, 4)] {
        let info = world.info(ResourceDesc { layout, ..desc });
        assert_eq!((info.size_bytes, info.alignment_bytes), (KIB_64, KIB_64));
    }
}

#[test]
fn msaa_of_any_size_may_have_64_kib_if_the_driver_supports_it() {
    let mut profile = taut_runtime::Profile::named("reference").unwrap();
    profile.caps.msaa_64kb_aligned_textures = true;
    let mut world = World::with(taut_runtime::driver(&profile), Settings::default());
    let info = world.info(aligned(KIB_64, msaa(RGBA8, 4096, 4096, 4)));
    assert_eq!(info.alignment_bytes, KIB_64);
    assert_ne!(info.size_bytes, INVALID);
}
