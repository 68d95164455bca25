//! Values as gfxrecon-convert prints them: names of enumerators, flags in hexadecimal, masks in binary, HRESULTs by name.

use serde::Deserialize;
use serde::de::{self, Deserializer, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;
use taut_schemas::format::Format;
use taut_schemas::{
    BufferSrvFlags, BufferUavFlags, CommandListType, CommandQueueFlags, CpuPageProperty, Dimension, Feature,
    FenceFlags, HResultCode, HeapFlags, HeapType, MemoryPool, ResourceFlags, SrvDimension, TextureLayout, UavDimension,
};

/// Type of a value that is printed as a text.
pub(crate) trait Printed: Sized {
    /// Name of a value, with article.
    const EXPECTED: &'static str;

    fn from_number(number: u64) -> Option<Self>;

    fn from_text(text: &str) -> Option<Self>;
}

/// Value of a field, printed as a text or, by other versions, as a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Value<T>(pub T);

impl<'de, T: Printed> Deserialize<'de> for Value<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text<T>(PhantomData<T>);
        impl<T: Printed> Visitor<'_> for Text<T> {
            type Value = Value<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value<T>, E> {
                let value = T::from_number(number).map(Value);
                value.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value<T>, E> {
                // Enumerators are 32-bit signed integers in C.
                let value = i32::try_from(number).ok().and_then(|number| T::from_number(u64::from(number as u32)));
                value.map(Value).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
            }

            fn visit_bool<E: de::Error>(self, is_set: bool) -> Result<Value<T>, E> {
                self.visit_u64(u64::from(is_set))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Value<T>, E> {
                T::from_text(text).map(Value).ok_or_else(|| {
                    let short: String = text.chars().take(64).collect();
                    E::invalid_value(Unexpected::Str(&short), &self)
                })
            }
        }
        deserializer.deserialize_any(Text(PhantomData))
    }
}

/// Returns the number in the text of a value without a name: `Unhandled DXGI_FORMAT (191)`.
fn unnamed(text: &str) -> Option<u32> {
    text.strip_prefix("Unhandled ")?.strip_suffix(')')?.rsplit_once('(')?.1.trim().parse().ok()
}

/// Returns the value of a named enumerator, or of one without a name.
fn enumerator(text: &str, prefix: &str, find: impl Fn(&str) -> Option<u32>) -> Option<u32> {
    let name = text.strip_prefix(prefix);
    // Names that begin with a digit have an underscore in the schema.
    name.and_then(|name| find(name).or_else(|| find(&format!("_{name}")))).or_else(|| unnamed(text))
}

/// Returns the value of flags: hexadecimal, or names of bits joined by `|`.
fn flags(text: &str, prefix: &str, find: impl Fn(&str) -> Option<u32>) -> Option<u32> {
    text.split('|').map(str::trim).try_fold(0, |sum, part| {
        let bits = match part.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => part.strip_prefix(prefix).and_then(&find),
        };
        Some(sum | bits?)
    })
}

macro_rules! printed {
    ($( $kind:ident $Type:ident $name:literal $prefix:literal $(+ $extra:expr)?; )*) => { $(
        impl Printed for $Type {
            const EXPECTED: &'static str = concat!("a value of ", $name);

            fn from_number(number: u64) -> Option<Self> {
                u32::try_from(number).ok().map($Type)
            }

            fn from_text(text: &str) -> Option<Self> {
                let extra: &[(u32, &str)] = printed!(@extra $($extra)?);
                let find = |name: &str| {
                    let known = extra.iter().find(|(_, known)| *known == name).map(|(value, _)| *value);
                    known.or_else(|| $Type::parse(name).map(|value| value.0))
                };
                $kind(text, $prefix, find).map($Type)
            }
        }
    )* };
    (@extra) => { &[] };
    (@extra $extra:expr) => { $extra };
}

/// Names of combinations and of zero that the schema does not list (d3d12.h: D3D12_HEAP_FLAGS).
const HEAP_FLAG_NAMES: &[(u32, &str)] = &[
    (0, "ALLOW_ALL_BUFFERS_AND_TEXTURES"),
    (0xc0, "ALLOW_ONLY_BUFFERS"),
    (0x44, "ALLOW_ONLY_NON_RT_DS_TEXTURES"),
    (0x84, "ALLOW_ONLY_RT_DS_TEXTURES"),
];

printed! {
    enumerator Dimension "D3D12_RESOURCE_DIMENSION" "D3D12_RESOURCE_DIMENSION_";
    enumerator TextureLayout "D3D12_TEXTURE_LAYOUT" "D3D12_TEXTURE_LAYOUT_";
    enumerator Format "DXGI_FORMAT" "DXGI_FORMAT_";
    enumerator HeapType "D3D12_HEAP_TYPE" "D3D12_HEAP_TYPE_";
    enumerator CpuPageProperty "D3D12_CPU_PAGE_PROPERTY" "D3D12_CPU_PAGE_PROPERTY_";
    enumerator MemoryPool "D3D12_MEMORY_POOL" "D3D12_MEMORY_POOL_";
    enumerator Feature "D3D12_FEATURE" "D3D12_FEATURE_";
    enumerator CommandListType "D3D12_COMMAND_LIST_TYPE" "D3D12_COMMAND_LIST_TYPE_"
        + &[(4, "VIDEO_DECODE"), (5, "VIDEO_PROCESS"), (6, "VIDEO_ENCODE"), (u32::MAX, "NONE")];
    enumerator SrvDimension "D3D12_SRV_DIMENSION" "D3D12_SRV_DIMENSION_";
    enumerator UavDimension "D3D12_UAV_DIMENSION" "D3D12_UAV_DIMENSION_";
    flags ResourceFlags "D3D12_RESOURCE_FLAGS" "D3D12_RESOURCE_FLAG_";
    flags HeapFlags "D3D12_HEAP_FLAGS" "D3D12_HEAP_FLAG_" + HEAP_FLAG_NAMES;
    flags CommandQueueFlags "D3D12_COMMAND_QUEUE_FLAGS" "D3D12_COMMAND_QUEUE_FLAG_";
    flags FenceFlags "D3D12_FENCE_FLAGS" "D3D12_FENCE_FLAG_";
    flags BufferSrvFlags "D3D12_BUFFER_SRV_FLAGS" "D3D12_BUFFER_SRV_FLAG_";
    flags BufferUavFlags "D3D12_BUFFER_UAV_FLAGS" "D3D12_BUFFER_UAV_FLAG_";
    flags ResourceStates "D3D12_RESOURCE_STATES" "D3D12_RESOURCE_STATE_";
    enumerator BarrierLayout "D3D12_BARRIER_LAYOUT" "D3D12_BARRIER_LAYOUT_";
}

/// `D3D12_RESOURCE_STATES`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ResourceStates(pub u32);

/// `D3D12_BARRIER_LAYOUT`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BarrierLayout(pub u32);

impl ResourceStates {
    fn parse(name: &str) -> Option<ResourceStates> {
        // d3d12.h: D3D12_RESOURCE_STATES.
        const NAMES: &[(u32, &str)] = &[
            (0, "COMMON"),
            (0, "PRESENT"),
            (0x1, "VERTEX_AND_CONSTANT_BUFFER"),
            (0x2, "INDEX_BUFFER"),
            (0x4, "RENDER_TARGET"),
            (0x8, "UNORDERED_ACCESS"),
            (0x10, "DEPTH_WRITE"),
            (0x20, "DEPTH_READ"),
            (0x40, "NON_PIXEL_SHADER_RESOURCE"),
            (0x80, "PIXEL_SHADER_RESOURCE"),
            (0xc0, "ALL_SHADER_RESOURCE"),
            (0x100, "STREAM_OUT"),
            (0x200, "INDIRECT_ARGUMENT"),
            (0x200, "PREDICATION"),
            (0x400, "COPY_DEST"),
            (0x800, "COPY_SOURCE"),
            (0xac3, "GENERIC_READ"),
            (0x1000, "RESOLVE_DEST"),
            (0x2000, "RESOLVE_SOURCE"),
            (0x1_0000, "VIDEO_DECODE_READ"),
            (0x2_0000, "VIDEO_DECODE_WRITE"),
            (0x4_0000, "VIDEO_PROCESS_READ"),
            (0x8_0000, "VIDEO_PROCESS_WRITE"),
            (0x20_0000, "VIDEO_ENCODE_READ"),
            (0x80_0000, "VIDEO_ENCODE_WRITE"),
            (0x40_0000, "RAYTRACING_ACCELERATION_STRUCTURE"),
            (0x100_0000, "SHADING_RATE_SOURCE"),
        ];
        NAMES.iter().find(|(_, known)| *known == name).map(|(value, _)| ResourceStates(*value))
    }
}

impl BarrierLayout {
    fn parse(name: &str) -> Option<BarrierLayout> {
        // d3d12.h: D3D12_BARRIER_LAYOUT, from 0; the name of a number without one is empty.
        const NAMES: &[&str] = &[
            "COMMON",
            "GENERIC_READ",
            "RENDER_TARGET",
            "UNORDERED_ACCESS",
            "DEPTH_STENCIL_WRITE",
            "DEPTH_STENCIL_READ",
            "SHADER_RESOURCE",
            "COPY_SOURCE",
            "COPY_DEST",
            "RESOLVE_SOURCE",
            "RESOLVE_DEST",
            "SHADING_RATE_SOURCE",
            "VIDEO_DECODE_READ",
            "VIDEO_DECODE_WRITE",
            "VIDEO_PROCESS_READ",
            "VIDEO_PROCESS_WRITE",
            "VIDEO_ENCODE_READ",
            "VIDEO_ENCODE_WRITE",
            "DIRECT_QUEUE_COMMON",
            "DIRECT_QUEUE_GENERIC_READ",
            "DIRECT_QUEUE_UNORDERED_ACCESS",
            "DIRECT_QUEUE_SHADER_RESOURCE",
            "DIRECT_QUEUE_COPY_SOURCE",
            "DIRECT_QUEUE_COPY_DEST",
            "COMPUTE_QUEUE_COMMON",
            "COMPUTE_QUEUE_GENERIC_READ",
            "COMPUTE_QUEUE_UNORDERED_ACCESS",
            "COMPUTE_QUEUE_SHADER_RESOURCE",
            "COMPUTE_QUEUE_COPY_SOURCE",
            "COMPUTE_QUEUE_COPY_DEST",
            "",
            "DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE",
        ];
        match name {
            "" => None,
            "UNDEFINED" => Some(BarrierLayout(u32::MAX)),
            "PRESENT" => Some(BarrierLayout(0)),
            name => NAMES.iter().position(|known| *known == name).map(|value| BarrierLayout(value as u32)),
        }
    }
}

/// Node mask: `0b` and binary digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct NodeMask(pub u32);

impl Printed for NodeMask {
    const EXPECTED: &'static str = "a node mask in binary";

    fn from_number(number: u64) -> Option<Self> {
        u32::try_from(number).ok().map(NodeMask)
    }

    fn from_text(text: &str) -> Option<Self> {
        u32::from_str_radix(text.strip_prefix("0b")?, 2).ok().map(NodeMask)
    }
}

/// GPU virtual address: `0x` and hexadecimal digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Address(pub u64);

impl Printed for Address {
    const EXPECTED: &'static str = "a GPU virtual address in hexadecimal";

    fn from_number(number: u64) -> Option<Self> {
        Some(Address(number))
    }

    fn from_text(text: &str) -> Option<Self> {
        u64::from_str_radix(text.strip_prefix("0x")?, 16).ok().map(Address)
    }
}

impl Printed for HResultCode {
    const EXPECTED: &'static str = "the name of an HRESULT";

    fn from_number(number: u64) -> Option<Self> {
        u32::try_from(number).ok().map(HResultCode)
    }

    fn from_text(text: &str) -> Option<Self> {
        if let Some(digits) = text.strip_prefix("0x") {
            return u32::from_str_radix(digits, 16).ok().map(HResultCode);
        }
        RESULTS.iter().find(|(_, name)| *name == text).map(|(code, _)| HResultCode(*code))
    }
}

/// HRESULTs by name (winerror.h, d3d12.h).
const RESULTS: [(u32, &str); 51] = [
    (0, "S_OK"),
    (1, "S_FALSE"),
    (0x8000_4001, "E_NOTIMPL"),
    (0x8000_4002, "E_NOINTERFACE"),
    (0x8000_4005, "E_FAIL"),
    (0x8007_0005, "E_ACCESSDENIED"),
    (0x8007_0006, "E_HANDLE"),
    (0x8007_000e, "E_OUTOFMEMORY"),
    (0x8007_0057, "E_INVALIDARG"),
    (0x887a_0001, "DXGI_ERROR_INVALID_CALL"),
    (0x887a_0002, "DXGI_ERROR_NOT_FOUND"),
    (0x887a_0004, "DXGI_ERROR_UNSUPPORTED"),
    (0x887a_0005, "DXGI_ERROR_DEVICE_REMOVED"),
    (0x887a_000a, "DXGI_ERROR_WAS_STILL_DRAWING"),
    (0x887a_0020, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"),
    (0x887a_0021, "DXGI_ERROR_NONEXCLUSIVE"),
    (0x887a_0022, "DXGI_ERROR_NOT_CURRENTLY_AVAILABLE"),
    (0x087a_0001, "DXGI_STATUS_OCCLUDED"),
    (0x8000_4003, "E_POINTER"),
    (0x8000_4004, "E_ABORT"),
    (0x8000_000a, "E_PENDING"),
    (0x8000_ffff, "E_UNEXPECTED"),
    (0x887e_0001, "D3D12_ERROR_ADAPTER_NOT_FOUND"),
    (0x887e_0002, "D3D12_ERROR_DRIVER_VERSION_MISMATCH"),
    (0x887e_0003, "D3D12_ERROR_INVALID_REDIST"),
    (0x887a_0003, "DXGI_ERROR_MORE_DATA"),
    (0x887a_0006, "DXGI_ERROR_DEVICE_HUNG"),
    (0x887a_0007, "DXGI_ERROR_DEVICE_RESET"),
    (0x887a_000b, "DXGI_ERROR_FRAME_STATISTICS_DISJOINT"),
    (0x887a_000c, "DXGI_ERROR_GRAPHICS_VIDPN_SOURCE_IN_USE"),
    (0x887a_0023, "DXGI_ERROR_REMOTE_CLIENT_DISCONNECTED"),
    (0x887a_0024, "DXGI_ERROR_REMOTE_OUTOFMEMORY"),
    (0x887a_0026, "DXGI_ERROR_ACCESS_LOST"),
    (0x887a_0027, "DXGI_ERROR_WAIT_TIMEOUT"),
    (0x887a_0028, "DXGI_ERROR_SESSION_DISCONNECTED"),
    (0x887a_0029, "DXGI_ERROR_RESTRICT_TO_OUTPUT_STALE"),
    (0x887a_002a, "DXGI_ERROR_CANNOT_PROTECT_CONTENT"),
    (0x887a_002b, "DXGI_ERROR_ACCESS_DENIED"),
    (0x887a_002c, "DXGI_ERROR_NAME_ALREADY_EXISTS"),
    (0x887a_002d, "DXGI_ERROR_SDK_COMPONENT_MISSING"),
    (0x887a_0030, "DXGI_ERROR_HW_PROTECTION_OUTOFMEMORY"),
    (0x887a_0036, "DXGI_ERROR_ALREADY_EXISTS"),
    (0x087a_0002, "DXGI_STATUS_CLIPPED"),
    (0x087a_0004, "DXGI_STATUS_NO_REDIRECTION"),
    (0x087a_0005, "DXGI_STATUS_NO_DESKTOP_ACCESS"),
    (0x087a_0006, "DXGI_STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE"),
    (0x087a_0007, "DXGI_STATUS_MODE_CHANGED"),
    (0x087a_0008, "DXGI_STATUS_MODE_CHANGE_IN_PROGRESS"),
    (0x087a_0009, "DXGI_STATUS_UNOCCLUDED"),
    (0x087a_000a, "DXGI_STATUS_DDA_WAS_STILL_DRAWING"),
    (0x087a_002f, "DXGI_STATUS_PRESENT_REQUIRED"),
];
