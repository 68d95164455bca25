//! PCI Express links, with the published rates of their generations.

use super::efficiency::Efficiency;
use serde::{Deserialize, Serialize};

/// The link of an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Name of the adapter.
    pub adapter: String,
    /// PCI Express generation, 1 to 5.
    pub generation: u32,
    /// Number of lanes: 1, 2, 4, 8 or 16.
    pub lanes: u32,
    /// Part of the rate that packet headers and flow control leave.
    #[serde(default)]
    pub efficiency: Efficiency,
}

impl Link {
    pub(crate) const KEYS: &'static [&'static str] = &["adapter", "generation", "lanes", "efficiency"];

    /// Rate in one direction after line coding, in bytes per second.
    pub fn coded_bytes_per_second(&self) -> u64 {
        // Line coding is 8b/10b up to generation 2, and 128b/130b from generation 3 on.
        let (transfers_per_second, bits, coded) = match self.generation {
            0 | 1 => (2_500_000_000, 8, 10),
            2 => (5_000_000_000, 8, 10),
            // Each generation from 3 on doubles the rate; the shift is bounded against corrupt values.
            generation => (8_000_000_000_u64 << (generation - 3).min(8), 128, 130),
        };
        transfers_per_second * u64::from(self.lanes) * bits / coded / 8
    }

    /// Rate in one direction after line coding and overheads, in bytes per second: the bandwidth that copies share.
    pub fn bytes_per_second(&self) -> u64 {
        self.efficiency.apply(self.coded_bytes_per_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rate in GB/s with two decimal places.
    fn rate(generation: u32, lanes: u32) -> String {
        let link = Link { adapter: String::new(), generation, lanes, efficiency: Efficiency { per_mille: 1000 } };
        assert_eq!(link.bytes_per_second(), link.coded_bytes_per_second());
        format!("{:.2}", link.coded_bytes_per_second() as f64 / 1e9)
    }

    #[test]
    fn links_have_the_rates_of_the_public_tables() {
        let found = [(2, 1), (3, 4), (3, 8), (3, 16), (4, 8), (5, 4), (4, 16), (5, 16)].map(|(g, l)| rate(g, l));
        assert_eq!(found, ["0.50", "3.94", "7.88", "15.75", "15.75", "15.75", "31.51", "63.02"]);
    }
}
