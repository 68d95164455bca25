//! Change of a field's placement in a profile: the setting `layout.TYPE.FIELD`.

use super::invalid_key::InvalidValue;
use super::invalid_value::invalid_value;
use super::profile::Profile;
use taut_schemas::{FieldPlacement, HandleField, nearest};
use thiserror::Error;

/// Error for a field that cannot be placed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("layout.{path}: expected {expected}, found {found}")]
pub struct FieldPlacementError {
    /// Type and field, as `RESOURCE.pitch`.
    pub path: String,
    /// Accepted fields or placements.
    pub expected: String,
    pub found: String,
}

impl Profile {
    /// Returns a copy of this profile with the field `path` (`RESOURCE.pitch`) in another place, after the other fields
    /// of that place that precede it.
    ///
    /// # Errors
    /// The profile has no such field, the placement is unknown, or the handles become too large.
    pub fn with_field_placement(&self, path: &str, placement: &str) -> Result<Profile, FieldPlacementError> {
        let refused = |expected: String, found: &str| FieldPlacementError {
            path: path.to_owned(),
            expected,
            found: found.to_owned(),
        };
        let placement: FieldPlacement = placement
            .parse()
            .map_err(|_| refused(FieldPlacement::ALL.map(FieldPlacement::name).join(", "), placement))?;
        let mut profile = self.clone();
        let fields = profile.contexts.iter_mut().flat_map(|contexts| &mut contexts.fields);
        let path_of = |field: &HandleField| format!("{}.{}", field.handle_type, field.name);
        let paths: Vec<String> = self.contexts.iter().flat_map(|contexts| &contexts.fields).map(path_of).collect();
        let Some(field) = fields.into_iter().find(|field| path_of(field) == path) else {
            let expected = match nearest(path, paths.iter().map(String::as_str)) {
                Some(other) => format!("a field of driver {} (did you mean {other}?)", self.name),
                None if paths.is_empty() => format!("a driver with fields, which {} is not", self.name),
                None => format!("a field of driver {}, one of {}", self.name, paths.join(", ")),
            };
            return Err(refused(expected, path));
        };
        if field.placement != placement {
            (field.placement, field.offset_bytes) = (placement, 0);
        }
        match invalid_value(&profile) {
            Some(InvalidValue { expected, found, .. }) => Err(refused(expected, &found)),
            None => Ok(profile),
        }
    }
}
