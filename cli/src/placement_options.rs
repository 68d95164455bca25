//! Options of `taut replay` for other placement policies and for changes of the alignment report.

use crate::choices;
use clap::Args;
use std::path::PathBuf;
use taut_analyze::placement::Policy;
use taut_replay::CauseChange;

/// Which policies are tried, with which heaps.
#[derive(Debug, Clone, Args)]
pub struct PlacementOptions {
    /// What if: an allocator of this policy had placed everything; several give a table
    #[arg(long, value_name = "POLICY,..", value_delimiter = ',', add = choices::named(choices::policies))]
    #[arg(long_help = choices::one_of("What if: an allocator of this policy had placed everything; several give a table", &choices::policies()))]
    #[arg(group = "pictured", conflicts_with_all = ["output", "changes", "repeat", "until"])]
    pub place: Vec<Policy>,
    /// Sizes of that allocator's heaps
    #[arg(long, value_name = "SIZE,..", value_delimiter = ',', value_parser = bytes, default_value = "64MiB", requires = "place")]
    pub block_size: Vec<u64>,
    /// That allocator gives what is larger a heap of its own
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "32MiB", requires = "place")]
    pub dedicated_above: u64,
    /// Further traces to try the policies on
    #[arg(value_name = "FILE", requires = "place")]
    pub more: Vec<PathBuf>,
    /// Draw what the policies, or the values of a sweep, come to into this SVG file
    #[arg(long, value_name = "FILE.svg", requires = "pictured")]
    pub picture: Option<PathBuf>,
}

/// Which changes of the alignment report are made.
#[derive(Debug, Clone, Args)]
pub struct ChangeOptions {
    /// What if: this change of the alignment report were made, of those that ask for another description: such as
    /// buffers_below_256_b=tight or small_textures=alignment_4_kib; several are made together
    #[arg(long, value_name = "CAUSE=CHANGE,..", value_delimiter = ',', conflicts_with_all = ["place", "repeat"])]
    pub change: Vec<CauseChange>,
}

pub use taut_console::args::size as bytes;

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_a_unit_or_are_bytes() {
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("16 KiB"), Ok(16 << 10));
        assert_eq!(bytes("4096"), Ok(4096));
        for wrong in ["", "0", "MiB", "1MB", "-1", "1.5GiB", "20000000000GiB"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
