//! The locks a call takes, all of them before anything else, in one order: those of its adapter, those of the session,
//! that of its context, then the objects by stripe.
//!
//! Each lock remembers the last stamp given under it. A call's stamp follows that of every lock it holds, and its stop
//! stamp is written back to all of them before any is released (strict two-phase locking), so sorting the records by
//! stamp agrees with every lock's own order.

mod all;
mod contexts;
mod stripes;

use crate::sync::{Condvar, Mutex, MutexGuard, TryLockError};
use contexts::ContextTable;
use std::time::Instant;
use stripes::{HeldObjects, STRIPES, Stripe, StripeSet};
use taut_runtime::{
    AdapterState, ContextState, Contexts, DeviceState, DisplayState, Locked, Objects, SubmissionState, SystemState,
};
use taut_schemas::{AdapterId, Field, Input, LockSet, ObjectId, for_each_lock};

/// In memory of its own: two cache lines, since processors fetch them in pairs. What one thread writes here takes no line away
/// from another.
#[derive(Default)]
#[repr(align(128))]
struct Padded<T>(T);

/// A lock of the list, and who waits for what it guards to come to some state; in memory of its own.
#[derive(Default)]
#[repr(align(128))]
struct Lock<T> {
    mutex: Mutex<Stamped<T>>,
    /// By [`Waiter`].
    changed: [Condvar; 4],
}

/// What a lock guards, the last stamp given under it, and how many wait for it to come to some state.
#[derive(Default)]
struct Stamped<T> {
    last_stamp: u64,
    value: T,
    /// By [`Waiter`].
    waiting: [u32; 4],
    /// The session ends: nobody waits any more.
    closing: bool,
}

impl<T> Stamped<T> {
    fn new(value: T) -> Stamped<T> {
        Stamped { last_stamp: 0, value, waiting: [0; 4], closing: false }
    }
}

impl<T> Lock<T> {
    fn new(value: T) -> Lock<T> {
        Lock { mutex: Mutex::new(Stamped::new(value)), changed: std::array::from_fn(|_| Condvar::new()) }
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

/// Who waits for a lock's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiter {
    /// A worker, for a task.
    Worker,
    /// The graphics processor, for something to do.
    Gpu,
    /// An application thread, for an event or the end of all tasks.
    Application,
    /// A driver's own thread, to be woken.
    Driver,
}

/// Takes a lock; `on_wait` hears of it when somebody else holds it.
fn lock<'a, T>(mutex: &'a Mutex<T>, on_wait: &mut dyn FnMut()) -> MutexGuard<'a, T> {
    #[cfg(test)]
    counted::LOCKS_TAKEN.set(counted::LOCKS_TAKEN.get() + 1);
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

/// For tests: how often this thread has taken a lock. Threads of a schedule are one thread here.
#[cfg(test)]
pub(crate) mod counted {
    std::thread_local! {
        pub static LOCKS_TAKEN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
}

/// The locks of the list, in its order, and behind them the objects'.
macro_rules! locks {
    ([]
        adapter { $( $(#[$doc:meta])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[$session_doc:meta])+ $session_lock:ident: $SessionState:ident; )+ }
        context { $(#[$context_doc:meta])+ $context_lock:ident: $ContextState:ident; }
    ) => {
        /// The locks of one adapter.
        struct AdapterLocks {
            $( $lock: Lock<$State>, )+
        }

        /// Every lock of a session.
        pub struct LockTable {
            adapters: Vec<AdapterLocks>,
            $( $session_lock: Lock<$SessionState>, )+
            contexts: ContextTable,
            stripes: Vec<Padded<Mutex<Stamped<Stripe>>>>,
        }

        impl LockTable {
            /// Those of a session with so many adapters, at least one.
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

            /// Takes every lock of `call`'s set on its adapter, that of its context, of its objects those that it names and
            /// that of the one it creates. A call that creates several, however many, takes all. `on_wait` is told, once or
            /// more, that the call has to wait.
            ///
            /// What its context says may be that more is needed, which comes before it: then all is let go of and taken again.
            pub fn acquire<C: Input>(&self, call: &C, on_wait: &mut dyn FnMut()) -> Held<'_> {
                let at = call.adapter().place_among(self.adapters.len());
                let mut extended = false;
                loop {
                    let mut held = Held { adapter: at, locks: C::LOCKS, ..Held::default() };
                    let adapter = &self.adapters[at];
                    if extended {
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
                    if C::LOCKS.objects || C::LOCKS.opens {
                        let device = held.device.as_ref().map(|device| &device.value);
                        let known = held.$context_lock.as_ref().map(|context| &context.value);
                        wanted = StripeSet::wanted(call, device.map(DeviceState::next_object), (device, known));
                    }
                    let absent = C::LOCKS.$context_lock && context.is_none();
                    if absent {
                        // Its creation holds this stripe.
                        held.absent = Some(Box::default());
                        wanted = wanted.and(call.context());
                    }
                    held.lock_stripes(self, wanted, on_wait);
                    if absent && self.contexts.get(call.context()).is_some() {
                        continue;
                    }
                    return held;
                }
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
            $context_lock: Option<MutexGuard<'a, Stamped<$ContextState>>>,
            /// What a call on a context that is not there is made on.
            absent: Option<Box<$ContextState>>,
            stripes: Vec<(u32, MutexGuard<'a, Stamped<Stripe>>)>,
            /// Where the contexts that the call creates are to be, and those it has created.
            contexts: Option<&'a ContextTable>,
            created: NewContexts,
            locks: LockSet,
        }

        impl Held<'_> {
            /// The latest stamp given under any of the locks.
            pub fn last_stamp(&self) -> u64 {
                let stripes = self.stripes.iter().map(|(_, stripe)| stripe.last_stamp).max();
                let others = [
                    $( self.$lock.as_ref().map(|lock| lock.last_stamp), )+
                    $( self.$session_lock.as_ref().map(|lock| lock.last_stamp), )+
                    self.$context_lock.as_ref().map(|lock| lock.last_stamp),
                ];
                others.into_iter().fold(stripes, Option::max).unwrap_or(0)
            }

            /// Writes the call's last stamp back to every lock, and lets the contexts that it created be found.
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

            /// Hands what the locks guard to `run`.
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
                    // A device that is locked for its driver's sake is not handed out.
                    let extended = locked.$context_lock.as_deref().is_some_and(ContextState::is_extended);
                    locked.extension = Some(locked.device.take().filter(|_| extended));
                }
                match self.locks.opens {
                    true => locked.opens = Some(&mut view as &mut dyn Objects),
                    false => locked.objects = self.locks.objects.then_some(&mut view as &mut dyn Objects),
                }
                run(locked)
            }
        }
    };
}
for_each_lock!(locks);

/// The contexts that a call has created, with their handles. They are found by others when the call is over.
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

    /// Takes the lock of a context alone; that of its adapter's device, where it is not there.
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
        if held_queue.value.is_driver_woken() {
            queue.wake(held_queue, Waiter::Driver);
        }
        queue.wake(held_queue, Waiter::Application);
    }
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
