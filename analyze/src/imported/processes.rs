//! Processes of an imported trace.

use crate::error::AnalyzeError;
use crate::events::{EventReader, Source};
use std::collections::{BTreeMap, HashMap};
use taut_schemas::windows::ProcessName;
use taut_traces::{StreamInfo, Trace};

/// Number of a process that events without one have.
pub const UNKNOWN_PROCESS: u32 = u32::MAX;

/// Process of each stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Processes(HashMap<u32, u32>);

impl Processes {
    /// The processes of a trace's streams.
    pub fn new(trace: &Trace) -> Self {
        Self(trace.streams().into_iter().map(|StreamInfo { stream, process, .. }| (stream, process)).collect())
    }

    /// Process of a stream.
    pub fn of_stream(&self, stream: u32) -> u32 {
        self.0.get(&stream).copied().unwrap_or(UNKNOWN_PROCESS)
    }

    /// Number of different processes.
    pub fn count(&self) -> u64 {
        let mut processes: Vec<u32> = self.0.values().copied().filter(|id| *id != UNKNOWN_PROCESS).collect();
        processes.sort_unstable();
        processes.dedup();
        processes.len() as u64
    }

    /// Last known name of each process: the file name of its image.
    ///
    /// # Errors
    /// The trace could not be read.
    pub fn names(source: &Source) -> Result<BTreeMap<u32, String>, AnalyzeError> {
        let mut reader = EventReader::new(source);
        reader.windows(|ProcessName { process, image }| {
            let image = image?;
            let name = image.rsplit('\\').next().unwrap_or_default().to_owned();
            Some((u32::try_from(process?).ok()?, name))
        });
        let mut names = BTreeMap::new();
        reader.visit(|_, (process, name)| -> Result<_, AnalyzeError> {
            names.insert(process, name);
            Ok(std::ops::ControlFlow::Continue(()))
        })?;
        Ok(names)
    }
}

#[cfg(test)]
impl FromIterator<(u32, u32)> for Processes {
    fn from_iter<I: IntoIterator<Item = (u32, u32)>>(streams: I) -> Self {
        Self(streams.into_iter().collect())
    }
}
