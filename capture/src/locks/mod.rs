//! Locks of a call. All locks are taken before the call runs, in one order: the locks of its adapter, the locks of the
//! session, the lock of its context, then the objects' locks by stripe.
//!
//! Each lock stores the last stamp of a call that held it. A call's stamp follows the stamp of each lock it holds, and
//! its stop stamp is written to all of its locks before a lock is released (strict two-phase locking), so sorting the
//! records by stamp agrees with every lock's own order.

mod all;
mod contexts;
mod stamped;
mod stripes;

use crate::sync::{Condvar, Mutex, MutexGuard, TryLockError};
use contexts::ContextTable;
use stamped::{Padded, Stamped};
use std::time::Instant;
use stripes::{HeldObjects, STRIPES, Stripe, StripeSet};
use taut_runtime::{
    AdapterState, ContextState, Contexts, DeviceState, DisplayState, Locked, Objects, SubmissionState, SystemState,
};
use taut_schemas::{AdapterId, Field, Input, LockSet, ObjectId, for_each_lock};

/// Lock of the list with its condition variables, in cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct Lock<T> {
    mutex: Mutex<Stamped<T>>,
    /// Condition variable per [`Waiter`].
    changed: [Condvar; 4],
}

impl<T> Lock<T> {
    fn new(value: T) -> Lock<T> {
        Lock { mutex: Mutex::new(Stamped::new(value)), changed: std::array::from_fn(|_| Condvar::new()) }
    }

    /// Takes the lock once `ready` is true or at `deadline`. Returns `None` when the session ends.
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

    /// Wakes the threads that wait as `waiter`, if there are any.
    fn wake(&self, held: &Stamped<T>, waiter: Waiter) {
        // Most calls have no waiting thread to wake.
        if held.waiting[waiter as usize] > 0 {
            self.changed[waiter as usize].notify_all();
        }
    }

    /// Ends all waits.
    fn close(&self) {
        lock(&self.mutex, &mut || ()).closing = true;
        self.changed.iter().for_each(|changed| changed.notify_all());
    }
}

/// Class of threads that wait for a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiter {
    /// Worker threads, for a task.
    Worker,
    /// GPU threads, for an operation.
    Gpu,
    /// Application threads, for an event or the end of all tasks.
    Application,
    /// Drivers' own threads, for a wake-up.
    Driver,
}

/// Takes a lock; `on_wait` is called if another thread holds it.
fn lock<'a, T>(mutex: &'a Mutex<T>, on_wait: &mut dyn FnMut()) -> MutexGuard<'a, T> {
    #[cfg(test)]
    counted::LOCKS_TAKEN.set(counted::LOCKS_TAKEN.get() + 1);
    match mutex.try_lock() {
        Ok(guard) => guard,
        // A panic under the lock was already reported, and the state still equals the recorded state.
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => {
            on_wait();
            mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
        }
    }
}

/// Test counter of the locks that this thread has taken. All threads of a shuttle schedule are one thread of the
/// system.
#[cfg(test)]
pub(crate) mod counted {
    std::thread_local! {
        pub static LOCKS_TAKEN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
}

/// Defines the lock table from the list of locks: the list's locks in order, then the objects' stripes.
macro_rules! locks {
    ([]
        adapter { $( $(#[$doc:meta])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[$session_doc:meta])+ $session_lock:ident: $SessionState:ident; )+ }
        context { $(#[$context_doc:meta])+ $context_lock:ident: $ContextState:ident; }
    ) => {
        /// Locks of one adapter.
        struct AdapterLocks {
            $( $lock: Lock<$State>, )+
        }

        /// All locks of a session.
        pub struct LockTable {
            adapters: Vec<AdapterLocks>,
            $( $session_lock: Lock<$SessionState>, )+
            contexts: ContextTable,
            stripes: Vec<Padded<Mutex<Stamped<Stripe>>>>,
        }

        impl LockTable {
            /// Creates the locks of a session with this number of adapters, at least one.
            pub fn new(adapters: usize) -> LockTable {
                let locks = |AdapterState { $( $lock ),+ }| AdapterLocks { $( $lock: Lock::new($lock), )+ };
                let adapters = AdapterId::first(adapters.max(1)).map(|adapter| locks(AdapterState::new(adapter)));
                let adapters: Vec<AdapterLocks> = adapters.collect();
                LockTable {
                    $( $session_lock: Lock::new($SessionState::new(adapters.len())), )+
                    contexts: ContextTable::new(adapters.len()),
                    stripes: (0..STRIPES).map(|_| Padded::default()).collect(),
                    adapters,
                }
            }

            /// Takes every lock of `call`'s set on its adapter, the lock of its context, and the stripes of the objects
            /// it names or creates. A call that creates several objects takes all stripes. `on_wait` is called each
            /// time the call has to wait.
            ///
            /// The context's state may require the device's lock, which precedes the context's in the order: then all
            /// locks are released and taken again.
            pub fn acquire<C: Input>(&self, call: &C, on_wait: &mut dyn FnMut()) -> Held<'_> {
                let at = call.adapter().place_among(self.adapters.len());
                let mut extended = false;
                loop {
                    let mut held = Held { adapter: at, locks: C::LOCKS, ..Held::default() };
                    let adapter = &self.adapters[at];
                    if extended {
                        // The device precedes the context in the locking order.
                        held.device = Some(lock(&adapter.device.mutex, on_wait));
                    }
                    $( if C::LOCKS.$lock { held.$lock = Some(lock(&adapter.$lock.mutex, on_wait)); } )+
                    $( held.$session_lock = C::LOCKS.$session_lock.then(|| lock(&self.$session_lock.mutex, on_wait)); )+
                    let context = if C::LOCKS.$context_lock { self.contexts.get(call.context()) } else { None };
                    held.$context_lock = context.map(|context| lock(&context.0, on_wait));
                    let known = held.$context_lock.as_ref().map(|context| &context.value);
                    let needs_device = known.is_some_and(|known| {
                        known.is_serial() || C::LOCKS.extension && known.is_extended()
                    });
                    if needs_device && held.device.is_none() {
                        extended = true;
                        continue;
                    }
                    held.contexts = C::LOCKS.contexts.then_some(&self.contexts);
                    let mut wanted = StripeSet::default();
                    if C::LOCKS.objects || C::LOCKS.unpinned {
                        let device = held.device.as_ref().map(|device| &device.value);
                        let known = held.$context_lock.as_ref().map(|context| &context.value);
                        wanted = StripeSet::wanted(call, device.map(DeviceState::next_object), device, known);
                    }
                    let absent = C::LOCKS.$context_lock && context.is_none();
                    if absent {
                        // The creation of this context holds the stripe of its handle, so under that stripe the context
                        // either exists or cannot be created before this call ends.
                        held.absent = Some(Box::default());
                        wanted = wanted.with(call.context());
                    }
                    held.lock_stripes(self, wanted, on_wait);
                    if absent && self.contexts.get(call.context()).is_some() {
                        continue;
                    }
                    return held;
                }
            }

            /// Ends all waits.
            pub fn close(&self) {
                for adapter in &self.adapters {
                    $( adapter.$lock.close(); )+
                }
                $( self.$session_lock.close(); )+
            }
        }

        /// Locks held by one call.
        #[derive(Default)]
        pub struct Held<'a> {
            /// Index of the adapter.
            adapter: usize,
            $( $lock: Option<MutexGuard<'a, Stamped<$State>>>, )+
            $( $session_lock: Option<MutexGuard<'a, Stamped<$SessionState>>>, )+
            $context_lock: Option<MutexGuard<'a, Stamped<$ContextState>>>,
            /// Empty state on which a call on a missing context is executed.
            absent: Option<Box<$ContextState>>,
            stripes: Vec<(u32, MutexGuard<'a, Stamped<Stripe>>)>,
            /// Table for the contexts that the call creates.
            contexts: Option<&'a ContextTable>,
            created: NewContexts,
            locks: LockSet,
        }

        impl Held<'_> {
            /// Last stamp given under any of the locks.
            pub fn last_stamp(&self) -> u64 {
                let stripes = self.stripes.iter().map(|(_, stripe)| stripe.last_stamp).max();
                let others = [
                    $( self.$lock.as_ref().map(|lock| lock.last_stamp), )+
                    $( self.$session_lock.as_ref().map(|lock| lock.last_stamp), )+
                    self.$context_lock.as_ref().map(|lock| lock.last_stamp),
                ];
                others.into_iter().fold(stripes, Option::max).unwrap_or(0)
            }

            /// Writes the call's last stamp back to every lock and publishes the contexts that it created.
            pub fn set_last_stamp(&mut self, stamp: u64) {
                $( self.$lock.iter_mut().for_each(|lock| lock.last_stamp = stamp); )+
                $( self.$session_lock.iter_mut().for_each(|lock| lock.last_stamp = stamp); )+
                self.$context_lock.iter_mut().for_each(|lock| lock.last_stamp = stamp);
                self.stripes.iter_mut().for_each(|(_, stripe)| stripe.last_stamp = stamp);
                if let Some(contexts) = self.contexts {
                    let created = self.created.0.drain(..);
                    created.for_each(|(names, context)| contexts.insert(&names, context, stamp));
                }
            }

            /// Calls `run` with the guarded state.
            pub fn with<R>(&mut self, run: impl FnOnce(Locked<'_>) -> R) -> R {
                let mut view = HeldObjects { stripes: &mut self.stripes };
                let mut locked = Locked {
                    $( $lock: self.$lock.as_mut().map(|lock| &mut lock.value), )+
                    $( $session_lock: self.$session_lock.as_mut().map(|lock| &mut lock.value), )+
                    $context_lock: match &mut self.$context_lock {
                        Some(context) => Some(&mut context.value),
                        None => self.absent.as_deref_mut(),
                    },
                    contexts: self.locks.contexts.then_some(&mut self.created as &mut dyn Contexts),
                    ..Locked::default()
                };
                if self.locks.extension {
                    // A device that is locked only because its driver is not free-threaded is not accessible to the
                    // call.
                    let extended = locked.$context_lock.as_deref().is_some_and(ContextState::is_extended);
                    locked.extension = Some(locked.device.take().filter(|_| extended));
                }
                match self.locks.unpinned {
                    true => locked.unpinned = Some(&mut view as &mut dyn Objects),
                    false => locked.objects = self.locks.objects.then_some(&mut view as &mut dyn Objects),
                }
                run(locked)
            }
        }
    };
}
for_each_lock!(locks);

/// Contexts that a call has created, with their handles. They are published when the call ends.
#[derive(Default)]
struct NewContexts(Vec<(Vec<ObjectId>, ContextState)>);

impl Contexts for NewContexts {
    fn insert(&mut self, names: &[ObjectId], context: ContextState) {
        self.0.push((names.to_vec(), context));
    }
}

impl<'a> Held<'a> {
    fn lock_stripes(&mut self, table: &'a LockTable, wanted: StripeSet, on_wait: &mut dyn FnMut()) {
        self.stripes.reserve_exact(wanted.len());
        for stripe in wanted.iter() {
            self.stripes.push((stripe, lock(&table.stripes[stripe as usize].0, on_wait)));
        }
    }
}

impl LockTable {
    /// Takes an adapter's device lock alone.
    pub fn acquire_device(&self, adapter: AdapterId) -> Held<'_> {
        let adapter = adapter.place_among(self.adapters.len());
        let device = lock(&self.adapters[adapter].device.mutex, &mut || ());
        Held { adapter, device: Some(device), ..Held::default() }
    }

    /// Takes only the lock of a context, or the lock of its adapter's device if the context does not exist.
    pub fn acquire_context(&self, context: ObjectId) -> Held<'_> {
        let adapter = context.adapter().unwrap_or(AdapterId::FIRST);
        match self.contexts.get(context) {
            Some(found) => {
                let adapter = adapter.place_among(self.adapters.len());
                Held { adapter, context: Some(lock(&found.0, &mut || ())), ..Held::default() }
            }
            None => self.acquire_device(adapter),
        }
    }

    /// Takes the lock of an adapter's queue alone once `ready` is true. Returns `None` when the session ends.
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

    /// Takes the operating system's lock alone once `ready` is true or at `deadline`. Returns `None` when the session
    /// ends.
    pub fn acquire_system_when(
        &self,
        deadline: Option<Instant>,
        ready: impl Fn(&SystemState) -> bool,
    ) -> Option<Held<'_>> {
        let system = self.system.when(Waiter::Application, deadline, ready)?;
        Some(Held { system: Some(system), ..Held::default() })
    }

    /// Wakes the threads whose condition the call that held `held` may have made true.
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
        if held_queue.value.is_driver_woken() {
            queue.wake(held_queue, Waiter::Driver);
        }
        queue.wake(held_queue, Waiter::Application);
    }
}

impl Held<'_> {
    /// Adapter whose locks are held.
    pub fn adapter(&self) -> AdapterId {
        AdapterId(self.adapter as u64 + 1)
    }

    /// State of the queue, if its lock is held.
    pub fn queue(&self) -> Option<&SubmissionState> {
        self.queue.as_ref().map(|queue| &queue.value)
    }

    /// State of the operating system, if its lock is held.
    pub fn system(&self) -> Option<&SystemState> {
        self.system.as_ref().map(|system| &system.value)
    }
}
