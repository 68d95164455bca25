//! Marks: what the processor did to mapped memory.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! memory_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Memory provider: what the processor wrote into a mapped resource, store by store, since the last mark of this
            /// kind or Map.
            4416 MappedWrites {
                /// The resource that was mapped.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The stores, in their order.
                runs: Vec<StoreRun>,
            }

            /// Memory provider: what the processor read from a mapped resource.
            4417 MappedReads {
                /// The resource that was mapped.
                resource: D3d11ResourceId,
                /// Subresource.
                subresource: u32 as Count,
                /// The loads, in their order.
                runs: Vec<StoreRun>,
            }

            /// Memory provider: a fence, after which everything written so far is on its way to memory.
            4418 MemoryFence {
                /// The resource written last.
                resource: D3d11ResourceId,
            }

            /// Memory provider: what a driver did to the memory behind its handles in the call of its interface that has just
            /// ended. Told only with the setting `handle_accesses`.
            4419 HandleAccesses {
                /// The context on which the driver was called.
                context: D3d11ContextId,
                /// The accesses, in their order; those of a kind that follow one another without a gap are one.
                accesses: Vec<HandleAccess>,
            }
        }
    };
}
