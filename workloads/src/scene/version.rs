//! Version of glTF that a scene declares.

use super::error::{Fault, SceneError};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// Major version that is read.
const MAJOR: u64 = 2;

/// Parts of a scene that show its version.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Declared {
    asset: RawAsset,
    accessors: Collection,
    buffers: Collection,
    meshes: Collection,
    nodes: Collection,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawAsset {
    version: Option<String>,
    #[serde(rename = "minVersion")]
    min_version: Option<String>,
}

/// Form of a collection: glTF 1.0 has objects with ids as keys, 2.0 has lists.
#[derive(Default)]
struct Collection {
    has_ids: bool,
}

impl<'de> Deserialize<'de> for Collection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Collection, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Collection;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Collection, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Collection { has_ids: true })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Collection, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Collection { has_ids: false })
            }
        }
        deserializer.deserialize_any(Form)
    }
}

/// Checks the version. A text that is not JSON, or has other types, is left to the parser.
///
/// # Errors
/// The scene is of glTF 1.0, or of another major version than 2.
pub(super) fn check(json: &[u8], origin: &str) -> Result<(), SceneError> {
    let Ok(declared) = serde_json::from_slice::<Declared>(json) else { return Ok(()) };
    let Declared { asset, accessors, buffers, meshes, nodes } = declared;
    let wrong = |field: &str, found: String| {
        Fault { path: format!("asset.{field}"), expected: "glTF 2.x".to_owned(), found }.within(origin)
    };
    let major = |version: &str| version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    let one = "glTF 1.0, which is not read: convert it to 2.0".to_owned();
    match asset.version.as_deref() {
        Some(version) if major(version) == Some(1) => return Err(wrong("version", one)),
        Some(version) if major(version) != Some(MAJOR) => {
            return Err(wrong("version", format!("version \"{}\"", version.escape_debug())));
        }
        Some(_) => {}
        // The key was optional in 1.0.
        None if [accessors, buffers, meshes, nodes].iter().any(|collection| collection.has_ids) => {
            return Err(wrong("version", one));
        }
        None => {}
    }
    match asset.min_version.filter(|version| major(version).is_some_and(|major| major > MAJOR)) {
        Some(version) => Err(wrong("minVersion", format!("version \"{}\"", version.escape_debug()))),
        None => Ok(()),
    }
}
