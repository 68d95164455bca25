//! Identity of a recording.

use serde::{Deserialize, Serialize};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::time::{SystemTime, UNIX_EPOCH};

/// Identity of a recording and its recorder. It is part of the header, whose checksum every block repeats, so blocks of
/// two recordings are never confused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// 128 bits in hexadecimal digits: random, or derived from the rest of the header if equal runs have to produce
    /// equal traces. Empty in files from before identities existed.
    pub id: String,
    /// Name of the program that wrote the trace.
    pub recorder: String,
    /// Version of that program.
    pub recorder_version: String,
    /// `id` of the trace of which this one is a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<String>,
    /// Time and system of the recording; `None` if equal runs have to produce equal traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<Recording>,
    /// Host, user and command line; only if requested.
    #[serde(alias = "whereabouts", skip_serializing_if = "Option::is_none")]
    pub host_info: Option<HostInfo>,
    /// Events that were discarded before the first one present; `None` if the recording begins with it.
    #[serde(alias = "left_out", skip_serializing_if = "Option::is_none")]
    pub discarded: Option<DiscardedEvents>,
}

/// Events that a ring recording discarded to make space for later events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DiscardedEvents {
    /// Number of discarded events.
    pub events: u64,
    /// Stamp from which on all events are present.
    pub until_stamp: u64,
}

/// Time and system of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recording {
    /// Number of the process that wrote the trace.
    pub process: u32,
    /// Begin of the recording, in nanoseconds since the beginning of 1970, UTC.
    pub began_at_unix_ns: u64,
    pub system: String,
    /// Processor architecture.
    pub architecture: String,
    /// Interval at which the recording was synced to disk, in nanoseconds; `None` for a sync at the end only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync_interval_ns: Option<u64>,
}

/// Machine, user and command line of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HostInfo {
    /// Name of the machine.
    pub host: String,
    /// Name of the user.
    pub user: String,
    /// Name of the program and its arguments.
    pub command_line: Vec<String>,
}

impl Identity {
    /// Creates an identity that no other recording has.
    pub fn random(recorder: &str, recorder_version: &str) -> Identity {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began_at_unix_ns = u64::try_from(since.as_nanos()).unwrap_or(u64::MAX);
        let process = std::process::id();
        let mut bytes = [0; 16];
        if getrandom::fill(&mut bytes).is_err() {
            // A system without random numbers still provides a time and process numbers.
            bytes[..8].copy_from_slice(&began_at_unix_ns.to_le_bytes());
            bytes[8..12].copy_from_slice(&process.to_le_bytes());
        }
        let (system, architecture) = (std::env::consts::OS.to_owned(), std::env::consts::ARCH.to_owned());
        Identity {
            id: format!("{:032x}", u128::from_le_bytes(bytes)),
            recorder: recorder.to_owned(),
            recorder_version: recorder_version.to_owned(),
            recording: Some(Recording { process, began_at_unix_ns, system, architecture, sync_interval_ns: None }),
            ..Identity::default()
        }
    }

    /// Creates the identity shared by all recordings of `world` by this recorder version.
    pub fn derived(recorder: &str, recorder_version: &str, world: &impl Serialize) -> Identity {
        Identity {
            id: digest(&[recorder_version, &text(world)]),
            recorder: recorder.to_owned(),
            recorder_version: recorder_version.to_owned(),
            ..Identity::default()
        }
    }

    /// Creates the identity shared by all replays in `world` of the trace with this identity.
    pub fn for_replay(&self, recorder: &str, recorder_version: &str, world: &impl Serialize) -> Identity {
        Identity {
            id: digest(&[recorder_version, &self.id, &text(world)]),
            recorder: recorder.to_owned(),
            recorder_version: recorder_version.to_owned(),
            replay_of: Some(self.id.clone()).filter(|id| !id.is_empty()),
            ..Identity::default()
        }
    }
}

fn text(world: &impl Serialize) -> String {
    serde_json::to_string(world).unwrap_or_default()
}

/// 128-bit digest of some texts.
fn digest(texts: &[&str]) -> String {
    let half = |which: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&[which]);
        for text in texts {
            hasher.write(text.as_bytes());
            // The separator distinguishes ("ab", "c") from ("a", "bc").
            hasher.write(&[0]);
        }
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
