//! The objects' locks, by stripe.

use super::Stamped;
use crate::sync::MutexGuard;
use std::collections::HashMap;
use taut_runtime::{ContextState, DeviceState, Object, Objects, also_locks};
use taut_schemas::{Creates, Input, ObjectId};

/// Number of object stripes: well above the number of threads that record at once.
pub(super) const STRIPES: u32 = u64::BITS;

/// The objects whose handle falls on one stripe.
#[derive(Default)]
pub(super) struct Stripe {
    objects: HashMap<u64, Object>,
}

impl Stripe {
    /// Its objects, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().map(|(id, object)| (ObjectId(*id), object))
    }
}

/// Some of the stripes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StripeSet(u64);

impl StripeSet {
    const ALL: StripeSet = StripeSet(u64::MAX);

    fn add(&mut self, object: ObjectId) {
        self.0 |= 1 << stripe_of(object);
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let stripe = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (stripe < STRIPES).then_some(stripe)
        })
    }

    /// Those of the objects that a call names, creates, and touches besides. `next_object` is the one it creates, if any.
    #[inline]
    pub fn wanted<C: Input>(
        call: &C,
        next_object: Option<ObjectId>,
        (device, context): (Option<&DeviceState>, Option<&ContextState>),
    ) -> StripeSet {
        let mut wanted = StripeSet::default();
        match (C::CREATES, next_object) {
            (Creates::Several, _) => return StripeSet::ALL,
            (Creates::One, Some(object)) => wanted.add(object),
            _ => {}
        }
        if C::LOCKS.objects {
            call.visit_objects(&mut |object| wanted.add(object));
        } else if C::LOCKS.opens {
            let holds = |object| context.is_some_and(|context| context.holds(object));
            call.visit_objects(&mut |object| {
                if !holds(object) {
                    wanted.add(object);
                }
            });
        }
        also_locks(call, device, context, &mut |object| wanted.add(object));
        wanted
    }

    /// With that of an object.
    pub fn and(mut self, object: ObjectId) -> StripeSet {
        self.add(object);
        self
    }
}

fn stripe_of(object: ObjectId) -> u32 {
    object.0 as u32 % STRIPES
}

/// The objects on the stripes that a call holds.
pub(super) struct HeldObjects<'h, 'a> {
    pub stripes: &'h mut Vec<(u32, MutexGuard<'a, Stamped<Stripe>>)>,
}

impl HeldObjects<'_, '_> {
    fn stripe(&mut self, object: ObjectId) -> Option<&mut Stripe> {
        let wanted = stripe_of(object);
        let held = self.stripes.iter_mut().find(|(stripe, _)| *stripe == wanted);
        // The null handle names no object, so a call that is given it locks none; it finds none, either.
        debug_assert!(held.is_some() || object == ObjectId::NULL, "object {object:?} is not in the call's lock set");
        held.map(|(_, guard)| &mut guard.value)
    }
}

impl Objects for HeldObjects<'_, '_> {
    fn get(&self, object: ObjectId) -> Option<&Object> {
        let wanted = stripe_of(object);
        let (_, guard) = self.stripes.iter().find(|(stripe, _)| *stripe == wanted)?;
        guard.value.objects.get(&object.0)
    }

    fn get_mut(&mut self, object: ObjectId) -> Option<&mut Object> {
        self.stripe(object)?.objects.get_mut(&object.0)
    }

    fn insert(&mut self, object: ObjectId, state: Object) {
        if let Some(stripe) = self.stripe(object) {
            stripe.objects.insert(object.0, state);
        }
    }

    fn remove(&mut self, object: ObjectId) -> Option<Object> {
        self.stripe(object)?.objects.remove(&object.0)
    }
}
