//! The option of `taut replay` that tries several values of a driver's key.

use clap::Args;
use std::collections::BTreeSet;
use std::str::FromStr;

/// Which key is tried.
#[derive(Debug, Clone, Args)]
pub struct SweepOptions {
    /// What if: a key of the driver's table [background] had each of these values, such as n_min=50,100,200,400; gives a table
    #[arg(long, value_name = "KEY=VALUE,..", group = "pictured")]
    #[arg(conflicts_with_all = ["output", "changes", "repeat", "place"])]
    pub sweep: Option<Sweep>,
}

/// A key and its values, in order, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The key.
    pub key: String,
    /// Its values, ascending.
    pub values: Vec<u64>,
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Sweep, String> {
        let Some((key, values)) = text.split_once('=') else {
            return Err(format!("expected KEY=VALUE,VALUE such as n_min=50,100, found {text}"));
        };
        let number = |value: &str| {
            value
                .trim()
                .parse::<u64>()
                .map_err(|_| format!("{key}: expected numbers with commas between, found {value:?}"))
        };
        let values: BTreeSet<u64> = values.split(',').map(number).collect::<Result<_, String>>()?;
        Ok(Sweep { key: key.to_owned(), values: values.into_iter().collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_is_a_key_and_numbers_each_once_and_in_order() {
        let sweep = "n_min=400, 50,100,50".parse();
        assert_eq!(sweep, Ok(Sweep { key: "n_min".to_owned(), values: vec![50, 100, 400] }));
        for wrong in ["n_min", "n_min=", "n_min=5,", "n_min=a", "n_min=-1", "n_min=1.5"] {
            assert!(wrong.parse::<Sweep>().is_err_and(|error| error.contains("expected")), "{wrong}");
        }
    }
}
