//! Options of `taut replay` for other placement policies and for changes of the alignment report.

use crate::choices;
use crate::headings::WHAT_IF;
use clap::Args;
use std::path::PathBuf;
use taut_analyze::placement::Policy;
use taut_replay::CauseChange;

/// Placement policies, and the heaps of their allocator.
#[derive(Debug, Clone, Args)]
pub struct PlacementOptions {
    /// Place every resource by these policies and compare them
    #[arg(long, value_name = "POLICY,..", value_delimiter = ',', add = choices::named(choices::policies), help_heading = WHAT_IF)]
    #[arg(long_help = choices::one_of("Place every resource by these policies and compare them", &choices::policies()))]
    #[arg(group = "pictured", conflicts_with_all = ["output", "changes", "repeat", "until"])]
    pub place: Vec<Policy>,
    /// Heap sizes of --place
    #[arg(long, help_heading = WHAT_IF, value_name = "SIZE,..", value_delimiter = ',', value_parser = bytes, default_value = "64MiB", requires = "place")]
    pub block_size: Vec<u64>,
    /// Size above which --place gives a resource a heap of its own
    #[arg(long, help_heading = WHAT_IF, value_name = "SIZE", value_parser = bytes, default_value = "32MiB", requires = "place")]
    pub dedicated_above: u64,
    /// Further traces for --place
    #[arg(value_name = "FILE", requires = "place")]
    pub more: Vec<PathBuf>,
    /// Draw the results of --place or --sweep as an SVG file
    #[arg(long, help_heading = WHAT_IF, value_name = "FILE.svg", requires = "pictured")]
    pub picture: Option<PathBuf>,
}

/// Changes that the alignment report proposes.
#[derive(Debug, Clone, Args)]
pub struct ChangeOptions {
    /// Apply changes of the alignment report, such as buffers_below_256_b=tight
    ///
    /// A change alters descriptions of resources; another one is small_textures=alignment_4_kib. Several are applied together.
    #[arg(long, help_heading = WHAT_IF, value_name = "CAUSE=CHANGE,..", value_delimiter = ',', conflicts_with_all = ["place", "repeat"])]
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
