//! Parsing of the container's binary structures with nom. A failure states position, expected and found content.

use crate::format::error::Damage;
use nom::IResult;
use nom::bytes::complete::take;
use nom::error::{ErrorKind, ParseError};
use std::fmt::Display;

/// Failure of a parser.
#[derive(Debug)]
pub(crate) struct ParseFailure<'a> {
    rest: &'a [u8],
    expected: String,
    found: String,
}

pub(crate) type Parsed<'a, T> = IResult<&'a [u8], T, ParseFailure<'a>>;

impl<'a> ParseError<&'a [u8]> for ParseFailure<'a> {
    fn from_error_kind(rest: &'a [u8], _: ErrorKind) -> Self {
        ParseFailure { rest, expected: "more bytes".to_owned(), found: format!("{} bytes", rest.len()) }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Returns a failure at the first byte of `rest`.
pub(crate) fn miss<'a, T>(rest: &'a [u8], expected: impl Display, found: impl Display) -> Parsed<'a, T> {
    Err(nom::Err::Error(ParseFailure { rest, expected: expected.to_string(), found: found.to_string() }))
}

/// Parses the bytes of a fixed constant.
pub(crate) fn constant<'a>(input: &'a [u8], wanted: &'static [u8]) -> Parsed<'a, ()> {
    let (rest, found) = take(wanted.len().min(input.len()))(input)?;
    if found == wanted { Ok((rest, ())) } else { miss(input, Hex(wanted), Hex(found)) }
}

/// Parses a CRC-32C at the beginning of `input` and compares it with the checksum of `covered`.
pub(crate) fn checksum<'a>(input: &'a [u8], covered: &[u8]) -> Parsed<'a, ()> {
    let (rest, stored) = nom::number::complete::le_u32(input)?;
    let computed = crc32c::crc32c(covered);
    let text = |crc| format!("CRC-32C {crc:#010x}");
    if stored == computed { Ok((rest, ())) } else { miss(input, text(computed), text(stored)) }
}

/// Runs `parser` on `input`, the bytes at `offset` of the file. `what` is the name of the structure in error messages.
pub(crate) fn run<'a, T>(
    offset: u64,
    what: &'static str,
    input: &'a [u8],
    parser: impl FnOnce(&'a [u8]) -> Parsed<'a, T>,
) -> Result<T, Damage> {
    let miss = match parser(input) {
        Ok((_, value)) => return Ok(value),
        Err(nom::Err::Error(miss) | nom::Err::Failure(miss)) => miss,
        Err(nom::Err::Incomplete(_)) => ParseFailure::from_error_kind(&input[input.len()..], ErrorKind::Eof),
    };
    let at = offset + (input.len() - miss.rest.len()) as u64;
    Err(Damage { offset: at, what, expected: miss.expected, found: miss.found, events_lost: Some(0) })
}

struct Hex<'a>(&'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        f.write_str("bytes")?;
        self.0.iter().try_for_each(|byte| write!(f, " {byte:02x}"))
    }
}
