//! The locks that inputs take.

/// Calls `$handler!` with its arguments in brackets, then one entry per class of locks: documentation, name, and the
/// runtime's type of the guarded state. Each adapter has the locks of the first group, the session has those of the
/// second, and each context has that of the third. The order of the entries is the locking order. A call takes locks of
/// one adapter and of one context; the call's first argument names the context. Objects are locked last, by stripe.
#[macro_export]
macro_rules! for_each_lock {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            adapter {
                /// The device: object numbering, address space, heaps.
                device: DeviceState;
                /// The submission state: command queues, fences, background work, and the measurements that the driver
                /// receives.
                queue: SubmissionState;
            }
            session {
                /// The display: the graphics kernel's adapters, displayed frames, and resources shared by adapters.
                display: DisplayState;
                /// The operating system: its events and settings.
                system: SystemState;
            }
            context {
                /// A Direct3D 11 context: recorded commands, bindings and open handles. A device stands for its
                /// immediate context.
                context: ContextState;
            }
        }
    };
}

macro_rules! lock_set {
    ([]
        adapter { $( $(#[doc = $doc:literal])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[doc = $session_doc:literal])+ $session_lock:ident: $SessionState:ident; )+ }
        context { $(#[doc = $context_doc:literal])+ $context_lock:ident: $ContextState:ident; }
    ) => {
        lock_set! { @all
            $( $(#[doc = $doc])+ $lock; )+
            $( $(#[doc = $session_doc])+ $session_lock; )+
            $(#[doc = $context_doc])+ $context_lock;
            /// The device as well, if the context's device uses an extension: the state that resources share is then
            /// the device's. An extension remains in use, so the condition may be read before locking.
            extension;
            /// Space for the contexts that the call creates. Nothing is locked: the device's lock orders creations.
            contexts;
            /// The objects that the call names and that its context has not pinned: an object's lock is needed only at
            /// the context's first use of the object.
            unpinned;
        }
    };
    (@all $( $(#[doc = $doc:literal])+ $lock:ident; )+) => {
        /// The locks an input takes before anything else, always in the order of the fields.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct LockSet {
            $( $(#[doc = $doc])+ pub $lock: bool, )+
            /// The objects that the call names, and those that it creates.
            pub objects: bool,
        }

        impl LockSet {
            /// No lock.
            pub const NONE: LockSet = LockSet { $( $lock: false, )+ objects: false };

            $(
                /// Adds this lock.
                pub const fn $lock(self) -> LockSet {
                    LockSet { $lock: true, ..self }
                }
            )+

            /// Returns the reason why such a set is invalid, if it is.
            pub const fn fault(&self) -> Option<&'static str> {
                match self {
                    LockSet { unpinned: true, context: false, .. } => Some("unpinned: expected the lock `context`, which pins the opened objects"),
                    LockSet { unpinned: true, objects: true, .. } => Some("unpinned: expected no lock `objects`, which locks pinned objects as well"),
                    LockSet { extension: true, context: false, .. } => Some("extension: expected the lock `context`, whose device has the extensions"),
                    LockSet { extension: true, device: true, .. } => Some("extension: expected no lock `device`, which is unconditional"),
                    LockSet { contexts: true, device: false, .. } => Some("contexts: expected the lock `device`, which orders creations"),
                    LockSet { contexts: true, context: true, .. } => Some("contexts: expected no lock `context`, which is that of an existing context"),
                    _ => None,
                }
            }

            /// Adds the objects' locks.
            pub const fn objects(self) -> LockSet {
                LockSet { objects: true, ..self }
            }
        }
    };
}
for_each_lock!(lock_set);
