//! One key of a profile's table `[background]` with another value.

use super::background_profile::Background;
use super::profile::Profile;
use super::unsound::{Unsound, unsound};
use serde_json::Value;
use taut_schemas::nearest;
use thiserror::Error;

/// Why a key cannot have a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("background.{key}: expected {expected}, found {found}")]
pub struct BackgroundKeyError {
    /// The key.
    pub key: String,
    /// What there could be.
    pub expected: String,
    /// What there is.
    pub found: String,
}

impl Profile {
    /// This profile with another number at a key of its table `[background]`.
    ///
    /// # Errors
    /// There is no such table or key, or the key takes no such number.
    pub fn with_background(&self, key: &str, number: u64) -> Result<Profile, BackgroundKeyError> {
        let refused = |expected: String, found: String| BackgroundKeyError { key: key.to_owned(), expected, found };
        let Some(background) = &self.background else {
            return Err(refused(format!("a table [background] in profile {}", self.name), "none".to_owned()));
        };
        let mut table = serde_json::to_value(background).unwrap_or_default();
        let Some(place) = table.get_mut(key).filter(|value| value.is_u64()) else {
            let numbers = || Background::KEYS.iter().copied().filter(|key| *key != "ddi_version");
            let expected = match nearest(key, numbers()) {
                Some(name) => format!("a key that takes a number (did you mean {name}?)"),
                None => format!("one of {}", numbers().collect::<Vec<_>>().join(", ")),
            };
            return Err(refused(expected, key.to_owned()));
        };
        *place = Value::from(number);
        let background =
            serde_json::from_value(table).map_err(|_| refused(format!("at most {}", u32::MAX), number.to_string()))?;
        let profile = Profile { background: Some(background), ..self.clone() };
        match unsound(&profile).filter(|unsound| unsound.key.strip_prefix("background.") == Some(key)) {
            Some(Unsound { expected, found, .. }) => Err(refused(expected, found)),
            None => Ok(profile),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn told(driver: &str, key: &str, number: u64) -> String {
        Profile::named(driver).unwrap().with_background(key, number).unwrap_err().to_string()
    }

    #[test]
    fn every_number_of_the_table_can_be_another() {
        let profile = Profile::named("reference").unwrap();
        for key in Background::KEYS.iter().filter(|key| **key != "ddi_version") {
            let changed = profile.with_background(key, 600).or_else(|_| profile.with_background(key, 60));
            let changed = changed.or_else(|_| profile.with_background(key, 3));
            let changed = changed.or_else(|_| profile.with_background(key, 1)).unwrap();
            let table = serde_json::to_value(changed.background.unwrap()).unwrap();
            assert!([600, 60, 3, 1].contains(&table[key].as_u64().unwrap()), "{key}");
        }
    }

    #[test]
    fn what_cannot_be_is_told() {
        let unknown = told("reference", "n_minimum", 5);
        assert!(unknown.starts_with("background.n_minimum: expected one of n_min, "), "{unknown}");
        assert!(unknown.ends_with("found n_minimum"), "{unknown}");
        assert!(told("reference", "ddi_version", 5).contains("expected one of n_min, "));
        assert!(told("reference", "stable_share_permille", 1001).contains("stable_share_permille: expected "));
        assert!(
            told("reference", "n_min", u64::MAX).ends_with("expected at most 4294967295, found 18446744073709551615")
        );
        assert!(told("legacy", "n_min", 5).contains("a table [background] in profile legacy, found none"));
    }
}
