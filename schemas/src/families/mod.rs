//! The families' modules: an argument struct per line, and the tables of a driver's functions. The two refer to each
//! other.

mod driver;

pub use driver::{
    CallbackCall, Callbacks, ContextCallbacks, Driver, DriverCall, DriverLayer, DriverMemory, DriverTraits,
    HandleMemoryCall,
};

use crate::call::EventVisitor;
use crate::family::Family;
use crate::for_each_family;

/// Defines the families' modules: an argument struct per line, and the other items of its kind of family.
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

                /// Passes every line of the family to a visitor.
                pub fn visit(visitor: &mut impl EventVisitor) {
                    $( crate::$list! { visit $kind visitor } )+
                }
            }
        )+

        /// Every family, in ascending order of line numbers.
        pub const FAMILIES: &[Family] = &[$($family::FAMILY),+];

        /// Passes every line of every family to a visitor.
        pub fn visit_events(visitor: &mut impl EventVisitor) {
            $( $family::visit(visitor); )+
        }
    };
}
for_each_family!(modules);
