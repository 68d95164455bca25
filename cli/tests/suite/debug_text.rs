//! Checks that no output contains text of Rust's `Debug`: `Used { context: D3d11ContextId(3) }` is not for users.
#![allow(clippy::unwrap_used)]

use crate::taut;

use taut::Taut;

/// Recordings that between them have tasks, violations, contexts, tiled surfaces and presents: name and arguments of `record`.
const RECORDINGS: [(&str, &[&str]); 5] = [
    ("level", &["small-level", "--driver", "faulty-buffer-size", "--set", "frames=4"]),
    ("frame", &["pix-single-frame"]),
    ("lists", &["context-churn", "--driver", "faulty-one-line"]),
    ("upload", &["texture-upload"]),
    ("laptop", &["hybrid-laptop"]),
];

const REPORTS: [&str; 6] = ["alignment", "pgo", "handles", "present", "tiling", "health"];

/// The first text of `Debug` in an output: a name in CamelCase followed by a number in brackets, by fields in braces, or an `Option`.
fn debug_text(output: &str) -> Option<&str> {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let ends = output.match_indices(['(', '{']);
    ends.filter_map(|(at, bracket)| {
        let head = output[..at].strip_suffix(' ').filter(|_| bracket == "{").unwrap_or(&output[..at]);
        let begin = head.rfind(|letter: char| !is_word(letter)).map_or(0, |at| at + 1);
        let (name, rest) = (&head[begin..], &output[at + 1..]);
        let is_type = name.starts_with(|first: char| first.is_ascii_uppercase())
            && name.contains(|letter: char| letter.is_ascii_lowercase());
        let is_value = match bracket {
            "(" => (name == "Some" || name.ends_with("Id")) && !rest.starts_with(')'),
            _ => {
                let field = rest.trim_start().split(|letter: char| !is_word(letter)).next().unwrap_or_default();
                !field.is_empty() && rest.starts_with(' ') && rest.trim_start()[field.len()..].starts_with(": ")
            }
        };
        (is_type && is_value).then(|| output[begin..].lines().next().unwrap_or_default())
    })
    .next()
}

#[test]
fn no_output_has_text_of_debug() {
    let folder = tempfile::tempdir().unwrap();
    let taut = Taut::new(folder.path());
    let mut found = Vec::new();
    for (name, arguments) in RECORDINGS {
        let file = format!("{name}.taut");
        let recorded = taut.run(&[&["record"], arguments, &["-o", &file]].concat());
        assert!(folder.path().join(&file).exists(), "{name}: {}", recorded.stderr);
        let mut commands: Vec<Vec<&str>> = vec![
            vec!["info", &file],
            vec!["info", &file, "--json"],
            vec!["dump", &file],
            vec!["dump", &file, "--json"],
            vec!["replay", &file],
        ];
        for report in REPORTS {
            commands.push(vec!["analyze", &file, "--report", report]);
            commands.push(vec!["analyze", &file, "--report", report, "--json"]);
        }
        for command in commands {
            let run = taut.run(&command);
            for output in [&run.stdout, &run.stderr] {
                found.extend(debug_text(output).map(|text| format!("{}: {text}", command.join(" "))));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn text_of_debug_is_recognized() {
    let is_found = |text| debug_text(text).is_some();
    assert!(is_found("violation: Used { context: D3d11ContextId(3), … }"));
    assert!(is_found("of context D3d11ContextId(3)"));
    assert!(is_found("limit Some(4)"));
    assert!(!is_found("CreateBuffer (3 calls) of {\"Format\": 28}, Texture2D(s), GetDesc()"));
}
