//! Pages of documentation about reports, generated from the definitions in code. A test compares them with `docs/`.

use crate::reports::Report;
use crate::reports::verdict::VERDICT;

/// The page about a report: the meaning of each figure.
pub fn report_page(report: &dyn Report) -> String {
    let mut text = format!(
        "# The report `{0}`\n\n{1}\n\n    taut analyze trace.taut --report {0}\n    taut analyze trace.taut --report {0} \
         --json\n\nA key has one meaning in the whole JSON of the report (`reports.{0}`). Numbers of bytes are exact; ratios \
         are fractions of 1.\n\n| key | meaning |\n|---|---|\n",
        report.name(),
        report.description(),
    );
    for definition in std::iter::once(VERDICT).chain(report.definitions()) {
        text += &format!("| `{}` | {} |\n", definition.key, definition.meaning);
    }
    text + &report.appendix() + "\nThis page is generated from the code (`analyze/src/docs.rs`).\n"
}
