//! Calls for copies, clears, draws and command lists.

use super::{Direct3d11, Grouped, created, result_answer};
use crate::cases::arguments::Arguments;
use taut_schemas::{
    Bytes, D3d11CommandListId, D3d11ContextId, D3d11DeviceId, D3d11ResourceId, D3d11ViewId, HResult, HResultCode,
    ShaderDesc, ShaderStage, d3d11,
};

fn bits(numbers: &[f64]) -> Vec<u32> {
    numbers.iter().map(|number| (*number as f32).to_bits()).collect()
}

impl Direct3d11 {
    pub(super) fn recording(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let context = D3d11ContextId(on);
        Ok(Some(match call {
            "ClearRenderTargetView" => {
                let (view, color) = (D3d11ViewId(arguments.object("view")?), bits(&arguments.numbers("rgba")?));
                result_answer(&self.execute(&d3d11::ClearRenderTargetView { context, view, color }))
            }
            "CopyResource" => {
                let destination = D3d11ResourceId(arguments.object("destination")?);
                let source = D3d11ResourceId(arguments.object("source")?);
                result_answer(&self.execute(&d3d11::CopyResource { context, destination, source }))
            }
            "UpdateSubresource" => {
                let resource = D3d11ResourceId(arguments.object("resource")?);
                let data = bits(&arguments.numbers("f32")?).into_iter().flat_map(u32::to_le_bytes).collect();
                result_answer(&self.execute(&d3d11::UpdateSubresource {
                    context,
                    resource,
                    subresource: 0,
                    data: Bytes(data),
                }))
            }
            "DrawFullScreen" => result_answer(&self.draw(context, &bits(&arguments.numbers("rgba")?))),
            "FinishCommandList" => {
                let restore_deferred_context_state = arguments.bool("restore", false)?;
                let want_command_list = arguments.bool("out", true)?;
                let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
                let returned = self.execute(&finish);
                self.mapped.retain(|(of, _), _| *of != on);
                created(returned, |list| list.0)
            }
            "ExecuteCommandList" => {
                let command_list = D3d11CommandListId(arguments.object("list")?);
                let restore_context_state = arguments.bool("restore", false)?;
                result_answer(&self.execute(&d3d11::ExecuteCommandList {
                    context,
                    command_list,
                    restore_context_state,
                }))
            }
            // ID3D11DeviceContext4: fences belong to the immediate context, and the simulated device has none.
            "Signal" | "Wait" => {
                let is_immediate = self.immediate.values().any(|immediate| *immediate == on);
                let fence = arguments.object("fence")?;
                let code = match (is_immediate, fence) {
                    (false, _) => HResultCode::DXGI_ERROR_INVALID_CALL,
                    (true, 0) => HResultCode::E_INVALIDARG,
                    (true, _) => HResultCode::E_NOTIMPL,
                };
                result_answer::<()>(&Err(code))
            }
            _ => return Ok(None),
        }))
    }

    /// Draws with shaders that write one colour.
    fn draw(&mut self, context: D3d11ContextId, colour: &[u32]) -> HResult<()> {
        let immediate = self.immediate.iter().find(|(_, immediate)| **immediate == context.0);
        let owner = immediate.map(|(device, _)| *device).or_else(|| self.devices.get(&context.0).copied());
        let device = D3d11DeviceId(owner.unwrap_or_default());
        let channel = |at: usize| colour.get(at).copied().unwrap_or_default();
        let vertex = ShaderDesc { stage: ShaderStage::VERTEX, size_bytes: 64, ..Default::default() };
        let pixel = ShaderDesc {
            stage: ShaderStage::PIXEL,
            size_bytes: 64,
            is_constant: true,
            output_red: channel(0),
            output_green: channel(1),
            output_blue: channel(2),
            output_alpha: channel(3),
            ..Default::default()
        };
        for desc in [vertex, pixel] {
            let shader = self.execute(&d3d11::CreateShader { device, desc })?;
            self.execute(&d3d11::SetShader { context, stage: desc.stage, shader })?;
            self.execute(&d3d11::Release { object: shader.into() })?;
        }
        self.execute(&d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 })
    }
}
