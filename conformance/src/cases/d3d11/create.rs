//! Calls that create resources and views.

use super::{Direct3d11, Grouped, created};
use crate::cases::arguments::Arguments;
use taut_runtime::inspect::{self, Content};
use taut_schemas::{
    BindFlags, BufferDesc, CpuAccessFlags, D3d11DdiResourceDesc, D3d11DeviceId, D3d11ResourceId, Dimension, HResult,
    ObjectId, Texture2dDesc, Texture3dDesc, Usage, d3d11, format::Format,
};

fn cpu(word: &str) -> Option<u32> {
    CpuAccessFlags::parse(word).map(|flag| flag.0)
}

fn bind(word: &str) -> Option<u32> {
    BindFlags::parse(word).map(|flag| flag.0)
}

impl Direct3d11 {
    pub(super) fn create(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let device = D3d11DeviceId(on);
        Ok(Some(match call {
            "CreateBuffer" | "CreateTexture2D" | "CreateTexture3D" => {
                let desc = desc(call, arguments)?;
                let data = arguments.numbers("data_f32")?;
                let initial_data = !data.is_empty() || arguments.bool("initial_data", false)?;
                let returned = self.resource(device, &desc, initial_data);
                if let Ok(returned) = returned {
                    self.resources.insert(returned.0, desc);
                    self.devices.insert(returned.0, on);
                    let bytes: Vec<u8> = data.iter().flat_map(|number| (*number as f32).to_le_bytes()).collect();
                    let content = if data.is_empty() { Content::Unknown } else { Content::bytes(&bytes) };
                    let immediate = self.immediate.get(&on).copied().unwrap_or_default();
                    inspect::set_content(self.machine.state.context(ObjectId(immediate)), returned, content);
                }
                created(returned, |resource| resource.0)
            }
            "CreateRenderTargetView" => {
                let resource = D3d11ResourceId(arguments.object("resource")?);
                created(self.execute(&d3d11::CreateRenderTargetView { device, resource, desc: None }), |view| view.0)
            }
            "CreateShaderResourceView" => {
                let resource = D3d11ResourceId(arguments.object("resource")?);
                created(self.execute(&d3d11::CreateShaderResourceView { device, resource, desc: None }), |view| view.0)
            }
            _ => return Ok(None),
        }))
    }

    /// Creates a resource from its DDI description.
    pub(super) fn resource(
        &mut self,
        device: D3d11DeviceId,
        of: &D3d11DdiResourceDesc,
        initial_data: bool,
    ) -> HResult<D3d11ResourceId> {
        let D3d11DdiResourceDesc { width, height, array_size, format, usage, bind_flags, cpu_access_flags, .. } = *of;
        let mip_levels = 1;
        match of.dimension {
            Dimension::BUFFER => {
                let desc = BufferDesc { size_bytes: width, usage, bind_flags, cpu_access_flags };
                self.execute(&d3d11::CreateBuffer { device, desc, initial_data })
            }
            Dimension::TEXTURE3D => {
                let depth = array_size;
                let desc =
                    Texture3dDesc { width, height, depth, mip_levels, format, usage, bind_flags, cpu_access_flags };
                self.execute(&d3d11::CreateTexture3D { device, desc, initial_data })
            }
            _ => {
                let desc = Texture2dDesc {
                    width,
                    height,
                    mip_levels,
                    array_size,
                    format,
                    usage,
                    bind_flags,
                    cpu_access_flags,
                };
                self.execute(&d3d11::CreateTexture2D { device, desc, initial_data })
            }
        }
    }
}

fn desc(call: &str, arguments: &Arguments<'_>) -> Result<D3d11DdiResourceDesc, String> {
    let is_buffer = call == "CreateBuffer";
    let is_volume = call == "CreateTexture3D";
    Ok(D3d11DdiResourceDesc {
        dimension: match call {
            "CreateBuffer" => Dimension::BUFFER,
            "CreateTexture3D" => Dimension::TEXTURE3D,
            _ => Dimension::TEXTURE2D,
        },
        width: arguments.count(if is_buffer { "size_bytes" } else { "width" }, 0)?,
        height: if is_buffer { 1 } else { arguments.count("height", 0)? },
        mip_levels: 1,
        array_size: if is_volume { arguments.count("depth", 0)? } else { 1 },
        format: if is_buffer {
            Format::default()
        } else {
            arguments.enumerator("format", None, Format::parse, Format)?
        },
        usage: arguments.enumerator("usage", Some(Usage::DEFAULT), Usage::parse, Usage)?,
        bind_flags: BindFlags(arguments.flags("bind", bind)?),
        cpu_access_flags: CpuAccessFlags(arguments.flags("cpu", cpu)?),
    })
}
