//! The locks a call takes, all of them before anything else, in one order: those of its adapter, those of the session,
//! then the objects by stripe.
//!
//! Each lock remembers the last stamp given under it. A call's stamp follows that of every lock it holds, and its stop
//! stamp is written back to all of them before any is released (strict two-phase locking), so sorting the records by
//! stamp agrees with every lock's own order.

use crate::sync::{Condvar, Mutex, MutexGuard, TryLockError};
use std::collections::HashMap;
use std::time::Instant;
use taut_runtime::{AdapterState, DeviceState, DisplayState, Locked, Object, Objects, SubmissionState, SystemState};
use taut_schemas::{AdapterId, Creates, Input, ObjectId, for_each_lock};

/// Number of object stripes: a power of two well above the number of threads that record at once.
const STRIPES: usize = 64;

/// A lock of the list, and who waits for what it guards to come to some state.
#[derive(Default)]
struct Lock<T> {
    mutex: Mutex<Stamped<T>>,
    /// By [`Waiter`].
    changed: [Condvar; 3],
}

/// What a lock guards, the last stamp given under it, and how many wait for it to come to some state.
#[derive(Default)]
struct Stamped<T> {
    last_stamp: u64,
    value: T,
    /// By [`Waiter`].
    waiting: [u32; 3],
    /// The session ends: nobody waits any more.
    closing: bool,
}

impl<T> Lock<T> {
    fn new(value: T) -> Lock<T> {
        let stamped = Stamped { last_stamp: 0, value, waiting: [0; 3], closing: false };
        Lock { mutex: Mutex::new(stamped), changed: [Condvar::new(), Condvar::new(), Condvar::new()] }
    }

    /// Takes the lock once `ready` holds, or at `deadline`. `None` when the session ends.
    fn when(
        &self,
        waiter: Waiter,
        deadline: Option<Instant>,
        ready: impl Fn(&T) -> bool,
    ) -> Option<MutexGuard<'_, Stamped<T>>> {
        let mut guard = lock(&self.mutex, &mut || ());
        loop {
            if guard.closing {
                return None;
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if ready(&guard.value) || left.is_some_and(|left| left.is_zero()) {
                return Some(guard);
            }
            guard.waiting[waiter as usize] += 1;
            let changed = &self.changed[waiter as usize];
            guard = match left {
                None => changed.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner()),
                Some(left) => changed.wait_timeout(guard, left).unwrap_or_else(|poisoned| poisoned.into_inner()).0,
            };
            guard.waiting[waiter as usize] -= 1;
        }
    }

    /// Wakes those who wait as `waiter`, if there are any.
    fn wake(&self, held: &Stamped<T>, waiter: Waiter) {
        if held.waiting[waiter as usize] > 0 {
            self.changed[waiter as usize].notify_all();
        }
    }

    /// Ends all waiting.
    fn close(&self) {
        lock(&self.mutex, &mut || ()).closing = true;
        self.changed.iter().for_each(|changed| changed.notify_all());
    }
}

/// The objects whose handle falls on one stripe.
#[derive(Default)]
struct Stripe {
    objects: HashMap<u64, Object>,
}

/// Who waits for a lock's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiter {
    /// A worker, for a task.
    Worker,
    /// The graphics processor, for something to do.
    Gpu,
    /// An application thread, for an event or the end of all tasks.
    Application,
}

/// Takes a lock; `on_wait` hears of it when somebody else holds it.
fn lock<'a, T>(mutex: &'a Mutex<T>, on_wait: &mut dyn FnMut()) -> MutexGuard<'a, T> {
    match mutex.try_lock() {
        Ok(guard) => guard,
        // A panic under the lock is a bug that has already been reported; the state is still the one that was recorded.
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => {
            on_wait();
            mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
        }
    }
}

/// The locks of the list, in its order, and behind them the objects'.
macro_rules! locks {
    ([]
        adapter { $( $(#[$doc:meta])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[$session_doc:meta])+ $session_lock:ident: $SessionState:ident; )+ }
    ) => {
        /// The locks of one adapter.
        struct AdapterLocks {
            $( $lock: Lock<$State>, )+
        }

        /// Every lock of a session.
        pub struct LockTable {
            adapters: Vec<AdapterLocks>,
            $( $session_lock: Lock<$SessionState>, )+
            stripes: Vec<Mutex<Stamped<Stripe>>>,
        }

        impl LockTable {
            /// Those of a session with so many adapters, at least one.
            pub fn new(adapters: usize) -> LockTable {
                let locks = |AdapterState { $( $lock ),+ }| AdapterLocks { $( $lock: Lock::new($lock), )+ };
                let adapters = AdapterId::first(adapters.max(1)).map(|adapter| locks(AdapterState::new(adapter)));
                let adapters: Vec<AdapterLocks> = adapters.collect();
                LockTable {
                    $( $session_lock: Lock::new($SessionState::new(adapters.len())), )+
                    stripes: (0..STRIPES).map(|_| Mutex::new(Stamped::default())).collect(),
                    adapters,
                }
            }

            /// Takes every lock of `call`'s set on its adapter, of its objects those that it names and that of the one it
            /// creates. A call that creates several, however many, takes all. `on_wait` is told, once or more, that the
            /// call has to wait.
            pub fn acquire<C: Input>(&self, call: &C, on_wait: &mut dyn FnMut()) -> Held<'_> {
                let at = call.adapter().place_among(self.adapters.len());
                let mut held = Held { adapter: at, objects: C::LOCKS.objects, ..Held::default() };
                let adapter = &self.adapters[at];
                $( held.$lock = C::LOCKS.$lock.then(|| lock(&adapter.$lock.mutex, on_wait)); )+
                $( held.$session_lock = C::LOCKS.$session_lock.then(|| lock(&self.$session_lock.mutex, on_wait)); )+
                if C::LOCKS.objects {
                    let wanted = wanted_stripes(call, held.device.as_ref().map(|device| device.value.next_object()));
                    let locked = |stripe: usize| (stripe, lock(&self.stripes[stripe], on_wait));
                    held.stripes = wanted.into_iter().map(locked).collect();
                }
                held
            }

            /// Ends all waiting.
            pub fn close(&self) {
                for adapter in &self.adapters {
                    $( adapter.$lock.close(); )+
                }
                $( self.$session_lock.close(); )+
            }
        }

        /// The locks of one call, held.
        #[derive(Default)]
        pub struct Held<'a> {
            /// Place of the adapter whose locks they are.
            adapter: usize,
            $( $lock: Option<MutexGuard<'a, Stamped<$State>>>, )+
            $( $session_lock: Option<MutexGuard<'a, Stamped<$SessionState>>>, )+
            stripes: Vec<(usize, MutexGuard<'a, Stamped<Stripe>>)>,
            objects: bool,
        }

        impl Held<'_> {
            /// The latest stamp given under any of the locks.
            pub fn last_stamp(&self) -> u64 {
                let stripes = self.stripes.iter().map(|(_, stripe)| stripe.last_stamp).max();
                let others = [
                    $( self.$lock.as_ref().map(|lock| lock.last_stamp), )+
                    $( self.$session_lock.as_ref().map(|lock| lock.last_stamp), )+
                ];
                others.into_iter().fold(stripes, Option::max).unwrap_or(0)
            }

            /// Writes the call's last stamp back to every lock.
            pub fn set_last_stamp(&mut self, stamp: u64) {
                $( self.$lock.iter_mut().for_each(|lock| lock.last_stamp = stamp); )+
                $( self.$session_lock.iter_mut().for_each(|lock| lock.last_stamp = stamp); )+
                self.stripes.iter_mut().for_each(|(_, stripe)| stripe.last_stamp = stamp);
            }

            /// Hands what the locks guard to `run`.
            pub fn with<R>(&mut self, run: impl FnOnce(Locked<'_>) -> R) -> R {
                let mut view = HeldObjects { stripes: &mut self.stripes };
                let objects = if self.objects { Some(&mut view as &mut dyn Objects) } else { None };
                run(Locked {
                    $( $lock: self.$lock.as_mut().map(|lock| &mut lock.value), )+
                    $( $session_lock: self.$session_lock.as_mut().map(|lock| &mut lock.value), )+
                    objects,
                })
            }
        }
    };
}
for_each_lock!(locks);

/// The stripes of the objects that a call names and creates, ascending. `next_object` is the one it creates, if any.
fn wanted_stripes<C: Input>(call: &C, next_object: Option<ObjectId>) -> Vec<usize> {
    let mut wanted = Vec::new();
    match (C::CREATES, next_object) {
        (Creates::Several, _) => return (0..STRIPES).collect(),
        (Creates::One, Some(object)) => wanted.push(stripe_of(object)),
        _ => {}
    }
    call.visit_objects(&mut |object| wanted.push(stripe_of(object)));
    wanted.sort_unstable();
    wanted.dedup();
    wanted
}

impl LockTable {
    /// Takes an adapter's device lock alone.
    pub fn acquire_device(&self, adapter: AdapterId) -> Held<'_> {
        let adapter = adapter.place_among(self.adapters.len());
        let device = lock(&self.adapters[adapter].device.mutex, &mut || ());
        Held { adapter, device: Some(device), ..Held::default() }
    }

    /// Takes the lock of an adapter's queue alone once `ready` holds. `None` when the session ends.
    pub fn acquire_queue_when(
        &self,
        adapter: AdapterId,
        waiter: Waiter,
        ready: impl Fn(&SubmissionState) -> bool,
    ) -> Option<Held<'_>> {
        let adapter = adapter.place_among(self.adapters.len());
        let queue = self.adapters[adapter].queue.when(waiter, None, ready)?;
        Some(Held { adapter, queue: Some(queue), ..Held::default() })
    }

    /// Takes the operating system's lock alone once `ready` holds, or at `deadline`. `None` when the session ends.
    pub fn acquire_system_when(
        &self,
        deadline: Option<Instant>,
        ready: impl Fn(&SystemState) -> bool,
    ) -> Option<Held<'_>> {
        let system = self.system.when(Waiter::Application, deadline, ready)?;
        Some(Held { system: Some(system), ..Held::default() })
    }

    /// Wakes those for whom a call that held `held` may have changed something.
    pub fn wake(&self, held: &Held<'_>) {
        if let Some(system) = &held.system {
            self.system.wake(system, Waiter::Application);
        }
        let Some(held_queue) = &held.queue else { return };
        let queue = &self.adapters[held.adapter].queue;
        if held_queue.value.can_start_work() {
            queue.wake(held_queue, Waiter::Worker);
        }
        if held_queue.value.runnable().is_some() {
            queue.wake(held_queue, Waiter::Gpu);
        }
        queue.wake(held_queue, Waiter::Application);
    }
}

fn stripe_of(object: ObjectId) -> usize {
    object.0 as usize % STRIPES
}

impl Held<'_> {
    /// The adapter whose locks they are.
    pub fn adapter(&self) -> AdapterId {
        AdapterId(self.adapter as u64 + 1)
    }

    /// The queue, if it is held.
    pub fn queue(&self) -> Option<&SubmissionState> {
        self.queue.as_ref().map(|queue| &queue.value)
    }

    /// What the operating system keeps, if it is held.
    pub fn system(&self) -> Option<&SystemState> {
        self.system.as_ref().map(|system| &system.value)
    }
}

/// The objects on the stripes that a call holds.
struct HeldObjects<'h, 'a> {
    stripes: &'h mut Vec<(usize, MutexGuard<'a, Stamped<Stripe>>)>,
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
