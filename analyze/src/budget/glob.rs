//! Name patterns with `*` for any characters and `?` for one.

/// True if `glob` matches the whole of `name`.
pub(super) fn matches(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    let (mut g, mut n) = (0, 0);
    // Index of the last star, and the end of the characters that it matches so far. On a mismatch, it matches one more.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, n));
                g += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (g, n) = (g + 1, n + 1),
            _ => match star {
                Some((at, swallowed)) => {
                    star = Some((at, swallowed + 1));
                    (g, n) = (at + 1, swallowed + 1);
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (glob, name) in
            [("*", ""), ("a*c", "abbc"), ("a?c", "abc"), ("*-world", "streaming-world"), ("a*b*c", "aXbYbZc")]
        {
            assert!(matches(glob, name), "{glob} {name}");
        }
        for (glob, name) in [("", "a"), ("a?", "a"), ("*-world", "world"), ("a*c", "abcd"), ("A", "a")] {
            assert!(!matches(glob, name), "{glob} {name}");
        }
    }
}
