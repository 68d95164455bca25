//! `HRESULT`: the code a call returns, and a call's result with its outputs.

use crate::field::{Field, HandleMap};
use crate::identity::ObjectId;
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{FieldSink, Role};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An `HRESULT` (winerror.h). Displays as eight hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct HResultCode(pub u32);

impl HResultCode {
    /// Success.
    pub const S_OK: Self = Self(0);
    /// Not implemented.
    pub const E_NOTIMPL: Self = Self(0x8000_4001);
    /// The object has no such interface.
    pub const E_NOINTERFACE: Self = Self(0x8000_4002);
    /// Unspecified failure.
    pub const E_FAIL: Self = Self(0x8000_4005);
    /// A handle that names no live object. Using a released COM object is undefined in Direct3D; the simulation
    /// answers with this code instead, so that an application's race is still legal input.
    pub const E_HANDLE: Self = Self(0x8007_0006);
    /// Out of memory.
    pub const E_OUTOFMEMORY: Self = Self(0x8007_000e);
    /// Access is denied.
    pub const E_ACCESSDENIED: Self = Self(0x8007_0005);
    /// An argument is invalid.
    pub const E_INVALIDARG: Self = Self(0x8007_0057);
    /// A deferred context's first Map of a resource does not discard.
    pub const D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD: Self = Self(0x887c_0004);
    /// The device was removed.
    pub const DXGI_ERROR_DEVICE_REMOVED: Self = Self(0x887a_0005);
    /// The driver broke a rule.
    pub const DXGI_ERROR_DRIVER_INTERNAL_ERROR: Self = Self(0x887a_0020);
    /// The call is invalid in the object's present state.
    pub const DXGI_ERROR_INVALID_CALL: Self = Self(0x887a_0001);
    /// The GPU still uses the resource.
    pub const DXGI_ERROR_WAS_STILL_DRAWING: Self = Self(0x887a_000a);
    /// The requested object or mode does not exist.
    pub const DXGI_ERROR_NOT_FOUND: Self = Self(0x887a_0002);
    /// The output is too small for the data.
    pub const DXGI_ERROR_MORE_DATA: Self = Self(0x887a_0003);
    /// Another holder has exclusive use.
    pub const DXGI_ERROR_NONEXCLUSIVE: Self = Self(0x887a_0021);
    /// The adapter does not support the request.
    pub const DXGI_ERROR_UNSUPPORTED: Self = Self(0x887a_0004);
    /// The resource is not available at present.
    pub const DXGI_ERROR_NOT_CURRENTLY_AVAILABLE: Self = Self(0x887a_0022);
    /// The data is not available yet. A success code; a call that returns it has no outputs.
    pub const S_FALSE: Self = Self(1);
    /// Nothing of the presented image is visible. A success code; a call that returns it has no outputs.
    pub const DXGI_STATUS_OCCLUDED: Self = Self(0x087a_0001);

    const NAMES: [(Self, &'static str); 20] = [
        (Self::S_OK, "S_OK"),
        (Self::S_FALSE, "S_FALSE"),
        (Self::E_NOTIMPL, "E_NOTIMPL"),
        (Self::E_NOINTERFACE, "E_NOINTERFACE"),
        (
            Self::D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD,
            "D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD",
        ),
        (Self::E_FAIL, "E_FAIL"),
        (Self::E_HANDLE, "E_HANDLE"),
        (Self::E_ACCESSDENIED, "E_ACCESSDENIED"),
        (Self::E_OUTOFMEMORY, "E_OUTOFMEMORY"),
        (Self::E_INVALIDARG, "E_INVALIDARG"),
        (Self::DXGI_ERROR_DEVICE_REMOVED, "DXGI_ERROR_DEVICE_REMOVED"),
        (Self::DXGI_ERROR_DRIVER_INTERNAL_ERROR, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"),
        (Self::DXGI_ERROR_UNSUPPORTED, "DXGI_ERROR_UNSUPPORTED"),
        (Self::DXGI_ERROR_INVALID_CALL, "DXGI_ERROR_INVALID_CALL"),
        (Self::DXGI_ERROR_NOT_FOUND, "DXGI_ERROR_NOT_FOUND"),
        (Self::DXGI_ERROR_MORE_DATA, "DXGI_ERROR_MORE_DATA"),
        (Self::DXGI_ERROR_NONEXCLUSIVE, "DXGI_ERROR_NONEXCLUSIVE"),
        (Self::DXGI_ERROR_WAS_STILL_DRAWING, "DXGI_ERROR_WAS_STILL_DRAWING"),
        (Self::DXGI_ERROR_NOT_CURRENTLY_AVAILABLE, "DXGI_ERROR_NOT_CURRENTLY_AVAILABLE"),
        (Self::DXGI_STATUS_OCCLUDED, "DXGI_STATUS_OCCLUDED"),
    ];

    /// The code's name, if it is one that the simulation returns.
    pub fn name(self) -> Option<&'static str> {
        Self::NAMES.iter().find(|(code, _)| *code == self).map(|(_, name)| *name)
    }
}

impl fmt::Display for HResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08x}", self.0)
    }
}

impl fmt::Debug for HResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("HRESULT "))?;
        if self.name().is_none() { fmt::Display::fmt(self, f) } else { Ok(()) }
    }
}

impl std::error::Error for HResultCode {}

impl Field for HResultCode {
    const MIN_BYTES: usize = 4;
    fn describe(sink: &mut FieldSink) {
        sink.scalar(4, Role::HResult, None);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        encoder.u32(self.0);
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        Ok(HResultCode(decoder.u32()?))
    }
    #[inline]
    fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
        Some(HResultCode(numbers.next()? as u32))
    }
}

/// The result of a call that returns an `HRESULT`: its outputs, or the code it failed with.
pub type HResult<T> = Result<T, HResultCode>;

/// A failed call's outputs are recorded as their defaults (a null pointer for an object).
impl<T: Field + Default> Field for HResult<T> {
    const MIN_BYTES: usize = 4 + T::MIN_BYTES;
    fn describe(sink: &mut FieldSink) {
        sink.member("hr", "HRESULT of the call; 0 is S_OK.", HResultCode::describe);
        T::describe(sink);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        match self {
            Ok(value) => {
                HResultCode::S_OK.encode(encoder);
                value.encode(encoder);
            }
            Err(code) => {
                code.encode(encoder);
                // The row of a failed call has the same layout as that of a successful one.
                T::default().encode(encoder);
            }
        }
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let code = HResultCode::decode(decoder)?;
        let value = T::decode(decoder)?;
        Ok(if code == HResultCode::S_OK { Ok(value) } else { Err(code) })
    }
    fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
        let code = HResultCode::from_numbers(numbers)?;
        let value = T::from_numbers(numbers)?;
        Some(if code == HResultCode::S_OK { Ok(value) } else { Err(code) })
    }
    fn map_handles(&mut self, map: &mut dyn HandleMap) {
        if let Ok(value) = self {
            value.map_handles(map);
        }
    }
    fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId)) {
        if let Ok(value) = self {
            value.visit_objects(visit);
        }
    }
}
