//! The locks that inputs take.

/// Hands the classes of locks to a macro, after what it is given besides. A line is: documentation, name, and the type of
/// the state that it guards, as the runtime calls it. Each adapter has those of the first part, the session those of the
/// second, each context that of the third. The order of the lines is the order of locking; a call locks those of one adapter,
/// and of one context: the one that its first argument names. Behind them all come the objects, which are locked by stripe.
#[macro_export]
macro_rules! for_each_lock {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            adapter {
                /// The device: object numbering, address space, heaps.
                device: DeviceState;
                /// What happens after recording: command queues, fences, background work, what the driver learns.
                queue: SubmissionState;
            }
            session {
                /// The display: the graphics kernel's adapters, and what is shown.
                display: DisplayState;
                /// The operating system: its events and settings.
                system: SystemState;
            }
            context {
                /// A Direct3D 11 context: what is recorded, bound and open in it. That of a device is its immediate one.
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
            /// The device too, if that context's device has an extension in use: what resources share then is the
            /// device's. Whether it has does not change once it has.
            extension;
            /// Room for the contexts that the call creates. Nothing is locked: the device's lock orders creations.
            contexts;
            /// Of the objects that the call names, those that its context does not hold yet.
            opens;
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

            /// Why such a set cannot be, if it cannot.
            pub const fn fault(&self) -> Option<&'static str> {
                match self {
                    LockSet { opens: true, context: false, .. } => Some("opens: it needs a context to hold what is opened"),
                    LockSet { opens: true, objects: true, .. } => Some("opens: its objects are locked whatever is open"),
                    LockSet { extension: true, context: false, .. } => Some("extension: it needs a context to know"),
                    LockSet { extension: true, device: true, .. } => Some("extension: the device is locked already"),
                    LockSet { contexts: true, device: false, .. } => Some("contexts: it needs the device's lock to number"),
                    LockSet { contexts: true, context: true, .. } => Some("contexts: what is created is not what is named"),
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
