//! Types of rules and chapters, and the macro of a list of rules.

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
            use $crate::rules::definition::Rule;
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
