//! Time of dissect.etl, a reader in Python, for the same events.

use std::path::Path;
use std::process::Command;

/// Prints the nanoseconds that all events take.
const SCRIPT: &str = "import sys, time
try:
    from dissect.etl.etl import ETL
except ImportError:
    sys.exit(77)
with open(sys.argv[1], 'rb') as file:
    start = time.perf_counter_ns()
    for event in ETL(file):
        pass
    print(time.perf_counter_ns() - start)
";
/// Exit code of the script without dissect.etl.
const ABSENT: i32 = 77;

/// Time of dissect.etl, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dissect(Result<u64, String>);

impl Default for Dissect {
    fn default() -> Self {
        Self(Err("not measured".to_owned()))
    }
}

impl Dissect {
    /// One pass.
    pub fn measure(python: &Path, file: &Path) -> Self {
        let name = python.display();
        let output = match Command::new(python).args(["-c", SCRIPT]).arg(file).output() {
            Ok(output) => output,
            Err(error) => return Self(Err(format!("{name} does not start: {error}"))),
        };
        if output.status.code() == Some(ABSENT) {
            return Self(Err(format!("{name} has no dissect.etl (pip install dissect.etl, then --python)")));
        }
        let text = String::from_utf8_lossy(&output.stdout).trim().parse();
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().last().unwrap_or("no output").to_owned();
        Self(text.map_err(|_| format!("dissect.etl fails on the file: {last}")))
    }

    pub fn ns(&self) -> Option<u64> {
        self.0.as_ref().ok().copied()
    }

    pub fn skipped(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_interpreter_is_skipped_by_name() {
        let skipped = Dissect::measure(Path::new("no-such-python"), Path::new("a.etl"));
        assert_eq!(skipped.ns(), None);
        assert!(skipped.skipped().is_some_and(|why| why.contains("no-such-python")), "{skipped:?}");
    }
}
