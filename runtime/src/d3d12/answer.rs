//! Queries to the driver for a resource's size and alignment, and validation of the driver's answer.

use super::translate;
use super::validation::Plan;
use crate::context::Context;
use crate::placement::{AlignmentRange, ResourceClass};
use crate::state::DeviceState;
use crate::violation::{ObservedValue, lint, violate};
use taut_schemas::{DdiAllocationInfo, DdiResourceDesc, HResult, HResultCode, MessageId, d3d12_ddi, rule};

/// The driver's answer for a resource, and the size and alignment that the API reports.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    /// Description passed to the driver.
    pub desc: DdiResourceDesc,
    /// AlignmentRestriction passed to the driver, in bytes.
    pub restriction_bytes: u32,
    /// The driver's answer.
    pub ddi: DdiAllocationInfo,
    /// Size that the API reports, in bytes: the driver's, rounded up to the alignment (rules ).
    pub size_bytes: u64,
    /// Alignment that the API reports, in bytes.
    pub alignment_bytes: u64,
}

/// Queries the driver for a validated resource.
///
/// # Errors
/// DXGI_ERROR_DEVICE_REMOVED if the driver broke a rule in strict mode; E_INVALIDARG, with a message, if the size does
/// not fit in 64 bits.
pub(crate) fn query_driver(context: &mut Context<'_>, device: &mut DeviceState, plan: &Plan) -> HResult<Answer> {
    let desc = translate::resource(&plan.desc, &plan.shape);
    let restriction_bytes = u32::try_from(plan.restriction_bytes).unwrap_or(u32::MAX);
    let ddi = context.ddi(d3d12_ddi::CheckResourceAllocationInfo {
        desc,
        alignment_restriction_bytes: restriction_bytes,
        visible_node_mask: plan.visible_node_mask,
    });
    judge(context, device, plan, &ddi)?;
    let overflow = |context: &mut Context<'_>| {
        let (size, alignment) = (ddi.size_bytes, ddi.alignment_bytes);
        // The message id is that of invalid dimensions, from which the size is computed.
        context.error(
            MessageId::CREATERESOURCE_INVALIDDIMENSIONS,
            format_args!("The resource is too large: {size} bytes at alignment {alignment} is no 64-bit size."),
        );
        HResultCode::E_INVALIDARG
    };
    // After a violation that did not remove the device, the answer is used, but made usable: addresses need a power of
    // two, and nothing without the tight flag is reported tighter than the classic rules.
    let usable = ddi.alignment_bytes.max(1).checked_next_power_of_two();
    let alignment_bytes = match usable {
        Some(usable) if !plan.tight => usable.max(plan.range.min),
        Some(usable) => usable.max(plan.floor_bytes),
        None => return Err(overflow(context)),
    };
    let rounded = match plan.tight && !context.settings.round_sizes_up {
        true => Some(ddi.size_bytes),
        false => ddi.size_bytes.checked_next_multiple_of(alignment_bytes),
    };
    match rounded {
        // UINT64_MAX is the size of an invalid description, so a valid resource must not have it.
        Some(size_bytes) if size_bytes != u64::MAX => {
            Ok(Answer { desc, restriction_bytes, ddi, size_bytes, alignment_bytes })
        }
        _ => Err(overflow(context)),
    }
}

/// Validates that a resource to be created fits in the adapter's address space. Queries skip this check.
///
/// # Errors
/// E_OUTOFMEMORY, with a message, if it does not fit.
pub(crate) fn check_reach(context: &mut Context<'_>, device: &DeviceState, answer: &Answer) -> HResult<()> {
    let bits = device.adapter().map_or(u64::BITS, |adapter| adapter.caps.max_gpu_virtual_address_bits_per_resource);
    let (reach, size_bytes) = (1_u64.checked_shl(bits).unwrap_or(u64::MAX), answer.size_bytes);
    if size_bytes <= reach {
        return Ok(());
    }
    let text = format_args!("The resource takes {size_bytes} bytes; the adapter's {bits} address bits reach {reach}.");
    context.error(MessageId::CREATERESOURCE_OUTOFMEMORY_RETURN, text);
    Err(HResultCode::E_OUTOFMEMORY)
}

/// Records violations and lints of a driver's answer.
fn judge(context: &mut Context<'_>, device: &mut DeviceState, plan: &Plan, ddi: &DdiAllocationInfo) -> HResult<()> {
    let AlignmentRange { min, max } = plan.range;
    let class = plan.class.name();
    let found = ddi.alignment_bytes;
    let large_page = plan.large_page_bytes;
    // Rule A-12 allows large pages for allocations that consist of whole large pages.
    let on_large_pages = large_page != 0 && found == large_page && ddi.size_bytes.is_multiple_of(large_page);
    if context.settings.require_power_of_two && !found.is_power_of_two() {
        let text = format_args!("The driver aligns a {class} to {found} bytes, which is no power of two.");
        violate(context, device, rule::A_11, ObservedValue { found, min, max }, text)?;
    } else if plan.tight && !plan.range.contains(found) && !on_large_pages {
        let text = format_args!("The driver aligns a tight {class} to {found} bytes; the rules allow {min} to {max}.");
        violate(context, device, rule::A_11, ObservedValue { found, min, max }, text)?;
    } else if !plan.tight && found < min {
        // A lint only: rule A-25 is a recommendation.
        lint(
            context,
            rule::A_25,
            ObservedValue { found, min, max },
            format_args!(
                "The driver aligns a {class} without the tight flag to {found} bytes, tighter than the classic {min}."
            ),
        );
    } else if !plan.tight && found > max {
        let text = format_args!("The driver aligns a {class} to {found} bytes; the classic rules allow {max}.");
        violate(context, device, rule::A_01, ObservedValue { found, min, max }, text)?;
    }
    judge_size(context, device, plan, ddi)
}

fn judge_size(
    context: &mut Context<'_>,
    device: &mut DeviceState,
    plan: &Plan,
    ddi: &DdiAllocationInfo,
) -> HResult<()> {
    let found = ddi.size_bytes;
    let class = plan.class.name();
    let min = if plan.class == ResourceClass::Buffer { plan.desc.width } else { 1 };
    if found < min {
        let broken = if plan.tight { rule::A_13 } else { rule::A_04 };
        let text = format_args!("The driver sizes a {class} at {found} bytes; it needs at least {min}.");
        return violate(context, device, broken, ObservedValue { found, min, max: u64::MAX }, text);
    }
    if plan.tight && plan.class == ResourceClass::Buffer && found != min {
        let text = format_args!("The driver sizes a tight buffer of width {min} at {found} bytes.");
        return violate(context, device, rule::A_13, ObservedValue { found, min, max: min }, text);
    }
    Ok(())
}
