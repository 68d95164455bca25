//! Names of the tests in the workspace's sources.

use std::collections::BTreeSet;
use std::path::Path;

/// Names of tests.
#[derive(Default)]
pub struct Tests(BTreeSet<String>);

impl Tests {
    /// Tests of all crates: the sources in `src` and `tests` of each folder of the workspace.
    pub fn read(workspace: &Path) -> Result<Tests, std::io::Error> {
        let mut tests = Tests::default();
        for entry in std::fs::read_dir(workspace)? {
            let folder = entry?.path();
            if folder.join("Cargo.toml").is_file() {
                for part in ["src", "tests"].map(|part| folder.join(part)).iter().filter(|part| part.is_dir()) {
                    tests.read_folder(part)?;
                }
            }
        }
        Ok(tests)
    }

    fn read_folder(&mut self, folder: &Path) -> Result<(), std::io::Error> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.read_folder(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.0.append(&mut Tests::of(&std::fs::read_to_string(path)?).0);
            }
        }
        Ok(())
    }

    /// Tests of one source text: functions after the attribute `#[test]` and further attributes.
    pub fn of(text: &str) -> Tests {
        let mut tests = Tests::default();
        let mut is_test = false;
        for line in text.lines().map(str::trim_start) {
            match line.strip_prefix("fn ") {
                Some(function) if is_test => {
                    let name = function.split(['(', '<']).next().unwrap_or_default();
                    tests.0.insert(name.to_owned());
                }
                _ => {}
            }
            is_test = line == "#[test]" || is_test && (line.starts_with("#[") || line.starts_with("//"));
        }
        tests
    }

    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Tests whose names have a rule's number, such as `a01` of `A-01`, among their words.
    pub fn of_rule(&self, id: &str) -> Vec<&str> {
        let word = id.to_lowercase().replace('-', "");
        let names = self.0.iter().map(String::as_str);
        names.filter(|name| name.split('_').any(|part| part == word)).collect()
    }
}
