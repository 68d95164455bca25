//! Locks of a call: those of its line, of the objects it names, and of those it creates.

use std::cell::Cell;
use taut_capture::locks::LockTable;
use taut_schemas::{
    AdapterId, Call, CodecError, Creates, Decoder, Encoder, Family, Field, FieldSink, HResult, HandleMap, HeapId,
    Input, LockSet, ObjectId, ResourceId, d3d12,
};

/// Returns true if `call` has to wait while another call holds only the lock of `object`.
fn waits_for<C: Input>(call: &C, object: u64) -> bool {
    let locks = LockTable::new(1);
    let named = d3d12::SetName { object: ObjectId(object), ..Default::default() };
    let mut held = Some(locks.acquire(&named, &mut || unreachable!("nobody else is there")));
    let waited = Cell::new(false);
    drop(locks.acquire(call, &mut || {
        waited.set(true);
        held = None;
    }));
    waited.get()
}

#[test]
fn a_call_that_creates_takes_the_lock_of_the_object_to_come() {
    // The first object of a session has handle 1.
    assert!(waits_for(&d3d12::CreateHeap::default(), 1));
    assert!(!waits_for(&d3d12::CreateHeap::default(), 2));
}

#[test]
fn a_call_that_creates_nothing_takes_those_of_the_objects_it_names_alone() {
    let release = d3d12::ReleaseHeap { heap: HeapId(5) };
    assert!(d3d12::ReleaseHeap::LOCKS == d3d12::CreateHeap::LOCKS);
    assert!(waits_for(&release, 5));
    assert!(!waits_for(&release, 1));
}

/// Call that creates several objects, of which no list has one yet.
struct CreateBuffers;

impl Call for CreateBuffers {
    const ID: u16 = 0;
    const NAME: &'static str = "CreateBuffers";
    const DOC: &'static str = "Creates several.";
    const FAMILY: Family = d3d12::FAMILY;
    type Output = HResult<Vec<ResourceId>>;

    fn describe(_: &mut FieldSink) {}
    fn encode(&self, _: &mut Encoder<'_>) {}
    fn decode(_: &mut Decoder<'_>) -> Result<Self, CodecError> {
        Ok(CreateBuffers)
    }
    fn map_handles(&mut self, _: &mut dyn HandleMap) {}
    fn visit_objects(&self, _: &mut dyn FnMut(ObjectId)) {}
    fn adapter(&self) -> AdapterId {
        AdapterId::FIRST
    }
}

impl Input for CreateBuffers {
    const LOCKS: LockSet = LockSet::NONE.device().objects();
    const CREATES: Creates = Creates::Several;
    type DerivedInput = ();

    fn visit_created(output: &Self::Output, visit: &mut dyn FnMut(ObjectId)) {
        output.visit_objects(visit);
    }
}

#[test]
fn a_call_that_creates_several_takes_every_object_s() {
    (1..200).for_each(|object| assert!(waits_for(&CreateBuffers, object), "{object}"));
}
