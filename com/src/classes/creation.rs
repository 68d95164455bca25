//! Creation of the objects of a device.

use super::hold::DeviceHold;
use crate::unsafe_abi::{Class, Guid, Hresult, IUNKNOWN, In, OutPointer, give};
use taut_schemas::{HResult, HResultCode};

/// Refuses the arguments of a creation: the output is NULL.
pub fn refused(out: OutPointer) -> Hresult {
    out.clear();
    HResultCode::E_INVALIDARG.into()
}

/// Creates an object of a device and gives it to the client.
///
/// A NULL output creates nothing and returns S_FALSE; an interface that the class lacks creates nothing either.
pub fn created<C: Class>(
    device: &'static DeviceHold,
    id: In<Guid>,
    out: OutPointer,
    make: impl FnOnce() -> HResult<C>,
) -> Hresult {
    let Some(id) = id.get() else { return refused(out) };
    let is_known = id == IUNKNOWN || C::INTERFACES.contains(&id);
    if out.is_null() {
        return if is_known { HResultCode::S_FALSE.into() } else { HResultCode::E_NOINTERFACE.into() };
    }
    out.clear();
    if !is_known {
        return HResultCode::E_NOINTERFACE.into();
    }
    match make() {
        Ok(class) => {
            // The client holds the device, because it calls it.
            device.add();
            give(class, Some(id), out)
        }
        Err(code) => code.into(),
    }
}
