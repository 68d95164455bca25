//! Classes whose objects belong to a device.

/// Methods of ID3D12Object of `$Class`, whose private data and device are `$data` and `$hold`.
macro_rules! object_methods {
    ($Class:ident, data $data:expr, hold $hold:expr, object $object:expr) => {
        impl $crate::interfaces::ID3D12Object for $Class {
            fn get_private_data(
                &self,
                id: $crate::unsafe_abi::In<$crate::unsafe_abi::Guid>,
                size: $crate::unsafe_abi::Out<u32>,
                bytes: $crate::unsafe_abi::Out<u8>,
            ) -> $crate::unsafe_abi::Hresult {
                let data: fn(&$Class) -> &$crate::classes::private_data::PrivateData = $data;
                data(self).get(id, size, bytes).into()
            }

            fn set_private_data(
                &self,
                id: $crate::unsafe_abi::In<$crate::unsafe_abi::Guid>,
                size: u32,
                bytes: $crate::unsafe_abi::In<u8>,
            ) -> $crate::unsafe_abi::Hresult {
                let data: fn(&$Class) -> &$crate::classes::private_data::PrivateData = $data;
                let object: fn(&$Class) -> taut_schemas::ObjectId = $object;
                let Some(id) = id.get() else { return taut_schemas::HResultCode::E_INVALIDARG.into() };
                let bytes = if bytes.is_null() {
                    None
                } else {
                    let Some(bytes) = bytes.list(size as usize) else {
                        return taut_schemas::HResultCode::E_OUTOFMEMORY.into();
                    };
                    Some(bytes)
                };
                let hold: fn(&$Class) -> &$crate::classes::hold::DeviceHold = $hold;
                hold(self).set_private_data(data(self), object(self), id, bytes).into()
            }

            fn set_private_data_interface(
                &self,
                id: $crate::unsafe_abi::In<$crate::unsafe_abi::Guid>,
                interface: $crate::unsafe_abi::Interface,
            ) -> $crate::unsafe_abi::Hresult {
                let data: fn(&$Class) -> &$crate::classes::private_data::PrivateData = $data;
                let Some(id) = id.get() else { return taut_schemas::HResultCode::E_INVALIDARG.into() };
                data(self).set_interface(id, interface);
                taut_schemas::HResultCode::S_OK.into()
            }

            fn set_name(&self, name: $crate::unsafe_abi::WideText) -> $crate::unsafe_abi::Hresult {
                let data: fn(&$Class) -> &$crate::classes::private_data::PrivateData = $data;
                let object: fn(&$Class) -> taut_schemas::ObjectId = $object;
                let hold: fn(&$Class) -> &$crate::classes::hold::DeviceHold = $hold;
                hold(self).set_name(data(self), object(self), name)
            }
        }
    };
}
pub(super) use object_methods;

/// Makes `$Class`, which has the fields `device: &'static DeviceHold` and `data: PrivateData`, a class with the functions
/// of `$Table`. Its objects hold a reference to their device.
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
                static TABLES: $crate::unsafe_abi::Tables<$crate::interfaces::$Table> = $crate::interfaces::$Table::of::<$Class>();
                $crate::unsafe_abi::TablePointer::new(&TABLES)
            }

            fn notifier_table() -> $crate::unsafe_abi::TablePointer {
                $crate::unsafe_abi::notifier_table::<$Class>()
            }

            fn destruction_callbacks(&self) -> Option<&dyn $crate::unsafe_abi::DestructionCallbacks> {
                Some(&self.data)
            }

            fn released(&self) {
                let release: fn(&$Class) = $release;
                release(self);
                // The client's callbacks may use the device, and see an object that the runtime has released.
                self.data.destroy();
                self.device.remove();
            }
        }

        $crate::classes::child::object_methods!(
            $Class, data |object| &object.data, hold |object| object.device, object $object
        );

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
