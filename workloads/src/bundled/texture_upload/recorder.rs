//! Recorder of the CPU's stores to and loads from mapped memory.

use taut_capture::Caller;
use taut_schemas::{D3d11ResourceId, StoreFolder, StoreRun, mark};

/// Kind of the recorded accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Write,
    Read,
}

/// Records accesses to one mapped resource as marks of limited size.
pub(super) struct StoreRecorder<'c, C> {
    caller: &'c mut C,
    resource: D3d11ResourceId,
    access: Access,
    folder: StoreFolder,
}

impl<'c, C: Caller> StoreRecorder<'c, C> {
    pub fn new(caller: &'c mut C, resource: D3d11ResourceId, access: Access) -> Self {
        StoreRecorder { caller, resource, access, folder: StoreFolder::default() }
    }

    /// Adds an access, at an offset from the start of the mapped memory.
    pub fn accessed(&mut self, offset_bytes: usize, width_bytes: usize) {
        self.folder.push(offset_bytes as u64, width_bytes as u32);
        if self.folder.is_full() {
            self.flush();
        }
    }

    /// Records the remaining accesses.
    pub fn finish(mut self) {
        self.flush();
    }

    fn flush(&mut self) {
        let runs: Vec<StoreRun> = self.folder.take();
        let (resource, subresource) = (self.resource, 0);
        match self.access {
            _ if runs.is_empty() => {}
            Access::Write => self.caller.mark(mark::MappedWrites { resource, subresource, runs }),
            Access::Read => self.caller.mark(mark::MappedReads { resource, subresource, runs }),
        }
    }
}
