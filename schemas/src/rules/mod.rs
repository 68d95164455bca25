//! The rules that documents, headers and this project's own choices impose on runtime, driver and application.
//!
//! Code refers to a rule by its constant in [`rule`], never by its id as a string: violations, checks of the
//! conformance kit, audits of reports, tests. `docs/rules.md` is generated from this list.

mod alignment;
mod background;
mod contexts;
pub(crate) mod definition;
mod presents;
mod tiling;

pub(crate) use definition::rules;
pub use definition::{Chapter, Rule};

/// The rules as constants.
pub mod rule {
    pub use super::alignment::rule::*;
    pub use super::background::rule::*;
    pub use super::contexts::rule::*;
    pub use super::presents::rule::*;
    pub use super::tiling::rule::*;
}

/// Every rule, by chapter.
pub const RULES: &[Chapter] = &joined();

const PARTS: [&[Chapter]; 5] =
    [alignment::CHAPTERS, background::CHAPTERS, presents::CHAPTERS, contexts::CHAPTERS, tiling::CHAPTERS];

const COUNT: usize = {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

/// The chapters of all parts, in order.
const fn joined() -> [Chapter; COUNT] {
    let mut chapters = [PARTS[0][0]; COUNT];
    let (mut next, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut chapter = 0;
        while chapter < PARTS[part].len() {
            chapters[next] = PARTS[part][chapter];
            (next, chapter) = (next + 1, chapter + 1);
        }
        part += 1;
    }
    chapters
}
