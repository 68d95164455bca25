//! State: a rundown's beginning and end, adapters, the operating system.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! world_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A rundown begins: what the runtime remembers follows on the same thread, up to its RundownEnd.
            5632 Rundown {
                /// Adapters of the session.
                adapters: u32 as Count,
                /// Objects that are alive.
                objects: u64 as Count,
            }

            /// The rundown is whole.
            5633 RundownEnd {
                /// Records between its beginning and here.
                records: u64 as Count,
                /// How long every lock of the session was held for it, up to here.
                held_ns: u64 as Duration,
            }

            /// An adapter, and its device.
            5634 Adapter {
                /// Which.
                adapter: AdapterId,
                /// Its last object, dead or alive; 0 before the first.
                last_object: ObjectId,
                /// Why its device was removed; S_OK if it was not.
                removed: HResultCode,
                /// What the driver said when the device was created; none while there is no device.
                device: Option<AdapterDevice>,
                /// Its answers to GetCaps, a word each, in the order of the lines of the profile's `[caps]`.
                caps: Vec<u32>,
            }

            /// What the operating system keeps.
            5635 System {
                /// Events created so far.
                events: u64 as Count,
                /// Developer mode, once it was set.
                developer_mode: Option<bool>,
            }

            /// An event of the operating system that is open.
            5636 Event {
                /// Which.
                event: EventHandle,
                /// It stays signalled until it is reset.
                manual_reset: bool,
                /// It is signalled.
                signalled: bool,
            }
        }
    };
}
