//! Random programs of references against a model of COM's rules: an object lives while the client, private data of a live
//! object or, for a device, a live object of the device has a reference to it.
#![allow(clippy::unwrap_used)]

use super::device::Device;
use super::fence::Fence;
use crate::interfaces::{ID3D12Device, ID3D12DeviceChild, ID3D12Fence, ID3D12Object};
use crate::unsafe_abi::{Guid, IUNKNOWN, In, Interface, output};
use crate::world::{self, World};
use proptest::prelude::*;
use taut_schemas::{AdapterId, FenceId, HResultCode, d3d12};

const DEVICE: Guid = <Device as ID3D12Device>::IID;
const FENCE: Guid = <Fence as ID3D12Fence>::IID;
const OBJECT: Guid = <Fence as ID3D12Object>::IID;
/// GUID of the private data.
const DATA: Guid = Guid::new(1);

#[derive(Debug, Clone)]
enum Step {
    CreateDevice,
    CreateFence,
    AddReference(usize),
    Release(usize),
    Query(usize, usize),
    GetDevice(usize),
    SetInterface(usize, Option<usize>),
}

fn step() -> impl Strategy<Value = Step> {
    let object = || 0_usize..100;
    prop_oneof![
        1 => Just(Step::CreateDevice),
        3 => Just(Step::CreateFence),
        2 => object().prop_map(Step::AddReference),
        6 => object().prop_map(Step::Release),
        2 => (object(), 0_usize..4).prop_map(|(object, interface)| Step::Query(object, interface)),
        1 => object().prop_map(Step::GetDevice),
        2 => (object(), proptest::option::of(object())).prop_map(|(object, held)| Step::SetInterface(object, held)),
    ]
}

/// An object of the model.
struct Modelled {
    interface: Interface,
    /// `None` for a device.
    fence: Option<FenceId>,
    /// Index of the device of a fence.
    device: usize,
    /// References of the client, of private data, and of the objects of a device.
    references: u32,
    /// References of the client alone.
    of_client: u32,
    private_data: Option<usize>,
}

struct Program {
    world: &'static World,
    objects: Vec<Modelled>,
}

impl Program {
    fn count(&self, index: usize) -> u32 {
        self.objects[index].references
    }

    fn live_device(&self) -> Option<usize> {
        (0..self.objects.len()).find(|index| self.objects[*index].fence.is_none() && self.count(*index) > 0)
    }

    /// Adds a reference of the client to the model.
    fn add(&mut self, index: usize) {
        self.objects[index].references += 1;
        self.objects[index].of_client += 1;
    }

    /// Removes a reference of the model; an object without one releases those that it holds.
    fn remove(&mut self, index: usize) {
        let object = &mut self.objects[index];
        object.references -= 1;
        if object.references > 0 {
            return;
        }
        let (held, device, is_fence) = (object.private_data.take(), object.device, object.fence.is_some());
        held.into_iter().for_each(|held| self.remove(held));
        if is_fence {
            self.remove(device);
        }
    }

    fn create_device(&mut self) {
        let create = d3d12::CreateDevice { adapter: AdapterId::FIRST, minimum_feature_level: 0xb000 };
        let interface = output(|out| Device::give(self.world, create, Some(DEVICE), out)).unwrap();
        match self.live_device() {
            Some(device) => {
                assert_eq!(self.objects[device].interface.address(), interface.address(), "one device per adapter");
                self.add(device);
            }
            None => self.objects.push(Modelled {
                interface,
                fence: None,
                device: self.objects.len(),
                references: 1,
                of_client: 1,
                private_data: None,
            }),
        }
    }

    fn create_fence(&mut self) {
        let Some(device) = self.live_device() else { return };
        let class = self.objects[device].interface.class::<Device>().unwrap();
        let interface = output(|out| class.create_fence(0, 0, In::to(&FENCE), out)).unwrap();
        let fence = Some(interface.class::<Fence>().unwrap().id);
        self.objects[device].references += 1;
        self.objects.push(Modelled { interface, fence, device, references: 1, of_client: 1, private_data: None });
    }

    fn query(&mut self, index: usize, interface: usize) {
        let is_fence = self.objects[index].fence.is_some();
        let (id, has_it) = [(IUNKNOWN, true), (OBJECT, true), (DEVICE, !is_fence), (FENCE, is_fence)][interface];
        let expected = match (self.count(index), has_it) {
            (0, _) => Err(HResultCode::E_HANDLE),
            (_, false) => Err(HResultCode::E_NOINTERFACE),
            (_, true) => Ok(self.objects[index].interface.address()),
        };
        let found = self.objects[index].interface.query_interface(&id).map(Interface::address);
        assert_eq!(found, expected);
        if found.is_ok() {
            self.add(index);
        }
    }

    fn set_interface(&mut self, index: usize, held: Option<usize>) {
        // The client has references to both objects.
        if self.count(index) == 0 || held.is_some_and(|held| self.count(held) == 0) {
            return;
        }
        let interface = held.map_or(Interface::NULL, |held| self.objects[held].interface);
        let object = self.objects[index].interface;
        match object.class::<Fence>() {
            Some(fence) => fence.set_private_data_interface(In::to(&DATA), interface),
            None => object.class::<Device>().unwrap().set_private_data_interface(In::to(&DATA), interface),
        };
        if let Some(held) = held {
            self.objects[held].references += 1;
        }
        let before = std::mem::replace(&mut self.objects[index].private_data, held);
        before.into_iter().for_each(|before| self.remove(before));
    }

    fn get_device(&mut self, index: usize) {
        let Some(fence) = self.objects[index].interface.class::<Fence>() else { return };
        let device = self.objects[index].device;
        let found = output(|out| fence.get_device(In::to(&DEVICE), out)).unwrap();
        assert_eq!(found.address(), self.objects[device].interface.address());
        self.add(device);
    }

    fn run(&mut self, step: &Step) {
        let index = |number: usize| number % self.objects.len().max(1);
        match *step {
            Step::CreateDevice => self.create_device(),
            Step::CreateFence => self.create_fence(),
            _ if self.objects.is_empty() => (),
            Step::AddReference(number) => {
                let index = index(number);
                let expected = if self.count(index) == 0 { 0 } else { self.count(index) + 1 };
                assert_eq!(self.objects[index].interface.add_reference(), expected);
                if expected > 0 {
                    self.add(index);
                }
            }
            Step::Release(number) => {
                let index = index(number);
                // References that are not the client's stay; a release of a released object has no effect.
                if self.objects[index].of_client == 0 && self.count(index) > 0 {
                    return;
                }
                let released = self.objects[index].interface.release();
                if self.count(index) > 0 {
                    self.objects[index].of_client -= 1;
                    self.remove(index);
                }
                assert_eq!(released, self.count(index));
            }
            Step::Query(number, interface) => self.query(index(number), interface),
            Step::GetDevice(number) => self.get_device(index(number)),
            Step::SetInterface(number, held) => self.set_interface(index(number), held.map(index)),
        }
    }

    /// Compares counts and the runtime's objects with the model.
    fn check(&self) {
        for object in &self.objects {
            let interface = object.interface;
            let is_alive = interface.class::<Fence>().is_some() || interface.class::<Device>().is_some();
            assert_eq!(is_alive, object.references > 0);
            if let Some(fence) = object.fence {
                let known = self.world.call(d3d12::GetCompletedValue { fence }).is_ok();
                assert_eq!(known, is_alive, "the last reference releases the object in the runtime");
            }
            if is_alive {
                assert_eq!(
                    (interface.add_reference(), interface.release()),
                    (object.references + 1, object.references)
                );
            }
        }
    }

    /// Releases all objects.
    fn end(&mut self) {
        for index in 0..self.objects.len() {
            self.set_interface(index, None);
        }
        for index in 0..self.objects.len() {
            while self.objects[index].of_client > 0 && self.objects[index].fence.is_some() {
                self.run(&Step::Release(index));
            }
        }
        while let Some(device) = self.live_device() {
            self.run(&Step::Release(device));
        }
        self.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn references_agree_with_a_model(steps in prop::collection::vec(step(), 0..60)) {
        let mut program = Program { world: world::begin().unwrap(), objects: Vec::new() };
        for step in &steps {
            program.run(step);
            program.check();
        }
        program.end();
    }
}
