//! "Did you mean": the known name nearest to a wrong one.

/// The name of `known` that is fewest edits away from `wrong`, if that is near enough to be a slip: at most a third of
/// its letters.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A text longer than any name is no slip of one, and comparing it would take long.
    if wrong.len() > 64 {
        return None;
    }
    let distances = known.into_iter().map(|name| (edits(wrong, name), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance * 3 <= name.chars().count().max(3)).then_some(name)
}

/// Letters inserted, removed or replaced between two words, case aside.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().map(|letter| letter.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().map(|letter| letter.to_ascii_lowercase()).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        let known = ["CreateHeap", "CreateHeap1", "Map", "Unmap"];
        assert_eq!(nearest("CreateHaep1", known), Some("CreateHeap1"));
        assert_eq!(nearest("createheap", known), Some("CreateHeap"));
        assert_eq!(nearest("Mpa", known), None);
        assert_eq!(nearest("Mab", known), Some("Map"));
        assert_eq!(nearest("ExecuteIndirect", known), None);
        assert_eq!(nearest(&"x".repeat(1 << 20), known), None);
    }
}
