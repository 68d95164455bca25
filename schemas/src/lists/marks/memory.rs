//! Marks: accesses of the processor to mapped memory.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! memory_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Memory provider: the processor's stores to a mapped resource since the last mark of this kind or Map.
            4416 MappedWrites {
                /// The mapped resource.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The stores, in order.
                runs: Vec<StoreRun>,
            }

            /// Memory provider: the processor's loads from a mapped resource.
            4417 MappedReads {
                /// The mapped resource.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The loads, in order.
                runs: Vec<StoreRun>,
            }

            /// Memory provider: a fence, after which all earlier stores are on their way to memory.
            4418 MemoryFence {
                /// The resource of the last store.
                resource: D3d11ResourceId,
            }

            /// Memory provider: a driver's accesses to the memory of its handles in the DDI call that has just ended.
            /// Recorded only with the setting `handle_accesses`.
            4419 HandleAccesses {
                /// The context on which the driver was called.
                context: D3d11ContextId,
                /// The accesses, in order; adjacent accesses of one kind are merged.
                accesses: Vec<HandleAccess>,
            }
        }
    };
}
