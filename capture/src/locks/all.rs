//! Every lock of a session at once: then no call is open, and what is looked at is the state at one stamp.

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

        /// Every lock of a session, held.
        pub struct AllHeld<'a> {
            adapters: Vec<AdapterHeld<'a>>,
            $( $session_lock: MutexGuard<'a, Stamped<$SessionState>>, )+
            contexts: Vec<MutexGuard<'a, Stamped<$ContextState>>>,
            stripes: Vec<MutexGuard<'a, Stamped<Stripe>>>,
        }

        impl LockTable {
            /// Takes every lock there is, in the order of locking: adapter by adapter, since no call takes locks of two, and all
            /// contexts behind the devices' locks, so that none is created meanwhile.
            pub fn acquire_all(&self) -> AllHeld<'_> {
                let adapters = self.adapters.iter();
                let adapters = adapters.map(|of| AdapterHeld { $( $lock: lock(&of.$lock.mutex, &mut || ()), )+ });
                let adapters = adapters.collect();
                $( let $session_lock = lock(&self.$session_lock.mutex, &mut || ()); )+
                let mut contexts: Vec<&ContextLock> = self.contexts.iter().collect();
                // An immediate context has two handles.
                contexts.sort_unstable_by_key(|context| std::ptr::from_ref(*context));
                contexts.dedup_by_key(|context| std::ptr::from_ref(*context));
                let contexts = contexts.into_iter().map(|context| lock(&context.0, &mut || ())).collect();
                let stripes = self.stripes.iter().map(|stripe| lock(&stripe.0, &mut || ())).collect();
                AllHeld { adapters, $( $session_lock, )+ contexts, stripes }
            }
        }

        impl AllHeld<'_> {
            /// The latest stamp given under any lock.
            pub fn last_stamp(&self) -> u64 {
                let of_adapters = self.adapters.iter().flat_map(|held| [$( held.$lock.last_stamp ),+]);
                let of_session = [$( self.$session_lock.last_stamp ),+];
                let of_contexts = self.contexts.iter().map(|context| context.last_stamp);
                let of_stripes = self.stripes.iter().map(|stripe| stripe.last_stamp);
                of_adapters.chain(of_session).chain(of_contexts).chain(of_stripes).max().unwrap_or(0)
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

            /// What the locks guard.
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
