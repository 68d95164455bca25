//! Start of a machine on a system that creates too few threads.
#![allow(clippy::unwrap_used)]

use super::{MachineThreads, Run, spawn};
use crate::event_stream::EventSink;
use crate::machine::WorkerPriorities;
use crate::shell::Shell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{Encoder, EventCode};
use taut_traces::Clock;

/// Sink that counts the live threads.
struct Alive(Arc<AtomicUsize>);

impl EventSink for Alive {
    fn event(&mut self, _: EventCode, _: u64, _: &dyn Fn(&mut Encoder<'_>)) {}
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn a_machine_that_fails_to_start_half_way_joins_what_it_started() {
    // Two adapters with two workers and a GPU thread each.
    for available_threads in 0..6 {
        shuttle::check_random(move || starts_with(available_threads), 10);
    }
}

fn starts_with(available_threads: usize) {
    let drivers = [(); 2].map(|()| driver(&Profile::named("reference").unwrap())).into();
    let settings = Settings { max_background_tasks: 2, max_boosted_tasks: 2, ..Settings::default() };
    let shell = Arc::new(Shell::new(settings.clone(), drivers, Clock::Logical));
    let (alive, started) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let sink = |_| {
        alive.fetch_add(1, Ordering::SeqCst);
        Alive(Arc::clone(&alive))
    };
    let few = |name, run: Run| {
        if started.load(Ordering::SeqCst) == available_threads {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        started.fetch_add(1, Ordering::SeqCst);
        spawn(name, run)
    };
    let machine = MachineThreads::start_with(&shell, &settings, &Arc::default(), sink, few);
    assert_eq!(machine.err().map(|error| error.kind()), Some(io::ErrorKind::WouldBlock), "{available_threads}");
    assert_eq!(
        (started.load(Ordering::SeqCst), alive.load(Ordering::SeqCst)),
        (available_threads, 0),
        "none is left running"
    );
    let _: Option<WorkerPriorities> = None;
}
