//! Lock striping of the object table: an object is locked together with all objects of its stripe.

use super::Stamped;
use crate::sync::MutexGuard;
use std::collections::HashMap;
use taut_runtime::{ContextState, DeviceState, Object, Objects, implicit_locks};
use taut_schemas::{Creates, Input, ObjectId};

/// Number of object stripes. A [`StripeSet`] has one bit for each, so there can be no more; fewer would make threads
/// wait more often for objects that they do not share.
pub(super) const STRIPES: u32 = u64::BITS;

/// Objects of one stripe.
#[derive(Default)]
pub(super) struct Stripe {
    objects: HashMap<u64, Object>,
}

impl Stripe {
    /// Iterates over the objects of the stripe, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().map(|(id, object)| (ObjectId(*id), object))
    }
}

/// Set of stripes, one bit each.
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

    /// Iterates over the stripes in ascending order, which is the locking order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut remaining = self.0;
        std::iter::from_fn(move || {
            let stripe = remaining.trailing_zeros();
            remaining &= remaining.wrapping_sub(1);
            (stripe < STRIPES).then_some(stripe)
        })
    }

    /// Returns the stripes of the objects that a call names, creates or uses without naming them. For a call with the
    /// lock `unpinned`, the objects that its context has pinned are omitted. `next_object` is the id of the object that the
    /// call creates.
    #[inline]
    pub fn wanted<C: Input>(
        call: &C,
        next_object: Option<ObjectId>,
        device: Option<&DeviceState>,
        context: Option<&ContextState>,
    ) -> StripeSet {
        let mut wanted = StripeSet::default();
        match (C::CREATES, next_object) {
            // The number of objects, and so their ids, are known only during the call.
            (Creates::Several, _) => return StripeSet::ALL,
            (Creates::One, Some(object)) => wanted.add(object),
            _ => {}
        }
        if C::LOCKS.objects {
            call.visit_objects(&mut |object| wanted.add(object));
        } else if C::LOCKS.unpinned {
            let is_pinned = |object| context.is_some_and(|context| context.holds(object));
            call.visit_objects(&mut |object| {
                if !is_pinned(object) {
                    wanted.add(object);
                }
            });
        }
        implicit_locks(call, device, context, &mut |object| wanted.add(object));
        wanted
    }

    /// Returns the set with the stripe of an object added.
    pub fn with(mut self, object: ObjectId) -> StripeSet {
        self.add(object);
        self
    }
}

fn stripe_of(object: ObjectId) -> u32 {
    // The adapter in the upper bits of the id is left out: objects of all adapters share the stripes.
    object.0 as u32 % STRIPES
}

/// Objects of the stripes that a call has locked.
pub(super) struct HeldObjects<'h, 'a> {
    /// Locked stripes with their numbers.
    pub stripes: &'h mut Vec<(u32, MutexGuard<'a, Stamped<Stripe>>)>,
}

impl HeldObjects<'_, '_> {
    /// Returns the locked stripe of an object. `None` for the null id, whose stripe need not be locked: `visit_objects`
    /// skips null arguments. For any other id `None` is an error in the call's lock set.
    fn stripe(&mut self, object: ObjectId) -> Option<&mut Stripe> {
        let number = stripe_of(object);
        let locked = self.stripes.iter_mut().find(|(stripe, _)| *stripe == number);
        debug_assert!(locked.is_some() || object == ObjectId::NULL, "object {object:?} is not in the call's lock set");
        locked.map(|(_, guard)| &mut guard.value)
    }
}

impl Objects for HeldObjects<'_, '_> {
    fn get(&self, object: ObjectId) -> Option<&Object> {
        let number = stripe_of(object);
        let (_, guard) = self.stripes.iter().find(|(stripe, _)| *stripe == number)?;
        guard.value.objects.get(&object.0)
    }

    fn get_mut(&mut self, object: ObjectId) -> Option<&mut Object> {
        self.stripe(object)?.objects.get_mut(&object.0)
    }

    fn insert(&mut self, object: ObjectId, state: Object) {
        // Never missing: a call that creates an object has locked the stripe of the object's id.
        if let Some(stripe) = self.stripe(object) {
            stripe.objects.insert(object.0, state);
        }
    }

    fn remove(&mut self, object: ObjectId) -> Option<Object> {
        self.stripe(object)?.objects.remove(&object.0)
    }
}
