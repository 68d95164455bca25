//! Files of a crate must not import each other in a circle. A file imports another where its code names an item that
//! the other defines; a name that a module passes on counts as the file that defines it.

use super::source::{Module, ModulePath, read_modules};
use super::{MAY_IMPORT, code, is_test, root, sources};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Files of a crate, and what each imports of the others, with one name as the evidence.
struct Files {
    names: Vec<String>,
    imports: Vec<BTreeMap<usize, String>>,
}

/// Place of a definition: a module itself, or an item of one.
#[derive(Clone)]
enum Definition {
    Module(ModulePath),
    ItemOf(ModulePath),
}

/// Modules of a crate by their paths.
struct Modules {
    modules: BTreeMap<ModulePath, Module>,
    /// Definitions found before, by module and name. None while one is looked up: imports may name each other in a
    /// circle, as `pub use name` of a macro does.
    known: RefCell<HashMap<(ModulePath, String), Option<Definition>>>,
}

impl Modules {
    /// Definition of a name in a module; none if the module neither defines nor imports the name.
    fn named(&self, path: &[String], name: &str) -> Option<Definition> {
        let key = (path.to_vec(), name.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        self.known.borrow_mut().insert(key.clone(), None);
        let found = self.look_up(path, name);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn look_up(&self, path: &[String], name: &str) -> Option<Definition> {
        let module = self.modules.get(path)?;
        let child: ModulePath = path.iter().cloned().chain([name.to_owned()]).collect();
        if self.modules.contains_key(&child) {
            return Some(Definition::Module(child));
        }
        if module.items.contains(name) {
            return Some(Definition::ItemOf(path.to_vec()));
        }
        if let Some(import) = module.imports.get(name) {
            return self.resolve(path, &import.path);
        }
        let in_glob = module.globs.iter().find_map(|glob| match self.resolve(path, glob)? {
            Definition::Module(of) if of != path => self.named(&of, name),
            _ => None,
        });
        in_glob.or_else(|| module.in_macros.contains(name).then(|| Definition::ItemOf(path.to_vec())))
    }

    /// Definition that a path names in a module; none for a path to another crate.
    fn resolve(&self, from: &[String], path: &[String]) -> Option<Definition> {
        let (mut at, rest);
        match path.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &path[1..]),
            "self" => (at, rest) = (from.to_vec(), &path[1..]),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                let parents = from.len().checked_sub(ups)?;
                (at, rest) = (from[..parents].to_vec(), &path[ups..]);
            }
            name => match self.named(from, name)? {
                Definition::Module(of) => (at, rest) = (of, &path[1..]),
                item => return Some(item),
            },
        }
        for name in rest {
            match self.named(&at, name) {
                Some(Definition::Module(of)) => at = of,
                Some(item) => return Some(item),
                // Defined by a macro.
                None => return Some(Definition::ItemOf(at)),
            }
        }
        Some(Definition::Module(at))
    }

    /// Files that a module's code imports, each with the path that names it.
    fn imports(&self, path: &[String], module: &Module) -> BTreeMap<usize, String> {
        let mut found = BTreeMap::new();
        let mut add = |named: &[String]| {
            if let Some(Definition::ItemOf(of)) = self.resolve(path, named)
                && self.modules[&of].file != module.file
            {
                found.entry(self.modules[&of].file).or_insert_with(|| named.join("::"));
            }
        };
        module.named.iter().for_each(|named| add(named));
        let has_children = self.modules.keys().any(|other| other.len() > path.len() && other.starts_with(path));
        let mentioned: BTreeSet<&str> = module.named.iter().filter_map(|named| Some(named.first()?.as_str())).collect();
        for (name, import) in module.imports.iter().filter(|(_, import)| !import.is_public) {
            // Imports for a trait's methods are never mentioned; others of a parent may be for its children.
            let is_trait = || match self.resolve(path, &import.path) {
                Some(Definition::ItemOf(of)) => {
                    import.path.last().is_some_and(|last| self.modules[&of].traits.contains(last))
                }
                _ => false,
            };
            if !mentioned.contains(name.as_str()) && (!has_children || is_trait()) {
                add(&import.path);
            }
        }
        found
    }
}

/// Path of the module that a file defines.
fn module_path(file: &str) -> ModulePath {
    let module = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if ["lib", "main"].contains(&module) { Vec::new() } else { module.split('/').map(str::to_owned).collect() }
}

/// Files of a crate, with their imports.
fn files(name: &str) -> Files {
    let src = root().join(name).join("src");
    let mut paths = Vec::new();
    sources(&src, &mut paths);
    paths.retain(|path| !is_test(path));
    paths.sort();
    let name_of = |path: &Path| path.strip_prefix(&src).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    let mut modules = BTreeMap::new();
    for (file, (path, name)) in paths.iter().zip(&names).enumerate() {
        read_modules(&code(path), &module_path(name), file, &mut modules);
    }
    let modules = Modules { modules, known: RefCell::default() };
    let mut imports = vec![BTreeMap::new(); names.len()];
    for (path, module) in &modules.modules {
        imports[module.file].extend(modules.imports(path, module));
    }
    Files { names, imports }
}

/// Groups of files that import each other in a circle, directly or through others.
fn cycles(imports: &[BTreeMap<usize, String>]) -> Vec<Vec<usize>> {
    let reached: Vec<BTreeSet<usize>> = (0..imports.len())
        .map(|from| {
            let (mut reached, mut rest) = (BTreeSet::new(), vec![from]);
            while let Some(file) = rest.pop() {
                rest.extend(imports[file].keys().filter(|next| reached.insert(**next)));
            }
            reached
        })
        .collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for file in 0..imports.len() {
        if reached[file].contains(&file) && !found.iter().flatten().any(|other| *other == file) {
            found.push(
                (0..imports.len())
                    .filter(|other| reached[file].contains(other) && reached[*other].contains(&file))
                    .collect(),
            );
        }
    }
    found
}

/// Files that import each other and cannot be separated: crate, files, reason.
const EXCEPTIONS: [(&str, &[&str], &str); 1] = [(
    "schemas",
    &["families/driver.rs", "families/mod.rs"],
    "two expansions of the list of families: tables of functions name a driver's calls, and a driver has these tables",
)];

/// True if all files of a group are those of one exception.
fn is_excepted(name: &str, group: &[&str]) -> bool {
    EXCEPTIONS.iter().any(|(of, files, _)| *of == name && group.iter().all(|file| files.contains(file)))
}

#[test]
fn files_do_not_import_each_other_in_a_cycle() {
    // May only fall. All of them are in `analyze`, `tables`, `console` and `cli`.
    const GROUPS: usize = 26;
    let (mut others, mut excepted) = (Vec::new(), 0);
    for (name, _) in MAY_IMPORT {
        let Files { names, imports } = files(name);
        for group in cycles(&imports) {
            let files: Vec<&str> = group.iter().map(|file| names[*file].as_str()).collect();
            if is_excepted(name, &files) {
                excepted += 1;
                continue;
            }
            let mut text = format!("{name}: {} files", group.len());
            for file in &group {
                for (to, evidence) in imports[*file].iter().filter(|(to, _)| group.contains(to)) {
                    text += &format!("\n    {} imports {} ({evidence})", names[*file], names[*to]);
                }
            }
            others.push(text);
        }
    }
    assert!(
        others.len() <= GROUPS,
        "{} groups of files import each other in a circle; {GROUPS} did:\n{}",
        others.len(),
        others.join("\n")
    );
    assert_eq!(excepted, EXCEPTIONS.len(), "an exception is listed for files that do not import each other");
}

/// Imports between files that hold this code, by their names.
fn imports_between(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut modules = BTreeMap::new();
    for (file, (name, code)) in files.iter().enumerate() {
        read_modules(code, &module_path(name), file, &mut modules);
    }
    let modules = Modules { modules, known: RefCell::default() };
    let mut found = Vec::new();
    for (path, module) in &modules.modules {
        let imports = modules.imports(path, module);
        found.extend(imports.keys().map(|to| (files[module.file].0.to_owned(), files[*to].0.to_owned())));
    }
    found.sort();
    found
}

#[test]
fn imports_of_files_lead_to_the_file_that_defines_an_item() {
    let found = imports_between(&[
        ("lib.rs", "mod a;\nmod b;\npub use a::C;"),
        ("a/mod.rs", "mod c;\npub use c::C;\nuse super::b::B;\nfn f(b: B) {}\nconst TEXT: &str = \"crate::b::B\";"),
        ("a/c.rs", "// crate::b::B\npub struct C;\nfn g() { super::f(crate::b::B { a: 'x' }) }"),
        ("b.rs", "use crate::*;\npub struct B { a: char }\nimpl B { fn h(c: C) -> usize { 0 } }"),
    ]);
    let expected = [("a/c.rs", "a/mod.rs"), ("a/c.rs", "b.rs"), ("a/mod.rs", "b.rs"), ("b.rs", "a/c.rs")];
    assert_eq!(found, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
}

#[test]
fn only_files_that_reach_each_other_are_a_cycle() {
    let imports = [[1].as_slice(), &[2, 3], &[1], &[]];
    let imports: Vec<BTreeMap<usize, String>> =
        imports.iter().map(|to| to.iter().map(|to| (*to, String::new())).collect()).collect();
    assert_eq!(cycles(&imports), [[1, 2]]);
}
