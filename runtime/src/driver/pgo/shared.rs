//! Serde functions for shared values, which are serialised as their content.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

pub(super) fn serialize<T: Serialize, S: Serializer>(shared: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    T::serialize(shared, serializer)
}

pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<T>, D::Error> {
    T::deserialize(deserializer).map(Arc::new)
}
