//! Creation of the objects of a device.

use super::hold::DeviceHold;
use crate::unsafe_abi::{Class, Guid, Hresult, IUNKNOWN, In, OutPointer, give, queried};
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
    out.clear();
    if id != IUNKNOWN && !C::INTERFACES.contains(&id) {
        queried(id, HResultCode::E_NOINTERFACE.into());
        return HResultCode::E_NOINTERFACE.into();
    }
    if out.is_null() {
        return HResultCode::S_FALSE.into();
    }
    // The object's reference to its device.
    if !device.add() {
        return HResultCode::E_HANDLE.into();
    }
    match make() {
        Ok(class) => give(class, Some(id), out),
        Err(code) => {
            device.remove();
            code.into()
        }
    }
}
