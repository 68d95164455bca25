//! Allowed difference of a figure from a baseline's: `2 %`, `10 MiB`, `3`.

use super::limit::UNITS;
use crate::render::did_you_mean;

/// Allowed difference of a figure from the baseline's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Allowance {
    /// A share of the baseline's value.
    Part(f64),
    /// An amount in the figure's own unit.
    Amount(f64),
}

impl Allowance {
    /// Reads `2 %`, `10 MiB` or `3`.
    ///
    /// # Errors
    /// A text with what was expected and found.
    pub(super) fn parse(text: &str) -> Result<Allowance, String> {
        let wrong = || format!("expected a share such as \"2 %\" or an amount such as \"10 MiB\", found {text:?}");
        let trimmed = text.trim();
        let end = trimmed.find(|c: char| !(c.is_ascii_digit() || "._".contains(c))).unwrap_or(trimmed.len());
        let number: f64 = trimmed[..end].replace('_', "").parse().map_err(|_| wrong())?;
        let unit = trimmed[end..].trim();
        match unit {
            "%" => Ok(Allowance::Part(number / 100.0)),
            "" => Ok(Allowance::Amount(number)),
            unit => match UNITS.iter().find(|(known, _)| *known == unit) {
                Some((_, factor)) => Ok(Allowance::Amount(number * factor)),
                None => Err(match did_you_mean(unit, UNITS.map(|(unit, _)| unit)) {
                    Some(hint) => format!("there is no unit `{unit}`: {hint}"),
                    None => wrong(),
                }),
            },
        }
    }

    /// The allowed difference for a baseline of this value.
    pub(super) fn of(self, baseline: f64) -> f64 {
        match self {
            Allowance::Part(part) => baseline.abs() * part,
            Allowance::Amount(amount) => amount,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_a_part_or_an_amount() {
        assert_eq!(Allowance::parse("2%"), Ok(Allowance::Part(0.02)));
        assert_eq!(Allowance::parse(" 2.5 % "), Ok(Allowance::Part(0.025)));
        assert_eq!(Allowance::parse("10 MiB"), Ok(Allowance::Amount(10_485_760.0)));
        assert_eq!(Allowance::parse("1_000"), Ok(Allowance::Amount(1000.0)));
        assert_eq!((Allowance::Part(0.5).of(-8.0), Allowance::Amount(3.0).of(9.0)), (4.0, 3.0));
    }

    #[test]
    fn errors_in_allowances_are_reported() {
        assert!(Allowance::parse("-2 %").unwrap_err().contains("expected a share"));
        assert!(Allowance::parse("").unwrap_err().contains("expected a share"));
        assert!(Allowance::parse("10 MB").unwrap_err().contains("did you mean `MiB`?"));
    }
}
