//! Names grouped by what they begin with: a prefix tree over words, unfolded where most memory is.

use std::ops::Range;

/// Patterns there are at most.
const PATTERNS: usize = 24;
/// A branch is told on its own if it has at least this part of all memory.
const WORTH: u128 = 50;

/// Names that a pattern is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// `tex/env/*`; a name without a star where it is one name.
    pub pattern: String,
    /// Places in the list of names.
    pub members: Vec<usize>,
}

/// A branch of the tree: names next to each other in their order, alike in their first bytes.
#[derive(Debug, Clone)]
struct Branch {
    names: Vec<Range<usize>>,
    prefix_bytes: usize,
    weight: u128,
    is_unfolded: bool,
}

/// Groups names, which are in order and each there once, by what they begin with; each name is of one pattern.
pub(super) fn patterns(names: &[(&str, u128)]) -> Vec<Pattern> {
    let whole: u128 = names.iter().map(|(_, weight)| weight).sum();
    let all =
        Branch { names: std::iter::once(0..names.len()).collect(), prefix_bytes: 0, weight: whole, is_unfolded: false };
    let mut branches = vec![all];
    while branches.len() < PATTERNS {
        let open = branches.iter().enumerate().filter(|(_, branch)| !branch.is_unfolded);
        let Some(heaviest) = open.max_by_key(|(_, branch)| branch.weight).map(|(place, _)| place) else { break };
        let branch = branches.swap_remove(heaviest);
        branches.extend(unfolded(names, branch, whole));
    }
    branches.sort_by_key(|branch| branch.names.first().map_or(0, |names| names.start));
    branches.into_iter().filter(|branch| !branch.names.is_empty()).map(|branch| told(names, &branch)).collect()
}

/// The branches of a branch that are worth telling, and what is left of it.
fn unfolded(names: &[(&str, u128)], branch: Branch, whole: u128) -> Vec<Branch> {
    let Branch { names: ranges, prefix_bytes, .. } = branch;
    let (mut told, mut left) = (Vec::new(), Branch { names: Vec::new(), prefix_bytes, weight: 0, is_unfolded: true });
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            let word_end = word_end(names[start].0, prefix_bytes);
            let word = &names[start].0[..word_end];
            let is_other =
                |(name, _): &(&str, u128)| !name.starts_with(word) || self::word_end(name, prefix_bytes) != word_end;
            let length = names[start..range.end].iter().position(is_other).unwrap_or(range.end - start);
            let weight: u128 = names[start..start + length].iter().map(|(_, weight)| weight).sum();
            let alike = start..start + length;
            start += length;
            if weight * WORTH >= whole && weight > 0 {
                let is_unfolded = length == 1;
                told.push(Branch {
                    names: std::iter::once(alike).collect(),
                    prefix_bytes: word_end,
                    weight,
                    is_unfolded,
                });
            } else {
                left.weight += weight;
                left.names.push(alike);
            }
        }
    }
    if !left.names.is_empty() {
        told.push(left);
    }
    told
}

/// Where the word that begins at `from` ends: behind a separator, before and behind digits, or with the name.
fn word_end(name: &str, from: usize) -> usize {
    let letters = name.char_indices().skip_while(|(at, _)| *at < from);
    let mut before: Option<char> = None;
    for (at, letter) in letters {
        if let Some(before) = before
            && (is_separator(before) || before.is_ascii_digit() != letter.is_ascii_digit() && !is_separator(letter))
        {
            return at;
        }
        before = Some(letter);
    }
    name.len()
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '/' | '\\' | '.' | '_' | '-' | ':' | ' ')
}

fn told(names: &[(&str, u128)], branch: &Branch) -> Pattern {
    let members: Vec<usize> = branch.names.iter().cloned().flatten().collect();
    let pattern = match members[..] {
        [one] => names[one].0.to_owned(),
        _ => common_prefix(members.iter().map(|member| names[*member].0)) + "*",
    };
    Pattern { pattern, members }
}

fn common_prefix<'n>(mut names: impl Iterator<Item = &'n str>) -> String {
    let first = names.next().unwrap_or_default();
    let ends = names.map(|name| first.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b).count());
    let letters = ends.min().unwrap_or(first.chars().count());
    // A prefix ends with a word: `tex/env/`, not `tex/env/a`.
    let prefix: String = first.chars().take(letters).collect();
    let is_end = |at: &usize| word_ends(first).contains(at);
    let end = (0..=prefix.len()).rev().find(is_end).unwrap_or_default();
    prefix[..end].to_owned()
}

fn word_ends(name: &str) -> Vec<usize> {
    let mut ends = vec![0];
    while let Some(last) = ends.last().copied().filter(|last| *last < name.len()) {
        ends.push(word_end(name, last));
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(names: &[(&str, u128)]) -> Vec<String> {
        patterns(names).into_iter().map(|one| one.pattern).collect()
    }

    #[test]
    fn names_are_grouped_by_what_they_begin_with_where_most_memory_is() {
        let names = [
            ("mesh/a", 10),
            ("mesh/b", 10),
            ("tex/env/sky", 300),
            ("tex/env/sun", 300),
            ("tex/ui/1", 2),
            ("tex/ui/2", 2),
        ];
        assert_eq!(of(&names), ["mesh/*", "tex/env/sky", "tex/env/sun", "tex/ui/*"]);
    }

    #[test]
    fn numbers_are_not_told_one_by_one() {
        let names: Vec<(String, u128)> = (0..1000).map(|number| (format!("view {number:04}"), 1)).collect();
        let names: Vec<(&str, u128)> = names.iter().map(|(name, weight)| (name.as_str(), *weight)).collect();
        assert_eq!(of(&names), ["view *"]);
    }

    proptest! {
        #[test]
        fn each_name_is_of_one_pattern_and_begins_as_that_says(
            given in prop::collection::btree_map("[ab/_1é]{1,7}", 0_u128..100, 0..60),
        ) {
            let names: Vec<(&str, u128)> = given.iter().map(|(name, weight)| (name.as_str(), *weight)).collect();
            let patterns = patterns(&names);
            prop_assert!(patterns.len() <= PATTERNS + 60);
            let mut members: Vec<usize> = patterns.iter().flat_map(|one| one.members.clone()).collect();
            members.sort_unstable();
            prop_assert_eq!(members, (0..names.len()).collect::<Vec<_>>());
            for Pattern { pattern, members } in &patterns {
                let prefix = pattern.strip_suffix('*').unwrap_or(pattern);
                prop_assert!(members.iter().all(|member| names[*member].0.starts_with(prefix)), "{}", pattern);
            }
        }
    }
}
