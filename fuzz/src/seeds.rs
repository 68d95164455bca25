//! Seeds of the targets with binary input; each of these targets writes them if `TAUT_FUZZ_SEEDS` names a folder.

use std::fs;
use std::path::Path;
use taut_schemas::EventCode;
use taut_traces::Trace;

/// Writes all seeds into folders of `corpus`.
pub(crate) fn write(corpus: &Path) {
    let put = |target: &str, name: &str, bytes: &[u8]| {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    };
    for count in [1, 5, 60] {
        put("container", &format!("finished-{count}"), &[&crate::trace(count)[..], &[0]].concat());
        put("block", &format!("block-{count}"), &[&crate::block(count)[..], &[1]].concat());
    }
    put("container", "unfinished", &[crate::unfinished(2), &[0]].concat());
    let plain = crate::file_of_block(&crate::block(5), true);
    put("container", "plain-header", &[&plain[..], &[1]].concat());
    let text_bytes = u32::from_le_bytes(plain[12..16].try_into().unwrap()) as usize;
    put("header", "plain", &[&[0], &plain[24..24 + text_bytes]].concat());
    let packed = crate::trace(1);
    let text_bytes = u32::from_le_bytes(packed[12..16].try_into().unwrap()) as usize;
    put("header", "frame", &[&[1], &packed[24..24 + text_bytes]].concat());
    for blocks in [1, 2] {
        put("sidecar", &format!("slots-{blocks}"), &sidecar(blocks));
    }
    assert!(Trace::from_bytes(plain).unwrap().verify().is_empty());
}

/// Sidecar in the input form of the target: two slots of thread 0.
fn sidecar(blocks: u8) -> Vec<u8> {
    let mut out = vec![blocks, 0];
    let mut page = b"\x89TAUTLV\n".to_vec();
    page.extend([1u32, 0, 1, 4096].iter().flat_map(|number| number.to_le_bytes()));
    page.resize(44, 0);
    out.extend(page);
    out.extend(2u64.to_le_bytes());
    for slot in 0..2u64 {
        let mut rows = Vec::new();
        for (stamp, (code, row)) in crate::records(5).into_iter().enumerate() {
            let EventCode(code) = code;
            rows.extend((u64::from(code) << 48 | (row.len() as u64) << 24).to_le_bytes());
            rows.extend((5000 + slot * 100 + stamp as u64).to_le_bytes());
            rows.extend(&row);
            rows.resize(rows.len().next_multiple_of(8), 0);
        }
        let end = rows.len() as u64;
        rows.resize(rows.len().next_multiple_of(16), 0);
        // The blocks before have 20 records of thread 0.
        let first = 20 + slot * 5;
        out.push(if slot == 1 { 0x80 } else { 0 });
        for word in [0, slot + 1, first, end, end, 0, 0, 0] {
            out.extend(u64::to_le_bytes(word));
        }
        out.push((rows.len() / 16) as u8);
        out.extend(rows);
    }
    out
}
