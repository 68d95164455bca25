//! Checks of functions and manifests: lengths, parameters, dependencies. Counts of what is not clean yet may only fall.

use super::{MAY_IMPORT, code, dependencies, is_test, read, root, sources};
use std::collections::BTreeSet;

/// Lines of a function at most.
const MAX_FUNCTION_LINES: usize = 70;

fn files_of(name: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    sources(&root().join(name).join("src"), &mut found);
    found.retain(|path| !is_test(path));
    found
}

/// Functions of a file: name, and number of lines from its first to its closing brace.
fn functions(code: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let is_function = line.trim_start().split(' ').take(4).any(|word| word == "fn");
        let Some(name) = line.split("fn ").nth(1).filter(|_| is_function && !line.trim_start().starts_with('"')) else {
            continue;
        };
        // The declaration of a trait's function has no body.
        if lines[at..].iter().find(|line| line.ends_with(['{', '}', ';'])).is_some_and(|line| line.ends_with(';')) {
            continue;
        }
        let closing = " ".repeat(indent) + "}";
        if let Some(length) = lines[at..].iter().position(|line| *line == closing) {
            let name = name.split(['(', '<']).next().unwrap_or_default();
            found.push((name.to_owned(), length + 1));
        }
    }
    found
}

/// Position of the bracket that begins the parameters of a function whose text begins with `fn `; none if it is another text.
fn parameters(function: &str) -> Option<usize> {
    let mut depth = 0;
    let mut last = ' ';
    for (at, letter) in function.char_indices() {
        match letter {
            '(' if depth == 0 => return Some(at),
            '{' | ';' | '"' | ')' if depth == 0 => return None,
            '<' => depth += 1,
            '>' if last != '-' => depth -= 1,
            _ => {}
        }
        last = letter;
    }
    None
}

/// Names of the functions of a file that take a tuple pattern as a parameter, once for each such parameter.
fn tuple_parameters(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let Some(open) = parameters(&code[at..]) else { continue };
        let (mut depth, mut begins) = (0, true);
        for letter in code[at + open..].chars() {
            match letter {
                '(' if depth == 1 && begins => {
                    found.push(code[at + 3..].split(['(', '<']).next().unwrap_or_default());
                    depth += 1;
                }
                '(' | '[' | '{' | '<' => depth += 1,
                ')' | ']' | '}' | '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            begins = (begins && letter.is_whitespace()) || (depth == 1 && matches!(letter, ',' | '('));
        }
    }
    found
}

/// Functions whose tuple parameters are points or extents, which are always written together: file, name, and what the
/// parts are.
const COORDINATES: [(&str, &str, &str); 8] = [
    ("analyze/src/reports/tiling/coverage.rs", "unwritten_regions", "width and height of a region"),
    ("app/src/charts/policies.rs", "text", "place of a text in a chart"),
    ("runtime/src/driver/overlay_profile.rs", "has", "width and height of a plane"),
    ("runtime/src/placement/footprint.rs", "rows", "width, height and depth of a subresource"),
    ("workloads/src/bundled/presented_machine.rs", "new", "width and height of a display"),
    ("workloads/src/present_log/swap_chain.rs", "create", "width and height of the buffers"),
    ("workloads/src/scene/image.rs", "described", "width and height of an image"),
    ("workloads/src/scene/json_path.rs", "path_at", "line and column of a text"),
];

#[test]
fn functions_are_at_most_70_lines_long() {
    // May only fall.
    const LONGER: usize = 2;
    let mut longer = Vec::new();
    for (name, _) in MAY_IMPORT {
        for path in files_of(name) {
            let found = functions(&code(&path)).into_iter().filter(|(_, lines)| *lines > MAX_FUNCTION_LINES);
            longer.extend(found.map(|(function, lines)| format!("{}: {function}: {lines}", path.display())));
        }
    }
    assert!(
        longer.len() <= LONGER,
        "{} functions are longer than {MAX_FUNCTION_LINES} lines: {longer:#?}",
        longer.len()
    );
}

#[test]
fn tuple_parameters_are_coordinates() {
    let (mut others, mut coordinates) = (Vec::new(), BTreeSet::new());
    for path in MAY_IMPORT.iter().flat_map(|(name, _)| files_of(name)) {
        let file = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        for function in tuple_parameters(&code(&path)) {
            match COORDINATES.iter().find(|(of, name, _)| *of == file && *name == function) {
                Some(known) => drop(coordinates.insert(known)),
                None => others.push(format!("{file}: {function}")),
            }
        }
    }
    assert!(others.is_empty(), "parameters are tuple patterns: name the values, or make them a struct: {others:#?}");
    assert_eq!(coordinates.len(), COORDINATES.len(), "of the listed coordinates, only these exist: {coordinates:?}");
}

#[test]
fn every_dependency_is_used() {
    for (name, _) in MAY_IMPORT {
        let text: String = {
            let mut found = Vec::new();
            sources(&root().join(name).join("src"), &mut found);
            found.iter().map(|path| read(path)).collect()
        };
        // Features of these are switched on for polars; the code names them through it.
        let through_others = ["polars-expr", "polars-plan"];
        for dependency in dependencies(name).iter().filter(|name| !through_others.contains(&name.as_str())) {
            let used = dependency.replace('-', "_");
            assert!(text.contains(&used), "{name} does not use {dependency}");
        }
    }
}

#[test]
fn functions_and_tuples_are_counted_as_they_stand() {
    let code = "fn a((x, y): (u8, u8), b: (u8, u8)) {\n    1;\n}\nfn no_body();\nfn c<F: Fn(u8)>(f: F, (d, e): P) -> u8 {\n    1\n}\n";
    assert_eq!(tuple_parameters(code), ["a", "c"]);
    assert_eq!(functions(code), [("a".to_owned(), 3), ("c".to_owned(), 3)]);
}
