//! "Did you mean": the known name nearest to a wrong one.

/// Longest text that can be a slip of a name; comparing a longer one would only take time.
const LONGEST: usize = 64;

/// The name of `known` that is fewest slips away from `wrong` (letters inserted, removed, replaced or swapped, case
/// aside), if those are few enough: at most a third of its letters.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > LONGEST {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let slips = known.into_iter().map(|name| (strsim::damerau_levenshtein(&wrong, &name.to_lowercase()), name));
    let (slips, name) = slips.min_by_key(|(slips, _)| *slips)?;
    (slips * 3 <= name.chars().count().max(3)).then_some(name)
}

/// So many names of `known`, those that are fewest slips away from `wrong` first, whatever they have in common.
pub fn nearest_few<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wrong: String = wrong.to_lowercase().chars().take(LONGEST).collect();
    let slips = known.into_iter().map(|name| (strsim::damerau_levenshtein(&wrong, &name.to_lowercase()), name));
    let mut names: Vec<(usize, &str)> = slips.collect();
    names.sort_by_key(|(slips, _)| *slips);
    names.into_iter().take(count).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_the_nearest_are_told() {
        let known = ["R8_UNORM", "R8G8B8A8_UNORM", "BC1_UNORM", "D32_FLOAT"];
        assert_eq!(nearest_few("RGBA8_UNORM", known, 2), ["R8_UNORM", "R8G8B8A8_UNORM"]);
        assert_eq!(nearest_few("", known, 9).len(), 4);
    }

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        let known = ["CreateHeap", "CreateHeap1", "Map", "Unmap"];
        assert_eq!(nearest("CreateHaep1", known), Some("CreateHeap1"));
        assert_eq!(nearest("createheap", known), Some("CreateHeap"));
        assert_eq!(nearest("Mab", known), Some("Map"));
        assert_eq!(nearest("Xyz", known), None);
        assert_eq!(nearest("ExecuteIndirect", known), None);
        assert_eq!(nearest(&"x".repeat(1 << 20), known), None);
    }
}
