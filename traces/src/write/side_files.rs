//! Files beside a trace while it is recorded: sidecar, segments of a ring recording, and the server of control
//! requests.

use crate::format::control_block::ControlBlock;
use crate::format::error::WriteError;
use crate::live::disk::DiskFile;
use crate::live::path_claim::PathClaim;
use crate::live::provider_mask::ProviderMask;
use crate::live::sidecar::{Sidecar, SidecarSettings};
use crate::live::snapshot_requests::SnapshotRequests;
use crate::write::control_server::{ControlServer, POLL_INTERVAL};
use crate::write::maintenance::Synced;
use crate::write::mode::Mode;
use crate::write::options::WriteOptions;
use crate::write::pool::Pool;
use crate::write::ring::{CurrentSegment, Ring};
use crate::write::timer::Timer;
use std::path::PathBuf;
use std::sync::Arc;

/// Recording that side files belong to.
pub(super) struct SideFilesOwner<'a> {
    pub key: u32,
    pub pool: &'a Arc<Pool>,
    pub providers: &'a ProviderMask,
    pub snapshot_requests: &'a SnapshotRequests,
    /// Definitions that the head of the trace lacks.
    pub definitions: Option<(ControlBlock, Vec<u8>)>,
    /// Bytes for records of a ring recording.
    pub payload_budget: Option<u64>,
    pub options: &'a WriteOptions,
}

/// Side files of a recording; empty for a recording without a claimed path.
#[derive(Default)]
pub(super) struct SideFiles {
    pub sidecar: Option<Arc<Sidecar>>,
    pub ring: Option<Ring>,
    /// File that is synced periodically, and its path for errors.
    pub synced: Option<(Synced, PathBuf, Timer)>,
    /// Control server and its polling period.
    pub control_server: Option<(ControlServer, Timer)>,
}

impl SideFiles {
    /// Creates the side files of a recording that has claimed a path.
    pub fn begin(path_claim: PathClaim, file: DiskFile, owner: SideFilesOwner<'_>) -> Result<Self, WriteError> {
        let SideFilesOwner { key, pool, providers, snapshot_requests, definitions, payload_budget, options } = owner;
        let (path, interval) = (path_claim.name.clone(), options.sync_interval);
        let interval = interval.filter(|_| options.mode != Mode::Ring);
        let sync_interval_ns = interval.map_or(0, |interval| interval.as_nanos() as u64);
        let settings = SidecarSettings { key, sync_interval_ns };
        let sidecar = Sidecar::begin(path_claim, settings, pool.buffer_bytes(), definitions, &options.disk)?;
        let sidecar = Arc::new(sidecar);
        let server = ControlServer::new(
            Arc::clone(&sidecar),
            Arc::clone(pool),
            providers.clone(),
            snapshot_requests.clone(),
            sidecar.trace_path(),
        );
        let control_server = Timer::every(POLL_INTERVAL).map(|timer| (server, timer));
        let mut to_sync = Synced::File(file);
        let mut ring = None;
        if let Some(bytes) = payload_budget {
            let current = interval.map(|_| CurrentSegment::default());
            let begun = Ring::begin(sidecar.segments_folder(), key, bytes, current.clone(), options.disk.clone());
            ring = Some(begun.inspect_err(|_| sidecar.remove())?);
            to_sync = current.map_or(to_sync, Synced::Segment);
        }
        let synced = interval.and_then(Timer::every).map(|timer| (to_sync, path, timer));
        Ok(Self { sidecar: Some(sidecar), ring, synced, control_server })
    }
}
