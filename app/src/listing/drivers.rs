//! Driver models.

use crate::Error;
use serde_json::{Value, json};
use taut_runtime::{AllocInfo, Profile, Sample};

/// Models that obey the rules.
pub fn sound() -> impl Iterator<Item = Profile> {
    profiles(Profile::bundled())
}

/// Models that break rules, for the conformance kit.
pub fn faulty() -> impl Iterator<Item = Profile> {
    profiles(Profile::faulty())
}

fn profiles(named: &'static [(&'static str, &'static str)]) -> impl Iterator<Item = Profile> {
    named.iter().filter_map(|(name, _)| Profile::named(name))
}

/// All models as JSON.
pub fn all_json() -> Value {
    sound()
        .chain(faulty())
        .map(|profile| json!({"name": profile.name, "description": profile.description, "fails": profile.fails}))
        .collect()
}

/// A model, with the text of its profile.
pub struct Driver {
    pub text: &'static str,
    pub profile: Profile,
    /// Sizes and alignments of sample resources.
    pub samples: Vec<Sample>,
}

/// Finds a model.
///
/// # Errors
/// There is none of this name.
pub fn find(name: &str) -> Result<Driver, Error> {
    let found = Profile::all().find(|(known, _)| *known == name);
    let found = found.and_then(|(name, text)| Some((*text, Profile::named(name)?)));
    let (text, profile) = found.ok_or_else(|| Error::unknown("driver", name, Profile::all().map(|(name, _)| *name)))?;
    Ok(Driver { text, samples: profile.samples(), profile })
}

impl Driver {
    /// The model as JSON.
    pub fn json(&self) -> Value {
        let figures = |info: &AllocInfo| match info.size_bytes {
            u64::MAX => Value::Null,
            size_bytes => json!({"size_bytes": size_bytes, "alignment_bytes": info.alignment_bytes}),
        };
        let sample = |sample: &Sample| {
            json!({
                "resource": sample.what,
                "without_flag": figures(&sample.classic),
                "tight_placed": figures(&sample.placed),
                "tight_committed": figures(&sample.committed),
            })
        };
        let samples: Vec<Value> = self.samples.iter().map(sample).collect();
        json!({"profile": self.profile, "samples": samples})
    }
}
