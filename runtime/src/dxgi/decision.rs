//! Choice of a swap chain's present path, with the checks in the documented order.

use super::cross_adapter::check_no_scanout;
use super::link_limit;
use crate::context::Context;
use crate::d3dkmt::{is_hybrid_discrete, is_hybrid_integrated};
use crate::kernel::{DisplayState, SwapChain, SwapChainOwner};
use crate::revision::Revision;
use taut_schemas::{
    AdapterId, CrossAdapterTier, FallbackReason, HResult, HResultCode, HybridPresentMode, MultiplaneOverlayFlags,
    PrimaryDesc, PrimaryDriverFlags, SwapChainId, WddmVersion, dxgi_ddi, mark,
};

/// A choice in progress.
struct Decision<'c, 'x> {
    context: &'c mut Context<'x>,
    display: &'c DisplayState,
    chain: &'c SwapChain,
    primary: PrimaryDesc,
    record: mark::HybridPresentDecision,
}

/// Chooses the present path, and records one mark with the inputs and the result (rule C-20).
pub(super) fn decide(
    context: &mut Context<'_>,
    display: &DisplayState,
    id: SwapChainId,
    chain: &SwapChain,
) -> HResult<HybridPresentMode> {
    let tier = |adapter| display.started(adapter).map_or(CrossAdapterTier::NONE, |kernel| kernel.tier());
    let primary = PrimaryDesc::new(chain.desc.width, chain.desc.height, chain.desc.format);
    let record = mark::HybridPresentDecision {
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
    let mut decision = Decision { context, display, chain, primary, record };
    let reason = decision.reason()?;
    let Decision { context, mut record, .. } = decision;
    record.reason = reason;
    record.mode = match reason {
        FallbackReason::NONE => HybridPresentMode::ONE_COPY_PATH_CASO,
        FallbackReason::SAME_ADAPTER => HybridPresentMode::NOT_HYBRID,
        _ => HybridPresentMode::TWO_COPY_PATH,
    };
    record.scanout_eligible = record.mode == HybridPresentMode::ONE_COPY_PATH_CASO;
    context.mark(&record);
    // The warning follows the mark: it depends on the chosen mode.
    link_limit::warn(context, &display.presents, id, chain, record.mode);
    Ok(record.mode)
}

impl Decision<'_, '_> {
    /// Returns the reason for more than one copy, or `NONE`. The checks have the order of the document.
    fn reason(&mut self) -> HResult<FallbackReason> {
        let (render, shows) = (self.chain.render, self.chain.display_adapter);
        if render == shows {
            return Ok(FallbackReason::SAME_ADAPTER);
        }
        if self.chain.application.creator == SwapChainOwner::Device9 {
            // Independent of the swap effect: the one-copy path requires DXGI's flip model (rule C-28).
            return Ok(FallbackReason::DIRECT3D_9);
        }
        if !self.chain.desc.swap_effect.is_flip_model() {
            return Ok(FallbackReason::NOT_FLIP_MODEL);
        }
        if self.record.render_tier < CrossAdapterTier::COPY
            || self.record.cross_adapter_tier_support < CrossAdapterTier::COPY
        {
            return Ok(FallbackReason::NO_CROSS_ADAPTER_RESOURCES);
        }
        if self.context.settings.revision >= Revision::CHAIN_REFERENCES && !self.shares_frames(render, shows) {
            return Ok(FallbackReason::NO_HYBRID_SYSTEM);
        }
        if self.record.cross_adapter_tier_support < CrossAdapterTier::SCANOUT {
            return Ok(FallbackReason::CAP);
        }
        if [shows, render].into_iter().any(|adapter| self.context.driver_of(adapter).dxgi_ddi().is_none()) {
            return Ok(FallbackReason::CREATE_FAILED);
        }
        let desc = self.primary;
        match self.context.ddi_of(shows, dxgi_ddi::CreateResource { adapter: shows, desc }) {
            // The application gets E_OUTOFMEMORY; any other failure leads to two copies.
            Err(HResultCode::E_OUTOFMEMORY) => return Err(HResultCode::E_OUTOFMEMORY),
            Err(_) => return Ok(FallbackReason::CREATE_FAILED),
            Ok(flags) => self.record.primary_flags = flags,
        }
        let reason = self.reason_with_primary();
        if reason != FallbackReason::NONE {
            // No resource of the attempt remains (rule C-24). An error of the driver has no consequence here.
            let _ = self.context.ddi_of(shows, dxgi_ddi::DestroyResource { adapter: shows });
        }
        Ok(reason)
    }

    /// True if the two adapters share frames: from WDDM 2.4 on any two do, before that those of a hybrid system (rule C-11).
    fn shares_frames(&self, render: AdapterId, shows: AdapterId) -> bool {
        let versions =
            [render, shows].map(|adapter| self.display.started(adapter).map(|kernel| kernel.caps.wddm_version));
        let os = self.context.settings.os_wddm_version.0;
        let is_later = versions.into_iter().flatten().chain([os]).all(|version| version >= WddmVersion::WDDM_2_4);
        is_later || is_hybrid_discrete(self.display, render) && is_hybrid_integrated(self.display, shows)
    }

    /// The same reason, for the checks that need a created primary.
    fn reason_with_primary(&mut self) -> FallbackReason {
        let (render, shows) = (self.chain.render, self.chain.display_adapter);
        if self.record.primary_flags.contains(PrimaryDriverFlags::NO_SCANOUT) {
            check_no_scanout(self.context, shows, self.record.cross_adapter_tier_support, &self.primary);
            return FallbackReason::NO_SCANOUT;
        }
        // WDDM 2.9 has the tiers but no static check, so no static check is made (rule X-10).
        let kernel = self.display.started(shows);
        if kernel.is_some_and(|kernel| kernel.caps.wddm_version >= WddmVersion::WDDM_3_0) {
            if !kernel.is_some_and(|kernel| kernel.functions.check_multiplane_overlay_support3) {
                return FallbackReason::STATIC_CHECK;
            }
            let flags = MultiplaneOverlayFlags::STATIC_CHECK;
            let support = self.display.presents.check(self.context, self.chain, flags, true);
            self.record.static_checked = true;
            self.record.static_check_supported = support;
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
