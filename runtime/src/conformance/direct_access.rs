//! T-04 and T-05: the instant-access extension.

use super::bench::Bench;
use super::tally::{NotApplicable, Tally};
use taut_schemas::format::FORMATS;
use taut_schemas::{
    CopyKind, CopyOutcome, CpuAccessFlags, D3d11DeviceId, D3d11ResourceId, HResult, MapFlags, MapType, SharedMapData,
    Texture2dDesc, Usage, d3d11, d3d11_ddi,
};

/// Extents of textures in units of the format: one, part of a tile, whole tiles, and odd ones.
const EXTENTS: [(u32, u32); 4] = [(1, 1), (33, 9), (128, 128), (1001, 607)];

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL: u32 = 0xb000;

/// A texture, and a staging texture that was created after it.
struct Pair {
    texture: D3d11ResourceId,
    staging: D3d11ResourceId,
    /// What the driver says the staging texture takes, in bytes.
    staging_bytes: u64,
}

/// T-04: pairs created for direct access are bound, others are copied.
pub(super) fn binds(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let device = device(bench)?;
    let mut tally = Tally::default();
    for desc in textures() {
        for (direct, wanted) in [(true, CopyKind::BOUND), (false, CopyKind::COPIED)] {
            let Ok(pair) = create(bench, device, desc, direct) else {
                tally.refused += 1;
                continue;
            };
            let copied = copy(bench, device, &pair);
            if let Some(CopyOutcome { kind }) = bench.watched.record().copied {
                let which = if direct { "a pair created for direct access" } else { "an ordinary pair" };
                let what =
                    || format!("the driver answers {kind:?} to the copy of {which}{}; expected {wanted:?}", of(&desc));
                tally.judge_other((kind != wanted).then(what));
            } else {
                tally.refused += u64::from(copied.is_err());
            }
            release(bench, pair);
        }
    }
    Ok(tally)
}

/// T-05: the staging texture takes nothing, and what Map gives lies in the texture.
pub(super) fn shares_memory(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let device = device(bench)?;
    let mut tally = Tally::default();
    for desc in textures() {
        let Ok(pair) = create(bench, device, desc, true) else {
            tally.refused += 1;
            continue;
        };
        let takes = pair.staging_bytes;
        let what = || format!("the driver wants {takes} bytes for a staging texture{}; expected none", of(&desc));
        tally.judge_other((takes != 0).then(what));
        let mapped = copy(bench, device, &pair).and_then(|_| map(bench, device, &pair));
        let said = bench.watched.record().mapped.clone();
        match said {
            Some((call, answer)) => {
                let strays = strays(&call, &answer).map(|what| format!("{what}{}", of(&desc)));
                tally.judge_other(strays);
            }
            None => tally.refused += u64::from(mapped.is_err()),
        }
        release(bench, pair);
    }
    Ok(tally)
}

/// What is wrong with the memory that Map gives.
fn strays(call: &d3d11_ddi::StagingResourceMap, answer: &SharedMapData) -> Option<String> {
    let (start, size_bytes) = (call.base_address.0, call.kept.size_bytes);
    let offset = answer.base_address.0.wrapping_sub(start);
    let inside = offset < size_bytes.max(1) && answer.size_bytes <= size_bytes - offset.min(size_bytes);
    (!inside).then(|| {
        format!(
            "Map gives {} bytes at 0x{:x}; expected them in the {size_bytes} at 0x{start:x}",
            answer.size_bytes, answer.base_address.0
        )
    })
}

/// A device with the extension.
fn device(bench: &mut Bench<'_>) -> Result<D3d11DeviceId, NotApplicable> {
    let made = bench.call(&d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() });
    let device = made.map_err(|code| NotApplicable(format!("there is no Direct3D 11 device: {code:?}")))?;
    match bench.call(&d3d11::InitExtensions { device }) {
        Ok(found) if found.direct_access => Ok(device),
        _ => Err(NotApplicable("the driver has no instant-access extension".to_owned())),
    }
}

/// A texture of each format in every extent.
fn textures() -> impl Iterator<Item = Texture2dDesc> {
    FORMATS.iter().flat_map(|info| {
        EXTENTS.map(|(across, down)| Texture2dDesc {
            width: across * info.unit_texels.0,
            height: down * info.unit_texels.1,
            mip_levels: 1,
            array_size: 1,
            format: info.format,
            usage: Usage::DEFAULT,
            ..Default::default()
        })
    })
}

fn create(bench: &mut Bench<'_>, device: D3d11DeviceId, desc: Texture2dDesc, direct: bool) -> HResult<Pair> {
    let cpu_access_flags = CpuAccessFlags::READ | CpuAccessFlags::WRITE;
    let texture = create_texture(bench, device, desc, direct)?;
    let staging = Texture2dDesc { usage: Usage::STAGING, cpu_access_flags, ..desc };
    match create_texture(bench, device, staging, direct) {
        Ok(staging) => {
            let layout = bench.watched.record().layout.and_then(Result::ok);
            Ok(Pair { texture, staging, staging_bytes: layout.map_or(0, |layout| layout.size_bytes) })
        }
        Err(code) => {
            let _ = bench.call(&d3d11::ReleaseResource { resource: texture });
            Err(code)
        }
    }
}

fn create_texture(
    bench: &mut Bench<'_>,
    device: D3d11DeviceId,
    desc: Texture2dDesc,
    direct: bool,
) -> HResult<D3d11ResourceId> {
    if direct {
        bench.call(&d3d11::SetDirectAccessResourceExtension { device })?;
    }
    bench.call(&d3d11::CreateTexture2D { device, desc })
}

fn copy(bench: &mut Bench<'_>, device: D3d11DeviceId, pair: &Pair) -> HResult<CopyOutcome> {
    bench.call(&d3d11::CopyResource { device, destination: pair.staging, source: pair.texture })
}

fn map(bench: &mut Bench<'_>, device: D3d11DeviceId, pair: &Pair) -> HResult<SharedMapData> {
    let (map_type, map_flags) = (MapType::WRITE, MapFlags::NONE);
    bench.call(&d3d11::Map { device, resource: pair.staging, subresource: 0, map_type, map_flags })
}

fn release(bench: &mut Bench<'_>, pair: Pair) {
    for resource in [pair.staging, pair.texture] {
        // They were created just now: they are there.
        let _ = bench.call(&d3d11::ReleaseResource { resource });
    }
}

fn of(desc: &Texture2dDesc) -> String {
    format!(" ({} by {} texels of {:?})", desc.width, desc.height, desc.format)
}
