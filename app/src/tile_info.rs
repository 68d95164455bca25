//! Offsets of bytes in tiled surfaces.

use serde::Deserialize;
use serde_json::{Value, json};
use taut_schemas::unknown_name;
use taut_tiling::{LAYOUTS, Layout, Position};

/// One input line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Line")]
struct TileInfoLine {
    #[serde(default)]
    id: Value,
    layout: String,
    x_bytes: u64,
    y: u64,
    #[serde(default)]
    z: u64,
    pitch_bytes: u64,
    /// Rows of a slice, required if z is beyond the first tiles.
    rows: Option<u64>,
}

/// Answers an input line, a JSON object with a position.
///
/// # Errors
/// The line is invalid; its id, if it has one, and the reason.
pub fn answer(line: &[u8]) -> Result<Value, (Value, String)> {
    let parsed: TileInfoLine = serde_json::from_slice(line).map_err(|error| {
        let id = serde_json::from_slice::<Value>(line).ok().and_then(|value| value.get("id").cloned());
        (id.unwrap_or_default(), error.to_string())
    })?;
    match offset_bytes(&parsed) {
        Ok(offset_bytes) => Ok(json!({"id": parsed.id, "offset_bytes": offset_bytes})),
        Err(error) => Err((parsed.id, error)),
    }
}

fn offset_bytes(line: &TileInfoLine) -> Result<u64, String> {
    let layout: Layout = line.layout.parse().map_err(|_| {
        let names: Vec<&str> = LAYOUTS.iter().map(|rule| rule.name).collect();
        unknown_name("layout", &line.layout, &names)
    })?;
    let at = Position { x_bytes: line.x_bytes, y: line.y, z: line.z };
    layout.offset_bytes(at, line.pitch_bytes, line.rows).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(line: &str) -> Value {
        answer(line.as_bytes()).unwrap_or_else(|(id, error)| json!({"id": id, "error": error}))
    }

    #[test]
    fn a_line_is_answered_with_an_offset() {
        let line = r#"{"id":1,"layout":"tile_y","x_bytes":16,"y":4,"pitch_bytes":128}"#;
        assert_eq!(answered(line).to_string(), r#"{"id":1,"offset_bytes":512}"#);
        let line = r#"{"id":"z","layout":"ys3d_32","x_bytes":0,"y":0,"z":1,"pitch_bytes":128}"#;
        assert_eq!(answered(line), json!({"id": "z", "offset_bytes": 64}));
    }

    #[test]
    fn an_invalid_line_is_answered_with_its_error() {
        let wrong = [
            (r#"{"id":1,"layout":"tile_z","x_bytes":0,"y":0,"pitch_bytes":128}"#, "tile_"),
            (r#"{"id":1,"layout":"tile_y","x_bytes":0,"y":0,"pitch_bytes":100}"#, "multiple of the tile width"),
            (r#"{"id":1,"layout":"tile_y","x_bytes":128,"y":0,"pitch_bytes":128}"#, "x_bytes"),
            (r#"{"id":1,"layout":"tile_y","x_bytes":-1,"y":0,"pitch_bytes":128}"#, "invalid value"),
            (r#"{"id":1,"layout":"tile_y","y":0,"pitch_bytes":128}"#, "missing field"),
            (r#"{"id":1,"layout":"tile_y","x_bytes":0,"y":18446744073709551615,"pitch_bytes":128}"#, "overflows"),
        ];
        for (line, what) in wrong {
            let answer = answered(line);
            assert_eq!(answer["id"], 1, "{answer}");
            assert!(answer["error"].as_str().is_some_and(|error| error.contains(what)), "{answer}");
        }
        assert_eq!(answered("{")["id"], Value::Null);
    }
}
