//! Outputs of ID3D12Device::GetCopyableFootprints.

use crate::convert;
use crate::unsafe_abi::{Out, PlacedFootprint};
use taut_schemas::CopyableFootprints;

/// The outputs; each may be NULL.
pub struct Footprints {
    pub layouts: Out<PlacedFootprint>,
    pub num_rows: Out<u32>,
    pub row_sizes: Out<u64>,
    pub total: Out<u64>,
}

impl Footprints {
    /// Writes the footprints of at most `count` subresources. Without footprints the total is UINT64_MAX.
    pub fn set(self, footprints: Option<CopyableFootprints>, count: u32) {
        let Some(footprints) = footprints else {
            self.total.set(u64::MAX);
            return;
        };
        let found = footprints.layouts.iter().take(count as usize);
        self.layouts.set_list(&found.clone().map(convert::footprint).collect::<Vec<_>>());
        self.num_rows.set_list(&found.clone().map(|layout| layout.num_rows).collect::<Vec<_>>());
        self.row_sizes.set_list(&found.map(|layout| layout.row_size_bytes).collect::<Vec<_>>());
        self.total.set(footprints.total_bytes);
    }
}
