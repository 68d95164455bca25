//! Checks T-04 and T-05: instant-access extension.

use super::bench::Bench;
use super::tally::{NotApplicable, Tally};
use taut_schemas::format::FORMATS;
use taut_schemas::{
    CopyKind, CopyOutcome, CpuAccessFlags, D3d11ContextId, D3d11DeviceAndContext, D3d11DeviceId, D3d11ResourceId,
    HResult, MapFlags, MapType, SharedMapData, Texture2dDesc, Usage, d3d11, d3d11_ddi,
};

/// Extents of textures in units of the format: one unit, part of a tile, whole tiles, and odd extents.
const EXTENTS: [(u32, u32); 4] = [(1, 1), (33, 9), (128, 128), (1001, 607)];

/// D3D_FEATURE_LEVEL_11_0 (d3dcommon.h).
const FEATURE_LEVEL: u32 = 0xb000;

/// Texture with a staging texture that was created after it.
struct Pair {
    texture: D3d11ResourceId,
    staging: D3d11ResourceId,
    /// Size in bytes that the driver reports for the staging texture.
    staging_bytes: u64,
}

/// T-04: pairs created for direct access are bound, others are copied.
pub(super) fn binds(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let device_and_context = device(bench)?;
    let mut tally = Tally::default();
    for desc in textures() {
        for (direct, wanted) in [(true, CopyKind::BOUND), (false, CopyKind::COPIED)] {
            let Ok(pair) = create(bench, device_and_context.device, desc, direct) else {
                tally.refused += 1;
                continue;
            };
            let copied = copy(bench, device_and_context.immediate_context, &pair);
            if let Some(CopyOutcome { kind }) = bench.ddi_recorder.record().copied {
                let which = if direct { "a pair created for direct access" } else { "an ordinary pair" };
                let what =
                    || format!("the driver answers {kind:?} to the copy of {which}{}; expected {wanted:?}", of(&desc));
                tally.count_result((kind != wanted).then(what));
            } else {
                tally.refused += u64::from(copied.is_err());
            }
            release(bench, pair);
        }
    }
    Ok(tally)
}

/// T-05: the staging texture has no memory of its own, and Map returns memory of the texture.
pub(super) fn shares_memory(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let device_and_context = device(bench)?;
    let mut tally = Tally::default();
    for desc in textures() {
        let Ok(pair) = create(bench, device_and_context.device, desc, true) else {
            tally.refused += 1;
            continue;
        };
        let takes = pair.staging_bytes;
        let what = || format!("the driver wants {takes} bytes for a staging texture{}; expected none", of(&desc));
        tally.count_result((takes != 0).then(what));
        let mapped = copy(bench, device_and_context.immediate_context, &pair)
            .and_then(|_| map(bench, device_and_context.immediate_context, &pair));
        let mapped_call = bench.ddi_recorder.record().mapped.clone();
        match mapped_call {
            Some((call, answer)) => {
                let mapping_error = mapping_error(&call, &answer).map(|what| format!("{what}{}", of(&desc)));
                tally.count_result(mapping_error);
            }
            None => tally.refused += u64::from(mapped.is_err()),
        }
        release(bench, pair);
    }
    Ok(tally)
}

/// Returns an error text if Map returns wrong memory.
fn mapping_error(call: &d3d11_ddi::StagingResourceMap, answer: &SharedMapData) -> Option<String> {
    let (start, size_bytes) = (call.base_address.0, call.driver_data.size_bytes);
    let offset = answer.base_address.0.wrapping_sub(start);
    let inside = offset < size_bytes.max(1) && answer.size_bytes <= size_bytes - offset.min(size_bytes);
    (!inside).then(|| {
        format!(
            "Map gives {} bytes at 0x{:x}; expected them in the {size_bytes} at 0x{start:x}",
            answer.size_bytes, answer.base_address.0
        )
    })
}

/// Creates a device with the extension.
fn device(bench: &mut Bench<'_>) -> Result<D3d11DeviceAndContext, NotApplicable> {
    let device_and_context =
        bench.call(&d3d11::D3D11CreateDevice { feature_level: FEATURE_LEVEL, ..Default::default() });
    let device_and_context =
        device_and_context.map_err(|code| NotApplicable(format!("there is no Direct3D 11 device: {code:?}")))?;
    match bench.call(&d3d11::InitExtensions { device: device_and_context.device }) {
        Ok(found) if found.direct_access => Ok(device_and_context),
        _ => Err(NotApplicable("the driver has no instant-access extension".to_owned())),
    }
}

/// Returns a texture of each format in every extent.
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
            let layout = bench.ddi_recorder.record().layout.and_then(Result::ok);
            Ok(Pair { texture, staging, staging_bytes: layout.map_or(0, |layout| layout.size_bytes) })
        }
        Err(code) => {
            let _ = bench.call(&d3d11::Release { object: texture.into() });
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
    bench.call(&d3d11::CreateTexture2D { device, desc, initial_data: false })
}

fn copy(bench: &mut Bench<'_>, context: D3d11ContextId, pair: &Pair) -> HResult<CopyOutcome> {
    bench.call(&d3d11::CopyResource { context, destination: pair.staging, source: pair.texture })
}

fn map(bench: &mut Bench<'_>, context: D3d11ContextId, pair: &Pair) -> HResult<SharedMapData> {
    let (map_type, map_flags) = (MapType::WRITE, MapFlags::NONE);
    bench.call(&d3d11::Map { context, resource: pair.staging, subresource: 0, map_type, map_flags })
}

fn release(bench: &mut Bench<'_>, pair: Pair) {
    for resource in [pair.staging, pair.texture] {
        // The resources were created just now, so this cannot fail.
        let _ = bench.call(&d3d11::Release { object: resource.into() });
    }
}

fn of(desc: &Texture2dDesc) -> String {
    format!(" ({} by {} texels of {:?})", desc.width, desc.height, desc.format)
}
