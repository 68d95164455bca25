//! Reference of the settings of the runtime and of the keys of `[background]` in profiles of drivers.

use serde_json::Value;
use taut_runtime::{Background, BackgroundKey, Profile, Settings};

/// A setting or a key.
pub struct ListedKey {
    pub name: &'static str,
    /// Description in Markdown.
    pub meaning: String,
    /// Accepted values, in words.
    pub values: String,
    pub default: String,
}

/// All settings that `--setting` takes, in order.
pub fn settings() -> Vec<ListedKey> {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let listed = |(name, docs): (&'static str, &str)| ListedKey {
        name,
        meaning: docs.trim().to_owned(),
        values: setting_values(name, &defaults[name]),
        default: plain(&defaults[name]),
    };
    Settings::DOCS.iter().copied().map(listed).collect()
}

/// All keys of `[background]`, in order.
pub fn background_keys() -> Vec<ListedKey> {
    let defaults = background_json(&Background::default());
    let listed = |key: BackgroundKey| {
        let default = &defaults[key.name];
        ListedKey {
            values: key_values(&key, default),
            name: key.name,
            meaning: key.meaning,
            default: default.to_string(),
        }
    };
    Background::keys().map(listed).collect()
}

/// Value of each key of `[background]` in a profile; empty if the driver does not optimise.
pub fn background_values(profile: &Profile) -> Vec<(ListedKey, String)> {
    let Some(background) = &profile.background else { return Vec::new() };
    let values = background_json(background);
    let with_value = |key: ListedKey| {
        let value = values[key.name].to_string();
        (key, value)
    };
    background_keys().into_iter().map(with_value).collect()
}

fn background_json(background: &Background) -> Value {
    serde_json::to_value(background).unwrap_or_default()
}

/// A value as `--setting` takes it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Values of a setting: words are named in the error for any other text.
fn setting_values(name: &str, default: &Value) -> String {
    if default.is_boolean() {
        return "true, false".to_owned();
    }
    if default.is_number() && Settings::default().with(name, "3").is_ok() {
        return "a number".to_owned();
    }
    let other = if default.is_number() { "3" } else { "?" };
    let error = Settings::default().with(name, other).err().map_or_else(String::new, |error| error.to_string());
    let expected = error.split_once("expected ").map_or("", |(_, expected)| expected);
    let expected = expected.split(", found").next().unwrap_or_default();
    expected.trim_start_matches("one of ").replace('`', "")
}

fn key_values(key: &BackgroundKey, default: &Value) -> String {
    match key.range {
        Some((0, 1)) => "0, 1".to_owned(),
        Some((min, u32::MAX)) => format!("from {min}"),
        Some((min, max)) => format!("{min} to {max}"),
        None if default.is_number() => "from 0".to_owned(),
        None => "\"0062\", \"0063\"".to_owned(),
    }
}

/// The page docs/settings.md.
pub fn page() -> String {
    let mut page = "# Settings\n\n## Settings of the runtime\n\n`--setting KEY=VALUE` of `taut record`, `taut replay` and `taut hlk` sets one \
                    behaviour that the documentation leaves open. [rules.md](rules.md) has the numbered rules. The header of a trace has \
                    the settings of its recording (`taut info --json`).\n\n| setting | default | values | meaning |\n|---|---|---|---|\n"
        .to_owned();
    for ListedKey { name, meaning, values, default } in settings() {
        page += &format!("| `{name}` | {default} | {values} | {meaning} |\n");
    }
    page += "\n## `[background]`\n\nKeys of a profile's table `[background]` (`--driver FILE.toml`), the thresholds of a driver with background \
             optimisation. `taut replay TRACE --sweep KEY=VALUE,VALUE` replays with several values of one key, and `taut drivers NAME` \
             lists the values of a bundled driver. The other tables of a profile are described in the \
             [manual of profiles](../runtime/src/driver/profiles/README.md).\n\n| key | default | values | meaning |\n|---|---|---|---|\n";
    for ListedKey { name, meaning, values, default } in background_keys() {
        page += &format!("| `{name}` | {default} | {values} | {meaning} |\n");
    }
    page + "\nA commit of results (COMMIT_RESULTS, COMMIT_RESULTS_HIGH_PRIORITY) treats `n_min`, `stable_windows`, `first_tier_cost` and \
            `measured_draws` as reached.\n\nThis page is generated from the code (`app/src/listing/settings.rs`).\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_page_of_settings_equals_the_code() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/settings.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, page()).unwrap_or_default();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        assert!(found == page(), "docs/settings.md differs from the code: BLESS=1 cargo test -p taut-app writes it");
    }

    #[test]
    fn every_setting_and_key_has_a_meaning_and_values() {
        let settings: BTreeSet<String> = settings().iter().map(|setting| setting.name.to_owned()).collect();
        assert_eq!(settings, Settings::keys().into_iter().collect());
        for key in super::settings().iter().chain(&background_keys()) {
            assert!(key.meaning.ends_with('.') && !key.values.is_empty() && key.default != "null", "{}", key.name);
            assert!(!key.meaning.contains("[`"), "{}", key.name);
        }
    }
}
