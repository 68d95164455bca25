//! Modules of a crate must not import each other in a circle.

use super::{MAY_IMPORT, code, is_test, root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Imported modules, by module.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Names in a list of imports; of `a::{B, C}` only the first part.
fn first_names(list: &str) -> Vec<String> {
    let (mut names, mut depth, mut name, mut is_first) = (Vec::new(), 0, String::new(), true);
    for letter in list.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(std::mem::take(&mut name));
                is_first = true;
            }
            letter if letter.is_alphanumeric() || letter == '_' => {
                if depth == 0 && is_first {
                    name.push(letter);
                }
            }
            letter if !letter.is_whitespace() => is_first = false,
            // `a as b` counts as `a`.
            _ => is_first = is_first && name.is_empty(),
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names
}

/// Text between the brace that `text` begins with and its counterpart.
fn braced(text: &str) -> &str {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 {
            return &text[1..at];
        }
    }
    ""
}

/// Names that follow `crate::` in some code.
fn named_of_crate(code: &str) -> Vec<String> {
    let tails = code.match_indices("crate::").map(|(at, path)| &code[at + path.len()..]);
    let names = tails.flat_map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        if rest.starts_with('{') { first_names(braced(rest)) } else { vec![rest[..end].to_owned()] }
    });
    names.collect()
}

/// Names that the root of a crate re-exports, with the module of each.
fn reexported(root: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (at, used) in root.match_indices("use ") {
        let Some((path, _)) = root[at + used.len()..].split_once(';') else { continue };
        let Some((module, _)) = path.split_once("::") else { continue };
        let listed = path.find('{').map(|at| first_names(braced(&path[at..])));
        let last = || vec![path.rsplit("::").next().unwrap_or_default().to_owned()];
        names.extend(listed.unwrap_or_else(last).into_iter().map(|name| (name, module.trim().to_owned())));
    }
    names
}

fn imports(name: &str) -> Imports {
    let src = root().join(name).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let module_of = |path: &Path| {
        let first = path.strip_prefix(&src).ok()?.iter().next()?.to_string_lossy().into_owned();
        let module = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
        (module != "lib" && module != "main").then_some(module)
    };
    let mut imports: Imports = files.iter().filter_map(|path| Some((module_of(path)?, BTreeSet::new()))).collect();
    let modules: BTreeSet<String> = imports.keys().cloned().collect();
    let lib = src.join("lib.rs");
    let reexported = if lib.exists() { reexported(&code(&lib)) } else { BTreeMap::new() };
    for path in files.iter().filter(|path| !is_test(path)) {
        let Some(module) = module_of(path) else { continue };
        for name in named_of_crate(&code(path)) {
            let of = if modules.contains(&name) { Some(&name) } else { reexported.get(&name) };
            let known = of.filter(|of| modules.contains(*of) && **of != module);
            imports.entry(module.clone()).or_default().extend(known.cloned());
        }
    }
    imports
}

/// Modules that a module imports, directly or through others.
fn reached<'i>(imports: &'i Imports, from: &'i str) -> BTreeSet<&'i str> {
    let (mut reached, mut rest) = (BTreeSet::new(), vec![from]);
    while let Some(module) = rest.pop() {
        let next = imports.get(module).into_iter().flatten().map(String::as_str);
        rest.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

#[test]
fn modules_do_not_import_each_other_in_a_cycle() {
    for (name, _) in MAY_IMPORT {
        let imports = imports(name);
        let is_in_cycle = |module: &&String| reached(&imports, module).contains(module.as_str());
        let found: Vec<&String> = imports.keys().filter(is_in_cycle).collect();
        let arrows = || {
            let of = found.iter().map(|module| (module, &imports[module.as_str()]));
            of.map(|(module, imported)| format!("\n  {module} imports {imported:?}")).collect::<String>()
        };
        assert!(found.is_empty(), "{name}: modules import each other in a circle:{}", arrows());
    }
}

#[test]
fn imports_are_read_as_they_stand() {
    let code = "use crate::a::B;\nuse crate::{c::{D, E}, f, G as H};\nlet x = crate::i::j();\npub(crate) fn k() {}";
    assert_eq!(named_of_crate(code), ["a", "c", "f", "G", "i"]);
    let root = "mod a;\npub use a::{B, c::D};\npub(crate) use e::F;";
    let exported = reexported(root);
    assert_eq!((exported["B"].as_str(), exported["F"].as_str()), ("a", "e"));
}
