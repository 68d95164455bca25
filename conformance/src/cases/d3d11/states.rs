//! Calls that create state objects.

use super::{Direct3d11, Grouped, created, refused, result_answer};
use crate::cases::arguments::Arguments;
use crate::cases::found::Answer;
use taut_schemas::{
    BlendDesc, ColorWriteEnable, ComparisonFunc, CullMode, D3d11DepthStencilDesc, D3d11DeviceId, D3d11Filter,
    D3d11RasterizerDesc, D3d11SamplerDesc, D3d11StateId, DepthWriteMask, FillMode, RenderTargetBlendDesc, StencilOp,
    StencilOpDesc, TextureAddressMode, d3d11,
};

impl Direct3d11 {
    pub(super) fn states(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Grouped {
        let device = D3d11DeviceId(on);
        let is_creation = call.starts_with("Create") && call.ends_with("State");
        if is_creation && arguments.is_null("desc") {
            // A call without a description cannot be in a trace.
            return refused("E_INVALIDARG").map(Some);
        }
        let returned = match call {
            "CreateBlendState" => {
                let mask = |word: &str| ColorWriteEnable::parse(word).map(|mask| mask.0);
                let write_mask = ColorWriteEnable(arguments.flags("write_mask", mask)?);
                let render_targets = vec![RenderTargetBlendDesc { write_mask, ..Default::default() }];
                let desc = BlendDesc { render_targets, ..Default::default() };
                self.execute(&d3d11::CreateBlendState { device, desc })
            }
            "CreateDepthStencilState" => {
                let desc = depth_stencil(arguments)?;
                self.execute(&d3d11::CreateDepthStencilState { device, desc })
            }
            "CreateRasterizerState" => {
                let desc = D3d11RasterizerDesc {
                    fill_mode: arguments.enumerator("fill", None, FillMode::parse, FillMode)?,
                    cull_mode: arguments.enumerator("cull", None, CullMode::parse, CullMode)?,
                    depth_clip_enable: arguments.bool("depth_clip", false)?,
                    ..Default::default()
                };
                self.execute(&d3d11::CreateRasterizerState { device, desc })
            }
            "CreateSamplerState" => {
                let desc = sampler(arguments)?;
                self.execute(&d3d11::CreateSamplerState { device, desc })
            }
            "GetDesc" => return Ok(Some(self.described(D3d11StateId(on)))),
            _ => return Ok(None),
        };
        Ok(Some(created(returned, |state| state.0)))
    }

    fn described(&mut self, state: D3d11StateId) -> Answer {
        let found = self.execute(&d3d11::GetDepthStencilDesc { state });
        let answer = result_answer(&found);
        let Ok(desc) = found else { return answer };
        let ops = [desc.front_face, desc.back_face].map(|face| [face.fail_op, face.depth_fail_op, face.pass_op]);
        let op = ops[0][0];
        let same = ops.iter().flatten().all(|other| *other == op) && desc.front_face.func == desc.back_face.func;
        let answer = answer
            .plain("depth_enable", desc.depth_enable)
            .plain("stencil_enable", desc.stencil_enable)
            .plain("depth_func", format!("{:?}", desc.depth_func))
            .plain("depth_write_mask", format!("{:?}", desc.depth_write_mask))
            .plain("stencil_read_mask", desc.stencil_read_mask)
            .plain("stencil_write_mask", desc.stencil_write_mask);
        let masked = |word: String| if same { word } else { "faces that differ".to_owned() };
        answer
            .plain("face_ops", masked(format!("{op:?}")))
            .plain("face_func", masked(format!("{:?}", desc.front_face.func)))
    }
}

fn depth_stencil(arguments: &Arguments<'_>) -> Result<D3d11DepthStencilDesc, String> {
    let op = arguments.enumerator("face_ops", Some(StencilOp::KEEP), StencilOp::parse, StencilOp)?;
    let func =
        arguments.enumerator("face_func", Some(ComparisonFunc::ALWAYS), ComparisonFunc::parse, ComparisonFunc)?;
    let face = StencilOpDesc { fail_op: op, depth_fail_op: op, pass_op: op, func };
    Ok(D3d11DepthStencilDesc {
        depth_enable: arguments.bool("depth_enable", false)?,
        depth_write_mask: arguments.enumerator(
            "depth_write_mask",
            Some(DepthWriteMask::ALL),
            DepthWriteMask::parse,
            DepthWriteMask,
        )?,
        depth_func: arguments.enumerator(
            "depth_func",
            Some(ComparisonFunc::LESS),
            ComparisonFunc::parse,
            ComparisonFunc,
        )?,
        stencil_enable: arguments.bool("stencil_enable", false)?,
        stencil_read_mask: arguments.count("stencil_read_mask", 255)?,
        stencil_write_mask: arguments.count("stencil_write_mask", 255)?,
        front_face: face,
        back_face: face,
    })
}

fn sampler(arguments: &Arguments<'_>) -> Result<D3d11SamplerDesc, String> {
    let addresses = arguments.enumerators("address", TextureAddressMode::parse, TextureAddressMode)?;
    let [address_u, address_v, address_w] = addresses[..] else {
        return Err("argument address: expected three words".to_owned());
    };
    let key = if arguments.values.contains_key("border_color") { "border_color" } else { "border" };
    let border = arguments.numbers(key)?;
    if !matches!(border.len(), 0 | 4) {
        return Err(format!("argument {key}: expected four numbers, found {}", border.len()));
    }
    let channel = |at: usize| (border.get(at).copied().unwrap_or(0.0) as f32).to_bits();
    Ok(D3d11SamplerDesc {
        filter: arguments.enumerator("filter", None, D3d11Filter::parse, D3d11Filter)?,
        address_u,
        address_v,
        address_w,
        mip_lod_bias: 0,
        max_anisotropy: arguments.count("max_anisotropy", 0)?,
        comparison_func: arguments.enumerator(
            "comparison",
            Some(ComparisonFunc::NEVER),
            ComparisonFunc::parse,
            ComparisonFunc,
        )?,
        border_red: channel(0),
        border_green: channel(1),
        border_blue: channel(2),
        border_alpha: channel(3),
        min_lod: arguments.float("min_lod", 0.0)?,
        max_lod: arguments.float("max_lod", 0.0)?,
    })
}
