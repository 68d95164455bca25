//! Translation of the queries of sizes and features.

use super::args::{AllocationInfoArgs, FeatureArgs, RawAllocationInfo, RawResourceDesc};
use super::row::Call;
use super::translation::{Translated, Translation};
use super::value::Printed;
use crate::call_log::{AllocationQuery, CallName, FeatureQuery, LogCall};
use taut_schemas::{AllocationInfos, Feature};

/// Maximum size of a feature's structure that is read; the largest in d3d12.h are smaller.
const MAX_FEATURE_BYTES: u32 = 256;

/// Translates GetResourceAllocationInfo to 3.
pub(super) fn allocation_info(call: &Call<'_>) -> Translation {
    let Some(name) = CallName::parse(&call.name) else { return Ok(Translated::NotPlayed) };
    let args: AllocationInfoArgs = call.args()?;
    let answer: RawAllocationInfo = call.result()?;
    let descs = args.pResourceDescs.iter().map(RawResourceDesc::desc).collect::<Vec<_>>();
    let mip_regions = args.pResourceDescs.iter().map(RawResourceDesc::mip_region);
    let mip_regions = if name.takes_desc1() { mip_regions.collect() } else { Vec::new() };
    // Of the castable formats, the tool prints the first of the first description.
    let mut castable_formats = vec![Vec::new(); if name.takes_castable_formats() { descs.len() } else { 0 }];
    if let (Some(first), Some(format)) = (castable_formats.first_mut(), args.ppCastableFormats) {
        first.push(format.0);
    }
    let infos = args.pResourceAllocationInfo1;
    let want_infos = infos.is_some();
    let infos = infos.unwrap_or_default().iter().map(|info| info.info()).collect();
    let (size_bytes, alignment_bytes) = (answer.SizeInBytes, answer.Alignment);
    Ok(Translated::Line(LogCall::GetResourceAllocationInfo(Box::new(AllocationQuery {
        name,
        visible_mask: args.visibleMask.0.0,
        descs,
        mip_regions,
        castable_formats,
        want_infos,
        answer: AllocationInfos { size_bytes, alignment_bytes, infos },
    }))))
}

/// Translates CheckFeatureSupport of the features that the model has. The structure before the call is not in the
/// capture; zeros are node 0.
pub(super) fn feature(call: &Call<'_>) -> Translation {
    let args: FeatureArgs = call.args()?;
    let Some(feature) = Feature::from_text(&args.Feature) else { return Ok(Translated::NotPlayed) };
    if args.FeatureSupportDataSize > MAX_FEATURE_BYTES {
        return Ok(Translated::NotPlayed);
    }
    let data_in = vec![0; args.FeatureSupportDataSize as usize];
    let query = FeatureQuery { feature, data_in, hr: call.result_of()?, data_out: None };
    Ok(Translated::Line(LogCall::CheckFeatureSupport(Box::new(query))))
}
