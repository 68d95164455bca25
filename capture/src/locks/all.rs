//! Acquisition of all locks of a session. While they are held no call is in progress, so the visible state is that at
//! one stamp.

use super::contexts::ContextLock;
use super::stripes::Stripe;
use super::{LockTable, Stamped, lock};
use crate::sync::MutexGuard;
use taut_runtime::{AdapterView, ContextState, DeviceState, DisplayState, StateView, SubmissionState, SystemState};
use taut_schemas::for_each_lock;

macro_rules! all {
    ([]
        adapter { $( $(#[$doc:meta])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[$session_doc:meta])+ $session_lock:ident: $SessionState:ident; )+ }
        context { $(#[$context_doc:meta])+ $context_lock:ident: $ContextState:ident; }
    ) => {
        struct AdapterHeld<'a> {
            $( $lock: MutexGuard<'a, Stamped<$State>>, )+
        }

        /// Guards of all locks of a session.
        pub struct AllLocks<'a> {
            adapters: Vec<AdapterHeld<'a>>,
            $( $session_lock: MutexGuard<'a, Stamped<$SessionState>>, )+
            contexts: Vec<MutexGuard<'a, Stamped<$ContextState>>>,
            stripes: Vec<MutexGuard<'a, Stamped<Stripe>>>,
        }

        impl LockTable {
            /// Takes every lock in locking order. The order of adapters does not matter, because no call takes locks of
            /// two adapters. Contexts follow the devices' locks, under which no context can be created.
            pub fn acquire_all(&self) -> AllLocks<'_> {
                let adapters = self.adapters.iter();
                let adapters = adapters.map(|locks| AdapterHeld { $( $lock: lock(&locks.$lock.mutex, &mut || ()), )+ });
                let adapters = adapters.collect();
                $( let $session_lock = lock(&self.$session_lock.mutex, &mut || ()); )+
                let mut contexts: Vec<&ContextLock> = self.contexts.iter().collect();
                // An immediate context has two entries, and locking it twice would deadlock.
                contexts.sort_unstable_by_key(|context| std::ptr::from_ref(*context));
                contexts.dedup_by_key(|context| std::ptr::from_ref(*context));
                let contexts = contexts.into_iter().map(|context| lock(&context.0, &mut || ())).collect();
                let stripes = self.stripes.iter().map(|stripe| lock(&stripe.0, &mut || ())).collect();
                AllLocks { adapters, $( $session_lock, )+ contexts, stripes }
            }
        }

        impl AllLocks<'_> {
            /// Returns the max stamp that was assigned under any of the locks.
            pub fn last_stamp(&self) -> u64 {
                let adapters = self.adapters.iter().flat_map(|held| [$( held.$lock.last_stamp ),+]);
                let session = [$( self.$session_lock.last_stamp ),+];
                let contexts = self.contexts.iter().map(|context| context.last_stamp);
                let stripes = self.stripes.iter().map(|stripe| stripe.last_stamp);
                adapters.chain(session).chain(contexts).chain(stripes).max().unwrap_or(0)
            }

            /// Writes a stamp back to every lock.
            pub fn set_last_stamp(&mut self, stamp: u64) {
                for held in &mut self.adapters {
                    $( held.$lock.last_stamp = stamp; )+
                }
                $( self.$session_lock.last_stamp = stamp; )+
                self.contexts.iter_mut().for_each(|context| context.last_stamp = stamp);
                self.stripes.iter_mut().for_each(|stripe| stripe.last_stamp = stamp);
            }

            /// Returns the guarded state.
            pub fn view(&self) -> StateView<'_> {
                let adapters = self.adapters.iter();
                let adapters = adapters.map(|held| AdapterView { $( $lock: &held.$lock.value ),+ }).collect();
                let objects = self.stripes.iter().flat_map(|stripe| stripe.value.iter()).collect();
                StateView {
                    adapters,
                    $( $session_lock: &self.$session_lock.value, )+
                    contexts: self.contexts.iter().map(|context| &context.value).collect(),
                    objects,
                }
            }
        }
    };
}
for_each_lock!(all);
