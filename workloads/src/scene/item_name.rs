//! Names of a scene's items.

/// Returns the name in the scene, or kind and number if there is none.
pub(super) fn named(name: &Option<String>, kind: &str, index: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("{kind} {index}"),
    }
}
