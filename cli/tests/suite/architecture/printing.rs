//! Check that programs print without the macros that panic if a stream cannot be written.

use super::{root, sources};

/// Crates whose code runs in a program with standard streams.
const PROGRAMS: [&str; 5] = ["console", "cli", "tables", "app", "bench"];

/// Macros that panic when stdout or stderr is full or closed, which would replace the exit code of the outcome.
const MACROS: [&str; 4] = ["print!(", "println!(", "eprint!(", "eprintln!("];

#[test]
fn nothing_is_printed_by_macros_that_panic() {
    for program in PROGRAMS {
        let mut found = Vec::new();
        sources(&root().join(program).join("src"), &mut found);
        assert!(!found.is_empty(), "{program} has sources");
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            for (number, line) in (1..).zip(text.lines()) {
                let code = line.split("//").next().unwrap_or_default();
                let is_used = MACROS.iter().any(|name| {
                    code.match_indices(name)
                        .any(|(at, _)| !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
                });
                assert!(!is_used, "{}:{number}: {line}", path.display());
            }
        }
    }
}
