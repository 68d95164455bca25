//! What decides the runtime's behaviour besides its inputs. A trace's header keeps all of it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use taut_schemas::MessageSeverity;
use thiserror::Error;

/// The revision of the tight-alignment rules that a device follows (rule A-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum RuleSet {
    /// Up to Agility SDK 1.619.3: with the tight flag, a non-zero `Alignment` is invalid.
    #[default]
    #[serde(rename = "1.618")]
    R1_618,
    /// From Agility SDK 1.619.4: with the tight flag, a non-zero `Alignment` is a floor.
    #[serde(rename = "1.619.4")]
    R1_619_4,
}

impl RuleSet {
    /// Every rule set, oldest first.
    pub const ALL: [RuleSet; 2] = [RuleSet::R1_618, RuleSet::R1_619_4];

    /// Its name on the command line and in traces.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::R1_618 => "1.618",
            RuleSet::R1_619_4 => "1.619.4",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule set's name that is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected the rule set 1.618 or 1.619.4, found {found}")]
pub struct ParseRuleSetError {
    /// The name found.
    pub found: String,
}

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = RuleSet::ALL.into_iter().find(|rules| rules.name() == name);
        known.ok_or_else(|| ParseRuleSetError { found: name.to_owned() })
    }
}

/// A debug message's severity, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Corruption.
    Corruption,
    /// Error.
    Error,
    /// Warning.
    Warning,
    /// Information.
    Info,
    /// A message of the application.
    Message,
}

impl From<Severity> for MessageSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Corruption => MessageSeverity::CORRUPTION,
            Severity::Error => MessageSeverity::ERROR,
            Severity::Warning => MessageSeverity::WARNING,
            Severity::Info => MessageSeverity::INFO,
            Severity::Message => MessageSeverity::MESSAGE,
        }
    }
}

/// Every choice the documents leave open, as a knob with its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "snake_case")]
pub struct Settings {
    /// Which revision of the rules holds (A-16).
    pub rules: RuleSet,
    /// A driver violation removes the device, and the runtime asks the driver about what it has just created (A-11,
    /// A-13).
    pub strict: bool,
    /// Severity of the message about the tight flag on a cross-adapter resource (A-14; ambiguity A0.13).
    pub cross_adapter_severity: Severity,
    /// A driver's answer that is not a power of two is a violation (A-11).
    pub require_power_of_two: bool,
    /// A driver with large pages may align a committed tight allocation to them (A-12; ambiguity A0.5).
    pub allow_large_pages: bool,
    /// An MSAA texture, which is always a render target or depth-stencil, can be small (A-02; ambiguity A0.11).
    pub small_msaa: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            rules: RuleSet::default(),
            strict: false,
            cross_adapter_severity: Severity::Warning,
            require_power_of_two: true,
            allow_large_pages: true,
            small_msaa: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_json() {
        let settings = Settings { rules: RuleSet::R1_619_4, strict: true, ..Default::default() };
        let json = serde_json::to_value(&settings).unwrap();
        assert_eq!(json["rules"], "1.619.4");
        assert_eq!(serde_json::from_value::<Settings>(json).unwrap(), settings);
        assert_eq!(serde_json::from_str::<Settings>("{}").unwrap(), Settings::default());
        assert!(serde_json::from_str::<Settings>(r#"{"strickt":true}"#).is_err());
    }

    #[test]
    fn rule_sets_are_named() {
        for rules in RuleSet::ALL {
            assert_eq!(rules.name().parse::<RuleSet>().unwrap(), rules);
            assert_eq!(serde_json::to_value(rules).unwrap(), rules.name());
        }
        assert_eq!("1.6".parse::<RuleSet>().unwrap_err().found, "1.6");
    }
}
