//! Wrong rows are counted with their position, and no input panics.

use super::{SAMPLE, open, played};
use proptest::prelude::*;

/// Reads everything without playing it.
fn read_all(text: Vec<u8>) {
    if let Ok(mut reader) = open(text) {
        reader.read_to_end();
        let _ = (reader.counts().to_string(), reader.counts().fault());
    }
}

/// Returns the error for one row of the sample that is changed.
fn fault(from: &str, to: &str) -> String {
    assert!(SAMPLE.contains(from), "{from}");
    let (summary, _) = played(SAMPLE.replacen(from, to, 1));
    assert_eq!(summary.counts.unreadable, 1, "{to}");
    summary.counts.fault().unwrap()
}

#[test]
fn a_wrong_row_is_counted_with_position_expected_and_found() {
    let faults = [
        fault("\"SizeInBytes\":8388608", "\"SizeInBytes\":\"much\""),
        fault("\"SizeInBytes\":8388608", "\"SizeInBytes\":-1"),
        fault("\"SizeInBytes\":8388608", "\"SizeInBytes\":1e400"),
        fault("\"SizeInBytes\":8388608", "\"SizeInBytes\":99999999999999999999999"),
        fault("\"SizeInBytes\":8388608,", ""),
        fault("\"D3D12_HEAP_TYPE_DEFAULT\"", "\"D3D12_HEAP_TYPE_FAST\""),
        fault("\"DXGI_FORMAT_D32_FLOAT\"", "\"Unhandled DXGI_FORMAT\""),
        fault("\"0b00000000000000000000000000000000\"", "\"0b2\""),
        fault("\"DepthOrArraySize\":1,", "\"DepthOrArraySize\":70000,"),
        fault("\"return\":\"E_OUTOFMEMORY\"", "\"return\":\"E_TIRED\""),
        fault("\"return\":2}}", "\"return\":2}"),
        fault("\"ppvResource\":6", "\"ppvResource\":5"),
        fault(
            "\"marker_type\":\"EndMarker\",\"frame_number\":10}}\n{\"index\":6",
            "\"marker_type\":\"Stop\",\"frame_number\":10}}\n{\"index\":6",
        ),
        fault("{\"index\":49,\"method\":", "{\"index\":49,\"procedure\":"),
        fault("{\"index\":49,\"method\":", "garbage {\"index\":49,\"method\":"),
    ];
    insta::assert_snapshot!(faults.join("\n"));
}

#[test]
fn the_position_in_an_array_is_that_of_the_document() {
    let rows: Vec<serde_json::Value> = SAMPLE.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text =
        serde_json::to_string_pretty(&rows).unwrap().replacen("\"SizeInBytes\": 8388608", "\"SizeInBytes\": true", 1);
    let line = text.lines().position(|line| line.contains("\"SizeInBytes\": true")).unwrap() + 1;
    let (summary, _) = played(text);
    let fault = summary.counts.fault().unwrap();
    assert!(fault.starts_with(&format!("FILE:{line}:")), "{fault}");
}

#[test]
fn a_file_cut_at_any_byte_is_read_up_to_there() {
    for end in 0..SAMPLE.len() {
        if SAMPLE.is_char_boundary(end) && end % 7 == 0 {
            read_all(SAMPLE.as_bytes()[..end].to_vec());
        }
    }
}

proptest! {
    #[test]
    fn no_changed_byte_panics(at in 0..SAMPLE.len(), byte: u8, length in 0..4_usize) {
        let mut text = SAMPLE.as_bytes().to_vec();
        let end = (at + length).min(text.len());
        text.splice(at..end, [byte]);
        read_all(text);
    }

    #[test]
    fn no_value_of_another_type_panics(line in 2..54_usize, which in 0..40_usize, value in prop_oneof![
        Just("null"), Just("-1"), Just("18446744073709551615"), Just("99999999999999999999"), Just("1e300"), Just("\"\""),
        Just("[]"), Just("{}"), Just("true"), Just("[[1]]"),
    ]) {
        let mut lines: Vec<String> = SAMPLE.lines().map(str::to_owned).collect();
        // Values begin after a colon.
        let colons: Vec<usize> = lines[line].match_indices(':').map(|(at, _)| at + 1).collect();
        if let Some(begin) = colons.get(which % colons.len()).copied() {
            let end = lines[line][begin..].find([',', '}']).map_or(lines[line].len(), |end| begin + end);
            lines[line].replace_range(begin..end, value);
        }
        let (summary, _) = played(lines.join("\n"));
        prop_assert!(summary.counts.unreadable <= 1);
    }

    #[test]
    fn no_text_panics(text in prop::collection::vec(any::<u8>(), 0..2000)) {
        read_all(text);
    }
}
