//! Formats results as JUnit XML for CI systems: one suite per trace, one case per limit.

use super::{Checked, LimitOutcome};

/// Formats the document; each trace has a name.
pub fn junit(traces: &[(String, Vec<Checked>)]) -> String {
    let broken =
        |checked: &[Checked]| checked.iter().filter(|one| matches!(one.verdict, LimitOutcome::Broken(_))).count();
    let skipped =
        |checked: &[Checked]| checked.iter().filter(|one| matches!(one.verdict, LimitOutcome::Skipped(_))).count();
    let tests: usize = traces.iter().map(|(_, checked)| checked.len()).sum();
    let failures: usize = traces.iter().map(|(_, checked)| broken(checked)).sum();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"taut budget\" tests=\"{tests}\" \
         failures=\"{failures}\">\n"
    );
    for (name, checked) in traces {
        text += &format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
            escaped(name),
            checked.len(),
            broken(checked),
            skipped(checked),
        );
        for one in checked {
            let case = format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(name), escaped(&one.limit));
            text += &match &one.verdict {
                LimitOutcome::Passed => format!("{case}/>\n"),
                LimitOutcome::Skipped(why) => {
                    format!("{case}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(why))
                }
                LimitOutcome::Broken(broken) => format!(
                    "{case}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                    escaped(&broken.headline()),
                    escaped(&broken.details().join("\n")),
                ),
            };
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // XML has no other control characters.
            character if character.is_control() && !"\n\t".contains(character) => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}
