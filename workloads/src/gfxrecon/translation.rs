//! Results of translating a call.

use super::fault::RowFault;
use super::objects::{Kind, Objects};
use super::row::Call;
use crate::call_log::{LogCall, SubmissionCall, SubmissionLine};
use taut_schemas::{HResultCode, ObjectId};

/// Translation of a call.
pub(super) enum Translated {
    /// The line that makes the call.
    Line(LogCall),
    /// The call was read for what later calls need of it.
    Noted,
    /// The call has no counterpart.
    NotPlayed,
    /// The call names an object that the file does not create.
    Undefined,
    /// A present that only tests.
    TestPresent,
}

pub(super) type Translation = Result<Translated, RowFault>;

/// Returns the id of an object, or ends the function with [`Translated::Undefined`].
macro_rules! defined {
    ($id:expr) => {
        match $id {
            Some(id) => id,
            None => return Ok(Translated::Undefined),
        }
    };
}
pub(super) use defined;

/// Parses the return value and adds a created object: its handle, or null if the call has no output.
pub(super) fn created(
    call: &Call<'_>,
    objects: &mut Objects,
    handle: Option<u64>,
    kind: Kind,
) -> Result<(HResultCode, Option<u64>), RowFault> {
    let hr = call.result_of::<HResultCode>()?;
    // A call that returns anything but S_OK has no output.
    let Some(handle) = handle.filter(|handle| *handle != 0 && hr == HResultCode::S_OK) else { return Ok((hr, None)) };
    match objects.add(handle, kind) {
        Some(id) => Ok((hr, Some(id))),
        None => Err(RowFault::unexpected(0, "the handle of a new object", format_args!("{handle}, which is in use"))),
    }
}

/// Returns the line of a call of queues, lists or fences.
pub(super) fn line(call: SubmissionCall, hr: HResultCode, created: Option<u64>) -> Translated {
    let created = created.map(ObjectId);
    Translated::Line(LogCall::Submission(Box::new(SubmissionLine { call, hr, created })))
}
