//! The figures of a snapshot: what it cannot tell is null.

use super::AlignmentFigures;
use crate::error::AnalyzeError;
use serde_json::Value;

/// Keys of figures that follow from what resources ask for, wherever they stand.
const NOT_TOLD: [&str; 9] = [
    "requested_bytes",
    "rounding_bytes",
    "padded_64k_bytes",
    "guaranteed_saving_bytes",
    "waste_bytes",
    "waste_ratio",
    "size_classes",
    "buffer_size_classes",
    "texture_size_classes",
];

/// The figures, without those that nobody has told.
///
/// # Errors
/// They cannot be written as JSON.
pub(super) fn without(figures: &AlignmentFigures) -> Result<Value, AnalyzeError> {
    let mut all = serde_json::to_value(figures)?;
    // The waste of a cause is padding, holes or tails, which are told.
    let causes = all.get_mut("causes").map(Value::take);
    forget(&mut all);
    if let (Some(causes), Some(all)) = (causes, all.as_object_mut()) {
        all.insert("causes".to_owned(), causes);
    }
    Ok(all)
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| match NOT_TOLD.contains(&key.as_str()) {
            true => *value = Value::Null,
            false => forget(value),
        }),
        Value::Array(elements) => elements.iter_mut().for_each(forget),
        _ => {}
    }
}
