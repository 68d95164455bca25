//! Uses of buffers, and the alignment that each use requires (rule A-17).

/// Min alignment of every tight buffer, in bytes (rule A-11).
const MIN_ALIGNMENT_BYTES: u64 = 8;

macro_rules! buffer_uses {
    ($( $(#[doc = $doc:literal])+ $Use:ident = $floor_bytes:literal, $name:literal; )*) => {
        /// A use of a buffer that has an alignment floor.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum BufferUse { $( $(#[doc = $doc])+ $Use, )* }

        impl BufferUse {
            /// Every use.
            pub const ALL: &'static [BufferUse] = &[ $( BufferUse::$Use ),* ];

            /// Min alignment of a buffer of this use, in bytes.
            pub const fn floor_bytes(self) -> u64 {
                match self { $( BufferUse::$Use => $floor_bytes, )* }
            }

            /// The use in words.
            pub const fn name(self) -> &'static str {
                match self { $( BufferUse::$Use => $name, )* }
            }
        }
    };
}

buffer_uses! {
    /// A raw shader-resource or unordered-access view.
    RawView = 16, "raw view";
    /// Vertices, indices, transforms, boxes and instances of a raytracing build.
    RaytracingBuildInput = 16, "raytracing build input";
    /// A shader table, or the record of a ray-generation shader.
    ShaderTable = 64, "shader table";
    /// Inputs of a cluster-level acceleration structure.
    ClusterAccelerationStructure = 128, "cluster acceleration structure";
    /// Opacity micromaps: an array, and what it is built from.
    OpacityMicromap = 128, "opacity micromap";
    /// A constant buffer view.
    ConstantBufferView = 256, "constant buffer view";
    /// A compressed video bitstream.
    VideoBitstream = 256, "video bitstream";
    /// A histogram that video decoding writes.
    VideoHistogram = 256, "video histogram";
}

/// Min alignment of a buffer with these uses, in bytes: the largest of their floors; without any, that of every tight
/// buffer.
///
/// ```
/// use taut_schemas::{BufferUse, floor_bytes};
///
/// assert_eq!(floor_bytes([BufferUse::RawView, BufferUse::ShaderTable]), 64);
/// ```
pub fn floor_bytes(uses: impl IntoIterator<Item = BufferUse>) -> u64 {
    uses.into_iter().map(BufferUse::floor_bytes).fold(MIN_ALIGNMENT_BYTES, u64::max)
}

/// Max of all floors: a buffer with this alignment may be bound for any use.
pub const MAX_FLOOR_BYTES: u64 = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a17_several_uses_need_the_largest_floor() {
        assert_eq!(floor_bytes([]), 8);
        assert_eq!(floor_bytes(BufferUse::ALL.iter().copied()), MAX_FLOOR_BYTES);
        for first in BufferUse::ALL {
            assert!(first.floor_bytes().is_power_of_two() && first.floor_bytes() <= MAX_FLOOR_BYTES);
            for second in BufferUse::ALL {
                let both = floor_bytes([*first, *second]);
                assert_eq!(both, first.floor_bytes().max(second.floor_bytes()));
            }
        }
    }
}
