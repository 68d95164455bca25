//! The rules whose checks a driver may fail on purpose, if its profile says so.

use taut_schemas::{Rule, rule};

/// Every rule that the conformance kit has a check for, in its order: the kit does not compile with other ones.
pub(crate) const CHECKED_RULES: &[&Rule] = &[
    rule::A_50,
    rule::A_51,
    rule::A_52,
    rule::A_53,
    rule::A_54,
    rule::A_55,
    rule::A_56,
    rule::B_07,
    rule::B_25,
    rule::B_38,
    rule::B_40,
    rule::B_41,
    rule::B_52,
    rule::B_53,
    rule::B_59,
    rule::B_63,
    rule::B_70,
    rule::B_73,
    rule::C_01,
    rule::C_02,
    rule::C_04,
    rule::C_06,
    rule::C_07,
    rule::C_08,
    rule::T_04,
    rule::T_05,
];
