//! Storage faults: each occurs at one call, or from that call on.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// From a call on: the disk is full, it is broken, or the file size limit is reached.
    Fails(ErrorKind),
    /// The disk accepts half of the bytes, and is then full.
    Half,
    /// From a call on, a few bytes are accepted at a time.
    Short,
    /// The call is interrupted by a signal first.
    Interrupted,
}

impl Fault {
    pub const ALL: [Fault; 6] = [
        Fault::Fails(ErrorKind::StorageFull),
        Fault::Fails(ErrorKind::Other),
        Fault::Fails(ErrorKind::FileTooLarge),
        Fault::Half,
        Fault::Short,
        Fault::Interrupted,
    ];

    /// True if a caller that follows the system's protocol is not affected.
    pub fn is_none(self) -> bool {
        matches!(self, Fault::Short | Fault::Interrupted)
    }
}

/// Counter of a storage's calls, with the fault and the call at which it occurs.
#[derive(Debug)]
pub struct Plan {
    fault: Option<(usize, Fault)>,
    calls: AtomicUsize,
}

impl Plan {
    pub fn new(fault: Option<(usize, Fault)>) -> Plan {
        Plan { fault, calls: AtomicUsize::new(0) }
    }

    /// Number of calls so far.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Fault of this call, and whether it is the first call affected.
    fn befalls(&self) -> Option<(Fault, bool)> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let (at, fault) = self.fault?;
        (call >= at).then_some((fault, call == at))
    }

    /// Handles a call that writes; returns how many of the bytes are accepted.
    pub fn write(&self, bytes: usize) -> io::Result<usize> {
        match self.befalls() {
            Some((Fault::Fails(kind), _)) => Err(kind.into()),
            Some((Fault::Half, false)) => Err(ErrorKind::StorageFull.into()),
            Some((Fault::Half, true)) => Ok(bytes.div_ceil(2)),
            Some((Fault::Short, _)) => Ok(bytes.min(7)),
            Some((Fault::Interrupted, true)) => Err(ErrorKind::Interrupted.into()),
            _ => Ok(bytes),
        }
    }

    /// Handles any other call.
    pub fn other(&self) -> io::Result<()> {
        match self.befalls() {
            Some((Fault::Fails(kind), _)) => Err(kind.into()),
            _ => Ok(()),
        }
    }
}
