//! Tests of descriptions with legal parts that Direct3D forbids, and of resources too large for any adapter.

use super::descs::*;
use super::world::World;
use taut_runtime::{AllocationKind, Profile, RuleSet, Settings, alloc_info, driver};
use taut_schemas::format::Format;
use taut_schemas::{Dimension, HResultCode, ResourceDesc, ResourceFlags, TextureLayout};

const RGBA8: Format = Format::R8G8B8A8_UNORM;

fn flat(format: Format, flags: ResourceFlags) -> ResourceDesc {
    ResourceDesc { flags, mip_levels: 1, ..texture(format, 64, 64) }
}

fn swizzled(desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { layout: TextureLayout::_64KB_STANDARD_SWIZZLE, ..desc }
}

fn crossing(desc: ResourceDesc) -> ResourceDesc {
    ResourceDesc { flags: desc.flags | ResourceFlags::ALLOW_CROSS_ADAPTER, ..desc }
}

#[test]
fn what_direct3d_forbids_is_refused_and_its_neighbours_are_not() {
    let (target, depth, unordered) =
        (ResourceFlags::ALLOW_RENDER_TARGET, ResourceFlags::ALLOW_DEPTH_STENCIL, ResourceFlags::ALLOW_UNORDERED_ACCESS);
    let none = ResourceFlags::NONE;
    let samples = |sample_count, desc: ResourceDesc| ResourceDesc { sample_count, ..desc };
    let mips = |mip_levels, desc: ResourceDesc| ResourceDesc { mip_levels, ..desc };
    let wide = |width, format| ResourceDesc { width, ..flat(format, none) };
    let row_major = |format| crossing(ResourceDesc { layout: TextureLayout::ROW_MAJOR, ..flat(format, none) });
    // Each description is forbidden for the one difference from its partner.
    let pairs = [
        (swizzled(samples(4, flat(RGBA8, target))), swizzled(flat(RGBA8, target))),
        (swizzled(flat(Format::D32_FLOAT, depth)), swizzled(flat(Format::R32_FLOAT, none))),
        (swizzled(flat(Format::R32_TYPELESS, depth)), swizzled(flat(Format::R32_TYPELESS, none))),
        (swizzled(flat(Format::R32G32B32_FLOAT, none)), swizzled(flat(Format::R32G32B32A32_FLOAT, none))),
        (crossing(mips(2, flat(RGBA8, none))), crossing(flat(RGBA8, none))),
        (crossing(mips(0, flat(RGBA8, none))), mips(0, flat(RGBA8, none))),
        (mips(0, samples(4, flat(RGBA8, target))), samples(4, flat(RGBA8, target))),
        (flat(Format::R8G8_B8G8_UNORM, unordered), flat(Format::R8G8_B8G8_UNORM, none)),
        (flat(Format::R9G9B9E5_SHAREDEXP, unordered), flat(Format::R11G11B10_FLOAT, unordered)),
        (wide(63, Format::R8G8_B8G8_UNORM), wide(62, Format::R8G8_B8G8_UNORM)),
        (row_major(Format::NV12), row_major(RGBA8)),
    ];
    for (forbidden, legal) in pairs {
        let mut world = World::new("reference");
        assert_eq!(world.info(forbidden).size_bytes, INVALID, "{forbidden:?}");
        assert_eq!(world.message_ids().len(), 1, "{forbidden:?}: {:?}", world.messages());
        assert_eq!(world.committed(forbidden), Err(HResultCode::E_INVALIDARG), "{forbidden:?}");
        assert_ne!(world.info(legal).size_bytes, INVALID, "{legal:?}: {:?}", world.messages());
    }
}

#[test]
fn with_cross_adapter_access_the_flag_and_its_alignment_are_ignored() {
    let tight = ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_CROSS_ADAPTER;
    for (desc, classic) in [(flat(RGBA8, tight), KIB_64), (ResourceDesc { flags: tight, ..buffer(100) }, KIB_64)] {
        for alignment_bytes in [0, 8, 4096, 65536] {
            let desc = ResourceDesc { alignment_bytes, ..desc };
            let info = |rules| {
                let profile = Profile::named("reference").unwrap();
                let settings = Settings { rules, ..Settings::default() };
                let info = alloc_info(&settings, &*driver(&profile), &[desc], AllocationKind::Placed);
                (info.hr, info.alignment_bytes)
            };
            assert_eq!(info(RuleSet::R1_619_4), (HResultCode::S_OK, classic), "{desc:?}");
            let refused = if alignment_bytes == 0 { HResultCode::S_OK } else { HResultCode::E_INVALIDARG };
            assert_eq!(info(RuleSet::R1_618), (refused, classic), "{desc:?}");
        }
    }
}

#[test]
fn what_addresses_do_not_reach_is_out_of_memory() {
    let mut world = World::new("reference");
    assert_eq!(world.committed(buffer(2 << 40)), Err(HResultCode::E_OUTOFMEMORY));
    assert!(world.messages()[0].description.contains("40 address bits"), "{:?}", world.messages());
    let mut profile = Profile::named("reference").unwrap();
    profile.caps.max_gpu_virtual_address_bits_per_resource = 42;
    let info = |profile: &Profile, width| {
        alloc_info(&Settings::default(), &*driver(profile), &[buffer(width)], AllocationKind::Committed).hr
    };
    assert_eq!(info(&profile, 2 << 40), HResultCode::S_OK);
    assert_eq!(info(&profile, 5 << 40), HResultCode::E_OUTOFMEMORY);
}

#[test]
fn resources_beyond_memory_are_out_of_memory() {
    let text = "name = \"small\"\nddi_version = \"0115\"\nmemory_bytes = 1048576\n";
    let profile = Profile::parse(text, "small.toml").unwrap();
    let mut world = World::with(driver(&profile), Settings::default());
    assert_eq!(world.committed(buffer((1 << 20) + 1)), Err(HResultCode::E_OUTOFMEMORY));
    assert!(world.committed(buffer(1 << 20)).is_ok());
}

/// Returns the size of a texture in rows at the pitch alignment of copies, plus a page per level.
fn linear_bytes(desc: &ResourceDesc) -> u64 {
    let bytes = u64::from(desc.format.info().unwrap().unit_bits / 8);
    let levels = (0..desc.mip_levels).map(|level| {
        let row_bytes = ((desc.width >> level).max(1) * bytes).next_multiple_of(256);
        row_bytes * u64::from((desc.height >> level).max(1)) * u64::from(desc.depth_or_array_size) + 4096
    });
    levels.sum()
}

#[test]
fn a_classic_texture_of_the_reference_model_is_no_larger_than_its_rows_and_a_page_per_level() {
    let mut world = World::new("reference");
    let mut smaller = 0;
    for format in [Format::R8_UNORM, RGBA8, Format::R32G32B32A32_FLOAT] {
        for (width, height) in [(1, 4000), (4000, 1), (8, 1000), (130, 130), (300, 20), (1024, 1024), (1, 1)] {
            for depth_or_array_size in [1, 5] {
                for mip_levels in [1, (64 - width.max(u64::from(height)).leading_zeros()) as u16] {
                    let desc = ResourceDesc {
                        dimension: Dimension::TEXTURE2D,
                        depth_or_array_size,
                        mip_levels,
                        ..texture(format, width, height)
                    };
                    let (found, max_bytes) =
                        (world.info(desc).size_bytes, linear_bytes(&desc).next_multiple_of(KIB_64));
                    assert!(found <= max_bytes, "{desc:?}: {found} of {max_bytes}");
                    smaller += u64::from(found < max_bytes);
                    let tiles = ResourceDesc { layout: TextureLayout::_64KB_UNDEFINED_SWIZZLE, ..desc };
                    assert!(world.info(tiles).size_bytes >= found, "{desc:?}");
                }
            }
        }
    }
    assert!(smaller > 0, "tiles are the smaller choice nowhere");
}
