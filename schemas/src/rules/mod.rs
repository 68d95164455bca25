//! The rules that documents, headers and this project's own choices impose on runtime, driver and application.
//!
//! Code refers to a rule by its constant in [`rule`], never by its id as a string: violations, checks of the
//! conformance kit, audits of reports, tests. `docs/rules.md` is generated from this list.

mod alignment;
mod background;
mod contexts;
mod presents;
mod tiling;

/// One rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Id of the rule: `A-` alignment, `B-` background processing, `C-` cross-adapter resources, `D-` swap chains, `H-`
    /// contexts and their handles, `T-` tiled surfaces, `X-` choices.
    pub id: &'static str,
    /// The rule in a sentence that begins with a lower-case letter and ends without a full stop.
    pub sentence: &'static str,
    /// Origin: document and section, or "a choice" where the document leaves the matter open.
    pub source: &'static str,
}

/// A chapter of rules of one kind.
#[derive(Debug, Clone, Copy)]
pub struct Chapter {
    pub title: &'static str,
    /// The chapter's rules, in order of their ids.
    pub rules: &'static [&'static Rule],
}

macro_rules! rules {
    (mod $module:ident, const $LIST:ident; $( $title:literal: $( $RULE:ident $id:literal $sentence:literal source $source:literal; )+ )+) => {
        /// The rules as constants.
        pub mod $module {
            use $crate::rules::Rule;
            $( $(
                #[doc = concat!($id, ": ", $sentence, ".")]
                pub const $RULE: &Rule = &Rule { id: $id, sentence: $sentence, source: $source };
            )+ )+
        }

        /// Every rule, by chapter.
        pub const $LIST: &[Chapter] = &[ $( Chapter { title: $title, rules: &[ $( $module::$RULE ),+ ] } ),+ ];

        #[test]
        fn a_rule_is_named_by_its_number() {
            $( $( assert_eq!(stringify!($RULE).replace('_', "-"), $id); )+ )+
        }
    };
}

pub(crate) use rules;

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
