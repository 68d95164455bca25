//! Settings: everything besides inputs that determines the runtime's behaviour. A trace's header contains them.

use crate::background::{AtDestruction, TaskPolicy};
use crate::revision::Revision;
use crate::wddm::Wddm;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;
use taut_schemas::{HResultCode, HandleAllocator, MessageSeverity, WddmVersion, nearest};
use thiserror::Error;

/// Revision of the tight-alignment rules that a device follows (rule A-16).
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
    /// All rule sets, oldest first.
    pub const ALL: [RuleSet; 2] = [RuleSet::R1_618, RuleSet::R1_619_4];

    /// Returns the name on the command line and in traces.
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

/// Error for an unknown rule set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected the rule set 1.618 or 1.619.4, found {found}")]
pub struct ParseRuleSetError {
    pub found: String,
}

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = RuleSet::ALL.into_iter().find(|rules| rules.name() == name);
        known.ok_or_else(|| ParseRuleSetError { found: name.to_owned() })
    }
}

/// Severity of a debug message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Corruption,
    Error,
    Warning,
    Info,
    /// Message of the application.
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

macro_rules! settings {
    ($(#[$meta:meta])* pub struct Settings { $(
        $(#[doc = $doc:literal])+ $(#[serde($($serde:tt)*)])? pub $key:ident: $kind:ty,
    )* }) => {
        $(#[$meta])*
        pub struct Settings { $( $(#[doc = $doc])+ $(#[serde($($serde)*)])? pub $key: $kind, )* }

        impl Settings {
            /// Settings with their meanings, in order.
            pub const DOCS: &'static [(&'static str, &'static str)] = &[ $( (stringify!($key), concat!($($doc),+)), )* ];
        }
    };
}

settings! {
/// Settings for the choices that the documents leave open, with their defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, remote = "Self")]
pub struct Settings {
    /// Revision of the tight-alignment rules (A-16).
    pub rules: RuleSet,
    /// A driver violation removes the device, and the runtime queries the driver about each created resource (A-11,
    /// A-13).
    pub strict: bool,
    /// Severity of the message for the tight flag on a cross-adapter resource (A-14; rule X-06).
    pub cross_adapter_severity: Severity,
    /// A driver alignment that is not a power of two is a violation (A-11).
    pub require_power_of_two: bool,
    /// A driver with large pages may align committed tight allocations to them (A-12; rule X-02).
    pub allow_large_pages: bool,
    /// An MSAA texture, which is always a render target or depth-stencil, can be small (A-02; rule X-05).
    pub small_msaa: bool,
    /// AlignmentRestriction is the minimum of a driver's answer with the tight flag; otherwise a committed resource may
    /// have the alignment of a placed one, as far as VidMm's pages allow (A-11; rule X-03).
    pub restriction_is_minimum: bool,
    /// SizeInBytes of a tight resource is the driver's size rounded up to the alignment; otherwise the driver's size is
    /// used unchanged (A-13; rule X-01).
    pub round_sizes_up: bool,
    /// The direct-access mark is cleared by any call on the device other than the creation it was set for; otherwise
    /// only a creation clears it (T-04: "immediately before").
    pub mark_is_immediate: bool,
    /// Developer mode is on when the recording begins (B-04, B-05).
    pub developer_mode: bool,
    /// Error code for a mode or action that needs developer mode, if it is off (B-04; rule X-25).
    pub developer_mode_refusal: DeveloperModeRefusal,
    /// Maximum number of concurrent background tasks (B-21; rule X-20).
    pub max_background_tasks: u32,
    /// Maximum number of concurrent background tasks while results are committed at high priority (B-36).
    pub max_boosted_tasks: u32,
    /// Disabling background work cancels waiting tasks, as up to 2019 (B-23; rule X-21).
    pub disable_cancels_queued: bool,
    /// A commit waits for the tasks that its tasks queue as well (B-32; rule X-28).
    pub commit_covers_followups: bool,
    /// A commit at high priority also boosts tasks that are queued later, until it is done (B-36).
    pub boost_covers_later_tasks: bool,
    /// Handling of waiting tasks when the device is destroyed (B-56).
    pub tasks_at_destruction: AtDestruction,
    /// Every access of a driver to the private memory of context handles is recorded.
    pub handle_accesses: bool,
    /// Cache line size in bytes, 64 or 128: the unit of handle memory (H-26, H-33).
    #[serde(deserialize_with = "cache_line")]
    pub cache_line_bytes: u64,
    /// Placement of deferred contexts' handles: `lines` (whole cache lines), `packed`, or `tuned` (as many per line as
    /// the sizes returned by the driver allow) (H-26).
    pub handle_allocator: HandleAllocator,
    /// WDDM version of the operating system, which determines its queries and answers (C-03; rule X-15).
    pub os_wddm_version: Wddm,
    /// Error code of D3D12CreateDevice if the kernel-mode tier is below the user-mode driver's tier (C-08; rule X-14).
    pub kernel_tier_refusal: KernelTierRefusal,
    /// Revision of the runtime's behaviour. Headers without a value are from builds without revisions.
    #[serde(default = "Revision::first")]
    pub revision: Revision,
}
}

/// HRESULT for a user-mode driver that promises more than its kernel-mode driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[allow(non_camel_case_types)]
pub enum KernelTierRefusal {
    /// The driver broke a rule.
    #[default]
    DXGI_ERROR_DRIVER_INTERNAL_ERROR,
    DXGI_ERROR_UNSUPPORTED,
    E_FAIL,
}

impl From<KernelTierRefusal> for HResultCode {
    fn from(refusal: KernelTierRefusal) -> Self {
        match refusal {
            KernelTierRefusal::DXGI_ERROR_DRIVER_INTERNAL_ERROR => HResultCode::DXGI_ERROR_DRIVER_INTERNAL_ERROR,
            KernelTierRefusal::DXGI_ERROR_UNSUPPORTED => HResultCode::DXGI_ERROR_UNSUPPORTED,
            KernelTierRefusal::E_FAIL => HResultCode::E_FAIL,
        }
    }
}

/// HRESULT without developer mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[allow(non_camel_case_types)]
pub enum DeveloperModeRefusal {
    #[default]
    E_INVALIDARG,
    E_ACCESSDENIED,
    E_NOTIMPL,
}

impl From<DeveloperModeRefusal> for HResultCode {
    fn from(refusal: DeveloperModeRefusal) -> Self {
        match refusal {
            DeveloperModeRefusal::E_INVALIDARG => HResultCode::E_INVALIDARG,
            DeveloperModeRefusal::E_ACCESSDENIED => HResultCode::E_ACCESSDENIED,
            DeveloperModeRefusal::E_NOTIMPL => HResultCode::E_NOTIMPL,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let tasks = TaskPolicy::default();
        Settings {
            rules: RuleSet::default(),
            strict: false,
            cross_adapter_severity: Severity::Warning,
            require_power_of_two: true,
            allow_large_pages: true,
            small_msaa: true,
            restriction_is_minimum: true,
            round_sizes_up: true,
            mark_is_immediate: true,
            developer_mode: true,
            developer_mode_refusal: DeveloperModeRefusal::default(),
            max_background_tasks: tasks.max_tasks,
            max_boosted_tasks: tasks.max_boosted_tasks,
            disable_cancels_queued: tasks.disable_cancels_queued,
            commit_covers_followups: tasks.commit_covers_followups,
            boost_covers_later_tasks: tasks.boost_covers_later_tasks,
            tasks_at_destruction: tasks.at_destruction,
            handle_accesses: false,
            cache_line_bytes: CACHE_LINES[0],
            handle_allocator: HandleAllocator::default(),
            os_wddm_version: Wddm(WddmVersion::WDDM_3_2),
            kernel_tier_refusal: KernelTierRefusal::default(),
            revision: Revision::CURRENT,
        }
    }
}

impl Settings {
    /// Returns the settings of background tasks.
    pub fn task_policy(&self) -> TaskPolicy {
        TaskPolicy {
            max_tasks: self.max_background_tasks,
            max_boosted_tasks: self.max_boosted_tasks,
            disable_cancels_queued: self.disable_cancels_queued,
            commit_covers_followups: self.commit_covers_followups,
            boost_covers_later_tasks: self.boost_covers_later_tasks,
            at_destruction: self.tasks_at_destruction,
        }
    }

    /// Returns the names of the settings.
    pub fn keys() -> Vec<String> {
        Settings::default().object().into_iter().map(|(key, _)| key).collect()
    }

    /// Returns a copy of these settings with one changed. `value` is written as in a trace's header, names without
    /// quotes.
    ///
    /// # Errors
    /// The setting does not exist, or has no such value.
    pub fn with(&self, key: &str, value: &str) -> Result<Settings, SettingError> {
        let mut object = self.object();
        let plain = |value: &Value| value.is_boolean() || value.is_number();
        let number = object.get(key).is_some_and(Value::is_number);
        let parsed = serde_json::from_str(value).ok().filter(plain).filter(|value| value.is_number() == number);
        object.insert(key.to_owned(), parsed.unwrap_or_else(|| value.into()));
        check_keys(&object)?;
        let invalid = |error: serde_json::Error| SettingError { key: key.to_owned(), what: error.to_string() };
        serde_json::from_value(Value::Object(object)).map_err(invalid)
    }

    fn object(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(object)) => object,
            _ => Map::new(),
        }
    }
}

/// Error for an invalid setting.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("setting {key}: {what}")]
pub struct SettingError {
    /// Name of the setting.
    pub key: String,
    /// Expected and found values.
    pub what: String,
}

/// Cache line sizes in bytes, the usual one first.
const CACHE_LINES: [u64; 2] = [64, 128];

fn cache_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let found = u64::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom(format_args!("expected 64 or 128, found {found}"));
    CACHE_LINES.contains(&found).then_some(found).ok_or_else(wrong)
}

fn check_keys(object: &Map<String, Value>) -> Result<(), SettingError> {
    let known = Settings::keys();
    let Some(key) = object.keys().find(|key| !known.contains(key)) else { return Ok(()) };
    let what = match nearest(key, known.iter().map(String::as_str)) {
        Some(other) => format!("expected the name of a setting, found {key}; did you mean {other}?"),
        None => format!("expected one of {}, found {key}", known.join(", ")),
    };
    Err(SettingError { key: key.clone(), what })
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Settings::serialize(self, serializer)
    }
}

/// Deserialises through a map, so that the error for an unknown name can suggest a known one.
impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let object = Map::deserialize(deserializer)?;
        check_keys(&object).map_err(serde::de::Error::custom)?;
        Settings::deserialize(Value::Object(object)).map_err(serde::de::Error::custom)
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
        let before = Settings { revision: Revision::FIRST, ..Settings::default() };
        assert_eq!(serde_json::from_str::<Settings>("{}").unwrap(), before);
    }

    #[test]
    fn an_unknown_setting_gets_a_suggestion() {
        let error = serde_json::from_str::<Settings>(r#"{"strickt":true}"#).unwrap_err();
        assert!(error.to_string().contains("did you mean strict?"), "{error}");
        let error = Settings::default().with("smal_msaa", "true").unwrap_err();
        assert!(error.to_string().contains("did you mean small_msaa?"), "{error}");
        let error = Settings::default().with("rules", "1.7").unwrap_err();
        assert!(error.to_string().contains("1.619.4"), "{error}");
        assert!(Settings::default().with("strict", "yes").is_err());
        let error = Settings::default().with("cache_line_bytes", "96").unwrap_err();
        assert_eq!(error.to_string(), "setting cache_line_bytes: expected 64 or 128, found 96");
        assert_eq!(Settings::default().with("cache_line_bytes", "128").unwrap().cache_line_bytes, 128);
    }

    #[test]
    fn settings_are_changed_by_name() {
        let settings = Settings::default();
        let changed = settings.with("rules", "1.619.4").and_then(|settings| settings.with("strict", "true")).unwrap();
        assert_eq!(changed, Settings { rules: RuleSet::R1_619_4, strict: true, ..settings });
        assert_eq!(settings.with("cross_adapter_severity", "error").unwrap().cross_adapter_severity, Severity::Error);
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
