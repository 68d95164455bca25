//! Marks: calls of programs that use the runtime through its binary interface.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! client_marks {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// The program called a method that the runtime does not execute. Recorded at the first, second, fourth,
            /// eighth call of the method and so on.
            4512 UnsupportedCall {
                /// Interface that declares the method.
                interface: String,
                /// The method.
                method: String,
                /// Number of the method's function in the interface's table.
                slot: u32 as Count,
                /// Number of the method's calls so far.
                count: u64 as Count,
            }

            /// The program queried an interface. Recorded at the first, second, fourth, eighth query of the interface with
            /// the same result and so on. unknwn.h: IUnknown::QueryInterface.
            4513 InterfaceQuery {
                /// Name of the interface, or its IID.
                interface: String,
                /// Result of the query.
                query_result: HResultCode,
                /// Number of these queries so far.
                count: u64 as Count,
            }

            /// The program called a method of an object after the release of its last reference. Recorded at the first,
            /// second, fourth, eighth such call of the method and so on.
            4514 ReleasedObjectCall {
                /// Interface that declares the method.
                interface: String,
                /// The method.
                method: String,
                /// Number of these calls so far.
                count: u64 as Count,
            }
        }
    };
}
