//! Driver profiles that are compiled into the program.

use super::profile::Profile;

macro_rules! profiles {
    ($( $name:literal ),* $(,)?) => { &[ $( ($name, include_str!(concat!("profiles/", $name, ".toml"))) ),* ] };
}

/// Conforming drivers of various kinds.
const SOUND: &[(&str, &str)] = profiles![
    "reference",
    "legacy",
    "peer",
    "large-pages",
    "tightest",
    "msaa-2mib",
    "sneaky",
    "instant-access",
    "instant-access-no-csx",
    "pgo-0062",
    "pgo-levels",
    "pgo-counters",
    "pgo-threads",
    "pgo-recording",
    "pgo-tuning",
    "igpu-tier1",
    "igpu-tier2",
    "igpu-tier3",
    "dgpu",
    "d3d11on12-like",
    "multi-size",
    "d3d10umd-like",
    "small-contexts",
    "heap-tier1",
    "dxvk-like",
    "replicated-fields",
];

/// Drivers that break rules on purpose, at least one for each check of the conformance kit.
const FAULTY: &[(&str, &str)] = profiles![
    "faulty-cross-adapter",
    "faulty-worse",
    "faulty-buffer-size",
    "faulty-buffer-alignment",
    "faulty-drifting",
    "faulty-implicit-heap",
    "faulty-committed",
    "faulty-odd-alignment",
    "faulty-existing",
    "faulty-never-converges",
    "faulty-converges-early",
    "faulty-misses-cancel",
    "faulty-unfinished-work",
    "faulty-unwritten-further",
    "faulty-works-when-cancelled",
    "faulty-queues-twice",
    "faulty-holds-its-lock",
    "faulty-keeps-trying",
    "faulty-keeps-counting",
    "faulty-trusts-the-root",
    "faulty-forgets-its-base",
    "faulty-ignores-its-estimate",
    "faulty-direct-copy",
    "faulty-direct-staging",
    "faulty-direct-pointer",
    "faulty-tier-gap",
    "faulty-early-tier",
    "faulty-hybrid-tier",
    "faulty-counts-adapters",
    "faulty-no-overlay-check",
    "faulty-cap-over-tier",
    "faulty-no-primaries",
    "faulty-first-plane",
    "faulty-post-composition",
    "faulty-fewer-tiers",
    "faulty-slow-dlist",
    "faulty-sampled-rows",
    "faulty-opts-out",
    "faulty-no-flips",
    "faulty-keeps-check",
    "faulty-wrong-plane",
    "faulty-raises-bandwidth",
    "faulty-spin-lock",
    "faulty-depends-on-frames",
    "faulty-unturned",
    "faulty-misses-format",
    "faulty-six-textures",
    "faulty-hidden-copy",
    "faulty-scan-pitch",
    "faulty-polls",
    "faulty-unthreaded-lists",
    "faulty-empty-handle",
    "faulty-unlisted-size",
    "faulty-size-changes",
    "faulty-no-padding",
    "faulty-writes-read-only",
    "faulty-walks",
    "faulty-empty-slot",
    "faulty-core-layer",
    "faulty-error-class",
    "faulty-recycle-callback",
    "faulty-past-the-end",
    "faulty-poll-error",
    "faulty-no-list-size",
    "faulty-one-line",
    "faulty-leftovers",
    "faulty-staging-callback",
    "faulty-recycles-nothing",
    "faulty-keeps-memory",
    "faulty-nested-lists",
    "faulty-list-error",
    "faulty-discards-in-place",
    "faulty-old-lists",
    "faulty-creation-error",
    "faulty-success",
    "faulty-never-recovers",
    "faulty-reports-twice",
    "faulty-counts-creations",
    "faulty-counts-queries",
    "faulty-shared-state",
    "faulty-packed-fields",
];

/// Former names of bundled profiles, which scripts and file names of traces have, with the current ones.
const FORMER_NAMES: &[(&str, &str)] = &[
    ("faulty-answers-too-early", "faulty-converges-early"),
    ("faulty-behind-the-end", "faulty-past-the-end"),
    ("faulty-counts-questions", "faulty-counts-queries"),
    ("faulty-goes-by-frames", "faulty-depends-on-frames"),
];

impl Profile {
    /// Returns name and TOML text of every bundled profile that keeps the rules.
    pub const fn bundled() -> &'static [(&'static str, &'static str)] {
        SOUND
    }

    /// Returns name and TOML text of every bundled profile that breaks rules on purpose; its `fails` lists the checks
    /// that detect it.
    pub const fn faulty() -> &'static [(&'static str, &'static str)] {
        FAULTY
    }

    /// Iterates over name and TOML text of every bundled profile, conforming ones first.
    pub fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        SOUND.iter().chain(FAULTY)
    }

    /// Returns the bundled profile of this name, which may be a former one.
    pub fn named(name: &str) -> Option<Profile> {
        let name = FORMER_NAMES.iter().find(|(was, _)| *was == name).map_or(name, |(_, name)| name);
        let (name, text) = Profile::all().find(|(known, _)| *known == name)?;
        Profile::parse(text, name).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn bundled_profiles_are_read_and_survive_json_and_toml() {
        for (name, text) in Profile::all() {
            let profile = Profile::parse(text, name).unwrap();
            assert_eq!(profile.name, *name);
            assert!(!profile.description.is_empty());
            let json = serde_json::to_value(&profile).unwrap();
            assert_eq!(serde_json::from_value::<Profile>(json).unwrap(), profile);
            let toml = toml::to_string(&profile).unwrap();
            assert_eq!(Profile::parse(&toml, name).unwrap(), profile, "{toml}");
        }
        assert_eq!(Profile::named("no such"), None);
        assert_eq!(Profile::all().map(|(name, _)| name).collect::<BTreeSet<_>>().len(), Profile::all().count());
    }

    #[test]
    fn former_names_of_profiles_are_accepted() {
        for (was, name) in FORMER_NAMES {
            assert!(Profile::all().all(|(known, _)| known != was), "{was}");
            assert_eq!(Profile::named(was).unwrap(), Profile::named(name).unwrap());
        }
    }

    #[test]
    fn only_faulty_profiles_have_faults_and_list_failed_checks() {
        for (name, _) in Profile::bundled() {
            let profile = Profile::named(name).unwrap();
            assert!(profile.faults.is_none() && profile.fails.is_empty(), "{name}");
        }
        for (name, _) in Profile::faulty() {
            assert!(!Profile::named(name).unwrap().fails.is_empty(), "{name}");
        }
    }
}
