//! Minimal recorded program: two threads fill a heap with buffers. `taut replay own.taut` replays its calls, and `taut
//! analyze own.taut` reports their cost.

use std::error::Error;
use taut_capture::{Clock, Profile, Session, Settings, Workload, WriteOptions};
use taut_schemas::{DeviceId, HResult, HeapDesc, HeapId, HeapProperties, HeapType, d3d12};
use taut_schemas::{ResourceDesc, ResourceFlags, ResourceId};

fn main() -> Result<(), Box<dyn Error>> {
    record("own.taut")
}

/// Runs the program and records it to a trace.
pub fn record(file: &str) -> Result<(), Box<dyn Error>> {
    let profile = Profile::named("reference").ok_or("no driver model of this name")?;
    let workload = Workload { name: "own program".to_owned(), ..Workload::default() };
    let (settings, options) = (Settings::default(), WriteOptions::default());
    let session = Session::create(file, &profile, settings, workload, Clock::best(), options)?;

    let device = session.call(d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() })?;
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..HeapProperties::default() };
    let desc = HeapDesc { size_bytes: 1 << 20, properties, ..HeapDesc::default() };
    let heap = session.call(d3d12::CreateHeap { device, desc })?;

    // Any thread may call; it belongs to the session from its first call to its end.
    let other = session.clone();
    let loader = std::thread::spawn(move || fill(&other, device, heap, 0));
    let mut buffers = fill(&session, device, heap, 8)?;
    buffers.extend(loader.join().map_err(|_| "the loader panicked")??);

    for resource in buffers {
        session.call(d3d12::ReleaseResource { resource })?;
    }
    session.call(d3d12::ReleaseHeap { heap })?;
    session.release_device(device)?;
    println!("{file}: {} events", session.finish()?.events);
    Ok(())
}

/// Places eight small buffers in a heap, each in its own 64 KiB slot.
fn fill(session: &Session, device: DeviceId, heap: HeapId, first_slot: u64) -> HResult<Vec<ResourceId>> {
    let desc = ResourceDesc { flags: ResourceFlags::USE_TIGHT_ALIGNMENT, ..ResourceDesc::buffer(1000) };
    let place = |slot| {
        let heap_offset_bytes = slot * 65536;
        session.call(d3d12::CreatePlacedResource { device, heap, heap_offset_bytes, desc, ..Default::default() })
    };
    (first_slot..first_slot + 8).map(place).collect()
}
