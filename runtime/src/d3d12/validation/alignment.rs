//! Alignment: the classic choices, and what the tight flag changes.

use super::{Asked, Intent, Plan, invalid};
use crate::context::Context;
use crate::placement::{
    AlignmentRange, ResourceClass, Shape, TIGHT_MIN_COMMITTED, TIGHT_MIN_PLACED, default_alignment, is_small,
    requested_alignments, tight_range,
};
use crate::settings::{RuleSet, Settings};
use crate::state::Adapter;
use taut_schemas::{HResult, MessageId, MessageSeverity, ObjectId, ResourceDesc, ResourceFlags, TextureLayout};

/// Whether the tight flag is legal here at all (rules ).
pub(super) fn check_tight_flag(context: &mut Context<'_>, adapter: &Adapter, asked: &Asked<'_>) -> HResult<()> {
    let desc = asked.desc;
    if !desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
        return Ok(());
    }
    let id = MessageId::CREATERESOURCE_INVALIDMISCFLAGS;
    if !adapter.supports_tight_alignment() {
        let text =
            format_args!("USE_TIGHT_ALIGNMENT (0x400) is not valid: the driver reports tier 0 of tight alignment.");
        return invalid(context, id, text);
    }
    let swizzled =
        matches!(desc.layout, TextureLayout::_64KB_UNDEFINED_SWIZZLE | TextureLayout::_64KB_STANDARD_SWIZZLE);
    if swizzled {
        let text = format_args!(
            "USE_TIGHT_ALIGNMENT (0x400) is not valid with layout {:?}, whose alignment is 65536.",
            desc.layout
        );
        return invalid(context, id, text);
    }
    if asked.intent == Intent::Reserved {
        let text = format_args!("USE_TIGHT_ALIGNMENT (0x400) is not valid for a reserved resource.");
        return invalid(context, id, text);
    }
    Ok(())
}

/// Decides between tight and classic, and validates the alignment asked for.
pub(super) fn plan(context: &mut Context<'_>, adapter: &Adapter, asked: &Asked<'_>, shape: Shape) -> HResult<Plan> {
    let class = ResourceClass::of(&shape);
    let mut desc = *asked.desc;
    let flagged = desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
    let tight = flagged && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER);
    if flagged && !tight {
        // Rule A-14; ambiguity A0.13 is why the severity is a setting.
        let severity = context.settings.cross_adapter_severity.into();
        let id = MessageId::CREATERESOURCE_INVALIDMISCFLAGS;
        let text = format_args!(
            "USE_TIGHT_ALIGNMENT (0x400) will be ignored with ALLOW_CROSS_ADAPTER (0x10): alignment stays {}.",
            default_alignment(&shape)
        );
        context.message(severity, id, ObjectId::NULL, text);
        check_floor(context, asked.desc.alignment_bytes, &class, default_alignment(&shape))?;
        // The flag is ignored, and with it what was asked for beside it: a floor below what the resource has.
        desc =
            ResourceDesc { flags: desc.flags.without(ResourceFlags::USE_TIGHT_ALIGNMENT), alignment_bytes: 0, ..desc };
    }
    let mut plan = Plan {
        desc,
        shape,
        class,
        tight,
        restriction_bytes: desc.alignment_bytes,
        range: AlignmentRange::exactly(default_alignment(&shape)),
        large_page_bytes: 0,
        visible_node_mask: asked.visible_node_mask,
    };
    let small = class != ResourceClass::Buffer && is_small(&shape, context.settings.small_msaa);
    if tight {
        plan_tight(context, adapter, asked.intent, small, &mut plan)?
    } else {
        plan_classic(context, adapter, small, &mut plan)?
    }
    Ok(plan)
}

/// Rule A-01.
fn plan_classic(context: &mut Context<'_>, adapter: &Adapter, small: bool, plan: &mut Plan) -> HResult<()> {
    let asked = plan.desc.alignment_bytes;
    if asked == 0 {
        return Ok(());
    }
    let legal = requested_alignments(&plan.shape, small, adapter.caps.msaa_64kb_aligned_textures);
    if legal.contains(&asked) {
        plan.range = AlignmentRange::exactly(asked);
        return Ok(());
    }
    let class = plan.class;
    let [default, smaller] = legal;
    if class != ResourceClass::Buffer && asked == class.small_alignment() {
        let text = format_args!(
            "Alignment is {asked}, which only a small {class} may have; this one has 0 or {default}.",
            class = class.name()
        );
        return invalid(context, MessageId::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE, text);
    }
    let class = class.name();
    let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    if smaller == default {
        return invalid(context, id, format_args!("Alignment is {asked}; this {class} may have 0 or {default}."));
    }
    invalid(context, id, format_args!("Alignment is {asked}; this {class} may have 0, {smaller} or {default}."))
}

/// Rules.
fn plan_tight(
    context: &mut Context<'_>,
    adapter: &Adapter,
    intent: Intent,
    small: bool,
    plan: &mut Plan,
) -> HResult<()> {
    let committed = intent == Intent::Committed;
    plan.range = tight_range(plan.class, small, committed);
    if !context.settings.restriction_is_minimum {
        plan.range.least = TIGHT_MIN_PLACED;
    }
    if committed && context.settings.allow_large_pages && adapter.caps.large_page_support {
        plan.large_page_bytes = adapter.caps.large_page_size_bytes.into();
    }
    let least = if committed { TIGHT_MIN_COMMITTED } else { TIGHT_MIN_PLACED };
    plan.restriction_bytes = least;
    let asked = plan.desc.alignment_bytes;
    if asked == 0 {
        return Ok(());
    }
    let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    check_floor(context, asked, &plan.class, greatest_floor(plan.class, intent))?;
    let class = plan.class.name();
    if asked < least {
        // The public headers have no number for ALIGNMENT_OVERRIDDEN yet.
        let text = format_args!("ALIGNMENT_OVERRIDDEN: Alignment {asked} of a tight {class} is raised to {least}.");
        context.message(MessageSeverity::INFO, id, ObjectId::NULL, text);
    }
    let floor = asked.max(least);
    plan.restriction_bytes = floor;
    plan.range = AlignmentRange { least: floor, greatest: plan.range.greatest.max(floor) };
    Ok(())
}

/// An `Alignment` beside the flag (rule A-16): none under 1.618, a power of two up to `most` under 1.619.4.
fn check_floor(context: &mut Context<'_>, asked: u64, class: &ResourceClass, most: u64) -> HResult<()> {
    let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    if asked == 0 {
        return Ok(());
    }
    if context.settings.rules == RuleSet::R1_618 {
        let text = format_args!("Alignment must be 0 with USE_TIGHT_ALIGNMENT under rules 1.618; it is {asked}.");
        return invalid(context, id, text);
    }
    if !asked.is_power_of_two() || asked > most {
        let class = class.name();
        let text = format_args!("Alignment is {asked}; a tight {class} may have 0 or a power of two up to {most}.");
        return invalid(context, id, text);
    }
    Ok(())
}

impl Plan {
    /// The plan by which GetResourceAllocationInfo would ask about the same tight resource: it cannot know that the
    /// resource is committed (rule A-21).
    pub(crate) fn for_query(&self, settings: &Settings) -> Plan {
        let small = self.class != ResourceClass::Buffer && is_small(&self.shape, settings.small_msaa);
        let floor = self.desc.alignment_bytes.max(TIGHT_MIN_PLACED);
        let greatest = tight_range(self.class, small, false).greatest.max(floor);
        let range = AlignmentRange { least: floor, greatest };
        Plan { restriction_bytes: floor, range, large_page_bytes: 0, ..*self }
    }
}

/// The greatest alignment that a tight resource may ask for (rule A-16): its type's maximum, small or not. A query
/// cannot know what the resource will be, so it takes what either may ask for.
fn greatest_floor(class: ResourceClass, intent: Intent) -> u64 {
    let (placed, committed) = (tight_range(class, false, false).greatest, tight_range(class, false, true).greatest);
    match intent {
        Intent::Query | Intent::Reserved => placed.max(committed),
        Intent::Placed => placed,
        Intent::Committed => committed,
    }
}
