//! The locks that inputs take.

/// Hands the classes of locks to a macro, after what it is given besides. A line is: documentation, name, and the type of
/// the state that it guards, as the runtime calls it. Each adapter has those of the first part, the session those of the
/// second. The order of the lines is the order of locking; a call locks those of one adapter. Behind them all come the
/// objects, which are locked by stripe.
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
        }
    };
}

macro_rules! lock_set {
    ([]
        adapter { $( $(#[doc = $doc:literal])+ $lock:ident: $State:ident; )+ }
        session { $( $(#[doc = $session_doc:literal])+ $session_lock:ident: $SessionState:ident; )+ }
    ) => {
        lock_set! { @all
            $( $(#[doc = $doc])+ $lock; )+
            $( $(#[doc = $session_doc])+ $session_lock; )+
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

            /// Adds the objects' locks.
            pub const fn objects(self) -> LockSet {
                LockSet { objects: true, ..self }
            }
        }
    };
}
for_each_lock!(lock_set);
