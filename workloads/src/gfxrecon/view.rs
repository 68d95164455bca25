//! Translation of the views of buffers and textures.

use super::args::{ConstantBufferViewArgs, RawSrv, RawUav, SrvArgs, UavArgs};
use super::objects::{Kind, Objects};
use super::row::Call;
use super::translation::{Translated, Translation, defined};
use crate::call_log::{BufferUseLine, CallName, LogCall, ViewDesc};
use taut_schemas::ResourceId;

/// Translates a view.
pub(super) fn view(call: &Call<'_>, objects: &Objects) -> Translation {
    match CallName::parse(&call.name) {
        Some(name @ CallName::CreateConstantBufferView) => constant_buffer(name, call, objects),
        Some(name @ CallName::CreateShaderResourceView) => {
            let args: SrvArgs = call.args()?;
            if is_back_buffer(objects, args.pResource) {
                return Ok(Translated::NotPlayed);
            }
            let resource = defined!(viewed(objects, args.pResource));
            line(name, BufferUseLine::ShaderResourceView(resource, args.pDesc.map(|desc| desc.view())))
        }
        Some(name @ CallName::CreateUnorderedAccessView) => {
            let args: UavArgs = call.args()?;
            if is_back_buffer(objects, args.pResource) {
                return Ok(Translated::NotPlayed);
            }
            let resource = defined!(viewed(objects, args.pResource));
            let counter = defined!(viewed(objects, args.pCounterResource));
            line(name, BufferUseLine::UnorderedAccessView(resource, counter, args.pDesc.map(|desc| desc.view())))
        }
        _ => Ok(Translated::NotPlayed),
    }
}

fn constant_buffer(name: CallName, call: &Call<'_>, objects: &Objects) -> Translation {
    let args: ConstantBufferViewArgs = call.args()?;
    let range = match args.pDesc {
        Some(desc) if desc.BufferLocation.0.0 != 0 => {
            let (buffer, offset) = defined!(objects.at_address(desc.BufferLocation.0.0));
            Some((buffer, offset, u64::from(desc.SizeInBytes)).into())
        }
        // A null descriptor.
        _ => None,
    };
    line(name, BufferUseLine::ConstantBufferView(range))
}

fn line(name: CallName, used: BufferUseLine) -> Translation {
    Ok(Translated::Line(LogCall::UseBuffers(name, Box::new(used))))
}

/// View of a resource other than a buffer.
const NO_BUFFER: ViewDesc = ViewDesc {
    format: 0,
    view_dimension: 0,
    first_element: 0,
    num_elements: 0,
    structure_stride: 0,
    counter_offset: 0,
    flags: 0,
};

impl RawSrv {
    fn view(&self) -> ViewDesc {
        let (format, view_dimension) = (self.Format.0.0, self.ViewDimension.0.0);
        let view = ViewDesc { format, view_dimension, ..NO_BUFFER };
        self.Buffer.as_ref().map_or(view, |buffer| ViewDesc {
            first_element: buffer.FirstElement,
            num_elements: buffer.NumElements,
            structure_stride: buffer.StructureByteStride,
            flags: buffer.Flags.0.0,
            ..view
        })
    }
}

impl RawUav {
    fn view(&self) -> ViewDesc {
        let (format, view_dimension) = (self.Format.0.0, self.ViewDimension.0.0);
        let view = ViewDesc { format, view_dimension, ..NO_BUFFER };
        self.Buffer.as_ref().map_or(view, |buffer| ViewDesc {
            first_element: buffer.FirstElement,
            num_elements: buffer.NumElements,
            structure_stride: buffer.StructureByteStride,
            counter_offset: buffer.CounterOffsetInBytes,
            flags: buffer.Flags.0.0,
            ..view
        })
    }
}

fn is_back_buffer(objects: &Objects, handle: u64) -> bool {
    objects.get(handle).is_some_and(|object| object.kind == Kind::BackBuffer)
}

/// Returns the viewed resource: `Some(None)` for a null descriptor, `None` if the file does not create it.
fn viewed(objects: &Objects, handle: u64) -> Option<Option<ResourceId>> {
    if handle == 0 { Some(None) } else { objects.resource(handle).map(|id| Some(ResourceId(id))) }
}
