//! Alignment of resources: the classic values, and the rules of the tight-alignment flag.

use super::{AllocationQuery, Intent, Plan, invalid};
use crate::context::Context;
use crate::placement::{
    AlignmentRange, ResourceClass, Shape, TIGHT_MIN_COMMITTED, TIGHT_MIN_PLACED, TileCount, count_tiles,
    default_alignment, is_small, requested_alignments, tight_range,
};
use crate::revision::Revision;
use crate::settings::{RuleSet, Settings};
use crate::state::Adapter;
use taut_schemas::{
    HResult, MessageId, MessageSeverity, ObjectId, ResourceDesc, ResourceFlags, TextureLayout, grouped,
};

/// Validates the use of the tight-alignment flag (rules ).
pub(super) fn check_tight_flag(
    context: &mut Context<'_>,
    adapter: &Adapter,
    requested: &AllocationQuery<'_>,
) -> HResult<()> {
    let desc = requested.desc;
    if !desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
        return Ok(());
    }
    let id = MessageId::CREATERESOURCE_INVALIDMISCFLAGS;
    if !adapter.supports_tight_alignment() {
        let text =
            format_args!("USE_TIGHT_ALIGNMENT (0x400) is not valid: the driver reports tier 0 of tight alignment.");
        return invalid(context, id, text);
    }
    // Both layouts fix the alignment at 64 KiB (rule A-15).
    let swizzled =
        matches!(desc.layout, TextureLayout::_64KB_UNDEFINED_SWIZZLE | TextureLayout::_64KB_STANDARD_SWIZZLE);
    if swizzled {
        let text = format_args!(
            "USE_TIGHT_ALIGNMENT (0x400) is not valid with layout {:?}, whose alignment is 65536.",
            desc.layout
        );
        return invalid(context, id, text);
    }
    if requested.intent == Intent::Reserved {
        let text = format_args!("USE_TIGHT_ALIGNMENT (0x400) is not valid for a reserved resource.");
        return invalid(context, id, text);
    }
    Ok(())
}

/// Chooses tight or classic alignment, and validates the requested alignment.
pub(super) fn plan(
    context: &mut Context<'_>,
    adapter: &Adapter,
    requested: &AllocationQuery<'_>,
    shape: Shape,
) -> HResult<Plan> {
    let class = ResourceClass::new(&shape);
    let mut desc = *requested.desc;
    let flagged = desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
    // Rule A-14: with the cross-adapter flag, the tight flag has no effect.
    let tight = flagged && !desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER);
    if flagged && !tight {
        // Rule A-14; rule X-06 is why the severity is a setting.
        let severity = context.settings.cross_adapter_severity.into();
        let id = MessageId::CREATERESOURCE_INVALIDMISCFLAGS;
        let text = format_args!(
            "USE_TIGHT_ALIGNMENT (0x400) will be ignored with ALLOW_CROSS_ADAPTER (0x10): alignment stays {}.",
            default_alignment(&shape)
        );
        context.message(severity, id, ObjectId::NULL, text);
        check_floor(context, requested.desc.alignment_bytes, &class, default_alignment(&shape))?;
        // The flag is ignored, and so is the requested alignment, which is below the resource's own.
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
        floor_bytes: 1,
        large_page_bytes: 0,
        visible_node_mask: requested.visible_node_mask,
    };
    let small = class != ResourceClass::Buffer && is_small(&shape, context.settings.small_msaa);
    if tight {
        plan_tight(context, adapter, requested.intent, small, &mut plan)?
    } else {
        plan_classic(context, adapter, small, &mut plan)?
    }
    Ok(plan)
}

/// Plans a classic alignment (rule A-01).
fn plan_classic(context: &mut Context<'_>, adapter: &Adapter, small: bool, plan: &mut Plan) -> HResult<()> {
    let requested = plan.desc.alignment_bytes;
    if requested == 0 {
        return Ok(());
    }
    let legal = requested_alignments(&plan.shape, small, adapter.caps.msaa_64kb_aligned_textures);
    if legal.contains(&requested) {
        plan.range = AlignmentRange::exactly(requested);
        return Ok(());
    }
    let class = plan.class;
    let [default, smaller] = legal;
    if class != ResourceClass::Buffer && requested == class.small_alignment() {
        let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE;
        if let Some(count) = count_tiles(&plan.shape).filter(|count| count.tiles > count.max_tiles) {
            return refuse_large(context, plan, &count, default);
        }
        let text = format_args!(
            "Alignment is {requested}, which only a small {class} may have; this one has 0 or {default}.",
            class = class.name()
        );
        return invalid(context, id, text);
    }
    let class = class.name();
    let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    if smaller == default {
        return invalid(context, id, format_args!("Alignment is {requested}; this {class} may have 0 or {default}."));
    }
    invalid(context, id, format_args!("Alignment is {requested}; this {class} may have 0, {smaller} or {default}."))
}

/// Rejects the small alignment of a texture with too many tiles.
fn refuse_large(context: &mut Context<'_>, plan: &Plan, count: &TileCount, default: u64) -> HResult<()> {
    let TileCount { tile_texels: (width, height, depth), tiles, max_tiles } = *count;
    let depth = if depth > 1 { format!("×{depth}") } else { String::new() };
    let (tiles, max_tiles) = (grouped(tiles), grouped(max_tiles));
    let (requested, class) = (plan.desc.alignment_bytes, plan.class.name());
    let text = format_args!(
        "Alignment is {requested}, which only a small {class} may have: one of at most {max_tiles} tiles of \
         {width}×{height}{depth} texels in its most detailed mip; this one has {tiles} and may have 0 or {default}."
    );
    invalid(context, MessageId::CREATERESOURCE_INVALIDALIGNMENT_SMALLRESOURCE, text)
}

/// Plans a tight alignment (rules ).
fn plan_tight(
    context: &mut Context<'_>,
    adapter: &Adapter,
    intent: Intent,
    small: bool,
    plan: &mut Plan,
) -> HResult<()> {
    let committed = intent == Intent::Committed;
    plan.range = tight_range(plan.class, small, committed);
    // The setting decides whether the driver may answer below the restriction.
    if !context.settings.restriction_is_minimum {
        plan.range.min = TIGHT_MIN_PLACED;
    }
    let large_page_bytes = match context.settings.allow_large_pages && adapter.caps.large_page_support {
        true => u64::from(adapter.caps.large_page_size_bytes),
        false => 0,
    };
    if committed {
        plan.large_page_bytes = large_page_bytes;
    }
    let min = if committed { TIGHT_MIN_COMMITTED } else { TIGHT_MIN_PLACED };
    plan.restriction_bytes = min;
    let requested = plan.desc.alignment_bytes;
    if requested == 0 {
        return Ok(());
    }
    let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    // GetDesc returns the large page of a committed resource as its alignment, and round trips from revision 2 on.
    let is_large_page = requested == large_page_bytes
        && matches!(intent, Intent::Committed | Intent::Query)
        && context.settings.revision >= Revision::PLACED_FLOOR;
    let max_bytes = if is_large_page { large_page_bytes } else { max_floor(plan.class, intent) };
    check_floor(context, requested, &plan.class, max_bytes)?;
    let class = plan.class.name();
    if requested < min {
        // The public headers have no number for ALIGNMENT_OVERRIDDEN yet, so the message has the number of
        // INVALIDALIGNMENT.
        let text = format_args!("ALIGNMENT_OVERRIDDEN: Alignment {requested} of a tight {class} is raised to {min}.");
        context.message(MessageSeverity::INFO, id, ObjectId::NULL, text);
    }
    plan.set_floor(requested.max(min), committed, context.settings);
    Ok(())
}

/// Validates an `Alignment` together with the flag (rule A-16): 0 under rules 1.618, a power of two up to `max_bytes`
/// under
/// 1.619.4.
fn check_floor(context: &mut Context<'_>, requested: u64, class: &ResourceClass, max_bytes: u64) -> HResult<()> {
    let id = MessageId::CREATERESOURCE_INVALIDALIGNMENT;
    if requested == 0 {
        return Ok(());
    }
    if context.settings.rules == RuleSet::R1_618 {
        let text = format_args!("Alignment must be 0 with USE_TIGHT_ALIGNMENT under rules 1.618; it is {requested}.");
        return invalid(context, id, text);
    }
    if !requested.is_power_of_two() || requested > max_bytes {
        let class = class.name();
        let text =
            format_args!("Alignment is {requested}; a tight {class} may have 0 or a power of two up to {max_bytes}.");
        return invalid(context, id, text);
    }
    Ok(())
}

impl Plan {
    /// The plan of a GetResourceAllocationInfo query for the same tight resource: such a query does not know that the
    /// resource is committed (rule A-21).
    pub(crate) fn for_query(&self, settings: &Settings) -> Plan {
        let small = self.class != ResourceClass::Buffer && is_small(&self.shape, settings.small_msaa);
        let range = AlignmentRange { min: TIGHT_MIN_PLACED, ..tight_range(self.class, small, false) };
        let mut plan = Plan { restriction_bytes: TIGHT_MIN_PLACED, range, large_page_bytes: 0, ..*self };
        plan.set_floor(self.desc.alignment_bytes.max(TIGHT_MIN_PLACED), false, settings);
        plan
    }

    /// Applies the requested floor of a tight resource. A driver takes a restriction of 4096 or more for that of a
    /// committed resource (rule A-11), so from revision 2 on the runtime itself raises the alignment of other resources.
    fn set_floor(&mut self, floor: u64, committed: bool, settings: &Settings) {
        if committed || settings.revision < Revision::PLACED_FLOOR {
            self.restriction_bytes = floor;
            self.range = AlignmentRange { min: floor, max: self.range.max.max(floor) };
        } else {
            self.floor_bytes = floor;
        }
    }
}

/// Max alignment that a tight resource may request (rule A-16): the max of its class, whether it is small or not. A
/// query does not know the kind of resource, so it allows the larger of both limits.
fn max_floor(class: ResourceClass, intent: Intent) -> u64 {
    let (placed, committed) = (tight_range(class, false, false).max, tight_range(class, false, true).max);
    match intent {
        Intent::Query | Intent::Reserved => placed.max(committed),
        Intent::Placed => placed,
        Intent::Committed => committed,
    }
}
