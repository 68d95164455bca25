//! Replacement of one key of a profile's table `[background]`.

use super::background_profile::Background;
use super::former_keys::current_key;
use super::invalid_key::InvalidValue;
use super::invalid_value::invalid_value;
use super::profile::Profile;
use serde_json::Value;
use taut_schemas::nearest;
use thiserror::Error;

/// Error for a key of `[background]` that cannot be set to a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("background.{key}: expected {expected}, found {found}")]
pub struct BackgroundKeyError {
    pub key: String,
    /// Accepted keys or values.
    pub expected: String,
    /// Rejected key or value.
    pub found: String,
}

impl Profile {
    /// Returns a copy of this profile with `number` as the value of one key of its table `[background]`.
    ///
    /// # Errors
    /// The profile has no such table, the table has no such numeric key, or the value is out of bounds.
    pub fn with_background(&self, key: &str, number: u64) -> Result<Profile, BackgroundKeyError> {
        let refused = |expected: String, found: String| BackgroundKeyError { key: key.to_owned(), expected, found };
        let Some(background) = &self.background else {
            return Err(refused(format!("a table [background] in profile {}", self.name), "none".to_owned()));
        };
        let key = current_key(Background::FORMER_KEYS, key);
        let mut table = serde_json::to_value(background).unwrap_or_default();
        let Some(place) = table.get_mut(key).filter(|value| value.is_u64()) else {
            // The DDI version is written as a string in profiles, and is no number that a run varies.
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
        // A profile may be unsound for other reasons than this key; only errors of this key are reported.
        match invalid_value(&profile).filter(|invalid_value| invalid_value.key.strip_prefix("background.") == Some(key))
        {
            Some(InvalidValue { expected, found, .. }) => Err(refused(expected, found)),
            None => Ok(profile),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn error_text(driver: &str, key: &str, number: u64) -> String {
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
    fn invalid_values_are_reported() {
        let unknown = error_text("reference", "n_minimum", 5);
        assert!(unknown.starts_with("background.n_minimum: expected one of n_min, "), "{unknown}");
        assert!(unknown.ends_with("found n_minimum"), "{unknown}");
        assert!(error_text("reference", "ddi_version", 5).contains("expected one of n_min, "));
        assert!(error_text("reference", "stable_share_permille", 1001).contains("stable_share_permille: expected "));
        assert!(
            error_text("reference", "n_min", u64::MAX)
                .ends_with("expected at most 4294967295, found 18446744073709551615")
        );
        assert!(error_text("legacy", "n_min", 5).contains("a table [background] in profile legacy, found none"));
    }
}
