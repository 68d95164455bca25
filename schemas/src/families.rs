//! The families' modules: an argument struct per line, and the tables of a driver's functions, which name each other.

mod driver;

pub use driver::{
    CallbackCall, Callbacks, ContextCallbacks, Driver, DriverCall, DriverHabits, DriverLayer, DriverMemory,
    HandleMemoryCall,
};

use crate::call::EventVisitor;
use crate::family::Family;
use crate::for_each_family;

/// The modules of the families: an argument struct per line, and what its kind of family has besides.
macro_rules! modules {
    ([] $(
        $(#[doc = $doc:literal])+ $family:ident = $kind:ident $layer:ident $header:literal $first:literal..=$last:literal
            [$($list:ident),+];
    )+) => {
        $(
            $(#[doc = $doc])+
            pub mod $family {
                #[allow(unused_imports)]
                use super::driver::{
                    CallbackCall, Callbacks, ContextCallbacks, Driver, DriverCall, DriverLayer, HandleMemoryCall,
                };
                #[allow(unused_imports)]
                use crate::define::prelude::*;
                use crate::define::{$kind, visit};

                /// The family.
                pub const FAMILY: Family = Family {
                    provider: stringify!($family),
                    header: $header,
                    layer: Layer::$layer,
                    first: $first,
                    last: $last,
                    doc: concat!($($doc),+),
                };

                $( crate::$list! { $kind } )+
                crate::define::besides! { $kind $family [$($list),+] }

                /// Shows every line of the family.
                pub fn visit(visitor: &mut impl EventVisitor) {
                    $( crate::$list! { visit $kind visitor } )+
                }
            }
        )+

        /// Every family, in the order of its numbers.
        pub const FAMILIES: &[Family] = &[$($family::FAMILY),+];

        /// Shows every line of every family.
        pub fn visit_events(visitor: &mut impl EventVisitor) {
            $( $family::visit(visitor); )+
        }
    };
}
for_each_family!(modules);
