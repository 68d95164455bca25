//! Field tables of a user.

use crate::synthetic::{buffer, event, head};
use std::collections::HashMap;
use taut_etl::{Decoded, Decoder, Etl, Extent, FieldType, Fit, Guid, Manifest, ManifestError};

/// The provider of the events that `synthetic` writes.
const GUID: &str = "abababab-abab-abab-abab-abababababab";

const XML: &str = r#"<?xml version="1.0"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation><events>
  <provider name="Sample" guid="{abababab-abab-abab-abab-abababababab}" symbol="SAMPLE">
   <keywords><keyword name="Load" mask="0x10"/></keywords>
   <maps><valueMap name="Kind"><map value="0x1" message="$(string.Kind.Texture)"/></valueMap></maps>
   <templates>
    <template tid="T"><data name="Kind" inType="win:UInt32" map="Kind"/><data name="Count" inType="win:UInt8"/>
     <data name="Sizes" inType="win:UInt16" count="Count"/><data name="Name" inType="win:UnicodeString"/></template>
    <template tid="S"><data name="A" inType="win:UInt8"/><struct name="B" count="2"><data name="C" inType="win:UInt8"/></struct></template>
   </templates>
   <events><event value="7" version="0" symbol="Loaded" template="T"/><event value="8" symbol="Nested" template="S"/>
    <event value="9" symbol="Empty"/></events>
  </provider>
 </events></instrumentation>
</instrumentationManifest>"#;

const JSON: &str = r#"{"provider": "Sample", "guid": "abababab-abab-abab-abab-abababababab", "keywords": {"Load": "0x10"},
 "events": [
  {"id": 7, "version": 0, "symbol": "Loaded", "fields": [["Kind", "u32", {"map": "Kind"}], ["Count", "u8"],
   ["Sizes", "u16", {"count": "Count"}], ["Name", "wstr"]], "known_from": {"17134": 4}},
  {"id": 8, "version": 0, "symbol": "Nested", "fields": [["A", "u8"], ["B", "struct", {"count": 2}]]},
  {"id": 9, "version": 0, "symbol": "Empty", "fields": []}],
 "maps": {"Kind": {"kind": "values", "values": {"1": "Texture"}}}}"#;

#[test]
fn both_forms_give_the_same_tables() {
    for text in [XML, JSON] {
        let manifest = Manifest::parse(text.as_bytes()).unwrap();
        let provider = &manifest.providers[&Guid::parse(GUID).unwrap()];
        assert_eq!((provider.name.as_str(), provider.event_count()), ("Sample", 2));
        assert_eq!(provider.keywords, [("Load".to_owned(), 16)]);
        assert_eq!(provider.map("Kind").unwrap().values, HashMap::from([(1, "Texture".to_owned())]));
        let fields = &provider.event(7, 0).unwrap().layouts[0].fields;
        let types: Vec<_> = fields.iter().map(|field| field.field_type).collect();
        assert_eq!(types, [FieldType::U32, FieldType::U8, FieldType::U16, FieldType::Utf16]);
        assert_eq!(fields[2].count, Extent::Field(1));
        assert_eq!(manifest.unsupported, ["Nested (event 8 version 0)"]);
    }
}

#[test]
fn events_are_decoded_by_the_users_tables() {
    let payload = [1, 0, 0, 0, 2, 5, 0, 6, 0, b'a', 0, 0, 0];
    let bytes = [head(1, 0), buffer(0, 0, 0, 0, &event(0x13, 7, 1, &[], &payload))].concat();
    let file = Etl::from_bytes(bytes).unwrap();
    let decoded = |decoder: &Decoder| {
        let (mut events, mut names) = (file.events(), Vec::new());
        events.next_record();
        let result = decoder.decode(&events.next_record().unwrap(), &mut |name, _| names.push(name.to_owned()));
        (result, names)
    };
    assert_eq!(decoded(&Decoder::new(&file)), (Decoded::Raw, Vec::new()));
    let tables = Manifest::parse(XML.as_bytes()).unwrap().providers;
    let names = ["Kind", "Count", "Sizes", "Sizes", "Name"].map(str::to_owned).to_vec();
    assert_eq!(decoded(&Decoder::with_tables(&file, tables)), (Decoded::Fits(Fit::Exact), names));
}

#[test]
fn a_manifest_in_utf16_is_read() {
    let units = std::iter::once(0xFEFF).chain(XML.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    assert_eq!(Manifest::parse(&bytes).unwrap().providers.len(), 1);
}

#[test]
fn another_file_is_an_error_with_position() {
    for (text, expected) in
        [("{\"events\": 1", "JSON"), ("{}", "GUID"), ("<a><b></a>", "manifest"), ("text", "provider")]
    {
        let error = Manifest::parse(text.as_bytes()).unwrap_err();
        assert!(
            matches!(error, ManifestError::Content { .. }) && error.to_string().contains(expected),
            "{text}: {error}"
        );
    }
    assert!(matches!(Manifest::parse(&[0xC3, 0x28]), Err(ManifestError::Content { offset: 0, .. })));
}
