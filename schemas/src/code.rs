//! Enumerations and flags of d3d12.h and d3d12umddi.h.
//!
//! All are open: a value without a name is legal input (the runtime returns `E_INVALIDARG`) and must survive recording.

use crate::field::Field;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{CodeSchema, FieldSink};
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! codes {
    ($( $(#[$meta:meta])* $kind:ident $Name:ident $(was $was:ident)* {
        $( $(#[$doc:meta])* $VALUE:ident $(was $value_was:ident)* = $value:literal, )*
    } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $Name(pub u32);

        impl $Name {
            $( $(#[$doc])* #[doc = concat!("`", stringify!($VALUE), "` = ", stringify!($value), ".")]
            pub const $VALUE: Self = Self($value); )*

            /// Values and names, without the header's prefix.
            pub const NAMES: &'static [(u32, &'static str)] = &[ $( ($value, stringify!($VALUE)) ),* ];

            /// The value of this name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::NAMES.iter().find(|(_, known)| *known == name).map(|(value, _)| Self(*value))
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $crate::code::codes!(@debug $kind, self, f)
            }
        }

        impl Field for $Name {
            const MIN_BYTES: usize = 4;
            fn describe(sink: &mut FieldSink) {
                let values = Self::NAMES.iter().map(|(value, name)| (u64::from(*value), (*name).to_owned()));
                let flags = $crate::code::codes!(@is_flags $kind);
                sink.code(4, CodeSchema { name: stringify!($Name).to_owned(), flags, values: values.collect() });
                sink.former_code(
                    stringify!($Name),
                    &[$(stringify!($was)),*],
                    &[$($( ($value, stringify!($value_was), stringify!($VALUE)), )*)*],
                );
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                encoder.u32(self.0);
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                Ok(Self(decoder.u32()?))
            }
            #[inline]
            fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
                Some(Self(numbers.next()? as u32))
            }
        }

        $crate::code::codes!(@bits $kind $Name);
    )* };
    (@is_flags flags) => { true };
    (@is_flags code) => { false };
    (@debug code, $self:ident, $f:ident) => {
        match Self::NAMES.iter().find(|(value, _)| *value == $self.0) {
            Some((_, name)) => $f.write_str(name),
            None => write!($f, "{}", $self.0),
        }
    };
    (@debug flags, $self:ident, $f:ident) => { write!($f, "0x{:x}", $self.0) };
    (@bits code $Name:ident) => {};
    (@bits flags $Name:ident) => {
        impl $Name {
            /// True if all bits of `other` are set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// True if some bit of `other` is set.
            pub const fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Returns the bits that are not in `other`.
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }

        impl std::ops::BitOr for $Name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    };
}

pub(crate) use codes;

codes! {
    /// `D3D12_RESOURCE_DIMENSION`.
    code Dimension { UNKNOWN = 0, BUFFER = 1, TEXTURE1D = 2, TEXTURE2D = 3, TEXTURE3D = 4, }

    /// `D3D12_TEXTURE_LAYOUT`.
    code TextureLayout { UNKNOWN = 0, ROW_MAJOR = 1, _64KB_UNDEFINED_SWIZZLE = 2, _64KB_STANDARD_SWIZZLE = 3, }

    /// `D3D12_RESOURCE_FLAGS`.
    flags ResourceFlags {
        NONE = 0, ALLOW_RENDER_TARGET = 0x1, ALLOW_DEPTH_STENCIL = 0x2, ALLOW_UNORDERED_ACCESS = 0x4,
        DENY_SHADER_RESOURCE = 0x8, ALLOW_CROSS_ADAPTER = 0x10, ALLOW_SIMULTANEOUS_ACCESS = 0x20,
        VIDEO_DECODE_REFERENCE_ONLY = 0x40, VIDEO_ENCODE_REFERENCE_ONLY = 0x80,
        RAYTRACING_ACCELERATION_STRUCTURE = 0x100, USE_TIGHT_ALIGNMENT = 0x400,
    }

    /// `D3D12_HEAP_TYPE`.
    code HeapType { NONE = 0, DEFAULT = 1, UPLOAD = 2, READBACK = 3, CUSTOM = 4, GPU_UPLOAD = 5, }

    /// `D3D12_CPU_PAGE_PROPERTY`.
    code CpuPageProperty { UNKNOWN = 0, NOT_AVAILABLE = 1, WRITE_COMBINE = 2, WRITE_BACK = 3, }

    /// `D3D12_MEMORY_POOL`.
    code MemoryPool { UNKNOWN = 0, L0 = 1, L1 = 2, }

    /// `D3D12_HEAP_FLAGS`.
    flags HeapFlags {
        NONE = 0, SHARED = 0x1, DENY_BUFFERS = 0x4, ALLOW_DISPLAY = 0x8, SHARED_CROSS_ADAPTER = 0x20,
        DENY_RT_DS_TEXTURES = 0x40, DENY_NON_RT_DS_TEXTURES = 0x80, HARDWARE_PROTECTED = 0x100,
        ALLOW_WRITE_WATCH = 0x200, ALLOW_SHADER_ATOMICS = 0x400, CREATE_NOT_RESIDENT = 0x800,
        CREATE_NOT_ZEROED = 0x1000, TOOLS_USE_MANUAL_WRITE_TRACKING = 0x2000,
    }

    /// `D3D12_FEATURE`, restricted to the features that the simulation answers.
    code Feature {
        D3D12_OPTIONS = 0, ARCHITECTURE = 1, PROTECTED_RESOURCE_SESSION_SUPPORT = 10, D3D12_OPTIONS4 = 23,
        D3D12_OPTIONS6 = 30, D3D12_OPTIONS8 = 36, D3D12_OPTIONS12 = 41, D3D12_OPTIONS16 = 45, D3D12_TIGHT_ALIGNMENT = 54,
    }

    /// `D3D12_TIGHT_ALIGNMENT_TIER`.
    code TightAlignmentTier { NOT_SUPPORTED = 0, TIER_1 = 1, }

    /// `D3D12DDICAPS_TYPE`, restricted to the types that the runtime queries. Public documentation numbers only 1089;
    /// the others have the number of their position in the published list of names. LATER_OPTIONS is none of that list:
    /// the members of OPTIONS8 and OPTIONS12, which drivers report apart from the first options.
    code DdiCapsType {
        MEMORY_ARCHITECTURE = 2, ARCHITECTURE_INFO = 5, D3D12_OPTIONS = 6, TIGHT_ALIGNMENT_TIER_0111 = 1089,
        LATER_OPTIONS = 65536,
    }

    /// `D3D12DDI_RESOURCE_FLAGS_0003`. Not the API's bits: 0x400 means something else here (rule X-04).
    flags DdiResourceFlags {
        NONE = 0, RENDER_TARGET = 0x1, DEPTH_STENCIL = 0x2, CROSS_ADAPTER = 0x4, SIMULTANEOUS_ACCESS = 0x8,
        SHADER_RESOURCE = 0x10, VIDEO_DECODE_REFERENCE_ONLY = 0x20, CONTENT_PROTECTION = 0x40,
        UNORDERED_ACCESS = 0x80, ONLY_NON_RT_DS_TEXTURE_PLACEMENT = 0x100, ONLY_RT_DS_TEXTURE_PLACEMENT = 0x200,
        _4MB_ALIGNED = 0x400, SAMPLER_FEEDBACK = 0x800, VIDEO_ENCODE_REFERENCE_ONLY = 0x1000,
        RAYTRACING_ACCELERATION_STRUCTURE = 0x2000, USE_TIGHT_ALIGNMENT = 0x8000,
    }

    /// `D3D12DDI_HEAP_FLAGS`.
    flags DdiHeapFlags {
        NONE = 0, NON_RT_DS_TEXTURES = 0x2, BUFFERS = 0x4, COHERENT_SYSTEMWIDE = 0x8, PRIMARY = 0x10,
        RT_DS_TEXTURES = 0x20, DENY_L0_DEMOTION = 0x40, IMPLICIT = 0x80,
    }

    /// `D3D12_SRV_DIMENSION`.
    code SrvDimension {
        UNKNOWN = 0, BUFFER = 1, TEXTURE1D = 2, TEXTURE1DARRAY = 3, TEXTURE2D = 4, TEXTURE2DARRAY = 5, TEXTURE2DMS = 6,
        TEXTURE2DMSARRAY = 7, TEXTURE3D = 8, TEXTURECUBE = 9, TEXTURECUBEARRAY = 10,
        RAYTRACING_ACCELERATION_STRUCTURE = 11,
    }

    /// `D3D12_BUFFER_SRV_FLAGS`.
    flags BufferSrvFlags { NONE = 0, RAW = 0x1, }

    /// `D3D12_UAV_DIMENSION`.
    code UavDimension {
        UNKNOWN = 0, BUFFER = 1, TEXTURE1D = 2, TEXTURE1DARRAY = 3, TEXTURE2D = 4, TEXTURE2DARRAY = 5, TEXTURE2DMS = 6,
        TEXTURE2DMSARRAY = 7, TEXTURE3D = 8,
    }

    /// `D3D12_BUFFER_UAV_FLAGS`.
    flags BufferUavFlags { NONE = 0, RAW = 0x1, }

    /// `D3D12_RAYTRACING_ACCELERATION_STRUCTURE_TYPE`.
    code RaytracingAccelerationStructureType { TOP_LEVEL = 0, BOTTOM_LEVEL = 1, OPACITY_MICROMAP_ARRAY = 2, }

    /// `D3D12_RAYTRACING_GEOMETRY_TYPE`.
    code RaytracingGeometryType { TRIANGLES = 0, PROCEDURAL_PRIMITIVE_AABBS = 1, OMM_TRIANGLES = 2, }

    /// Edge of a workload phase: its beginning or its end; 0 for a single point in time.
    code PhaseEdge { BEGIN = 1, END = 2, }

    /// Difference between a call of a log and the same call in the recording: refused now, refused in the log, another
    /// answer.
    code DifferenceKind { REFUSED = 1, ACCEPTED = 2, ANSWER = 3, }

    /// `D3D12_MESSAGE_SEVERITY`.
    code MessageSeverity { CORRUPTION = 0, ERROR = 1, WARNING = 2, INFO = 3, MESSAGE = 4, }
}
