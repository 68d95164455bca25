//! Cost of finding the calling thread's thread object: a call by a [`SessionThread`](taut_capture::SessionThread)
//! against one by [`Session::call`](taut_capture::Session::call).
#![allow(clippy::expect_used)]

use std::time::Instant;
use taut_capture::{Clock, Profile, Session, Settings};
use taut_schemas::{DeviceId, HeapDesc, HeapProperties, HeapType, d3d12};

const CALLS: u32 = 2_000_000;
const ROUNDS: u32 = 4;

fn main() {
    let profile = Profile::named("reference").expect("a bundled profile");
    let session = Session::unrecorded(&profile, Settings::default(), Clock::best());
    let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, ..Default::default() };
    let device: DeviceId = session.call(create).expect("a device");
    let properties = HeapProperties { heap_type: HeapType::UPLOAD, ..Default::default() };
    let desc = HeapDesc { size_bytes: 1 << 20, properties, ..Default::default() };
    let heap = session.call(d3d12::CreateHeap { device, desc }).expect("a heap");
    let mut held = session.thread(1);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        (0..CALLS).for_each(|_| assert!(held.call(d3d12::GetHeapDesc { heap }).is_ok()));
        let of_held = start.elapsed() / CALLS;
        let start = Instant::now();
        (0..CALLS).for_each(|_| assert!(session.call(d3d12::GetHeapDesc { heap }).is_ok()));
        println!("a call by a thread that is held: {of_held:?}; that finds itself: {:?}", start.elapsed() / CALLS);
    }
}
