//! Test that the README matches the table.

use taut_tiling::LAYOUTS;

const README: &str = include_str!("../../README.md");

#[test]
fn readme_lists_every_layout_with_its_bits() {
    for rule in LAYOUTS {
        let line = README.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{}`", rule.name)));
        assert!(line.is_some_and(|line| line.contains(rule.pattern)), "{} {}", rule.name, rule.pattern);
    }
}
