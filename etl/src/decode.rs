//! Decoding of a payload by its layout.

use crate::bytes::{array, i64_at, u8_at, u16_at, u32_at, u64_at, utf16_nul, utf16_text};
use crate::guid::Guid;

/// Type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
    Bool32,
    /// 4 or 8 bytes, by the event's header.
    Pointer,
    Guid,
    FileTime,
    SystemTime,
    Sid,
    Utf16,
    Ansi,
    Binary,
}

impl FieldType {
    /// Type of a TDH_INTYPE number of the Windows SDK. `None` for types of which a field cannot consist.
    pub(crate) fn from_in_type(in_type: u16) -> Option<Self> {
        Some(match in_type {
            1 => Self::Utf16,
            2 => Self::Ansi,
            3 => Self::I8,
            4 => Self::U8,
            5 => Self::I16,
            6 => Self::U16,
            7 => Self::I32,
            8 | 20 => Self::U32,
            9 => Self::I64,
            10 | 21 => Self::U64,
            11 => Self::F32,
            12 => Self::F64,
            13 => Self::Bool32,
            14 => Self::Binary,
            15 => Self::Guid,
            16 => Self::Pointer,
            17 => Self::FileTime,
            18 => Self::SystemTime,
            19 => Self::Sid,
            _ => return None,
        })
    }

    pub(crate) fn from_code(code: char) -> Option<Self> {
        Some(match code {
            'B' => Self::U8,
            'b' => Self::I8,
            'H' => Self::U16,
            'h' => Self::I16,
            'I' => Self::U32,
            'i' => Self::I32,
            'Q' => Self::U64,
            'q' => Self::I64,
            'f' => Self::F32,
            'd' => Self::F64,
            '?' => Self::Bool32,
            'P' => Self::Pointer,
            'G' => Self::Guid,
            'T' => Self::FileTime,
            'Y' => Self::SystemTime,
            'S' => Self::Sid,
            'W' => Self::Utf16,
            'A' => Self::Ansi,
            'X' => Self::Binary,
            _ => return None,
        })
    }

    /// Bytes of a type of fixed size.
    pub fn fixed_bytes(self, pointer_bytes: usize) -> Option<usize> {
        Some(match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 => 2,
            Self::U32 | Self::I32 | Self::F32 | Self::Bool32 => 4,
            Self::U64 | Self::I64 | Self::F64 | Self::FileTime => 8,
            Self::Pointer => pointer_bytes,
            Self::Guid | Self::SystemTime => 16,
            Self::Sid | Self::Utf16 | Self::Ansi | Self::Binary => return None,
        })
    }
}

/// Number of elements or characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// One element; a string ends with NUL; a binary is the rest of the payload.
    None,
    Constant(usize),
    /// Value of the field with this position in the layout.
    Field(usize),
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub field_type: FieldType,
    pub count: Extent,
    /// Characters of a string, bytes of a binary.
    pub length: Extent,
    /// Names of the values.
    pub map: Option<String>,
}

/// Fields of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    pub fields: Vec<Field>,
    /// Builds of Windows, and how many of the fields each has. Empty: all have all.
    pub builds: Vec<(u32, usize)>,
}

/// Value of a field, or of one element of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    Guid(Guid),
    FileTime(i64),
    /// UTF-16 without NUL.
    Utf16(&'a [u8]),
    /// Text of the machine's code page, without NUL.
    Ansi(&'a [u8]),
    /// Binary, SID or SYSTEMTIME.
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// Text of a string. An invalid unit becomes U+FFFD.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Utf16(bytes) => Some(utf16_text(bytes)),
            Self::Ansi(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }
}

/// Match of a payload with its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fit {
    /// All bytes belong to fields. Fields that the payload's build does not have are absent.
    Exact,
    /// Bytes after the last field.
    Trailing(usize),
    /// Ends before or within the field after this number of complete ones.
    ShortAfter(usize),
}

/// Extent of a decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodedFields {
    pub fit: Fit,
    /// Number of complete fields.
    pub fields: usize,
    /// Bytes of the complete fields.
    pub bytes: usize,
}

/// Decodes `payload`. `visit` receives the position of each field and its value; an array calls it once per element, also
/// if a later element is cut off.
pub fn decode<'a>(
    layout: &Layout,
    payload: &'a [u8],
    pointer_bytes: usize,
    visit: &mut dyn FnMut(usize, Value<'a>),
) -> Fit {
    decode_fields(layout, payload, pointer_bytes, visit).fit
}

/// As [`decode`], with the number of complete fields.
pub fn decode_fields<'a>(
    layout: &Layout,
    payload: &'a [u8],
    pointer_bytes: usize,
    visit: &mut dyn FnMut(usize, Value<'a>),
) -> DecodedFields {
    // Values of the fields so far, for counts and lengths.
    let mut numbers = Numbers::new(layout.fields.len());
    let mut rest = payload;
    for (index, field) in layout.fields.iter().enumerate() {
        let ends_here = rest.is_empty() && layout.builds.iter().any(|known| known.1 == index);
        let before = DecodedFields { fit: Fit::Exact, fields: index, bytes: payload.len() - rest.len() };
        if ends_here {
            return before;
        }
        let mut number = 0;
        let count = extent(field.count, numbers.as_slice()).unwrap_or(1);
        let length = extent(field.length, numbers.as_slice());
        // Elements take a byte or more each: a count beyond the rest ends at the first element that does not fit.
        for _ in 0..count {
            let Some((value, size)) = element(field.field_type, rest, length, pointer_bytes) else {
                return DecodedFields { fit: Fit::ShortAfter(index), ..before };
            };
            if size == 0 && count > 1 {
                break;
            }
            number = match value {
                Value::Unsigned(unsigned) => unsigned,
                // A negative count has no elements.
                Value::Signed(signed) => u64::try_from(signed).unwrap_or_default(),
                _ => 0,
            };
            visit(index, value);
            rest = &rest[size..];
        }
        numbers.set(index, number);
    }
    let fit = match rest.len() {
        0 => Fit::Exact,
        bytes => Fit::Trailing(bytes),
    };
    DecodedFields { fit, fields: layout.fields.len(), bytes: payload.len() - rest.len() }
}

/// Numbers by field, without an allocation for most layouts.
enum Numbers {
    Few([u64; FEW]),
    Many(Vec<u64>),
}

/// Fields of a layout without an allocation.
const FEW: usize = 24;

impl Numbers {
    fn new(fields: usize) -> Self {
        if fields <= FEW { Self::Few([0; FEW]) } else { Self::Many(vec![0; fields]) }
    }

    #[inline]
    fn as_slice(&self) -> &[u64] {
        match self {
            Self::Few(numbers) => numbers,
            Self::Many(numbers) => numbers,
        }
    }

    #[inline]
    fn set(&mut self, index: usize, number: u64) {
        let numbers = match self {
            Self::Few(numbers) => numbers.as_mut_slice(),
            Self::Many(numbers) => numbers,
        };
        if let Some(place) = numbers.get_mut(index) {
            *place = number;
        }
    }
}

fn extent(extent: Extent, numbers: &[u64]) -> Option<u64> {
    match extent {
        Extent::None => None,
        Extent::Constant(number) => Some(number as u64),
        Extent::Field(index) => Some(numbers.get(index).copied().unwrap_or_default()),
    }
}

/// The element at the start of `rest`, and its size. `None` if it does not fit.
#[inline]
pub(crate) fn element(
    kind: FieldType,
    rest: &[u8],
    length: Option<u64>,
    pointer_bytes: usize,
) -> Option<(Value<'_>, usize)> {
    let signed = |number: i64, size| (Value::Signed(number), size);
    Some(match kind {
        FieldType::U8 => (Value::Unsigned(u8_at(rest, 0)?.into()), 1),
        FieldType::U16 => (Value::Unsigned(u16_at(rest, 0)?.into()), 2),
        FieldType::U32 => (Value::Unsigned(u32_at(rest, 0)?.into()), 4),
        FieldType::U64 => (Value::Unsigned(u64_at(rest, 0)?), 8),
        FieldType::Pointer if pointer_bytes == 4 => (Value::Unsigned(u32_at(rest, 0)?.into()), 4),
        FieldType::Pointer => (Value::Unsigned(u64_at(rest, 0)?), 8),
        FieldType::I8 => signed((u8_at(rest, 0)? as i8).into(), 1),
        FieldType::I16 => signed((u16_at(rest, 0)? as i16).into(), 2),
        FieldType::I32 => signed((u32_at(rest, 0)? as i32).into(), 4),
        FieldType::I64 => signed(i64_at(rest, 0)?, 8),
        FieldType::F32 => (Value::Float(f32::from_bits(u32_at(rest, 0)?).into()), 4),
        FieldType::F64 => (Value::Float(f64::from_bits(u64_at(rest, 0)?)), 8),
        FieldType::Bool32 => (Value::Bool(u32_at(rest, 0)? != 0), 4),
        FieldType::FileTime => (Value::FileTime(i64_at(rest, 0)?), 8),
        FieldType::Guid => (Value::Guid(Guid(array(rest, 0)?)), 16),
        FieldType::SystemTime => (Value::Bytes(rest.get(..16)?), 16),
        FieldType::Sid | FieldType::Utf16 | FieldType::Ansi | FieldType::Binary => {
            return sized(kind, rest, length.map(usize::try_from).transpose().ok()?);
        }
    })
}

/// An element whose size its length or content determines.
fn sized(kind: FieldType, rest: &[u8], length: Option<usize>) -> Option<(Value<'_>, usize)> {
    Some(match (kind, length) {
        (FieldType::Utf16, Some(units)) => {
            let bytes = rest.get(..units.checked_mul(2)?)?;
            (Value::Utf16(bytes), bytes.len())
        }
        (FieldType::Utf16, None) => {
            let size = utf16_nul(rest)?;
            (Value::Utf16(&rest[..size]), size + 2)
        }
        (FieldType::Ansi, Some(size)) => (Value::Ansi(rest.get(..size)?), size),
        (FieldType::Ansi, None) => {
            let size = rest.iter().position(|byte| *byte == 0)?;
            (Value::Ansi(&rest[..size]), size + 1)
        }
        (FieldType::Sid, _) => {
            let size = 8 + 4 * usize::from(*rest.get(1)?);
            (Value::Bytes(rest.get(..size)?), size)
        }
        _ => {
            let size = length.unwrap_or(rest.len());
            (Value::Bytes(rest.get(..size)?), size)
        }
    })
}
