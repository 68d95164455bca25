//! Descriptions of state objects. Unused fields are set to defaults, so that equal states share one object (rule H-12).

use taut_schemas::{
    Blend, BlendDesc, BlendOp, ColorWriteEnable, ComparisonFunc, D3d11DepthStencilDesc, D3d11RasterizerDesc,
    D3d11SamplerDesc, DepthWriteMask, HandleType, RenderTargetBlendDesc, StencilOp, StencilOpDesc,
};

/// D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT.
const RENDER_TARGETS: usize = 8;

/// Bits of D3D11_FILTER: anisotropic filtering, and comparison.
const ANISOTROPIC: u32 = 0x40;
const COMPARISON: u32 = 0x80;

/// The description of one of the four kinds of state object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StateDesc {
    Blend(BlendDesc),
    DepthStencil(D3d11DepthStencilDesc),
    Rasterizer(D3d11RasterizerDesc),
    Sampler(D3d11SamplerDesc),
}

impl StateDesc {
    /// The type of the state's handles.
    pub fn handle_type(&self) -> HandleType {
        match self {
            StateDesc::Blend(_) => HandleType::BLENDSTATE,
            StateDesc::DepthStencil(_) => HandleType::DEPTHSTENCILSTATE,
            StateDesc::Rasterizer(_) => HandleType::RASTERIZERSTATE,
            StateDesc::Sampler(_) => HandleType::SAMPLERSTATE,
        }
    }

    /// The description with unused fields set to defaults. `None` if it has an invalid value.
    pub fn normalised(self) -> Option<StateDesc> {
        match self {
            StateDesc::Blend(desc) => blend(&desc).map(StateDesc::Blend),
            StateDesc::DepthStencil(desc) => depth_stencil(desc).map(StateDesc::DepthStencil),
            StateDesc::Rasterizer(desc) => {
                let known = (2..=3).contains(&desc.fill_mode.0) && (1..=3).contains(&desc.cull_mode.0);
                known.then_some(StateDesc::Rasterizer(desc))
            }
            StateDesc::Sampler(desc) => sampler(desc).map(StateDesc::Sampler),
        }
    }
}

fn depth_stencil(mut desc: D3d11DepthStencilDesc) -> Option<D3d11DepthStencilDesc> {
    let func = |func: ComparisonFunc| (1..=8).contains(&func.0);
    let op = |op: StencilOp| (1..=8).contains(&op.0);
    let face = |face: &StencilOpDesc| op(face.fail_op) && op(face.depth_fail_op) && op(face.pass_op) && func(face.func);
    if !desc.depth_enable {
        (desc.depth_write_mask, desc.depth_func) = (DepthWriteMask::ALL, ComparisonFunc::LESS);
    }
    if !desc.stencil_enable {
        let keep = StencilOp::KEEP;
        let always = StencilOpDesc { fail_op: keep, depth_fail_op: keep, pass_op: keep, func: ComparisonFunc::ALWAYS };
        (desc.front_face, desc.back_face) = (always, always);
        (desc.stencil_read_mask, desc.stencil_write_mask) = (0xff, 0xff);
    }
    let known =
        desc.depth_write_mask.0 <= 1 && func(desc.depth_func) && face(&desc.front_face) && face(&desc.back_face);
    known.then_some(desc)
}

fn sampler(mut desc: D3d11SamplerDesc) -> Option<D3d11SamplerDesc> {
    use taut_schemas::TextureAddressMode as Address;
    let addresses = [desc.address_u, desc.address_v, desc.address_w];
    if desc.filter.0 & ANISOTROPIC == 0 {
        desc.max_anisotropy = 0;
    }
    if desc.filter.0 & COMPARISON == 0 {
        desc.comparison_func = ComparisonFunc::NEVER;
    }
    if !addresses.contains(&Address::BORDER) {
        (desc.border_red, desc.border_green, desc.border_blue, desc.border_alpha) = (0, 0, 0, 0);
    }
    let known = addresses.iter().all(|address| (1..=5).contains(&address.0))
        && (1..=8).contains(&desc.comparison_func.0)
        && desc.max_anisotropy <= 16;
    known.then_some(desc)
}

fn blend(desc: &BlendDesc) -> Option<BlendDesc> {
    let opaque = RenderTargetBlendDesc {
        blend_enable: false,
        src_blend: Blend::ONE,
        dest_blend: Blend::ZERO,
        blend_op: BlendOp::ADD,
        src_blend_alpha: Blend::ONE,
        dest_blend_alpha: Blend::ZERO,
        blend_op_alpha: BlendOp::ADD,
        write_mask: ColorWriteEnable::ALL,
    };
    let is_known = |target: &RenderTargetBlendDesc| {
        let blends = [target.src_blend, target.dest_blend, target.src_blend_alpha, target.dest_blend_alpha];
        // D3D11_BLEND has a gap: 12 and 13 are not defined.
        let known = |blend: &Blend| (1..=11).contains(&blend.0) || (14..=19).contains(&blend.0);
        let op = |op: BlendOp| (1..=5).contains(&op.0);
        !target.blend_enable || (blends.iter().all(known) && op(target.blend_op) && op(target.blend_op_alpha))
    };
    if desc.render_targets.len() > RENDER_TARGETS || !desc.render_targets.iter().all(is_known) {
        return None;
    }
    let used = if desc.independent_blend_enable { RENDER_TARGETS } else { 1 };
    let mut render_targets: Vec<_> = desc.render_targets.iter().take(used).copied().collect();
    for target in &mut render_targets {
        if !target.blend_enable {
            *target = RenderTargetBlendDesc { write_mask: target.write_mask, ..opaque };
        }
    }
    render_targets.resize(used, opaque);
    // Equal targets are the same as one target without independent blending.
    let all_equal = render_targets.iter().all(|target| *target == render_targets[0]);
    render_targets.truncate(if all_equal { 1 } else { used });
    Some(BlendDesc {
        alpha_to_coverage_enable: desc.alpha_to_coverage_enable,
        independent_blend_enable: !all_equal,
        render_targets,
    })
}
