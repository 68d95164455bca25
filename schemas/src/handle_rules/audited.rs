//! The rules that are heard.

use crate::rules::{Rule, rule};

/// Every rule that [`HandleAudit`](super::HandleAudit) may find broken.
pub const AUDITED: &[&Rule] = &[
    rule::H_01,
    rule::H_03,
    rule::H_05,
    rule::H_06,
    rule::H_07,
    rule::H_08,
    rule::H_09,
    rule::H_11,
    rule::H_20,
    rule::H_21,
    rule::H_22,
    rule::H_23,
    rule::H_24,
    rule::H_25,
    rule::H_27,
    rule::H_31,
    rule::H_37,
    rule::H_38,
    rule::H_40,
    rule::H_42,
    rule::H_50,
    rule::H_54,
    rule::H_71,
    rule::H_72,
    rule::H_77,
];
