//! Field tables as JSON: `{"provider", "guid", "keywords": {name: mask}, "events": [{"id", "version", "symbol", "fields":
//! [[name, type, {"count", "length", "map"}]], "known_from": {build: number of fields}}], "maps": {name: {"kind", "values"}}}`.

use std::collections::HashMap;

use serde_json::Value;

use super::content::{Manifest, ManifestError, extent, number};
use crate::decode::{Extent, Field, FieldType, Layout};
use crate::guid::Guid;
use crate::tables::{EventTable, Provider, ValueMap};

pub(super) fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let document: Value = serde_json::from_str(text).map_err(|error| ManifestError::Content {
        offset: offset(text, error.line(), error.column()),
        expected: "a JSON object with the tables of a provider",
        found: error.to_string(),
    })?;
    let missing = |expected| ManifestError::Content { offset: 0, expected, found: "another value".to_owned() };
    let string = |key: &str| document[key].as_str();
    let guid = string("guid").and_then(Guid::parse).ok_or_else(|| missing("a GUID as `guid`"))?;
    let name = string("provider").ok_or_else(|| missing("a text as `provider`"))?.to_owned();
    let mut provider = Provider { name, ..Provider::default() };
    for (name, mask) in document["keywords"].as_object().into_iter().flatten() {
        provider.keywords.extend(any_number(mask).map(|mask| (name.clone(), mask)));
    }
    for (name, map) in document["maps"].as_object().into_iter().flatten() {
        let values = map["values"].as_object().into_iter().flatten();
        let values = values.filter_map(|(value, name)| Some((number(value)?, name.as_str()?.to_owned()))).collect();
        provider.maps.insert(name.clone(), ValueMap { is_bits: map["kind"] == "bits", values });
    }
    let events = document["events"].as_array().ok_or_else(|| missing("an array as `events`"))?;
    let mut unsupported = Vec::new();
    for event in events {
        let id = event["id"].as_u64().and_then(|id| u16::try_from(id).ok());
        let version = event["version"].as_u64().unwrap_or_default();
        let key = id.zip(u8::try_from(version).ok()).ok_or_else(|| missing("16 bits of `id`, 8 of `version`"))?;
        let symbol = event["symbol"].as_str().unwrap_or_default().to_owned();
        match layout(event) {
            Some(layout) => drop(provider.events.insert(key, EventTable { symbol, layouts: vec![layout] })),
            None => unsupported.push(format!("{symbol} (event {} version {})", key.0, key.1)),
        }
    }
    Ok(Manifest { providers: HashMap::from([(guid, provider)]), unsupported })
}

/// Position of a line and column, both from 1.
fn offset(text: &str, line: usize, column: usize) -> u64 {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)) as u64
}

fn any_number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| number(value.as_str()?))
}

fn layout(event: &Value) -> Option<Layout> {
    let mut layout = Layout::default();
    for field in event["fields"].as_array().into_iter().flatten() {
        let field = self::field(field, &layout.fields)?;
        layout.fields.push(field);
    }
    let builds = event["known_from"].as_object().into_iter().flatten();
    let builds =
        builds.filter_map(|(build, fields)| Some((build.parse().ok()?, usize::try_from(fields.as_u64()?).ok()?)));
    layout.builds = builds.collect();
    Some(layout)
}

fn field(field: &Value, earlier: &[Field]) -> Option<Field> {
    let options = &field[2];
    let extent = |key: &str| match &options[key] {
        Value::Null => Some(Extent::None),
        Value::Number(number) => Some(Extent::Constant(usize::try_from(number.as_u64()?).ok()?)),
        value => extent(value.as_str()?, earlier),
    };
    Some(Field {
        name: field[0].as_str()?.to_owned(),
        field_type: FieldType::from_code(code(field[1].as_str()?)?)?,
        count: extent("count")?,
        length: extent("length")?,
        map: options["map"].as_str().map(str::to_owned),
    })
}

/// Code of a type's name. `None` for a structure.
fn code(name: &str) -> Option<char> {
    const NAMES: [(&str, char); 19] = [
        ("u8", 'B'),
        ("i8", 'b'),
        ("u16", 'H'),
        ("i16", 'h'),
        ("u32", 'I'),
        ("i32", 'i'),
        ("u64", 'Q'),
        ("i64", 'q'),
        ("f32", 'f'),
        ("f64", 'd'),
        ("bool32", '?'),
        ("ptr", 'P'),
        ("guid", 'G'),
        ("filetime", 'T'),
        ("systemtime", 'Y'),
        ("sid", 'S'),
        ("wstr", 'W'),
        ("str", 'A'),
        ("bytes", 'X'),
    ];
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}
