//! Faults of a storage: each befalls it at one of its calls, or from that on.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// From a call on: the disk is full, it is broken, the file may not be larger.
    Fails(ErrorKind),
    /// The disk takes half of what it is given, and then it is full.
    Half,
    /// From a call on, a few bytes are taken at a time.
    Short,
    /// A signal comes first.
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

    /// Whether whoever writes as systems ask for does not notice it.
    pub fn is_none(self) -> bool {
        matches!(self, Fault::Short | Fault::Interrupted)
    }
}

/// The calls of a storage so far, and what befalls which of them.
#[derive(Debug)]
pub struct Plan {
    fault: Option<(usize, Fault)>,
    calls: AtomicUsize,
}

impl Plan {
    pub fn new(fault: Option<(usize, Fault)>) -> Plan {
        Plan { fault, calls: AtomicUsize::new(0) }
    }

    /// Calls so far.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// What befalls this call, and whether it is the first of those.
    fn befalls(&self) -> Option<(Fault, bool)> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let (at, fault) = self.fault?;
        (call >= at).then_some((fault, call == at))
    }

    /// A call that writes: how many of the bytes are taken.
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

    /// Any other.
    pub fn other(&self) -> io::Result<()> {
        match self.befalls() {
            Some((Fault::Fails(kind), _)) => Err(kind.into()),
            _ => Ok(()),
        }
    }
}
