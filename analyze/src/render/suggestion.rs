//! Suggestions for unknown names.

use taut_schemas::nearest;

/// Suggests the nearest known name if `found` looks like a misspelling of it: ``did you mean `heaps`?``
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(found, known).map(|other| format!("did you mean `{other}`?"))
}

/// Suggests the nearest known name, or lists all of them, each once: `expected one of heaps, tasks`.
pub fn suggestion<'a>(found: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    did_you_mean(found, known.clone()).unwrap_or_else(|| {
        let mut names: Vec<&str> = Vec::new();
        known.for_each(|name| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
        format!("expected one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_gets_its_name_and_other_text_all_names() {
        let known = ["heaps", "tasks", "heaps"];
        assert_eq!(suggestion("haeps", known.into_iter()), "did you mean `heaps`?");
        assert_eq!(suggestion("quux", known.into_iter()), "expected one of heaps, tasks");
    }
}
