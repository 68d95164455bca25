//! Test of the words of pages and screens: phrases of everyday language in the place of terms of the field.

use crate::taut::Taut;
use std::path::{Path, PathBuf};

/// Phrases that no page and no screen has, each with the term of the field.
const PHRASES: &[(&str, &str)] = &[
    ("when resources take most", "at peak"),
    ("given back", "reclaimed"),
    ("after those above", "cumulative saving"),
    ("not told", "unknown, n/a"),
    ("as far as the trace tells", "unknown"),
    ("the dearest", "max"),
    ("95 of 100", "p95"),
    ("half of them", "p50"),
    ("half of the frames", "p50"),
    ("in vain", "discarded work, without effect"),
    ("into use", "installed"),
    ("fit to measure", "converged, stable"),
    ("came to rest", "converged"),
    ("come to rest", "converge"),
    ("in pieces", "partial"),
    ("whole lines", "full lines"),
    ("left whole", "full-line flush"),
    ("heaps of their own", "committed (implicit heap)"),
    ("whose memory it is", "memory by tag"),
    ("saved for certain", "guaranteed saving"),
    ("made again", "replayed, recomputed"),
    ("placed anew", "re-placed"),
    ("decided anew", "reselected"),
    ("another world", "what-if, under other settings"),
    ("other world's", "what-if"),
    ("high water", "peak"),
    ("of that free", "unused"),
    ("heaps made", "heaps created"),
    ("nothing folded", "no-op"),
    ("begun dead", "discarded work"),
    ("draws served", "draws using a variant"),
    ("folded slots", "specialised constants"),
    ("pays after", "break-even"),
    ("piece of advice", "lint warning"),
    ("pieces of advice", "lint warnings"),
    ("were heard", "checked"),
    ("dealt in turn", "distributed round-robin"),
    ("what lies behind", "distance"),
    ("in used memory", "recycled"),
    ("given up", "dropped"),
    ("never shown", "dropped"),
    ("the log says", "match, mismatch"),
    ("what became of", "outcome, status"),
    ("order of writing", "access pattern"),
    ("had it been written", "what-if pattern"),
    ("graphics processor", "GPU"),
    ("brought to disk", "fsynced"),
    ("slower than said", "clock drift"),
    ("begins no question", "is not a statement"),
    ("take everything away", "clear"),
    ("beside the scene", "not found"),
    ("became no texture", "skipped"),
    ("scenario of one's own", "custom scenario"),
    ("puts a driver to", "runs the conformance tests"),
    ("give out in this form", "output format"),
    ("tells every access", "logs every access"),
    ("for want of", "missing"),
    ("nobody took", "discarded"),
    ("by chance", "accidental"),
];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the project's folder")
}

/// Files in a folder and its subfolders with one of the endings.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, endings, found);
        } else if path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one)) {
            found.push(path);
        }
    }
}

/// Pages, screens of the tests and scripts of HTML pages, each with its name in the project.
fn texts() -> Vec<(String, String)> {
    let root = project();
    let mut found = vec![root.join("README.md")];
    files(&root.join("docs"), &["md"], &mut found);
    files(&root.join("examples"), &["md"], &mut found);
    files(&root.join("analyze/src/page/assets"), &["js", "html"], &mut found);
    for tests in ["cli/tests", "analyze/tests", "tables/tests"] {
        files(&root.join(tests), &["snap"], &mut found);
    }
    let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    found.sort();
    found.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("a text"))).collect()
}

/// The help of every command, each under the name of its command.
fn help_texts() -> Vec<(String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    let help = taut.stdout(&["--help"]);
    let names = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  ")).map(|(name, _)| name);
    let is_command = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains(' ');
    let one = |name: &str| (format!("taut {name} --help"), taut.stdout(&["help", name]));
    let mut texts: Vec<(String, String)> = names.filter(is_command).filter(|name| *name != "help").map(one).collect();
    assert!(texts.len() > 15, "{}", help);
    texts.push(("taut --help".to_owned(), help.clone()));
    texts
}

/// A text in lower case with single spaces, without code spans: names of keys are fixed. A script has none.
fn normalized(name: &str, text: &str) -> String {
    let outside = |line: &str| match name.ends_with(".js") {
        true => line.to_lowercase(),
        false => line.split('`').step_by(2).collect::<Vec<_>>().join(" ").to_lowercase(),
    };
    let lines: Vec<String> = text.lines().map(outside).collect();
    lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_screens_and_help_use_the_terms_of_the_field() {
    assert!(PHRASES.len() <= 60);
    let mut found: Vec<String> = Vec::new();
    for (name, text) in texts().into_iter().chain(help_texts()) {
        let text = normalized(&name, &text);
        for (phrase, term) in PHRASES {
            if text.contains(phrase) {
                found.push(format!("{name}: \"{phrase}\", expected a term such as \"{term}\""));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
