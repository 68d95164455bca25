//! Calls that map, write and read contents. An application's writes to mapped memory are no calls: they are passed
//! directly to the GPU work.

use super::{Direct3d11, Grouped, refused, result_answer};
use crate::cases::arguments::Arguments;
use crate::cases::found::{Answer, Found};
use serde_json::{Value, json};
use taut_runtime::inspect::{self, Content};
use taut_schemas::{
    BindFlags, CpuAccessFlags, D3d11ContextId, D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, Dimension,
    MapFlags, MapType, ObjectId, Usage, d3d11,
};

impl Direct3d11 {
    pub(super) fn contents(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let context = D3d11ContextId(on);
        Ok(Some(match call {
            "Map" => self.map(context, arguments)?,
            "WriteMapped" => {
                let key = (on, arguments.object("resource")?);
                let floats = arguments.numbers("f32")?.into_iter().flat_map(|number| (number as f32).to_le_bytes());
                let whole = arguments.numbers("u32")?.into_iter().flat_map(|number| (number as u32).to_le_bytes());
                let bytes: Vec<u8> = floats.chain(whole).collect();
                let Some(mapped) = self.mapped.get_mut(&key) else {
                    return Err("the resource is not mapped in this context".to_owned());
                };
                mapped.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
                Answer::default()
            }
            "Unmap" => {
                let resource = D3d11ResourceId(arguments.object("resource")?);
                let subresource = arguments.count("subresource", 0)?;
                let unmapped = self.execute(&d3d11::Unmap { context, resource, subresource });
                let stored = self.mapped.get(&(on, resource.0)).filter(|_| unmapped.is_ok());
                if let Some(content) = stored.map(|bytes| Content::bytes(bytes)) {
                    let state = self.machine.state.context(context.into());
                    inspect::fill(state, resource, content);
                }
                result_answer(&unmapped)
            }
            "ReadBuffer" | "ReadPixel" => self.read(context, arguments)?,
            _ => return Ok(None),
        }))
    }

    fn map(&mut self, context: D3d11ContextId, arguments: &Arguments<'_>) -> Result<Answer, String> {
        if !arguments.bool("out", true)? {
            // A call without an output parameter cannot be in a trace.
            return refused("E_INVALIDARG");
        }
        let resource = D3d11ResourceId(arguments.object("resource")?);
        let (subresource, map_flags) = (arguments.count("subresource", 0)?, MapFlags::NONE);
        let map_type = arguments.enumerator("type", None, MapType::parse, MapType)?;
        let data = self.execute(&d3d11::Map { context, resource, subresource, map_type, map_flags });
        let answer = result_answer(&data);
        let Ok(data) = data else {
            return Ok(answer.with("data", Found::Plain(Value::Null)).with("pitches", Found::Unchanged));
        };
        let desc = self.resources.get(&resource.0).copied().unwrap_or_default();
        let bytes = self.memory(context, resource, desc, map_type);
        let (floats, whole) = elements(&bytes);
        self.mapped.insert((context.0, resource.0), bytes);
        let slices = if desc.dimension == Dimension::TEXTURE3D { desc.array_size.max(1) } else { 1 };
        let answer = answer.plain("data", "mapped").plain("row_pitch", data.pitch_bytes);
        let answer = answer.plain("depth_pitch", data.size_bytes / u64::from(slices));
        Ok(answer.plain("f32", floats).plain("u32", whole))
    }

    /// Returns the contents of the memory that was just mapped.
    fn memory(
        &mut self,
        context: D3d11ContextId,
        resource: D3d11ResourceId,
        desc: D3d11DdiResourceDesc,
        map_type: MapType,
    ) -> Vec<u8> {
        let is_immediate = self.immediate.values().any(|immediate| *immediate == context.0);
        let mut bytes = match map_type {
            MapType::WRITE_DISCARD => Vec::new(),
            _ if is_immediate => self.held(context, resource),
            _ => self.mapped.get(&(context.0, resource.0)).cloned().unwrap_or_default(),
        };
        let size = if desc.dimension == Dimension::BUFFER { desc.width as usize } else { 0 };
        bytes.resize(size.max(bytes.len()), 0);
        bytes
    }

    /// Returns the known bytes of a resource.
    fn held(&mut self, context: D3d11ContextId, resource: D3d11ResourceId) -> Vec<u8> {
        match inspect::content(self.machine.state.context(context.into()), resource) {
            Content::Bytes(bytes) => bytes.to_vec(),
            Content::Colour(_) | Content::Unknown => Vec::new(),
        }
    }

    /// Copies to a staging resource and maps that for reading.
    fn read(&mut self, context: D3d11ContextId, arguments: &Arguments<'_>) -> Result<Answer, String> {
        let source = D3d11ResourceId(arguments.object("resource")?);
        let desc = self.resources.get(&source.0).copied().unwrap_or_default();
        let (usage, bind_flags, cpu_access_flags) = (Usage::STAGING, BindFlags::NONE, CpuAccessFlags::READ);
        let desc = D3d11DdiResourceDesc { usage, bind_flags, cpu_access_flags, ..desc };
        let device = D3d11DeviceId(self.devices.get(&source.0).copied().unwrap_or_default());
        let staging = self.resource(device, &desc, false);
        let Ok(destination) = staging else { return Ok(result_answer(&staging)) };
        let copied = self.execute(&d3d11::CopyResource { context, destination, source });
        let (map_type, map_flags) = (MapType::READ, MapFlags::NONE);
        let map = d3d11::Map { context, resource: destination, subresource: 0, map_type, map_flags };
        let mapped = self.execute(&map);
        let content = inspect::content(self.machine.state.context(context.into()), destination);
        let _ = self.execute(&d3d11::Unmap { context, resource: destination, subresource: 0 });
        let _ = self.execute(&d3d11::Release { object: ObjectId(destination.0) });
        if copied.is_err() || mapped.is_err() {
            return Ok(Answer::default());
        }
        Ok(match content {
            Content::Colour(bits) => Answer::default().with("rgba", Found::Colour(bits.map(f32::from_bits))),
            Content::Bytes(bytes) => Answer::default().plain("f32", elements(&bytes).0),
            Content::Unknown => Answer::default(),
        })
    }
}

/// Returns bytes as floats and as integers.
fn elements(bytes: &[u8]) -> (Value, Value) {
    let words = || bytes.as_chunks::<4>().0.iter();
    let floats: Vec<f32> = words().map(|word| f32::from_le_bytes(*word)).collect();
    let whole: Vec<u32> = words().map(|word| u32::from_le_bytes(*word)).collect();
    (json!(floats), json!(whole))
}
