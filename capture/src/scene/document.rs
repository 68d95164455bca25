//! A scene's JSON, out of a .gltf or .glb file.

use super::error::SceneError;
use gltf::json::Root;

/// Bytes of a .glb file's head: magic, version and length, four bytes each.
const GLB_HEAD_BYTES: usize = 12;

/// A scene as its file has it.
pub(super) struct Document {
    pub root: Root,
    /// The content of the first buffer, if it is in the .glb file.
    pub blob: Option<Vec<u8>>,
}

/// Parses a file. Real scenes break rules that do not concern memory, so nothing but the form is checked here.
///
/// # Errors
/// It is neither JSON nor a sound .glb container, or a field has another type than glTF's.
pub(super) fn parse(bytes: &[u8], origin: &str) -> Result<Document, SceneError> {
    check_container(bytes, origin)?;
    match gltf::Gltf::from_slice_without_validation(bytes) {
        Ok(gltf) => Ok(Document { root: gltf.document.into_json(), blob: gltf.blob }),
        Err(gltf::Error::Deserialize(error)) => Err(json_error(&error, origin)),
        Err(other) => Err(SceneError::Container {
            origin: origin.to_owned(),
            expected: "a sound .glb container".to_owned(),
            found: format!("one at fault: {other}"),
        }),
    }
}

/// The container's head. (The parser takes its length on trust.)
fn check_container(bytes: &[u8], origin: &str) -> Result<(), SceneError> {
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let told =
        bytes.get(8..GLB_HEAD_BYTES).map(|length| length.iter().rev().fold(0, |all, byte| all << 8 | *byte as usize));
    match told {
        Some(told) if (GLB_HEAD_BYTES..=bytes.len()).contains(&told) => Ok(()),
        _ => Err(SceneError::Container {
            origin: origin.to_owned(),
            expected: match told {
                Some(told) => format!("the {told} bytes that the .glb head tells of"),
                None => format!("a .glb head of {GLB_HEAD_BYTES} bytes"),
            },
            found: format!("a file of {} bytes", bytes.len()),
        }),
    }
}

fn json_error(error: &gltf::json::Error, origin: &str) -> SceneError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let fault = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text).to_owned();
    SceneError::Json { origin: origin.to_owned(), line, column, fault }
}
