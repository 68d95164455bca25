//! PCI Express links, by the public figures of their generations.

use super::efficiency::Efficiency;
use serde::{Deserialize, Serialize};

/// The link that an adapter hangs on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The adapter's name.
    pub adapter: String,
    /// Generation of PCI Express, 1 to 5.
    pub generation: u32,
    /// Lanes: 1, 2, 4, 8 or 16.
    pub lanes: u32,
    /// What is left of the rate after packet headers and flow control.
    #[serde(default)]
    pub efficiency: Efficiency,
}

impl Link {
    pub(crate) const KEYS: &'static [&'static str] = &["adapter", "generation", "lanes", "efficiency"];

    /// One way, after line coding.
    pub fn coded_bytes_per_second(&self) -> u64 {
        // Eight bits are coded as ten up to the second generation, 128 as 130 from the third on.
        let (transfers_per_second, bits, coded) = match self.generation {
            0 | 1 => (2_500_000_000, 8, 10),
            2 => (5_000_000_000, 8, 10),
            generation => (8_000_000_000_u64 << (generation - 3).min(8), 128, 130),
        };
        transfers_per_second * u64::from(self.lanes) * bits / coded / 8
    }

    /// One way, after line coding and overheads: what copies share.
    pub fn bytes_per_second(&self) -> u64 {
        self.efficiency.of(self.coded_bytes_per_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GB/s with two decimals, of a generation and lanes.
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
