//! All rules: the documents' and the choices, found by id, and the page `docs/rules.md`.

use crate::choices::CHOICES;
use crate::rules::{Chapter, RULES, Rule};

impl Rule {
    /// The rule of this number.
    pub fn find(id: &str) -> Option<&'static Rule> {
        every_chapter().flat_map(|chapter| chapter.rules).copied().find(|rule| rule.id == id)
    }
}

/// Every chapter of rules, the choices last.
pub fn every_chapter() -> impl Iterator<Item = &'static Chapter> {
    RULES.iter().chain(CHOICES)
}

/// The rules as a page of Markdown.
pub fn rules_page() -> String {
    let mut page = String::from(
        "# Rules\n\nWhat documents, headers and choices of this project ask of the runtime, of drivers and of applications. \
         Violations in traces, the\nchecks of `taut hlk` and the audits of the report `pgo` name them by these numbers; so do the tests. Made \
         from the code.\n",
    );
    for chapter in every_chapter() {
        page.push_str(&format!("\n## {}\n\n| rule | what holds | source |\n|---|---|---|\n", chapter.title));
        for rule in chapter.rules {
            page.push_str(&format!("| {} | {} | {} |\n", rule.id, rule.sentence, rule.source));
        }
    }
    page
}
