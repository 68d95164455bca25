//! Forms of a file: what other versions, options and shells write.

use super::{SAMPLE, names, open, played};
use serde_json::Value;

/// Returns the sample's rows as values.
fn rows() -> Vec<Value> {
    SAMPLE.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts that a text is played as the sample is.
fn assert_as_sample(text: impl Into<Vec<u8>>) {
    let (expected, found) = (played(SAMPLE), played(text));
    assert_eq!(names(&found.1), names(&expected.1));
    assert_eq!(found.0.counts.fault(), None);
    assert_eq!(found.0.counts.rows, expected.0.counts.rows);
    assert_eq!(found.0.log.differences.groups.len(), expected.0.log.differences.groups.len());
}

#[test]
fn line_ends_encodings_and_messages_change_nothing() {
    assert_as_sample(SAMPLE.replace('\n', "\r\n"));
    assert_as_sample(SAMPLE.trim_end());
    assert_as_sample(format!("\u{feff}{SAMPLE}"));
    let utf_16 = format!("\u{feff}{SAMPLE}").replace('\n', "\r\n");
    assert_as_sample(utf_16.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    assert_as_sample(SAMPLE.replacen('\n', "\n[gfxrecon] WARNING - Loading {state} for \"driver\"\n\n", 5));
    assert_as_sample(format!("[gfxrecon] INFO - first\n{SAMPLE}[gfxrecon] INFO - last\n"));
}

#[test]
fn one_json_array_is_read_as_lines_are() {
    assert_as_sample(serde_json::to_string_pretty(&rows()).unwrap());
    assert_as_sample(serde_json::to_string_pretty(&rows()).unwrap().replace('\n', "\r\n"));
    assert_as_sample(serde_json::to_string(&rows()).unwrap());
}

#[test]
fn a_gzip_file_is_read() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(SAMPLE.as_bytes()).unwrap();
    assert_as_sample(encoder.finish().unwrap());
}

#[test]
fn other_spellings_of_values_are_read() {
    // --expand-flags.
    let expanded = SAMPLE
        .replace("\"Flags\":\"0x00000400\"", "\"Flags\":\"D3D12_RESOURCE_FLAG_USE_TIGHT_ALIGNMENT\"")
        .replace("\"HeapFlags\":\"0x00000000\"", "\"HeapFlags\":\"D3D12_HEAP_FLAG_NONE\"")
        .replace(
            "\"0x00000ac3\"",
            "\"D3D12_RESOURCE_STATE_COPY_SOURCE|D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER|\
                 D3D12_RESOURCE_STATE_INDEX_BUFFER|D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE|\
                 D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE|D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT\"",
        );
    assert_ne!(expanded, SAMPLE);
    assert_as_sample(expanded);
    // Results and enumerators without a name.
    assert_as_sample(SAMPLE.replace("\"E_OUTOFMEMORY\"", "\"0x8007000e\""));
    assert_as_sample(SAMPLE.replace("\"DXGI_FORMAT_D32_FLOAT\"", "\"Unhandled DXGI_FORMAT (40)\""));
    assert_as_sample(SAMPLE.replace("\"args\":{\"Subresource\"", "\"args\":{\"WARNING\":\"x\",\"Subresource\""));
    // Indices may go back, and lines of later versions may have further keys.
    assert_as_sample(SAMPLE.replace("\"index\":52,", "\"index\":3,\"later\":[1],"));
}

#[test]
fn a_file_without_header_is_read() {
    let rest = SAMPLE.lines().skip(2).collect::<Vec<_>>().join("\n");
    let (summary, events) = played(rest);
    assert_eq!(names(&events), names(&played(SAMPLE).1));
    assert_eq!(summary.counts.rows, 52);
}

#[test]
fn frames_from_the_middle_count_what_is_undefined() {
    // From the row of the mapped buffer's first use on: heaps, queue and lists are unknown.
    let middle = SAMPLE.lines().skip(26).collect::<Vec<_>>().join("\n");
    let (summary, events) = played(middle);
    let undefined = &summary.counts.undefined;
    assert_eq!(
        (undefined.get("Map"), undefined.get("Present"), undefined.get("ExecuteCommandLists")),
        (Some(&1), Some(&1), Some(&1))
    );
    assert_eq!(summary.counts.fault(), None);
    assert!(events.iter().any(|event| event.name == "CreateReservedResource"));
    assert!(events.iter().all(|event| event.name != "Present"));
}

#[test]
fn a_cut_last_row_is_counted_and_the_rest_is_played() {
    let cut = SAMPLE.trim_end();
    let (summary, _) = played(&cut[..cut.len() - 10]);
    assert_eq!((summary.counts.rows, summary.counts.unreadable, summary.counts.is_cut), (53, 1, true));
    insta::assert_snapshot!(summary.counts.fault().unwrap());
    // Of an array, the closing bracket may be missing, too.
    let pretty = serde_json::to_string_pretty(&rows()).unwrap();
    let (summary, _) = played(pretty.trim_end().trim_end_matches(']'));
    assert_eq!((summary.counts.rows, summary.counts.is_cut), (54, true));
}

#[test]
fn a_capture_of_another_api_is_named() {
    let vulkan = "{\"header\":{\"gfxrecon-version\":\"1.0\"}}\n\
                  {\"index\":1,\"function\":{\"name\":\"vkCreateInstance\",\"thread\":1,\"return\":\"VK_SUCCESS\",\"args\":{}}}\n";
    let texts =
        [vulkan.to_owned(), vulkan.replace("vkCreate", "xrCreate"), vulkan.lines().take(1).collect(), String::new()];
    let errors: Vec<String> = texts.iter().map(|text| open(text.as_str()).err().unwrap().to_string()).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_list_without_an_allocator_is_created_at_its_first_reset() {
    let list = "{\"index\":60,\"method\":{\"name\":\"CreateCommandList1\",\"thread\":2,\"object\":{\"type\":\"ID3D12Device4\",\"handle\":3},\
                \"return\":\"S_OK\",\"args\":{\"nodeMask\":\"0b0\",\"type\":\"D3D12_COMMAND_LIST_TYPE_DIRECT\",\
                \"flags\":\"0x00000000\",\"riid\":\"IID_ID3D12GraphicsCommandList\",\"ppCommandList\":1006}}}\n\
                {\"index\":61,\"method\":{\"name\":\"Reset\",\"thread\":2,\"object\":{\"type\":\"ID3D12GraphicsCommandList\",\
                \"handle\":1006},\"return\":\"S_OK\",\"args\":{\"pAllocator\":1005,\"pInitialState\":0}}}";
    let text: Vec<&str> =
        SAMPLE.lines().map(|line| if line.contains("\"name\":\"CreateCommandList\"") { list } else { line }).collect();
    let (summary, events) = played(text.join("\n"));
    assert_eq!(names(&events), names(&played(SAMPLE).1));
    assert_eq!(summary.counts.undefined.len(), 0);
}
