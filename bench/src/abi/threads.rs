//! Placed resources created and released on several threads.

use super::objects::{Client, Direct, PLACED_BYTES, placed_buffer};
use crate::BenchError;
use crate::pairs::Pairs;
use crate::start_gate::StartGate;
use std::thread::{Builder, scope};
use std::time::Instant;
use taut_schemas::{HResult, d3d12};

/// Resources that each thread creates and releases in a round.
const RESOURCES: u32 = 3_000;
/// Numbers of threads.
const ONE: u32 = 1;
const SEVERAL: u32 = 4;
/// First number of a thread that no other case of the benchmark has.
const FIRST_THREAD: u32 = 2;

/// A case.
pub struct Case {
    pub pairs: Pairs,
    threads: u32,
}

/// The cases.
pub fn cases() -> [Case; 2] {
    let case = |name, threads, target| Case {
        pairs: Pairs { unit: "resource", ..Pairs::new(name, "the same through the Rust interface", target) },
        threads,
    };
    [
        case("CreatePlacedResource and Release on one thread, recorded", ONE, None),
        case("CreatePlacedResource and Release on 4 threads, recorded", SEVERAL, Some("at most 1.2")),
    ]
}

/// Ratio of the rates of several threads and of one: of the client, and of the Rust interface.
pub fn scaling([one, several]: &[Case; 2]) -> Option<[f64; 2]> {
    let rate = |[of_one, of_several]: [f64; 2]| of_one / of_several.max(1e-9);
    let ([one_ns, one_floor], [ns, floor]) = (one.pairs.medians()?, several.pairs.medians()?);
    Some([rate([one_ns, ns]), rate([one_floor, floor])])
}

impl Case {
    /// Measures both parts once.
    ///
    /// # Errors
    /// A call fails, or the system cannot create a thread.
    pub fn round(
        &mut self,
        client: &Client,
        direct: &Direct,
        floor_first: bool,
        counts: bool,
    ) -> Result<(), BenchError> {
        let first = floor_first.then(|| self.direct(direct)).transpose()?;
        let ns = self.client(client)?;
        let floor_ns = first.map_or_else(|| self.direct(direct), Ok)?;
        if counts {
            self.pairs.add(ns, floor_ns, false);
        }
        Ok(())
    }

    fn client(&self, client: &Client) -> Result<f64, BenchError> {
        on_threads(self.threads, |number| {
            let offset = u64::from(number) * PLACED_BYTES;
            move || client.device.placed_buffer(&client.heap, offset, PLACED_BYTES).map(drop)
        })
    }

    fn direct(&self, direct: &Direct) -> Result<f64, BenchError> {
        on_threads(self.threads, |number| {
            let create = placed_buffer(direct.device, direct.heap, u64::from(number) * PLACED_BYTES);
            let mut thread = direct.session.thread(FIRST_THREAD + number);
            move || {
                let resource = thread.call(create.clone())?;
                thread.call(d3d12::ReleaseResource { resource })
            }
        })
    }
}

/// Runs the function that `of` returns for each number on a thread of its own. Returns nanoseconds per call of all threads
/// together.
fn on_threads<F: FnMut() -> HResult<()>>(threads: u32, of: impl Fn(u32) -> F + Sync) -> Result<f64, BenchError> {
    let start = StartGate::new(threads as usize);
    let run = |number| {
        let mut call = of(number);
        // The first call registers the thread. After an error the thread passes the gate all the same: others wait there.
        let registered = call();
        if !start.wait() {
            return Ok(f64::INFINITY);
        }
        registered?;
        let mut result = Ok(());
        let begun = Instant::now();
        for _ in 0..RESOURCES {
            result = result.and(call());
        }
        let ns = begun.elapsed().as_nanos() as f64 / f64::from(RESOURCES);
        result.map(|()| ns)
    };
    let (run, start) = (&run, &start);
    let taken: std::io::Result<Vec<HResult<f64>>> = scope(|scope| {
        let created = (0..threads).map(|number| Builder::new().spawn_scoped(scope, move || run(number)));
        let created: std::io::Result<Vec<_>> = created.collect();
        start.decide(created.is_ok());
        Ok(created?.into_iter().filter_map(|thread| thread.join().ok()).collect())
    });
    let taken = taken.map_err(|source| BenchError::System { what: "a thread of the benchmark".to_owned(), source })?;
    let taken: HResult<Vec<f64>> = taken.into_iter().collect();
    // The rates of concurrent threads add up; their times do not.
    let rate: f64 = taken.map_err(BenchError::Device)?.iter().map(|ns| 1.0 / ns.max(1e-9)).sum();
    Ok(1.0 / rate.max(1e-9))
}
