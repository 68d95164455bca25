//! Field types: each describes its columns, its encoding in a row, and the object handles it holds.

use crate::identity::{AdapterId, IdSpace, ObjectId};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::{FieldKind, FieldSink, Role};
use serde::{Deserialize, Serialize};

/// Replaces recorded handles by live ones.
pub trait HandleMap {
    /// Returns the live number for the recorded number `id` of `space`. Never called with 0, the null handle.
    fn map(&mut self, space: IdSpace, id: u64) -> u64;

    /// Returns the live address for a recorded `D3D12_GPU_VIRTUAL_ADDRESS`.
    fn gpu_address(&mut self, address: u64) -> u64 {
        address
    }
}

/// A type that a record can carry.
pub trait Field: Sized {
    /// Min bytes of a value in a row.
    const MIN_BYTES: usize;

    /// Describes the columns.
    fn describe(sink: &mut FieldSink);

    /// Appends the value to a row.
    fn encode(&self, encoder: &mut Encoder<'_>);

    /// Reads a value from a row.
    ///
    /// # Errors
    /// The row is too short, or holds a value that the type does not have.
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError>;

    /// Builds a value from the numbers of its columns, in their order; for types whose columns are all numbers. The
    /// result is that of [`decode`](Self::decode), with `None` in place of an error.
    #[inline]
    fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
        Self::decode(&mut Decoder::new(numbers.next()?.to_le_bytes().get(..Self::MIN_BYTES)?)).ok()
    }

    /// Replaces every handle in the value.
    fn map_handles(&mut self, _map: &mut dyn HandleMap) {}

    /// Calls `visit` with every object that the value names, except null handles.
    fn visit_objects(&self, _visit: &mut dyn FnMut(ObjectId)) {}

    /// The adapter that the value names, or the one that its first named object belongs to.
    fn adapter(&self) -> Option<AdapterId> {
        None
    }
}

macro_rules! number_fields {
    ($($ty:ident),*) => { $(
        impl Field for $ty {
            const MIN_BYTES: usize = size_of::<$ty>();
            fn describe(sink: &mut FieldSink) {
                sink.number(size_of::<$ty>() as u8);
            }
            fn encode(&self, encoder: &mut Encoder<'_>) {
                encoder.$ty(*self);
            }
            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
                decoder.$ty()
            }
            #[inline]
            fn from_numbers(numbers: &mut impl Iterator<Item = u64>) -> Option<Self> {
                Some(numbers.next()? as $ty)
            }
        }
    )* };
}

number_fields!(u8, u16, u32, u64);

impl Field for bool {
    const MIN_BYTES: usize = 1;
    fn describe(sink: &mut FieldSink) {
        sink.scalar(1, Role::Flags, None);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        encoder.u8(u8::from(*self));
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let at = decoder.position();
        match decoder.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(CodecError::Value { at, what: "0 or 1", found: found.into() }),
        }
    }
}

impl Field for () {
    const MIN_BYTES: usize = 0;
    fn describe(_: &mut FieldSink) {}
    fn encode(&self, _: &mut Encoder<'_>) {}
    fn decode(_: &mut Decoder<'_>) -> Result<Self, CodecError> {
        Ok(())
    }
    fn from_numbers(_: &mut impl Iterator<Item = u64>) -> Option<Self> {
        Some(())
    }
}

impl Field for String {
    const MIN_BYTES: usize = 4;
    fn describe(sink: &mut FieldSink) {
        sink.bytes(FieldKind::Text);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        encoder.bytes(self.as_bytes());
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let at = decoder.position();
        let bytes = decoder.bytes()?;
        String::from_utf8(bytes.to_vec()).map_err(|_| CodecError::Text { at })
    }
}

/// Bytes without further meaning to the recorder, such as a feature-support struct.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
pub struct Bytes(pub Vec<u8>);

impl Field for Bytes {
    const MIN_BYTES: usize = 4;
    fn describe(sink: &mut FieldSink) {
        sink.bytes(FieldKind::Bytes);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        encoder.bytes(&self.0);
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        Ok(Bytes(decoder.bytes()?.to_vec()))
    }
}

impl<T: Field> Field for Vec<T> {
    const MIN_BYTES: usize = 4;
    fn describe(sink: &mut FieldSink) {
        sink.list(false, T::describe);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        encoder.count(self.len());
        self.iter().for_each(|item| item.encode(encoder));
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let count = decoder.count(T::MIN_BYTES)?;
        (0..count).map(|_| T::decode(decoder)).collect()
    }
    fn map_handles(&mut self, map: &mut dyn HandleMap) {
        self.iter_mut().for_each(|item| item.map_handles(map));
    }
    fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId)) {
        self.iter().for_each(|item| item.visit_objects(visit));
    }
    fn adapter(&self) -> Option<AdapterId> {
        self.iter().find_map(Field::adapter)
    }
}

impl<T: Field> Field for Option<T> {
    const MIN_BYTES: usize = 4;
    fn describe(sink: &mut FieldSink) {
        sink.list(true, T::describe);
    }
    fn encode(&self, encoder: &mut Encoder<'_>) {
        encoder.count(usize::from(self.is_some()));
        self.iter().for_each(|item| item.encode(encoder));
    }
    fn decode(decoder: &mut Decoder<'_>) -> Result<Self, CodecError> {
        let at = decoder.position();
        match decoder.count(T::MIN_BYTES)? {
            0 => Ok(None),
            1 => Ok(Some(T::decode(decoder)?)),
            found => Err(CodecError::Value { at, what: "an optional of 0 or 1 elements", found: found as u64 }),
        }
    }
    fn map_handles(&mut self, map: &mut dyn HandleMap) {
        self.iter_mut().for_each(|item| item.map_handles(map));
    }
    fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId)) {
        self.iter().for_each(|item| item.visit_objects(visit));
    }
    fn adapter(&self) -> Option<AdapterId> {
        self.iter().find_map(Field::adapter)
    }
}
