//! Which recording a trace is.

use serde::{Deserialize, Serialize};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::time::{SystemTime, UNIX_EPOCH};

/// Which recording a trace is, and who made it. As it stands in the header, whose checksum every block repeats, blocks of two
/// recordings are never taken for each other's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// 128 bits in hexadecimal digits: random, or derived from the rest of the header where equal runs are to make equal
    /// traces. Empty in files from before there were identities.
    pub id: String,
    /// Name of the program that wrote the trace.
    pub recorder: String,
    /// Its version.
    pub recorder_version: String,
    /// The id of the trace whose replay this is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<String>,
    /// When and on what it was recorded; `None` where equal runs are to make equal traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recording: Option<Recording>,
    /// Whose it is; only where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whereabouts: Option<Whereabouts>,
    /// What was recorded before the first event that is there; `None` where the recording begins with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
}

/// What was recorded before the first event of a trace, which made place for what came later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOut {
    /// How many events.
    pub events: u64,
    /// All events from this stamp on are there.
    pub until_stamp: u64,
}

/// When and on what a trace was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recording {
    /// The process that wrote it.
    pub process: u32,
    /// When it began, in nanoseconds since the beginning of 1970, UTC.
    pub began_at_unix_ns: u64,
    /// The operating system.
    pub system: String,
    /// The kind of processor.
    pub architecture: String,
    /// How often it was brought to disk while it went on, in nanoseconds; `None` for at its end alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync_interval_ns: Option<u64>,
}

/// On whose machine a trace was recorded, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Whereabouts {
    /// Name of the machine.
    pub host: String,
    /// Name of the user.
    pub user: String,
    /// The program's name and its arguments.
    pub command_line: Vec<String>,
}

impl Identity {
    /// One that no other recording has, of `recorder` with its version.
    pub fn random(recorder: &str, recorder_version: &str) -> Identity {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began_at_unix_ns = u64::try_from(since.as_nanos()).unwrap_or(u64::MAX);
        let process = std::process::id();
        let mut bytes = [0; 16];
        if getrandom::fill(&mut bytes).is_err() {
            // A system without random numbers still has a time and processes.
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

    /// The one that every recording of `world` by this recorder has.
    pub fn derived(recorder: &str, recorder_version: &str, world: &impl Serialize) -> Identity {
        Identity {
            id: digest(&[recorder_version, &text(world)]),
            recorder: recorder.to_owned(),
            recorder_version: recorder_version.to_owned(),
            ..Identity::default()
        }
    }

    /// The one that every replay in `world` of the trace with this identity has.
    pub fn of_replay(&self, recorder: &str, recorder_version: &str, world: &impl Serialize) -> Identity {
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

/// 128 bits that follow from some texts.
fn digest(texts: &[&str]) -> String {
    let half = |which: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write(&[which]);
        for text in texts {
            hasher.write(text.as_bytes());
            hasher.write(&[0]);
        }
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
