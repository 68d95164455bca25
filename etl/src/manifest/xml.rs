//! Instrumentation manifests of Windows (eventman.xsd).

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::content::{Manifest, ManifestError, extent, number};
use crate::decode::{Extent, Field, FieldType, Layout};
use crate::guid::Guid;
use crate::tables::{EventTable, Provider, ValueMap};

/// Fields of a template; `None` if one of them cannot be decoded.
type Template = Option<Vec<Field>>;

/// An event before its template is known.
struct PendingEvent {
    key: (u16, u8),
    symbol: String,
    template: String,
}

/// State of one provider element.
#[derive(Default)]
struct Open {
    guid: Option<Guid>,
    provider: Provider,
    events: Vec<PendingEvent>,
    templates: HashMap<String, Template>,
    /// Names of the current template and map.
    template: String,
    map: String,
    /// True within a structure, whose fields no layout can hold.
    in_struct: bool,
}

pub(super) fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let mut reader = Reader::from_str(text);
    let (mut manifest, mut open) = (Manifest::default(), Open::default());
    loop {
        let offset = reader.buffer_position();
        let content = |expected, found: String| ManifestError::Content { offset, expected, found };
        match reader.read_event().map_err(|error| content("an instrumentation manifest (XML)", error.to_string()))? {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => open.element(&element),
            Event::End(element) => match element.local_name().as_ref() {
                b"provider" => std::mem::take(&mut open).close(&mut manifest),
                b"struct" => open.in_struct = false,
                _ => {}
            },
            _ => {}
        }
    }
    if manifest.providers.is_empty() {
        return Err(ManifestError::Content {
            offset: 0,
            expected: "a provider element with a GUID",
            found: "a document without one".to_owned(),
        });
    }
    Ok(manifest)
}

/// Value of an attribute. An invalid one counts as absent.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    Some(attribute.unescape_value().ok()?.into_owned())
}

impl Open {
    fn element(&mut self, element: &BytesStart<'_>) {
        let get = |name| attribute(element, name);
        match element.local_name().as_ref() {
            b"provider" => {
                *self = Self::default();
                self.guid = get("guid").and_then(|guid| Guid::parse(&guid));
                self.provider.name = get("name").unwrap_or_default();
            }
            b"keyword" => {
                let mask = get("mask").and_then(|mask| number(&mask));
                self.provider.keywords.extend(get("name").zip(mask));
            }
            b"event" => {
                let id = get("value").and_then(|value| u16::try_from(number(&value)?).ok());
                let version = get("version").map_or(Some(0), |version| u8::try_from(number(&version)?).ok());
                if let Some(key) = id.zip(version) {
                    let symbol = get("symbol").or_else(|| get("task")).unwrap_or_default();
                    self.events.push(PendingEvent { key, symbol, template: get("template").unwrap_or_default() });
                }
            }
            b"template" => {
                self.template = get("tid").unwrap_or_default();
                self.templates.insert(self.template.clone(), Some(Vec::new()));
            }
            b"struct" => {
                self.in_struct = true;
                self.templates.insert(self.template.clone(), None);
            }
            b"data" if !self.in_struct => self.data(element),
            kind @ (b"valueMap" | b"bitMap") => {
                self.map = get("name").unwrap_or_default();
                let is_bits = kind == b"bitMap";
                self.provider.maps.insert(self.map.clone(), ValueMap { is_bits, ..ValueMap::default() });
            }
            b"map" => {
                let value = get("value").and_then(|value| number(&value));
                let name = get("symbol").or_else(|| get("message").map(|message| plain(&message)));
                if let (Some(map), Some(value), Some(name)) = (self.provider.maps.get_mut(&self.map), value, name) {
                    map.values.insert(value, name);
                }
            }
            _ => {}
        }
    }

    /// Adds a field to the current template.
    fn data(&mut self, element: &BytesStart<'_>) {
        let Some(template) = self.templates.get_mut(&self.template) else { return };
        let field = template.as_deref().and_then(|earlier| field(element, earlier));
        match (template.as_mut(), field) {
            (Some(fields), Some(field)) => fields.push(field),
            _ => *template = None,
        }
    }

    fn close(self, manifest: &mut Manifest) {
        let Some(guid) = self.guid else { return };
        let mut provider = self.provider;
        for event in self.events {
            let fields = match self.templates.get(&event.template) {
                Some(fields) => fields.clone(),
                // An event without a template has no fields.
                None => event.template.is_empty().then(Vec::new),
            };
            let Some(fields) = fields else {
                manifest.unsupported.push(format!("{} (event {} version {})", event.symbol, event.key.0, event.key.1));
                continue;
            };
            let layouts = vec![Layout { fields, builds: Vec::new() }];
            provider.events.insert(event.key, EventTable { symbol: event.symbol, layouts });
        }
        manifest.providers.insert(guid, provider);
    }
}

/// `Name` of a message reference `$(string.map.Name)`.
fn plain(message: &str) -> String {
    let inner = message.strip_prefix("$(string.").and_then(|rest| rest.strip_suffix(')'));
    inner.map_or(message, |path| path.rsplit('.').next().unwrap_or(path)).to_owned()
}

fn field(element: &BytesStart<'_>, earlier: &[Field]) -> Option<Field> {
    let extent = |name| match attribute(element, name) {
        Some(text) => extent(&text, earlier),
        None => Some(Extent::None),
    };
    Some(Field {
        name: attribute(element, "name")?,
        field_type: field_type(attribute(element, "inType")?.trim_start_matches("win:"))?,
        count: extent("count")?,
        length: extent("length")?,
        map: attribute(element, "map"),
    })
}

/// Type of an inType of winmeta.xml.
fn field_type(name: &str) -> Option<FieldType> {
    Some(match name {
        "UnicodeString" => FieldType::Utf16,
        "AnsiString" => FieldType::Ansi,
        "Int8" => FieldType::I8,
        "UInt8" => FieldType::U8,
        "Int16" => FieldType::I16,
        "UInt16" => FieldType::U16,
        "Int32" => FieldType::I32,
        "UInt32" | "HexInt32" => FieldType::U32,
        "Int64" => FieldType::I64,
        "UInt64" | "HexInt64" => FieldType::U64,
        "Float" => FieldType::F32,
        "Double" => FieldType::F64,
        "Boolean" => FieldType::Bool32,
        "Binary" => FieldType::Binary,
        "GUID" => FieldType::Guid,
        "Pointer" | "SizeT" => FieldType::Pointer,
        "FILETIME" => FieldType::FileTime,
        "SYSTEMTIME" => FieldType::SystemTime,
        "SID" => FieldType::Sid,
        _ => return None,
    })
}
