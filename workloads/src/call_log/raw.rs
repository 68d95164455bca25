//! Lines as JSON structs, one per kind of line.

use super::use_line::{BufferPlace, BufferRange, Geometry, ShaderTable, ViewDesc};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// Fields of every line.
pub(super) trait RawLine {
    /// Returns seq, thread and test.
    fn head(&self) -> (u64, u32, u32);
}

/// Defines the structs of a list with the fields that every line has; `create` lines also have the common fields of
/// creations.
macro_rules! raw_lines {
    ($( $(#[doc = $doc:literal])+ $Name:ident { $( $(#[$meta:meta])* $field:ident: $ty:ty, )* } )*
     create $( $(#[doc = $create_doc:literal])+ $Create:ident { $( $create_field:ident: $create_ty:ty, )* } )*) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Deserialize)]
            #[serde(deny_unknown_fields, expecting = "a line of the log, an object")]
            pub(super) struct $Name {
                pub seq: u64,
                pub thread: u32,
                pub test: u32,
                #[serde(rename = "call")]
                pub _call: IgnoredAny,
                $( $(#[$meta])* pub $field: $ty, )*
            }
            impl RawLine for $Name {
                fn head(&self) -> (u64, u32, u32) {
                    (self.seq, self.thread, self.test)
                }
            }
        )*
        $(
            $(#[doc = $create_doc])+
            #[derive(Debug, Deserialize)]
            #[serde(deny_unknown_fields, expecting = "a line of the log, an object")]
            pub(super) struct $Create {
                pub seq: u64,
                pub thread: u32,
                pub test: u32,
                #[serde(rename = "call")]
                pub _call: IgnoredAny,
                $( pub $create_field: $create_ty, )*
                pub desc: RawDesc,
                pub initial_state: Option<u32>,
                pub initial_layout: Option<u32>,
                #[serde(deserialize_with = "nullable")]
                pub clear: Option<RawClear>,
                pub castable_formats: Vec<u32>,
                pub hr: u32,
                #[serde(deserialize_with = "nullable")]
                pub obj: Option<u64>,
                pub info: Option<RawInfo>,
            }
            impl RawLine for $Create {
                fn head(&self) -> (u64, u32, u32) {
                    (self.seq, self.thread, self.test)
                }
            }
            impl $Create {
                /// Splits the line into its own fields and the common fields of creations.
                pub(super) fn into_parts(self) -> (($( $create_ty, )*), RawTail) {
                    let Self { desc, initial_state, initial_layout, clear, castable_formats, hr, obj, info, .. } = self;
                    let tail = RawTail { desc, initial_state, initial_layout, clear, castable_formats, hr, obj, info };
                    (($( self.$create_field, )*), tail)
                }
            }
        )*
    };
}

raw_lines! {
    /// BeginTest.
    RawBeginTest { name: String, }
    /// EndTest.
    RawEndTest { result: RawVerdict, }
    /// CheckFeatureSupport.
    RawFeature {
        feature: u32,
        size: u32,
        #[serde(rename = "in")]
        data_in: String,
        hr: u32,
        #[serde(deserialize_with = "nullable")]
        bytes: Option<String>,
    }
    /// GetResourceAllocationInfo.
    RawQuery { visible_mask: u32, count: u64, size: u64, alignment: u64, descs: Vec<RawDesc>, }
    /// GetResourceAllocationInfo1, 2 and 3.
    RawInfosQuery {
        visible_mask: u32,
        count: u64,
        size: u64,
        alignment: u64,
        descs: Vec<RawDesc>,
        castable_formats: Option<Vec<Vec<u32>>>,
        #[serde(deserialize_with = "nullable")]
        infos: Option<Vec<RawPlacedInfo>>,
    }
    /// CreateHeap and 1.
    RawHeap {
        size: u64,
        heap_type: u32,
        cpu_page_property: u32,
        memory_pool: u32,
        creation_node_mask: u32,
        visible_node_mask: u32,
        alignment: u64,
        flags: u32,
        protected: u8,
        hr: u32,
        #[serde(deserialize_with = "nullable")]
        obj: Option<u64>,
    }
    /// Map.
    RawMap {
        obj: u64,
        subresource: u32,
        #[serde(deserialize_with = "nullable")]
        read_range: Option<(u64, u64)>,
        hr: u32,
    }
    /// Unmap.
    RawUnmap {
        obj: u64,
        subresource: u32,
        #[serde(deserialize_with = "nullable")]
        written_range: Option<(u64, u64)>,
    }
    /// ReleaseResource and ReleaseHeap.
    RawRelease { obj: u64, }
    /// SetName.
    RawSetName { obj: u64, name: String, }
    /// Frame.
    RawFrame { index: u64, }
    /// GetCopyableFootprints.
    RawFootprints {
        desc: RawDesc,
        first_subresource: u32,
        num_subresources: u32,
        base_offset: u64,
        total: u64,
    }
    /// CreateConstantBufferView.
    RawConstantBufferView {
        #[serde(deserialize_with = "nullable")]
        range: Option<BufferRange>,
    }
    /// CreateShaderResourceView.
    RawShaderResourceView {
        #[serde(deserialize_with = "nullable")]
        obj: Option<u64>,
        #[serde(deserialize_with = "nullable")]
        desc: Option<ViewDesc>,
    }
    /// CreateUnorderedAccessView.
    RawUnorderedAccessView {
        #[serde(deserialize_with = "nullable")]
        obj: Option<u64>,
        #[serde(deserialize_with = "nullable")]
        counter: Option<u64>,
        #[serde(deserialize_with = "nullable")]
        desc: Option<ViewDesc>,
    }
    /// DispatchRays.
    RawDispatchRays {
        ray_generation: BufferRange,
        miss: Option<ShaderTable>,
        hit_group: Option<ShaderTable>,
        callable: Option<ShaderTable>,
        width: u32,
        height: u32,
        depth: u32,
    }
    /// BuildRaytracingAccelerationStructure.
    RawBuild {
        #[serde(rename = "type")]
        structure_type: u32,
        dest: BufferPlace,
        source: Option<BufferPlace>,
        scratch: Option<BufferPlace>,
        instances: Option<BufferPlace>,
        micromap_input: Option<BufferPlace>,
        micromap_descs: Option<BufferPlace>,
        geometries: Vec<Geometry>,
    }
    /// DecodeFrame1.
    RawDecode { bitstream: BufferRange, histograms: Vec<BufferPlace>, }
    /// EndCapture.
    RawEndCapture { objects_created: u64, objects_live: u64, }

    create
    /// CreatePlacedResource and 1, 2.
    RawPlaced { heap: u64, offset: u64, }
    /// CreateCommittedResource and 1, 2, 3.
    RawCommitted {
        heap_type: u32,
        cpu_page_property: u32,
        memory_pool: u32,
        creation_node_mask: u32,
        visible_node_mask: u32,
        heap_flags: u32,
        protected: u8,
    }
    /// CreateReservedResource.
    RawReserved {}
}

/// Common fields of the calls that create a resource.
pub(super) struct RawTail {
    pub desc: RawDesc,
    pub initial_state: Option<u32>,
    pub initial_layout: Option<u32>,
    pub clear: Option<RawClear>,
    pub castable_formats: Vec<u32>,
    pub hr: u32,
    pub obj: Option<u64>,
    pub info: Option<RawInfo>,
}

/// Result of a test.
#[derive(Debug, Deserialize)]
pub(super) enum RawVerdict {
    #[serde(rename = "PASS")]
    Pass,
    #[serde(rename = "FAIL")]
    Fail,
}

/// `D3D12_RESOURCE_DESC`, or `D3D12_RESOURCE_DESC1` with a mip region.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a resource description, an object")]
pub(super) struct RawDesc {
    pub dimension: u32,
    pub alignment: u64,
    pub width: u64,
    pub height: u32,
    pub depth_or_array: u16,
    pub mips: u16,
    pub format: u32,
    pub sample_count: u32,
    pub sample_quality: u32,
    pub layout: u32,
    pub flags: u32,
    pub mip_region: Option<[u32; 3]>,
}

/// `D3D12_CLEAR_VALUE`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a clear value, an object")]
pub(super) struct RawClear {
    pub format: u32,
    pub bytes: String,
}

/// `D3D12_RESOURCE_ALLOCATION_INFO`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "size and alignment, an object")]
pub(super) struct RawInfo {
    pub size: u64,
    pub alignment: u64,
}

/// `D3D12_RESOURCE_ALLOCATION_INFO1`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "offset, alignment and size, an object")]
pub(super) struct RawPlacedInfo {
    pub offset: u64,
    pub alignment: u64,
    pub size: u64,
}

/// Deserialises a field that is required but may be null.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// Field that decides the struct of a line.
#[derive(Deserialize)]
#[serde(expecting = "a line of the log, an object")]
struct Envelope<'a> {
    #[serde(borrow)]
    call: Cow<'a, str>,
}

/// Returns the name of a line's call. The fast path expects it after three numbers, where recorders write it; other
/// orders are legal and slower.
pub(super) fn call_of(line: &[u8]) -> Result<Cow<'_, str>, serde_json::Error> {
    match leading_call(line) {
        Some(name) => Ok(Cow::Borrowed(name)),
        None => serde_json::from_slice::<Envelope<'_>>(line).map(|envelope| envelope.call),
    }
}

fn leading_call(line: &[u8]) -> Option<&str> {
    let rest = number_field(line, b"{\"seq\":")?;
    let rest = number_field(rest, b",\"thread\":")?;
    let rest = number_field(rest, b",\"test\":")?;
    let name = rest.strip_prefix(b",\"call\":\"")?;
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    if name[end] == b'"' { std::str::from_utf8(&name[..end]).ok() } else { None }
}

fn number_field<'a>(text: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let rest = text.strip_prefix(key)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    Some(&rest[end..])
}
