//! State: begin and end of a rundown, adapters, the operating system.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! world_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A rundown begins: the runtime's state follows on the same thread, up to its RundownEnd.
            5632 Rundown {
                /// Adapters of the session.
                adapters: u32 as Count,
                /// Live objects.
                objects: u64 as Count,
            }

            /// A rundown ends, complete.
            5633 RundownEnd {
                /// Records between Rundown and this one.
                records: u64 as Count,
                /// Time for which every lock of the session was held for the rundown, up to this record.
                held_ns: u64 as Duration,
            }

            /// An adapter and its device.
            5634 Adapter {
                /// The adapter.
                adapter: AdapterId,
                /// The adapter's last object, dead or alive; 0 before the first.
                last_object: ObjectId,
                /// Reason why its device was removed; S_OK if it was not.
                removed: HResultCode,
                /// The driver's answers at the device's creation; absent while there is no device.
                device: Option<AdapterDevice>,
                /// The driver's answers to GetCaps, a word each, in the order of the lines of the profile's `[caps]`.
                caps: Vec<u32>,
                /// Descriptors of the descriptor heaps so far.
                descriptors: u64 as Count,
            }

            /// State of the operating system.
            5635 System {
                /// Events created so far.
                events: u64 as Count,
                /// Developer mode; absent before it was set.
                developer_mode: Option<bool>,
            }

            /// An open event of the operating system.
            5636 Event {
                /// The event.
                event: EventHandle,
                /// True for an event with manual reset.
                manual_reset: bool,
                /// True if the event is signalled.
                signalled: bool,
            }
        }
    };
}
