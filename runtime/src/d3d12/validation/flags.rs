//! Resource flags, by themselves and in combination with the format.

use super::invalid;
use crate::context::Context;
use taut_schemas::format::{Format, FormatClass, FormatInfo};
use taut_schemas::{Dimension, HResult, MessageId, ResourceDesc, ResourceFlags};

/// All bits of D3D12_RESOURCE_FLAGS (d3d12.h); other bits are invalid.
const KNOWN: u32 = 0x5ff;

pub(super) fn check(context: &mut Context<'_>, desc: &ResourceDesc, castable_formats: &[Format]) -> HResult<()> {
    let flags = desc.flags;
    let unknown = flags.0 & !KNOWN;
    if unknown != 0 {
        let text =
            format_args!("Flags 0x{:x} has bits 0x{unknown:x}, which are none of D3D12_RESOURCE_FLAGS.", flags.0);
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMISCFLAGS, text);
    }
    // Fast path: almost all resources have no flag that excludes another flag.
    let delicate = flags.without(ResourceFlags::USE_TIGHT_ALIGNMENT);
    if delicate == ResourceFlags::NONE {
        return Ok(());
    }
    let contradiction = match desc.dimension {
        Dimension::BUFFER => buffer_error(delicate),
        _ => texture_error(desc),
    };
    if let Some(why) = contradiction {
        let text = format_args!("Flags 0x{:x}: {why}.", flags.0);
        return invalid(context, MessageId::CREATERESOURCE_INVALIDMISCFLAGS, text);
    }
    if desc.dimension != Dimension::BUFFER
        && let Some(usage) = unsupported(desc, castable_formats)
    {
        let text = format_args!("Neither format {:?} nor one it may be cast to allows {usage}.", desc.format);
        return invalid(context, MessageId::CREATERESOURCE_INVALIDFORMAT, text);
    }
    Ok(())
}

fn buffer_error(flags: ResourceFlags) -> Option<&'static str> {
    let textures_only = ResourceFlags::ALLOW_RENDER_TARGET
        | ResourceFlags::ALLOW_DEPTH_STENCIL
        | ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS
        | ResourceFlags::VIDEO_DECODE_REFERENCE_ONLY
        | ResourceFlags::VIDEO_ENCODE_REFERENCE_ONLY;
    let structure = flags.contains(ResourceFlags::RAYTRACING_ACCELERATION_STRUCTURE);
    if flags.intersects(textures_only) {
        Some("render target, depth-stencil, simultaneous access and video references are for textures")
    } else if structure && !flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS) {
        Some("an acceleration structure needs unordered access")
    } else if flags.contains(ResourceFlags::DENY_SHADER_RESOURCE) {
        Some("denying shader resources is for depth-stencil and video references")
    } else {
        None
    }
}

fn texture_error(desc: &ResourceDesc) -> Option<&'static str> {
    let has = |flag| desc.flags.contains(flag);
    let depth_stencil = has(ResourceFlags::ALLOW_DEPTH_STENCIL);
    let excluded_by_depth_stencil = ResourceFlags::ALLOW_RENDER_TARGET
        | ResourceFlags::ALLOW_UNORDERED_ACCESS
        | ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS
        | ResourceFlags::ALLOW_CROSS_ADAPTER;
    let excluded_by_msaa = ResourceFlags::ALLOW_UNORDERED_ACCESS | ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS;
    let video = ResourceFlags::VIDEO_DECODE_REFERENCE_ONLY | ResourceFlags::VIDEO_ENCODE_REFERENCE_ONLY;
    if has(ResourceFlags::RAYTRACING_ACCELERATION_STRUCTURE) {
        Some("an acceleration structure is a buffer")
    } else if depth_stencil && desc.flags.intersects(excluded_by_depth_stencil) {
        Some("depth-stencil excludes render target, unordered, simultaneous and cross-adapter access")
    } else if depth_stencil && desc.dimension == Dimension::TEXTURE3D {
        Some("a depth-stencil has one or two dimensions")
    } else if desc.sample_count > 1 && desc.flags.intersects(excluded_by_msaa) {
        Some("several samples exclude unordered and simultaneous access")
    } else if has(ResourceFlags::DENY_SHADER_RESOURCE) && !depth_stencil && !desc.flags.intersects(video) {
        Some("denying shader resources is for depth-stencil and video references")
    } else {
        None
    }
}

/// A usage in the flags that no format of the resource supports.
fn unsupported(desc: &ResourceDesc, castable_formats: &[Format]) -> Option<&'static str> {
    type Usage = (ResourceFlags, fn(&FormatInfo) -> bool, &'static str);
    let usages: [Usage; 3] = [
        (ResourceFlags::ALLOW_RENDER_TARGET, is_renderable, "render target"),
        (ResourceFlags::ALLOW_DEPTH_STENCIL, is_depth_stencil, "depth-stencil"),
        (ResourceFlags::ALLOW_UNORDERED_ACCESS, is_unordered, "unordered access"),
    ];
    let allows = |suits: fn(&FormatInfo) -> bool| {
        let mut formats = std::iter::once(desc.format).chain(castable_formats.iter().copied());
        formats.any(|format| format.info().is_some_and(suits))
    };
    let lacking = usages.into_iter().find(|(flag, suits, _)| desc.flags.contains(*flag) && !allows(*suits));
    lacking.map(|(.., usage)| usage)
}

fn is_renderable(info: &FormatInfo) -> bool {
    let subsampled = matches!(info.format, Format::R8G8_B8G8_UNORM | Format::G8R8_G8B8_UNORM);
    matches!(info.class, FormatClass::Color | FormatClass::Typeless | FormatClass::Video)
        && !info.is_block_compressed()
        && !subsampled
}

/// True for depth formats, and for the formats that alias their texels.
fn is_depth_stencil(info: &FormatInfo) -> bool {
    let alias = matches!(
        info.format,
        Format::R32G8X24_TYPELESS
            | Format::R32_FLOAT_X8X24_TYPELESS
            | Format::R32_TYPELESS
            | Format::R32_FLOAT
            | Format::R24G8_TYPELESS
            | Format::R24_UNORM_X8_TYPELESS
            | Format::R16_TYPELESS
            | Format::R16_UNORM
    );
    info.class == FormatClass::Depth || alias
}

/// True if the format allows unordered access. sRGB formats pass: a linear format of their family can write the texels.
fn is_unordered(info: &FormatInfo) -> bool {
    let packed = matches!(info.format, Format::R9G9B9E5_SHAREDEXP | Format::R8G8_B8G8_UNORM | Format::G8R8_G8B8_UNORM);
    !info.is_block_compressed() && !packed && !matches!(info.class, FormatClass::Depth | FormatClass::DepthPlane)
}
