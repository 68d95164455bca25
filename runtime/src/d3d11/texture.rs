//! CreateTexture1D, CreateTexture2D and CreateTexture3D; the direct-access mark applies to 2D textures.

use super::create::{NewResource, realize, usage_fault};
use super::open;
use crate::context::Context;
use crate::state::{DeviceState, Objects};
use taut_schemas::{
    D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, Dimension, HResult, HResultCode, MessageId, MessageSeverity,
    Texture1dDesc, Texture2dDesc, Texture3dDesc, d3d11,
};

/// D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION, in texels.
const MAX_EXTENT: u32 = 16384;
/// D3D11_REQ_TEXTURE3D_U_V_OR_W_DIMENSION, in texels.
const MAX_VOLUME_EXTENT: u32 = 2048;
/// D3D11_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION.
const MAX_ARRAY_SIZE: u32 = 2048;

/// ID3D11Device::CreateTexture2D. The call consumes the direct-access mark, even if it fails (rule T-04).
pub(crate) fn create_texture2d(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateTexture2D,
) -> HResult<D3d11ResourceId> {
    // The mark is cleared before validation: rule T-04 applies it to the next creation, successful or not.
    let marked = std::mem::take(&mut open::device(context, objects, call.device)?.marked);
    let has_handles = device.d3d11.devices.contains_key(&call.device.0);
    let created = match resolved(ddi_desc(&call.desc), has_handles, call.initial_data) {
        _ if device.is_removed() => Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED),
        Ok(desc) => realize(context, device, objects, call.device, NewResource { desc, direct_access: marked }),
        Err(fault) => {
            let text = format_args!("CreateTexture2D: {fault}.");
            context.refuse(HResultCode::E_INVALIDARG, call.device, text)
        }
    };
    if marked && created.is_err() {
        let text = format_args!("The texture marked for direct access was not created; the mark is used up.");
        context.message(MessageSeverity::WARNING, MessageId::UNKNOWN, call.device.into(), text);
    }
    created
}

/// ID3D11Device::CreateTexture1D. The call fails if the direct-access mark is set.
pub(crate) fn create_texture1d(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateTexture1D,
) -> HResult<D3d11ResourceId> {
    let Texture1dDesc { width, mip_levels, array_size, format, usage, bind_flags, cpu_access_flags } = call.desc;
    let (dimension, height) = (Dimension::TEXTURE1D, 1);
    let desc = D3d11DdiResourceDesc {
        dimension,
        width,
        height,
        mip_levels,
        array_size,
        format,
        usage,
        bind_flags,
        cpu_access_flags,
    };
    create_other(
        context,
        device,
        objects,
        TextureCall { device: call.device, name: "CreateTexture1D", initial_data: call.initial_data },
        desc,
    )
}

/// ID3D11Device::CreateTexture3D. `array_size` of the DDI description holds the depth.
pub(crate) fn create_texture3d(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: &d3d11::CreateTexture3D,
) -> HResult<D3d11ResourceId> {
    let Texture3dDesc { width, height, depth, mip_levels, format, usage, bind_flags, cpu_access_flags } = call.desc;
    let (dimension, array_size) = (Dimension::TEXTURE3D, depth);
    let desc = D3d11DdiResourceDesc {
        dimension,
        width,
        height,
        mip_levels,
        array_size,
        format,
        usage,
        bind_flags,
        cpu_access_flags,
    };
    create_other(
        context,
        device,
        objects,
        TextureCall { device: call.device, name: "CreateTexture3D", initial_data: call.initial_data },
        desc,
    )
}

/// Call that creates a texture of one or three dimensions.
struct TextureCall<'n> {
    device: D3d11DeviceId,
    name: &'n str,
    /// True if the call passes initial data.
    initial_data: bool,
}

fn create_other(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    objects: &mut dyn Objects,
    call: TextureCall<'_>,
    desc: D3d11DdiResourceDesc,
) -> HResult<D3d11ResourceId> {
    let TextureCall { device: owner, name, initial_data } = call;
    let marked = std::mem::take(&mut open::device(context, objects, owner)?.marked);
    let has_handles = device.d3d11.devices.contains_key(&owner.0);
    let fault = match resolved(desc, has_handles, initial_data) {
        _ if device.is_removed() => return Err(HResultCode::DXGI_ERROR_DEVICE_REMOVED),
        _ if marked => "SetDirectAccessResourceExtension is for 2D textures; the mark is used up",
        Ok(desc) => return realize(context, device, objects, owner, NewResource { desc, direct_access: false }),
        Err(fault) => fault,
    };
    context.refuse(HResultCode::E_INVALIDARG, owner, format_args!("{name}: {fault}."))
}

/// The DDI description of a 2D texture.
fn ddi_desc(desc: &Texture2dDesc) -> D3d11DdiResourceDesc {
    D3d11DdiResourceDesc {
        dimension: Dimension::TEXTURE2D,
        width: desc.width,
        height: desc.height,
        mip_levels: desc.mip_levels,
        array_size: desc.array_size,
        format: desc.format,
        usage: desc.usage,
        bind_flags: desc.bind_flags,
        cpu_access_flags: desc.cpu_access_flags,
    }
}

/// The description with the mip chain resolved, or the error in it.
fn resolved(
    mut desc: D3d11DdiResourceDesc,
    has_handles: bool,
    initial_data: bool,
) -> Result<D3d11DdiResourceDesc, &'static str> {
    let is_volume = desc.dimension == Dimension::TEXTURE3D;
    let extents = 1..=if is_volume { MAX_VOLUME_EXTENT } else { MAX_EXTENT };
    if !extents.contains(&desc.width) || !extents.contains(&desc.height) {
        return Err(if is_volume { "extents are from 1 to 2048" } else { "Width and Height are from 1 to 16384" });
    }
    let Some(info) = desc.format.info() else { return Err("Format is none that a texture can have") };
    if !desc.width.is_multiple_of(info.unit_texels.0) || !desc.height.is_multiple_of(info.unit_texels.1) {
        return Err("Width and Height are whole blocks of the format");
    }
    let depth = if is_volume { desc.array_size } else { 1 };
    // A full mip chain ends at one texel.
    let chain = desc.width.max(desc.height).max(depth).max(1).ilog2() + 1;
    if desc.mip_levels > chain || !(1..=MAX_ARRAY_SIZE).contains(&desc.array_size) {
        return Err("MipLevels is at most the full chain, ArraySize from 1 to 2048");
    }
    desc.mip_levels = if desc.mip_levels == 0 { chain } else { desc.mip_levels };
    match usage_fault(&desc, has_handles, initial_data) {
        Some(fault) => Err(fault),
        None => Ok(desc),
    }
}
