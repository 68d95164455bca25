//! Groups names by prefix: a prefix tree over words, expanded where most of the memory is.

use std::ops::Range;

/// Target number of patterns; expansion stops once it is reached.
const PATTERNS: usize = 24;
/// A branch becomes separate if its weight is at least 1/50 of the total.
const MIN_SHARE_DIVISOR: u128 = 50;

/// A group of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Prefix with an asterisk, such as `tex/env/*`, or the full name of a single member.
    pub pattern: String,
    /// Indices in the list of names.
    pub members: Vec<usize>,
}

/// A branch of the tree: ranges of the sorted names with a common prefix.
#[derive(Debug, Clone)]
struct Branch {
    names: Vec<Range<usize>>,
    prefix_bytes: usize,
    weight: u128,
    is_expanded: bool,
}

/// Groups sorted, distinct names by prefix. Each name belongs to exactly one pattern.
pub(super) fn patterns(names: &[(&str, u128)]) -> Vec<Pattern> {
    let whole: u128 = names.iter().map(|(_, weight)| weight).sum();
    let all =
        Branch { names: std::iter::once(0..names.len()).collect(), prefix_bytes: 0, weight: whole, is_expanded: false };
    let mut branches = vec![all];
    while branches.len() < PATTERNS {
        let open = branches.iter().enumerate().filter(|(_, branch)| !branch.is_expanded);
        let Some(heaviest) = open.max_by_key(|(_, branch)| branch.weight).map(|(place, _)| place) else { break };
        let branch = branches.swap_remove(heaviest);
        branches.extend(expand(names, branch, whole));
    }
    branches.sort_by_key(|branch| branch.names.first().map_or(0, |names| names.start));
    branches.into_iter().filter(|branch| !branch.names.is_empty()).map(|branch| expanded(names, &branch)).collect()
}

/// Splits a branch into its separate sub-branches and one branch for the rest.
fn expand(names: &[(&str, u128)], branch: Branch, whole: u128) -> Vec<Branch> {
    let Branch { names: ranges, prefix_bytes, .. } = branch;
    let (mut expanded, mut left) =
        (Vec::new(), Branch { names: Vec::new(), prefix_bytes, weight: 0, is_expanded: true });
    for range in ranges {
        let mut start = range.start;
        while start < range.end {
            let word_end = word_end(names[start].0, prefix_bytes);
            let word = &names[start].0[..word_end];
            let is_other =
                |(name, _): &(&str, u128)| !name.starts_with(word) || self::word_end(name, prefix_bytes) != word_end;
            let length = names[start..range.end].iter().position(is_other).unwrap_or(range.end - start);
            let weight: u128 = names[start..start + length].iter().map(|(_, weight)| weight).sum();
            let same_word = start..start + length;
            start += length;
            if weight * MIN_SHARE_DIVISOR >= whole && weight > 0 {
                let is_expanded = length == 1;
                expanded.push(Branch {
                    names: std::iter::once(same_word).collect(),
                    prefix_bytes: word_end,
                    weight,
                    is_expanded,
                });
            } else {
                left.weight += weight;
                left.names.push(same_word);
            }
        }
    }
    if !left.names.is_empty() {
        expanded.push(left);
    }
    expanded
}

/// End of the word that begins at `from`: after a separator, between digits and other characters, or at the end of the
/// name.
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

fn expanded(names: &[(&str, u128)], branch: &Branch) -> Pattern {
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
    // A prefix ends at a word boundary: `tex/env/`, not `tex/env/a`.
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
    fn names_are_grouped_by_prefix_where_most_memory_is() {
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
    fn numbered_names_form_one_group() {
        let names: Vec<(String, u128)> = (0..1000).map(|number| (format!("view {number:04}"), 1)).collect();
        let names: Vec<(&str, u128)> = names.iter().map(|(name, weight)| (name.as_str(), *weight)).collect();
        assert_eq!(of(&names), ["view *"]);
    }

    proptest! {
        #[test]
        fn each_name_matches_exactly_one_pattern(
            input in prop::collection::btree_map("[ab/_1é]{1,7}", 0_u128..100, 0..60),
        ) {
            let names: Vec<(&str, u128)> = input.iter().map(|(name, weight)| (name.as_str(), *weight)).collect();
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
