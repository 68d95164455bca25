//! Output that fails on request, and accepts partial writes before that.

use crate::random::Random;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex};

/// Output. Clones share their state.
#[derive(Clone)]
pub struct Disk(Arc<Mutex<State>>);

struct State {
    taken: Vec<u8>,
    writes: u64,
    fails_at: u64,
    random: Random,
}

impl Disk {
    pub fn new(fails_at: u64, random: Random) -> Disk {
        Disk(Arc::new(Mutex::new(State { taken: Vec::new(), writes: 0, fails_at, random })))
    }

    /// Returns the bytes that were accepted.
    pub fn taken(&self) -> Vec<u8> {
        self.0.lock().expect("no panic").taken.clone()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock().expect("no panic");
        state.writes += 1;
        if state.writes > state.fails_at {
            return Err(ErrorKind::StorageFull.into());
        }
        match state.random.below(4) {
            0 => Err(ErrorKind::Interrupted.into()),
            1 => {
                let some = state.random.within(1, bytes.len() as u64) as usize;
                state.taken.extend_from_slice(&bytes[..some]);
                Ok(some)
            }
            _ => {
                state.taken.extend_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
