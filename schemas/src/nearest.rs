//! "Did you mean": the known name nearest to a misspelt one.

/// Max length of a text that is compared, in bytes; a longer one is no misspelling and would only take time.
const LONGEST: usize = 64;

/// Min length of a part of a name that is enough to suggest the name, in bytes.
const SHORTEST_PART: usize = 4;

/// The name of `known` with the min edit distance to `wrong` (letters inserted, removed, replaced or swapped; case is
/// ignored), if the distance is at most a third of the name's letters; otherwise the shortest name that contains `wrong`.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > LONGEST {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let known: Vec<&str> = known.into_iter().collect();
    let slips = known.iter().map(|name| (strsim::damerau_levenshtein(&wrong, &name.to_lowercase()), *name));
    let (slips, name) = slips.min_by_key(|(slips, _)| *slips)?;
    // `max(3)` allows one edit in names of one or two letters.
    if slips * 3 <= name.chars().count().max(3) {
        return Some(name);
    }
    let contains = |name: &&str| wrong.len() >= SHORTEST_PART && name.to_lowercase().contains(&wrong);
    known.into_iter().filter(contains).min_by_key(|name| name.len())
}

/// Returns the `count` names of `known` with the smallest edit distances to `wrong`, nearest first, without a maximum
/// distance.
pub fn nearest_few<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wrong: String = wrong.to_lowercase().chars().take(LONGEST).collect();
    let slips = known.into_iter().map(|name| (strsim::damerau_levenshtein(&wrong, &name.to_lowercase()), name));
    let mut names: Vec<(usize, &str)> = slips.collect();
    names.sort_by_key(|(slips, _)| *slips);
    names.into_iter().take(count).map(|(_, name)| name).collect()
}

/// Maximum number of known names that are all listed in a message.
const MAX_LISTED_NAMES: usize = 40;
/// Number of names listed if there are more than that.
const NEAREST_NAMES: usize = 5;

/// Message about an unknown name, with the nearest known one, all known ones, or the nearest few of many.
pub fn unknown_name(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(other) => format!("unknown {what} {name:?}: did you mean {other:?}?"),
        None if known.len() > MAX_LISTED_NAMES => {
            let few = nearest_few(name, known.iter().copied(), NEAREST_NAMES);
            let count = known.len();
            format!("unknown {what} {name:?}: expected one of {count} such as {}", few.join(", "))
        }
        None => format!("unknown {what} {name:?}: expected one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_lists_the_nearest_of_many_names() {
        let many: Vec<String> = (0..130).map(|number| format!("FORMAT_{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let shown = unknown_name("format", "quite another thing", &many);
        assert!(shown.contains("expected one of 130 such as FORMAT_") && shown.len() < 140, "{shown}");
        assert_eq!(
            unknown_name("colour", "quite", &["red", "blue"]),
            "unknown colour \"quite\": expected one of red, blue"
        );
    }

    #[test]
    fn nearest_few_returns_the_nearest_names() {
        let known = ["R8_UNORM", "R8G8B8A8_UNORM", "BC1_UNORM", "D32_FLOAT"];
        assert_eq!(nearest_few("RGBA8_UNORM", known, 2), ["R8_UNORM", "R8G8B8A8_UNORM"]);
        assert_eq!(nearest_few("", known, 9).len(), 4);
    }

    #[test]
    fn a_misspelt_name_is_found_and_nonsense_is_not() {
        let known = ["CreateHeap", "CreateHeap1", "Map", "Unmap"];
        assert_eq!(nearest("CreateHaep1", known), Some("CreateHeap1"));
        assert_eq!(nearest("createheap", known), Some("CreateHeap"));
        assert_eq!(nearest("Mab", known), Some("Map"));
        assert_eq!(nearest("Xyz", known), None);
        assert_eq!(nearest("eHeap", known), Some("CreateHeap"), "a part of the name");
        assert_eq!(nearest("rea", known), None, "too short a part");
        assert_eq!(nearest("ExecuteIndirect", known), None);
        assert_eq!(nearest(&"x".repeat(1 << 20), known), None);
    }
}
