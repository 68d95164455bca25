//! Pointers of a client. A null pointer is an answer, never an access; contents are copied at once, because another
//! thread of the client may change them.

use super::plain::Plain;
use std::ffi::c_void;

/// Pointer to values that the client passes; may be null.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct In<T>(*const T);

impl<T: Plain> In<T> {
    /// True if the client passed NULL.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Copies the value; `None` for NULL.
    pub fn get(self) -> Option<T> {
        // SAFETY: a pointer that is not null points to a value by the method's documentation, and any bytes are a value
        // of a plain type. The client may not have aligned it.
        (!self.0.is_null()).then(|| unsafe { self.0.read_unaligned() })
    }

    /// Copies the value at `index` of a text; the caller ends at the text's end. `None` for NULL.
    pub fn at(self, index: usize) -> Option<T> {
        // SAFETY: by the method's documentation the text has an end, and all characters before it were read.
        (!self.0.is_null()).then(|| unsafe { self.0.add(index).read_unaligned() })
    }

    /// Copies `count` values; `None` for NULL, unless none are expected, and for a count that no memory holds.
    pub fn list(self, count: usize) -> Option<Vec<T>> {
        if count == 0 {
            return Some(Vec::new());
        }
        let bytes = count.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize)?;
        if self.0.is_null() || self.0.addr().checked_add(bytes).is_none() {
            return None;
        }
        let mut values = Vec::new();
        values.try_reserve_exact(count).ok()?;
        // SAFETY: by the method's documentation the pointer points to `count` values, each of which is copied alone.
        values.extend((0..count).map(|index| unsafe { self.0.add(index).read_unaligned() }));
        Some(values)
    }
}

impl<T> In<T> {
    /// The pointer of a client.
    pub(super) fn from_pointer(pointer: *const T) -> In<T> {
        In(pointer)
    }
}

impl In<u8> {
    /// Pointer to the bytes of a value.
    pub(super) fn of<T: Plain>(value: &T) -> In<u8> {
        In(std::ptr::from_ref(value).cast())
    }

    /// Copies a value at an offset in bytes, which the caller checks against the client's size. `None` for NULL.
    pub fn value_at<T: Plain>(self, offset: usize) -> Option<T> {
        // SAFETY: by the method's documentation the pointer points to as many bytes as the client states.
        (!self.0.is_null()).then(|| unsafe { self.0.add(offset).cast::<T>().read_unaligned() })
    }

    /// Copies bytes at an offset, which the method's arguments define; has no effect for NULL.
    pub fn copy_at(self, offset: usize, bytes: &mut [u8]) {
        if !self.0.is_null() {
            // SAFETY: by the method's documentation the pointer points to as many rows as the call's box has. The memory
            // of the client is not that of `bytes`, which the library owns.
            unsafe { self.0.wrapping_add(offset).copy_to(bytes.as_mut_ptr(), bytes.len()) };
        }
    }

    /// Pointer to the same address, of 32-bit values.
    pub fn words(self) -> In<u32> {
        In(self.0.cast())
    }
}

/// Pointer to values that the library writes; may be null.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Out<T>(*mut T);

impl Out<u8> {
    /// Writes bytes at an offset, which the method's arguments define; has no effect for NULL.
    pub fn write_at(self, offset: usize, bytes: &[u8]) {
        if !self.0.is_null() {
            // SAFETY: by the method's documentation the pointer has room for as many rows as the call's box has, and no
            // reference to it exists in the library.
            unsafe { self.0.wrapping_add(offset).copy_from(bytes.as_ptr(), bytes.len()) };
        }
    }
}

impl<T: Plain> Out<T> {
    /// True if the client passed NULL.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Reads the value, for structures with inputs and outputs; as [`In::list`].
    pub fn list(self, count: usize) -> Option<Vec<T>> {
        In(self.0.cast_const()).list(count)
    }

    /// Writes the value; has no effect for NULL.
    pub fn set(self, value: T) {
        self.set_list(&[value]);
    }

    /// Writes values one after another; has no effect for NULL. The caller passes no more than the method documents.
    pub fn set_list(self, values: &[T]) {
        if self.0.is_null() {
            return;
        }
        for (index, value) in values.iter().enumerate() {
            // SAFETY: by the method's documentation the pointer has room for these values; it may not be aligned.
            unsafe { self.0.add(index).write_unaligned(*value) };
        }
    }

    /// Pointer to the same address with another type of values: another argument of the call selects the type.
    pub fn cast<U: Plain>(self) -> Out<U> {
        Out(self.0.cast())
    }
}

/// Pointer to a pointer that the library writes: an interface (`void **ppvObject`) or an address; may be null.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct OutPointer(*mut *mut c_void);

impl<T: Plain> In<T> {
    /// NULL.
    pub(super) const NULL: In<T> = In(std::ptr::null());

    /// Pointer to a value of a client.
    pub fn to(value: &T) -> In<T> {
        In(value)
    }
}

#[cfg(test)]
impl<T: Plain> Out<T> {
    /// NULL.
    pub fn nowhere() -> Out<T> {
        Out(std::ptr::null_mut())
    }
}

impl Out<u8> {
    /// Pointer to values of a client.
    pub(super) fn to<T: Plain>(values: &mut [T]) -> Out<u8> {
        Out(values.as_mut_ptr().cast())
    }
}

impl OutPointer {
    /// Pointer to a pointer of a client.
    pub fn to(pointer: &mut *mut c_void) -> OutPointer {
        OutPointer(pointer)
    }
}

impl OutPointer {
    /// True if the client passed NULL.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Writes the pointer; has no effect for NULL.
    pub fn set(self, pointer: *mut c_void) {
        if !self.0.is_null() {
            // SAFETY: by the method's documentation the pointer has room for one pointer.
            unsafe { self.0.write_unaligned(pointer) };
        }
    }

    /// Writes NULL.
    pub fn clear(self) {
        self.set(std::ptr::null_mut());
    }
}

/// Pointer that the library never follows.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub struct Opaque(*const c_void);

impl Opaque {
    /// NULL.
    pub const NULL: Opaque = Opaque(std::ptr::null());

    /// Points to data that lives as long as the object that returns it.
    pub fn to(data: &[u8]) -> Opaque {
        Opaque(data.as_ptr().cast())
    }
}
