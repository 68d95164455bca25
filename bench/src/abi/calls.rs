//! The program of the benchmark: in one process a client of the library, and the same calls through the Rust interface of a
//! recorded session.

use super::objects::{CALLS, Client, Direct, PLACED_BYTES, ns_per_call};
use super::threads;
use crate::BenchError;
use crate::pairs::Pairs;
use serde_json::{Value, json};
use std::path::Path;
use taut_schemas::{GpuVirtualAddress, HResult, d3d12};

/// Sizes of the compared heaps.
const LARGE_HEAP_BYTES: u64 = 1 << 30;
const SMALL_HEAP_BYTES: u64 = 64 << 10;
/// Large heaps that are alive while the resident memory is read.
const LIVE_HEAPS: usize = 8;

/// Offset and size of the copy within a placed resource.
const HALF: u64 = PLACED_BYTES / 2;
const COPIED: u64 = 256;

const DIRECT: &str = "the same through SessionThread::call";
const LINE: &str = "its line called directly";

type Measured = HResult<f64>;

/// A case: names, target, the measured part and its floor.
struct Case {
    pairs: Pairs,
    of: fn(&Client) -> Measured,
    floor: fn(&Client, &mut Direct) -> Measured,
}

fn case(
    name: &'static str,
    floor_name: &'static str,
    target: Option<&'static str>,
    of: fn(&Client) -> Measured,
    floor: fn(&Client, &mut Direct) -> Measured,
) -> Case {
    Case { pairs: Pairs::new(name, floor_name, target), of, floor }
}

/// Calls of objects.
fn call_cases() -> Vec<Case> {
    let call = Some("at most 1.15");
    vec![
        case(
            "GetGPUVirtualAddress, recorded",
            DIRECT,
            call,
            |client| Ok(addresses(client)),
            |_, direct| {
                let (thread, resource) = (&mut direct.thread, direct.resource);
                Ok(ns_per_call(CALLS, |_| thread.call(d3d12::GetGPUVirtualAddress { resource })))
            },
        ),
        case(
            "GetDesc of a resource, recorded",
            DIRECT,
            call,
            |client| Ok(ns_per_call(CALLS, |_| client.resource.width())),
            |_, direct| {
                let (thread, resource) = (&mut direct.thread, direct.resource);
                Ok(ns_per_call(CALLS, |_| thread.call(d3d12::GetDesc { resource })))
            },
        ),
        case(
            "GetCompletedValue, recorded",
            DIRECT,
            call,
            |client| Ok(ns_per_call(CALLS, |_| client.fence.completed_value())),
            |_, direct| {
                let (thread, fence) = (&mut direct.thread, direct.fence);
                Ok(ns_per_call(CALLS, |_| thread.call(d3d12::GetCompletedValue { fence })))
            },
        ),
        case(
            "QueryState of the memory budget, a constant that is not recorded",
            "GetGPUVirtualAddress, recorded",
            None,
            |client| Ok(ns_per_call(CALLS, |_| client.adapter.budget())),
            |client, _| Ok(addresses(client)),
        ),
    ]
}

/// Commands of a list.
fn list_cases() -> Vec<Case> {
    let command = Some("at most 1.2");
    vec![
        case(
            "IASetPrimitiveTopology, recorded",
            LINE,
            command,
            |client| client.commands(|number| client.list.set_topology(number % 4)),
            |_, direct| {
                direct.commands(|thread, command_list, number| {
                    let _ = thread.call(d3d12::IASetPrimitiveTopology { command_list, primitive_topology: number % 4 });
                })
            },
        ),
        case(
            "SetGraphicsRootConstantBufferView, recorded",
            LINE,
            command,
            |client| client.commands(|number| client.list.set_constant_buffer(u64::from(number) * 256)),
            |_, direct| {
                direct.commands(|thread, command_list, number| {
                    let buffer_location = GpuVirtualAddress(u64::from(number) * 256);
                    let set = d3d12::SetGraphicsRootConstantBufferView {
                        command_list,
                        root_parameter_index: 0,
                        buffer_location,
                    };
                    let _ = thread.call(set);
                })
            },
        ),
        case(
            "CopyBufferRegion, recorded",
            LINE,
            command,
            |client| client.commands(|number| client.list.copy(&client.resource, HALF, u64::from(number), COPIED)),
            |_, direct| {
                let buffer = direct.resource;
                direct.commands(|thread, command_list, number| {
                    let _ = thread.call(d3d12::CopyBufferRegion {
                        command_list,
                        dst_buffer: buffer,
                        dst_offset_bytes: HALF,
                        src_buffer: buffer,
                        src_offset_bytes: number.into(),
                        num_bytes: COPIED,
                    });
                })
            },
        ),
    ]
}

/// Heaps of different sizes.
fn heap_case() -> Case {
    case(
        "CreateHeap of 1 GiB and Release, not touched",
        "the same of 64 KiB",
        Some("at most 2"),
        |client| client.heaps(LARGE_HEAP_BYTES),
        |client, _| client.heaps(SMALL_HEAP_BYTES),
    )
}

fn addresses(client: &Client) -> f64 {
    ns_per_call(CALLS, |_| client.resource.address())
}

/// Measures all cases in interleaved rounds; the first round is a warm-up and does not count. `folder` gets the trace of the
/// session. Returns the figures with their text, for the process that started this one.
///
/// # Errors
/// The library cannot be loaded or refuses an object, or the trace cannot be written.
pub fn measure(folder: &Path, rounds: u32) -> Result<Value, BenchError> {
    let (client, mut direct) = (Client::new()?, Direct::new(folder)?);
    let mut cases: Vec<Case> = call_cases().into_iter().chain(list_cases()).chain([heap_case()]).collect();
    let mut threads = threads::cases();
    for round in 0..=rounds {
        // The order alternates, because the second part may find warm caches or a hotter, slower processor.
        let floor_first = round % 2 == 0;
        for Case { pairs, of, floor } in &mut cases {
            let first = floor_first.then(|| floor(&client, &mut direct)).transpose().map_err(BenchError::Device)?;
            let ns = of(&client).map_err(BenchError::Device)?;
            let floor_ns = first.map_or_else(|| floor(&client, &mut direct), Ok).map_err(BenchError::Device)?;
            if round > 0 {
                pairs.add(ns, floor_ns, false);
            }
        }
        for case in &mut threads {
            case.round(&client, &direct, floor_first, round > 0)?;
        }
    }
    let resident_bytes = resident_of_heaps(&client)?;
    let Direct { session, thread, .. } = direct;
    drop(thread);
    session.finish()?;
    let mut pairs: Vec<Pairs> = cases.into_iter().map(|case| case.pairs).collect();
    let scaling = threads::scaling(&threads);
    pairs.extend(threads.into_iter().map(|case| case.pairs));
    let text: String = pairs.iter().map(Pairs::text).collect();
    let cases: Vec<Value> = pairs.iter().map(Pairs::json).collect();
    Ok(json!({
        "text": text,
        "cases": cases,
        "resident_bytes": resident_bytes,
        "scaling": scaling.map(|[client, _]| client),
        "direct_scaling": scaling.map(|[_, direct]| direct),
    }))
}

/// Growth of the process's resident memory by large heaps that are not touched; `None` if the system does not report it.
fn resident_of_heaps(client: &Client) -> Result<Option<u64>, BenchError> {
    let before = resident_bytes();
    let heaps: HResult<Vec<_>> = (0..LIVE_HEAPS).map(|_| client.device.heap(LARGE_HEAP_BYTES)).collect();
    let heaps = heaps.map_err(BenchError::Device)?;
    let after = resident_bytes();
    drop(heaps);
    Ok(before.zip(after).map(|(before, after)| after.saturating_sub(before)))
}

fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}
