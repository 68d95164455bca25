//! Files and memory of a recording in progress: sidecar, slots, ring segments, locks and control requests.

pub(crate) mod control_client;
pub(crate) mod control_page;
pub(crate) mod disk;
pub(crate) mod file_lock;
pub(crate) mod free_space;
pub(crate) mod handover;
pub(crate) mod leftovers;
pub(crate) mod map;
pub(crate) mod orphaned_sidecar;
pub(crate) mod path_claim;
pub(crate) mod pending_sidecars;
pub(crate) mod provider_mask;
pub(crate) mod regular_file;
pub(crate) mod replace_file;
pub(crate) mod request;
pub(crate) mod segment;
pub(crate) mod segment_watch;
pub(crate) mod segments;
pub(crate) mod shortened;
pub(crate) mod side_file;
pub(crate) mod sidecar;
pub(crate) mod slot;
pub(crate) mod slot_line;
pub(crate) mod snapshot_requests;
pub(crate) mod sparse;
pub(crate) mod temp_file;
