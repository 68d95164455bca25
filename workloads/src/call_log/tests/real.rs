//! Recorded log of a real program.

use crate::call_log::{CallLog, CallName, LogCall, read};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(super) fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/d3d12ma-tight.jsonl.gz"))
}

/// Returns the log, read once for all tests.
pub(super) fn log() -> &'static CallLog {
    static LOG: OnceLock<CallLog> = OnceLock::new();
    LOG.get_or_init(|| {
        let reading = read(&path()).unwrap();
        assert!(reading.error.is_none(), "{:?}", reading.error);
        reading.log
    })
}

/// Number of lines per call, as counted by an independent script.
const LINES: &[(CallName, u64)] = &[
    (CallName::BeginTest, 36),
    (CallName::CheckFeatureSupport, 8),
    (CallName::CreateCommittedResource1, 299),
    (CallName::CreateCommittedResource2, 1),
    (CallName::CreateCommittedResource3, 1),
    (CallName::CreateHeap1, 378),
    (CallName::CreatePlacedResource, 117_540),
    (CallName::CreatePlacedResource1, 3),
    (CallName::CreatePlacedResource2, 4),
    (CallName::EndCapture, 1),
    (CallName::EndTest, 36),
    (CallName::GetResourceAllocationInfo, 116_604),
    (CallName::GetResourceAllocationInfo2, 8),
    (CallName::GetResourceAllocationInfo3, 1),
    (CallName::Map, 10_881),
    (CallName::ReleaseHeap, 378),
    (CallName::ReleaseResource, 117_848),
    (CallName::Unmap, 9355),
];

#[test]
fn the_recorded_log_has_the_lines_per_call_of_its_statistics() {
    let log = log();
    let mut counted = BTreeMap::new();
    for line in &log.lines {
        *counted.entry(line.call.name().unwrap()).or_insert(0_u64) += 1;
    }
    assert_eq!(counted, LINES.iter().copied().collect());
    assert_eq!(log.lines.len(), 373_382);
    assert_eq!(log.threads(), 33);
    assert_eq!(log.header.tests.len(), 38);
    assert_eq!(log.header.allocator_flags, 0);
    let Some(LogCall::EndCapture { objects_created, objects_live }) = log.lines.last().map(|line| &line.call) else {
        panic!("the last line is EndCapture");
    };
    assert_eq!((*objects_created, *objects_live), (118_226, 0));
}

#[test]
fn the_recorded_log_has_the_sums_of_its_statistics() {
    let (mut heap_bytes, mut requested, mut allocated) = (0, 0, 0);
    for line in &log().lines {
        match &line.call {
            LogCall::CreateHeap(creation) => heap_bytes += creation.desc.size_bytes,
            LogCall::CreateResource(creation) if creation.desc.dimension == taut_schemas::Dimension::BUFFER => {
                requested += creation.desc.width;
                allocated += creation.info.unwrap().size_bytes;
            }
            _ => {}
        }
    }
    assert_eq!((heap_bytes, requested, allocated), (3_205_206_016, 3_415_836_720, 3_421_103_104_u64));
}
