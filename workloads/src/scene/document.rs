//! JSON of a scene, from a .gltf or .glb file.

use super::compression::Compression;
use super::container::Container;
use super::error::SceneError;
use super::json_path::path_at;
use super::lenient_json::LenientJson;
use super::version;
use gltf::json::Root;

/// Assumed memory in bytes of a parsed JSON object: the largest, a material, has 500.
const OBJECT_BYTES: usize = 512;

/// Memory in bytes that objects may take in a text of any size; a larger text may have more, in proportion.
const BASE_BYTES: usize = 192 << 20;

/// Parsed file.
pub(super) struct Document {
    pub root: Root,
    /// Content of the first buffer, if it is in the .glb file.
    pub blob: Option<Vec<u8>>,
    pub compression: Compression,
    /// Bytes after the end that the header of a .glb file declares.
    pub trailing_bytes: u64,
}

/// Parses a file. Real scenes violate rules that do not concern memory, so only the form is checked here.
///
/// # Errors
/// The file is neither JSON nor a valid .glb container, is of another major version, or a field has a wrong type.
pub(super) fn parse(bytes: &[u8], origin: &str) -> Result<Document, SceneError> {
    let Container { json, blob, trailing_bytes } = Container::new(bytes, origin)?;
    // A byte order mark is also found in the JSON of .glb files.
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    check_objects(json, origin)?;
    version::check(json, origin)?;
    let lenient = LenientJson::new(json);
    let root = gltf::json::deserialize::from_slice::<Root>(&lenient.text);
    let root = root.map_err(|error| json_error(&error, json, &lenient, origin))?;
    let compression = Compression::find(&lenient.text);
    Ok(Document { root, blob: blob.map(<[u8]>::to_vec), compression, trailing_bytes })
}

/// Checks that the JSON's objects take memory in proportion to the text once parsed: `{},{},…` would take 200 times its
/// size.
fn check_objects(json: &[u8], origin: &str) -> Result<(), SceneError> {
    // Braces inside strings are counted, too, which only makes the limit stricter.
    let found = json.iter().filter(|byte| **byte == b'{').count();
    let max_objects = (BASE_BYTES + 3 * json.len()) / OBJECT_BYTES;
    if found <= max_objects {
        return Ok(());
    }
    Err(SceneError::Container {
        origin: origin.to_owned(),
        expected: format!("at most {max_objects} objects in {} bytes of JSON", json.len()),
        found: found.to_string(),
    })
}

fn json_error(error: &gltf::json::Error, json: &[u8], lenient: &LenientJson<'_>, origin: &str) -> SceneError {
    let text = error.to_string();
    let fault = text.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())).unwrap_or(&text);
    let (line, column) = lenient.position(error.line(), error.column());
    // A missing field is reported at the end of its object, so the path is that of the object.
    let path = path_at(json, (line, column), !fault.starts_with("missing field"));
    let (path, fault) = described(path, fault);
    let fault = if path.is_empty() { fault } else { format!("{path}: {fault}") };
    SceneError::Json { origin: origin.to_owned(), line, column, fault }
}

/// Rewrites a message of the parser in the project's order: expected value, then found value. Arrays of glTF have a fixed
/// number of elements; the parser names that number only if the array is too short.
fn described(path: String, fault: &str) -> (String, String) {
    let array =
        path.rsplit_once('[').and_then(|(array, rest)| Some((array, rest.strip_suffix(']')?.parse::<u64>().ok()?)));
    let length =
        fault.strip_prefix("invalid length ").and_then(|rest| rest.split_once(", expected an array of length "));
    match (array, length) {
        (Some((array, _)), Some((found, expected))) => {
            return (array.to_owned(), format!("expected {expected} numbers, found {found}"));
        }
        (Some((array, expected)), None) if fault == "trailing characters" => {
            return (array.to_owned(), format!("expected {expected} numbers, found more"));
        }
        _ => {}
    }
    let found = fault.strip_prefix("invalid type: ").or_else(|| fault.strip_prefix("invalid value: "));
    let text = match found.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, expected)) => format!("expected {}, found {found}", type_name(expected)),
        None => match fault.strip_prefix("missing field ") {
            Some(field) => format!("expected a key {field}, found none"),
            None => fault.to_owned(),
        },
    };
    (path, text)
}

/// Name of a JSON type for a type of the parser.
fn type_name(parsed: &str) -> &str {
    match parsed {
        "f32" | "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "an integer of 0 or more",
        other => other,
    }
}
