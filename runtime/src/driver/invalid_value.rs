//! Validation of a profile: values that contradict one another, or that no driver can have.

use super::checked_rules::CHECKED_RULES;
use super::ddi_version::DdiVersion;
use super::descriptors_profile::{Descriptors, MAX_DESCRIPTOR_BYTES};
use super::invalid_fields::invalid_fields;
use super::invalid_key::{InvalidValue, MAX_BYTES};
use super::panicking::functions;
use super::profile::Profile;
use taut_schemas::format::Format;
use taut_schemas::{FlipCaps, ThreadingCaps, nearest, rule};

/// Returns the first invalid value of a profile.
pub(crate) fn invalid_value(profile: &Profile) -> Option<InvalidValue> {
    fails(profile)
        .or_else(|| alignments(profile))
        .or_else(|| caps(profile))
        .or_else(|| descriptors(profile))
        .or_else(|| direct_access(profile))
        .or_else(|| background(profile))
        .or_else(|| kernel(profile))
        .or_else(|| overlay(profile))
        .or_else(|| dlist(profile))
        .or_else(|| contexts(profile))
        .or_else(|| faults(profile))
        .or_else(|| panics(profile))
}

fn unless(holds: bool, key: &'static str, expected: &str, found: impl ToString) -> Option<InvalidValue> {
    (!holds).then(|| InvalidValue { key, expected: expected.to_owned(), found: found.to_string() })
}

fn descriptors(profile: &Profile) -> Option<InvalidValue> {
    let Descriptors { cbv_srv_uav_bytes, sampler_bytes, rtv_bytes, dsv_bytes } = profile.descriptors;
    let sizes = [
        ("descriptors.cbv_srv_uav_bytes", cbv_srv_uav_bytes),
        ("descriptors.sampler_bytes", sampler_bytes),
        ("descriptors.rtv_bytes", rtv_bytes),
        ("descriptors.dsv_bytes", dsv_bytes),
    ];
    let expected = format!("1 to {MAX_DESCRIPTOR_BYTES}");
    sizes.into_iter().find_map(|(key, size)| unless((1..=MAX_DESCRIPTOR_BYTES).contains(&size), key, &expected, size))
}

fn overlay(profile: &Profile) -> Option<InvalidValue> {
    let overlay = profile.overlay.as_ref()?;
    unless(profile.kernel.is_some(), "overlay", "a table kernel in the profile", "none")
        .or_else(|| unless(overlay.planes > 0, "overlay.planes", "at least 1", overlay.planes))
        .or_else(|| unless(overlay.width > 0, "overlay.width", "at least 1", overlay.width))
        .or_else(|| unless(overlay.height > 0, "overlay.height", "at least 1", overlay.height))
        .or_else(|| {
            let wrong = overlay.unknown_format()?;
            unless(false, "overlay.formats", "names of DXGI formats", wrong)
        })
}

/// Max size of a dList DLL that a profile describes, in bytes: far above the limit of rule C-12, so that profiles can
/// break the rule.
const MAX_LIBRARY_BYTES: u64 = 1 << 30;

fn dlist(profile: &Profile) -> Option<InvalidValue> {
    let dlist = profile.dlist.as_ref()?;
    let is_hybrid = profile.kernel.as_ref().is_some_and(|kernel| kernel.hybrid_discrete);
    unless(is_hybrid, "dlist", "a table kernel with hybrid_discrete in the profile", "none").or_else(|| {
        let holds = (1..=MAX_LIBRARY_BYTES).contains(&dlist.library_bytes);
        unless(holds, "dlist.library_bytes", &format!("1 to {MAX_LIBRARY_BYTES}"), dlist.library_bytes)
    })
}

/// Bytes that the driver model stores at the beginning of a context's memory, of a handle of the immediate context, of
/// a command list's memory, and of a deferred context's handle.
const STORED_BYTES: [u64; 4] = [40, 40, 24, 8];

/// Additional bytes of a context that counts its calls until one fails.
const COUNTER_BYTES: u64 = 24;

/// Checks that the data the driver model stores fits into its private memory. Errors that a conformance check finds are
/// allowed if `fails` lists the check.
fn contexts(profile: &Profile) -> Option<InvalidValue> {
    let contexts = profile.contexts.as_ref()?;
    let sized = |key, bytes: u64, min: u64| {
        let expected = format!("{min} to {MAX_BYTES}, for what the driver stores there");
        unless((min..=MAX_BYTES).contains(&bytes), key, &expected, bytes)
    };
    let [context, immediate, list, deferred] = STORED_BYTES;
    let handles = || {
        contexts.handles.iter().find_map(|handle| {
            let known = handle.handle_type().is_some();
            unless(known, "contexts.handles", "types of handles as the header names them", &handle.handle_type).or_else(
                || {
                    let is_declared = handle.size_bytes == 0 && declares(profile, rule::H_22.id);
                    (!is_declared).then(|| sized("contexts.handles", handle.size_bytes, deferred))?
                },
            )
        })
    };
    let caps = || {
        let (key, caps) = ("contexts.threading_caps", contexts.caps());
        let known = ThreadingCaps(ThreadingCaps::NAMES.iter().fold(0, |all, (bit, _)| all | bit));
        let lists = caps.contains(ThreadingCaps::COMMANDLISTS_BUILD_2) && !declares(profile, rule::H_21.id);
        unless(known.contains(caps), key, "bits of D3D11DDI_THREADING_CAPS", format!("0x{:x}", caps.0)).or_else(|| {
            let is_free = caps.contains(ThreadingCaps::FREETHREADED);
            unless(
                !lists || is_free,
                key,
                "FREETHREADED (0x1) beside COMMANDLISTS_BUILD_2 (0x4)",
                format!("0x{:x}", caps.0),
            )
        })
    };
    let counter = if contexts.fails_at_call > 0 { COUNTER_BYTES } else { 0 };
    caps()
        .or_else(|| sized("contexts.context_bytes", contexts.context_bytes, context + counter))
        .or_else(|| sized("contexts.immediate_handle_bytes", contexts.immediate_handle_bytes, immediate))
        .or_else(|| sized("contexts.command_list_bytes", contexts.command_list_bytes, list))
        .or_else(handles)
        .or_else(|| invalid_fields(contexts))
}

/// True if the profile lists this check in `fails`.
fn declares(profile: &Profile, rule: &str) -> bool {
    profile.fails.iter().any(|id| id == rule)
}

fn within(key: &'static str, value: u32, max: u32) -> Option<InvalidValue> {
    unless(value <= max, key, &format!("at most {max}"), value)
}

fn fails(profile: &Profile) -> Option<InvalidValue> {
    let ids = || CHECKED_RULES.iter().map(|rule| rule.id);
    let wrong = profile.fails.iter().find(|id| ids().all(|known| known != id.as_str()))?;
    let found = match nearest(wrong, ids()) {
        Some(other) => format!("{wrong}; did you mean {other}?"),
        None => wrong.clone(),
    };
    let expected = format!("ids of conformance checks, {}", ids().collect::<Vec<_>>().join(", "));
    Some(InvalidValue { key: "fails", expected, found })
}

fn alignments(profile: &Profile) -> Option<InvalidValue> {
    let caps = &profile.caps;
    let answered = [
        ("tight_buffer_alignment_bytes", Some(profile.tight_buffer_alignment_bytes)),
        ("tight_texture_alignment_placed_bytes", profile.tight_texture_alignment_placed_bytes),
        ("tight_texture_alignment_committed_bytes", profile.tight_texture_alignment_committed_bytes),
        ("tight_msaa_alignment_bytes", profile.tight_msaa_alignment_bytes),
    ];
    // Alignments that a driver may report wrongly if its profile lists A-55 (rule A-11).
    let odd = profile.fails.iter().any(|id| id == rule::A_55.id);
    let needed = [
        ("classic_buffer_alignment_bytes", profile.classic_buffer_alignment_bytes),
        ("linear_pitch_alignment_bytes", profile.linear_pitch_alignment_bytes),
        ("row_pitch_alignment_bytes", Some(profile.row_pitch_alignment_bytes)),
        ("height_alignment", Some(profile.height_alignment)),
        ("caps.large_page_size_bytes", caps.large_page_support.then_some(caps.large_page_size_bytes.into())),
    ];
    let numbers = answered.into_iter().map(|number| (number, odd)).chain(needed.map(|number| (number, false)));
    let mut set = numbers.filter_map(|((key, alignment), odd)| alignment.map(|alignment| (key, alignment, odd)));
    set.find_map(|(key, alignment, odd)| match odd {
        true => unless(alignment != 0, key, "at least 1", alignment),
        false => unless(alignment.is_power_of_two(), key, "a power of two", alignment),
    })
}

fn caps(profile: &Profile) -> Option<InvalidValue> {
    let (caps, version) = (&profile.caps, profile.ddi_version);
    let tight = caps.tight_alignment_tier > 0;
    let found = format!("{} at DDI {version}", caps.tight_alignment_tier);
    let key = "caps.tight_alignment_tier";
    unless(!tight || version >= DdiVersion::V0111, key, "0 from a driver below DDI 0111", found)
        .or_else(|| unless(version >= DdiVersion::V0088, "ddi_version", "0088 or later", version))
        .or_else(|| within(key, caps.tight_alignment_tier, 1))
        .or_else(|| within("caps.tiled_resources_tier", caps.tiled_resources_tier, 4))
        .or_else(|| {
            let bits = caps.max_gpu_virtual_address_bits_per_resource;
            within("caps.max_gpu_virtual_address_bits_per_resource", bits, 64)
        })
        .or_else(|| {
            let tier = caps.resource_heap_tier;
            unless((1..=2).contains(&tier), "caps.resource_heap_tier", "1 or 2", tier)
        })
        .or_else(|| {
            let (key, expected) = ("caps.cache_coherent_uma", "false on an adapter that is not uma");
            unless(caps.uma || !caps.cache_coherent_uma, key, expected, true)
        })
        .or_else(|| {
            let (key, expected) = ("caps.large_page_size_bytes", "0 without large_page_support");
            unless(
                caps.large_page_support || caps.large_page_size_bytes == 0,
                key,
                expected,
                caps.large_page_size_bytes,
            )
        })
        .or_else(|| {
            let (key, expected) = ("caps.large_page_size_bytes", "more than a page of 4096");
            unless(
                !caps.large_page_support || caps.large_page_size_bytes > 4096,
                key,
                expected,
                caps.large_page_size_bytes,
            )
        })
}

fn direct_access(profile: &Profile) -> Option<InvalidValue> {
    let extension = profile.direct_access.as_ref()?;
    let width_bytes = extension.tile_format.tile_width_bytes();
    let (key, pitch) = ("direct_access.pitch_alignment_bytes", extension.pitch_alignment_bytes);
    let whole = pitch == 0 || (pitch.is_power_of_two() && pitch >= width_bytes);
    unless(whole, key, &format!("0, or a power of two that is {width_bytes} or more"), pitch)
        .or_else(|| {
            let (key, offset) = ("direct_access.x_offset_bytes", extension.x_offset_bytes);
            unless(offset.is_multiple_of(16) && offset < 4096, key, "a multiple of 16 below 4096", offset)
        })
        .or_else(|| {
            let (key, offset) = ("direct_access.y_offset_rows", extension.y_offset_rows);
            unless(offset < 4096, key, "less than 4096", offset)
        })
}

fn background(profile: &Profile) -> Option<InvalidValue> {
    let key = "caps.background_processing";
    let Some(background) = &profile.background else {
        return unless(!profile.caps.background_processing, key, "false without the table background", true)
            .or_else(|| unless(false, profile.faults.of_background()?, "none without the table background", "one"));
    };
    let version = background.ddi_version;
    let known = [DdiVersion::V0062, DdiVersion::V0063].contains(&version);
    unless(known, "background.ddi_version", "0062 or 0063", version)
        .or_else(|| unless(profile.caps.background_processing, key, "true beside the table background", false))
        .or_else(|| {
            background.bounds().into_iter().find_map(|(key, value, min, max)| {
                let expected = match max {
                    // No upper limit worth naming.
                    u32::MAX => format!("at least {min}"),
                    _ => format!("{min} to {max}"),
                };
                unless((min..=max).contains(&value), key, &expected, value)
            })
        })
}

fn kernel(profile: &Profile) -> Option<InvalidValue> {
    let Some(kernel) = &profile.kernel else {
        return unless(false, profile.faults.of_kernel()?, "none without the table kernel", "one");
    };
    let wrong = kernel.unknown_flip_cap()?;
    let names = || FlipCaps::NAMES.iter().map(|(_, name)| *name);
    let found = match nearest(wrong, names()) {
        Some(other) => format!("{wrong}; did you mean {other}?"),
        None => wrong.to_owned(),
    };
    let expected = format!("names of flip caps, {}", names().collect::<Vec<_>>().join(", "));
    Some(InvalidValue { key: "kernel.flip_caps", expected, found })
}

fn faults(profile: &Profile) -> Option<InvalidValue> {
    let (faults, version) = (&profile.faults, profile.ddi_version);
    let mut bytes = faults.bytes().into_iter().filter_map(|(key, bytes)| bytes.map(|bytes| (key, bytes)));
    let odd = bytes.find_map(|(key, bytes)| unless(bytes.is_power_of_two(), key, "a power of two", bytes));
    odd.or_else(|| {
        let (key, expected) = ("faults.refuses_implicit_heaps", "false below DDI 0115, where no heap is marked");
        unless(!faults.refuses_implicit_heaps || version >= DdiVersion::V0115, key, expected, true)
    })
    .or_else(|| {
        let name = faults.misses_a_texture_format.as_deref()?;
        let (key, expected) = ("faults.misses_a_texture_format", "the name of a DXGI format");
        unless(Format::parse(name).is_some(), key, expected, name)
    })
    .or_else(|| {
        let key = faults.of_tight().filter(|_| profile.caps.tight_alignment_tier == 0)?;
        unless(false, key, "none without tight alignment, which alone shows it", "one")
    })
    .or_else(|| {
        let key = faults.of_direct_access().filter(|_| profile.direct_access.is_none())?;
        unless(false, key, "none without the table direct_access, which alone shows it", "one")
    })
    .or_else(|| {
        let key = faults.of_contexts().filter(|_| profile.contexts.is_none())?;
        unless(false, key, "none without the table contexts, which alone shows it", "one")
    })
}

fn panics(profile: &Profile) -> Option<InvalidValue> {
    let (faults, key) = (&profile.faults, "faults.panics_at_call");
    let Some(name) = &faults.panics_in else {
        return unless(false, key, "none without panics_in", faults.panics_at_call?);
    };
    let functions = functions(name);
    unless(!functions.is_empty(), "faults.panics_in", "the name of a driver's function in its header", name).or_else(
        || {
            let at_call = faults.panics_at_call?;
            let is_ordered = functions.iter().all(|(_, is_ordered)| *is_ordered);
            unless(at_call > 0, key, "at least 1", at_call).or_else(|| {
                unless(is_ordered, key, "none for a function of contexts, whose calls no lock orders", at_call)
            })
        },
    )
}
