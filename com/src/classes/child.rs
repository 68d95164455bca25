//! Classes whose objects belong to a device.

/// Makes `$Class`, which has a field `device: &'static DeviceHold`, a class with the functions of `$Table`. Its objects
/// hold their device.
///
/// `$object` returns the object's id in the runtime, or null for an object that the runtime does not know; `$release`
/// makes the call that releases it.
macro_rules! child {
    ($Class:ident: $Table:ident of [$($Interface:ident),*], object $object:expr, release $release:expr) => {
        impl $crate::unsafe_abi::Class for $Class {
            const INTERFACES: &'static [$crate::unsafe_abi::Guid] = &[
                <Self as $crate::interfaces::ID3D12Object>::IID,
                <Self as $crate::interfaces::ID3D12DeviceChild>::IID,
                $( <Self as $crate::interfaces::$Interface>::IID, )*
            ];

            fn table() -> $crate::unsafe_abi::TablePointer {
                static TABLE: $crate::interfaces::$Table = $crate::interfaces::$Table::of::<$Class>();
                $crate::unsafe_abi::TablePointer::new(&TABLE)
            }

            fn released(&self) {
                let release: fn(&$Class) = $release;
                release(self);
                self.device.remove();
            }
        }

        impl $crate::interfaces::ID3D12Object for $Class {
            fn set_name(&self, name: $crate::unsafe_abi::In<u32>) -> $crate::unsafe_abi::Hresult {
                let object: fn(&$Class) -> taut_schemas::ObjectId = $object;
                self.device.set_name(object(self), name)
            }
        }

        impl $crate::interfaces::ID3D12DeviceChild for $Class {
            fn get_device(
                &self,
                id: $crate::unsafe_abi::In<$crate::unsafe_abi::Guid>,
                out: $crate::unsafe_abi::OutPointer,
            ) -> $crate::unsafe_abi::Hresult {
                self.device.give(id.get(), out)
            }
        }
    };
}
pub(super) use child;
