//! Detection: each format by a good file, whatever its name, and files of other kinds.

use super::{Detected, INPUTS, InputKind, accepted, by_suffix, detect};
use std::io::Write;
use std::path::Path;

/// Writes a file with this name, and returns what is detected in it.
fn detected(name: &str, bytes: &[u8]) -> Detected {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    std::fs::write(&file, bytes).unwrap();
    detect(&file).unwrap()
}

/// Returns the kind that is detected in a file, or the error about it without the folder.
fn kind(name: &str, bytes: &[u8]) -> Result<InputKind, String> {
    match detected(name, bytes) {
        Detected::Input(format) => Ok(format.kind),
        Detected::Rejected(rejected) => {
            let text = rejected.to_string();
            Err(text[text.find(name).unwrap()..].to_owned())
        }
    }
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

const HEADER: &str = "{\"format\": \"d3d12-calls\", \"version\": 2}\n";
const GFXRECON: &str = "{\"header\":{\"source-path\":\"a.gfxr\",\"gfxrecon-version\":\"1.0\"}}\n";
const GFXRECON_CALL: &str = "{\"index\":7,\"method\":{\"name\":\"Release\",\"thread\":1,\"object\":{\"type\":\"IUnknown\",\
                             \"handle\":5},\"return\":0}}\n";
const HEADING: &str = "Application,ProcessID,SwapChainAddress,PresentRuntime\n";

#[test]
fn a_format_is_recognized_by_its_content_whatever_the_name() {
    let late = format!("{{\"accessors\": [{}], \"asset\": {{}}}}", "{\"type\": \"asset\"},".repeat(20_000));
    let cases: Vec<(InputKind, Vec<u8>)> = vec![
        (InputKind::Scene, b"{\"asset\": {\"version\": \"2.0\"}}".to_vec()),
        (InputKind::Scene, b"\xef\xbb\xbf {\"scene\": 0, \"asset\": {}}".to_vec()),
        (InputKind::Scene, b"glTF\x02\0\0\0".to_vec()),
        (InputKind::Scene, b"{\"buffers\": {}, \"meshes\": {}}".to_vec()),
        (InputKind::Scene, late.into_bytes()),
        (InputKind::CallLog, HEADER.as_bytes().to_vec()),
        (InputKind::CallLog, gzip(HEADER)),
        (InputKind::CallLog, b"\x1f\x8b".to_vec()),
        (InputKind::Capture, GFXRECON.as_bytes().to_vec()),
        (InputKind::Capture, utf_16(GFXRECON)),
        (InputKind::Capture, format!("[gfxrecon] INFO - Loading\n{GFXRECON}").into_bytes()),
        (InputKind::Capture, format!("[\n  {GFXRECON}").into_bytes()),
        (InputKind::Capture, GFXRECON_CALL.as_bytes().to_vec()),
        (InputKind::Capture, format!("[\n  {GFXRECON_CALL}]").into_bytes()),
        (InputKind::Capture, b"{\"state\":{\"marker_type\":\"BeginMarker\",\"frame_number\":1}}\n".to_vec()),
        (InputKind::Gpgmm, b"{\"traceEvents\": [{\"pid\": \"GPGMM\"}]}".to_vec()),
        (InputKind::Gpgmm, b"{ \"traceEvents\": [ { \"name\": \"IResidencyManager\", \"ph\": \"N\" } ] }".to_vec()),
        (InputKind::Dump, b"{\"General\": {}}".to_vec()),
        (InputKind::Dump, utf_16("{\"General\": {}}")),
        (InputKind::Dump, utf_16("[1] failed: {\"General\": {}}")),
        (InputKind::Dump, b"{\"Total\": {}, \"DefaultPools\": {}}".to_vec()),
        (InputKind::Dump, b"00:12 CreateResource failed\n00:12 {\n \"General\": {}}".to_vec()),
        (InputKind::Presents, HEADING.as_bytes().to_vec()),
        (InputKind::Presents, HEADING.replace(',', ";").into_bytes()),
        (InputKind::Presents, utf_16(&format!("// a comment\n{HEADING}"))),
        (InputKind::Presents, b"{\"Info\": {}, \"Runs\": []}".to_vec()),
        (InputKind::Scenario, b"# mine\nname = \"one\"\n[[phase]]\nname = \"a\"\n".to_vec()),
    ];
    for (expected, bytes) in cases {
        for name in ["a.json", "a.csv", "a.gltf", "a"] {
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
            assert_eq!(kind(name, &bytes), Ok(expected), "{name}: {shown}");
        }
    }
}

#[test]
fn a_document_damaged_before_its_first_key_goes_to_the_reader_that_its_name_stands_for() {
    for (name, text, expected) in [
        ("a.gltf", "{\"ass", InputKind::Scene),
        ("a.json", "{", InputKind::Dump),
        ("a.jsonl", "{\"for", InputKind::CallLog),
        ("a.toml", "name = ", InputKind::Scenario),
        ("a.toml", "[[phase", InputKind::Scenario),
    ] {
        assert_eq!(kind(name, text.as_bytes()), Ok(expected), "{name}: {text}");
    }
}

#[test]
fn another_file_is_rejected_with_its_kind_and_the_accepted_formats() {
    let mut etl = vec![0; 0x50];
    (etl[0x36], etl[0x4b]) = (4, 0xc0);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty.gltf", Vec::new()),
        ("blank.csv", b" \r\n\n".to_vec()),
        ("object.json", b"{\"a\": 1, \"b\": {\"asset\": 2}}".to_vec()),
        ("array.json", b"[1, 2]".to_vec()),
        ("table.csv", b"day,price,sum,a,b,c,d\n1,2,3,4,5,6,7\n".to_vec()),
        ("table.json.gz", gzip("day,price\n")),
        ("keys.ini", b"colour = \"red\"\n".to_vec()),
        ("notes.txt", b"nothing of interest\n".to_vec()),
        ("image.png", b"\x89PNG\r\n\x1a\n\0\0".to_vec()),
        ("trace.etl", etl),
        ("cut.etl", b"\0\0\x01\0".to_vec()),
        ("frame.rdc", b"RDOC\0\x02\0\0".to_vec()),
        ("game.exe", b"MZ\x90\0\x03\0".to_vec()),
        ("frame.wpix", b"\x01\x02\0\0".to_vec()),
        ("log.taut", b"\xb1TF1\0\0".to_vec()),
        ("events2.json", b"{\"traceEvents\": []}".to_vec()),
        ("cases.json", b"{\"about\": \"\", \"cases\": []}".to_vec()),
        ("driver.toml", b"name = \"mine\"\nddi_version = \"0115\"\n".to_vec()),
        ("limits.toml", b"limits = [\n    \"health.lost_events == 0\",\n]\n".to_vec()),
    ];
    let accepted = accepted();
    let texts = cases.iter().map(|(name, bytes)| kind(name, bytes).unwrap_err());
    let texts: Vec<String> = texts.map(|text| text.replace(&accepted, "ACCEPTED")).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn each_suffix_of_the_table_belongs_to_one_format() {
    for format in &INPUTS {
        for suffix in format.suffixes {
            assert_eq!(by_suffix(Path::new(&format!("FILE{}", suffix.to_uppercase()))), Some(format));
        }
        assert!(format.suffixes.iter().any(|suffix| format.with_suffixes.contains(suffix)), "{}", format.name);
        assert!(accepted().contains(format.name));
    }
}

#[test]
fn the_documentation_has_each_format_with_its_mark() {
    let text = include_str!("../../../docs/inputs.md");
    for format in &INPUTS {
        let row = format!("| {} | {} |", format.name, format.mark);
        assert!(text.contains(&row), "{row}");
    }
}
