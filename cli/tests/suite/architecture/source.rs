//! Modules of a crate as their files define them: items, imports, and the paths that the code names.

use std::collections::{BTreeMap, BTreeSet};

/// Path of a module from the root of its crate.
pub type ModulePath = Vec<String>;

/// Words and signs of some code. Comments, texts, numbers and lifetimes are left out.
pub fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = code[at..].chars().next() {
        let rest = &code[at..];
        let length = if letter.is_whitespace() {
            letter.len_utf8()
        } else if let Some(length) = skipped(rest) {
            length
        } else if letter.is_alphanumeric() || letter == '_' {
            let length = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            found.push(&rest[..length]);
            length
        } else {
            let length = if rest.starts_with("::") { 2 } else { letter.len_utf8() };
            found.push(&rest[..length]);
            length
        };
        at += length;
    }
    found
}

/// Length of the comment, text, letter or lifetime that some code begins with.
fn skipped(code: &str) -> Option<usize> {
    let up_to = |end: &str, from: usize| code[from..].find(end).map_or(code.len(), |at| from + at + end.len());
    if code.starts_with("//") {
        return Some(up_to("\n", 0));
    }
    if code.starts_with("/*") {
        return Some(up_to("*/", 2));
    }
    let prefix = code.find(|letter: char| !"brc".contains(letter))?;
    let hashes = code[prefix..].len() - code[prefix..].trim_start_matches('#').len();
    if code[..prefix].contains('r') && prefix <= 2 && code[prefix + hashes..].starts_with('"') {
        let end = format!("\"{}", &code[prefix..prefix + hashes]);
        return Some(up_to(&end, prefix + hashes + 1));
    }
    if prefix <= 1 && code[prefix..].starts_with('"') {
        let mut is_escaped = false;
        for (at, letter) in code.char_indices().skip(prefix + 1) {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => return Some(at + 1),
                _ => {}
            }
        }
        return Some(code.len());
    }
    if prefix > 1 || !code[prefix..].starts_with('\'') {
        return None;
    }
    let letters: Vec<(usize, char)> = code.char_indices().skip(prefix).take(3).collect();
    match letters[..] {
        [_, (_, '\\'), _] => Some(up_to("'", prefix + 3)),
        [_, _, (at, '\'')] => Some(at + 1),
        // A lifetime.
        [(quote, _), ..] => {
            let name = code[quote + 1..].find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            Some(name.map_or(code.len(), |length| quote + 1 + length))
        }
        [] => None,
    }
}

/// An import of one name.
pub struct Import {
    pub path: Vec<String>,
    pub is_public: bool,
}

/// Definitions, imports and named paths of a module's code.
#[derive(Default)]
pub struct Module {
    /// Index of the module's file.
    pub file: usize,
    pub items: BTreeSet<String>,
    pub traits: BTreeSet<String>,
    /// Names in bodies of macros that the module calls outside of functions, which may define items of these names.
    pub in_macros: BTreeSet<String>,
    /// Imports, by the name that the module knows the import by.
    pub imports: BTreeMap<String, Import>,
    /// Modules all of whose names are imported.
    pub globs: Vec<Vec<String>>,
    /// Paths that the code names outside of imports.
    pub named: BTreeSet<Vec<String>>,
}

const ITEMS: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "const", "static"];

fn is_name(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// A path that begins at a token, and the position after it.
fn path_at(tokens: &[&str], mut at: usize) -> (Vec<String>, usize) {
    let mut path = vec![tokens[at].to_owned()];
    while tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(|token| is_name(token)) {
        path.push(tokens[at + 2].to_owned());
        at += 2;
    }
    (path, at + 1)
}

/// Imports of the tree that begins at a token, and the position after it.
fn import_tree(tokens: &[&str], mut at: usize, prefix: &[String], is_public: bool, module: &mut Module) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens.get(at).copied() {
            Some("::") => at += 1,
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| *token != "}") {
                    let end = import_tree(tokens, at, &path, is_public, module);
                    // A sign that belongs to a macro is passed over.
                    at = end + usize::from(tokens.get(end) == Some(&",") || end == at);
                }
                return at + 1;
            }
            Some("*") => {
                module.globs.push(path);
                return at + 1;
            }
            Some(name) if is_name(name) && name != "as" => {
                if name != "self" || path.is_empty() {
                    path.push(name.to_owned());
                }
                at += 1;
            }
            other => {
                let is_renamed = other == Some("as");
                let alias =
                    if is_renamed { tokens[at + 1].to_owned() } else { path.last().cloned().unwrap_or_default() };
                // `as _` is an import for the methods of a trait.
                let name = if alias == "_" { format!("_{}", path.join("::")) } else { alias };
                module.imports.insert(name, Import { path, is_public });
                return at + if is_renamed { 2 } else { 0 };
            }
        }
    }
}

/// Reads the modules of a file: that of the file, and those between braces.
pub fn read_modules(code: &str, path: &[String], file: usize, modules: &mut BTreeMap<ModulePath, Module>) {
    let tokens = tokens(code);
    // Path and depth of the modules around a token.
    let mut around = vec![(path.to_vec(), 0)];
    modules.entry(path.to_vec()).or_default().file = file;
    let (mut depth, mut at, mut macro_depth) = (0_usize, 0, None);
    while let Some(token) = tokens.get(at).copied() {
        let (path, module_depth) = around.last().cloned().unwrap_or_default();
        let before = if at > 0 { tokens[at - 1] } else { ";" };
        let after = tokens.get(at + 1).copied().unwrap_or_default();
        let module = modules.entry(path.clone()).or_default();
        module.file = file;
        if ["(", "[", "{"].contains(&token) {
            depth += 1;
        } else if [")", "]", "}"].contains(&token) {
            depth = depth.saturating_sub(1);
            if macro_depth == Some(depth) {
                macro_depth = None;
            }
            if around.len() > 1 && depth == module_depth - 1 {
                around.pop();
            }
        } else if token == "mod" && is_name(after) && tokens.get(at + 2) == Some(&"{") {
            let inner: ModulePath = path.iter().cloned().chain([after.to_owned()]).collect();
            around.push((inner, depth + 1));
            at += 1;
        } else if token == "mod" && is_name(after) {
            at += 1;
        } else if token == "use" && before != "<" && before != "+" {
            let is_public = before == "pub" || before == ")";
            at = import_tree(&tokens, at + 1, &[], is_public, module);
            continue;
        } else if ITEMS.contains(&token) && is_name(after) && depth == module_depth && macro_depth.is_none() {
            module.items.insert(after.to_owned());
            if token == "trait" {
                module.traits.insert(after.to_owned());
            }
            at += 1;
        } else if token == "macro_rules" && tokens.get(at + 2).is_some_and(|name| is_name(name)) {
            module.items.insert(tokens[at + 2].to_owned());
            at += 2;
        } else if is_name(token) && after == "!" && depth == module_depth && macro_depth.is_none() {
            module.named.insert(vec![token.to_owned()]);
            macro_depth = Some(depth);
        } else if is_name(token) && before != "." && before != "::" && before != "fn" {
            let (named, end) = path_at(&tokens, at);
            if macro_depth.is_some() && named.len() == 1 {
                module.in_macros.insert(token.to_owned());
            }
            // `name:` is a field or a parameter.
            if named.len() > 1 || tokens.get(end) != Some(&":") {
                module.named.insert(named);
            }
            at = end;
            continue;
        }
        at += 1;
    }
}
