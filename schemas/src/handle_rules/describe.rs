//! Texts of rule violations: handles as hexadecimal addresses, contexts by number, types by their name in the header.

use crate::d3d11_context_desc::{CreateHandle, HandleAccess, HandleType};
use crate::desc::DriverHandle;
use crate::id::D3d11ContextId;
use std::fmt::{self, Display, Formatter};

/// A value in words; the text of a missing value is `none`.
pub(super) struct Words<T>(pub T);

impl Display for Words<DriverHandle> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "handle {:#x}", self.0.0)
    }
}

impl Display for Words<D3d11ContextId> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "context {}", self.0.0)
    }
}

impl Display for Words<(DriverHandle, D3d11ContextId)> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", Words(self.0.0), Words(self.0.1))
    }
}

impl Display for Words<(D3d11ContextId, HandleType)> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a handle of type {:?} of {}", self.0.1, Words(self.0.0))
    }
}

impl Display for Words<&CreateHandle> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let CreateHandle { driver_handle, size_bytes, ic_handle, dependency_handle, args_null, args_zero, .. } = self.0;
        write!(f, "{} of {size_bytes} bytes", Words(*driver_handle))?;
        let arguments = match (args_null, args_zero) {
            (true, _) => ", arguments null",
            (false, true) => ", arguments zero",
            (false, false) => "",
        };
        for (name, handle) in [("immediate", ic_handle), ("dependency", dependency_handle)] {
            if handle.0 != 0 {
                write!(f, ", {name} {}", Words(*handle))?;
            }
        }
        f.write_str(arguments)
    }
}

impl Display for Words<&HandleAccess> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = if self.0.is_write { "write" } else { "read" };
        write!(f, "{kind} at {}, offset {}", Words(self.0.handle), self.0.offset_bytes)
    }
}

/// The text of an optional value.
pub(super) fn or_none<T>(value: Option<T>) -> String
where
    Words<T>: Display,
{
    value.map_or_else(|| "none".to_owned(), |value| Words(value).to_string())
}

/// An optional number of bytes in words.
pub(super) fn bytes_or_none(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "no bytes".to_owned(), |bytes| format!("{bytes} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_violations_have_no_debug_output() {
        let created_handle = CreateHandle {
            driver_handle: DriverHandle(0x1040),
            size_bytes: 64,
            ic_handle: DriverHandle(0x40),
            ..Default::default()
        };
        assert_eq!(Words(&created_handle).to_string(), "handle 0x1040 of 64 bytes, immediate handle 0x40");
        assert_eq!(or_none(Some((DriverHandle(16), D3d11ContextId(3)))), "handle 0x10 of context 3");
        assert_eq!(or_none(None::<DriverHandle>), "none");
    }
}
