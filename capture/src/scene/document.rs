//! A scene's JSON, out of a .gltf or .glb file.

use super::error::SceneError;
use super::json_path::path_at;
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
        Err(gltf::Error::Deserialize(error)) => Err(json_error(&error, json_of(bytes), origin)),
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

/// The JSON of a file: of a .glb one its first chunk.
fn json_of(bytes: &[u8]) -> &[u8] {
    if bytes.starts_with(b"glTF") { bytes.get(GLB_HEAD_BYTES + 8..).unwrap_or_default() } else { bytes }
}

fn json_error(error: &gltf::json::Error, json: &[u8], origin: &str) -> SceneError {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let fault = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    // What is missing is missing in the object that ends there.
    let path = path_at(json, (line, column), !fault.starts_with("missing field"));
    let fault = told(fault);
    let fault = if path.is_empty() { fault } else { format!("{path}: {fault}") };
    SceneError::Json { origin: origin.to_owned(), line, column, fault }
}

/// What the parser says, as everything here is told: what was expected, then what was found.
fn told(fault: &str) -> String {
    let found = fault.strip_prefix("invalid type: ").or_else(|| fault.strip_prefix("invalid value: "));
    match found.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => format!("expected {expected}, found {found}"),
        None => match fault.strip_prefix("missing field ") {
            Some(field) => format!("expected a key {field}, found none"),
            None => fault.to_owned(),
        },
    }
}
