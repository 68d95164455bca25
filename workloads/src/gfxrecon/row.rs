//! Rows of a file: which kind each is, and the parts of a call. Values of a call are parsed once its method is known.

use super::fault::RowFault;
use super::value::{Printed, Value};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Row of a file.
pub(super) enum Row<'a> {
    Header,
    Annotation,
    Call(Call<'a>),
    /// Data that the capture layer added, by its name.
    Meta(Cow<'a, str>),
    /// The state at the beginning of a trimmed capture begins or ends.
    State {
        is_begin: bool,
        frame_number: u64,
    },
    /// A frame ended.
    Frame {
        frame_number: u64,
    },
}

/// Call of a function or of a method.
pub(super) struct Call<'a> {
    /// Text of the row.
    row: &'a [u8],
    pub name: Cow<'a, str>,
    pub thread: u64,
    /// Interface that declares the method; empty for a function.
    pub interface: Cow<'a, str>,
    /// The object; 0 for a function.
    pub handle: u64,
    result: Option<&'a RawValue>,
    args: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "a row of gfxrecon-convert, an object")]
struct RawRow<'a> {
    header: Option<IgnoredAny>,
    annotation: Option<IgnoredAny>,
    #[serde(borrow)]
    function: Option<RawCall<'a>>,
    #[serde(borrow)]
    method: Option<RawCall<'a>>,
    #[serde(borrow)]
    meta: Option<RawMeta<'a>>,
    state: Option<RawMarker>,
    frame: Option<RawMarker>,
}

#[derive(Deserialize)]
#[serde(expecting = "a call, an object")]
struct RawCall<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    thread: Option<u64>,
    #[serde(borrow)]
    object: Option<RawObject<'a>>,
    #[serde(borrow, rename = "return")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "interface and handle, an object")]
struct RawObject<'a> {
    #[serde(borrow, rename = "type")]
    interface: Cow<'a, str>,
    handle: u64,
}

#[derive(Deserialize)]
#[serde(expecting = "data of the capture layer, an object")]
struct RawMeta<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(expecting = "a marker, an object")]
struct RawMarker {
    marker_type: String,
    frame_number: u64,
}

/// Thread of a call that has none.
pub(super) const UNKNOWN_THREAD: u64 = u64::MAX;

impl<'a> Row<'a> {
    /// Parses a row.
    pub(super) fn parse(text: &'a [u8]) -> Result<Row<'a>, RowFault> {
        let row: RawRow<'a> = serde_json::from_slice(text).map_err(|error| RowFault::json(&error, text, 0))?;
        if let Some(call) = row.method {
            let object = call.object.as_ref();
            let Some(RawObject { interface, handle }) = object else {
                return Err(RowFault::unexpected(0, "the object of the method", "none"));
            };
            let (interface, handle) = (interface.clone(), *handle);
            return Ok(Row::Call(Call::new(text, call, interface, handle)));
        }
        if let Some(call) = row.function {
            return Ok(Row::Call(Call::new(text, call, Cow::Borrowed(""), 0)));
        }
        match (row.meta, row.state, row.frame) {
            (Some(meta), ..) => return Ok(Row::Meta(meta.name)),
            (_, Some(RawMarker { marker_type, frame_number }), _) => {
                return match marker_type.as_str() {
                    "BeginMarker" => Ok(Row::State { is_begin: true, frame_number }),
                    "EndMarker" => Ok(Row::State { is_begin: false, frame_number }),
                    other => Err(unknown_marker(other)),
                };
            }
            (.., Some(RawMarker { frame_number, .. })) => return Ok(Row::Frame { frame_number }),
            _ => {}
        }
        match (row.header, row.annotation) {
            (Some(_), _) => Ok(Row::Header),
            (_, Some(_)) => Ok(Row::Annotation),
            _ => {
                let expected =
                    "a row with the key `header`, `annotation`, `function`, `method`, `meta`, `state` or `frame`";
                Err(RowFault::unexpected(0, expected, "another object"))
            }
        }
    }
}

fn unknown_marker(found: &str) -> RowFault {
    let short: String = found.chars().take(64).collect();
    RowFault::unexpected(0, "BeginMarker or EndMarker", format_args!("\"{}\"", short.escape_debug()))
}

impl<'a> Call<'a> {
    fn new(row: &'a [u8], raw: RawCall<'a>, interface: Cow<'a, str>, handle: u64) -> Call<'a> {
        let RawCall { name, thread, result, args, .. } = raw;
        Call { row, name, thread: thread.unwrap_or(UNKNOWN_THREAD), interface, handle, result, args }
    }

    /// Parses the arguments.
    pub(super) fn args<T: Deserialize<'a>>(&self) -> Result<T, RowFault> {
        self.parse(self.args, "args", "the arguments of the call")
    }

    /// Parses the return value.
    pub(super) fn result<T: Deserialize<'a>>(&self) -> Result<T, RowFault> {
        self.parse(self.result, "return", "the return value of the call")
    }

    /// Parses an HRESULT that the call returned.
    pub(super) fn result_of<T: Printed>(&self) -> Result<T, RowFault> {
        self.result::<Value<T>>().map(|value| value.0)
    }

    fn parse<T: Deserialize<'a>>(&self, raw: Option<&'a RawValue>, key: &str, what: &str) -> Result<T, RowFault> {
        let Some(raw) = raw else {
            return Err(RowFault::unexpected(0, format_args!("`{key}`, {what} {}", self.name), "none"));
        };
        let text = raw.get();
        // The raw text is a part of the row.
        let base = (text.as_ptr() as usize).saturating_sub(self.row.as_ptr() as usize);
        serde_json::from_str(text).map_err(|error| RowFault::json(&error, text.as_bytes(), base))
    }
}
