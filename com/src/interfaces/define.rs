//! Macro that makes an interface of the list a trait and tables of functions.

/// Defines an interface: its IID, a trait with a method per slot, and the tables of functions of a class, one for each
/// calling convention. `=>` returns a structure, where the conventions differ. A class has an interface
/// only if it answers every slot: by a line of the schema lists or by a constant. A slot that differs from its number in
/// the list does not compile.
macro_rules! interface {
    (
        $(#[$meta:meta])*
        $Name:ident / $Table:ident: $Base:ident / $BaseTable:ident = $iid:literal {
            $(
                $slot:literal $method:ident $header_name:ident($($argument:ident: $Type:ty),* $(,)?)
                    $(-> $Returned:ty)? $(=> $Structure:ty)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        pub trait $Name: $Base {
            /// IID of the interface.
            const IID: $crate::unsafe_abi::Guid = $crate::unsafe_abi::Guid::new($iid);
            $(
                #[doc = concat!("Slot ", stringify!($slot), ".")]
                fn $method(&self, $($argument: $Type),*) -> $($Structure)? $($Returned)?;
            )*
        }

        #[doc = concat!("Functions of ", stringify!($Name), ".")]
        #[repr(C)]
        #[allow(dead_code)]
        pub struct $Table {
            base: $BaseTable,
            $( $method: $crate::unsafe_abi::Function, )*
        }

        impl $Table {
            $(
                #[doc = concat!("Count of the calls of ", stringify!($header_name), " that were not executed.")]
                pub fn $method() -> &'static $crate::unsupported::Method {
                    static METHOD: $crate::unsupported::Method =
                        $crate::unsupported::Method::new(stringify!($Name), stringify!($header_name), $slot);
                    &METHOD
                }
            )*

            /// Functions of a class.
            pub const fn of<C: $Name>() -> $crate::unsafe_abi::Tables<$Table> {
                $(
                    #[allow(clippy::too_many_arguments)]
                    extern "C" fn $method<C: $Name>(
                        this: $crate::unsafe_abi::Interface,
                        $($argument: $Type),*
                    ) -> $($Structure)? $($Returned)? {
                        $crate::unsafe_abi::enter(
                            this,
                            || $Table::$method().count_after_release(),
                            |class: &C| <C as $Name>::$method(class, $($argument),*),
                        )
                    }
                )*
                let base = $BaseTable::of::<C>();
                let system_v = $Table {
                    base: base.system_v,
                    $( $method: $crate::unsafe_abi::Function::new($method::<C> as *const ()), )*
                };
                let windows = $Table {
                    base: base.windows,
                    $(
                        $method: $crate::unsafe_abi::windows_function!(
                            C: $Name, $method($($argument: $Type),*) -> [$($Structure)?] [$($Returned)?]
                        ),
                    )*
                };
                $crate::unsafe_abi::Tables { system_v, windows }
            }
        }

        $( const _: () = assert!(std::mem::offset_of!($Table, $method) == $slot * size_of::<usize>()); )*
    };
}
pub(crate) use interface;
