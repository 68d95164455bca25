//! How a swap chain's frames come to its display: the decision, in the documented order.

use super::cross_adapter::opted_out;
use super::link_limit;
use crate::context::Context;
use crate::kernel::{DisplayState, Maker, SwapChain};
use taut_schemas::{
    CrossAdapterTier, FallbackReason, HResult, HResultCode, HybridPresentMode, MultiplaneOverlayFlags, PrimaryDesc,
    PrimaryDriverFlags, SwapChainId, WddmVersion, dxgi_ddi, mark,
};

/// What is known of a decision while it is made.
struct Decision<'c, 'x> {
    context: &'c mut Context<'x>,
    display: &'c DisplayState,
    chain: &'c SwapChain,
    primary: PrimaryDesc,
    told: mark::HybridPresentDecision,
}

/// Decides, and says so in one mark (rule C-20).
pub(super) fn decide(
    context: &mut Context<'_>,
    display: &DisplayState,
    (id, chain): (SwapChainId, &SwapChain),
) -> HResult<HybridPresentMode> {
    let tier = |adapter| display.started(adapter).map_or(CrossAdapterTier::NONE, |kernel| kernel.tier());
    let primary = PrimaryDesc::new(chain.desc.width, chain.desc.height, chain.desc.format);
    let told = mark::HybridPresentDecision {
        swap_chain: id,
        render_adapter: chain.render,
        display_adapter: chain.display_adapter,
        cross_adapter_tier_support: tier(chain.display_adapter),
        render_tier: tier(chain.render),
        desc: chain.desc,
        payload_bytes: primary.payload_bytes(),
        allocation_bytes: primary.allocation_bytes,
        display: chain.display,
        covers: chain.covers,
        ..Default::default()
    };
    let mut decision = Decision { context, display, chain, primary, told };
    let reason = decision.reason()?;
    let Decision { context, mut told, .. } = decision;
    told.reason = reason;
    told.mode = match reason {
        FallbackReason::NONE => HybridPresentMode::ONE_COPY_PATH_CASO,
        FallbackReason::SAME_ADAPTER => HybridPresentMode::NOT_HYBRID,
        _ => HybridPresentMode::TWO_COPY_PATH,
    };
    told.scanout_eligible = told.mode == HybridPresentMode::ONE_COPY_PATH_CASO;
    context.mark(&told);
    link_limit::tell(context, &display.presents, (id, chain), told.mode);
    Ok(told.mode)
}

impl Decision<'_, '_> {
    /// Why there is more than one copy. The order of the steps is the document's.
    fn reason(&mut self) -> HResult<FallbackReason> {
        let (render, shows) = (self.chain.render, self.chain.display_adapter);
        if render == shows {
            return Ok(FallbackReason::SAME_ADAPTER);
        }
        if self.chain.front.maker == Maker::Device9 {
            // Whatever its effect: one copy is for the flip model of DXGI (rule C-28).
            return Ok(FallbackReason::DIRECT3D_9);
        }
        if !self.chain.desc.swap_effect.is_flip_model() {
            return Ok(FallbackReason::NOT_FLIP_MODEL);
        }
        if self.told.render_tier < CrossAdapterTier::COPY
            || self.told.cross_adapter_tier_support < CrossAdapterTier::COPY
        {
            return Ok(FallbackReason::NO_CROSS_ADAPTER_RESOURCES);
        }
        if self.told.cross_adapter_tier_support < CrossAdapterTier::SCANOUT {
            return Ok(FallbackReason::CAP);
        }
        if [shows, render].into_iter().any(|adapter| self.context.driver_of(adapter).dxgi_ddi().is_none()) {
            return Ok(FallbackReason::CREATE_FAILED);
        }
        let desc = self.primary;
        match self.context.ddi_of(shows, dxgi_ddi::CreateResource { adapter: shows, desc }) {
            // Out of memory is the application's to know; any other failure is not.
            Err(HResultCode::E_OUTOFMEMORY) => return Err(HResultCode::E_OUTOFMEMORY),
            Err(_) => return Ok(FallbackReason::CREATE_FAILED),
            Ok(flags) => self.told.primary_flags = flags,
        }
        let reason = self.of_primary();
        if reason != FallbackReason::NONE {
            // Nothing of the attempt stays (rule C-24). What the driver answers changes nothing.
            let _ = self.context.ddi_of(shows, dxgi_ddi::DestroyResource { adapter: shows });
        }
        Ok(reason)
    }

    /// The same once there is a primary.
    fn of_primary(&mut self) -> FallbackReason {
        let (render, shows) = (self.chain.render, self.chain.display_adapter);
        if self.told.primary_flags.contains(PrimaryDriverFlags::NO_SCANOUT) {
            opted_out(self.context, (shows, self.told.cross_adapter_tier_support), &self.primary);
            return FallbackReason::NO_SCANOUT;
        }
        // WDDM 2.9 has the tiers and no static check: then there is none (ambiguity A2.2).
        let kernel = self.display.started(shows);
        if kernel.is_some_and(|kernel| kernel.caps.wddm_version >= WddmVersion::WDDM_3_0) {
            if !kernel.is_some_and(|kernel| kernel.functions.check_multiplane_overlay_support3) {
                return FallbackReason::STATIC_CHECK;
            }
            let flags = MultiplaneOverlayFlags::STATIC_CHECK;
            let support = self.display.presents.check(self.context, self.chain, flags, true);
            self.told.static_checked = true;
            self.told.static_check_supported = support;
            if !support {
                return FallbackReason::STATIC_CHECK;
            }
        }
        let open = dxgi_ddi::OpenResource { adapter: render, desc: self.primary };
        match self.context.ddi_of(render, open) {
            Ok(()) => FallbackReason::NONE,
            Err(_) => FallbackReason::OPEN_FAILED,
        }
    }
}
