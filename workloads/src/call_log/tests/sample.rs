//! Small log with every call and every form of every field.

use crate::call_log::{CallLog, LogError, Reading};
use std::io::{Cursor, Write};

/// Tight buffer of 1000 bytes.
pub(super) const BUFFER: &str = r#"{"dimension":1,"alignment":0,"width":1000,"height":1,"depth_or_array":1,"mips":1,"format":0,"sample_count":1,"sample_quality":0,"layout":1,"flags":1024}"#;
/// Tight buffer of 1000 bytes, as a D3D12_RESOURCE_DESC1.
pub(super) const BUFFER1: &str = r#"{"dimension":1,"alignment":0,"width":1000,"height":1,"depth_or_array":1,"mips":1,"format":0,"sample_count":1,"sample_quality":0,"layout":1,"flags":1024,"mip_region":[0,0,0]}"#;
/// Texture that allows render targets.
pub(super) const TEXTURE: &str = r#"{"dimension":3,"alignment":0,"width":16,"height":16,"depth_or_array":1,"mips":1,"format":28,"sample_count":1,"sample_quality":0,"layout":0,"flags":1}"#;
/// Heap of 1 MiB in CPU-writable memory.
pub(super) const HEAP: &str = r#""size":1048576,"heap_type":2,"cpu_page_property":0,"memory_pool":0,"creation_node_mask":0,"visible_node_mask":0,"alignment":65536,"flags":192"#;
/// Heap properties of a committed resource.
pub(super) const COMMITTED: &str = r#""heap_type":1,"cpu_page_property":0,"memory_pool":0,"creation_node_mask":0,"visible_node_mask":0,"heap_flags":0,"protected":0"#;
/// Common fields of a buffer's creation.
pub(super) const TAIL: &str = r#""clear":null,"castable_formats":[],"hr":0"#;
/// Answer that the recorder got for a tight buffer of 1000 bytes.
pub(super) const INFO: &str = r#""info":{"size":1024,"alignment":256}"#;

/// Header of the log.
pub(super) const HEADER: &str = r#"{"format":"d3d12-calls","version":1,"source":"a sample","allocator_flags":0,"tests":{"0":"(setup)","1":"TestOne","2":"(teardown)"}}"#;

/// All lines after the header without seq: thread, test and the rest.
pub(super) fn calls() -> Vec<(u32, u32, String)> {
    let all = [
        (0, 0, r#""CheckFeatureSupport","feature":54,"size":4,"in":"00000000","hr":0,"bytes":"01000000""#.to_owned()),
        (
            0,
            0,
            r#""CheckFeatureSupport","feature":99,"size":4,"in":"00000000","hr":2147942487,"bytes":null"#.to_owned(),
        ),
        (0, 1, r#""BeginTest","name":"TestOne""#.to_owned()),
        (
            0,
            1,
            format!(
                r#""GetResourceAllocationInfo","visible_mask":0,"count":1,"size":1024,"alignment":256,"descs":[{BUFFER}]"#
            ),
        ),
        (
            0,
            1,
            format!(
                r#""GetResourceAllocationInfo1","visible_mask":0,"count":2,"size":2048,"alignment":256,"descs":[{BUFFER},{BUFFER}],"infos":[{{"offset":0,"alignment":256,"size":1024}},{{"offset":1024,"alignment":256,"size":1024}}]"#
            ),
        ),
        (
            0,
            1,
            format!(
                r#""GetResourceAllocationInfo2","visible_mask":0,"count":1,"size":1024,"alignment":256,"descs":[{BUFFER1}],"infos":null"#
            ),
        ),
        (
            0,
            1,
            format!(
                r#""GetResourceAllocationInfo3","visible_mask":0,"count":1,"size":1024,"alignment":256,"descs":[{BUFFER1}],"castable_formats":[[]],"infos":[{{"offset":0,"alignment":256,"size":1024}}]"#
            ),
        ),
        (0, 1, format!(r#""CreateHeap",{HEAP},"protected":0,"hr":0,"obj":1"#)),
        (0, 1, format!(r#""CreateHeap1",{HEAP},"protected":0,"hr":0,"obj":2"#)),
        (
            1,
            1,
            format!(
                r#""CreatePlacedResource","heap":1,"offset":0,"desc":{BUFFER},"initial_state":0,{TAIL},"obj":3,{INFO}"#
            ),
        ),
        (
            1,
            1,
            format!(
                r#""CreatePlacedResource1","heap":1,"offset":1024,"desc":{BUFFER1},"initial_state":0,{TAIL},"obj":4,{INFO}"#
            ),
        ),
        (
            2,
            1,
            format!(
                r#""CreatePlacedResource2","heap":1,"offset":512,"desc":{BUFFER1},"initial_layout":4294967295,{TAIL},"obj":5,{INFO}"#
            ),
        ),
        (
            1,
            1,
            format!(
                r#""CreateCommittedResource",{COMMITTED},"desc":{TEXTURE},"initial_state":0,"clear":{{"format":28,"bytes":"0000803f000000000000000000000000"}},"castable_formats":[],"hr":0,"obj":6,"info":{{"size":65536,"alignment":65536}}"#
            ),
        ),
        (
            1,
            1,
            format!(
                r#""CreateCommittedResource1",{COMMITTED},"desc":{BUFFER},"initial_state":0,{TAIL},"obj":7,{INFO}"#
            ),
        ),
        (
            1,
            1,
            format!(
                r#""CreateCommittedResource2",{COMMITTED},"desc":{BUFFER1},"initial_state":0,{TAIL},"obj":8,{INFO}"#
            ),
        ),
        (
            0,
            1,
            format!(
                r#""CreateCommittedResource3",{COMMITTED},"desc":{BUFFER1},"initial_layout":4294967295,{TAIL},"obj":9,{INFO}"#
            ),
        ),
        (
            0,
            1,
            r#""CreateHeap1","size":18446744073709551615,"heap_type":2,"cpu_page_property":0,"memory_pool":0,"creation_node_mask":0,"visible_node_mask":0,"alignment":4096,"flags":0,"protected":0,"hr":2147942487,"obj":null"#.to_owned(),
        ),
        (0, 1, r#""Map","obj":3,"subresource":0,"read_range":[0,0],"hr":0"#.to_owned()),
        (0, 1, r#""Unmap","obj":3,"subresource":0,"written_range":null"#.to_owned()),
        (0, 1, r#""Map","obj":4,"subresource":0,"read_range":null,"hr":0"#.to_owned()),
        (2, 1, r#""Unmap","obj":4,"subresource":0,"written_range":[0,1000]"#.to_owned()),
        (2, 1, r#""ReleaseHeap","obj":1"#.to_owned()),
        (2, 1, r#""ReleaseResource","obj":3"#.to_owned()),
        (2, 1, r#""ReleaseResource","obj":4"#.to_owned()),
        (0, 1, r#""ReleaseResource","obj":5"#.to_owned()),
        (0, 1, r#""ReleaseResource","obj":6"#.to_owned()),
        (0, 1, r#""ReleaseResource","obj":7"#.to_owned()),
        (0, 1, r#""ReleaseResource","obj":8"#.to_owned()),
        (0, 1, r#""ReleaseResource","obj":9"#.to_owned()),
        (0, 1, r#""EndTest","result":"PASS""#.to_owned()),
        (0, 2, r#""EndCapture","objects_created":9,"objects_live":1"#.to_owned()),
    ];
    all.to_vec()
}

/// Returns a log with these lines, numbered.
pub(super) fn text(header: &str, calls: &[(u32, u32, String)]) -> String {
    let mut text = format!("{header}\n");
    for (seq, (thread, test, rest)) in calls.iter().enumerate() {
        text += &format!("{{\"seq\":{seq},\"thread\":{thread},\"test\":{test},\"call\":{rest}}}\n");
    }
    text
}

/// Returns the sample log.
pub(super) fn sample() -> String {
    text(HEADER, &calls())
}

/// Reads a log from memory; errors name it `sample`.
pub(super) fn read(bytes: Vec<u8>) -> Result<Reading, LogError> {
    CallLog::from_reader(Cursor::new(bytes), "sample".to_owned())
}

/// Compresses bytes with gzip.
pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
